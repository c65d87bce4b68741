// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/correspondence.h"

#include <algorithm>
#include <cmath>

namespace ulna::retarget::detail {
namespace {

// Bodies whose lengths differ by less than this, in legs, have the same proportions.
constexpr double kSameBody = 0.005;

// The t-th element of a chain, t between elements allowed.
SegmentShare along(const std::vector<int>& chain, double t) {
    const double most = static_cast<double>(chain.size() - 1);
    const double at = std::clamp(t, 0.0, most);
    const auto k = static_cast<std::size_t>(std::min(std::floor(at), std::max(most - 1.0, 0.0)));
    const std::size_t next = std::min(k + 1, chain.size() - 1);
    return {chain[k], chain[next], at - static_cast<double>(k)};
}

}  // namespace

void shareChain(const std::vector<int>& from, int base, const std::vector<int>& to,
                std::vector<SegmentShare>& shares) {
    if (base < 0) return;
    std::vector<int> whole = {base};
    whole.insert(whole.end(), from.begin(), from.end());
    const double step = static_cast<double>(from.size()) / static_cast<double>(to.size());
    for (std::size_t k = 0; k < to.size(); ++k)
        shares[static_cast<std::size_t>(to[k])] = along(whole, step * static_cast<double>(k + 1));
}

std::vector<SegmentShare> findShares(const BodySegments& source, const BodySegments& target) {
    std::vector<SegmentShare> out(target.segments.size());
    out[0] = {0, 0, 0.0};
    const int chest = source.spine.empty() ? 0 : source.spine.back();
    if (!target.spine.empty()) shareChain(source.spine, 0, target.spine, out);
    if (!target.neck.empty() && !source.neck.empty())
        shareChain(source.neck, chest, target.neck, out);
    for (std::size_t side = 0; side < 2; ++side) {
        for (const Part part : {Part::Collar, Part::UpperArm, Part::Forearm, Part::Hand,
                                Part::Thigh, Part::Shin, Part::Foot, Part::Toes}) {
            const int to = target.part(part, side), from = source.part(part, side);
            if (to >= 0 && from >= 0) out[static_cast<std::size_t>(to)] = {from, from, 0.0};
        }
        for (std::size_t f = 0; f < 5; ++f) {
            if (source.fingers[side][f].empty() || target.fingers[side][f].empty()) continue;
            shareChain(source.fingers[side][f], source.part(Part::Hand, side),
                       target.fingers[side][f], out);
        }
    }
    return out;
}

void addNamesakes(const Skeleton& source, const Pose& source_rest, const Skeleton& target,
                  const Pose& target_rest, BodySegments& from, BodySegments& to,
                  std::vector<SegmentShare>& shares) {
    for (const JointId j : target.joints()) {
        if (to.of[index(j)] >= 0 || target.kind(j) != JointKind::Ball) continue;
        const JointId like = source.find(target.name(j));
        if (like == JointId::None || from.of[index(like)] >= 0) continue;
        if (!canAddJoint(target, j, to) || !canAddJoint(source, like, from)) continue;
        addJoint(target, target_rest, j, to);
        const int other = addJoint(source, source_rest, like, from);
        shares.push_back({other, other, 0.0});
    }
}

double sizeRatio(const BodySegments& source, const BodySegments& target) {
    if (source.leg > 0.0 && target.leg > 0.0) return target.leg / source.leg;
    if (source.trunk > 0.0 && target.trunk > 0.0) return target.trunk / source.trunk;
    if (source.arm > 0.0 && target.arm > 0.0) return target.arm / source.arm;
    return 1.0;
}

bool haveSameProportions(const BodySegments& source, const BodySegments& target, double scale) {
    if (source.leg <= 0.0 || target.leg <= 0.0) return true;
    const double most = kSameBody * target.leg;
    const auto same = [&](double a, double b) { return std::abs(a * scale - b) <= most; };
    bool out = same(source.ankle, target.ankle);
    for (std::size_t side = 0; side < 2; ++side) {
        out = out && same(source.thigh[side], target.thigh[side]) &&
              same(source.shin[side], target.shin[side]) &&
              distance((source.hip[side] - source.centre) * scale,
                       target.hip[side] - target.centre) <= 2.0 * most;
    }
    return out;
}

}  // namespace ulna::retarget::detail
