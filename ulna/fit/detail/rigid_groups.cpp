// SPDX-License-Identifier: Apache-2.0

// Groups by union and find (Galler and Fischer 1964).
#include "ulna/fit/detail/rigid_groups.h"

#include <algorithm>

namespace ulna::fit::detail {
namespace {

std::uint32_t findFirst(std::vector<std::uint32_t>& first, std::uint32_t i) {
    while (first[i] != i) i = first[i] = first[first[i]];
    return i;
}

}  // namespace

RigidGroups makeGroups(std::size_t points, const PointPairs& rigid_pairs) {
    RigidGroups out;
    std::vector<std::uint32_t>& first = out.first;
    for (std::uint32_t j = 0; j < points; ++j) first.push_back(j);
    for (std::uint32_t i = 0; i < rigid_pairs.size(); ++i) {
        const std::uint32_t a = findFirst(first, rigid_pairs[i].first);
        const std::uint32_t b = findFirst(first, rigid_pairs[i].second);
        if (a == b) out.redundant.push_back(i);
        first[std::max(a, b)] = std::min(a, b);
    }
    for (std::uint32_t j = 0; j < points; ++j) first[j] = findFirst(first, j);
    return out;
}

GroupOrder orderGroups(std::span<const std::int32_t> parents, const RigidGroups& groups) {
    GroupOrder out;
    const std::size_t n = parents.size();
    std::vector<std::uint32_t> anchors(n, kNone);
    for (std::uint32_t j = 0; j < n; ++j) {
        const std::uint32_t group = groups.first[j];
        const std::int32_t parent = parents[j];
        const bool hangs = parent >= 0 && groups.first[static_cast<std::size_t>(parent)] != group;
        if (hangs && anchors[group] != kNone) out.twice_hung = group;
        if (hangs) anchors[group] = j;
    }
    std::vector<std::uint8_t> placed(n, 0);
    for (bool progress = true; progress;) {
        progress = false;
        for (std::uint32_t g = 0; g < n; ++g) {
            if (groups.first[g] != g || placed[g]) continue;
            const std::uint32_t anchor = anchors[g];
            const auto parent = anchor == kNone ? 0 : static_cast<std::size_t>(parents[anchor]);
            if (anchor != kNone && !placed[groups.first[parent]]) continue;
            placed[g] = 1;
            progress = true;
            out.anchors.push_back(anchor == kNone ? g : anchor);
        }
    }
    return out;
}

}  // namespace ulna::fit::detail
