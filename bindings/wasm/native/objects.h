// SPDX-License-Identifier: Apache-2.0

// What lives in the engine's memory. Clips, meshes, stages and solvers keep the skeleton they are
// of, so that it does not matter what is freed first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ulna/character/clip.h"
#include "ulna/character/drag.h"
#include "ulna/character/fitting.h"
#include "ulna/character/layered_clip.h"
#include "ulna/ik/solver.h"
#include "ulna/io/materials.h"
#include "ulna/io/point_cache.h"
#include "ulna/skeleton/skeleton.h"
#include "ulna/skin/deform.h"
#include "ulna/skin/topology.h"

namespace ulna::engine {

class Reader;

using SharedSkeleton = std::shared_ptr<const Skeleton>;
using SharedMaterials = std::shared_ptr<const io::MaterialSet>;

/// A skeleton and the memory that its calls work in.
struct SkeletonObject {
    SharedSkeleton skeleton;
    bool z_up = false;
    Pose pose = {}, other_pose = {};
    ModelPose model = {};
};
[[nodiscard]] SkeletonObject* makeObject(SharedSkeleton skeleton, bool z_up);
[[nodiscard]] inline UpAxis upOf(const SkeletonObject& object) {
    return object.z_up ? UpAxis::Z : UpAxis::Y;
}

struct ClipObject {
    SharedSkeleton skeleton;
    Clip clip;  ///< of one with layers: what they come to, once wholeClip has made it
    Interpolation interpolation = Interpolation::CatmullRom;  ///< of tracks that are new
    Pose pose = {};
    ModelPose model = {};
    double frame_rate = 0.0;  ///< in which keys are counted; 0: a rate of theirs
    std::optional<LayeredClip> layered = {};
    bool whole = true;  ///< whether `clip` is made; only of one with layers it may not be
};
/// The clip as a whole, all frames of its layers included.
[[nodiscard]] const Clip& wholeClip(ClipObject& object);

/// Where limbs twist: at a joint, as the weights say, or evenly over their length (skin/twist.h).
enum class Twist : std::uint8_t { Joint, Limb };
[[nodiscard]] std::vector<TwistBone> twistBones(const Skeleton& skeleton, Twist twist);

struct MeshObject {
    SharedSkeleton skeleton;
    Mesh mesh;
    SharedMaterials material_set = {};      ///< that the mesh's parts refer to; may be null
    bool own_normals = true;                ///< the file's; else computed
    std::optional<Deformer> deformer = {};  ///< of the weights as they are; made when needed,
    Twist twist = Twist::Joint;             ///< with this twist
    std::optional<MeshTopology> topology = {};
    Pose pose = {};
    ModelPose model = {};
    SkinPalette palette = {};
    std::vector<float> vertices = {};  ///< positions, then normals
    std::vector<float> weights = {};   ///< of one joint
};
[[nodiscard]] MeshObject* makeObject(SharedSkeleton skeleton, Mesh mesh,
                                     SharedMaterials material_set = {});
/// So many meshes, as pointers in the input.
[[nodiscard]] std::vector<const Mesh*> readMeshes(Reader& in, std::size_t count);
/// The mesh as a file has it: without what was computed here.
[[nodiscard]] Mesh fileMesh(const MeshObject& object);

/// The material_set of all objects as one, null where none has some; `meshes`, which are theirs,
/// are made to refer to it.
[[nodiscard]] SharedMaterials joinMaterials(std::span<const MeshObject* const> objects,
                                            std::vector<Mesh>& meshes);

/// A stage, which it shares with its solvers and drags, and the memory that its calls work in.
/// Poses that come in and go out are those of the skeleton that the stage was made of.
using SharedStage = std::shared_ptr<const Stage>;
struct StageObject {
    SharedStage stage;
    bool z_up = false;
    Pose pose = {};
    ModelPose model = {};
    DofVector dofs = {};
};

struct SolverObject {
    SharedStage stage;
    IkOptions options;
    IkSolver solver;
    Pose pose = {};
};

struct DragObject {
    SharedStage stage;  ///< that the drag refers to
    Drag drag;
    Pose pose = {};
};

struct FitterObject {
    SharedSkeleton skeleton;  ///< that the fitter refers to, as to the stage
    SharedStage stage;
    ShapeFitter fitter;
    std::size_t vertex_count = 0;
    std::vector<FitReport> reports = {};  ///< of the fits since the last cold start
    Pose pose = {};
};

struct PointCacheObject {
    io::PointCache cache;
    std::vector<Vec3f> points = {};
};

}  // namespace ulna::engine
