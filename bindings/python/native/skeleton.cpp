// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/skeleton.h"

#include "bindings/python/native/rows.h"
#include "ulna/io/rig_json.h"
#include "ulna/motion/rotation_rows.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/size.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna::python {
namespace {

SkeletonObject makeObject(Skeleton skeleton) {
    return {std::make_shared<const Skeleton>(std::move(skeleton))};
}

SkeletonObject fromRigJoints(const WordsList& joints, bool planar) {
    py::dict rig;
    rig["ulna"] = 1;
    rig["planar"] = planar;
    rig["joints"] = joints;
    Result<io::RigFile> file = io::readRig(jsonOf(rig), "");
    if (!file) raise(file.error());
    return makeObject(std::move(file->skeleton));
}

SkeletonObject fromArrays(const std::vector<std::string>& names, const Numbers& parents,
                          const Numbers& offsets, const MaybeNumbers& rotations,
                          const std::optional<std::vector<std::string>>& kinds) {
    const py::ssize_t count = asSsize(names.size());
    const DoubleArray above = doublesOf(parents, "parents", {count});
    const DoubleArray offset = doublesOf(offsets, "offsets", {count, 3});
    std::optional<DoubleArray> rotation;
    if (!rotations.is_none()) rotation = doublesOf(rotations, "rotations", {count, 4});
    if (kinds && kinds->size() != names.size()) raiseValue("kinds are as many as names");
    std::vector<JointDef> joints;
    std::vector<int> indices;
    for (std::size_t i = 0; i < names.size(); ++i) {
        JointDef joint{.name = names[i]};
        const double parent = above.values()[i];
        if (!(parent >= -1.0 && parent < static_cast<double>(count)) ||
            parent != static_cast<double>(static_cast<int>(parent)))
            raiseValue("parents are indices of joints, or -1 for roots");
        indices.push_back(static_cast<int>(parent));
        joint.kind = indices.back() < 0 ? JointKind::Free : JointKind::Ball;
        if (kinds) {
            const std::optional<JointKind> kind = jointKindFromName((*kinds)[i]);
            if (!kind)
                raiseWord((*kinds)[i], "a kind",
                          {"fixed", "hinge", "universal", "ball", "free", "prismatic"});
            joint.kind = *kind;
        }
        const std::span<const double> at = offset.values().subspan(3 * i, 3);
        joint.rest.translation = {at[0], at[1], at[2]};
        if (rotation) {
            const std::optional<Quat> q = readRotation({}, rotation->values().subspan(4 * i, 4));
            if (!q) raiseValue("a quaternion of rotations is zero");
            joint.rest.rotation = *q;
        }
        joints.push_back(std::move(joint));
    }
    OrderedSkeleton made = take(makeOrderedSkeleton(std::move(joints), indices));
    for (std::size_t i = 0; i < made.ids.size(); ++i)
        if (index(made.ids[i]) != i)
            raiseValue(
                "joints must stand depth first: each below its parent, whole limbs together");
    return makeObject(std::move(made.skeleton));
}

py::array_t<std::int32_t> parentsOf(const SkeletonObject& s) {
    py::array_t<std::int32_t> out(asSsize(s->jointCount()));
    for (std::size_t i = 0; i < s->jointCount(); ++i)
        out.mutable_data()[i] = static_cast<std::int32_t>(s->parents()[i]);
    return out;
}

py::array_t<double> offsetsOf(const SkeletonObject& s) {
    py::array_t<double> out = newDoubles({asSsize(s->jointCount()), 3});
    double* to = out.mutable_data();
    for (const JointId j : s->joints())
        for (std::size_t k = 0; k < 3; ++k) *to++ = s->rest(j).translation[k];
    return out;
}

py::array_t<double> limitsOf(const SkeletonObject& s) {
    py::array_t<double> out = newDoubles({asSsize(s->dofCount()), 2});
    double* to = out.mutable_data();
    for (const DofLimit& limit : s->dofLimits()) {
        *to++ = limit.min;
        *to++ = limit.max;
    }
    return out;
}

AnyFloats positions(const SkeletonObject& s, const Numbers& rotations,
                    const MaybeNumbers& translations, const std::string& form,
                    const std::string& space, const MaybeJointRefs& joints, const MaybeOut& out,
                    int threads) {
    const RowsArguments arguments = rowsOf(*s, rotations, translations, form, space, joints);
    const auto count = asSsize(arguments.rows.count);
    const auto width = asSsize(s->jointCount());
    OutArray to = outArray(out, arguments.many ? std::vector<py::ssize_t>{count, width, 3}
                                               : std::vector<py::ssize_t>{width, 3});
    const unsigned most = threadsOf(threads);
    const std::span<double> doubles = to.is_float ? std::span<double>() : to.doubles();
    const std::span<float> floats = to.is_float ? to.floats() : std::span<float>();
    check(withoutGil([&] {
        return to.is_float ? computePositions(*s, arguments.rows, floats, most)
                           : computePositions(*s, arguments.rows, doubles, most);
    }));
    return to.array;
}

}  // namespace

void bindSkeleton(py::module_& m) {
    py::class_<SkeletonObject>(m, "Skeleton",
                               R"(A tree of joints, parents before children. It never changes.

    >>> arm = ulna.Skeleton([
    ...     {"name": "shoulder", "kind": "ball"},
    ...     {"name": "elbow", "parent": "shoulder", "kind": "hinge", "axis": [0, 0, 1], "offset": [0.3, 0, 0]},
    ...     {"name": "hand", "parent": "elbow", "kind": "fixed", "offset": [0.25, 0, 0]}])
    >>> arm.joints, arm.dof_count
    (['shoulder', 'elbow', 'hand'], 4)
    )")
        .def(py::init(&fromRigJoints), py::arg("joints"), py::kw_only(), py::arg("planar") = false,
             "Builds a skeleton from joints as rig files have them; angles are in degrees there.")
        .def_static("from_arrays", &fromArrays, py::arg("names"), py::arg("parents"),
                    py::arg("offsets"), py::arg("rotations") = py::none(),
                    py::arg("kinds") = py::none(),
                    R"(Builds a skeleton from names, parents (-1 for a root) and offsets.

    Joints stand depth first. Roots move freely and other joints are balls, unless `kinds` says what they are.

    >>> ulna.Skeleton.from_arrays(["Hips", "Spine"], [-1, 0], [[0, 1, 0], [0, 0.2, 0]]).kinds
    ['free', 'ball']
    )")
        .def_property_readonly(
            "joints",
            [](const SkeletonObject& s) {
                return std::vector<std::string>(s->names().begin(), s->names().end());
            },
            "The names of all joints.")
        .def_property_readonly(
            "parents", [](const SkeletonObject& s) { return Int32s(parentsOf(s)); },
            "The index of each joint's parent, -1 for a root.")
        .def_property_readonly(
            "kinds",
            [](const SkeletonObject& s) {
                std::vector<std::string> out;
                for (const JointId j : s->joints()) out.emplace_back(jointKindName(s->kind(j)));
                return out;
            },
            "The kind of each joint: fixed, hinge, universal, ball, free or prismatic.")
        .def_property_readonly(
            "offsets", [](const SkeletonObject& s) { return Floats(offsetsOf(s)); },
            "Where each joint is at rest, relative to its parent: (joints, 3).")
        .def_property_readonly(
            "end_sites",
            [](const SkeletonObject& s) {
                std::vector<std::string> out;
                for (const JointId j : s->joints())
                    if (s->isEndSite(j)) out.push_back(s->name(j));
                return out;
            },
            "The joints that only mark the tip of a bone and do not rotate.")
        .def_property_readonly(
            "dof_count", [](const SkeletonObject& s) { return s->dofCount(); },
            "How many degrees of freedom there are.")
        .def_property_readonly(
            "dof_names",
            [](const SkeletonObject& s) {
                std::vector<std::string> out;
                for (std::size_t i = 0; i < s->dofCount(); ++i) out.push_back(s->dofName(i));
                return out;
            },
            "What people call each degree of freedom: LeftKnee, Hips.tx, Hips.rz.")
        .def_property_readonly(
            "dof_limits", [](const SkeletonObject& s) { return Floats(limitsOf(s)); },
            "The least and the largest value of each degree of freedom, in radians or lengths: "
            "(dofs, 2).")
        .def_property_readonly(
            "planar", [](const SkeletonObject& s) { return s->planar(); },
            "Whether the skeleton is one of the plane z = 0.")
        .def_property_readonly(
            "size", [](const SkeletonObject& s) { return bodySize(*s); },
            "The largest extent of the rest pose, which tolerances are relative to.")
        .def_property_readonly(
            "up",
            [](const SkeletonObject& s) {
                return std::string(guessUpAxis(*s) == UpAxis::Z ? "z" : "y");
            },
            "Which axis is up, as far as the rest pose tells: y or z.")
        .def("__len__", [](const SkeletonObject& s) { return s->jointCount(); })
        .def(
            "__contains__",
            [](const SkeletonObject& s, const std::string& name) {
                return s->find(name) != JointId::None;
            },
            py::arg("name"))
        .def(
            "index",
            [](const SkeletonObject& s, const JointRef& joint) {
                return index(jointOf(*s, joint));
            },
            py::arg("joint"), R"(The index of a joint; KeyError has similar names.

    >>> c.skeleton.index("Hips")
    0
    )")
        .def(
            "children",
            [](const SkeletonObject& s, const JointRef& joint) {
                return namesOf(*s, s->children(jointOf(*s, joint)));
            },
            py::arg("joint"), R"(The names of the joints right below one.

    >>> c.skeleton.children("LeftForeArm")
    ['LeftHand']
    )")
        .def(
            "chain",
            [](const SkeletonObject& s, const JointRef& from, const JointRef& to) {
                return namesOf(*s, s->chain(jointOf(*s, from), jointOf(*s, to)));
            },
            py::arg("start"), py::arg("end"),
            R"(The names from one joint down to another, both included.

    >>> c.skeleton.chain("LeftArm", "LeftHand")
    ['LeftArm', 'LeftForeArm', 'LeftHand']
    )")
        .def("positions", &positions, py::arg("rotations"), py::arg("translations") = py::none(),
             py::kw_only(), py::arg("form") = "quat", py::arg("space") = "local",
             py::arg("joints") = py::none(), py::arg("out") = py::none(), py::arg("threads") = 0,
             R"(Forward kinematics: model positions of all joints for rotations of one pose or many.

    Rotations have the shape (joints, numbers) or (poses, joints, numbers) and include the rest rotation. Their form
    is "quat" (x, y, z, w), "matrix" (by rows, also 3 x 3), "6d" (two columns), "rotation-vector" or "euler-zxy" and
    the like, in radians. Translations are those of the root, (3,) or (poses, 3), or of all joints.
    `joints` says whose rotations they are; by default those of all joints, or of all but End Sites.

    >>> turned = np.zeros((100, len(c.skeleton), 4)); turned[..., 3] = 1
    >>> c.skeleton.positions(turned).shape == (100, len(c.skeleton), 3)
    True
    )");
}

}  // namespace ulna::python
