// SPDX-License-Identifier: Apache-2.0

// Kabsch, "A solution for the best rotation to relate two sets of vectors" (1976); the polar
// decomposition by singular values after Higham (1986).
#include "ulna/math/polar.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

namespace ulna {
namespace {

Eigen::Matrix3d toEigen(const Mat3& m) {
    Eigen::Matrix3d out;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c)
            out(r, c) = m.rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
    }
    return out;
}

Mat3 fromEigen(const Eigen::Matrix3d& m) {
    Mat3 out;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c)
            out.rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = m(r, c);
    }
    return out;
}

}  // namespace

Polar polarDecomposition(const Mat3& m) {
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(toEigen(m),
                                                Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::Matrix3d orthogonal = svd.matrixU() * svd.matrixV().transpose();
    const double sign = orthogonal.determinant() < 0.0 ? -1.0 : 1.0;
    const Eigen::Matrix3d stretch =
        svd.matrixV() * svd.singularValues().asDiagonal() * svd.matrixV().transpose();
    return {fromEigen(sign * orthogonal), fromEigen(sign * stretch)};
}

std::optional<Quat> nearestRotation(const Mat3& m) {
    const Eigen::Matrix3d a = toEigen(m);
    if (!a.allFinite()) return std::nullopt;
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    // With two singular values of zero, the rotation about the third direction is open.
    if (!(svd.singularValues()[1] > 1e-8 * svd.singularValues()[0])) return std::nullopt;
    Eigen::Matrix3d u = svd.matrixU();
    if ((u * svd.matrixV().transpose()).determinant() < 0.0) u.col(2) = -u.col(2);
    return quatFromMatrix(fromEigen(u * svd.matrixV().transpose()));
}

std::optional<Quat> nearestPlanarRotation(const Mat3& m) {
    const double sine = m.rows[1].x - m.rows[0].y;
    const double cosine = m.rows[0].x + m.rows[1].y;
    // Entries are sums of lengths in the unit of the character; the square of 1e-10 is rounding.
    if (!(sine * sine + cosine * cosine > 1e-20)) return std::nullopt;
    return quatFromAxisAngle(Vec3{0, 0, 1}, std::atan2(sine, cosine));
}

}  // namespace ulna
