// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/surface.h"

#include <fmt/format.h>

#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/core/text.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/check_mesh.h"
#include "ulna/skin/distance_weights.h"

namespace ulna::cli {
namespace {

std::string calledMesh(const Mesh& mesh) {
    return mesh.name.empty() ? "the mesh" : "mesh '" + mesh.name + "'";
}

}  // namespace

void addMeshOptions(Tool& tool, CLI::App* verb, SurfaceOptions& options) {
    isFile(tool, verb->add_option("--mesh", options.mesh,
                                  "A .obj, .ply, .glb or .gltf file with the surface, in the "
                                  "skeleton's rest pose, where the file has none"));
    verb->add_option("--mesh-name", options.mesh_name, "Which mesh, where there are several")
        ->type_name("NAME");
}

void addSurfaceOptions(Tool& tool, CLI::App* verb, SurfaceOptions& options) {
    addMeshOptions(tool, verb, options);
    oneOf(tool,
          verb->add_option("--weights", options.weights,
                           "What ties meshes to joints: the file's weights, or made by bone heat "
                           "or distance (default auto: the file's, heat where it has none)"),
          {"auto", "file", "heat", "distance"});
    oneOf(tool,
          verb->add_option("--blend", options.blend,
                           "How the motions of joints are mixed (default linear)"),
          {"linear", "dual-quaternion"});
}

void takeMesh(const SurfaceOptions& options, const InputOptions& reading, const Common& common,
              Input& input) {
    if (options.mesh.empty()) return;
    InputOptions how = reading;
    how.surfaces = true;
    Input other = load(options.mesh, how, common);
    if (other.meshes.empty()) failUsage("'" + options.mesh + "' has no mesh");
    input.warnings.insert(input.warnings.end(), other.warnings.begin(), other.warnings.end());
    if (other.skeleton.jointCount() > 0) {
        const ModelPose rest = computeModelPose(other.skeleton, restPose(other.skeleton));
        for (Mesh& mesh : other.meshes) mesh = posedMesh(other.skeleton, mesh, rest);
    }
    input.meshes = std::move(other.meshes);
}

std::vector<std::size_t> chooseMeshes(const Input& input, const SurfaceOptions& options) {
    const std::string& path = options.mesh.empty() ? input.path : options.mesh;
    if (input.meshes.empty()) failUsage("'" + path + "' has no mesh", "--mesh FILE gives one");
    std::vector<std::size_t> out;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < input.meshes.size(); ++i) {
        names.push_back(input.meshes[i].name);
        if (options.mesh_name.empty() || input.meshes[i].name == options.mesh_name)
            out.push_back(i);
    }
    if (out.empty()) {
        std::string advice = suggestNames(options.mesh_name, names);
        if (advice.empty())
            advice =
                names.front().empty() ? "its mesh has no name" : "there is '" + names.front() + "'";
        failUsage("'" + path + "' has no mesh '" + options.mesh_name + "'", advice);
    }
    for (const std::size_t i : out) {
        if (const Result<MeshReport> report = checkMesh(input.meshes[i]); !report) {
            Diagnostic wrong = report.error();
            if (wrong.place.file.empty()) wrong.place.file = path;
            fail(kBadInput, wrong);
        }
    }
    return out;
}

MadeWeights makeWeights(const Input& input, const Mesh& mesh, std::string_view how,
                        const MakeOptions& options, const Common& common) {
    if (input.skeleton.jointCount() == 0)
        failUsage("'" + input.path + "' has no skeleton to make weights for");
    if (how == "distance")
        return {makeDistanceWeights(input.skeleton, mesh, {.radius_scale = options.radius_scale})};
    ProgressBar progress("weights");
    BoneHeat made = must(makeBoneHeatWeights(input.skeleton, mesh,
                                             {.stiffness = options.stiffness,
                                              .most = options.most,
                                              .threads = common.threads,
                                              .progress = progress.callback()}));
    return {std::move(made.weights), std::move(made.report)};
}

std::vector<std::string> tie(const std::vector<std::size_t>& chosen, const SurfaceOptions& options,
                             const Common& common, Input& input) {
    std::vector<std::string> out;
    for (const std::size_t i : chosen) {
        Mesh& mesh = input.meshes[i];
        const bool has = !mesh.weights.influences.empty();
        std::string how = options.weights;
        if (how == "file" && !has)
            failUsage(calledMesh(mesh) + " has no weights", "--weights heat makes them");
        if (how == "auto") how = has ? "file" : "heat";
        if (input.skeleton.jointCount() == 0) how = "none";
        if (how == "heat" || how == "distance") {
            if (options.weights == "auto")
                printNote(calledMesh(mesh) + " has no weights; they are made by bone heat");
            mesh.weights = makeWeights(input, mesh, how, {}, common).weights;
        }
        out.push_back(how);
    }
    return out;
}

DeformOptions deformOptions(const SurfaceOptions& options, const Common& common) {
    return {.blend = options.blend == "linear" ? SkinBlend::Linear : SkinBlend::DualQuaternion,
            .threads = common.threads};
}

std::vector<Mesh> posedMeshes(const Input& input, const std::vector<std::size_t>& chosen,
                              const Pose& pose, const DeformOptions& options) {
    const ModelPose model = computeModelPose(input.skeleton, pose);
    std::vector<Mesh> out;
    for (const std::size_t i : chosen)
        out.push_back(posedMesh(input.skeleton, input.meshes[i], model, options));
    return out;
}

}  // namespace ulna::cli
