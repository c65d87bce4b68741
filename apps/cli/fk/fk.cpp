// SPDX-License-Identifier: Apache-2.0

// ulna fk: where every joint is.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "apps/cli/input.h"
#include "apps/cli/output.h"
#include "apps/cli/pose_json.h"
#include "ulna/core/number_text.h"
#include "ulna/core/parallel.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

struct FkOptions {
    std::string file;
    InputOptions input;
    FrameOptions frames;
};

double frameNumber(const Motion& motion, const Moment& moment) {
    if (moment.frame) return static_cast<double>(*moment.frame);
    const double last = static_cast<double>(motion.frameCount()) - 1.0;
    return std::clamp(moment.time / motion.frameTime(), 0.0, last);  // the ends are held
}

void formatJson(const Input& input, const Motion& motion, const Moment& moment, std::string& out) {
    JsonWriter json;
    json.beginObject();
    if (moment.rest)
        json.null("frame").null("time");
    else
        json.member("frame", frameNumber(motion, moment)).member("time", moment.time);
    writePose(input.skeleton, poseAt(input, motion, moment), json);
    out = json.endObject().take();
}

void formatText(const Input& input, const Motion& motion, const Moment& moment, std::string& out) {
    const Skeleton& skeleton = input.skeleton;
    const Pose pose = poseAt(input, motion, moment);
    const ModelPose model = computeModelPose(skeleton, pose);
    const std::vector<Quat> orientations = printedOrientations(skeleton, pose);
    std::size_t width = 5;
    for (const std::string& name : skeleton.names())
        width = std::max(width, std::min<std::size_t>(name.size(), 40));
    auto to = std::back_inserter(out);
    if (moment.rest)
        fmt::format_to(to, "rest pose\n");
    else
        fmt::format_to(to, "frame {}, {} s\n", shortDecimals(frameNumber(motion, moment), 3),
                       shortNumber(moment.time));
    fmt::format_to(to, "{:<{}} {:>12} {:>12} {:>12}  {:>9} {:>9} {:>9} {:>9}\n", "joint", width,
                   "x", "y", "z", "qx", "qy", "qz", "qw");
    for (const JointId j : skeleton.joints()) {
        const Vec3 p = model.position(j);
        const Quat& q = orientations[index(j)];
        fmt::format_to(to, "{:<{}}", skeleton.name(j), width);
        for (const double x : {p.x, p.y, p.z}) fmt::format_to(to, " {:>12}", shortDecimals(x, 6));
        out += ' ';
        for (const double x : {q.x, q.y, q.z, q.w})
            fmt::format_to(to, " {:>9}", shortDecimals(x, 6));
        out += '\n';
    }
}

int run(const FkOptions& options, const Common& common) {
    const Input input = load(options.file, options.input, common);
    printWarnings(input.warnings);
    const Skeleton& skeleton = input.skeleton;
    const Motion& motion = input.clip(options.frames.clip);
    const std::vector<Moment> moments = chooseMoments(input, motion, options.frames);
    JsonWriter json = beginDocument();
    json.member("joints", skeleton.names()).beginArray("parents");
    for (const JointId parent : skeleton.parents()) json.value(static_cast<int>(parent));
    json.endArray().beginArray("frames");
    // Many frames at a time, so that threads have work and memory stays small.
    constexpr std::size_t kGroup = 256;
    ProgressBar progress("fk");
    std::vector<std::string> texts;
    for (std::size_t begin = 0; begin < moments.size(); begin += kGroup) {
        const std::size_t count = std::min(kGroup, moments.size() - begin);
        texts.assign(count, {});
        parallelFor(count, 8, common.threads, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                if (common.json)
                    formatJson(input, motion, moments[begin + i], texts[i]);
                else
                    formatText(input, motion, moments[begin + i], texts[i]);
            }
        });
        for (std::size_t i = 0; i < count; ++i) {
            if (common.json)
                print(json.raw(texts[i]).take());
            else
                print(begin + i == 0 ? texts[i] : "\n" + texts[i]);
        }
        progress.update(static_cast<double>(begin + count) / static_cast<double>(moments.size()));
    }
    if (common.json) print(endDocument(json.endArray()));
    return kDone;
}

}  // namespace

void addFk(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<FkOptions>(
        tool, common, "fk",
        "Forward kinematics: position and rotation of every joint in model space",
        "  ulna fk walk.bvh\n"
        "  ulna fk walk.bvh --frame 12\n"
        "  ulna fk walk.bvh --times 0.1,0.25 --json\n"
        "  ulna fk walk.bvh --all --json > walk.json\n"
        "  ulna fk arm.rig.json --rest",
        run);
    addFileArgument(tool, verb, options->file);
    addFrameOptions(verb, options->frames);
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
