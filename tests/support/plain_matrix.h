// SPDX-License-Identifier: Apache-2.0

// Kinematics by plain 4x4 matrices on column vectors, written from the formulas: what answers are
// judged by. It shares no arithmetic with the library; only plain data comes from there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::test {

struct PlainMatrix {
    std::array<std::array<double, 4>, 4> rows = {
        {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

    [[nodiscard]] Vec3 point(const Vec3& p) const;
    [[nodiscard]] Vec3 direction(const Vec3& v) const;
    [[nodiscard]] Vec3 origin() const { return {rows[0][3], rows[1][3], rows[2][3]}; }
};

[[nodiscard]] PlainMatrix operator*(const PlainMatrix& a, const PlainMatrix& b);
[[nodiscard]] PlainMatrix plainTranslation(const Vec3& by);
/// About a unit axis, by Rodrigues' formula.
[[nodiscard]] PlainMatrix plainRotation(const Vec3& axis, double angle);
[[nodiscard]] PlainMatrix plainRotation(const Quat& q);
/// Translation times rotation times scale.
[[nodiscard]] PlainMatrix plainTransform(const Trs& trs);
/// @pre m is a rotation and a translation, without scale.
[[nodiscard]] PlainMatrix plainInverse(const PlainMatrix& m);
/// The same with its columns made unit vectors: a rotation without its scale.
[[nodiscard]] PlainMatrix withoutScale(PlainMatrix m);

/// The angle between two rotations, and between two directions, in [0, pi].
[[nodiscard]] double plainAngle(const PlainMatrix& a, const PlainMatrix& b);
[[nodiscard]] double plainAngle(const Vec3& a, const Vec3& b);
/// The largest difference of two entries.
[[nodiscard]] double plainDifference(const PlainMatrix& a, const PlainMatrix& b);

/// The rotation of a ball's three coordinates, without the rest rotation.
[[nodiscard]] PlainMatrix plainBall(const JointDef& joint, std::span<const double> angles);
/// parent_from_joint for the joint's own coordinates: T(l + t) B R S.
[[nodiscard]] PlainMatrix plainJoint(const Skeleton& skeleton, JointId joint,
                                     std::span<const double> own);
/// model_from_joint of every joint.
[[nodiscard]] std::vector<PlainMatrix> plainModel(const Skeleton& skeleton,
                                                  std::span<const double> dofs);
/// The same of a pose.
[[nodiscard]] std::vector<PlainMatrix> plainModel(const Skeleton& skeleton, const Pose& pose);
/// A joint's own coordinates among all.
[[nodiscard]] std::span<const double> ownDofs(const Skeleton& skeleton, JointId joint,
                                              std::span<const double> dofs);

/// How far coordinates are outside limits and cones: the largest excess.
[[nodiscard]] double plainExcess(const Skeleton& skeleton, std::span<const double> dofs);

}  // namespace ulna::test
