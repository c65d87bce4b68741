// SPDX-License-Identifier: Apache-2.0

// ulna clip: clips cut, joined, looped, blended and put together, by the functions of ulna/motion.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/motion/blend.h"
#include "ulna/motion/edit.h"
#include "ulna/motion/root_motion.h"
#include "ulna/skeleton/match.h"

namespace ulna::cli {
namespace {

struct ClipVerb {
    std::vector<std::string> files, clips, names;
    std::string out, root_motion, up;
    InputOptions input;
    std::vector<double> trim, mix;
    std::optional<double> speed, fps, blend;
    std::optional<long long> repeat;
    bool reverse = false, join = false, carry_root = false, own_lengths = false, loop = false,
         in_place = false;

    /// Whether poses change, which is done on frames; otherwise keys stay keys.
    [[nodiscard]] bool changes() const {
        return !trim.empty() || !mix.empty() || speed || fps || repeat || reverse || join || loop ||
               in_place || !root_motion.empty();
    }
};

constexpr double kUsualSeam = 0.2;  // seconds in which one clip fades into the next
constexpr double kMostRepeats = 1e6;

void checkOptions(const ClipVerb& options) {
    if (options.fps && !(*options.fps > 0.0 && *options.fps <= 1e6))
        failUsage("--fps must be above 0 and at most 1000000");
    if (options.speed && !(*options.speed >= 1e-3 && *options.speed <= 1e3))
        failUsage("--speed must be 0.001 to 1000", "--reverse plays backwards");
    if (options.blend && !(*options.blend >= 0.0 && *options.blend <= 1e6))
        failUsage("--blend must be 0 or more seconds");
    if (options.blend && !options.join && !options.loop)
        failUsage("--blend is the seam of --join or --loop, and neither is given");
    if (options.carry_root && !options.join) failUsage("--carry-root is for --join");
    if (options.own_lengths && options.mix.empty()) failUsage("--own-lengths is for --mix");
    if (options.join && !options.mix.empty())
        failUsage("--join and --mix both make one clip", "use one of them after the other");
    if (options.in_place && !options.root_motion.empty())
        failUsage("--in-place removes the root motion that --root-motion adds");
    if (!options.up.empty() && !options.in_place && options.root_motion.empty() && !options.loop &&
        !options.repeat && !options.carry_root)
        failUsage("--up has no effect here",
                  "it is for --in-place, --root-motion, --loop, --repeat and --carry-root");
    if (options.repeat &&
        !(*options.repeat >= 1 && static_cast<double>(*options.repeat) <= kMostRepeats))
        failUsage("--repeat must be 1 to 1000000");
    if (!options.trim.empty() && !(options.trim[0] <= options.trim[1]))
        failUsage("--trim needs the start and the end in seconds, in this order");
    for (const double weight : options.mix)
        if (!(weight >= 0.0 && weight <= 1e6)) failUsage("a weight of --mix must be 0 or more");
    if (options.out.empty() && (options.changes() || !options.names.empty()))
        failUsage("no output file was given", "--out FILE writes the clips");
    if (!options.out.empty() && isSurface(outputFormat(options.out)))
        failUsage("'" + options.out + "' can hold a mesh only, not a clip",
                  "write .glb, .gltf, .bvh, .rig.json, .keys.json or .csv");
}

void rename(Clip& clip, std::string name) {
    std::visit([&](auto& each) { each.name = std::move(name); }, clip);
}

std::vector<std::string> namesOf(const std::vector<Clip>& clips) {
    std::vector<std::string> out;
    for (const Clip& clip : clips) out.push_back(nameOf(clip));
    return out;
}

// Every clip of every file, each with a name of its own: a file's where it has none.
std::vector<Clip> takeClips(std::vector<Input>& inputs) {
    std::vector<Clip> out;
    std::vector<std::string> taken;
    for (Input& input : inputs) {
        for (std::size_t i = 0; i < input.motions.size(); ++i) {
            Clip clip = input.takeClip(i);
            const std::string own = nameOf(clip).empty() ? clipNameFrom(input.path) : nameOf(clip);
            std::string name = own;
            for (int k = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++k)
                name = fmt::format("{}-{}", own, k);
            taken.push_back(name);
            rename(clip, std::move(name));
            out.push_back(std::move(clip));
        }
    }
    return out;
}

// Those of --clip, in its order; all without it.
std::vector<Clip> chooseClips(std::vector<Clip> clips, const std::vector<std::string>& wanted) {
    if (wanted.empty()) return clips;
    const std::vector<std::string> names = namesOf(clips);
    std::vector<Clip> out;
    for (const std::string& name : wanted) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
            failUsage("there is no clip '" + name + "'", adviseNames(name, names, "clip"));
        out.push_back(clips[static_cast<std::size_t>(found - names.begin())]);
    }
    return out;
}

UpAxis upOf(const ClipVerb& options, const Input& input) {
    return options.up == "z" ? UpAxis::Z : options.up == "y" ? UpAxis::Y : upAxisOf(input);
}

// One clip as frames, cut, reversed and played at its speed.
Motion framesOf(const Clip& clip, const ClipVerb& options, Warnings& warnings) {
    if (const auto* keys = std::get_if<KeyedMotion>(&clip))
        append(samplingWarnings(*keys, options.fps.value_or(frameRateOf(clip))), warnings);
    Motion out = must(makeFrames(clip, options.fps.value_or(0.0)));
    double duration = durationOf(clip);
    if (!options.trim.empty()) {
        if (options.trim[0] > duration || options.trim[1] < 0.0)
            failUsage(fmt::format("--trim is outside the clip '{}', which lasts from 0 to {} s",
                                  out.name, shortNumber(duration)));
        duration = std::min(options.trim[1], duration) - std::max(options.trim[0], 0.0);
        out = must(trimmed(out, options.trim[0], options.trim[1]));
    }
    if (options.reverse) out = reversed(out);
    if (options.speed) {
        duration /= *options.speed;
        out = must(atSpeed(out, *options.speed));
    }
    append(cutWarnings(out, duration), warnings);
    return out;
}

// What several clips together lose at their end. No single rate keeps all of them.
void sayWhatIsCut(const Motion& motion, double duration, Warnings& warnings) {
    Warnings cut = cutWarnings(motion, duration);
    for (Diagnostic& each : cut) each.advice.clear();
    append(cut, warnings);
}

Motion joinAll(const Skeleton& skeleton, const std::vector<Motion>& motions,
               const ClipVerb& options, const Vec3& up, Warnings& warnings) {
    if (motions.size() < 2) failUsage("--join needs two clips or more");
    const JoinOptions how{
        .blend = options.blend.value_or(kUsualSeam), .carry_root = options.carry_root, .up = up};
    Motion out = motions.front();
    for (std::size_t i = 1; i < motions.size(); ++i) {
        const double duration = joinedDuration(out, motions[i], how);
        out = must(joined(skeleton, out, motions[i], how));
        sayWhatIsCut(out, duration, warnings);
    }
    return out;
}

Motion mixAll(const std::vector<Motion>& motions, const ClipVerb& options, Warnings& warnings) {
    if (motions.size() < 2) failUsage("--mix needs two clips or more");
    if (options.mix.size() != motions.size())
        failUsage(fmt::format("--mix has {} weights for {} clips: '{}'", options.mix.size(),
                              motions.size(), [&] {
                                  std::vector<std::string> names;
                                  for (const Motion& m : motions) names.push_back(m.name);
                                  return fmt::format("{}", fmt::join(names, "', '"));
                              }()));
    std::vector<MotionLayer> layers;
    for (std::size_t i = 0; i < motions.size(); ++i)
        layers.push_back({.motion = &motions[i], .weight = options.mix[i]});
    Motion out = must(blendMotions(layers, {.match_lengths = !options.own_lengths}));
    out.name = motions.front().name;
    sayWhatIsCut(out, blendedDuration(layers, !options.own_lengths), warnings);
    return out;
}

// The clip along the path of another file's first clip, in place of its own.
Motion alongPath(const Skeleton& skeleton, const Motion& motion, const Input& other,
                 const Vec3& up) {
    const Motion path = must(makeFrames(other.motions.front(), 1.0 / motion.frameTime()));
    if (path.frameCount() != motion.frameCount())
        failUsage(fmt::format("the clip has {} frames, and that of --root-motion has {}",
                              motion.frameCount(), path.frameCount()),
                  "--speed and --trim make them equally long");
    RootMotion split = splitRootMotion(skeleton, path, up);
    split.in_place = splitRootMotion(skeleton, motion, up).in_place;
    return withRootMotion(skeleton, split);
}

// What the verb was asked for, in the order that help has it.
std::vector<Clip> changed(const std::vector<Clip>& clips, const Input& first,
                          const std::optional<Input>& path, const ClipVerb& options,
                          Warnings& warnings) {
    const Skeleton& skeleton = first.skeleton;
    const Vec3 up = upVector(upOf(options, first));
    std::vector<Motion> motions;
    for (const Clip& clip : clips) motions.push_back(framesOf(clip, options, warnings));
    if (options.join) motions = {joinAll(skeleton, motions, options, up, warnings)};
    if (!options.mix.empty()) motions = {mixAll(motions, options, warnings)};
    std::vector<Clip> out;
    for (Motion& motion : motions) {
        LoopOptions seam{.up = up};
        if (options.blend) seam.blend = *options.blend;
        if (options.loop) motion = looped(skeleton, motion, seam);
        if (options.repeat)
            motion =
                must(repeated(skeleton, motion, static_cast<std::size_t>(*options.repeat), up));
        if (options.in_place) motion = splitRootMotion(skeleton, motion, up).in_place;
        if (path) motion = alongPath(skeleton, motion, *path, up);
        out.emplace_back(std::move(motion));
    }
    return out;
}

void nameClips(const ClipVerb& options, std::vector<Clip>& clips) {
    if (options.names.empty()) return;
    if (options.names.size() != clips.size())
        failUsage(fmt::format("--name is given {} times for {} clips: '{}'", options.names.size(),
                              clips.size(), fmt::join(namesOf(clips), "', '")));
    for (std::size_t i = 0; i < clips.size(); ++i) rename(clips[i], options.names[i]);
}

// A file that the verb writes, and which of the clips are in it.
struct OutputFile {
    std::string path;
    std::size_t begin = 0, count = 0;
};

// The name of a clip where it stands in a file's name.
std::string fileName(std::string name) {
    for (char& c : name)
        if (c == '/' || static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = '_';
    if (name.empty() || name.front() == '.') name.insert(0, "_");
    return name;
}

std::vector<OutputFile> outputsOf(const std::string& out, const std::vector<Clip>& clips) {
    const std::size_t mark = out.find("{}");
    if (mark == std::string::npos) {
        if (clips.size() > 1 && !outputFormat(out).several)
            failUsage(fmt::format("'{}' holds one clip, and there are {}: '{}'", out, clips.size(),
                                  fmt::join(namesOf(clips), "', '")),
                      "--clip chooses one; {} in the name of the file stands for that of the clip");
        return {{out, 0, clips.size()}};
    }
    std::vector<OutputFile> files;
    for (std::size_t i = 0; i < clips.size(); ++i) {
        std::string path = out;
        path.replace(mark, 2, fileName(nameOf(clips[i])));
        files.push_back({std::move(path), i, 1});
    }
    return files;
}

void writeFiles(const std::vector<OutputFile>& files, const std::vector<Clip>& clips,
                const Input& first, const Common& common, Warnings& warnings) {
    std::vector<std::string> paths;
    for (const OutputFile& file : files) paths.push_back(file.path);
    checkOutputs(common, paths);
    for (const OutputFile& file : files) {
        SaveContent content{
            .skeleton = first.skeleton,
            .clips = std::span(clips).subspan(file.begin, file.count),
            .name = first.rig ? std::string_view(first.rig->name) : std::string_view()};
        if (outputFormat(file.path).surfaces) {
            content.meshes = first.meshes;
            content.material_set = &first.material_set;
        }
        const Warnings lost = save(content, file.path);
        printWarnings(lost);
        append(lost, warnings);
    }
}

struct ClipFacts {
    double frames, fps, seconds;
};

ClipFacts factsOf(const Clip& clip) {
    const double rate = frameRateOf(clip), seconds = durationOf(clip);
    const auto* motion = std::get_if<Motion>(&clip);
    const double frames = motion != nullptr ? static_cast<double>(motion->frameCount())
                                            : std::floor(seconds * rate + 1e-4) + 1.0;
    return {frames, rate, seconds};
}

void printText(const std::vector<Clip>& clips) {
    std::size_t width = 4;
    for (const std::string& name : namesOf(clips)) width = std::max(width, name.size());
    std::string out =
        fmt::format("{:<{}} {:>8} {:>8} {:>10}\n", "clip", width, "frames", "fps", "seconds");
    for (const Clip& clip : clips) {
        const ClipFacts facts = factsOf(clip);
        out += fmt::format("{:<{}} {:>8} {:>8} {:>10}\n", nameOf(clip), width, facts.frames,
                           shortNumber(facts.fps), shortNumber(facts.seconds));
    }
    print(out);
}

void printJson(const ClipVerb& options, const std::vector<OutputFile>& files,
               const std::vector<Clip>& clips, const Warnings& warnings) {
    JsonWriter json = beginDocument();
    json.member("inputs", options.files).beginArray("outputs");
    for (const OutputFile& file : files) json.value(file.path);
    json.endArray().beginArray("clips");
    for (const Clip& clip : clips) {
        const ClipFacts facts = factsOf(clip);
        json.beginObject()
            .member("name", nameOf(clip))
            .member("frames", facts.frames)
            .member("fps", facts.fps)
            .member("duration", facts.seconds)
            .endObject();
    }
    print(endDocument(json.endArray().member("warnings", warnings)));
}

// Reads a file whose joints are those of the first one.
Input loadAlike(const std::string& path, const Input* first, const ClipVerb& options,
                const Common& common, Warnings& warnings) {
    Input input = load(path, options.input, common);
    printWarnings(input.warnings);
    append(input.warnings, warnings);
    if (input.motions.empty()) failUsage("'" + path + "' has no clip");
    if (first == nullptr) return input;
    if (std::optional<Diagnostic> other = findJointMismatch(first->skeleton, input.skeleton)) {
        other->location.file = path;
        other->advice =
            "clips are put together where they have the joints of '" + first->path + "'";
        fail(kUsage, *std::move(other));
    }
    return input;
}

int run(const ClipVerb& options, const Common& common) {
    checkOptions(options);
    Warnings warnings;
    std::vector<Input> inputs;
    for (const std::string& path : options.files)
        inputs.push_back(
            loadAlike(path, inputs.empty() ? nullptr : &inputs.front(), options, common, warnings));
    std::optional<Input> path;
    if (!options.root_motion.empty())
        path = loadAlike(options.root_motion, &inputs.front(), options, common, warnings);
    std::vector<Clip> clips = chooseClips(takeClips(inputs), options.clips);
    Warnings about;
    if (options.changes()) clips = changed(clips, inputs.front(), path, options, about);
    printWarnings(about);
    append(about, warnings);
    nameClips(options, clips);
    std::vector<OutputFile> files;
    if (!options.out.empty()) {
        files = outputsOf(options.out, clips);
        writeFiles(files, clips, inputs.front(), common, warnings);
    }
    if (common.json)
        printJson(options, files, clips, warnings);
    else if (options.out.empty())
        printText(clips);
    return kDone;
}

void addChanges(Tool& tool, CLI::App* verb, ClipVerb& options) {
    verb->add_option("--fps", options.fps, "Frames per second of the result")->type_name("N");
    verb->add_option("--trim", options.trim, "Only this part of each clip, in seconds")
        ->delimiter(',')
        ->expected(2)
        ->type_name("FROM,TO");
    verb->add_flag("--reverse", options.reverse, "Play each clip backwards");
    verb->add_option("--speed", options.speed, "Play each clip this many times as fast")
        ->type_name("F");
    verb->add_flag("--join", options.join, "All clips one after the other");
    verb->add_flag("--carry-root", options.carry_root,
                   "With --join: each clip goes on from where the root of the one before it is");
    verb->add_option("--mix", options.mix,
                     "The blend of all clips with these weights, as long as the weighted mean")
        ->delimiter(',')
        ->type_name("W,W,...");
    verb->add_flag("--own-lengths", options.own_lengths,
                   "With --mix: each clip keeps its speed and holds its last pose");
    verb->add_flag("--loop", options.loop,
                   "Change each clip so that its end is its beginning, without a jump");
    verb->add_option("--blend", options.blend,
                     "Seconds of the seam of --join (default 0.2) or --loop (default 0.5)")
        ->type_name("S");
    verb->add_option("--repeat", options.repeat, "Each clip this many times")->type_name("N");
    verb->add_flag("--in-place", options.in_place,
                   "Without root motion: the path over the ground is removed");
    isFile(tool, verb->add_option("--root-motion", options.root_motion,
                                  "Move along the path of the first clip of this file: the "
                                  "inverse of --in-place"));
    oneOf(tool,
          verb->add_option("--up", options.up,
                           "Which axis is up, for root motion (default: a guess from the file)"),
          {"y", "z"});
}

}  // namespace

void addClip(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<ClipVerb>(
        tool, common, "clip", "Cut, join, loop, blend and collect clips; without --out, list them",
        "  ulna clip walk.bvh run.bvh --out moves.glb\n"
        "  ulna clip moves.glb\n"
        "  ulna clip moves.glb --out clips/{}.bvh\n"
        "  ulna clip walk.bvh run.bvh --join --blend 0.3 --carry-root --out speeding-up.bvh\n"
        "  ulna clip walk.bvh --trim 0.2,1.2 --loop --repeat 4 --out long.bvh\n"
        "  ulna clip walk.bvh run.bvh --mix 0.7,0.3 --name jog --out jog.glb\n"
        "  ulna clip walk.bvh --in-place --out still.bvh\n"
        "  ulna clip still.bvh --root-motion walk.bvh --out walk-again.bvh",
        run);
    isFile(tool, verb->add_option("files", options->files,
                                  "One or several .bvh, .glb, .gltf or .rig.json files with the "
                                  "same joints")
                     ->required());
    addOutOption(tool, verb, options->out,
                 "A .glb, .gltf or .rig.json file for all clips, or a .bvh, .keys.json or .csv "
                 "file for one; {} in its name stands for the name of the clip, a file for each");
    verb->add_option("--clip", options->clips, "Only this clip; may be repeated, in any order")
        ->type_name("NAME")
        ->allow_extra_args(false);
    addChanges(tool, verb, *options);
    verb->add_option("--name", options->names,
                     "The name of the result; may be repeated, once for each clip")
        ->type_name("NAME")
        ->allow_extra_args(false);
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
