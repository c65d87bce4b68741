// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/detail/joint_motion.h"

#include <algorithm>
#include <cmath>

#include "ulna/math/polar.h"

namespace ulna::skin::detail {
namespace {

// Stretches closer to none than this are none: what float inverse bind matrices of files are off
// by, and half of what results may be.
constexpr double kNoStretch = 5e-7;

// How far the images of x, y and z are from being perpendicular and of one length.
double offUniform(const Vec3& x, const Vec3& y, const Vec3& z, double length2) {
    const double lengths = std::max({std::abs(dot(x, x) - length2), std::abs(dot(y, y) - length2),
                                     std::abs(dot(z, z) - length2)});
    const double angles = std::max({std::abs(dot(x, y)), std::abs(dot(y, z)), std::abs(dot(z, x))});
    return std::max(lengths, angles);
}

}  // namespace

std::vector<Vec3> jointPositionsAtBind(std::span<const Affine> joint_from_bind) {
    std::vector<Vec3> out;
    out.reserve(joint_from_bind.size());
    for (const Affine& a : joint_from_bind) out.push_back(inverse(a).translation());
    return out;
}

JointMotion splitMotion(const Affine& posed_from_bind, const Vec3& position_at_bind) {
    const Vec3 x = posed_from_bind.column(0);
    const Vec3 y = posed_from_bind.column(1);
    const Vec3 z = posed_from_bind.column(2);
    const double length2 = (dot(x, x) + dot(y, y) + dot(z, z)) / 3.0;
    JointMotion out;
    Mat3 stretch;
    if (length2 > 0.0 && offUniform(x, y, z, length2) <= 2.0 * kNoStretch * length2) {
        // The same in all directions, as nearly always: no decomposition is needed.
        const double size = std::copysign(std::sqrt(length2), dot(x, cross(y, z)));
        const double to_one = 1.0 / size;
        out.motion.rotation = quatFromMatrix(Mat3::fromColumns(x * to_one, y * to_one, z * to_one));
        out.stretches = std::abs(size - 1.0) > kNoStretch;
        stretch = Mat3{{{size, 0, 0}, {0, size, 0}, {0, 0, size}}};
    } else {
        const Polar parts = polarDecomposition(posed_from_bind.linear());
        out.motion.rotation = quatFromMatrix(parts.rotation);
        out.stretches = true;
        stretch = parts.stretch;
    }
    out.motion.translation =
        posed_from_bind * position_at_bind - rotate(out.motion.rotation, position_at_bind);
    if (out.stretches)
        out.stretch = makeAffine(stretch, position_at_bind - stretch * position_at_bind);
    return out;
}

DualQuat toDualQuat(const Rigid& motion) {
    const Vec3 half = motion.translation * 0.5;
    return {motion.rotation, Quat{half.x, half.y, half.z, 0.0} * motion.rotation};
}

}  // namespace ulna::skin::detail
