// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/plausible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ulna/math/box.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

// A body's surface is up to about 1.3 times as large as its bones, and poses change that by less
// than 2; people and children are within 3.
constexpr double kOtherUnit = 5.0;
// Shapes stretch, but not most of their edges by this.
constexpr double kTorn = 3.0;

Vec3 wide(const Vec3f& p) {
    return {p.x, p.y, p.z};
}

// The factor as people say it: 100 where it is nearly that.
std::string factorText(double factor) {
    const double power = std::pow(10.0, std::round(std::log10(factor)));
    const bool near = factor > 0.5 * power && factor < 2.0 * power;
    return near ? fmt::format("about {:.0f}", power) : fmt::format("{:.3g}", factor);
}

Warnings compareSizes(double size, double expected, const char* what, const char* with,
                      const std::string& path) {
    if (!(size > 0.0 && expected > 0.0) || !std::isfinite(size / expected)) return {};
    const double ratio = size / expected;
    if (ratio < kOtherUnit && ratio > 1.0 / kOtherUnit) return {};
    Warnings out;
    out.push_back({.what = fmt::format("{} is {} times as {} as {}; their units may differ", what,
                                       factorText(std::max(ratio, 1.0 / ratio)),
                                       ratio > 1.0 ? "large" : "small", with),
                   .location = {.file = path},
                   .advice = fmt::format("'ulna convert --scale {:.3g}' changes the unit of a file",
                                         1.0 / std::pow(10.0, std::round(std::log10(ratio))))});
    return out;
}

}  // namespace

Warnings unitWarnings(const Skeleton& skeleton, const Mesh& surface, const std::string& path) {
    if (skeleton.jointCount() < 2) return {};
    const double bones =
        largestExtent(boneBox(skeleton, computeModelPose(skeleton, restPose(skeleton))));
    Box box;
    for (const Vec3f& p : surface.positions) box.add(wide(p));
    if (box.empty()) return {};
    return compareSizes(largestExtent(box), bones, "the mesh", "the skeleton", path);
}

Warnings targetWarnings(const FitShape& shape, std::span<const Vec3> positions,
                        const std::string& path) {
    const Mesh& rest = shape.mesh;
    const auto targetOf = [&](std::size_t v) { return positions[shape.source[v]]; };
    Box before, after;
    for (std::size_t v = 0; v < rest.positions.size(); ++v) {
        before.add(wide(rest.positions[v]));
        after.add(targetOf(v));
    }
    if (before.empty() || after.empty()) return {};
    const double expected = largestExtent(before), size = largestExtent(after);
    Warnings out = compareSizes(size, expected, "the target", "the mesh of the rig", path);
    if (!(size > 0.0 && expected > 0.0)) return out;
    std::vector<double> ratios;
    for (std::size_t i = 0; i + 2 < rest.indices.size(); i += 3) {
        const std::size_t a = rest.indices[i], b = rest.indices[i + 1];
        const double was = distance(wide(rest.positions[a]), wide(rest.positions[b])) / expected;
        const double is = distance(targetOf(a), targetOf(b)) / size;
        if (was > 0.0 && std::isfinite(is)) ratios.push_back(is / was);
    }
    if (ratios.empty()) return out;
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    if (*middle > kTorn)
        out.push_back({.what = fmt::format("most edges of the target are {:.3g} times as long as "
                                           "those of the mesh; its vertices seem to be in another "
                                           "order",
                                           *middle),
                       .location = {.file = path},
                       .advice = "targets must have the vertices of the mesh in its order"});
    return out;
}

}  // namespace ulna
