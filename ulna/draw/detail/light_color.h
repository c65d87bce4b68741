// SPDX-License-Identifier: Apache-2.0

// Colours as amounts of light, in which they may be added and mixed; sRGB is what files hold.
#pragma once

#include "ulna/math/vec.h"
#include "ulna/skin/mesh.h"

namespace ulna::draw::detail {

/// Red, green and blue, linear; 1 is a screen's white.
using Light = Vec3f;

[[nodiscard]] Light toLight(const Color& color);
/// What lies outside [0, 1] is cut off.
[[nodiscard]] Color toColor(const Light& light, float alpha = 1.0f);

/// A colour by how it looks (Oklab: Ottosson, "A perceptual color space for image processing",
/// 2020): lightness and colourfulness in [0, 1], hue in revolutions.
[[nodiscard]] Light makeLight(double lightness, double chroma, double hue);

}  // namespace ulna::draw::detail
