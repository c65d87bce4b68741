// SPDX-License-Identifier: Apache-2.0

// Meshes: what they consist of, where they are in a pose, and their weights.
#include <utility>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"
#include "ulna/motion/mirror.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/distance_weights.h"
#include "ulna/skin/edit_weights.h"
#include "ulna/skin/paint.h"

namespace ulna::engine {
namespace {

const MeshTopology& topologyOf(MeshObject* object) {
    if (!object->topology) object->topology = computeTopology(object->mesh);
    return *object->topology;
}

void setWeights(MeshObject* object, SkinWeights weights) {
    object->mesh.weights = std::move(weights);
    object->deformer.reset();
}

}  // namespace

MeshObject* makeObject(SharedSkeleton skeleton, Mesh mesh, SharedMaterials material_set) {
    auto* object = new MeshObject{std::move(skeleton), std::move(mesh), std::move(material_set)};
    object->pose = restPose(*object->skeleton);
    if (object->mesh.normals.empty()) {
        object->own_normals = false;
        object->mesh.normals = computeNormals(object->mesh);
    }
    return object;
}

Mesh fileMesh(const MeshObject& object) {
    Mesh out = object.mesh;
    if (!object.own_normals) out.normals.clear();
    return out;
}

ULNA_EXPORT(void, meshFree)(MeshObject* object) {
    delete object;
}

ULNA_EXPORT(void, meshDescribe)(const MeshObject* object) {
    const Mesh& mesh = object->mesh;
    clearReply();
    put(static_cast<double>(mesh.positions.size()));
    put(static_cast<double>(mesh.indices.size() / 3));
    put(mesh.texcoords.empty() ? 0.0 : 1.0);
    put(mesh.colors.empty() ? 0.0 : 1.0);
    put(std::string_view(mesh.name));
    put(static_cast<double>(mesh.parts.size()));
    for (const MeshPart& part : mesh.parts) {
        put(static_cast<double>(part.triangles));
        put(part.material == kNoMaterial ? -1.0 : static_cast<double>(part.material));
    }
}

ULNA_EXPORT(bool, meshHasWeights)(const MeshObject* object) {
    return !object->mesh.weights.empty();
}

/// Positions, normals, texture coordinates, colours, indices: engine.js knows how many.
ULNA_EXPORT(const void*, meshAttribute)(const MeshObject* object, int which) {
    const Mesh& mesh = object->mesh;
    switch (which) {
        case 0:
            return mesh.positions.data();
        case 1:
            return mesh.normals.data();
        case 2:
            return mesh.texcoords.data();
        case 3:
            return mesh.colors.data();
        default:
            return mesh.indices.data();
    }
}

/// From the pose in the input. Positions, and behind them normals where they are wanted.
ULNA_EXPORT(const float*, meshDeform)(MeshObject* object, bool dual_quaternion, bool normals) {
    if (!object->deformer) object->deformer.emplace(*object->skeleton, object->mesh);
    readPose(0, object->pose);
    computeModelPose(*object->skeleton, object->pose, object->model);
    DeformOptions options;
    options.blend = dual_quaternion ? SkinBlend::DualQuaternion : SkinBlend::Linear;
    object->deformer->computePalette(object->model, options.blend, object->palette);
    const std::size_t count = 3 * object->mesh.positions.size();
    object->vertices.resize(2 * count);
    VertexBuffer out;
    out.positions = std::span(object->vertices).first(count);
    if (normals) out.normals = std::span(object->vertices).subspan(count);
    object->deformer->deform(object->palette, options, out);
    return object->vertices.data();
}

/// From the pose in the input: the one in which the skeleton fits the surface.
ULNA_EXPORT(void, meshBind)(MeshObject* object) {
    readPose(0, object->pose);
    computeModelPose(*object->skeleton, object->pose, object->model);
    object->mesh.joint_from_bind.clear();
    for (const Affine& model_from_joint : object->model.model_from_joint)
        object->mesh.joint_from_bind.push_back(inverse(model_from_joint));
    object->deformer.reset();
}

ULNA_EXPORT(const float*, meshWeightsOf)(MeshObject* object, JointId joint) {
    const SkinWeights& weights = object->mesh.weights;
    object->weights.assign(object->mesh.positions.size(), 0.0f);
    for (std::size_t v = 0; v < weights.rowCount(); ++v)
        object->weights[v] = weightOf(weights[v], joint);
    return object->weights.data();
}

/// How many influences there are, then rows, joints and weights.
ULNA_EXPORT(void, meshWeights)(const MeshObject* object) {
    const SkinWeights& weights = object->mesh.weights;
    clearReply();
    put(static_cast<double>(weights.first.size()));
    put(static_cast<double>(weights.influences.size()));
    putArray(weights.first);
    for (const Influence& influence : weights.influences)
        putBytes(&influence.joint, sizeof influence.joint);
    for (const Influence& influence : weights.influences)
        putBytes(&influence.weight, sizeof influence.weight);
}

/// From the input, 4 bytes a number, in the order of meshWeights; engine.js has checked them.
ULNA_EXPORT(void, meshSetWeights)(MeshObject* object, std::size_t rows, std::size_t count) {
    const char* bytes = inputBytes(4 * (rows + 2 * count));
    const auto* first = reinterpret_cast<const std::uint32_t*>(bytes);
    const auto* joints = reinterpret_cast<const std::int32_t*>(first + rows);
    const auto* values = reinterpret_cast<const float*>(joints + count);
    SkinWeights weights;
    weights.first.assign(first, first + rows);
    for (std::size_t i = 0; i < count; ++i)
        weights.influences.push_back({static_cast<JointId>(joints[i]), values[i]});
    setWeights(object, normalized(weights));
}

ULNA_EXPORT(bool, meshMakeWeights)
(MeshObject* object, bool distance, double stiffness, std::size_t most) {
    clearReply();
    if (distance) {
        const SkinWeights made = makeDistanceWeights(*object->skeleton, object->mesh);
        put(0.0);
        put(0.0);
        setWeights(object, most > 0 ? prunedSmoothly(made, most).weights : made);
        return true;
    }
    BoneHeatOptions options;
    options.stiffness = stiffness;
    options.most = most;
    Result<BoneHeat> heat = makeBoneHeatWeights(*object->skeleton, object->mesh, options);
    if (!heat) {
        fail(heat.error());
        return false;
    }
    put(static_cast<double>(heat->report.hidden.size()));
    put(static_cast<double>(heat->report.loose.size()));
    for (const JointId joint : heat->report.idle) put(static_cast<double>(joint));
    setWeights(object, std::move(heat->weights));
    return true;
}

/// In the input: the centre, radius, strength, value, mode, how many locked joints, and these.
ULNA_EXPORT(std::size_t, meshPaint)(MeshObject* object, JointId joint) {
    Reader in;
    const Vec3 centre = in.vec3();
    const double radius = in.number();
    const float strength = static_cast<float>(in.number());
    PaintOptions options;
    options.value = static_cast<float>(in.number());
    options.mode = static_cast<PaintMode>(in.integer());
    const std::size_t locked = in.size();
    for (std::size_t i = 0; i < locked; ++i) options.locked.push_back(in.joint());
    SkinWeights weights = object->mesh.weights;
    if (weights.empty()) weights.first.assign(object->mesh.positions.size() + 1, 0);
    std::vector<Dab> dabs = makeBrush(object->mesh, topologyOf(object), centre, radius);
    for (Dab& dab : dabs) dab.strength *= strength;
    paint(topologyOf(object), joint, dabs, options, weights);
    if (!dabs.empty()) setWeights(object, std::move(weights));
    return dabs.size();
}

ULNA_EXPORT(void, meshSmooth)(MeshObject* object, double amount, int rounds) {
    if (object->mesh.weights.empty()) return;
    setWeights(object, smoothed(object->mesh.weights, topologyOf(object), amount, rounds));
}

ULNA_EXPORT(double, meshPrune)(MeshObject* object, std::size_t most, double least) {
    PrunedWeights few = pruned(object->mesh.weights, most, static_cast<float>(least));
    setWeights(object, std::move(few.weights));
    return few.loss.worst;
}

ULNA_EXPORT(bool, meshMirror)(MeshObject* object, bool from_left, double tolerance) {
    const Result<MirrorPairs> pairs = findMirrorPairs(*object->skeleton);
    if (!pairs) {
        fail(pairs.error());
        return false;
    }
    if (object->mesh.weights.empty()) {
        fail({"the mesh has no weights to mirror", {}, object->mesh.name, "make weights first"});
        return false;
    }
    MirroredWeights made =
        mirroredWeights(*object->skeleton, object->mesh, *pairs,
                        from_left ? MirrorSide::LeftToRight : MirrorSide::RightToLeft, tolerance);
    clearReply();
    put(static_cast<double>(made.unmatched.size()));
    setWeights(object, std::move(made.weights));
    return true;
}

}  // namespace ulna::engine
