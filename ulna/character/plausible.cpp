// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/plausible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>
#include <vector>

#include "ulna/core/number_text.h"
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

// A target that is too small comes to this part of its distance from the joint in its own unit; and
// by ten to the second, because targets near the origin are small in any unit.
constexpr double kNearer = 0.75;
constexpr double kNearerByTen = 0.3;
// Nearer than this part of the size, a target says nothing of its unit.
constexpr double kNear = 0.25;

Vec3 wide(const Vec3f& p) {
    return {p.x, p.y, p.z};
}

// The factor as people say it: 100 where it is nearly that.
std::string factorText(double factor) {
    const double power = std::pow(10.0, std::round(std::log10(factor)));
    const bool near = factor > 0.5 * power && factor < 2.0 * power;
    return near ? "about " + shortDecimals(power, 0) : shortNumber(factor, 3);
}

Warnings compareSizes(double size, double expected, const char* what, const char* with,
                      const std::string& path) {
    if (!(size > 0.0 && expected > 0.0) || !std::isfinite(size / expected)) return {};
    const double ratio = size / expected;
    if (ratio < kOtherUnit && ratio > 1.0 / kOtherUnit) return {};
    Warnings out;
    out.push_back(
        {.what = fmt::format("{} is {} times as {} as {}; their units may differ", what,
                             factorText(std::max(ratio, 1.0 / ratio)),
                             ratio > 1.0 ? "large" : "small", with),
         .location = {.file = path},
         .advice = fmt::format("'ulna convert --scale {}' changes the unit of a file",
                               shortNumber(1.0 / std::pow(10.0, std::round(std::log10(ratio)))))});
    return out;
}

// Where a goal wants a point, and where the pose has it.
struct Aimed {
    Vec3 target, now;
};

// How far targets are from their points in all, times `factor`; nothing where they are not in a
// unit that is larger or smaller by it.
std::optional<double> distanceInUnit(std::span<const Aimed> goals, double factor, double size) {
    double sum = 0.0;
    bool told = false;
    for (const Aimed& goal : goals) {
        const double as_is = distance(goal.target, goal.now);
        const double other = distance(goal.target * factor, goal.now);
        if (!(other < as_is)) return std::nullopt;
        const double part = factor > 10.0 ? kNearer : kNearerByTen;
        told = told || (factor < 1.0 ? as_is > kOtherUnit * size && other <= size
                                     : as_is > kNear * size && other < part * as_is);
        sum += other;
    }
    return told ? std::optional(sum) : std::nullopt;
}

}  // namespace

Warnings goalWarnings(const Skeleton& skeleton, const Pose& pose, std::span<const IkClipGoal> goals,
                      std::size_t frame) {
    const ModelPose model = computeModelPose(skeleton, pose);
    const double size = largestExtent(boneBox(skeleton, model));
    std::vector<Aimed> aimed;
    std::string first;
    for (const IkClipGoal& goal : goals) {
        GoalKind kind = goal.goal.kind;
        if (goal.pinned || !goal.goal.enabled || !std::holds_alternative<PositionGoal>(kind))
            continue;
        setFrameTarget(goal, frame, model, {}, kind);
        const auto& position = std::get<PositionGoal>(kind);
        aimed.push_back({position.target, model[position.joint] * position.point});
        if (first.empty()) first = skeleton.name(position.joint);
    }
    if (aimed.empty() || !(size > 0.0)) return {};
    double best = 1.0;
    std::optional<double> nearest;
    for (const double factor : {1e-3, 1e-2, 1e-1, 1e1, 1e2, 1e3}) {
        const std::optional<double> sum = distanceInUnit(aimed, factor, size);
        if (!sum || (nearest && *sum >= *nearest)) continue;
        nearest = sum;
        best = factor;
    }
    if (!nearest) return {};
    Warnings out;
    out.push_back(
        {.what = fmt::format("targets seem to be in another unit than the skeleton: {} {}, they "
                             "are near their joints",
                             best > 1.0 ? "times" : "divided by",
                             shortNumber(std::max(best, 1.0 / best))),
         .text = first,
         .advice = fmt::format("'ulna convert --scale {}' changes the unit of a file",
                               shortNumber(1.0 / best))});
    return out;
}

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
        out.push_back({.what = fmt::format("most edges of the target are {} times as long as "
                                           "those of the mesh; its vertices seem to be in another "
                                           "order",
                                           shortNumber(*middle, 3)),
                       .location = {.file = path},
                       .advice = "targets must have the vertices of the mesh in its order"});
    return out;
}

}  // namespace ulna
