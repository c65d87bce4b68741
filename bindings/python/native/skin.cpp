// SPDX-License-Identifier: Apache-2.0

// Meshes, their weights, and what poses make of them.
#include <cmath>

#include "bindings/python/native/common.h"
#include "ulna/character/tie.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/match.h"
#include "ulna/skeleton/mirror_pairs.h"
#include "ulna/skin/check_mesh.h"
#include "ulna/skin/deform.h"
#include "ulna/skin/edit_weights.h"
#include "ulna/skin/paint.h"
#include "ulna/skin/transfer_weights.h"

namespace ulna::python {
namespace {

constexpr Word<SkinBlend> kBlends[] = {{"linear", SkinBlend::Linear},
                                       {"dual-quaternion", SkinBlend::DualQuaternion}};
constexpr Word<WeightMethod> kMethods[] = {{"heat", WeightMethod::Heat},
                                           {"distance", WeightMethod::Distance}};
constexpr Word<MirrorSide> kSides[] = {{"left-to-right", MirrorSide::LeftToRight},
                                       {"right-to-left", MirrorSide::RightToLeft}};
constexpr Word<PaintMode> kModes[] = {{"add", PaintMode::Add},
                                      {"subtract", PaintMode::Subtract},
                                      {"replace", PaintMode::Replace},
                                      {"smooth", PaintMode::Smooth}};

MeshObject fromArrays(const Numbers& positions, const Numbers& triangles,
                      const MaybeNumbers& normals, const std::string& name) {
    const DoubleArray points = doublesOf(positions, "positions", {kAny, 3});
    const std::size_t count = points.size(0);
    Mesh mesh{.name = name};
    const auto vectors = [](std::span<const double> values, std::vector<Vec3f>& to) {
        for (std::size_t i = 0; i + 2 < values.size(); i += 3)
            to.push_back({static_cast<float>(values[i]), static_cast<float>(values[i + 1]),
                          static_cast<float>(values[i + 2])});
    };
    vectors(points.values(), mesh.positions);
    const py::array corners = py::array::ensure(triangles);
    if (!corners || corners.ndim() != 2 || corners.shape(1) != 3)
        raiseValue("triangles have the shape (triangles, 3)");
    mesh.indices = indicesOf(triangles, "triangles", count);
    if (!normals.is_none())
        vectors(doublesOf(normals, "normals", {asSsize(count), 3}).values(), mesh.normals);
    if (const std::optional<Diagnostic> fault = findFault(mesh)) raise(*fault);
    return makeMesh(nullptr, std::move(mesh));
}

void checkWeighted(const MeshObject& m) {
    if (m.mesh->weights.rowCount() != m.mesh->positions.size() || m.skeleton == nullptr)
        raiseValue("the mesh has no weights");
}

// Every joint of every row is one of the skeleton, whatever file or program it is from.
void checkTied(const MeshObject& m, const Skeleton& skeleton) {
    checkWeighted(m);
    checkSameJoints(skeleton, *m.skeleton, "the mesh");
}

Float32s vectorsOf(const py::object& self, const std::vector<Vec3f>& vectors) {
    static const float kNothing = 0.0f;
    return viewOf<float>(vectors.empty() ? &kNothing : &vectors.front().x,
                         {asSsize(vectors.size()), 3}, {sizeof(Vec3f), sizeof(float)}, self);
}

const Mesh& meshIn(const py::object& self) {
    return *self.cast<const MeshObject&>().mesh;
}

Int32s trianglesOf(const MeshObject& m) {
    py::array_t<std::int32_t> out({asSsize(m.mesh->indices.size() / 3), py::ssize_t{3}});
    for (std::size_t i = 0; i < m.mesh->indices.size(); ++i)
        out.mutable_data()[i] = static_cast<std::int32_t>(m.mesh->indices[i]);
    return Int32s(out);
}

Float32s weightsOf(const MeshObject& m) {
    const std::size_t joints = m.skeleton ? m.skeleton->jointCount() : 0;
    const std::size_t rows = m.mesh->weights.rowCount();
    py::array_t<float> out({asSsize(rows), asSsize(joints)});
    std::fill_n(out.mutable_data(), out.size(), 0.0f);
    for (std::size_t v = 0; v < rows; ++v)
        for (const Influence& influence : m.mesh->weights[v])
            out.mutable_data()[v * joints + index(influence.joint)] += influence.weight;
    return Float32s(out);
}

SparseRows influencesOf(const MeshObject& m) {
    const SkinWeights& weights = m.mesh->weights;
    py::array_t<std::int32_t> first(asSsize(weights.first.size())),
        joints(asSsize(weights.influences.size()));
    py::array_t<float> values(asSsize(weights.influences.size()));
    for (std::size_t i = 0; i < weights.first.size(); ++i)
        first.mutable_data()[i] = static_cast<std::int32_t>(weights.first[i]);
    for (std::size_t i = 0; i < weights.influences.size(); ++i) {
        joints.mutable_data()[i] = static_cast<std::int32_t>(weights.influences[i].joint);
        values.mutable_data()[i] = weights.influences[i].weight;
    }
    return py::make_tuple(values, joints, first);
}

MeshObject withWeights(const MeshObject& m, SkinWeights weights) {
    Mesh mesh = *m.mesh;
    mesh.weights = std::move(weights);
    return makeMesh(m.skeleton, std::move(mesh));
}

MeshObject setWeights(const MeshObject& m, const SkeletonObject& s, const Numbers& weights) {
    const DoubleArray dense = doublesOf(
        weights, "weights", {asSsize(m.mesh->positions.size()), asSsize(s->jointCount())});
    SkinWeights out;
    std::vector<Influence> row;
    for (std::size_t v = 0; v < m.mesh->positions.size(); ++v) {
        row.clear();
        for (std::size_t j = 0; j < s->jointCount(); ++j) {
            const double weight = dense.values()[v * s->jointCount() + j];
            if (weight < 0.0 || weight > 1e6) raiseValue("weights are not negative");
            if (weight > 0.0) row.push_back({jointId(j), static_cast<float>(weight)});
        }
        out.addRow(row);
    }
    Mesh mesh = *m.mesh;
    mesh.weights = normalized(out);
    if (m.skeleton == nullptr || findJointMismatch(*m.skeleton, *s)) mesh.joint_from_bind.clear();
    return makeMesh(s.skeleton, std::move(mesh));
}

struct Tied {
    MeshObject mesh;
    Warnings warnings;
    std::string how;
};

Tied tie(const MeshObject& m, const SkeletonObject& s, const std::optional<PoseObject>& pose,
         const std::string& method, double stiffness, std::size_t most, int threads,
         const MaybeProgress& progress) {
    if (s->jointCount() == 0) raiseValue("the skeleton has no joints");
    if (pose) checkSameJoints(*s, *pose->skeleton, "the pose");
    if (!(stiffness >= BoneHeatOptions::kLeastStiffness &&
          stiffness <= BoneHeatOptions::kMostStiffness))
        raiseValue("stiffness is from 0.01 to 100");
    LongCall call(progress);
    WeightOptions options{.method = valueOf(method, "method", kMethods),
                          .stiffness = stiffness,
                          .most = most,
                          .threads = threadsOf(threads)};
    options.progress = call.progress();
    Mesh mesh = *m.mesh;
    mesh.weights = {};
    mesh.joint_from_bind.clear();
    if (const std::optional<Diagnostic> fault = findFault(mesh)) raise(*fault);
    const TiedSurface tied = take(call.run([&] {
        return tieSurface(*s, {.up = guessUpAxis(*s), .present = pose ? pose->pose.get() : nullptr},
                          options, mesh);
    }));
    constexpr Word<FittingPose> kHow[] = {{"rest", FittingPose::Rest},
                                          {"present", FittingPose::Present},
                                          {"raised", FittingPose::Raised}};
    return {makeMesh(s.skeleton, std::move(mesh)), tied.warnings, wordOf(tied.fit.how, kHow)};
}

MeshObject prune(const MeshObject& m, std::size_t most, double least) {
    checkWeighted(m);
    if (most == 0) raiseValue("most is at least 1");
    if (!(least >= 0.0 && least < 1.0)) raiseValue("least is from 0 up to, but not including, 1");
    return withWeights(m, pruned(m.mesh->weights, most, static_cast<float>(least)).weights);
}

MeshObject smooth(const MeshObject& m, double amount, int rounds) {
    checkWeighted(m);
    if (!(amount >= 0.0 && amount <= 1.0)) raiseValue("amount is from 0 to 1");
    if (rounds < 0 || rounds > 100000) raiseValue("rounds are 0 to 100000");
    return withWeights(m, withoutGil([&] {
                           return smoothed(m.mesh->weights, computeTopology(*m.mesh), amount,
                                           rounds);
                       }));
}

MeshObject mirror(const MeshObject& m, const std::string& side, double tolerance) {
    checkWeighted(m);
    const MirrorSide from = valueOf(side, "side", kSides);
    const MirrorPairs pairs = take(findMirrorPairs(*m.skeleton));
    if (!(std::isfinite(tolerance) && tolerance >= 0.0)) raiseValue("tolerance is 0 or more");
    return withWeights(
        m, withoutGil([&] {
            return mirroredWeights(*m.skeleton, *m.mesh, pairs, from, tolerance).weights;
        }));
}

MeshObject paintWith(const MeshObject& m, const JointRef& joint, const Numbers& centre,
                     double radius, double strength, const std::string& mode, double value,
                     const MaybeJointRefs& locked) {
    checkWeighted(m);
    const JointId painted = jointOf(*m.skeleton, joint);
    const Vec3 at = vec3Of(centre, "centre");
    if (!(strength >= 0.0 && strength <= 1.0)) raiseValue("strength is from 0 to 1");
    if (!(value >= 0.0 && value <= 1.0)) raiseValue("value is from 0 to 1");
    const PaintOptions options{.mode = valueOf(mode, "mode", kModes),
                               .value = static_cast<float>(value),
                               .locked = jointsOf(*m.skeleton, locked)};
    const double reach = positive(radius, "radius");
    return withWeights(m, withoutGil([&] {
                           const MeshTopology topology = computeTopology(*m.mesh);
                           std::vector<Dab> dabs = makeBrush(*m.mesh, topology, at, reach);
                           for (Dab& dab : dabs) dab.strength *= static_cast<float>(strength);
                           SkinWeights weights = m.mesh->weights;
                           paint(topology, painted, dabs, options, weights);
                           return weights;
                       }));
}

MeshObject transfer(const MeshObject& m, const MeshObject& from) {
    checkWeighted(from);
    if (from.mesh->positions.empty()) raiseValue("the other mesh has no vertices");
    Mesh mesh = *m.mesh;
    mesh.weights = withoutGil([&] { return transferredWeights(*from.mesh, mesh); });
    mesh.joint_from_bind = from.mesh->joint_from_bind;
    return makeMesh(from.skeleton, std::move(mesh));
}

MeshObject posed(const MeshObject& m, const PoseObject& p, const std::string& blend) {
    checkTied(m, *p.skeleton);
    const DeformOptions options{.blend = valueOf(blend, "blend", kBlends)};
    return makeMesh(nullptr, withoutGil([&] {
                        return posedMesh(*p.skeleton, *m.mesh,
                                         computeModelPose(*p.skeleton, *p.pose), options);
                    }));
}

// A mesh prepared once; threads may use it at once.
struct DeformerObject {
    std::shared_ptr<const Skeleton> skeleton;
    std::shared_ptr<const Deformer> deformer;
};

DeformerObject makeDeformer(const MeshObject& m) {
    checkWeighted(m);
    return {m.skeleton, std::make_shared<const Deformer>(*m.skeleton, *m.mesh)};
}

Float32s deform(const DeformerObject& d, const PoseObject& p, const std::string& blend,
                const MaybeOut& out, int threads) {
    checkSameJoints(*d.skeleton, *p.skeleton, "the pose");
    const DeformOptions options{.blend = valueOf(blend, "blend", kBlends),
                                .threads = threadsOf(threads)};
    const std::vector<py::ssize_t> shape = {asSsize(d.deformer->vertexCount()), 3};
    OutArray to = out.is_none() ? OutArray{py::array_t<float>(shape), true} : outArray(out, shape);
    if (!to.is_float) raiseType("out is an array of float32");
    const std::span<float> positions = to.floats();
    withoutGil([&] {
        SkinPalette palette;
        d.deformer->computePalette(computeModelPose(*d.skeleton, *p.pose), options.blend, palette);
        d.deformer->deform(palette, options, VertexBuffer{.positions = positions});
        return true;
    });
    return Float32s(to.array);
}

}  // namespace

void bindMesh(py::module_& m) {
    py::class_<MeshObject>(
        m, "Mesh",
        R"(A surface of triangles, with the weights that attach it to a skeleton. It never changes.

    >>> body = c.meshes[0]
    >>> body.positions.shape[1], body.triangles.shape[1]
    (3, 3)
    )")
        .def(py::init(&fromArrays), py::arg("positions"), py::arg("triangles"),
             py::arg("normals") = py::none(), py::kw_only(), py::arg("name") = "",
             "A mesh of vertices (vertices, 3) and corners of triangles (triangles, 3).")
        .def_property_readonly(
            "name", [](const MeshObject& o) { return o.mesh->name; }, "Its name.")
        .def_property_readonly(
            "positions",
            [](const py::object& self) { return vectorsOf(self, meshIn(self).positions); },
            "Vertices in the bind pose, shown without a copy: (vertices, 3).")
        .def_property_readonly(
            "normals", [](const py::object& self) { return vectorsOf(self, meshIn(self).normals); },
            "Normals, shown without a copy: (vertices, 3), or none.")
        .def_property_readonly("triangles", &trianglesOf,
                               "The corners of each triangle: (triangles, 3).")
        .def_property_readonly(
            "weighted", [](const MeshObject& o) { return !o.mesh->weights.empty(); },
            "Whether it has weights.")
        .def_property_readonly("weights", &weightsOf,
                               "The weight of each joint at each vertex: (vertices, joints).")
        .def_property_readonly("influences", &influencesOf,
                               "The same as values, joints and the start of each row: what "
                               "scipy.sparse.csr_array takes.")
        .def("with_weights", &setWeights, py::arg("skeleton"), py::arg("weights"),
             R"(The mesh with these weights, normalised: (vertices, joints).

    >>> body = c.meshes[0]
    >>> np.allclose(body.with_weights(c.skeleton, body.weights).weights, body.weights, atol=1e-6)
    True
    )")
        .def("__len__", [](const MeshObject& o) { return o.mesh->positions.size(); })
        .def("__repr__", [](const MeshObject& o) {
            return "<ulna.Mesh '" + o.mesh->name + "' of " +
                   std::to_string(o.mesh->positions.size()) + " vertices>";
        });
}

void bindSkin(py::module_& m) {
    py::class_<Tied>(m, "TiedMesh", R"(A mesh that was bound to a skeleton.

    >>> ball = ulna.Mesh(c.meshes[0].positions, c.meshes[0].triangles)
    >>> ulna.tie(ball, c.skeleton, method="distance").mesh.weighted
    True
    )")
        .def_property_readonly(
            "mesh", [](const Tied& t) { return t.mesh; }, "The mesh with weights.")
        .def_property_readonly(
            "warnings", [](const Tied& t) { return t.warnings; },
            "Vertices that no bone reaches, and the like.")
        .def_property_readonly(
            "how", [](const Tied& t) { return t.how; },
            "The pose that the surface fits: rest, present or raised.");
    py::class_<DeformerObject>(
        m, "Deformer", R"(A mesh prepared to be deformed for many poses. Threads may share one.

    >>> ulna.Deformer(c.meshes[0]).deform(c.clips[0].sample(0.3)).shape == c.meshes[0].positions.shape
    True
    )")
        .def(py::init(&makeDeformer), py::arg("mesh"), "Prepares a mesh.")
        .def("deform", &deform, py::arg("pose"), py::kw_only(), py::arg("blend") = "linear",
             py::arg("out") = py::none(), py::arg("threads") = 1,
             R"(Where the vertices are in a pose: (vertices, 3) in float32.

    >>> deformer = ulna.Deformer(c.meshes[0])
    >>> out = np.empty_like(c.meshes[0].positions)
    >>> deformer.deform(c.skeleton.rest_pose(), blend="dual-quaternion", out=out) is out
    True
    )");
    m.def(
        "tie", &tie, py::arg("mesh"), py::arg("skeleton"), py::kw_only(),
        py::arg("pose") = py::none(), py::arg("method") = "heat", py::arg("stiffness") = 1.0,
        py::arg("most") = 4, py::arg("threads") = 0, py::arg("progress") = py::none(),
        R"(Binds a surface to a skeleton: finds the pose that it fits, and makes weights by bone heat or distance.

    >>> bare = ulna.Mesh(c.meshes[0].positions, c.meshes[0].triangles)
    >>> ulna.tie(bare, c.skeleton).mesh
    <ulna.Mesh '' of 14359 vertices>
    )");
    const auto mesh_type = m.attr("Mesh").cast<py::object>();
    auto mesh = py::reinterpret_borrow<py::class_<MeshObject>>(mesh_type);
    mesh.def("prune", &prune, py::arg("most") = 4, py::arg("least") = 0.0,
             R"(The mesh with at most so many joints a vertex.

    >>> int((c.meshes[0].prune(2).weights > 0).sum(axis=1).max())
    2
    )")
        .def("smooth", &smooth, py::arg("amount") = 0.5, py::arg("rounds") = 1,
             R"(The mesh with weights moved towards those of neighbours.

    >>> np.allclose(c.meshes[0].smooth(0.5, 2).weights.sum(axis=1), 1, atol=1e-5)
    True
    )")
        .def("mirror_weights", &mirror, py::arg("side") = "left-to-right", py::kw_only(),
             py::arg("tolerance") = 1e-4, R"(The mesh with one side's weights on the other side too.

    >>> c.meshes[0].mirror_weights("right-to-left").weighted
    True
    )")
        .def("paint", &paintWith, py::arg("joint"), py::arg("centre"), py::arg("radius"),
             py::kw_only(), py::arg("strength") = 1.0, py::arg("mode") = "add",
             py::arg("value") = 1.0, py::arg("locked") = py::none(),
             R"(The mesh with a joint's weights painted by one dab of a brush.

    >>> body = c.meshes[0]
    >>> painted = body.paint("Head", body.positions[0], 0.05)
    >>> bool((painted.weights != body.weights).any())
    True
    )")
        .def("transfer_weights", &transfer, py::arg("source"),
             R"(The mesh with the weights that another mesh has at the nearest points.

    >>> bare = ulna.Mesh(c.meshes[0].positions, c.meshes[0].triangles)
    >>> bare.transfer_weights(c.meshes[0]).weighted
    True
    )")
        .def("pose", &posed, py::arg("pose"), py::kw_only(), py::arg("blend") = "linear",
             R"(The mesh as it is in a pose, without weights, computed in double.

    >>> c.meshes[0].pose(c.clips[0].sample(0.3)).weighted
    False
    )");
}

}  // namespace ulna::python
