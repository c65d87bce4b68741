// SPDX-License-Identifier: Apache-2.0

// ulna weights: make weights, look into them, change them, and see them as colours.
#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/arguments.h"
#include "apps/cli/draw/picture.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "apps/cli/weights/edit.h"
#include "apps/cli/weights/report.h"
#include "ulna/character/warnings.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::cli {
namespace {

struct WeightsVerb {
    std::string file, out, picture, make, joint;
    InputOptions input;
    SurfaceOptions surface;
    EditOptions edit;
    WeightOptions how;
    bool stiffness_given = false, radius_scale_given = false;
    PictureOptions seen;
};

void checkOptions(const WeightsVerb& options) {
    if (!options.out.empty() && outputFormat(options.out).format != FileFormat::Gltf)
        failUsage("'" + options.out + "' cannot hold weights", "write .glb or .gltf");
    if (!options.picture.empty() && !isPng(options.picture))
        failUsage("the picture is a PNG file; '" + options.picture + "' should end in .png");
    if (options.make == "distance" && options.stiffness_given)
        failUsage("--stiffness is an option of bone heat", "--make heat");
    if (options.make != "distance" && options.radius_scale_given)
        failUsage("--radius-scale is an option of weights by distance", "--make distance");
    if (!(options.how.stiffness >= BoneHeatOptions::kLeastStiffness &&
          options.how.stiffness <= BoneHeatOptions::kMostStiffness))
        failUsage(fmt::format("--stiffness must be from {} to {}", BoneHeatOptions::kLeastStiffness,
                              BoneHeatOptions::kMostStiffness));
    if (!(options.how.radius_scale >= 1e-3 && options.how.radius_scale <= 1e6))
        failUsage("--radius-scale must be from 0.001 to 1e6");
}

// Most programs read four influences of a vertex and no more.
void warnOfMany(const Mesh& mesh, Warnings& warnings) {
    std::size_t many = 0;
    for (std::size_t v = 0; v < mesh.weights.rowCount(); ++v)
        many += mesh.weights[v].size() > kMostMade ? 1 : 0;
    if (many > 0)
        warnings.push_back(
            {.what = fmt::format("{} vertices have more than four influences; many programs read "
                                 "only four of them",
                                 many),
             .text = mesh.name,
             .advice = "--most 4"});
}

// Weights for one mesh: made where asked for or where the file has none, then edited.
WeightsWork work(const WeightsVerb& options, const Common& common, std::size_t index,
                 Input& input) {
    Mesh& mesh = input.meshes[index];
    WeightsWork out{.mesh = index, .source = options.make};
    if (out.source.empty()) {
        out.source = mesh.weights.influences.empty() ? "heat" : "file";
        if (out.source == "heat")
            printNote(calledMesh(mesh) + " has no weights; they are made by bone heat");
    }
    if (out.source != "file") {
        WeightOptions how = options.how;
        how.most = options.edit.any() ? 0 : kMostMade;  // else pruned at the end, once
        MadeWeights made = newWeights(input, mesh, out.source, how, common);
        mesh.weights = std::move(made.weights);
        append(made.warnings, input.warnings);
        if (out.source == "heat") out.heat = std::move(made.heat);
    }
    if (out.source == "file" && options.stiffness_given)
        failUsage(calledMesh(mesh) + " has weights already; --stiffness is for new ones",
                  "--make heat");
    editWeights(options.edit, input.skeleton, mesh, out, input.warnings);
    warnOfMany(mesh, input.warnings);
    if (const Result<MeshReport> report = checkMesh(mesh)) {
        append(describeOddities(*report, mesh), input.warnings);
    }
    return out;
}

// Joints to show: the one asked for, or first all in their colours and then each that moves
// something.
std::vector<JointId> jointsToShow(const WeightsVerb& options, const Input& input,
                                  const std::vector<WeightsWork>& works) {
    if (options.joint == "all" && input.skeleton.find("all") == JointId::None)
        return {JointId::None};
    if (!options.joint.empty()) return {findJoint(input.skeleton, options.joint, "--joint")};
    std::vector<bool> moves(input.skeleton.jointCount(), false);
    for (const WeightsWork& w : works) {
        for (const Influence& i : input.meshes[w.mesh].weights.influences)
            moves[index(i.joint)] = true;
    }
    std::vector<JointId> out = {JointId::None};
    for (std::size_t j = 0; j < moves.size(); ++j) {
        if (moves[j]) out.push_back(jointId(j));
    }
    return out;
}

void drawPicture(const WeightsVerb& options, const Common& common, const Input& input,
                 const std::vector<WeightsWork>& works) {
    constexpr std::size_t kMostColumns = 8;
    const std::vector<JointId> joints = jointsToShow(options, input, works);
    std::vector<std::size_t> chosen;
    for (const WeightsWork& w : works) chosen.push_back(w.mesh);
    const std::vector<Mesh> rest = posedMeshes(input, chosen, restPose(input.skeleton), {});
    std::vector<PosedFigure> figures;
    for (const JointId joint : joints) {
        PosedFigure figure{rest,
                           joint == JointId::None ? "every joint" : input.skeleton.name(joint)};
        for (std::size_t i = 0; i < chosen.size(); ++i)
            colorByWeights(input.skeleton, input.meshes[chosen[i]].weights, joint,
                           figure.meshes[i]);
        figures.push_back(std::move(figure));
    }
    // Rows as full as they can be, so that none is nearly empty.
    const std::size_t rows = (figures.size() + kMostColumns - 1) / kMostColumns;
    const std::size_t columns = (figures.size() + rows - 1) / rows;
    const double height = figures.size() == 1 ? 640.0 : 320.0;
    const draw::ShadedOptions seen = shadedOptions(options.seen, height, input, common);
    const draw::Raster image = drawGrid(figures, columns, seen);
    draw::Legend legend;
    addWeightLegend(input, chosen, joints.front(), legend);
    if (joints.size() > 1) addWeightLegend(input, chosen, joints.back(), legend);
    writeOutput(options.picture, draw::writePng(draw::withLegend(image, legend, seen.background)));
}

void saveAll(const WeightsVerb& options, Input& input) {
    std::vector<Clip> clips;
    for (std::size_t i = 0; i < input.motions.size(); ++i) clips.push_back(input.takeClip(i));
    const Warnings lost = save({.skeleton = input.skeleton,
                                .clips = clips,
                                .meshes = input.meshes,
                                .material_set = &input.material_set},
                               options.out);
    append(lost, input.warnings);
    printWarnings(lost);
}

void printText(const WeightsVerb& options, const Input& input,
               const std::vector<WeightsWork>& works) {
    std::string report;
    for (const WeightsWork& w : works)
        report +=
            (report.empty() ? "" : "\n") + weightsText(input.skeleton, input.meshes[w.mesh], w);
    print(options.file + "\n" + report);
}

void printJson(const WeightsVerb& options, const Input& input,
               const std::vector<WeightsWork>& works) {
    JsonWriter json = beginDocument();
    json.member("input", options.file)
        .member("output", unlessEmpty(options.out))
        .member("picture", unlessEmpty(options.picture))
        .beginArray("meshes");
    for (const WeightsWork& w : works) writeWeights(input.skeleton, input.meshes[w.mesh], w, json);
    json.endArray().member("warnings", input.warnings);
    print(endDocument(json));
}

int run(const WeightsVerb& options, const Common& common) {
    checkOptions(options);
    Input input = load(options.file, options.input, common);
    takeMesh(options.surface, options.input, common, input);
    if (input.skeleton.jointCount() == 0) failUsage("'" + options.file + "' has no joints");
    const std::vector<std::size_t> chosen = chooseMeshes(input, options.surface);
    checkEdits(options.edit, input.skeleton);
    if (!options.joint.empty() && options.joint != "all")
        static_cast<void>(findJoint(input.skeleton, options.joint, "--joint"));
    if (!options.picture.empty())
        static_cast<void>(shadedOptions(options.seen, 640.0, input, common));
    std::vector<WeightsWork> works;
    for (const std::size_t i : chosen) works.push_back(work(options, common, i, input));
    printWarnings(input.warnings);

    if (!options.picture.empty()) drawPicture(options, common, input, works);
    if (!options.out.empty()) saveAll(options, input);
    if (common.json)
        printJson(options, input, works);
    else if (options.out.empty() && options.picture.empty())
        printText(options, input, works);
    return kDone;
}

}  // namespace

void addWeights(Tool& tool, Common& common) {
    auto options = std::make_shared<WeightsVerb>();
    CLI::App* verb = addVerb(
        tool, "weights", "Make, inspect, change and draw skin weights",
        "  ulna weights body.glb\n"
        "  ulna weights walk.bvh --mesh body.obj --out body.glb\n"
        "  ulna weights body.glb --make heat --picture weights.png\n"
        "  ulna weights body.glb --picture arm.png --joint LeftArm --view front\n"
        "  ulna weights body.glb --smooth 2 --most 4 --mirror left-to-right --out better.glb\n"
        "  ulna weights body.glb --paint Hips:add:0,1,0.1:0.15 --lock Spine --out better.glb");
    addFileArgument(tool, verb, options->file, "A .glb, .gltf, .bvh or .rig.json file");
    addOutOption(tool, verb, options->out,
                 "A .glb or .gltf file to write: skeleton, clips and meshes with "
                 "these weights");
    isOutput(tool,
             verb->add_option("--picture", options->picture,
                              "A .png picture to write: the weights of each joint as colours"));
    verb->add_option("--joint", options->joint,
                     "Draw this joint only; 'all' shows every joint in its own colour")
        ->type_name("JOINT")
        ->needs(verb->get_option("--picture"));
    oneOf(tool,
          verb->add_option(
              "--make", options->make,
              "Make new weights (default: those of the file, or bone heat where it has none)"),
          {"heat", "distance"});
    CLI::Option* stiffness = verb->add_option(
        "--stiffness", options->how.stiffness,
        "For bone heat: a larger value keeps weights closer to their bones (default 1)");
    stiffness->type_name("S");
    CLI::Option* scale = verb->add_option(
        "--radius-scale", options->how.radius_scale,
        "For distance: how far a bone reaches, as a multiple of its radius (default 2.5)");
    scale->type_name("S");
    addEditOptions(tool, verb, options->edit);
    addMeshOptions(tool, verb, options->surface);
    addPictureOptions(tool, verb, options->seen,
                      "Height of each row of the picture in pixels (default 320, one joint 640)");
    for (const char* other : {"--view", "--up", "--height", "--transparent"})
        verb->get_option(other)->needs(verb->get_option("--picture"));
    addInputOptions(tool, verb, options->input);
    tool.runs[verb] = [options, &common, stiffness, scale] {
        options->stiffness_given = stiffness->count() > 0;
        options->radius_scale_given = scale->count() > 0;
        return run(*options, common);
    };
}

}  // namespace ulna::cli
