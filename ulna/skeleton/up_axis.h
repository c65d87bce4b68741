// SPDX-License-Identifier: Apache-2.0

// Which way is up: files of most formats do not say, so it is guessed from the rest pose.
#pragma once

#include <cstdint>

#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// The model axis that points up.
enum class UpAxis : std::uint8_t { Y, Z };

/// The unit vector along the axis, and its index as a coordinate (1 or 2).
[[nodiscard]] constexpr Vec3 upVector(UpAxis up) {
    return up == UpAxis::Z ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
}
[[nodiscard]] constexpr std::size_t upIndex(UpAxis up) {
    return up == UpAxis::Z ? 2 : 1;
}

/// A guess: the axis along which the rest pose is taller, y unless z is taller by a fifth. Planar
/// skeletons have y up.
[[nodiscard]] UpAxis guessUpAxis(const Skeleton& skeleton);

}  // namespace ulna
