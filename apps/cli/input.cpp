// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/output.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/core/text.h"
#include "ulna/io/body_map_json.h"

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

io::PositionChannels channelsOf(const InputOptions& options) {
    return options.position_channels == "add" ? io::PositionChannels::Add
                                              : io::PositionChannels::Replace;
}

}  // namespace

const FormatInfo& formatOf(const std::string& path) {
    const std::optional<FileFormat> format = formatOfName(path);
    if (!format)
        failUsage("the format of '" + path + "' is unknown", "known endings: " + knownEndings());
    return formatInfo(*format);
}

const FormatInfo& outputFormat(const std::string& path) {
    if (path == "-") failUsage("the output needs a name, because its ending decides the format");
    const FormatInfo& format = formatOf(path);
    if (!format.writable)
        failUsage("'" + path + "' cannot be written: " + std::string(format.name) + " is only read",
                  "known endings: " + knownEndings(FileUse::Write));
    return format;
}

bool isSurface(const FormatInfo& format) {
    return format.surfaces && !format.skeleton;
}

void addInputOptions(Tool& tool, CLI::App* verb, InputOptions& options) {
    auto* strict =
        verb->add_flag("--strict-input", options.strict, "Refuse a file that needs a warning")
            ->group(kReadingGroup);
    verb->add_flag("--lenient", options.lenient,
                   "Drop rows of the wrong length instead of refusing the file")
        ->excludes(strict)
        ->group(kReadingGroup);
    oneOf(tool,
          verb->add_option("--position-channels", options.position_channels,
                           "BVH position channels replace OFFSET (default) or are added to it"),
          {"replace", "add"})
        ->group(kReadingGroup);
}

void addMapOption(Tool& tool, CLI::App* verb, InputOptions& options) {
    isFile(tool, verb->add_option("--map", options.map,
                                  "A .map.json file that says which joint is which part of the "
                                  "body (default: by names and shape); 'ulna info --map-out' "
                                  "writes one"));
}

std::string adviseNames(const std::string& name, const std::vector<std::string>& names,
                        const char* noun) {
    constexpr std::size_t kListed = 12;
    if (names.empty()) return fmt::format("it has no {} at all", noun);
    if (names.size() == 1 && names.front().empty()) return fmt::format("its {} has no name", noun);
    const std::string similar = suggestNames(name, names);
    const std::size_t shown = std::min(kListed, names.size());
    return fmt::format(
        "{}{}there {} '{}'{}", similar, similar.empty() ? "" : " ",
        names.size() == 1 ? "is" : "are",
        fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), "', '"),
        shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "");
}

const Motion& Input::clip(const std::string& name) const {
    if (name.empty()) return motions.empty() ? kNoMotion : motions.front();
    for (const Motion& motion : motions) {
        if (motion.name == name) return motion;
    }
    failUsage("'" + path + "' has no clip '" + name + "'",
              adviseNames(name, clipNames(*this), "clip"));
}

io::BvhFrames streamBvhFile(const std::string& path, const InputOptions& options) {
    io::BvhFrames out =
        mustLoad(io::streamBvh(path, {.strict = options.strict, .lenient = options.lenient},
                               {.position_channels = channelsOf(options), .threads = 1}));
    if (options.strict && !out.warnings.empty()) fail(kBadInput, out.warnings.front());
    return out;
}

const KeyedMotion* Input::keysOf(const Motion& motion) const {
    for (std::size_t i = 0; i < keyed.size(); ++i)
        if (&motions[i] == &motion) return &keyed[i];
    return nullptr;
}

Clip Input::takeClip(std::size_t i) {
    if (!keyed.empty()) return std::move(keyed[i]);
    return std::move(motions[i]);
}

Input load(const std::string& path, const InputOptions& options, const Common& common) {
    const FormatInfo& format = formatOf(path);
    if (isSurface(format) && !options.surfaces)
        failUsage("'" + path + "' is a mesh without a skeleton",
                  "'ulna info', 'convert' and 'draw' read it; 'skin', 'weights' and 'fit' take it "
                  "as --mesh");
    Result<Character> read = openCharacter(path, {.strict = options.strict,
                                                  .lenient = options.lenient,
                                                  .position_channels = channelsOf(options),
                                                  .threads = common.threads});
    // A format that is only written is a wrong name, not a bad file.
    if (!read) fail(isReadable(format.format) ? kBadInput : kUsage, read.error());
    Input out{*std::move(read)};
    if (!options.map.empty())
        out.map = mustLoad(io::bindBodyMap(mustLoad(io::loadBodyMap(options.map)), out.skeleton));
    for (Clip& clip : out.clips) {
        auto* keys = std::get_if<KeyedMotion>(&clip);
        if (keys != nullptr) append(frameRateWarnings(*keys, path), out.warnings);
        out.motions.push_back(keys != nullptr ? mustLoad(makeFrames(clip))
                                              : std::move(std::get<Motion>(clip)));
        if (keys != nullptr) out.keyed.push_back(std::move(*keys));
    }
    out.clips.clear();
    return out;
}

void addFrameOptions(CLI::App* verb, FrameOptions& options) {
    excludeEachOther(
        {verb->add_option("--frame", options.frame, "One frame, counted from 0")->type_name("N"),
         verb->add_option("--frames", options.frames, "Several frames")
             ->delimiter(',')
             ->type_name("A,B,..."),
         verb->add_option("--times,--time", options.times, "Times in seconds, also between frames")
             ->delimiter(',')
             ->type_name("S,T,..."),
         verb->add_flag("--all", options.all, "Every frame"),
         verb->add_flag("--rest", options.rest, "The rest pose")});
    addClipOption(verb, options.clip);
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
                                      time, shortNumber(motion.duration())));
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

Pose restPoseOf(const Input& input, std::optional<long long> frame, const char* option) {
    if (!frame) return restPose(input.skeleton);
    if (input.motions.empty())
        failUsage(std::string(option) + " names a frame, and '" + input.path + "' has no motion");
    FrameOptions chosen;
    chosen.frame = frame;
    const Motion& motion = input.motions.front();
    return poseAt(input, motion, chooseMoments(input, motion, chosen).front());
}

}  // namespace ulna::cli
