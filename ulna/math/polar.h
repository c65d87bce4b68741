// SPDX-License-Identifier: Apache-2.0

// The rotation in a 3x3 matrix: the nearest one, and the polar decomposition.
#pragma once

#include <optional>

#include "ulna/math/mat3.h"
#include "ulna/math/quat.h"

namespace ulna {

/// m = rotation * stretch, where the stretch is symmetric. A matrix that mirrors has a stretch that
/// is negative definite, so that the rotation is always a proper one.
struct Polar {
    Mat3 rotation;
    Mat3 stretch;
};
[[nodiscard]] Polar polarDecomposition(const Mat3& m);

/// The rotation R that is nearest to a matrix, which is the one with the largest dot(R, m) (Kabsch
/// 1976). Nothing where the matrix does not determine it: where two singular values are zero, or an
/// entry is not finite.
[[nodiscard]] std::optional<Quat> nearestRotation(const Mat3& m);

/// The same among the rotations about z, for planar skeletons.
[[nodiscard]] std::optional<Quat> nearestPlanarRotation(const Mat3& m);

}  // namespace ulna
