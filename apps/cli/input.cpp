// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/input.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/cli/output.h"
#include "ulna/core/text.h"
#include "ulna/io/gltf.h"
#include "ulna/io/mesh_files.h"
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
    if (lower.ends_with(".glb") || lower.ends_with(".gltf")) return Format::Gltf;
    if (lower.ends_with(".keys.json")) return Format::Keys;
    if (lower.ends_with(".json")) return Format::Rig;
    if (lower.ends_with(".csv")) return Format::Csv;
    if (lower.ends_with(".obj") || lower.ends_with(".ply")) return Format::Mesh;
    failUsage("the format of '" + path + "' is unknown",
              "known endings: .bvh, .glb, .gltf, .rig.json, .obj, .ply, .csv and .keys.json "
              "(written only)");
}

Format outputFormat(const std::string& path) {
    if (path == "-") failUsage("the output needs a name, so that its ending says the format");
    return formatOf(path);
}

void addInputOptions(Tool& tool, CLI::App* verb, InputOptions& options) {
    auto* strict =
        verb->add_flag("--strict-input", options.strict, "Refuse a file that needs a warning");
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
    if (advice.empty() && !names.empty())
        advice =
            names.front().empty() ? "its clip has no name" : "there is '" + names.front() + "'";
    failUsage("'" + path + "' has no clip '" + name + "'", advice);
}

namespace {

void loadRigFile(Input& out) {
    out.rig = mustLoad(io::loadRig(out.path));
    out.skeleton = out.rig->skeleton;
    checkRestPose(out);
    for (const DofClip& clip : out.rig->clips)
        out.motions.push_back(computeMotion(out.skeleton, clip));
}

void loadGltfFile(const InputOptions& options, Input& out) {
    io::GltfFile file = mustLoad(io::loadGltf(out.path));
    if (options.strict && !file.warnings.empty()) fail(kBadInput, file.warnings.front());
    out.skeleton = std::move(file.skeleton);
    out.keyed = std::move(file.clips);
    out.meshes = std::move(file.meshes);
    out.material_set = std::move(file.material_set);
    out.warnings = std::move(file.warnings);
    checkRestPose(out);
    for (const KeyedMotion& clip : out.keyed) {
        const double rate = frameRateOf(clip, out.path, out.warnings);
        out.motions.push_back(mustLoad(makeSampled(clip, 1.0 / rate)));
    }
}

void loadMeshFile(const InputOptions& options, Input& out) {
    if (!options.surfaces)
        failUsage("'" + out.path + "' is a mesh without a skeleton",
                  "'ulna info', 'convert' and 'draw' read it; 'skin', 'weights' and 'fit' take it "
                  "as --mesh");
    io::MeshFile file = mustLoad(io::loadMesh(out.path));
    if (options.strict && !file.warnings.empty()) fail(kBadInput, file.warnings.front());
    out.meshes.push_back(std::move(file.mesh));
    out.warnings = std::move(file.warnings);
}

io::BvhReadOptions readingOf(const InputOptions& options) {
    return {.strict = options.strict, .lenient = options.lenient};
}

io::BvhMotionOptions meaningOf(const InputOptions& options, unsigned threads) {
    io::BvhMotionOptions out;
    out.threads = threads;
    if (options.position_channels == "add") out.position_channels = io::PositionChannels::Add;
    return out;
}

void loadBvhMotion(const InputOptions& options, const Common& common, Input& out) {
    out.bvh = mustLoad(io::loadBvh(out.path, readingOf(options)));
    io::BvhMotion motion = mustLoad(io::toMotion(*out.bvh, meaningOf(options, common.threads)));
    if (options.strict && !motion.warnings.empty()) fail(kBadInput, motion.warnings.front());
    out.skeleton = std::move(motion.skeleton);
    out.warnings = std::move(motion.warnings);
    if (motion.motion.frameCount() > 0) out.motions.push_back(std::move(motion.motion));
}

}  // namespace

io::BvhFrames streamBvhFile(const std::string& path, const InputOptions& options) {
    io::BvhFrames out = mustLoad(io::streamBvh(path, readingOf(options), meaningOf(options, 1)));
    if (options.strict && !out.warnings.empty()) fail(kBadInput, out.warnings.front());
    return out;
}

const KeyedMotion* Input::keysOf(const Motion& motion) const {
    for (std::size_t i = 0; i < keyed.size(); ++i)
        if (&motions[i] == &motion) return &keyed[i];
    return nullptr;
}

Input load(const std::string& path, const InputOptions& options, const Common& common) {
    Input out;
    out.path = path;
    out.format = formatOf(path);
    switch (out.format) {
        case Format::Csv:
            failUsage("CSV is written, not read: a table does not say how joints hang together",
                      "'ulna key' makes a clip of a table of keys");
        case Format::Keys:
            failUsage("a file of keys has no skeleton", "'ulna key' takes both");
        case Format::Rig:
            loadRigFile(out);
            break;
        case Format::Gltf:
            loadGltfFile(options, out);
            break;
        case Format::Mesh:
            loadMeshFile(options, out);
            break;
        case Format::Bvh:
            loadBvhMotion(options, common, out);
            break;
    }
    return out;
}

double frameRateOf(const KeyedMotion& clip, const std::string& path, Warnings& warnings) {
    constexpr double kUsual = 60.0;
    if (clip.startTime() < 0.0)
        warnings.push_back({"the clip has keys before time 0; frames begin at 0",
                            {path, 0, 0, {}},
                            clip.name,
                            {}});
    const double rate = guessFrameRate(clip);
    if (rate > 0.0) return rate;
    if (clip.keyCount() > 0 && clip.endTime() > 0.0)
        warnings.push_back(
            {"keys lie between the frames of any common rate; frames are counted at 60 a second",
             {path, 0, 0, {}},
             clip.name,
             "--fps or --times say otherwise"});
    return kUsual;
}

void warnAboutSampling(const KeyedMotion& keys, const Motion& frames, Warnings& warnings) {
    const double rate = 1.0 / frames.frameTime();
    if (isLinear(keys) && guessFrameRate(keys) > 0.0 &&
        std::abs(rate / guessFrameRate(keys) - std::round(rate / guessFrameRate(keys))) < 1e-6)
        return;
    warnings.push_back({fmt::format("the clip's keys are made {:.6g} frames a second first, "
                                    "straight from frame to frame",
                                    rate),
                        {},
                        keys.name,
                        "a higher --fps follows them more closely"});
}

UpAxis upAxisOf(const Input& input) {
    return input.format == Format::Gltf ? UpAxis::Y : guessUpAxis(input.skeleton);
}

void addFrameOptions(CLI::App* verb, FrameOptions& options) {
    std::vector<CLI::Option*> group = {
        verb->add_option("--frame", options.frame, "One frame, counted from 0")->type_name("N"),
        verb->add_option("--frames", options.frames, "Several frames")
            ->delimiter(',')
            ->type_name("A,B,..."),
        verb->add_option("--times,--time", options.times, "Times in seconds, also between frames")
            ->delimiter(',')
            ->type_name("S,T,..."),
        verb->add_flag("--all", options.all, "Every frame"),
        verb->add_flag("--rest", options.rest, "The rest pose")};
    for (CLI::Option* a : group) {
        for (CLI::Option* b : group) {
            if (a != b) a->excludes(b);
        }
    }
    verb->add_option("--clip", options.clip, "Which clip to use, where a file has several")
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
            if (!std::isfinite(time)) failUsage("a time must be a finite number");
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

Pose poseAt(const Input& input, const Motion& motion, const Moment& moment) {
    if (moment.rest) return restPose(input.skeleton);
    if (moment.frame) return motion.pose(*moment.frame);
    const KeyedMotion* keys = input.keysOf(motion);
    return keys != nullptr ? samplePose(*keys, moment.time) : samplePose(motion, moment.time);
}

}  // namespace ulna::cli
