// SPDX-License-Identifier: Apache-2.0

// ulna pose: a body that moves as points of one do.
#include <fmt/format.h>

#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/character/points.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/io/file.h"
#include "ulna/io/point_map.h"

namespace ulna::cli {
namespace {

struct PoseVerb {
    std::string file, to, out, points, map, confidences, up, lengths = "keep", feet = "auto",
                                                             limits = "auto";
    InputOptions input;
    std::optional<double> fps, scale, floor;
    std::optional<long long> rest_frame;
    bool raw = false;
};

// The points and what they are, or the end of the verb with exit code 3.
struct Points {
    io::PointFile file;
    PointLayout layout;
};

template <class T>
T orBadInput(Result<T> result) {
    if (!result) fail(kBadInput, result.error());
    return *std::move(result);
}

Points readPoints(const PoseVerb& options, const Skeleton& skeleton) {
    Points out{.file = orBadInput(io::loadPoints(options.file)), .layout = {}};
    PointClip& clip = out.file.clip;
    if (!options.confidences.empty()) {
        const io::FileBytes bytes = orBadInput(io::readFile(options.confidences));
        if (Status ok = io::readConfidences(bytes.view(), options.confidences, clip); !ok)
            fail(kBadInput, ok.error());
    }
    if (options.map.empty()) {
        Result<PointLayout> layout = choosePointLayout(clip, skeleton, options.points);
        if (!layout) failUsage(layout.error().what, layout.error().advice);
        out.layout = *std::move(layout);
    } else {
        const io::PointMap map = orBadInput(io::loadPointMap(options.map));
        clip = orBadInput(io::mappedPoints(map, clip));
        out.layout = map.layout;
    }
    if (options.fps) {
        if (!(*options.fps >= 1e-3 && *options.fps <= 1e6))
            failUsage("--fps is a number of frames per second");
        clip.frame_time = 1.0 / *options.fps;
    } else if (!out.file.timed && clip.frameCount() > 1) {
        out.file.warnings.push_back({.what = "the file does not say how many frames a second has; "
                                             "30 are assumed",
                                     .advice = "--fps says otherwise"});
    }
    if (clip.name.empty()) clip.name = clipNameFrom(options.file);
    return out;
}

Pose restOf(const Input& body, std::optional<long long> frame) {
    if (!frame) return restPose(body.skeleton);
    if (body.motions.empty())
        failUsage("--rest-frame names a frame, and '" + body.path + "' has no motion");
    FrameOptions chosen;
    chosen.frame = frame;
    const Motion& motion = body.motions.front();
    return poseAt(body, motion, chooseMoments(body, motion, chosen).front());
}

PosePointsOptions optionsOf(const PoseVerb& verb, const Common& common, const Pose& rest) {
    PosePointsOptions out{.rest = &rest};
    out.points.lengths = verb.lengths == "fit" ? PointLengths::Fit : PointLengths::Keep;
    out.points.up = pointUpFromName(verb.up);
    out.points.scale = verb.scale;
    out.points.smooth = !verb.raw;
    out.points.threads = common.threads;
    out.points.retarget.floor = verb.floor.value_or(0.0);
    if (verb.feet != "auto")
        out.points.retarget.feet = verb.feet == "lock" ? RetargetFeet::Lock : RetargetFeet::Keep;
    if (verb.limits == "own") out.limits = LimitSource::Own;
    if (verb.limits == "none") out.limits = LimitSource::None;
    if (verb.limits == "anatomical") out.limits = LimitSource::Anatomical;
    if (verb.scale && !(*verb.scale > 0.0)) failUsage("--scale is a number above 0");
    return out;
}

void printText(const PosedCharacter& posed, const PointLayout& layout) {
    const PointReport& r = posed.result.report;
    const Motion& motion = posed.result.motion;
    print(fmt::format("{} frames, {} s of {} points ({})\n", motion.frameCount(),
                      shortNumber(motion.duration()), r.points.size(), layout.name));
    print(fmt::format("points scaled by {}, {} up; noise {}\n", shortNumber(r.scale),
                      pointUpName(r.up), shortNumber(r.noise, 3)));
    print(fmt::format("{} positions missing and {} left out, in {} frames\n", r.missing, r.outliers,
                      r.incomplete_frames));
    print(fmt::format("\n{:<24} {:>10} {:>10} {:>10}\n", "error of", "mean", "median", "most"));
    const auto row = [](const PointError& each) {
        print(fmt::format("{:<24} {:>10} {:>10} {:>10}\n", each.name, shortNumber(each.mean, 4),
                          shortNumber(each.median, 4), shortNumber(each.most, 4)));
    };
    for (const PointError& each : r.points) row(each);
    row(r.all);
    if (!r.retarget) return;
    print(fmt::format(
        "\non the body itself: scaled by {}; soles in contact move {:.4g} per second "
        "on average, {:.4g} at most\n",
        shortNumber(r.retarget->scale), r.retarget->slide_mean, r.retarget->slide_most));
}

void putError(const PointError& each, JsonWriter& json) {
    json.member("frames", each.frames)
        .member("mean", each.mean)
        .member("median", each.median)
        .member("most", each.most)
        .endObject();
}

void printJson(const PoseVerb& options, const PointLayout& layout, const PosedCharacter& posed,
               const Warnings& warnings) {
    const PointReport& r = posed.result.report;
    const Motion& motion = posed.result.motion;
    JsonWriter json = beginDocument();
    json.member("input", options.file)
        .member("to", options.to)
        .member("output", unlessEmpty(options.out))
        .member("layout", layout.name)
        .member("frames", motion.frameCount())
        .member("frame_time", motion.frameTime())
        .member("scale", r.scale)
        .member("up", pointUpName(r.up))
        .member("mirrored", r.mirrored)
        .member("limits", posed.anatomical ? "anatomical" : "own")
        .member("noise", r.noise)
        .member("missing", r.missing)
        .member("outliers", r.outliers)
        .member("incomplete_frames", r.incomplete_frames)
        .beginArray("points");
    for (const PointError& each : r.points)
        putError(each, json.beginObject().member("point", each.name));
    putError(r.all, json.endArray().beginObject("all"));
    json.beginArray("lengths");
    for (const PointLength& each : r.lengths) {
        json.beginObject()
            .member("joint", posed.skeleton.name(each.joint))
            .member("ratio", each.ratio)
            .endObject();
    }
    json.endArray();
    if (r.retarget) {
        json.beginObject("retarget")
            .member("scale", r.retarget->scale)
            .member("slide_mean", r.retarget->slide_mean)
            .member("slide_most", r.retarget->slide_most)
            .member("penetration", r.retarget->penetration)
            .endObject();
    } else {
        json.null("retarget");
    }
    print(endDocument(json.member("warnings", warnings)));
}

int run(const PoseVerb& options, const Common& common) {
    const Input body = load(options.to, options.input, common);
    const Points points = readPoints(options, body.skeleton);
    Warnings warnings = body.warnings;
    append(points.file.warnings, warnings);
    printWarnings(warnings);
    const Pose rest = restOf(body, options.rest_frame);
    ProgressBar bar("posing");
    const Result<PosedCharacter> posed = posePoints(
        body, points.file, points.layout, optionsOf(options, common, rest), bar.callback());
    if (!posed) fail(kBadInput, posed.error());
    printWarnings(posed->result.warnings);
    append(posed->result.warnings, warnings);
    if (!options.out.empty()) {
        const Clip clip = posed->result.motion;
        SaveContent content{
            .skeleton = posed->skeleton,
            .clips = std::span(&clip, 1),
            .name = body.rig ? std::string_view(body.rig->name) : std::string_view(),
            .robot = body.robot ? &*body.robot : nullptr};
        if (outputFormat(options.out).surfaces && options.lengths == "keep") {
            content.meshes = body.meshes;
            content.material_set = &body.material_set;
        }
        const Warnings lost = save(content, options.out);
        printWarnings(lost);
        append(lost, warnings);
    }
    if (common.json)
        printJson(options, points.layout, *posed, warnings);
    else
        printText(*posed, points.layout);
    return kDone;
}

}  // namespace

void addPose(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<PoseVerb>(
        tool, common, "pose", "Make a body move as points do, of a video, of markers or of a model",
        "  ulna pose video.npy --points mediapipe-33 --to character.glb --out dance.glb\n"
        "  ulna pose joints.csv --to walk.bvh --lengths fit --out person.bvh\n"
        "  ulna pose trial.c3d --map lab.points.json --to character.glb --out trial.glb",
        run);
    addFileArgument(tool, verb, options->file, "A .npy, .csv, .json or .c3d file of points");
    isFile(
        tool,
        verb->add_option("--to", options->to, "The file of the body that is to move")->required());
    addOutOption(tool, verb, options->out, "The clip on that body");
    const auto names = pointPresetNames();
    CLI::Option* preset =
        oneOf(tool,
              verb->add_option("--points", options->points,
                               "What the points are (default: by names or number)"),
              {names.begin(), names.end()});
    CLI::Option* map = isFile(
        tool, verb->add_option("--map", options->map, "A .points.json file that says it instead"));
    excludeEachOther({preset, map});
    isFile(tool, verb->add_option("--confidences", options->confidences,
                                  "A .npy file of frames x points, 0 to 1"));
    verb->add_option("--fps", options->fps,
                     "Frames per second (default: the file's, or 30 where it says nothing)")
        ->type_name("F");
    oneOf(tool,
          verb->add_option("--lengths", options->lengths,
                           "keep (default): the body's own proportions, feet that stand; fit: "
                           "bones as long as those of the points"),
          {"keep", "fit"});
    oneOf(tool,
          verb->add_option("--up", options->up,
                           "The axis of the points that is up "
                           "(default: guessed)"),
          {"x", "-x", "y", "-y", "z", "-z"});
    verb->add_option("--scale", options->scale,
                     "Units of the body per unit of the points (default: guessed)")
        ->type_name("S");
    oneOf(tool,
          verb->add_option("--limits", options->limits,
                           "Limits of the body: auto (default: its own, or anatomical), own, none, "
                           "anatomical"),
          {"auto", "own", "none", "anatomical"});
    oneOf(tool,
          verb->add_option("--feet", options->feet,
                           "With --lengths keep, as for retarget: auto (default), lock, keep"),
          {"auto", "lock", "keep"});
    verb->add_option("--floor", options->floor, "Height of the result's floor (default: 0)")
        ->type_name("H");
    verb->add_option("--rest-frame", options->rest_frame,
                     "Frame of the body that stands in a T-pose, where its rest pose is none")
        ->type_name("N");
    verb->add_flag("--raw", options->raw, "Do not smooth, whatever the noise");
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
