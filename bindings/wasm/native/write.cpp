// SPDX-License-Identifier: Apache-2.0

// Files out: the reply has the warnings, then the bytes.
#include <algorithm>
#include <utility>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/io/mesh_files.h"
#include "ulna/io/rig_json.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::engine {
namespace {

bool answer(const Warnings& warnings, std::string_view bytes) {
    clearReply();
    put(warnings);
    put(bytes);
    return true;
}

bool answer(const Diagnostic& error) {
    fail(error);
    return false;
}

// Objects whose pointers are in the input.
template <class Object>
std::vector<const Object*> readObjects(Reader& in) {
    std::vector<const Object*> out(in.size());
    for (const Object*& object : out)
        object = reinterpret_cast<const Object*>(static_cast<std::uintptr_t>(in.number()));
    return out;
}

// What the numbers of a rig file cannot say of a clip.
void warnAboutResidual(const Skeleton& skeleton, const DofClipFit& fit, Warnings& warnings) {
    // Radians and shares of one: what people see, well above rounding.
    constexpr double kNoticeable = 1e-6;
    const auto warn = [&](const char* what, double residual, JointId joint) {
        if (residual > kNoticeable && joint != JointId::None)
            warnings.push_back({what, {}, skeleton.name(joint), {}});
    };
    warn("a joint turns in ways that its kind cannot", fit.worst.rotation_residual,
         fit.worst.rotation_joint);
    warn("a bone's stretch is lost: rig files hold none", fit.worst.translation_residual,
         fit.worst.translation_joint);
    warn("a joint's scale is lost: clips of rig files hold none", fit.worst.scale_residual,
         fit.worst.scale_joint);
}

}  // namespace

ULNA_EXPORT(bool, writeBvhFile)
(const SkeletonObject* skeleton, const ClipObject* clip, double fps, int order, bool root_only) {
    Motion motion(restPose(*skeleton->skeleton), 0, 1.0 / 30.0, {});
    if (clip != nullptr) {
        Result<Motion> frames = motionOf(*clip, fps);
        if (!frames) return answer(frames.error());
        motion = *std::move(frames);
    }
    io::BvhWriteOptions options;
    if (order >= 0) options.order = static_cast<EulerOrder>(order);
    options.root_only_positions = root_only;
    const io::BvhFile file = io::makeBvh(*skeleton->skeleton, motion, options);
    return answer(file.warnings, io::writeBvh(file));
}

/// In the input: how many clips, and these; the same of meshes.
ULNA_EXPORT(bool, writeGltfFile)(const SkeletonObject* skeleton, bool text) {
    Reader in;
    std::vector<KeyedMotion> clips;
    std::vector<Motion> motions;
    for (const ClipObject* clip : readObjects<ClipObject>(in)) {
        if (const auto* keys = std::get_if<KeyedMotion>(&clip->clip)) clips.push_back(*keys);
        if (const auto* motion = std::get_if<Motion>(&clip->clip)) motions.push_back(*motion);
    }
    std::vector<Mesh> meshes;
    const std::vector<const MeshObject*> objects = readObjects<MeshObject>(in);
    for (const MeshObject* mesh : objects) meshes.push_back(fileMesh(*mesh));
    const SharedMaterials material_set = joinMaterials(objects, meshes);
    const Result<io::GltfBytes> made =
        io::writeGltf({.skeleton = *skeleton->skeleton,
                       .clips = clips,
                       .motions = motions,
                       .frames = {},
                       .meshes = meshes,
                       .material_set = material_set.get()},
                      text ? io::GltfForm::Text : io::GltfForm::Binary);
    return made ? answer(made->warnings, made->bytes) : answer(made.error());
}

/// In the input: how many clips, and these; then the name.
ULNA_EXPORT(bool, writeRigFile)
(const SkeletonObject* skeleton, double fps, std::size_t name_size) {
    Reader in;
    const std::vector<const ClipObject*> clips = readObjects<ClipObject>(in);
    io::RigFile file;
    file.name.assign(inputBytes(0) + (clips.size() + 1) * sizeof(double), name_size);
    Warnings warnings;
    file.skeleton = *skeleton->skeleton;
    for (const ClipObject* clip : clips) {
        const Result<Motion> frames = motionOf(*clip, fps);
        if (!frames) return answer(frames.error());
        DofClipFit fit = computeDofClip(file.skeleton, *frames);
        fit.clip.name = frames->name;
        warnAboutResidual(file.skeleton, fit, warnings);
        file.clips.push_back(std::move(fit.clip));
    }
    return answer(warnings, io::writeRig(file));
}

/// In the input: the pose, if there is one.
ULNA_EXPORT(bool, writeMeshFile)
(MeshObject* object, bool ply, bool posed, bool dual_quaternion) {
    Mesh mesh = fileMesh(*object);
    if (posed) {
        readPose(0, object->pose);
        DeformOptions options;
        options.blend = dual_quaternion ? SkinBlend::DualQuaternion : SkinBlend::Linear;
        mesh = posedMesh(*object->skeleton, mesh, computeModelPose(*object->skeleton, object->pose),
                         options);
    }
    return answer(Warnings{},
                  io::writeMesh(mesh, ply ? io::MeshFormat::PlyBinary : io::MeshFormat::Obj));
}

}  // namespace ulna::engine
