// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/native/rows.h"

namespace ulna::python {

RowsArguments rowsOf(const Skeleton& skeleton, const py::object& rotations,
                     const py::object& translations, const std::string& form,
                     const std::string& space, const py::object& joints) {
    RowsArguments out;
    const std::optional<RotationLayout> layout = rotationLayoutFromName(form);
    if (!layout)
        raiseValue(
            "form is 'quat', 'matrix', '6d', 'rotation-vector' or 'euler-' with an order "
            "such as 'euler-zxy', not '" +
            form + "'");
    constexpr Word<RotationSpace> kSpaces[] = {{"local", RotationSpace::Parent},
                                               {"model", RotationSpace::Model}};
    out.rows.layout = *layout;
    out.rows.space = valueOf(space, "space", kSpaces);
    out.joints = jointsOf(skeleton, joints);
    const auto size = asSsize(rotationSize(*layout));
    const py::array given = py::array::ensure(rotations);
    if (!given) {
        PyErr_Clear();
        raiseType("rotations cannot be made an array");
    }
    // Matrices may stand as 3 x 3, as most programs have them.
    const bool square = layout->form == RotationForm::Matrix && given.ndim() >= 2 &&
                        given.shape(given.ndim() - 1) == 3;
    const py::ssize_t per_pose = square ? 3 : 2;
    if (given.ndim() != per_pose && given.ndim() != per_pose + 1)
        raiseValue("rotations have axes for poses, joints and numbers, not " +
                   py::str(given.attr("shape")).cast<std::string>());
    out.many = given.ndim() == per_pose + 1;
    const py::ssize_t width = given.shape(out.many ? 1 : 0);
    // Files of motion mostly leave out End Sites, which do not rotate.
    if (joints.is_none() && width != asSsize(skeleton.jointCount())) {
        for (const JointId j : skeleton.joints())
            if (!skeleton.isEndSite(j)) out.joints.push_back(j);
        if (asSsize(out.joints.size()) != width) out.joints.clear();
    }
    const py::ssize_t joint_count =
        asSsize(out.joints.empty() ? skeleton.jointCount() : out.joints.size());
    out.rotations = square ? doublesOfMany(rotations, "rotations", {joint_count, 3, 3}, false)
                           : doublesOfMany(rotations, "rotations", {joint_count, size}, false);
    out.rows.count = out.many ? asSize(given.shape(0)) : 1;
    if (!translations.is_none()) {
        const py::array moved = py::array::ensure(translations);
        if (!moved) {
            PyErr_Clear();
            raiseType("translations cannot be made an array");
        }
        const auto count = asSsize(out.rows.count);
        const auto all = asSsize(skeleton.jointCount());
        const py::ssize_t axes = moved.ndim() - (out.many ? 1 : 0);
        out.translations =
            axes == 1 ? (out.many ? doublesOf(translations, "translations", {count, 3}, false)
                                  : doublesOf(translations, "translations", {3}, false))
                      : (out.many ? doublesOf(translations, "translations", {count, all, 3}, false)
                                  : doublesOf(translations, "translations", {all, 3}, false));
        out.rows.translations = out.translations->values();
    }
    out.rows.rotations = out.rotations.values();
    out.rows.joints = out.joints;
    check(checkRows(skeleton, out.rows));
    return out;
}

}  // namespace ulna::python
