// SPDX-License-Identifier: Apache-2.0

// ulna retarget: a clip of one body played by another.
#include "ulna/character/retarget.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/contacts.h"
#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "apps/cli/retarget/picture.h"
#include "apps/cli/retarget/report.h"
#include "apps/cli/save.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"

namespace ulna::cli {
namespace {

struct RetargetVerb {
    std::string file, to, to_map, out, clip, feet = "auto", limits;
    std::vector<std::string> keep = {"floor", "hands"};
    InputOptions input;
    std::optional<long long> rest_frame, to_rest_frame;
    std::optional<double> floor, to_floor;
    ContactFiles contacts;
    bool report = false;
    RetargetPictureOptions picture;
};

RetargetFeet feetOf(const std::string& word) {
    if (word == "lock") return RetargetFeet::Lock;
    return word == "keep" ? RetargetFeet::Keep : RetargetFeet::Auto;
}

RetargetKeep keepOf(const std::vector<std::string>& words) {
    const auto has = [&](const char* word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (has("none") && words.size() > 1) failUsage("--keep none goes with no other word");
    return {.floor = has("floor"), .pair = has("hands"), .body = has("body")};
}

std::optional<std::string> nameOf(const Input& input, JointId joint) {
    if (joint == JointId::None) return std::nullopt;
    return input.skeleton.name(joint);
}

void printText(const Input& target, const Motion& motion, const RetargetResult& result,
               bool contacts) {
    print(fmt::format("{} frames, {} s; path scaled by {}\n", motion.frameCount(),
                      shortNumber(motion.duration()), shortNumber(result.report.scale)));
    for (const std::string& line : reportLines(target, result.report)) print(line + '\n');
    if (!contacts) return;
    print(contactTable(result.contacts));
}

void printJson(const RetargetVerb& options, const Input& target, const RetargetResult& result,
               const Warnings& warnings) {
    const RetargetReport& r = result.report;
    JsonWriter json = beginDocument();
    json.member("input", options.file)
        .member("to", options.to)
        .member("output", unlessEmpty(options.out))
        .member("picture", unlessEmpty(options.picture.file))
        .member("clip", result.motion.name)
        .member("unit", unlessEmpty(unitSymbol(target)))
        .member("frames", result.motion.frameCount())
        .member("frame_time", result.motion.frameTime())
        .member("scale", r.scale)
        .member("floor", r.floor)
        .beginObject("limbs")
        .member("mean_degrees", degrees(r.direction_mean))
        .member("median_degrees", degrees(r.direction_median))
        .member("percentile_95_degrees", degrees(r.direction_95))
        .member("most_degrees", degrees(r.direction_most))
        .endObject()
        .beginObject("feet")
        .member("slide_mean", r.slide_mean)
        .member("slide_most", r.slide_most)
        .member("penetration", r.penetration)
        .member("floating_mean", r.floating_mean)
        .member("floating_most", r.floating_most)
        .endObject()
        .beginObject("pelvis")
        .member("height_ratio", r.pelvis_height)
        .member("path_ratio", r.pelvis_path)
        .member("lowered_frames", r.lowered)
        .endObject()
        .beginObject("limits")
        .member("frames", r.limitedFrames())
        .member("share", static_cast<double>(r.limitedFrames()) /
                             static_cast<double>(result.motion.frameCount()))
        .member("joint", nameOf(target, r.limited_joint))
        .member("joint_frames", r.limited_joint_frames)
        .endObject()
        .beginObject("fastest")
        .member("joint", nameOf(target, r.fastest_joint))
        .member("degrees_per_second", degrees(r.fastest))
        .member("source_degrees_per_second", degrees(r.fastest_source))
        .endObject();
    writeContacts(result.contacts, json);
    print(endDocument(json.member("warnings", warnings)));
}

int run(const RetargetVerb& options, const Common& common) {
    checkOptions(options.picture);
    const Input source = load(options.file, options.input, common);
    InputOptions to_input = options.input;
    to_input.map = options.to_map;
    Input target = load(options.to, to_input, common);
    Warnings warnings = source.warnings;
    append(target.warnings, warnings);
    printWarnings(warnings);
    const Motion& motion = source.clip(options.clip);
    if (motion.frameCount() == 0) failUsage("'" + options.file + "' has no clip to retarget");
    const Pose source_rest = restPoseOf(source, options.rest_frame, "--rest-frame");
    const Pose target_rest = restPoseOf(target, options.to_rest_frame, "--to-rest-frame");
    RetargetClipOptions how{.source_rest = &source_rest, .target_rest = &target_rest};
    how.retarget.feet = feetOf(options.feet);
    how.retarget.keep = keepOf(options.keep);
    how.retarget.contact.floor = options.floor;
    how.retarget.contacts = readContacts(options.contacts, motion.frameCount());
    if (how.retarget.contacts && options.floor) how.retarget.contacts->floor = *options.floor;
    how.retarget.floor = options.to_floor.value_or(0.0);
    if (options.limits == "anatomical") how.limits = LimitSource::Anatomical;
    if (options.limits == "none") how.limits = LimitSource::None;
    ProgressBar bar("retargeting");
    Result<RetargetResult> result = retargetClip(source, motion, target, how, bar.callback());
    if (!result) fail(kFailed, result.error());
    Warnings about = retargetWarnings(target.skeleton, result->report);
    printWarnings(about);
    append(about, warnings);
    if (!options.out.empty()) {
        const Clip clip = result->motion;
        SaveContent content = contentOf(target);
        content.clips = std::span(&clip, 1);
        if (!outputFormat(options.out).surfaces) content.meshes = {};
        const Warnings lost = save(content, options.out);
        printWarnings(lost);
        append(lost, warnings);
    }
    saveContacts(options.contacts, result->contacts);
    if (!options.picture.file.empty())
        writeRetargetPicture(options.picture, {source, source_rest}, motion, {target, target_rest},
                             *result, common);
    if (common.json)
        printJson(options, target, *result, warnings);
    else
        printText(target, motion, *result, options.report);
    return kDone;
}

}  // namespace

void addRetarget(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<RetargetVerb>(
        tool, common, "retarget", "Play a clip of one body on another: feet stay, limits hold",
        "  ulna retarget walk.bvh --to character.glb --out walk.glb\n"
        "  ulna retarget walk.bvh --to robot.xml --out walk.robot.csv --report\n"
        "  ulna retarget cmu.bvh --rest-frame 0 --to character.glb --limits anatomical --out "
        "out.bvh\n"
        "  ulna retarget walk.bvh --to character.glb --picture walk.png\n"
        "  ulna retarget walk.bvh --to character.glb --picture walk.webp",
        run);
    addFileArgument(tool, verb, options->file);
    isFile(
        tool,
        verb->add_option("--to", options->to, "The file of the body that is to move")->required());
    addOutOption(tool, verb, options->out, "The clip on that body");
    addClipOption(verb, options->clip);
    oneOf(tool,
          verb->add_option("--feet", options->feet,
                           "auto (default): lock, but for bodies of the same proportions; lock: "
                           "feet in contact stay where they are; keep: feet go where legs point"),
          {"auto", "lock", "keep"});
    oneOf(tool,
          verb->add_option("--keep", options->keep,
                           "What hands keep on arms of another length, by commas: floor (default), "
                           "their height near it; hands (default), where they are to each other "
                           "while they are near; body, where they are to the shoulders; none")
              ->delimiter(','),
          {"floor", "hands", "body", "none"});
    verb->add_option("--floor", options->floor,
                     "Height of the source's floor (default: found by itself)")
        ->type_name("H");
    verb->add_option("--to-floor", options->to_floor, "Height of the result's floor (default: 0)")
        ->type_name("H");
    verb->add_option("--rest-frame", options->rest_frame,
                     "Frame of the source that stands in a T-pose, where its rest pose is none")
        ->type_name("N");
    verb->add_option("--to-rest-frame", options->to_rest_frame, "The same for the other body")
        ->type_name("N");
    oneOf(tool,
          verb->add_option("--limits", options->limits,
                           "Limits of the other body: own (default), none, anatomical"),
          {"own", "none", "anatomical"});
    addContactFiles(tool, verb, options->contacts);
    verb->add_flag("--report", options->report, "Print the table of contacts");
    addRetargetPictureOptions(tool, verb, options->picture);
    addMapOption(tool, verb, options->input);
    isFile(tool, verb->add_option("--to-map", options->to_map, "The same for the other body"));
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
