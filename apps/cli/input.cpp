// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/input.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/cli/output.h"
#include "ulna/core/text.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

const Motion kNoMotion;

template <class T>
T mustLoad(Result<T> result) {
    if (!result) fail(kBadInput, result.error());
    return *std::move(result);
}

std::vector<std::string> clipNames(const Input& input) {
    std::vector<std::string> names;
    for (const Motion& motion : input.motions) names.push_back(motion.name);
    return names;
}

std::size_t checkedFrame(long long frame, const Motion& motion) {
    if (motion.frameCount() == 0) failUsage("the file has no frames", "--rest shows the rest pose");
    if (frame < 0 || static_cast<std::size_t>(frame) >= motion.frameCount()) {
        failUsage(
            fmt::format("there is no frame {}; they are 0 to {}", frame, motion.frameCount() - 1));
    }
    return static_cast<std::size_t>(frame);
}

// Numbers in files are bounded, but products of scales are not.
void checkRestPose(const Input& input) {
    constexpr double kLargest = 1e200;
    const ModelPose rest = computeModelPose(input.skeleton, restPose(input.skeleton));
    for (std::size_t i = 0; i < rest.model_from_joint.size(); ++i) {
        for (const auto& column : rest.model_from_joint[i].columns) {
            for (const double value : column) {
                if (std::abs(value) <= kLargest) continue;
                fail(kBadInput, {"a joint is farther away than numbers reach",
                                 {input.path, 0, 0, {}},
                                 input.skeleton.name(jointId(i)),
                                 {}});
            }
        }
    }
}

}  // namespace

Format formatOf(const std::string& path) {
    const std::string lower = lowerCase(path);
    if (lower == "-" || lower.ends_with(".bvh")) return Format::Bvh;
    if (lower.ends_with(".json")) return Format::Rig;
    if (lower.ends_with(".csv")) return Format::Csv;
    failUsage("the format of '" + path + "' is unknown",
              "known endings: .bvh, .rig.json, .csv (written only)");
}

Format outputFormat(const std::string& path) {
    if (path == "-") failUsage("the output needs a name, so that its ending says the format");
    return formatOf(path);
}

void addInputOptions(Tool& tool, CLI::App* verb, InputOptions& options) {
    auto* strict =
        verb->add_flag("--strict-input", options.strict, "Refuse files that need a warning");
    verb->add_flag("--lenient", options.lenient,
                   "Drop rows of the wrong length instead of refusing the file")
        ->excludes(strict);
    oneOf(tool,
          verb->add_option("--position-channels", options.position_channels,
                           "BVH position channels replace OFFSET (default) or are added to it"),
          {"replace", "add"});
}

const Motion& Input::clip(const std::string& name) const {
    if (name.empty()) return motions.empty() ? kNoMotion : motions.front();
    for (const Motion& motion : motions) {
        if (motion.name == name) return motion;
    }
    const std::vector<std::string> names = clipNames(*this);
    std::string advice = suggestNames(name, names);
    if (advice.empty() && !names.empty()) advice = "there is '" + names.front() + "'";
    failUsage("'" + path + "' has no clip '" + name + "'", advice);
}

Input load(const std::string& path, const InputOptions& options, const Common& common) {
    Input out;
    out.path = path;
    out.format = formatOf(path);
    if (out.format == Format::Csv) {
        failUsage("CSV is written, not read: a table does not say how joints hang together");
    }
    if (out.format == Format::Rig) {
        out.rig = mustLoad(io::loadRig(path));
        out.skeleton = out.rig->skeleton;
        checkRestPose(out);
        for (const DofClip& clip : out.rig->clips)
            out.motions.push_back(computeMotion(out.skeleton, clip));
        return out;
    }
    out.bvh = mustLoad(io::loadBvh(path, {.strict = options.strict, .lenient = options.lenient}));
    io::BvhMotionOptions meaning;
    meaning.threads = common.threads;
    if (options.position_channels == "add") meaning.position_channels = io::PositionChannels::Add;
    io::BvhMotion motion = mustLoad(io::toMotion(*out.bvh, meaning));
    if (options.strict && !motion.warnings.empty()) fail(kBadInput, motion.warnings.front());
    out.skeleton = std::move(motion.skeleton);
    out.warnings = std::move(motion.warnings);
    if (motion.motion.frameCount() > 0) out.motions.push_back(std::move(motion.motion));
    return out;
}

void addFrameOptions(CLI::App* verb, FrameOptions& options) {
    std::vector<CLI::Option*> group = {
        verb->add_option("--frame", options.frame, "One frame, counted from 0")->type_name("N"),
        verb->add_option("--frames", options.frames, "Several frames")
            ->delimiter(',')
            ->type_name("A,B,..."),
        verb->add_option("--times", options.times, "Moments in seconds, between frames too")
            ->delimiter(',')
            ->type_name("S,T,..."),
        verb->add_flag("--all", options.all, "Every frame"),
        verb->add_flag("--rest", options.rest, "The rest pose")};
    for (CLI::Option* a : group) {
        for (CLI::Option* b : group) {
            if (a != b) a->excludes(b);
        }
    }
    verb->add_option("--clip", options.clip, "Which clip, where a file has several")
        ->type_name("NAME");
}

std::vector<Moment> chooseMoments(const Input& input, const Motion& motion,
                                  const FrameOptions& options) {
    std::vector<Moment> out;
    const auto addFrame = [&](std::size_t frame) {
        out.push_back({frame, motion.timeOf(frame), false});
    };
    if (options.rest || (motion.frameCount() == 0 && !options.frame && options.frames.empty() &&
                         options.times.empty() && !options.all)) {
        if (!options.rest) printNote("'" + input.path + "' has no frames; this is the rest pose");
        return {{std::nullopt, 0.0, true}};
    }
    if (options.all) {
        if (motion.frameCount() == 0)
            failUsage("the file has no frames", "--rest shows the rest pose");
        for (std::size_t frame = 0; frame < motion.frameCount(); ++frame) addFrame(frame);
    } else if (!options.frames.empty()) {
        for (const long long frame : options.frames) addFrame(checkedFrame(frame, motion));
    } else if (!options.times.empty()) {
        checkedFrame(0, motion);
        for (const double time : options.times) {
            if (!std::isfinite(time)) failUsage("a time is not a number");
            if (time < 0.0 || time > motion.duration() * (1.0 + 1e-12)) {
                printNote(fmt::format("time {} is outside the clip's 0 to {} s; the end is held",
                                      time, motion.duration()));
            }
            out.push_back({std::nullopt, time, false});
        }
    } else {
        addFrame(checkedFrame(options.frame.value_or(0), motion));
    }
    return out;
}

Pose poseAt(const Skeleton& skeleton, const Motion& motion, const Moment& moment) {
    if (moment.rest) return restPose(skeleton);
    return moment.frame ? motion.pose(*moment.frame) : samplePose(motion, moment.time);
}

}  // namespace ulna::cli
