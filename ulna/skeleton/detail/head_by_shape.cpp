// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/head_by_shape.h"

#include <algorithm>

namespace ulna::skeleton::detail {

std::vector<ShapePart> findHeadByShape(const BodyTree& tree, const HeadSearch& search) {
    const Skeleton& skeleton = tree.skeleton();
    const auto height = [&](const Vec3& p) {
        return dot(p - search.shoulders, search.up) / search.trunk;
    };
    // The child that leads highest. Arms that hang begin at the shoulders and lead down.
    const auto highest = [&](JointId from) {
        JointId out = JointId::None;
        double most = 0.02;  // of the trunk above the shoulders
        for (const JointId j : tree.children(from)) {
            const bool other =
                std::any_of(search.others.begin(), search.others.end(), [&](JointId limb) {
                    return j == limb || skeleton.isAncestor(j, limb) ||
                           skeleton.isAncestor(limb, j);
                });
            const double top = std::max(height(tree.at(j)), height(tree.at(tree.tip(j))));
            if (!other && top > most) most = top, out = j;
        }
        return out;
    };
    std::vector<JointId> way;
    for (JointId j = highest(search.chest); j != JointId::None; j = highest(j)) way.push_back(j);
    if (way.empty()) return {};
    // Eyes and a jaw hang from the head.
    constexpr double kLeastOfHead = 0.1;  // of the trunk above the shoulders
    std::size_t head = way.size() - 1;
    bool branches = false;
    for (std::size_t i = 0; i + 1 < way.size() && !branches; ++i) {
        branches = tree.children(way[i]).size() > 1 && height(tree.at(way[i])) > kLeastOfHead;
        if (branches) head = i;
    }
    // The top of the head is a joint in some files: far above the shoulders, or far from the last.
    if (search.skull && !branches && head > 0 && tree.reach(way[head]) == 0.0) {
        constexpr double kTop = 0.52, kSkull = 0.22;
        const Vec3 last = tree.at(way[head - 1]);
        if (height(tree.at(way[head])) > kTop ||
            distance(tree.at(way[head]), last) > kSkull * search.trunk)
            --head;
    }
    std::vector<ShapePart> out;
    for (std::size_t i = 0; i < head; ++i)
        out.push_back({way[i],
                       {BodyPart::Neck, BodySide::Centre},
                       0.9,
                       "by shape: between the arms and the head"});
    out.push_back({way[head],
                   {BodyPart::Head, BodySide::Centre},
                   0.95,
                   "by shape: the end of the trunk beyond the arms"});
    return out;
}

}  // namespace ulna::skeleton::detail
