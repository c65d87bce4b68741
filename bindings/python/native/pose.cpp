// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/pose.h"

#include "bindings/python/native/rows.h"
#include "ulna/character/stage.h"
#include "ulna/motion/blend.h"
#include "ulna/motion/mirror.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/jacobian.h"
#include "ulna/skeleton/state.h"

namespace ulna::python {
namespace {

static_assert(sizeof(Trs) == 10 * sizeof(double), "arrays show the numbers of a pose in place");
static_assert(sizeof(Affine) == 16 * sizeof(double));

// One field of the transforms, shown without a copy: (joints, width).
Floats fieldOf(const py::object& self, const double* first, py::ssize_t width) {
    const auto& pose = self.cast<const PoseObject&>();
    const auto count = asSsize(pose.pose->parent_from_joint.size());
    return viewOf<double>(first, {count, width}, {sizeof(Trs), sizeof(double)}, self);
}

const Trs& firstOf(const py::object& self) {
    static const Trs kNone;
    const auto& joints = self.cast<const PoseObject&>().pose->parent_from_joint;
    return joints.empty() ? kNone : joints.front();
}

PoseObject fromRotations(const SkeletonObject& s, const Numbers& rotations,
                         const MaybeNumbers& translations, const std::string& form,
                         const std::string& space, const MaybeJointRefs& joints) {
    const RowsArguments arguments = rowsOf(*s, rotations, translations, form, space, joints);
    if (arguments.many) raiseValue("one pose has rotations of the shape (joints, numbers)");
    std::vector<Pose> poses = take(makePoses(*s, arguments.rows));
    return makePose(s.skeleton, std::move(poses.front()));
}

PoseObject fromDofs(const SkeletonObject& s, const Numbers& dofs) {
    const DoubleArray values = doublesOf(dofs, "dofs", {asSsize(s->dofCount())});
    return makePose(s.skeleton, computePose(*s, values.values()));
}

Floats positionsOf(const PoseObject& p) {
    const ModelPose model = computeModelPose(*p.skeleton, *p.pose);
    py::array_t<double> out = newDoubles({asSsize(model.model_from_joint.size()), 3});
    double* to = out.mutable_data();
    for (const Affine& joint : model.model_from_joint)
        for (std::size_t k = 0; k < 3; ++k) *to++ = joint.columns[3][k];
    return Floats(out);
}

Floats matricesOf(const PoseObject& p) {
    const ModelPose model = computeModelPose(*p.skeleton, *p.pose);
    py::array_t<double> out = newDoubles({asSsize(model.model_from_joint.size()), 4, 4});
    double* to = out.mutable_data();
    for (const Affine& joint : model.model_from_joint)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t k = 0; k < 4; ++k) *to++ = joint.columns[k][row];
    return Floats(out);
}

Floats rotationsIn(const PoseObject& p, const std::string& form, const std::string& space) {
    const std::vector<Pose> one(1, *p.pose);
    const py::array_t<double> many = rotationsOf(*p.skeleton, one, form, space);
    return Floats(many.attr("__getitem__")(0));
}

Floats dofsOf(const PoseObject& p, const MaybeNumbers& near) {
    std::optional<DoubleArray> start;
    if (!near.is_none()) start = doublesOf(near, "near", {asSsize(p.skeleton->dofCount())});
    const DofFit fit =
        computeDofs(*p.skeleton, *p.pose, start ? start->values() : std::span<const double>());
    return Floats(py::array_t<double>(asSsize(fit.dofs.size()), fit.dofs.data()));
}

Floats jacobianOf(const PoseObject& p, const JointRef& joint, const Numbers& point) {
    const JointId id = jointOf(*p.skeleton, joint);
    const Vec3 at = vec3Of(point, "point");
    const DofFit fit = computeDofs(*p.skeleton, *p.pose);
    const PointJacobian columns = computePointJacobian(*p.skeleton, fit.dofs, {id, at});
    py::array_t<double> out = newDoubles({3, asSsize(columns.size())});
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t i = 0; i < columns.size(); ++i)
            out.mutable_data()[row * columns.size() + i] = columns[i][row];
    return Floats(out);
}

PoseObject blended(const PoseObject& a, const PoseObject& b, double amount) {
    checkSameJoints(*a.skeleton, *b.skeleton, "the other pose");
    if (!(amount >= 0.0 && amount <= 1.0)) raiseValue("amount is from 0 to 1");
    const PoseLayer layers[] = {{a.pose.get(), 1.0 - amount}, {b.pose.get(), amount}};
    return makePose(a.skeleton, blendPoses(layers));
}

std::string repr(const PoseObject& p) {
    return "<ulna.Pose of " + std::to_string(p.skeleton->jointCount()) + " joints>";
}

}  // namespace

py::array_t<double> rotationsOf(const Skeleton& skeleton, std::span<const Pose> poses,
                                const std::string& form, const std::string& space) {
    const std::optional<RotationLayout> layout = rotationLayoutFromName(form);
    if (!layout)
        raiseValue(
            "form is 'quat', 'matrix', '6d', 'rotation-vector' or 'euler-' with an order "
            "such as 'euler-zxy', not '" +
            form + "'");
    constexpr Word<RotationSpace> kSpaces[] = {{"local", RotationSpace::Parent},
                                               {"model", RotationSpace::Model}};
    const bool in_model = valueOf(space, "space", kSpaces) == RotationSpace::Model;
    const std::size_t size = rotationSize(*layout), joints = skeleton.jointCount();
    const bool square = layout->form == RotationForm::Matrix;
    std::vector<py::ssize_t> shape = {asSsize(poses.size()), asSsize(joints)};
    if (square)
        shape.insert(shape.end(), {3, 3});
    else
        shape.push_back(asSsize(size));
    py::array_t<double> out = newDoubles(shape);
    const std::span<double> to(out.mutable_data(), asSize(out.size()));
    withoutGil([&] {
        const std::size_t row = joints * size;
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const std::vector<Quat> model =
                in_model ? computeOrientations(skeleton, poses[i]) : std::vector<Quat>();
            for (std::size_t j = 0; j < joints; ++j) {
                const std::span<double> here = to.subspan(i * row + j * size, size);
                for (std::size_t k = 0; k < size; ++k)
                    here[k] = i == 0 ? 0.0 : to[(i - 1) * row + j * size + k];
                writeRotation(*layout, in_model ? model[j] : poses[i].parent_from_joint[j].rotation,
                              here);
            }
        }
        return true;
    });
    return out;
}

void bindPose(py::module_& m) {
    py::class_<PoseObject>(
        m, "Pose",
        R"(A skeleton in a pose: one transform per joint, relative to its parent. It never changes.

    >>> pose = c.skeleton.rest_pose()
    >>> pose.positions().shape == (len(c.skeleton), 3)
    True
    )")
        .def_static("from_rotations", &fromRotations, py::arg("skeleton"), py::arg("rotations"),
                    py::arg("translations") = py::none(), py::kw_only(), py::arg("form") = "quat",
                    py::arg("space") = "local", py::arg("joints") = py::none(),
                    R"(A pose of rotations, with the arguments of Skeleton.positions.

    >>> pose = ulna.Pose.from_rotations(c.skeleton, c.skeleton.rest_pose().rotations("6d"), form="6d")
    >>> np.allclose(pose.positions(), c.skeleton.rest_pose().positions())
    True
    )")
        .def_static(
            "from_dofs", &fromDofs, py::arg("skeleton"), py::arg("dofs"),
            R"(The pose of these coordinates, one per degree of freedom; all zero is the rest pose.

    >>> ulna.Pose.from_dofs(c.skeleton, np.zeros(c.skeleton.dof_count)) == c.skeleton.rest_pose()
    True
    )")
        .def_property_readonly(
            "skeleton", [](const PoseObject& p) { return SkeletonObject{p.skeleton}; },
            "The skeleton that is in this pose.")
        .def_property_readonly(
            "translations",
            [](const py::object& self) { return fieldOf(self, &firstOf(self).translation.x, 3); },
            "Translations relative to the parent, shown without a copy: (joints, 3).")
        .def_property_readonly(
            "scales",
            [](const py::object& self) { return fieldOf(self, &firstOf(self).scale.x, 3); },
            "Scales, shown without a copy: (joints, 3).")
        .def_property_readonly(
            "quaternions",
            [](const py::object& self) { return fieldOf(self, &firstOf(self).rotation.x, 4); },
            "Rotations relative to the parent, x y z w, shown without a copy: (joints, 4).")
        .def("positions", &positionsOf, R"(Where all joints are in the model: (joints, 3).

    >>> c.skeleton.rest_pose().positions()[0].shape
    (3,)
    )")
        .def("rotations", &rotationsIn, py::arg("form") = "quat", py::kw_only(),
             py::arg("space") = "local",
             R"(Rotations of all joints in a form of Skeleton.positions: (joints, numbers).

    `space` is "local" (relative to the parent) or "model". Matrices are (joints, 3, 3).

    >>> c.skeleton.rest_pose().rotations("matrix", space="model").shape[1:]
    (3, 3)
    )")
        .def("matrices", &matricesOf, R"(The transform from each joint to the model: (joints, 4, 4).

    >>> bool((c.skeleton.rest_pose().matrices()[:, 3] == [0, 0, 0, 1]).all())
    True
    )")
        .def("dofs", &dofsOf, py::arg("near") = py::none(),
             R"(The coordinates nearest to the pose, one per degree of freedom.

    Of those that are equally near, the ones nearest to `near`.

    >>> bool(abs(c.skeleton.rest_pose().dofs()).max() < 1e-9)
    True
    )")
        .def("jacobian", &jacobianOf, py::arg("joint"),
             py::arg("point") = py::make_tuple(0.0, 0.0, 0.0),
             R"(The derivative of a point's model position by the degrees of freedom: (3, dofs).

    The point is fixed to a joint, in its coordinates. The pose is taken as its coordinates have it.

    >>> c.skeleton.rest_pose().jacobian("LeftHand").shape == (3, c.skeleton.dof_count)
    True
    )")
        .def("blend", &blended, py::arg("other"), py::arg("amount"),
             R"(A mixture: 0 is this pose, 1 the other one; rotations by slerp.

    >>> rest = c.skeleton.rest_pose()
    >>> np.allclose(rest.blend(rest, 0.5).positions(), rest.positions())
    True
    )")
        .def(
            "mirror",
            [](const PoseObject& p) {
                return makePose(p.skeleton,
                                mirrored(*p.skeleton, take(findMirrorPairs(*p.skeleton)), *p.pose));
            },
            R"(The pose in a mirror: each side does what the other did.

    >>> pose = c.clips[0].sample(0.3)
    >>> np.allclose(pose.mirror().mirror().positions(), pose.positions(), atol=1e-9)
    True
    )")
        .def("__len__", [](const PoseObject& p) { return p.pose->parent_from_joint.size(); })
        .def(
            "__eq__",
            [](const PoseObject& a, const py::object& other) {
                if (!py::isinstance<PoseObject>(other)) return false;
                return *a.pose == *other.cast<const PoseObject&>().pose;
            },
            py::arg("other"))
        .def("__repr__", &repr);
    const auto type = m.attr("Skeleton").cast<py::object>();
    py::reinterpret_borrow<py::class_<SkeletonObject>>(type).def(
        "rest_pose", [](const SkeletonObject& s) { return makePose(s.skeleton, restPose(*s)); },
        R"(Every joint at rest.

    >>> len(c.skeleton.rest_pose()) == len(c.skeleton)
    True
    )");
}

}  // namespace ulna::python
