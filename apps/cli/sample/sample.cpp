// SPDX-License-Identifier: Apache-2.0

// ulna sample: a clip's joints relative to their parents at any time, and how fast they change.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "apps/cli/draw/curve_options.h"
#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "ulna/core/number_text.h"
#include "ulna/core/text.h"

namespace ulna::cli {
namespace {

struct SampleOptions {
    std::string file, clip;
    InputOptions input;
    CurveOptions curves;
    std::vector<double> times;
    std::optional<double> fps;
    std::vector<std::string> joints;
    bool rates = false;
};

// More lines than this are no table any more.
constexpr double kMostSamples = 1e6;

std::vector<double> chooseTimes(const SampleOptions& options, const KeyedMotion& motion) {
    constexpr double kLatest = 1e9;  // thirty years
    for (const double time : options.times) {
        if (!std::isfinite(time)) failUsage("a time must be a finite number");
        if (std::abs(time) > kLatest) failUsage("a time must be below 1e9 seconds");
    }
    if (!options.times.empty()) return options.times;
    if (!options.fps) return keyTimes(motion);
    if (!(*options.fps > 0.0 && *options.fps <= 1e6))
        failUsage("--fps must be above 0 and at most 1000000");
    std::vector<double> out;
    const double first = std::ceil(std::min(0.0, motion.startTime()) * *options.fps - 1e-6);
    const double last = std::floor(motion.endTime() * *options.fps + 1e-6);
    if (last - first > kMostSamples)
        failUsage("this would give more than a million samples", "a lower --fps gives fewer");
    for (double i = first; i <= last; i += 1.0) out.push_back(i / *options.fps);
    printWarnings(cutWarnings(motion.name, *options.fps, last / *options.fps, motion.endTime()));
    return out;
}

std::vector<JointId> chooseJoints(const SampleOptions& options, const Skeleton& skeleton) {
    std::vector<JointId> out;
    for (const std::string& name : options.joints) {
        out.push_back(skeleton.find(name));
        if (out.back() == JointId::None)
            failUsage("there is no joint '" + name + "'", suggestNames(name, skeleton.names()));
    }
    for (std::size_t j = 0; options.joints.empty() && j < skeleton.jointCount(); ++j)
        out.push_back(jointId(j));
    return out;
}

struct Rates {
    Vec3 velocity, angular_velocity;
};
Rates ratesAt(const KeyedMotion& motion, JointId joint, double time) {
    const JointTracks* tracks = motion.find(joint);
    if (tracks == nullptr) return {};
    const Vec3 angular_velocity =
        std::visit([&](const auto& t) { return sampleRate(t, time); }, tracks->rotation);
    return {sampleRate(tracks->translation, time), angular_velocity};
}

void writeSample(const KeyedMotion& motion, const std::vector<JointId>& joints, double time,
                 bool rates, JsonWriter& json) {
    const Pose pose = samplePose(motion, time);
    const auto each = [&](std::string_view key, const auto& valueOf) {
        json.beginArray(key);
        for (const JointId j : joints) json.value(valueOf(j));
        json.endArray();
    };
    json.beginObject().member("time", time);
    each("translations", [&](JointId j) { return pose[j].translation; });
    each("rotations", [&](JointId j) {
        return pose[j].rotation.w < 0.0 ? -pose[j].rotation : pose[j].rotation;
    });
    each("scales", [&](JointId j) { return pose[j].scale; });
    if (rates) {
        each("velocities", [&](JointId j) { return ratesAt(motion, j, time).velocity; });
        each("angular_velocities",
             [&](JointId j) { return ratesAt(motion, j, time).angular_velocity; });
    }
    json.endObject();
}

std::string textAt(const Skeleton& skeleton, const KeyedMotion& motion,
                   const std::vector<JointId>& joints, double time, bool rates) {
    const Pose pose = samplePose(motion, time);
    std::string out = shortNumber(time) + " s\n";
    auto to = std::back_inserter(out);
    fmt::format_to(to, "{:<24} {:>11} {:>11} {:>11}  {:>9} {:>9} {:>9} {:>9}", "joint", "x", "y",
                   "z", "qx", "qy", "qz", "qw");
    if (rates)
        fmt::format_to(to, "  {:>9} {:>9} {:>9}  {:>9} {:>9} {:>9}", "vx", "vy", "vz", "wx", "wy",
                       "wz");
    out += '\n';
    for (const JointId j : joints) {
        const Trs& t = pose[j];
        const Quat q = t.rotation.w < 0.0 ? -t.rotation : t.rotation;
        fmt::format_to(to, "{:<24}", skeleton.name(j));
        for (const double x : {t.translation.x, t.translation.y, t.translation.z})
            fmt::format_to(to, " {:>11}", shortNumber(x));
        out += ' ';
        for (const double x : {q.x, q.y, q.z, q.w})
            fmt::format_to(to, " {:>9}", shortDecimals(x, 6));
        if (rates) {
            const Rates r = ratesAt(motion, j, time);
            for (const Vec3& v : {r.velocity, r.angular_velocity})
                fmt::format_to(to, "  {:>9} {:>9} {:>9}", shortNumber(v.x, 4), shortNumber(v.y, 4),
                               shortNumber(v.z, 4));
        }
        out += '\n';
    }
    return out;
}

int run(const SampleOptions& options, const Common& common) {
    const Input input = load(options.file, options.input, common);
    printWarnings(input.warnings);
    const Motion& clip = input.clip(options.clip);
    if (input.motions.empty()) failUsage("the file has no clip to sample");
    const KeyedMotion motion = chooseKeys(input, clip, {}, options.curves);
    const std::vector<JointId> joints = chooseJoints(options, input.skeleton);
    const std::vector<double> times = chooseTimes(options, motion);
    JsonWriter json = beginDocument();
    json.member("clip", motion.name).beginArray("joints");
    for (const JointId j : joints) json.value(input.skeleton.name(j));
    json.endArray().beginArray("samples");
    ProgressBar progress("sampling");
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (i > 0 && common.json)
            json.onNewLine();
        else if (i > 0)
            print("\n");
        if (common.json) writeSample(motion, joints, times[i], options.rates, json);
        print(common.json ? json.take()
                          : textAt(input.skeleton, motion, joints, times[i], options.rates));
        progress.update(static_cast<double>(i + 1) / static_cast<double>(times.size()));
    }
    if (common.json) print(endDocument(json.endArray()));
    return kDone;
}

}  // namespace

void addSample(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<SampleOptions>(
        tool, common, "sample",
        "Sample a clip at any time: joints relative to their parents, and their velocities",
        "  ulna sample walk.bvh --times 0.5,0.51 --joint LeftArm\n"
        "  ulna sample walk.glb --fps 120 --json > walk.json\n"
        "  ulna sample walk.bvh --interpolation catmull-rom --times 0.51 --rates\n"
        "  ulna sample idle.glb --outside loop --times 100",
        run);
    addFileArgument(tool, verb, options->file);
    CLI::Option* times = verb->add_option("--times", options->times,
                                          "Times in seconds (default: the time of every key)")
                             ->delimiter(',')
                             ->type_name("S,T,...");
    verb->add_option("--fps", options->fps, "Sample the whole clip this many times per second")
        ->type_name("N")
        ->excludes(times);
    verb->add_option("--joint", options->joints, "Only this joint; may be repeated")
        ->type_name("JOINT")
        ->allow_extra_args(false);
    verb->add_flag("--rates", options->rates,
                   "Also print velocities: of the translation, and of the rotation about the "
                   "joint's own axes");
    addCurveOptions(tool, verb, options->curves);
    addClipOption(verb, options->clip);
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
