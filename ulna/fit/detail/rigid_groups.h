// SPDX-License-Identifier: Apache-2.0

// The rigid groups of a rig's points, and the order in which they carry each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ulna::fit::detail {

/// No index.
inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;

/// The rigid group of each point, named by its first member. Pairs that say nothing new are listed.
struct RigidGroups {
    std::vector<std::uint32_t> first;  // per point
    std::vector<std::uint32_t> redundant;
};
using PointPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
[[nodiscard]] RigidGroups makeGroups(std::size_t points, const PointPairs& rigid_pairs);

/// The points from which to start: of each group its first member with a parent outside it, or its
/// first member. Groups that carry others come first; there are fewer anchors than groups where
/// groups carry each other in a cycle.
struct GroupOrder {
    std::vector<std::uint32_t> anchors;  // per group in order
    std::uint32_t twice_hung = kNone;    // a group with two parents outside it
};
/// @param parents per point its parent, or -1.
[[nodiscard]] GroupOrder orderGroups(std::span<const std::int32_t> parents,
                                     const RigidGroups& groups);

/// The same of a FitRig; a template, because fit/rig.h is above this header.
template <class Rig>
[[nodiscard]] RigidGroups groupsOf(const Rig& rig) {
    PointPairs pairs;
    for (const auto& pair : rig.rigid_pairs) pairs.push_back({pair.first, pair.second});
    return makeGroups(rig.points.size(), pairs);
}
template <class Rig>
[[nodiscard]] GroupOrder orderOf(const Rig& rig, const RigidGroups& groups) {
    std::vector<std::int32_t> parents;
    for (const auto& point : rig.points) parents.push_back(point.parent);
    return orderGroups(parents, groups);
}

}  // namespace ulna::fit::detail
