// SPDX-License-Identifier: Apache-2.0

// Rotations as rows of numbers, in the forms that data sets and networks write them, and poses made
// of such rows.
//
//     const RotationRows rows{.layout = *rotationLayoutFromName("6d"), .count = 120,
//                             .rotations = numbers};
//     const Result<std::vector<Pose>> poses = makePoses(skeleton, rows);
//
// Rotations of a pose include the rest rotation, as Pose has them. For clips in coordinates, one
// per degree of freedom, see motion/dof_clip.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/math/euler.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

enum class RotationForm : std::uint8_t {
    Quaternion,      ///< x, y, z, w
    Matrix,          ///< nine numbers, row by row
    SixD,            ///< the first column of the matrix, then the second (Zhou et al., 2019)
    RotationVector,  ///< the axis times the angle in radians
    Euler,           ///< three angles in radians, in the sequence of their order
};

struct RotationLayout {
    RotationForm form = RotationForm::Quaternion;
    EulerOrder order = EulerOrder::Xyz;  ///< of Euler angles

    friend bool operator==(const RotationLayout&, const RotationLayout&) = default;
};

/// "quat", "matrix", "6d", "rotation-vector", and "euler-" with the name of an order: "euler-zxy".
[[nodiscard]] std::string rotationLayoutName(const RotationLayout& layout);
[[nodiscard]] std::optional<RotationLayout> rotationLayoutFromName(std::string_view name);

/// How many numbers a rotation has.
[[nodiscard]] std::size_t rotationSize(const RotationLayout& layout);

/// The rotation of a row. Quaternions are normalised; of a matrix and of six numbers the rotation
/// is taken that keeps the direction of the first column, and the plane of the first two. Nothing
/// where the numbers are no rotation: one is not finite, a quaternion or a column is zero, both
/// columns have one direction, the matrix is that of a reflection.
/// @pre row.size() == rotationSize(layout)
[[nodiscard]] std::optional<Quat> readRotation(const RotationLayout& layout,
                                               std::span<const double> row);

/// Writes a rotation. Of angles that express it, those nearest to what `row` has already; of a
/// quaternion and its negative likewise. So rows that each start as a copy of the one before make a
/// track without jumps; zeros give the usual ones.
/// @pre row.size() == rotationSize(layout); row is finite.
void writeRotation(const RotationLayout& layout, const Quat& rotation, std::span<double> row);

enum class RotationSpace : std::uint8_t {
    Parent,  ///< relative to the parent joint
    Model,   ///< relative to the model
};

/// Poses of one skeleton as numbers. Refers to memory of the caller's.
struct RotationRows {
    RotationLayout layout = {};
    RotationSpace space = RotationSpace::Parent;
    std::size_t count = 0;                   ///< how many poses there are
    std::span<const double> rotations = {};  ///< pose by pose, joint by joint
    std::span<const JointId> joints = {};    ///< whose rotations they are; empty: of every joint.
                                             ///< Other joints are as at rest
    std::span<const double> translations = {};  ///< pose by pose: of the first root, or of every
                                                ///< joint of the skeleton; empty: as at rest
};

/// Whether the spans have the sizes that the skeleton and `count` ask for.
[[nodiscard]] Status checkRows(const Skeleton& skeleton, const RotationRows& rows);

/// One pose. The error names the numbers that are no rotation, or not finite, by their indices:
/// `rotations[12][3]`.
/// @pre checkRows finds nothing wrong; i < rows.count; pose has one transform per joint, whose
/// scales stay.
[[nodiscard]] Status readPose(const Skeleton& skeleton, const RotationRows& rows, std::size_t i,
                              Pose& pose);

/// All poses; the errors are those of checkRows and readPose.
[[nodiscard]] Result<std::vector<Pose>> makePoses(const Skeleton& skeleton,
                                                  const RotationRows& rows);

/// Model positions of every joint, three numbers each, pose by pose, without poses in between.
/// @param threads 0 means one per core; the result is the same for any number.
/// @pre out has three numbers per pose and joint of the skeleton.
[[nodiscard]] Status computePositions(const Skeleton& skeleton, const RotationRows& rows,
                                      std::span<double> out, unsigned threads = 0);
[[nodiscard]] Status computePositions(const Skeleton& skeleton, const RotationRows& rows,
                                      std::span<float> out, unsigned threads = 0);

}  // namespace ulna
