// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/light_color.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/math/scalar.h"

namespace ulna::draw::detail {
namespace {

// IEC 61966-2-1.
std::array<float, 256> makeTable() {
    std::array<float, 256> out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double v = static_cast<double>(i) / 255.0;
        out[i] = static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
    }
    return out;
}

std::uint8_t encode(float light) {
    const double v = std::clamp(static_cast<double>(light), 0.0, 1.0);
    const double s = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(s * 255.0));
}

}  // namespace

Light toLight(const Color& color) {
    static const std::array<float, 256> table = makeTable();
    return {table[color.r], table[color.g], table[color.b]};
}

Color toColor(const Light& light, float alpha) {
    const double a = std::clamp(static_cast<double>(alpha), 0.0, 1.0);
    return {encode(light.x), encode(light.y), encode(light.z),
            static_cast<std::uint8_t>(std::lround(a * 255.0))};
}

Light makeLight(double lightness, double chroma, double hue) {
    const double a = chroma * std::cos(2.0 * kPi * hue), b = chroma * std::sin(2.0 * kPi * hue);
    const auto cube = [](double v) { return v * v * v; };
    const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    const Vec3 rgb{4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                   -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                   -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
    const auto inside = [](double v) { return static_cast<float>(std::clamp(v, 0.0, 1.0)); };
    return {inside(rgb.x), inside(rgb.y), inside(rgb.z)};
}

}  // namespace ulna::draw::detail
