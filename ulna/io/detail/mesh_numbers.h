// SPDX-License-Identifier: Apache-2.0

// Values of vertices as files have them and as a Mesh does.
#pragma once

#include <algorithm>
#include <cmath>

#include "ulna/skin/mesh.h"

namespace ulna::io::detail {

/// The normal as a unit vector; zero becomes (0, 1, 0). A vector that is already a unit vector up
/// to rounding is returned unchanged, so that writing and reading it again changes nothing.
[[nodiscard]] inline Vec3f unitNormal(const Vec3f& normal) {
    constexpr double kAsGood = 1e-6;
    const Vec3 n = {static_cast<double>(normal.x), static_cast<double>(normal.y),
                    static_cast<double>(normal.z)};
    if (std::abs(length(n) - 1.0) <= kAsGood) return normal;
    const Vec3 unit = normalizedOr(n, Vec3{0, 1, 0});
    return {static_cast<float>(unit.x), static_cast<float>(unit.y), static_cast<float>(unit.z)};
}

/// Exchanges v upwards, as in OBJ and PLY, and downwards, as in a Mesh.
[[nodiscard]] inline double flippedV(double v) {
    return 1.0 - v;
}

/// A share of full colour as a byte.
[[nodiscard]] inline std::uint8_t byteOf(double share) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255.0));
}

/// sRGB (IEC 61966-2-1): shares of light, as glTF has colours, and as screens do.
[[nodiscard]] inline double screenFromLight(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1.0 / 2.4) - 0.055;
}
[[nodiscard]] inline double lightFromScreen(double screen) {
    return screen <= 0.04045 ? screen / 12.92 : std::pow((screen + 0.055) / 1.055, 2.4);
}

}  // namespace ulna::io::detail
