// SPDX-License-Identifier: Apache-2.0

// ulna key: a clip from keys, or fewer keys for a clip.
#include <fmt/format.h>

#include "apps/cli/draw/curve_options.h"
#include "apps/cli/input.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
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
        failUsage("--reduce takes a length above 0, in the file's units");
    if (options.fps && !(*options.fps > 0.0 && *options.fps <= 1e6))
        failUsage("--fps must be above 0 and at most 1000000");
    if (options.reduce && options.fps) failUsage("--fps is for clips made of keys");
    const std::string& how = options.curves.interpolation;
    if (options.reduce && !how.empty() && how != "linear" && how != "catmull-rom")
        failUsage("--reduce finds linear or catmull-rom keys");
    if (options.reduce && !(options.curves.ends.empty() && options.curves.outside.empty()))
        failUsage("--ends and --outside are for clips made of keys");
    if (options.out.empty() && !options.reduce) failUsage("--out says where the clip goes");
    if (!options.out.empty()) static_cast<void>(outputFormat(options.out));
}

OutputClip reduce(const KeyOptions& options, const Input& input, std::string& json,
                  Warnings& warnings) {
    const Motion& motion = input.clip(options.clip);
    if (const KeyedMotion* keys = input.keysOf(motion)) warnAboutSampling(*keys, motion, warnings);
    ReduceOptions how{.tolerance = *options.reduce};
    if (!options.curves.interpolation.empty())
        how.interpolation = keysOptions(options.curves).interpolation;
    ProgressBar progress("reducing");
    ReducedMotion reduced = must(reduceKeys(input.skeleton, motion, how, progress.callback()));
    const ReduceReport& r = reduced.report;
    const std::string joint =
        r.worst_joint == JointId::None ? "" : input.skeleton.name(r.worst_joint);
    json = fmt::format(
        "\"reduced\":{{\"tolerance\":{},\"frames\":{},\"keys\":{},\"floats\":{},"
        "\"plain_floats\":{},\"ratio\":{},\"ratio_without_end_sites\":{},\"worst\":{{\"error\":{},"
        "\"joint\":{},\"time\":{}}}}}",
        *options.reduce, r.frames, r.keys, r.floats, r.plain_floats, r.ratio(),
        r.ratioWithoutEndSites(), r.worst_error, jsonString(joint), r.worst_time);
    printNote(fmt::format(
        "{} frames are {} keys now, {} numbers: {:.1f} to 1 against 30 frames a second of ten "
        "numbers a joint ({:.1f} to 1 without End Sites); nowhere more than {:.4g} off{}",
        r.frames, r.keys, r.floats, r.ratio(), r.ratioWithoutEndSites(), r.worst_error,
        joint.empty() ? "" : fmt::format(" ({}, {:.3f} s)", joint, r.worst_time)));
    OutputClip out{{}, std::move(reduced.motion)};
    out.motion = must(makeSampled(*out.keys, motion.frameTime()));
    return out;
}

OutputClip makeClip(const KeyOptions& options, const Input& input, Warnings& warnings) {
    KeyedMotion motion = chooseKeys(input, input.clip(options.clip), options.keys, options.curves);
    const bool frames = !options.out.empty() && !holdsKeys(outputFormat(options.out));
    Warnings about;
    const double rate = frameRateOf(motion, options.keys, about);
    if (frames && !options.fps) warnings.insert(warnings.end(), about.begin(), about.end());
    Motion sampled = must(makeSampled(motion, 1.0 / options.fps.value_or(rate)));
    return {std::move(sampled), std::move(motion)};
}

int run(const KeyOptions& options, const Common& common) {
    checkOptions(options);
    const Input input = load(options.file, options.input, common);
    printWarnings(input.warnings);
    if (options.keys.empty() && input.clip(options.clip).frameCount() == 0)
        failUsage("the file has no clip", "--keys names a file to make one of");
    std::string json = "\"reduced\":null";
    Warnings about;
    OutputClip clip =
        options.reduce ? reduce(options, input, json, about) : makeClip(options, input, about);
    printWarnings(about);
    if (!options.name.empty()) clip.motion.name = clip.keys->name = options.name;
    const std::size_t keys = clip.keys->keyCount();
    const double duration = clip.keys->endTime() - clip.keys->startTime();
    Warnings warnings = input.warnings;
    warnings.insert(warnings.end(), about.begin(), about.end());
    if (!options.out.empty()) {
        const Output output{.skeleton = input.skeleton,
                            .clips = {std::move(clip)},
                            .meshes = input.meshes,
                            .material_set = input.material_set,
                            .rig_name = input.rig ? input.rig->name : std::string()};
        const Warnings lost = save(output, options.out);
        printWarnings(lost);
        warnings.insert(warnings.end(), lost.begin(), lost.end());
    }
    if (common.json)
        print(fmt::format(
            "{{\"ulna\":1,\"input\":{},\"output\":{},\"keys\":{},\"duration\":{},{},\"warnings\":"
            "{}}}\n",
            jsonString(options.file), options.out.empty() ? "null" : jsonString(options.out), keys,
            duration, json, jsonWarnings(warnings)));
    return kDone;
}

}  // namespace

void addKey(Tool& tool, Common& common) {
    auto options = std::make_shared<KeyOptions>();
    CLI::App* verb = addVerb(
        tool, common, "key", "Make a clip from keys, or find few keys for a clip",
        "  ulna key character.rig.json --keys nod.json --out nod.bvh\n"
        "  ulna key character.rig.json --keys nod.csv --interpolation linear --out nod.glb\n"
        "  ulna key walk.bvh --reduce 0.001 --out walk.glb\n"
        "  ulna key walk.bvh --reduce 0.001 --json\n"
        "  ulna key walk.glb --out walk.keys.json");
    isFile(tool, verb->add_option("file", options->file,
                                  "A .bvh, .glb, .gltf or .rig.json file: the skeleton, and the "
                                  "clip where there are no --keys")
                     ->required());
    CLI::Option* keys = isFile(
        tool, verb->add_option("--keys", options->keys, "A .json or .csv file with the keys"));
    verb->add_option("--reduce", options->reduce,
                     "Few keys, with no joint or bone tip farther off than this length")
        ->type_name("LENGTH")
        ->excludes(keys);
    addCurveOptions(tool, verb, options->curves);
    verb->add_option("--fps", options->fps,
                     "Frames per second where the output holds frames (default: the keys' own)")
        ->type_name("N");
    verb->add_option("--name", options->name, "The clip's name")->type_name("NAME");
    verb->add_option("--clip", options->clip, "Which clip, where a file has several")
        ->type_name("NAME")
        ->excludes(keys);
    isFile(tool, verb->add_option("--out,-o", options->out,
                                  "A .glb, .gltf or .keys.json file, which hold keys, or a .bvh, "
                                  ".rig.json or .csv file of frames"));
    addInputOptions(tool, verb, options->input);
    tool.runs[verb] = [options, &common] { return run(*options, common); };
}

}  // namespace ulna::cli
