// SPDX-License-Identifier: Apache-2.0

// What a fit of control points looks for, and which of it is known.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/fit/detail/layout.h"

namespace ulna::fit::detail {

/// Values of all rotations and translations of a layout.
struct FitValues {
    std::vector<Quat> quats;      // per rotation
    std::vector<Mat3> rotations;  // the same as matrices
    std::vector<Vec3> positions;  // per translation, relative to the layout's origin
};

/// The rotations and translations that are looked for, by their index in the layout.
struct Unknowns {
    std::vector<std::uint32_t> rotations;
    std::vector<std::uint32_t> translations;
    std::vector<std::uint32_t> known_translations;
    /// Per rotation of the layout: its index in `rotations`, or kNone where it is known.
    std::vector<std::uint32_t> index_of_rotation;
};

[[nodiscard]] Unknowns findUnknowns(const FitLayout& layout);

}  // namespace ulna::fit::detail
