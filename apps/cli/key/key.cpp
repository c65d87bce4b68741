// SPDX-License-Identifier: Apache-2.0

// ulna key: a clip from keys, or fewer keys for a clip.
#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/draw/curve_options.h"
#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/motion/reduce.h"

namespace ulna::cli {
namespace {

struct KeyOptions {
    std::string file, keys, out, clip, name;
    InputOptions input;
    CurveOptions curves;
    std::optional<double> reduce;
    std::optional<double> fps;
};

void checkOptions(const KeyOptions& options) {
    if (options.reduce && !(*options.reduce > 0.0 && *options.reduce < 1e100))
        failUsage("--reduce needs a length above 0, in the unit of the file");
    if (options.fps && !(*options.fps > 0.0 && *options.fps <= 1e6))
        failUsage("--fps must be above 0 and at most 1000000");
    if (options.reduce && options.fps) failUsage("--fps cannot be used with --reduce");
    const std::string& how = options.curves.interpolation;
    if (options.reduce && !how.empty() && how != "linear" && how != "catmull-rom")
        failUsage("--reduce makes linear or catmull-rom keys only");
    if (options.reduce && !(options.curves.ends.empty() && options.curves.outside.empty()))
        failUsage("--ends and --outside cannot be used with --reduce");
    if (options.out.empty() && !options.reduce)
        failUsage("no output file was given", "--out FILE writes the clip");
    if (!options.out.empty() && outputFormat(options.out).keys && options.fps)
        failUsage("--fps has no effect on '" + options.out + "', which holds keys",
                  "'ulna convert --fps' makes frames of a clip");
    if (options.out.empty() && !options.name.empty())
        failUsage("--name has no effect without --out");
}

// What --reduce came to, for people and for programs.
struct Reduction {
    ReduceReport report;
    std::string joint;        // with the largest error; empty where there is none
    double frame_time = 0.0;  // of the frames that were reduced
};

void writeReduction(double tolerance, const Reduction& reduction, JsonWriter& json) {
    const ReduceReport& r = reduction.report;
    json.beginObject("reduced")
        .member("tolerance", tolerance)
        .member("frames", r.frames)
        .member("keys", r.keys)
        .member("floats", r.floats)
        .member("plain_floats", r.plain_floats)
        .member("ratio", r.ratio())
        .member("ratio_without_end_sites", r.ratioWithoutEndSites())
        .beginObject("worst")
        .member("error", r.worst_error)
        .member("joint", reduction.joint)
        .member("time", r.worst_time)
        .endObject()
        .endObject();
}

// The clip as the frames that --reduce takes its keys from: up to the last key of the clip, so that
// nothing is cut.
Motion framesToReduce(const Motion& motion, const KeyedMotion* keys, Warnings& warnings) {
    if (keys == nullptr) return motion;
    const double duration = std::max(0.0, keys->endTime());
    const double own = 1.0 / motion.frameTime();
    const bool cuts = !cutWarnings(motion, duration).empty();
    const double rate = cuts ? wholeFrameRate(duration, own) : own;
    append(samplingWarnings(*keys, rate), warnings);
    return cuts ? must(makeSampled(*keys, 1.0 / rate)) : motion;
}

KeyedMotion reduce(const KeyOptions& options, const Input& input,
                   std::optional<Reduction>& reduction, Warnings& warnings) {
    const Motion& clip = input.clip(options.clip);
    const Motion motion = framesToReduce(clip, input.keysOf(clip), warnings);
    ReduceOptions how{.tolerance = *options.reduce};
    if (!options.curves.interpolation.empty())
        how.interpolation = keysOptions(options.curves).interpolation;
    ProgressBar progress("reducing");
    ReducedMotion reduced = must(reduceKeys(input.skeleton, motion, how, progress.callback()));
    const ReduceReport& r = reduced.report;
    const std::string joint =
        r.worst_joint == JointId::None ? "" : input.skeleton.name(r.worst_joint);
    reduction = {r, joint, motion.frameTime()};
    printNote(fmt::format(
        "{} frames became {} keys with {} values: {} times fewer than 30 frames per second with "
        "ten values per joint ({} times without End Sites); the largest error is {}{}",
        r.frames, r.keys, r.floats, shortDecimals(r.ratio(), 1),
        shortDecimals(r.ratioWithoutEndSites(), 1), shortNumber(r.worst_error, 4),
        joint.empty() ? "" : fmt::format(" ({}, {} s)", joint, shortDecimals(r.worst_time, 3))));
    return std::move(reduced.motion);
}

// The clip as its file will hold it: keys, or frames at the rate asked for.
Clip makeClip(const KeyOptions& options, const std::optional<Reduction>& reduction,
              KeyedMotion keys, Warnings& warnings) {
    if (outputFormat(options.out).keys) return keys;
    if (reduction) return must(makeSampled(keys, reduction->frame_time));
    // Reading the input has said the same of keys that are its own.
    if (!options.fps && !options.keys.empty())
        append(frameRateWarnings(keys, options.keys), warnings);
    Motion frames = must(makeSampled(keys, 1.0 / options.fps.value_or(frameRateOf(keys))));
    append(cutWarnings(frames, std::max(0.0, keys.endTime())), warnings);
    return frames;
}

int run(const KeyOptions& options, const Common& common) {
    checkOptions(options);
    const Input input = load(options.file, options.input, common);
    printWarnings(input.warnings);
    if (options.keys.empty() && input.clip(options.clip).frameCount() == 0)
        failUsage("the file has no clip", "--keys FILE makes a clip from keys");
    std::optional<Reduction> reduction;
    Warnings about;
    KeyedMotion motion =
        options.reduce ? reduce(options, input, reduction, about)
                       : chooseKeys(input, input.clip(options.clip), options.keys, options.curves);
    if (motion.name.empty()) motion.name = clipNameFrom(options.keys);
    if (!options.name.empty()) motion.name = options.name;
    const std::size_t keys = motion.keyCount();
    const double duration = motion.endTime() - motion.startTime();
    std::optional<Clip> clip;
    if (!options.out.empty()) clip = makeClip(options, reduction, std::move(motion), about);
    printWarnings(about);
    Warnings warnings = input.warnings;
    append(about, warnings);
    if (clip) {
        const Warnings lost =
            save({.skeleton = input.skeleton,
                  .clips = {&*clip, 1},
                  .meshes = input.meshes,
                  .material_set = &input.material_set,
                  .name = input.rig ? std::string_view(input.rig->name) : std::string_view()},
                 options.out);
        printWarnings(lost);
        append(lost, warnings);
    }
    if (common.json) {
        JsonWriter json = beginDocument();
        json.member("input", options.file)
            .member("output", unlessEmpty(options.out))
            .member("keys", keys)
            .member("duration", duration);
        if (reduction)
            writeReduction(*options.reduce, *reduction, json);
        else
            json.null("reduced");
        json.member("warnings", warnings);
        print(endDocument(json));
    }
    return kDone;
}

}  // namespace

void addKey(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<KeyOptions>(
        tool, common, "key", "Make a clip from keys, or reduce a clip to few keys",
        "  ulna key character.rig.json --keys nod.json --out nod.bvh\n"
        "  ulna key character.rig.json --keys nod.csv --interpolation linear --out nod.glb\n"
        "  ulna key walk.bvh --reduce 0.001 --out walk.glb\n"
        "  ulna key walk.bvh --reduce 0.001 --json\n"
        "  ulna key walk.glb --out walk.keys.json",
        run);
    addFileArgument(tool, verb, options->file,
                    "A .bvh, .glb, .gltf or .rig.json file: the skeleton, and the "
                    "clip where there are no --keys");
    CLI::Option* keys = isFile(
        tool, verb->add_option("--keys", options->keys, "A .json or .csv file with the keys"));
    verb->add_option(
            "--reduce", options->reduce,
            "Reduce the clip to few keys; no joint and no bone tip moves farther than this length")
        ->type_name("LENGTH")
        ->excludes(keys);
    addCurveOptions(tool, verb, options->curves);
    verb->add_option(
            "--fps", options->fps,
            "Frames per second, where the output holds frames (default: the rate of the keys)")
        ->type_name("N");
    verb->add_option("--name", options->name, "The clip's name")->type_name("NAME");
    addClipOption(verb, options->clip)->excludes(keys);
    addOutOption(tool, verb, options->out,
                 "A .glb, .gltf or .keys.json file, which hold keys, or a .bvh, "
                 ".rig.json or .csv file of frames");
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
