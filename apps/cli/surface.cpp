// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "ulna/core/text.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/check_mesh.h"
#include "ulna/skin/distance_weights.h"

namespace ulna::cli {
namespace {

// From the middle of one range to that of another.
struct Range {
    double low = 1e300, high = -1e300;
    void add(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    [[nodiscard]] double size() const { return std::max(0.0, high - low); }
    [[nodiscard]] double middle() const { return 0.5 * (low + high); }
};

// A BVH file tells where its root goes in motion, not at rest, where it often is at the origin: its
// bones are bound at the height of the mesh.
void bindOverMesh(const Input& input, Mesh& mesh) {
    const std::size_t up = upAxisOf(input) == UpAxis::Z ? 2 : 1;
    Pose rest = restPose(input.skeleton);
    Range bones, surface;
    for (const Affine& a : computeModelPose(input.skeleton, rest).model_from_joint)
        bones.add(a.translation()[up]);
    for (const Vec3f& p : mesh.positions) surface.add(static_cast<double>(p[up]));
    const double shift = surface.middle() - bones.middle();
    constexpr double kNoticed = 0.05;  // of the mesh's height; bones end inside it
    if (!(std::abs(shift) > kNoticed * surface.size())) return;
    for (const JointId root : input.skeleton.roots()) rest[root].translation[up] += shift;
    mesh.joint_from_bind.clear();
    for (const Affine& a : computeModelPose(input.skeleton, rest).model_from_joint)
        mesh.joint_from_bind.push_back(inverse(a));
    printNote(fmt::format("the bones are bound {:.4g} {} the rest pose, at the height of {}",
                          std::abs(shift), shift > 0.0 ? "above" : "below", calledMesh(mesh)));
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
    input.material_set = std::move(other.material_set);
    if (input.format == Format::Bvh)
        for (Mesh& mesh : input.meshes) bindOverMesh(input, mesh);
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
            if (wrong.location.file.empty()) wrong.location.file = path;
            fail(kBadInput, wrong);
        }
    }
    return out;
}

MadeWeights makeWeights(const Input& input, const Mesh& mesh, std::string_view how,
                        const MakeOptions& options, const Common& common, Warnings& warnings) {
    if (input.skeleton.jointCount() == 0)
        failUsage("'" + input.path + "' has no skeleton to make weights for");
    if (how == "distance") {
        MadeWeights made{
            makeDistanceWeights(input.skeleton, mesh, {.radius_scale = options.radius_scale})};
        std::size_t unreached = 0;
        for (std::size_t v = 0; v < made.weights.rowCount(); ++v)
            unreached += made.weights[v].empty() ? 1 : 0;
        if (unreached > 0)
            warnings.push_back({fmt::format("{} of {} vertices are reached by no bone and stay",
                                            unreached, mesh.positions.size()),
                                {},
                                mesh.name,
                                "a larger --radius-scale, or bone heat"});
        return made;
    }
    ProgressBar progress("weights");
    BoneHeat made = must(makeBoneHeatWeights(input.skeleton, mesh,
                                             {.stiffness = options.stiffness,
                                              .most = options.most,
                                              .threads = common.threads,
                                              .progress = progress.callback()}));
    const std::size_t guessed = made.report.hidden.size() + made.report.loose.size();
    if (10 * guessed > mesh.positions.size())
        warnings.push_back({fmt::format("{} of {} vertices see no bone and are guessed", guessed,
                                        mesh.positions.size()),
                            {},
                            mesh.name,
                            "is the skeleton inside the mesh? 'ulna weights' lists them"});
    return {std::move(made.weights), std::move(made.report)};
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
            Warnings made;
            mesh.weights = makeWeights(input, mesh, how, {}, common, made).weights;
            printWarnings(made);
            input.warnings.insert(input.warnings.end(), made.begin(), made.end());
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
