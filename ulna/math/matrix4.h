// SPDX-License-Identifier: Apache-2.0

// 4x4 matrices as other programs hold them: 16 values by columns or by rows.
//
// A matrix here acts on column vectors from the left, its last row is 0 0 0 1, and its last column
// is the translation. By columns (column-major) is how glTF, OpenGL, Vulkan and three.js store it,
// by rows how NumPy and plain C arrays do. A program whose matrices act on row vectors from the
// right (DirectXMath) stores the same transform by rows as this one does by columns.
#pragma once

#include <array>
#include <span>

#include "ulna/core/result.h"
#include "ulna/math/transform.h"

namespace ulna {

/// The entry of row r and column c is at 4 * c + r. For a Trs or a Rigid: see toAffine.
[[nodiscard]] std::array<double, 16> toColumnMajor(const Affine& a);
/// The entry of row r and column c is at 4 * r + c.
[[nodiscard]] std::array<double, 16> toRowMajor(const Affine& a);

/// The inverse of the above. Errors: a value that is not finite, a last row that is not 0 0 0 1
/// within 1e-6 (a projection, or a matrix stored the other way).
[[nodiscard]] Result<Affine> affineFromColumnMajor(std::span<const double, 16> values);
[[nodiscard]] Result<Affine> affineFromRowMajor(std::span<const double, 16> values);

/// The translation, rotation and scale that a matrix is the product of. Scales are 0 or more; the
/// rotation of an axis whose scale is 0 is any. Errors: the matrix shears or mirrors.
///
/// @param tolerance how far an axis may be from perpendicular to the others, as the sine of the
/// angle; matrices that were stored in float need 1e-6.
[[nodiscard]] Result<Trs> trsFromAffine(const Affine& a, double tolerance = 1e-6);
/// The same for a matrix whose scales are 1, within the tolerance too.
[[nodiscard]] Result<Rigid> rigidFromAffine(const Affine& a, double tolerance = 1e-6);

}  // namespace ulna
