// SPDX-License-Identifier: Apache-2.0

// The types of deformation that do not depend on a mesh. Deformation itself is in skin/deform.h.
#pragma once

#include <cstdint>

namespace ulna {

enum class SkinBlend : std::uint8_t { Linear, DualQuaternion };

/// How the blended matrix (with dual quaternions: the blended stretch) transforms normals.
enum class NormalRule : std::uint8_t {
    Cofactor,  ///< by its cofactor matrix: perpendicular to the surface for any matrix
    Plain,     ///< by the matrix itself: exact for rotations only, and cheaper
};

struct DeformOptions {
    SkinBlend blend = SkinBlend::Linear;
    NormalRule normals = NormalRule::Cofactor;
    unsigned threads = 1;  ///< 0 means one per core; the result does not depend on it
};

/// A 4x4 matrix by rows, the last one 0 0 0 1.
struct SkinMatrix {
    float rows[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
};

}  // namespace ulna
