// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/character/plausible.h"
#include "ulna/character/warnings.h"
#include "ulna/core/number_text.h"
#include "ulna/core/text.h"
#include "ulna/motion/units.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::cli {
namespace {

// Moves the rest pose to where the skeleton is inside a mesh of another file, which is then bound
// at rest: so both are in one frame, also in what is written.
void restInside(std::size_t index, Input& input) {
    const Mesh& mesh = input.meshes[index];
    if (input.skeleton.jointCount() == 0 || findFault(mesh)) return;  // chooseMeshes says so
    const UpAxis up = upAxisOf(input);
    const Result<SurfaceFit> fit = fitToSurface(input.skeleton, mesh, {.up = up});
    if (!fit) {
        input.warnings.push_back(fit.error());
        return;
    }
    if (fit->how == FittingPose::Rest) return;
    // Meshes before this one have the skeleton inside where it was.
    for (std::size_t i = 0; i < index; ++i)
        if (input.meshes[i].joint_from_bind.empty())
            bindMesh(input.skeleton, restPose(input.skeleton), input.meshes[i]);
    input.skeleton = must(movedSkeleton(input.skeleton, upVector(up) * fit->rise));
    printNote(fmt::format("the rest pose is {} by {}, to the height of {}",
                          fit->rise > 0.0 ? "raised" : "lowered",
                          shortNumber(std::abs(fit->rise), 4), calledMesh(mesh)));
}

}  // namespace

std::string calledMesh(const Mesh& mesh) {
    return mesh.name.empty() ? "the mesh" : "mesh '" + mesh.name + "'";
}

void addMeshOptions(Tool& tool, CLI::App* verb, SurfaceOptions& options) {
    isFile(tool, verb->add_option("--mesh", options.mesh,
                                  "A .obj, .ply, .glb or .gltf file with the mesh, in the "
                                  "skeleton's rest pose, instead of the mesh of the file"));
    verb->add_option("--mesh-name", options.mesh_name, "Which mesh to use, where there are several")
        ->type_name("NAME");
}

void addSurfaceOptions(Tool& tool, CLI::App* verb, SurfaceOptions& options) {
    addMeshOptions(tool, verb, options);
    oneOf(tool,
          verb->add_option("--weights", options.weights,
                           "Which weights bind meshes to joints: those of the file, or new ones by "
                           "bone heat or distance (default auto: those of the file, or heat where "
                           "it has none)"),
          {"auto", "file", "heat", "distance"});
    oneOf(tool,
          verb->add_option("--blend", options.blend,
                           "How the transforms of several joints are blended (default linear)"),
          {"linear", "dual-quaternion"});
    oneOf(tool,
          verb->add_option("--twist", options.twist,
                           "Where arms and legs of a human body twist: at a joint, as the weights "
                           "say, or evenly over the limb (default joint)"),
          {"joint", "limb"});
}

void takeMesh(const SurfaceOptions& options, const InputOptions& reading, const Common& common,
              Input& input) {
    if (options.mesh.empty()) return;
    InputOptions how = reading;
    how.surfaces = true;
    Input other = load(options.mesh, how, common);
    if (other.meshes.empty()) failUsage("'" + options.mesh + "' has no mesh");
    append(other.warnings, input.warnings);
    if (other.skeleton.jointCount() > 0) {
        const ModelPose rest = computeModelPose(other.skeleton, restPose(other.skeleton));
        for (Mesh& mesh : other.meshes) mesh = posedMesh(other.skeleton, mesh, rest);
    }
    input.meshes = std::move(other.meshes);
    input.material_set = std::move(other.material_set);
    for (std::size_t i = 0; i < input.meshes.size(); ++i) {
        append(unitWarnings(input.skeleton, input.meshes[i], options.mesh), input.warnings);
        restInside(i, input);
    }
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
        failUsage("'" + path + "' has no mesh '" + options.mesh_name + "'",
                  adviseNames(options.mesh_name, names, "mesh"));
    }
    for (const std::size_t i : out) {
        if (const Result<MeshReport> report = checkMesh(input.meshes[i]); !report) {
            Diagnostic wrong = report.error();
            if (wrong.location.file.empty()) wrong.location.file = path;
            fail(kBadInput, wrong);
        }
    }
    return out;
}

MadeWeights newWeights(const Input& input, const Mesh& mesh, std::string_view how,
                       WeightOptions options, const Common& common) {
    if (input.skeleton.jointCount() == 0)
        failUsage("'" + input.path + "' has no skeleton, which weights need");
    ProgressBar progress("weights");
    options.method = how == "distance" ? WeightMethod::Distance : WeightMethod::Heat;
    options.threads = common.threads;
    options.progress = progress.callback();
    return must(makeWeights(input.skeleton, mesh, options));
}

std::vector<std::string> tieMeshes(const std::vector<std::size_t>& chosen,
                                   const SurfaceOptions& options, const Common& common,
                                   Input& input) {
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
            MadeWeights made = newWeights(input, mesh, how, {}, common);
            mesh.weights = std::move(made.weights);
            printWarnings(made.warnings);
            append(made.warnings, input.warnings);
        }
        out.push_back(how);
    }
    return out;
}

DeformOptions deformOptions(const SurfaceOptions& options, const Common& common) {
    return {.blend = options.blend == "linear" ? SkinBlend::Linear : SkinBlend::DualQuaternion,
            .threads = common.threads};
}

std::vector<TwistBone> twistBones(const SurfaceOptions& options, const Input& input) {
    if (options.twist == "joint") return {};
    std::vector<TwistBone> out = limbTwists(input.skeleton);
    if (out.empty())
        failUsage(
            "--twist limb has no effect: no arms and legs of a human body are recognised by the "
            "names of the joints");
    return out;
}

std::vector<Mesh> posedMeshes(const Input& input, const std::vector<std::size_t>& chosen,
                              const Pose& pose, const DeformOptions& options,
                              std::span<const TwistBone> twists) {
    const ModelPose model = computeModelPose(input.skeleton, pose);
    std::vector<Mesh> out;
    for (const std::size_t i : chosen)
        out.push_back(posedMesh(input.skeleton, input.meshes[i], model, options, twists));
    return out;
}

}  // namespace ulna::cli
