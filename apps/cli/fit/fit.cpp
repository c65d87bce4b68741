// SPDX-License-Identifier: Apache-2.0

// ulna fit: the motion of a rig that reproduces a sequence of shapes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "apps/cli/fit/report.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/character/plausible.h"
#include "ulna/character/warnings.h"
#include "ulna/core/text.h"

namespace ulna::cli {
namespace {

struct FitVerb {
    std::string file, out, constraints, report, name;
    std::string method = "joint-newton", loss = "squares";
    InputOptions input;
    SurfaceOptions surface;
    TargetOptions targets;
    LimitOptions limits;
    ShapeFitOptions settings;
    bool strict = false;
};

enum class OutputKind { None, Clip, Json };

OutputKind outputKind(const std::string& path) {
    if (path.empty()) return OutputKind::None;
    const std::string lower = lowerCase(path);
    if (lower.ends_with(".json") && !lower.ends_with(".rig.json") && !lower.ends_with(".keys.json"))
        return OutputKind::Json;
    if (isSurface(outputFormat(path)))
        failUsage("'" + path + "' can hold a mesh only, not a motion",
                  "write .glb, .gltf, .bvh, .rig.json, .keys.json, .csv or .json");
    return OutputKind::Clip;
}

void checkOptions(FitVerb& options) {
    const auto sensible = [](double value, const char* name) {
        if (!(value >= 0.0 && value <= 1e100)) failUsage(std::string(name) + " must be 0 or more");
    };
    sensible(options.settings.smoothness, "--smoothness");
    sensible(options.settings.loss_scale, "--loss-scale");
    const std::optional<double>& tolerance = options.settings.tolerance;
    if (tolerance && !(*tolerance > 0.0 && *tolerance < 1.0))
        failUsage("--tolerance must be above 0 and below 1");
    if (options.settings.max_iterations && *options.settings.max_iterations < 1)
        failUsage("--max-iterations must be 1 or more");
    if (options.loss == "squares" && options.settings.loss_scale > 0.0)
        failUsage("--loss-scale is for --loss huber and geman-mcclure");
    for (const FitMethod method : {FitMethod::JointNewton, FitMethod::Alternating})
        if (options.method == fitMethodName(method)) options.settings.method = method;
    for (const FitLoss loss : {FitLoss::Squares, FitLoss::Huber, FitLoss::GemanMcClure})
        if (options.loss == fitLossName(loss)) options.settings.loss = loss;
}

// What would be lost or cannot be written is told before the work.
void checkFiles(const FitVerb& options, const Targets& targets, const Common& common) {
    namespace fs = std::filesystem;
    std::vector<std::string> written = {options.out};
    for (const char* name : kReportFiles)
        if (!options.report.empty()) written.push_back((fs::path(options.report) / name).string());
    checkOutputs(common, written, targets.files());
    std::error_code error;
    const fs::path folder = fs::path(options.out).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, error))
        fail(kFailed, {.what = "there is no such folder", .location = inFile(folder.string())});
    if (options.report.empty()) return;
    fs::create_directories(options.report, error);
    if (error)
        fail(kFailed, {.what = "the folder cannot be made: " + error.message(),
                       .location = inFile(options.report)});
}

io::FitConstraints constraintsOf(const FitVerb& options, const Skeleton& skeleton,
                                 std::size_t vertices, std::size_t frames) {
    if (options.constraints.empty()) return {};
    const auto entries = io::loadFitConstraints(options.constraints);
    if (!entries) fail(kBadInput, entries.error());
    Result<io::FitConstraints> bound = io::bindFitConstraints(*entries, skeleton, vertices, frames);
    if (!bound) fail(kBadInput, bound.error());
    return *std::move(bound);
}

void say(const Warnings& more, Warnings& all) {
    printWarnings(more);
    append(more, all);
}

std::string nameOfClip(const FitVerb& options, const Targets& targets) {
    if (!options.name.empty()) return options.name;
    const std::string own = targets.clipName();
    return own.empty() ? "fit" : own;
}

int run(const FitVerb& given, const Common& common) {
    FitVerb options = given;
    checkOptions(options);
    const OutputKind kind = outputKind(options.out);
    Input input = load(options.file, options.input, common);
    takeMesh(options.surface, options.input, common, input);
    printWarnings(input.warnings);
    const std::vector<std::size_t> chosen = chooseMeshes(input, options.surface);
    const Targets targets(options.targets, options.input);
    Warnings warnings;
    say(targets.warnings(), warnings);
    checkFiles(options, targets, common);
    if (input.skeleton.jointCount() == 0)
        failUsage("'" + options.file + "' has no skeleton, which a fit needs");
    static_cast<void>(tieMeshes(chosen, options.surface, common, input));

    const Result<std::vector<Vec3>> first = targets.read(0);
    if (!first) fail(kBadInput, first.error());
    const FitShape shape = shapeOf(input, chosen, first->size(), targets.nameOf(0));
    say(targetWarnings(shape, *first, targets.nameOf(0)), warnings);
    const IkStage stage = stageOf(input, Motion(), options.limits);
    say(stage.warnings, warnings);
    const io::FitConstraints constraints =
        constraintsOf(options, input.skeleton, first->size(), targets.frameCount());
    const ShapeFitter fitter = fitterOf(input, stage, shape, constraints, options.settings);
    const FitProblem problem{input,  stage, shape, targets, constraints, options.settings,
                             fitter, common};
    const FitRun result = solveFit(problem);
    say(result.warnings, warnings);
    warnings.insert(warnings.begin(), input.warnings.begin(), input.warnings.end());

    FitAnswer answer{problem, result, options.out, warnings};
    if (kind == OutputKind::Clip) {
        // Positions in the bind pose are often floats, so rounding is no motion.
        Motion motion = makeMotion(input.skeleton, result.poses, targets.frameTime(),
                                   kNoticeable * fitter.size());
        motion.name = nameOfClip(options, targets);
        const Clip clip = std::move(motion);
        SaveContent content{.skeleton = input.skeleton, .clips = {&clip, 1}};
        if (outputFormat(options.out).surfaces) {
            content.meshes = input.meshes;
            content.material_set = &input.material_set;
        }
        const Warnings lost = save(content, options.out);
        say(lost, answer.warnings);
    } else if (kind == OutputKind::Json) {
        writeOutput(options.out, fitJson(answer, true));
    }
    if (!options.report.empty()) writeFitReport(answer, options.report);
    print(common.json ? fitJson(answer, true) : fitText(answer));
    const auto converged = [](const FitReport& r) { return r.status == FitStatus::Converged; };
    const bool all = std::all_of(result.reports.begin(), result.reports.end(), converged);
    return options.strict && !(all && result.pins_hold) ? kGoalMissed : kDone;
}

void addFitOptions(Tool& tool, CLI::App* verb, FitVerb& options) {
    isFile(tool, verb->add_option("--constraints", options.constraints,
                                  "A .json file with constraints: joints that are pinned, driven, "
                                  "freed, locked or joined, and weights of vertices"));
    verb->add_option("--report", options.report,
                     "A folder for fit.json, error.svg (errors over time), worst.ply and worst.png "
                     "(the worst frame coloured by its errors)")
        ->type_name("FOLDER");
    isFile(tool, verb->add_option("--limits", options.limits.limits,
                                  "anatomical, none, or a .rig.json file with the limits "
                                  "(default: those of the file)"));
    verb->add_option(
            "--fps", options.targets.fps,
            "Frames per second, where targets do not say (default 30); of glTF targets, how "
            "often they are sampled")
        ->type_name("N");
    verb->add_option("--clip", options.targets.clip,
                     "Which clip to use of a glTF target with several")
        ->type_name("NAME");
    verb->add_option("--target-mesh-name", options.targets.mesh_name,
                     "Which mesh to use of a glTF target with several (default: all of them, in "
                     "their order)")
        ->type_name("NAME");
    verb->add_option("--name", options.name,
                     "The name of the clip (default: that of a glTF target, or fit)")
        ->type_name("NAME");
    oneOf(tool,
          verb->add_option(
              "--loss", options.loss,
              "How distances are penalised: squares (default), or huber and geman-mcclure, "
              "under which far vertices count less"),
          {"squares", "huber", "geman-mcclure"});
    verb->add_option(
            "--loss-scale", options.settings.loss_scale,
            "The distance beyond which vertices count less (default: from the median distance)")
        ->type_name("LENGTH");
    verb->add_option(
            "--smoothness", options.settings.smoothness,
            "How strongly a frame is held near the motion of the frames before it (default 0; "
            "0.01 leaves a walk unchanged, 0.1 suits slow motion)")
        ->type_name("S");
    verb->add_flag(
        "--missing-nan", options.settings.missing_nan,
        "Ignore vertices of a point cache whose position is not a number, instead of refusing it");
    verb->add_flag("--points", options.settings.points,
                   "Fit joints as control points: each rotates freely and no limit holds");
    oneOf(tool,
          verb->add_option("--method", options.method,
                           "joint-newton (default), or alternating, which is there for comparison "
                           "and fits joints as control points"),
          {"joint-newton", "alternating"});
    verb->add_option("--tolerance", options.settings.tolerance,
                     "Stop when a step is smaller than this, relative to the size of the shape "
                     "(default 1e-9)")
        ->type_name("F");
    verb->add_option(
            "--max-iterations", options.settings.max_iterations,
            "Largest number of iterations per frame, and per round of a robust loss or of pins")
        ->type_name("N");
    verb->add_flag("--strict", options.strict,
                   "Exit with code 4 when a frame does not converge or a pin does not hold");
}

}  // namespace

void addFit(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<FitVerb>(
        tool, common, "fit", "Find the motion of a rig that reproduces a sequence of shapes",
        "  ulna fit body.glb 'scan/frame-*.ply' --fps 60 --out motion.glb\n"
        "  ulna fit body.glb cloth.pc2 --loss geman-mcclure --report report --out motion.bvh\n"
        "  ulna fit body.glb simulated.glb --limits anatomical --out motion.bvh\n"
        "  ulna fit body.glb frame-####.obj --constraints pins.json --out motion.json\n"
        "  ulna fit walk.bvh 'frame-*.obj' --mesh body.obj --out motion.bvh",
        run);
    isFile(tool, verb->add_option("rig", options->file,
                                  "A .glb, .gltf, .bvh or .rig.json file: skeleton, mesh, weights")
                     ->required());
    isFile(tool, verb->add_option("targets", options->targets.paths,
                                  "The shapes, a frame each or several: .obj, .ply, .pc2, .glb, "
                                  ".gltf; *, ?, [a-z] and # (a digit) in quoted names find files")
                     ->required());
    addOutOption(tool, verb, options->out,
                 "The motion as .glb, .gltf, .bvh, .rig.json, .keys.json or .csv, "
                 "or .json (what --json prints)");
    addMeshOptions(tool, verb, options->surface);
    oneOf(
        tool,
        verb->add_option("--weights", options->surface.weights,
                         "Which weights bind the mesh to joints: those of the file, or new ones by "
                         "bone heat or distance (default auto: those of the file, or heat where "
                         "it has none)"),
        {"auto", "file", "heat", "distance"});
    addFitOptions(tool, verb, *options);
    addMapOption(tool, verb, options->input);
    addInputOptions(tool, verb, options->input);
}

}  // namespace ulna::cli
