// SPDX-License-Identifier: Apache-2.0

// What lives in the engine's memory. Clips, meshes, stages and solvers keep the skeleton they are
// of, so that it does not matter what is freed first.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "ulna/ik/solver.h"
#include "ulna/io/materials.h"
#include "ulna/motion/keyed_motion.h"
#include "ulna/skeleton/anatomy.h"
#include "ulna/skeleton/skeleton.h"
#include "ulna/skin/deform.h"
#include "ulna/skin/topology.h"

namespace ulna::engine {

using SharedSkeleton = std::shared_ptr<const Skeleton>;
using SharedMaterials = std::shared_ptr<const io::MaterialSet>;

/// A skeleton and the memory that its calls work in.
struct SkeletonObject {
    SharedSkeleton skeleton;
    bool z_up = false;
    Pose pose = {}, other_pose = {};
    ModelPose model = {};
};
[[nodiscard]] SkeletonObject* makeObject(Skeleton skeleton, bool z_up);

struct ClipObject {
    SharedSkeleton skeleton;
    std::variant<Motion, KeyedMotion> clip;
    Interpolation interpolation = Interpolation::CatmullRom;  ///< of tracks that are new
    Pose pose = {};
    ModelPose model = {};
};

/// Frames of a clip: its own, or of its keys, at a rate (0: one that has all of them).
[[nodiscard]] Result<Motion> motionOf(const ClipObject& object, double fps);

struct MeshObject {
    SharedSkeleton skeleton;
    Mesh mesh;
    SharedMaterials material_set = {};      ///< that the mesh's parts refer to; may be null
    bool own_normals = true;                ///< the file's; else computed
    std::optional<Deformer> deformer = {};  ///< of the weights as they are; made when needed
    std::optional<MeshTopology> topology = {};
    Pose pose = {};
    ModelPose model = {};
    SkinPalette palette = {};
    std::vector<float> vertices = {};  ///< positions, then normals
    std::vector<float> weights = {};   ///< of one joint
};
[[nodiscard]] MeshObject* makeObject(SharedSkeleton skeleton, Mesh mesh,
                                     SharedMaterials material_set = {});
/// The mesh as a file has it: without what was computed here.
[[nodiscard]] Mesh fileMesh(const MeshObject& object);

/// Into the reply. Bytes of images are told by their place: engine.js copies them at once.
void putMaterials(const io::MaterialSet& material_set);
/// The looks of all objects as one, null where none has some; `meshes`, which are theirs, are made
/// to refer to it.
[[nodiscard]] SharedMaterials joinMaterials(std::span<const MeshObject* const> objects,
                                            std::vector<Mesh>& meshes);

/// A skeleton with the limits of a stage. Poses that come in and go out are the original's.
struct StageObject {
    SharedSkeleton skeleton;
    std::optional<AnatomicalRig> anatomy = {};
    bool z_up = false;
    Pose pose = {};
    ModelPose model = {};
    DofVector dofs = {};

    void enter(Pose& original) const;
    void leave(Pose& staged) const;
};

struct SolverObject {
    std::shared_ptr<const StageObject> stage;
    IkOptions options;
    IkSolver solver;
    Pose pose = {};
    std::vector<double> summary = {};  ///< of the last solve, as engine.js reads it
};

}  // namespace ulna::engine
