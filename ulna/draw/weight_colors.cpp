// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/draw/detail/light_color.h"
#include "ulna/draw/shaded.h"

namespace ulna::draw {
namespace {

// Of how weights look: lightness grows evenly, so that their order is seen without hue too.
struct Look {
    double lightness, chroma, hue;
};
constexpr std::array<Look, 6> kRamp = {{{0.44, 0.060, 0.760},
                                        {0.52, 0.105, 0.690},
                                        {0.61, 0.110, 0.560},
                                        {0.71, 0.150, 0.420},
                                        {0.81, 0.170, 0.330},
                                        {0.91, 0.175, 0.280}}};

detail::Light jointLight(std::size_t joint) {
    // Hues a golden ratio of a revolution apart, three lightnesses in turn: neighbours differ.
    const double hue = 0.08 + 0.61803398874989485 * static_cast<double>(joint);
    constexpr std::array<double, 3> kLightness = {0.74, 0.62, 0.84};
    return detail::makeLight(kLightness[joint % 3], 0.12, hue - std::floor(hue));
}

}  // namespace

Color weightColor(float weight) {
    const double at = std::clamp(static_cast<double>(weight), 0.0, 1.0) * (kRamp.size() - 1.0);
    const auto i = std::min(static_cast<std::size_t>(at), kRamp.size() - 2);
    const double t = at - static_cast<double>(i);
    const auto mix = [t](double a, double b) { return a + (b - a) * t; };
    const Look &a = kRamp[i], &b = kRamp[i + 1];
    return detail::toColor(detail::makeLight(mix(a.lightness, b.lightness), mix(a.chroma, b.chroma),
                                             mix(a.hue, b.hue)));
}

std::vector<Color> weightColors(const SkinWeights& weights, JointId joint) {
    std::vector<Color> out;
    out.reserve(weights.rowCount());
    for (std::size_t row = 0; row < weights.rowCount(); ++row)
        out.push_back(weightColor(weightOf(weights[row], joint)));
    return out;
}

Color jointColor(JointId joint) {
    return detail::toColor(jointLight(index(joint)));
}

std::vector<Color> jointColors(const Skeleton& skeleton, const SkinWeights& weights) {
    std::vector<detail::Light> lights;
    for (std::size_t j = 0; j < skeleton.jointCount(); ++j) lights.push_back(jointLight(j));
    std::vector<Color> out;
    out.reserve(weights.rowCount());
    for (std::size_t row = 0; row < weights.rowCount(); ++row) {
        detail::Light sum{};
        float moved = 0.0f;
        for (const Influence& influence : weights[row]) {
            sum += lights[index(influence.joint)] * influence.weight;
            moved += influence.weight;
        }
        // What nothing moves is grey.
        sum += detail::toLight({120, 120, 120, 255}) * std::max(0.0f, 1.0f - moved);
        out.push_back(detail::toColor(sum));
    }
    return out;
}

}  // namespace ulna::draw
