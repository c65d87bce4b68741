// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/detail/joint_motion.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace ulna::detail {
namespace {

// Stretches closer to none than this are none: what float inverse bind matrices of files are off
// by, and half of what results may be.
constexpr double kNoStretch = 5e-7;

Mat3 times(const Mat3& m, double factor) {
    Mat3 out = m;
    for (Vec3& row : out.rows) row *= factor;
    return out;
}

// How far transpose(m) * m, which is a rotation's identity, is from `size2` times the identity.
double offUniform(const Mat3& m, double size2) {
    const Mat3 product = transpose(m) * m;
    double off = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k)
            off = std::max(off, std::abs(product.rows[i][k] - (i == k ? size2 : 0.0)));
    }
    return off;
}

struct Polar {
    Mat3 rotation;
    Mat3 stretch;
};

Polar polar(const Mat3& m) {
    Eigen::Matrix3d matrix;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k)
            matrix(i, k) = m.rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
    }
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::Matrix3d orthogonal = svd.matrixU() * svd.matrixV().transpose();
    const double sign = orthogonal.determinant() < 0.0 ? -1.0 : 1.0;
    const Eigen::Matrix3d stretch =
        svd.matrixV() * svd.singularValues().asDiagonal() * svd.matrixV().transpose();
    Polar out;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            out.rotation.rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] =
                sign * orthogonal(i, k);
            out.stretch.rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] =
                sign * stretch(i, k);
        }
    }
    return out;
}

}  // namespace

std::vector<Vec3> jointPlacesAtBind(std::span<const Affine> joint_from_bind) {
    std::vector<Vec3> out;
    out.reserve(joint_from_bind.size());
    for (const Affine& a : joint_from_bind) out.push_back(inverse(a).translation());
    return out;
}

JointMotion splitMotion(const Affine& posed_from_bind, const Vec3& place_at_bind) {
    const Mat3 linear = posed_from_bind.linear();
    double size2 = 0.0;
    for (const Vec3& row : linear.rows) size2 += dot(row, row) / 3.0;
    Polar parts;
    bool stretches = true;
    if (size2 > 0.0 && offUniform(linear, size2) <= 2.0 * kNoStretch * size2) {
        // The same in all directions, as nearly always: no decomposition is needed.
        const double size = std::copysign(std::sqrt(size2), determinant(linear));
        stretches = std::abs(size - 1.0) > kNoStretch;
        parts = {times(linear, 1.0 / size), times(Mat3{}, size)};
    } else {
        parts = polar(linear);
    }
    JointMotion out;
    out.motion.rotation = quatFromMatrix(parts.rotation);
    out.motion.translation =
        posed_from_bind * place_at_bind - rotate(out.motion.rotation, place_at_bind);
    out.stretches = stretches;
    if (stretches)
        out.stretch = makeAffine(parts.stretch, place_at_bind - parts.stretch * place_at_bind);
    return out;
}

DualQuat toDualQuat(const Rigid& motion) {
    const Vec3 half = motion.translation * 0.5;
    return {motion.rotation, Quat{half.x, half.y, half.z, 0.0} * motion.rotation};
}

}  // namespace ulna::detail
