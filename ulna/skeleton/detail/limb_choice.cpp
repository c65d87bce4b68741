// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/limb_choice.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ulna::skeleton::detail {
namespace {

double squared(double x) {
    return x * x;
}

// The squared of how far a ratio is from a usual one, in deviations of its logarithm.
double costOf(double ratio, double usual, double deviation) {
    return squared(std::min(std::abs(std::log(std::max(ratio, 1e-6) / usual)) / deviation, 4.0));
}

std::vector<std::vector<JointId>> chainsOf(const LimbPair& pair) {
    return {pair.joints[0], pair.joints[1]};
}

// From the upper joint to the lower one, the mean of two sides.
Vec3 directionOf(const BodyTree& tree, const LimbPair& pair, const LimbFit& fit) {
    Vec3 sum;
    for (const std::vector<JointId>& chain : pair.joints)
        sum += endOfLimb(tree, chain, fit) - tree.at(chain[fit.upper]);
    return normalizedOr(sum, {});
}

Vec3 middleOf(const BodyTree& tree, const LimbPair& pair, std::size_t i) {
    return (tree.at(pair.joints[0][i]) + tree.at(pair.joints[1][i])) / 2.0;
}

double acrossCost(const Landmarks& l, const Vec3& trunk) {
    return squared((1.0 - std::abs(dot(l.across, l.across_arms))) / 0.15) +
           squared(dot(l.across, trunk) / 0.3);
}

double headCost(const BodyTree& tree, const LimbChoice& choice, const Landmarks& l,
                const Vec3& up) {
    constexpr double kHeadless = 5.0;
    const HeadSearch search = headSearch(tree.skeleton(), choice, l, up);
    return findHeadByShape(tree, search).empty() ? kHeadless : 0.0;
}

// Legs are about 1.7 trunks long, arms 0.7 legs, and legs point away from the trunk.
double humanCost(const BodyTree& tree, const LimbChoice& choice) {
    const Landmarks l = landmarksOf(tree, choice);
    const Vec3 up = normalizedOr(l.shoulders - l.hips, {});
    return choice.leg.cost + choice.arm.cost + costOf(choice.leg.length / l.trunk, 1.6, 0.45) +
           costOf(choice.arm.length / choice.leg.length, 0.7, 0.35) +
           squared((1.0 + dot(l.legs, up)) / 0.3) + acrossCost(l, up) +
           headCost(tree, choice, l, up);
}

// All legs are about as long as the trunk and stand below it.
double quadrupedCost(const BodyTree& tree, const LimbChoice& choice) {
    const Landmarks l = landmarksOf(tree, choice);
    const Vec3 ahead = normalizedOr(l.shoulders - l.hips, {});
    // The head is ahead of the fore legs or above them.
    const Vec3 to_head = normalizedOr(ahead - l.legs, {});
    // Rigs begin at the pelvis, which tells the tail from the head.
    const bool begins_behind = tree.skeleton().isAncestor(choice.legs.trunk, choice.arms.trunk);
    return 0.5 * (choice.leg.cost + choice.arm.cost) +
           costOf(choice.leg.length / l.trunk, 0.9, 0.5) +
           costOf(choice.arm.length / choice.leg.length, 1.0, 0.35) +
           squared(dot(l.legs, ahead) / 0.45) + squared((1.0 - dot(l.legs, l.arms)) / 0.2) +
           acrossCost(l, ahead) + headCost(tree, choice, l, to_head) + (begins_behind ? 0.0 : 4.0);
}

void consider(LimbChoice choice, double cost, BodyKind kind, LimbChoice& best) {
    if (!(cost < best.cost)) return;
    choice.kind = kind;
    choice.cost = cost;
    best = std::move(choice);
}

// The child that leads farthest along a direction, legs aside.
JointId farthestAlong(const BodyTree& tree, JointId from, const LimbPair& legs, const Vec3& up) {
    JointId out = JointId::None;
    double most = 0.0;
    for (const JointId j : tree.children(from)) {
        // What is farthest along the bones may be a hand that hangs.
        const double far = std::max(dot(tree.at(j) - tree.at(from), up),
                                    dot(tree.at(tree.tip(j)) - tree.at(from), up));
        if (far > most && !isInsidePair(tree, legs, j)) most = far, out = j;
    }
    return out;
}

}  // namespace

Vec3 endOfLimb(const BodyTree& tree, const std::vector<JointId>& chain, const LimbFit& fit) {
    if (fit.lower != LimbFit::kNone) return tree.at(chain[fit.lower]);
    return tree.at(tree.tip(chain[fit.middle]));
}

Vec3 acrossLimbs(const BodyTree& tree, const LimbPair& pair, const LimbFit& fit) {
    Vec3 sum;
    for (const std::size_t i : {fit.upper, fit.middle})
        sum += tree.at(pair.joints[0][i]) - tree.at(pair.joints[1][i]);
    return normalizedOr(sum, {});
}

bool isInsidePair(const BodyTree& tree, const LimbPair& pair, JointId joint) {
    return std::any_of(
        pair.joints.begin(), pair.joints.end(), [&](const std::vector<JointId>& chain) {
            return joint == chain.front() || tree.skeleton().isAncestor(chain.front(), joint);
        });
}

HeadSearch headSearch(const Skeleton& skeleton, const LimbChoice& choice, const Landmarks& l,
                      const Vec3& up) {
    HeadSearch out{.chest = choice.arms.trunk,
                   .others = {choice.arms.joints[0].front(), choice.arms.joints[1].front()},
                   .shoulders = l.shoulders,
                   .up = up,
                   .trunk = l.trunk,
                   .skull = choice.kind == BodyKind::Human};
    if (skeleton.isAncestor(out.chest, choice.legs.trunk)) out.others.push_back(choice.legs.trunk);
    return out;
}

Landmarks landmarksOf(const BodyTree& tree, const LimbChoice& choice) {
    Landmarks out;
    out.hips = middleOf(tree, choice.legs, choice.leg.upper);
    out.shoulders = middleOf(tree, choice.arms, choice.arm.upper);
    out.legs = directionOf(tree, choice.legs, choice.leg);
    out.arms = directionOf(tree, choice.arms, choice.arm);
    out.across = acrossLimbs(tree, choice.legs, choice.leg);
    out.across_arms = choice.one_arm ? out.across : acrossLimbs(tree, choice.arms, choice.arm);
    if (choice.one_arm) out.shoulders -= out.across * dot(out.shoulders - out.hips, out.across);
    out.trunk = distance(out.hips, out.shoulders);
    return out;
}

LimbChoice chooseLimbs(const BodyTree& tree, const std::vector<LimbPair>& pairs,
                       const std::vector<NamedPart>& hints) {
    std::vector<LimbFit> arms, legs;
    for (const LimbPair& pair : pairs) {
        arms.push_back(fitLimb(tree, LimbKind::Arm, pair.trunk, chainsOf(pair), hints));
        legs.push_back(fitLimb(tree, LimbKind::Leg, pair.trunk, chainsOf(pair), hints));
    }
    LimbChoice best;
    for (std::size_t a = 0; a < pairs.size(); ++a) {
        for (std::size_t l = 0; l < pairs.size(); ++l) {
            if (a == l || pairs[a].trunk == pairs[l].trunk) continue;
            if (isInsidePair(tree, pairs[a], pairs[l].trunk) ||
                isInsidePair(tree, pairs[l], pairs[a].trunk))
                continue;
            if (arms[a].upper == LimbFit::kNone || legs[l].upper == LimbFit::kNone) continue;
            LimbChoice choice{.legs = pairs[l], .arms = pairs[a], .leg = legs[l], .arm = arms[a]};
            if (!(landmarksOf(tree, choice).trunk > 0.0)) continue;
            consider(choice, humanCost(tree, choice), BodyKind::Human, best);
            consider(choice, quadrupedCost(tree, choice), BodyKind::Quadruped, best);
        }
    }
    return best;
}

LimbChoice chooseOneArm(const BodyTree& tree, const std::vector<LimbPair>& pairs,
                        const std::vector<NamedPart>& hints) {
    constexpr double kUneven = 5.0;                    // what it costs to lack an arm
    constexpr double kShortest = 0.35, kBeside = 0.1;  // of a leg
    constexpr std::size_t kMostLegs = 3, kMostTrunk = 24;
    LimbChoice best;
    for (std::size_t l = 0; l < std::min(pairs.size(), kMostLegs); ++l) {
        const LimbPair& legs = pairs[l];
        const LimbFit leg = fitLimb(tree, LimbKind::Leg, legs.trunk, chainsOf(legs), hints);
        if (leg.upper == LimbFit::kNone) continue;
        const Vec3 up = -directionOf(tree, legs, leg), across = acrossLimbs(tree, legs, leg);
        JointId next = farthestAlong(tree, legs.trunk, legs, up);
        for (std::size_t i = 0; i < kMostTrunk && next != JointId::None; ++i) {
            const JointId trunk = next;
            next = farthestAlong(tree, trunk, legs, up);
            for (const JointId j : tree.children(trunk)) {
                if (j == next || tree.extent(j) < kShortest * leg.length) continue;
                const std::vector<JointId> chain = tree.longestChain(j);
                const LimbFit arm = fitLimb(tree, LimbKind::Arm, trunk, {chain}, hints);
                if (arm.upper == LimbFit::kNone) continue;
                const Vec3 beside = tree.at(chain[arm.upper]) - tree.at(legs.trunk);
                if (std::abs(dot(beside, across)) < kBeside * leg.length) continue;
                const LimbChoice choice{.legs = legs,
                                        .arms = {.trunk = trunk, .joints = {{chain, chain}}},
                                        .leg = leg,
                                        .arm = arm,
                                        .one_arm = true};
                consider(choice, humanCost(tree, choice) + kUneven, BodyKind::Human, best);
            }
        }
    }
    return best;
}

}  // namespace ulna::skeleton::detail
