// SPDX-License-Identifier: Apache-2.0

// Meshes: what they consist of, where they are in a pose, and their weights.
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/motion/mirror.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/edit_weights.h"
#include "ulna/skin/paint.h"

namespace ulna::engine {
namespace {

const MeshTopology& topologyOf(MeshObject& object) {
    if (!object.topology) object.topology = computeTopology(object.mesh);
    return *object.topology;
}

void setWeights(MeshObject& object, SkinWeights weights) {
    object.mesh.weights = std::move(weights);
    object.deformer.reset();
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

std::vector<const Mesh*> readMeshes(Reader& in, std::size_t count) {
    std::vector<const Mesh*> out;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(&reinterpret_cast<const MeshObject*>(in.size())->mesh);
    return out;
}

std::vector<TwistBone> twistBones(const Skeleton& skeleton, Twist twist) {
    return twist == Twist::Limb ? limbTwists(skeleton) : std::vector<TwistBone>();
}

Mesh fileMesh(const MeshObject& object) {
    Mesh out = object.mesh;
    if (!object.own_normals) out.normals.clear();
    return out;
}

MeshReply meshDescribe(MeshObject& object) {
    const Mesh& mesh = object.mesh;
    return {.vertex_count = mesh.positions.size(),
            .triangle_count = mesh.indices.size() / 3,
            .has_texcoords = !mesh.texcoords.empty(),
            .has_colors = !mesh.colors.empty(),
            .name = mesh.name,
            .parts = mesh.parts};
}

bool meshHasWeights(MeshObject& object) {
    return !object.mesh.weights.empty();
}

const void* meshPositions(MeshObject& object) {
    return object.mesh.positions.data();
}

const void* meshNormals(MeshObject& object) {
    return object.mesh.normals.data();
}

const void* meshTexcoords(MeshObject& object) {
    return object.mesh.texcoords.data();
}

const void* meshColors(MeshObject& object) {
    return object.mesh.colors.data();
}

const void* meshIndices(MeshObject& object) {
    return object.mesh.indices.data();
}

/// From the pose in the input. Positions, and behind them normals where they are wanted.
const void* meshDeform(MeshObject& object, SkinBlend blend, Twist twist, bool normals) {
    if (!object.deformer || object.twist != twist) {
        object.twist = twist;
        object.deformer.emplace(*object.skeleton, object.mesh, twistBones(*object.skeleton, twist));
    }
    readPose(0, object.pose);
    computeModelPose(*object.skeleton, object.pose, object.model);
    DeformOptions options;
    options.blend = blend;
    object.deformer->computePalette(object.model, options.blend, object.palette);
    const std::size_t count = 3 * object.mesh.positions.size();
    object.vertices.resize(2 * count);
    VertexBuffer out;
    out.positions = std::span(object.vertices).first(count);
    if (normals) out.normals = std::span(object.vertices).subspan(count);
    object.deformer->deform(object.palette, options, out);
    return object.vertices.data();
}

/// From the pose in the input: the one in which the skeleton fits the surface.
void meshBind(MeshObject& object) {
    readPose(0, object.pose);
    bindMesh(*object.skeleton, object.pose, object.mesh);
    object.deformer.reset();
}

const void* meshWeightsOf(MeshObject& object, JointId joint) {
    const SkinWeights& weights = object.mesh.weights;
    object.weights.assign(object.mesh.positions.size(), 0.0f);
    for (std::size_t v = 0; v < weights.rowCount(); ++v)
        object.weights[v] = weightOf(weights[v], joint);
    return object.weights.data();
}

/// How many influences there are, then rows, joints and weights.
void meshWeights(MeshObject& object) {
    const SkinWeights& weights = object.mesh.weights;
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
void meshSetWeights(MeshObject& object, std::size_t rows, std::size_t count) {
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

/// The options are in the input.
Result<MadeWeights> meshMakeWeights(MeshObject& object) {
    Result<MadeWeights> made =
        makeWeights(*object.skeleton, object.mesh, readRequest<WeightOptions>());
    if (made) setWeights(object, made->weights);
    return made;
}

/// The options are in the input.
Result<TiedSurface> meshTie(MeshObject& object) {
    const auto request = readRequest<TieRequest>();
    Result<TiedSurface> tied = tieSurface(*object.skeleton,
                                          {.up = request.z_up ? UpAxis::Z : UpAxis::Y,
                                           .present = request.pose ? &*request.pose : nullptr},
                                          request.weights, object.mesh);
    object.deformer.reset();
    return tied;
}

std::size_t meshPaint(MeshObject& object, JointId joint) {
    const auto request = readRequest<PaintRequest>();
    PaintOptions options;
    options.value = static_cast<float>(request.value);
    options.mode = request.mode;
    options.locked = request.locked;
    SkinWeights weights = object.mesh.weights;
    if (weights.empty()) weights.first.assign(object.mesh.positions.size() + 1, 0);
    const MeshTopology& topology = topologyOf(object);
    std::vector<Dab> dabs = makeBrush(object.mesh, topology, request.centre, request.radius);
    for (Dab& dab : dabs) dab.strength *= static_cast<float>(request.strength);
    paint(topology, joint, dabs, options, weights);
    if (!dabs.empty()) setWeights(object, std::move(weights));
    return dabs.size();
}

void meshSmooth(MeshObject& object, double amount, std::size_t rounds) {
    if (object.mesh.weights.empty()) return;
    setWeights(object,
               smoothed(object.mesh.weights, topologyOf(object), amount, static_cast<int>(rounds)));
}

double meshPrune(MeshObject& object, std::size_t most, double least) {
    PrunedWeights few = pruned(object.mesh.weights, most, static_cast<float>(least));
    setWeights(object, std::move(few.weights));
    return few.loss.worst;
}

Result<MirrorReply> meshMirror(MeshObject& object, MirrorSide side, double tolerance) {
    const Result<MirrorPairs> pairs = findMirrorPairs(*object.skeleton);
    if (!pairs) return pairs.error();
    if (object.mesh.weights.empty())
        return Diagnostic{.what = "the mesh has no weights to mirror",
                          .text = object.mesh.name,
                          .advice = "make weights first"};
    MirroredWeights made = mirroredWeights(*object.skeleton, object.mesh, *pairs, side, tolerance);
    setWeights(object, std::move(made.weights));
    return MirrorReply{made.unmatched.size()};
}

}  // namespace ulna::engine
