// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/pose_pairs.h"

#include <algorithm>
#include <cmath>

#include "ulna/math/scalar.h"

namespace ulna {
namespace {

constexpr std::array<std::string_view, kLimbAngles> kNames = {
    "shoulder forward", "shoulder up", "shoulder twist", "elbow", "forearm twist",
    "hip flexion",      "hip aside",   "hip twist",      "knee"};

}  // namespace

std::string_view limbAngleName(LimbAngle angle) {
    return kNames[static_cast<std::size_t>(angle)];
}

double PosePair::outside(const LimbAngles& angles, std::array<double, 2>& slope) const {
    constexpr double kCell = kTwoPi / static_cast<double>(kCells);
    // Between four centres of cells, around the circle.
    std::array<std::size_t, 2> low = {}, high = {};
    std::array<double, 2> share = {};
    for (std::size_t i = 0; i < 2; ++i) {
        const double angle = angles[static_cast<std::size_t>(i == 0 ? a : b)];
        const double turns = angle / kTwoPi + 0.5;
        const double at = (turns - std::floor(turns)) * static_cast<double>(kCells) - 0.5;
        const double cell = std::floor(at);
        low[i] = static_cast<std::size_t>(cell + static_cast<double>(kCells)) % kCells;
        high[i] = (low[i] + 1) % kCells;
        share[i] = at - cell;
    }
    const auto value = [&](std::size_t i, std::size_t j) {
        return radians(static_cast<double>(map[i * kCells + j]));
    };
    const double ll = value(low[0], low[1]), lh = value(low[0], high[1]);
    const double hl = value(high[0], low[1]), hh = value(high[0], high[1]);
    const auto mix = [](double from, double to, double t) { return from + (to - from) * t; };
    slope = {mix(hl - ll, hh - lh, share[1]) / kCell, mix(lh - ll, hh - hl, share[0]) / kCell};
    return mix(mix(ll, lh, share[1]), mix(hl, hh, share[1]), share[0]);
}

bool moveInside(std::span<const PosePair> pairs, std::span<const double> allowed,
                LimbAngles& angles) {
    constexpr int kSweeps = 8;
    // In radians; where a map is flat a step would be long.
    constexpr double kEnough = 1e-3, kLongest = radians(10.0);
    bool any = false;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        bool moved = false;
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            std::array<double, 2> slope;
            const double off = pairs[p].outside(angles, slope) - allowed[p];
            const double steep = slope[0] * slope[0] + slope[1] * slope[1];
            if (off <= kEnough || steep == 0.0) continue;
            const double step = std::min(off / steep, kLongest / std::sqrt(steep));
            angles[static_cast<std::size_t>(pairs[p].a)] -= step * slope[0];
            angles[static_cast<std::size_t>(pairs[p].b)] -= step * slope[1];
            moved = true;
        }
        if (!moved) break;
        any = true;
    }
    return any;
}

}  // namespace ulna
