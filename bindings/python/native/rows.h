// SPDX-License-Identifier: Apache-2.0

// Rotations of many poses as Python hands them over.
#pragma once

#include "bindings/python/native/common.h"
#include "ulna/motion/rotation_rows.h"

namespace ulna::python {

/// Rows, and the arrays that they refer to.
struct RowsArguments {
    RotationRows rows;
    bool many = false;  ///< whether there is an axis of poses
    DoubleArray rotations;
    std::optional<DoubleArray> translations;
    std::vector<JointId> joints;

    RowsArguments() = default;
    RowsArguments(const RowsArguments&) = delete;
    RowsArguments(RowsArguments&&) = default;
};

/// The rows of arguments whose names are those of Skeleton.positions; ValueError and TypeError
/// where they do not fit the skeleton.
[[nodiscard]] RowsArguments rowsOf(const Skeleton& skeleton, const py::object& rotations,
                                   const py::object& translations, const std::string& form,
                                   const std::string& space, const py::object& joints);

/// Rotations of poses in a form and a space, each track without jumps: (poses, joints, numbers).
[[nodiscard]] py::array_t<double> rotationsOf(const Skeleton& skeleton, std::span<const Pose> poses,
                                              const std::string& form, const std::string& space);

}  // namespace ulna::python
