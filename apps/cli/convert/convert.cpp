// SPDX-License-Identifier: Apache-2.0

// ulna convert: from one format to another, with other units, axes, orders and rates when asked.
#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/io/file.h"
#include "ulna/io/gltf.h"
#include "ulna/motion/edit.h"
#include "ulna/motion/mirror.h"
#include "ulna/motion/units.h"

namespace ulna::cli {
namespace {

struct ConvertOptions {
    std::string in, out;
    InputOptions input;
    std::string clip;
    std::optional<double> fps;
    std::optional<double> scale;
    std::string order;
    std::string up;
    std::string from_up;
    std::string csv;
    std::string motion;
    double motion_fps = 30.0;
    std::string quaternion = "xyzw";
    bool header = false;
    bool root_only_positions = false;
    std::vector<double> trim;
    bool mirror = false;
};

// Options that would say nothing about this conversion are refused rather than ignored.
void checkOptions(const ConvertOptions& options, const FormatInfo& target) {
    if (options.fps && !(*options.fps > 0.0 && *options.fps <= 1e6)) {
        failUsage("--fps must be above 0 and at most 1000000");
    }
    if (options.scale && !(*options.scale > 0.0 && *options.scale < 1e12))
        failUsage("--scale must be above 0 and below 1e12");
    if (!options.from_up.empty() && options.up.empty()) failUsage("--from-up needs --up");
    if (!options.csv.empty() && target.format != FileFormat::Csv)
        failUsage("--csv is for .csv files");
    if (options.header && target.format != FileFormat::RobotCsv)
        failUsage("--header is for .robot.csv files");
    if (options.quaternion != "xyzw" && target.format != FileFormat::RobotCsv &&
        options.motion.empty())
        failUsage("--quaternion is for .robot.csv files");
    if (!(options.motion_fps > 0.0 && options.motion_fps <= 1e6))
        failUsage("--motion-fps must be above 0 and at most 1000000");
    if (options.root_only_positions && target.format != FileFormat::Bvh)
        failUsage("--root-only-positions is for .bvh files");
    if (!options.order.empty() && target.format != FileFormat::Bvh &&
        target.format != FileFormat::Rig)
        failUsage("--order is for .bvh and .rig.json files");
    if (!options.trim.empty() && !(options.trim[0] <= options.trim[1]))
        failUsage("--trim needs the start and the end in seconds, in this order");
}

// A surface alone goes where surfaces go.
void checkSurface(const ConvertOptions& options, const FormatInfo& target) {
    if (!target.surfaces)
        failUsage("'" + options.in + "' is a mesh without a skeleton; '" + options.out +
                      "' cannot hold it",
                  "write .obj, .ply, .glb or .gltf");
    if (!options.clip.empty() || options.fps || !options.trim.empty() || options.mirror)
        failUsage("'" + options.in + "' is a mesh without a skeleton: it has no clips");
}

// A BVH whose lengths alone change keeps its channels and angles to the bit.
void scaleBvh(io::BvhFile& file, double factor) {
    std::vector<bool> is_length;
    for (io::BvhJoint& joint : file.joints) {
        joint.offset *= factor;
        for (const io::BvhChannel c : joint.channels) is_length.push_back(!io::isRotation(c));
    }
    for (std::size_t i = 0; i < file.values.size(); ++i) {
        if (is_length[i % is_length.size()]) file.values[i] *= factor;
    }
}

// The rotation from the input's up axis to the one asked for, if any.
std::optional<Quat> upRotation(const Input& input, const ConvertOptions& options,
                               Warnings& warnings) {
    if (options.up.empty()) return std::nullopt;
    std::string from = options.from_up;
    const UpGuess guess = guessUp(input);
    const bool guessed = from.empty() && guess.confidence < 1.0;
    if (from.empty()) from = guess.up == UpAxis::Z ? "z" : "y";
    const bool rotates = from != options.up;
    if (guessed)
        warnings.push_back(
            {.what = fmt::format("the up axis of the input is a guess, {} with a confidence of "
                                 "{} %; the model is {}",
                                 from, shortDecimals(100.0 * guess.confidence, 0),
                                 rotates ? "rotated by 90 degrees" : "left as it is"),
             .location = inFile(options.in),
             .advice = "--from-up y or --from-up z says what it is"});
    if (!rotates) return std::nullopt;
    if (input.skeleton.planar()) failUsage("a planar skeleton has no other up axis");
    // From y up to z up is 90 degrees about x; back is -90 degrees.
    return quatAboutAxis(0, options.up == "z" ? kPi / 2.0 : -kPi / 2.0);
}

void checkTrim(const ConvertOptions& options, const Motion& motion) {
    const double end = motion.duration();
    if (options.trim[0] > end || options.trim[1] < 0.0)
        failUsage(
            fmt::format("--trim is outside the clip{}, which lasts from 0 to {} s",
                        motion.name.empty() ? "" : " '" + motion.name + "'", shortNumber(end)),
            "--clip chooses one of several");
    if (options.trim[0] < 0.0 || options.trim[1] > end * (1.0 + 1e-9))
        printNote(fmt::format(
            "--trim goes beyond the clip, which lasts from 0 to {} s; it is cut to the clip",
            shortNumber(end)));
}

// Time and sides are changed on frames.
Motion changed(const ConvertOptions& options, const Skeleton& skeleton,
               const std::optional<MirrorPairs>& pairs, Motion motion, double duration,
               Warnings& warnings) {
    const double frame_time = options.fps ? 1.0 / *options.fps : motion.frameTime();
    if (!options.trim.empty()) {
        checkTrim(options, motion);
        duration = std::min(options.trim[1], duration) - std::max(options.trim[0], 0.0);
        motion = must(trimmed(motion, options.trim[0], options.trim[1], frame_time));
    } else if (motion.frameTime() != frame_time) {
        motion = must(resampled(motion, frame_time));
    }
    append(cutWarnings(motion, duration), warnings);
    return pairs ? mirrored(skeleton, *pairs, motion) : motion;
}

// Clip `i` of the input, taken out: with its keys where the target holds keys and neither time nor
// sides change, otherwise as frames.
Clip takeClip(Input& input, std::size_t i, const ConvertOptions& options,
              const std::optional<MirrorPairs>& pairs, Warnings& warnings) {
    const bool changes = !options.trim.empty() || options.fps || options.mirror;
    if (input.keyed.empty() || changes) {
        Motion frames = std::move(input.motions[i]);
        double duration = frames.duration();
        if (!input.keyed.empty()) {
            // At the rate asked for, keys are sampled themselves.
            const KeyedMotion& keys = input.keyed[i];
            duration = std::max(0.0, keys.endTime());
            if (options.fps) frames = must(makeSampled(keys, 1.0 / *options.fps));
            append(samplingWarnings(keys, 1.0 / frames.frameTime()), warnings);
        }
        return changed(options, input.skeleton, pairs, std::move(frames), duration, warnings);
    }
    if (outputFormat(options.out).keys) return std::move(input.keyed[i]);
    append(cutWarnings(input.motions[i], input.keyed[i].endTime()), warnings);
    return std::move(input.motions[i]);
}

// The input's skeleton, clips and meshes in the units, axes and rate asked for. Takes the clips
// from the input: long ones should not be in memory twice.
Character prepare(Input& input, const ConvertOptions& options, Warnings& warnings) {
    Character out;
    out.skeleton = input.skeleton;
    const std::optional<Quat> rotation = upRotation(input, options, warnings);
    std::optional<MirrorPairs> pairs;
    if (options.mirror) {
        pairs = must(findMirrorPairs(input.skeleton));
        append(pairs->warnings, warnings);
    }
    const Motion* chosen = options.clip.empty() ? nullptr : &input.clip(options.clip);
    for (std::size_t i = 0; i < input.motions.size(); ++i) {
        if (chosen != nullptr && chosen != &input.motions[i]) continue;
        Clip clip = takeClip(input, i, options, pairs, warnings);
        std::visit(
            [&](auto& each) {
                if (options.scale) each = scaledMotion(std::move(each), *options.scale);
                if (rotation) each = rotatedMotion(out.skeleton, std::move(each), *rotation);
            },
            clip);
        out.clips.push_back(std::move(clip));
    }
    out.robot = std::move(input.robot);
    if (out.robot && options.scale) scaleLengths(*out.robot, *options.scale);
    out.meshes = std::move(input.meshes);
    out.material_set = std::move(input.material_set);
    for (Mesh& mesh : out.meshes) {
        if (options.scale) mesh = scaledMesh(std::move(mesh), *options.scale);
        if (rotation) mesh = rotatedMesh(std::move(mesh), *rotation);
    }
    if (options.scale) out.skeleton = must(scaledSkeleton(out.skeleton, *options.scale));
    if (rotation) out.skeleton = rotatedSkeleton(out.skeleton, *rotation);
    return out;
}

// Whether the file's own values can be kept, whatever happens to the lengths.
bool keepsValues(const ConvertOptions& options) {
    return options.order.empty() && !options.fps && options.trim.empty() && !options.mirror;
}

// A BVH whose lengths alone change, if anything does, is written as it was read.
bool saveAsRead(Input& input, const ConvertOptions& options) {
    if (!input.bvh || !keepsValues(options) || !options.up.empty() || options.root_only_positions ||
        options.input.position_channels != "replace")
        return false;
    ProgressBar progress("converting");
    if (options.scale) scaleBvh(*input.bvh, *options.scale);
    must(io::saveBvh(*input.bvh, options.out, progress.callback()));
    return true;
}

// The same joints with another rotation order. Limits on angles belong to the order they were
// stated in, so they are dropped where it changes.
Skeleton reordered(const Skeleton& skeleton, EulerOrder order, Warnings& warnings) {
    WarningCollector dropped;
    std::vector<JointDef> joints(skeleton.definitions().begin(), skeleton.definitions().end());
    for (JointDef& joint : joints) {
        const bool ball =
            joint.kind == JointKind::Ball || (joint.kind == JointKind::Free && !skeleton.planar());
        if (!ball || (joint.order == order && joint.coordinates == BallCoordinates::Euler))
            continue;
        joint.order = order;
        joint.coordinates = BallCoordinates::Euler;
        bool bounded = false;
        for (std::size_t i = joint.kind == JointKind::Free ? 3 : 0;
             i < dofCountOf(joint.kind, false); ++i) {
            bounded = bounded || joint.limits[i].bounded();
            joint.limits[i] = {};
        }
        if (bounded && dropped.isFirst("limits")) {
            dropped.keep({.what = "limits on angles are dropped where the rotation order changes",
                          .text = joint.name});
        }
    }
    append(dropped.take(), warnings);
    return must(makeSkeleton(std::move(joints), {.planar = skeleton.planar()}));
}

// A rig's own clips, value by value: only lengths change with the scale, and a rotated model has
// the same degrees of freedom.
std::vector<DofClip> ownClips(const Input& input, const ConvertOptions& options) {
    std::vector<DofClip> out;
    for (const DofClip& clip : input.rig->clips) {
        if (!options.clip.empty() && clip.name != options.clip) continue;
        out.push_back(clip);
        for (DofVector& frame : out.back().frames) {
            for (std::size_t d = 0; options.scale && d < frame.size(); ++d) {
                if (!input.skeleton.isAngle(d)) frame[d] *= *options.scale;
            }
        }
    }
    return out;
}

Warnings saveRig(Input& input, const ConvertOptions& options) {
    Warnings warnings;
    if (input.rig && keepsValues(options)) {
        io::RigFile rig{input.rig->name, {}, ownClips(input, options)};
        rig.skeleton = prepare(input, options, warnings).skeleton;
        must(io::saveRig(rig, options.out));
        return warnings;
    }
    Character output = prepare(input, options, warnings);
    if (!options.order.empty())
        output.skeleton = reordered(output.skeleton, *eulerOrderFromName(options.order), warnings);
    SaveContent content = contentOf(output);
    if (input.rig) content.name = input.rig->name;
    append(save(content, options.out), warnings);
    return warnings;
}

Warnings saveAny(Input& input, const ConvertOptions& options) {
    Warnings warnings;
    const Character output = prepare(input, options, warnings);
    input.bvh.reset();
    SaveOptions how;
    how.root_only_positions = options.root_only_positions;
    if (!options.order.empty()) how.order = eulerOrderFromName(options.order);
    how.robot_csv = {.header = options.header, .w_first = options.quaternion == "wxyz"};
    how.csv = options.csv == "rotations" ? io::CsvContent::Rotations
              : options.csv == "dofs"    ? io::CsvContent::Dofs
                                         : io::CsvContent::Positions;
    append(save(contentOf(output), options.out, how), warnings);
    return warnings;
}

// A BVH whose poses stay as they are goes to glTF frame by frame, however long it is.
std::optional<Warnings> saveStreamed(const ConvertOptions& options) {
    if (formatOf(options.in).format != FileFormat::Bvh ||
        outputFormat(options.out).format != FileFormat::Gltf || !keepsValues(options) ||
        !options.up.empty() || !options.clip.empty())
        return std::nullopt;
    io::BvhFrames frames = streamBvhFile(options.in, options.input);
    printWarnings(frames.warnings);
    frames.clip.name = clipNameFrom(options.in);
    if (options.scale) {
        frames.skeleton = must(scaledSkeleton(frames.skeleton, *options.scale));
        for (Trs& t : frames.clip.base.parent_from_joint) t.translation *= *options.scale;
        frames.clip.at = [at = frames.clip.at, factor = *options.scale](std::size_t frame,
                                                                        JointId j) {
            Trs out = at(frame, j);
            out.translation *= factor;
            return out;
        };
    }
    ProgressBar progress("converting");
    const std::size_t clips = frames.clip.frame_count > 0 ? 1 : 0;
    const Warnings lost =
        must(io::saveGltf({.skeleton = frames.skeleton, .frames = {&frames.clip, clips}},
                          options.out, {}, progress.callback()));
    printWarnings(lost);
    append(lost, frames.warnings);
    return frames.warnings;
}

// The table of --motion as the input's only clip.
void takeMotion(const ConvertOptions& options, Input& input) {
    if (input.skeleton.jointCount() == 0) failUsage("--motion needs a skeleton");
    const Result<io::FileBytes> bytes = io::readFile(options.motion);
    if (!bytes) fail(kBadInput, bytes.error());
    const io::RobotTable table =
        input.robot ? io::tableOf(*input.robot) : io::tableOf(input.skeleton);
    Result<Motion> motion =
        io::readRobotCsv(bytes->view(), options.motion, input.skeleton, table,
                         1.0 / options.motion_fps, {.w_first = options.quaternion == "wxyz"});
    if (!motion) fail(kBadInput, motion.error());
    motion->name = clipNameFrom(options.motion);
    input.keyed.clear();
    input.motions.assign(1, *std::move(motion));
    input.bvh.reset();  // what the file says of its own clips
    input.rig.reset();
}

void printJson(const ConvertOptions& options, const Warnings& warnings) {
    JsonWriter json = beginDocument();
    json.member("input", options.in).member("output", options.out).member("warnings", warnings);
    print(endDocument(json));
}

int run(const ConvertOptions& options, const Common& common) {
    const FormatInfo& target = outputFormat(options.out);
    checkOptions(options, target);
    if (const std::optional<Warnings> streamed =
            options.motion.empty() ? saveStreamed(options) : std::nullopt) {
        if (common.json) printJson(options, *streamed);
        return kDone;
    }
    if (isSurface(formatOf(options.in))) checkSurface(options, target);
    Input input = load(options.in, options.input, common);
    if (!options.motion.empty()) takeMotion(options, input);
    if (!options.clip.empty())
        static_cast<void>(input.clip(options.clip));  // fails when it is not there
    printWarnings(input.warnings);
    Warnings warnings;
    if (target.format == FileFormat::Rig)
        warnings = saveRig(input, options);
    else if (target.format != FileFormat::Bvh || !saveAsRead(input, options))
        warnings = saveAny(input, options);
    printWarnings(warnings);
    if (common.json) {
        Warnings all = input.warnings;
        append(warnings, all);
        printJson(options, all);
    }
    return kDone;
}

}  // namespace

void addConvert(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<ConvertOptions>(
        tool, common, "convert", "Convert between formats, units, axes, rotation orders and rates",
        "  ulna convert walk.bvh walk.rig.json\n"
        "  ulna convert walk.bvh walk.csv\n"
        "  ulna convert walk.bvh metres.bvh --scale 0.01\n"
        "  ulna convert walk.bvh blender.bvh --up z --order xyz --fps 60\n"
        "  ulna convert g1.xml walk.glb --motion walk.robot.csv",
        run);
    isFile(tool, verb->add_option("in", options->in,
                                  "A .bvh, .glb, .gltf, .rig.json, .urdf, .xml, .obj or .ply file")
                     ->required());
    isOutput(tool,
             verb->add_option("out", options->out,
                              "A .bvh, .glb, .gltf, .rig.json, .obj, .ply, .csv, .robot.csv, .npz "
                              "or .keys.json file to write")
                 ->required());
    verb->add_option("--fps", options->fps,
                     "Frames per second of the result; rotations are interpolated spherically")
        ->type_name("N");
    verb->add_option("--scale", options->scale, "Multiply every length by this factor")
        ->type_name("F");
    std::vector<std::string> orders;
    for (const EulerOrder order : kAllEulerOrders) orders.emplace_back(eulerOrderName(order));
    oneOf(tool, verb->add_option("--order", options->order, "Rotation order of every joint"),
          orders);
    oneOf(tool, verb->add_option("--up", options->up, "Up axis of the result"), {"y", "z"});
    oneOf(tool,
          verb->add_option("--from-up", options->from_up,
                           "Up axis of the input, where the guess is wrong"),
          {"y", "z"});
    oneOf(tool,
          verb->add_option(
              "--csv", options->csv,
              "What a CSV holds: model positions (default), quaternions, or degrees of freedom"),
          {"positions", "rotations", "dofs"});
    isFile(tool,
           verb->add_option("--motion", options->motion,
                            "A .robot.csv file whose rows are the clip: base and joint angles"));
    verb->add_option("--motion-fps", options->motion_fps,
                     "Frames per second of --motion (default 30)")
        ->type_name("N");
    oneOf(tool,
          verb->add_option("--quaternion", options->quaternion,
                           "The order of quaternions in .robot.csv files (default xyzw)"),
          {"xyzw", "wxyz"});
    verb->add_flag("--header", options->header, "A first row of names in a .robot.csv file");
    verb->add_option("--trim", options->trim, "Only this part of each clip, in seconds")
        ->delimiter(',')
        ->expected(2)
        ->type_name("FROM,TO");
    verb->add_flag("--mirror", options->mirror, "Left and right exchanged, by the joints' names");
    verb->add_flag("--root-only-positions", options->root_only_positions,
                   "BVH position channels on the roots alone");
    addClipOption(verb, options->clip);
    addInputOptions(tool, verb, options->input);
    options->input.surfaces = true;
}

}  // namespace ulna::cli
