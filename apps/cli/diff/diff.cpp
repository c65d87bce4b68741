// SPDX-License-Identifier: Apache-2.0

// ulna diff: how far two files are from each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/core/number_text.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

struct DiffOptions {
    std::string a, b;
    std::string clip;
    InputOptions input;
    std::optional<double> tolerance;
    std::optional<double> angle_tolerance;
    std::optional<double> fps;
};

struct Worst {
    double value = 0.0;
    std::size_t frame = 0;

    void add(double candidate, std::size_t at) {
        if (!(candidate <= value)) *this = {candidate, at};  // a NaN is the worst there is
    }
};

struct JointDiff {
    std::string name;
    JointId a = JointId::None;
    JointId b = JointId::None;
    Worst position;
    Worst angle_degrees;
};

// Joints that both have, in a's order; the others by name.
std::vector<JointDiff> matchJoints(const Skeleton& a, const Skeleton& b,
                                   std::vector<std::string>& only_a,
                                   std::vector<std::string>& only_b) {
    std::vector<JointDiff> out;
    for (const JointId j : a.joints()) {
        const JointId other = b.find(a.name(j));
        if (other == JointId::None)
            only_a.push_back(a.name(j));
        else
            out.push_back({a.name(j), j, other, {}, {}});
    }
    for (const std::string& name : b.names()) {
        if (a.find(name) == JointId::None) only_b.push_back(name);
    }
    return out;
}

const JointDiff* largest(const std::vector<JointDiff>& joints, Worst JointDiff::*what) {
    const auto found = std::max_element(
        joints.begin(), joints.end(),
        [&](const JointDiff& x, const JointDiff& y) { return (x.*what).value < (y.*what).value; });
    return found == joints.end() ? nullptr : &*found;
}

void writeWorst(std::string_view key, const std::string& joint, const Worst& worst,
                JsonWriter& json) {
    json.beginObject(key)
        .member("max", worst.value)
        .member("joint", joint)
        .member("frame", worst.frame)
        .endObject();
}

// Two clips, joint by joint and frame by frame.
struct Comparison {
    std::string file_a, file_b;
    const Motion& a;
    const Motion& b;
    std::vector<JointDiff> joints;
    std::vector<std::string> only_a, only_b;
    std::size_t frames = 0;  // those that both have

    [[nodiscard]] bool sameLength() const { return a.frameCount() == b.frameCount(); }
    [[nodiscard]] bool sameRate() const {
        // Files round the time of a frame to a few digits.
        return frames == 0 || std::abs(a.frameTime() - b.frameTime()) <= 1e-5 * a.frameTime();
    }
    [[nodiscard]] const JointDiff& worstPosition() const {
        return *largest(joints, &JointDiff::position);
    }
    [[nodiscard]] const JointDiff& worstAngle() const {
        return *largest(joints, &JointDiff::angle_degrees);
    }
};

// Without frames on either side, the rest poses are compared.
void compare(const Skeleton& a, const Skeleton& b, Comparison& out) {
    ProgressBar progress("diff");
    const std::size_t count = std::max<std::size_t>(out.frames, 1);
    Pose pa = restPose(a), pb = restPose(b);
    for (std::size_t frame = 0; frame < count; ++frame) {
        if (out.frames > 0) {
            out.a.getPose(frame, pa);
            out.b.getPose(frame, pb);
        }
        const ModelPose xa = computeModelPose(a, pa), xb = computeModelPose(b, pb);
        const std::vector<Quat> qa = computeOrientations(a, pa), qb = computeOrientations(b, pb);
        for (JointDiff& joint : out.joints) {
            joint.position.add(distance(xa.position(joint.a), xb.position(joint.b)), frame);
            joint.angle_degrees.add(degrees(angleBetween(qa[index(joint.a)], qb[index(joint.b)])),
                                    frame);
        }
        progress.update(static_cast<double>(frame) / static_cast<double>(count));
    }
}

std::string jsonOf(const Comparison& diff) {
    JsonWriter json = beginDocument();
    json.member("frames", diff.frames)
        .member("frames_a", diff.a.frameCount())
        .member("frames_b", diff.b.frameCount())
        .member("frame_time_a", diff.a.frameTime())
        .member("frame_time_b", diff.b.frameTime());
    const JointDiff& p = diff.worstPosition();
    const JointDiff& q = diff.worstAngle();
    writeWorst("position", p.name, p.position, json);
    writeWorst("angle_degrees", q.name, q.angle_degrees, json);
    json.beginArray("joints");
    for (const JointDiff& j : diff.joints) {
        json.beginObject()
            .member("name", j.name)
            .member("position", j.position.value)
            .member("position_frame", j.position.frame)
            .member("angle_degrees", j.angle_degrees.value)
            .member("angle_frame", j.angle_degrees.frame)
            .endObject();
    }
    json.endArray().member("only_in_a", diff.only_a).member("only_in_b", diff.only_b);
    return endDocument(json);
}

std::string textOf(const Comparison& diff) {
    const JointDiff& p = diff.worstPosition();
    const JointDiff& q = diff.worstAngle();
    std::string out;
    auto to = std::back_inserter(out);
    fmt::format_to(to, "largest position difference  {}  at {}, frame {}\n",
                   shortNumber(p.position.value), p.name, p.position.frame);
    fmt::format_to(to, "largest angle difference     {} degrees  at {}, frame {}\n\n",
                   shortNumber(q.angle_degrees.value), q.name, q.angle_degrees.frame);
    std::size_t width = 5;
    for (const JointDiff& j : diff.joints)
        width = std::max(width, std::min<std::size_t>(j.name.size(), 40));
    fmt::format_to(to, "{:<{}} {:>14} {:>7} {:>14} {:>7}\n", "joint", width, "position", "frame",
                   "degrees", "frame");
    for (const JointDiff& j : diff.joints) {
        fmt::format_to(to, "{:<{}} {:>14} {:>7} {:>14} {:>7}\n", j.name, width,
                       shortNumber(j.position.value), j.position.frame,
                       shortNumber(j.angle_degrees.value), j.angle_degrees.frame);
    }
    for (const std::string& name : diff.only_a)
        fmt::format_to(to, "only in {}: {}\n", diff.file_a, name);
    for (const std::string& name : diff.only_b)
        fmt::format_to(to, "only in {}: {}\n", diff.file_b, name);
    if (!diff.sameLength()) {
        fmt::format_to(to, "the files have {} and {} frames; the first {} are compared\n",
                       diff.a.frameCount(), diff.b.frameCount(), diff.frames);
    }
    if (!diff.sameRate()) {
        fmt::format_to(to,
                       "the files have {} and {} seconds per frame; frames are compared by "
                       "their index (--fps N compares them at one rate)\n",
                       shortNumber(diff.a.frameTime()), shortNumber(diff.b.frameTime()));
    }
    return out;
}

// Whether the files differ by more than a tolerance that was given.
bool isTooFar(const Comparison& diff, const DiffOptions& options) {
    if (!options.tolerance && !options.angle_tolerance) return false;
    const double angle = diff.worstAngle().angle_degrees.value;
    return (options.tolerance && diff.worstPosition().position.value > *options.tolerance) ||
           (options.angle_tolerance && angle > *options.angle_tolerance) || !diff.sameLength() ||
           !diff.sameRate() || !diff.only_a.empty() || !diff.only_b.empty();
}

// The clip to compare, at the rate asked for. An end that is no whole frame is not compared.
Motion framesOf(const Input& input, const DiffOptions& options) {
    const Motion& motion = input.clip(options.clip);
    if (!options.fps || motion.frameCount() == 0) return motion;
    const KeyedMotion* keys = input.keysOf(motion);
    const Clip clip = keys != nullptr ? Clip(*keys) : Clip(motion);
    Motion frames = must(makeFrames(clip, *options.fps));
    Warnings cut = cutWarnings(frames, durationOf(clip));
    for (Diagnostic& each : cut) each.location.file = input.path;
    printWarnings(cut);
    return frames;
}

int run(const DiffOptions& options, const Common& common) {
    const Input a = load(options.a, options.input, common);
    const Input b = load(options.b, options.input, common);
    printWarnings(a.warnings);
    printWarnings(b.warnings);
    std::vector<std::string> only_a, only_b;
    std::vector<JointDiff> joints = matchJoints(a.skeleton, b.skeleton, only_a, only_b);
    if (joints.empty()) fail(kFailed, {.what = "the files have no joint name in common"});
    if (options.fps && !(*options.fps > 0.0 && *options.fps <= 1e6))
        failUsage("--fps must be above 0 and at most 1000000");
    const Motion motion_a = framesOf(a, options), motion_b = framesOf(b, options);
    Comparison diff{.file_a = options.a,
                    .file_b = options.b,
                    .a = motion_a,
                    .b = motion_b,
                    .joints = std::move(joints),
                    .only_a = std::move(only_a),
                    .only_b = std::move(only_b)};
    diff.frames = std::min(diff.a.frameCount(), diff.b.frameCount());
    if (diff.frames == 0) printNote("a file has no frames; the rest poses are compared");
    compare(a.skeleton, b.skeleton, diff);
    print(common.json ? jsonOf(diff) : textOf(diff));
    return isTooFar(diff, options) ? kFailed : kDone;
}

}  // namespace

void addDiff(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<DiffOptions>(
        tool, common, "diff",
        "Compare two files: the largest position and angle difference of every joint",
        "  ulna diff a.bvh b.bvh\n"
        "  ulna diff a.bvh b.bvh --tolerance 1e-6\n"
        "  ulna diff a.bvh b.glb --fps 30\n"
        "  ulna diff a.bvh b.rig.json --json",
        run);
    isFile(tool, verb->add_option("a", options->a, "The first file")->required());
    isFile(tool, verb->add_option("b", options->b, "The second file")->required());
    verb->add_option(
            "--tolerance", options->tolerance,
            "Exit with code 1 where positions differ by more than this, or joints or frames differ")
        ->type_name("LENGTH");
    verb->add_option("--angle-tolerance", options->angle_tolerance,
                     "Exit with code 1 where rotations differ by more than this")
        ->type_name("DEGREES");
    verb->add_option("--fps", options->fps, "Compare both at this many frames per second")
        ->type_name("N");
    addClipOption(verb, options->clip);
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
