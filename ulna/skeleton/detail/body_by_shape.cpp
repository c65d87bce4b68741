// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/body_by_shape.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/skeleton/detail/fingers_by_shape.h"
#include "ulna/skeleton/detail/head_by_shape.h"
#include "ulna/skeleton/detail/limb_choice.h"
#include "ulna/skeleton/sides.h"

namespace ulna::skeleton::detail {
namespace {

constexpr std::array kBodySides = {BodySide::Left, BodySide::Right};

// ---- the trunk

JointId commonAncestorOf(const Skeleton& skeleton, JointId a, JointId b) {
    while (a != b && !skeleton.isAncestor(a, b)) a = skeleton.parent(a);
    return a;
}

// A trunk that begins at the chest has the legs below it: hips are then where the legs meet. A
// joint above both pairs is the base of the body, which carries the spine beside the pelvis.
JointId hipsOf(const Skeleton& skeleton, const LimbChoice& choice) {
    const JointId base = commonAncestorOf(skeleton, choice.legs.trunk, choice.arms.trunk);
    return base == choice.arms.trunk ? choice.legs.trunk : base;
}

// From the hips up to the chest, which is among them; where the chest is above the hips, from it
// down to them.
std::vector<JointId> spineOf(const Skeleton& skeleton, JointId hips, JointId chest) {
    if (skeleton.isAncestor(hips, chest)) {
        std::vector<JointId> out = skeleton.chain(hips, chest);
        out.erase(out.begin());
        return out;
    }
    std::vector<JointId> out = skeleton.chain(chest, hips);
    if (!out.empty()) out.pop_back();
    return out;
}
// The joint of the spine that is the chest: some rigs hang the arms from the neck.
JointId chestOf(const BodyTree& tree, const LimbChoice& choice, const Landmarks& l, JointId hips,
                const Vec3& up) {
    constexpr double kAbove = 0.06;  // of the trunk: no chest is so far above the shoulders
    JointId out = choice.arms.trunk;
    if (choice.kind != BodyKind::Human) return out;
    while (tree.skeleton().isAncestor(hips, out) && tree.skeleton().parent(out) != hips &&
           dot(tree.at(out) - l.shoulders, up) > kAbove * l.trunk)
        out = tree.skeleton().parent(out);
    return out;
}
// ---- left and right

// How far something points along `forward`, as a share of a length; the mean of both sides.
struct SideEvidence {
    double names = 0.0;  // above 0: the first side is the left one
    double toes = 0.0, bends = 0.0;
};

double sideVotes(const Skeleton& skeleton, const LimbPair& pair) {
    double out = 0.0;
    for (std::size_t side = 0; side < 2; ++side) {
        for (const JointId j : pair.joints[side]) {
            const BodySide says = sideOfName(skeleton.name(j));
            if (says == BodySide::Centre) continue;
            out += (says == BodySide::Left) == (side == 0) ? 1.0 : -1.0;
        }
    }
    return out;
}

// How far a joint is beside the line between two others, along an axis.
double bendAlong(const Vec3& a, const Vec3& middle, const Vec3& b, const Vec3& axis) {
    const Vec3 along = normalizedOr(b - a, {});
    const Vec3 off = (middle - a) - along * dot(middle - a, along);
    return dot(off, axis) / std::max(distance(a, b), 1e-12);
}

SideEvidence weighSides(const BodyTree& tree, const LimbChoice& choice, const Vec3& forward) {
    SideEvidence out;
    out.names = sideVotes(tree.skeleton(), choice.legs) + sideVotes(tree.skeleton(), choice.arms);
    for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<JointId>& leg = choice.legs.joints[side];
        const Vec3 hip = tree.at(leg[choice.leg.upper]), knee = tree.at(leg[choice.leg.middle]);
        const Vec3 ankle = endOfLimb(tree, leg, choice.leg);
        if (choice.leg.lower != LimbFit::kNone) {
            const Vec3 tip = tree.at(tree.tip(leg[choice.leg.lower]));
            out.toes += dot(tip - ankle, forward) / choice.leg.length;
        }
        out.bends += bendAlong(hip, knee, ankle, forward);
        const std::vector<JointId>& arm = choice.arms.joints[side];
        out.bends -= bendAlong(tree.at(arm[choice.arm.upper]), tree.at(arm[choice.arm.middle]),
                               endOfLimb(tree, arm, choice.arm), forward);
    }
    return out;
}

// Turns the choice so that the first side is the left one. Returns how sure that is.
double findLeft(const BodyTree& tree, const Vec3& up, const Vec3& ahead, LimbChoice& choice,
                Warnings& warnings) {
    // Feet of less than these shares of a leg, and bends of less than half a degree, tell nothing.
    constexpr double kToes = 0.03, kBends = 0.01;
    const Vec3 across = acrossLimbs(tree, choice.legs, choice.leg);
    const Vec3 forward = normalizedOr(cross(across, up), {});
    const SideEvidence evidence = weighSides(tree, choice, forward);
    double first_is_left = 0.0, confidence = 1.0;
    if (evidence.names != 0.0) {
        first_is_left = evidence.names;
    } else if (choice.kind == BodyKind::Quadruped) {
        first_is_left = dot(ahead, forward);
    } else if (std::abs(evidence.toes) > kToes) {
        first_is_left = evidence.toes;
    } else if (std::abs(evidence.bends) > kBends) {
        first_is_left = evidence.bends;
        confidence = 0.7;
    } else {
        // Most files face z, and those that are z-up face x or -y.
        first_is_left = forward.z + 0.1 * forward.x - 0.01 * forward.y;
        confidence = 0.3;
        warnings.push_back(
            {.what = "nothing tells the left side from the right: there are no toes, and neither "
                     "knees nor elbows are bent",
             .advice = "a map names the joints of the left side (--map)"});
    }
    if (first_is_left < 0.0)
        for (LimbPair* pair : {&choice.legs, &choice.arms})
            std::swap(pair->joints[0], pair->joints[1]);
    if (choice.one_arm) {
        const Vec3 left = acrossLimbs(tree, choice.legs, choice.leg);
        const JointId shoulder = choice.arms.joints[0][choice.arm.upper];
        const bool is_left = dot(tree.at(shoulder) - tree.at(choice.legs.trunk), left) > 0.0;
        choice.arms.joints[is_left ? 1 : 0].clear();
    }
    return confidence;
}

// ---- parts

class PartLister {
  public:
    PartLister(const BodyTree& tree, double confidence, double side_confidence)
        : tree_(tree), confidence_(confidence), side_confidence_(side_confidence) {}

    void add(JointId joint, BodyPart part, BodySide side, const std::string& reason,
             double factor = 1.0) {
        const double sure = side == BodySide::Centre ? 1.0 : side_confidence_;
        out_.push_back({joint, {part, side}, confidence_ * sure * factor, "by shape: " + reason});
    }
    void add(std::vector<ShapePart> parts, BodySide side) {
        const double sure = side == BodySide::Centre ? 1.0 : side_confidence_;
        for (ShapePart& each : parts) {
            each.confidence *= confidence_ * sure;
            out_.push_back(std::move(each));
        }
    }

    // The three joints of a limb, and the hinges in series with them, as in robots: those before
    // the next joint move what the one before them moves. Returns the index behind all of them.
    std::size_t addLimb(const std::vector<JointId>& chain, const LimbFit& fit, BodySide side,
                        std::array<BodyPart, 3> parts, const std::string& limb) {
        const std::string which =
            (side == BodySide::Left ? " of the left " : " of the right ") + limb;
        const std::array<std::string, 3> names = {"upper joint", "middle joint", "lower joint"};
        const std::array<std::size_t, 3> at = {fit.upper, fit.middle, fit.lower};
        std::size_t next = firstOfLimb(chain, fit);
        const auto addHinges = [&](std::size_t end, std::size_t k) {
            for (; next < end && isHinge(chain[next]); ++next)
                add(chain[next], parts[k], side, "a hinge in series with the " + names[k] + which,
                    0.9);
        };
        addHinges(fit.upper, 0);
        for (std::size_t k = 0; k < 3 && at[k] != LimbFit::kNone; ++k) {
            add(chain[at[k]], parts[k], side, "the " + names[k] + which);
            next = at[k] + 1;
            if (!isHinge(chain[at[k]])) continue;
            const bool last = k == 2 || at[k + 1] == LimbFit::kNone;
            // A hinge behind the last joint is in series with it unless it is one of several.
            const bool alone = tree_.children(chain[at[k]]).size() == 1;
            if (!last || alone) addHinges(last ? chain.size() : at[k + 1], k);
        }
        return next;
    }

    // The first hinge of the upper joint's series: the upper joint itself where it is none.
    [[nodiscard]] std::size_t firstOfLimb(const std::vector<JointId>& chain,
                                          const LimbFit& fit) const {
        std::size_t first = fit.upper;
        while (first > 0 && isHinge(chain[first]) && isHinge(chain[first - 1])) --first;
        return first;
    }

    [[nodiscard]] std::vector<ShapePart> take() { return std::move(out_); }

  private:
    [[nodiscard]] bool isHinge(JointId j) const {
        return tree_.skeleton().kind(j) == JointKind::Hinge;
    }

    const BodyTree& tree_;
    double confidence_, side_confidence_;
    std::vector<ShapePart> out_;
};

void addLegs(const LimbChoice& choice, PartLister& parts) {
    for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<JointId>& leg = choice.legs.joints[side];
        const std::size_t first = parts.firstOfLimb(leg, choice.leg);
        for (std::size_t i = 0; i < first; ++i)
            parts.add(leg[i], BodyPart::Pelvis, kBodySides[side], "between the hips and a leg",
                      0.9);
        const std::size_t next = parts.addLimb(
            leg, choice.leg, kBodySides[side], {BodyPart::Hip, BodyPart::Knee, BodyPart::Ankle},
            choice.kind == BodyKind::Human ? "of two legs" : "of two hind legs");
        if (choice.leg.lower != LimbFit::kNone && next < leg.size())
            parts.add(leg[next], BodyPart::Toes, kBodySides[side],
                      "the first joint of the foot beyond the ankle", 0.9);
    }
}

void addArms(const BodyTree& tree, const LimbChoice& choice, const Vec3& forward,
             PartLister& parts) {
    const char* arms = choice.one_arm ? "arm, the only one" : "of two arms";
    for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<JointId>& arm = choice.arms.joints[side];
        if (arm.empty()) continue;
        if (const std::size_t first = parts.firstOfLimb(arm, choice.arm); first > 0)
            parts.add(arm[first - 1], BodyPart::Collarbone, kBodySides[side],
                      "between the chest and the shoulder", 0.9);
        const std::size_t next =
            parts.addLimb(arm, choice.arm, kBodySides[side],
                          {BodyPart::Shoulder, BodyPart::Elbow, BodyPart::Wrist},
                          choice.kind == BodyKind::Human ? arms : "of two fore legs");
        if (choice.kind != BodyKind::Human || choice.arm.lower == LimbFit::kNone) continue;
        const JointId wrist = arm[choice.arm.lower];
        parts.add(findFingersByShape(tree, arm[next - 1],
                                     tree.at(wrist) - tree.at(arm[choice.arm.middle]), forward,
                                     kBodySides[side]),
                  kBodySides[side]);
    }
}

// From the hips, behind the hind legs.
void addTail(const BodyTree& tree, const LimbChoice& choice, JointId hips, const Vec3& ahead,
             const std::vector<JointId>& spine, PartLister& parts) {
    JointId tail = JointId::None;
    double most = 0.0;
    for (const JointId j : tree.children(hips)) {
        if (isInsidePair(tree, choice.legs, j) || (!spine.empty() && j == spine.front())) continue;
        const double behind = dot(tree.at(hips) - tree.at(tree.tip(j)), ahead);
        if (behind > most) most = behind, tail = j;
    }
    if (tail == JointId::None) return;
    for (const JointId j : tree.longestChain(tail))
        parts.add(j, BodyPart::Tail, BodySide::Centre, "behind the hips", 0.8);
}

ShapeBody describe(const BodyTree& tree, LimbChoice choice, double confidence) {
    ShapeBody out{.kind = choice.kind, .confidence = confidence};
    const Landmarks l = landmarksOf(tree, choice);
    const bool human = choice.kind == BodyKind::Human;
    const Vec3 trunk = normalizedOr(l.shoulders - l.hips, {});
    const Vec3 up = human ? trunk : -l.legs;
    if (dot(l.across, l.across_arms) < 0.0) std::swap(choice.arms.joints[0], choice.arms.joints[1]);
    const HeadSearch search =
        headSearch(tree.skeleton(), choice, l, human ? up : normalizedOr(trunk + up, up));
    const double side_confidence = findLeft(tree, up, trunk, choice, out.warnings);
    out.confidence *= side_confidence;
    const Vec3 forward = cross(acrossLimbs(tree, choice.legs, choice.leg), up);
    PartLister parts(tree, confidence, side_confidence);
    const JointId hips = hipsOf(tree.skeleton(), choice);
    const JointId chest = chestOf(tree, choice, l, hips, up);
    parts.add(
        hips, BodyPart::Hips, BodySide::Centre,
        human ? "the legs and the spine meet there" : "the hind legs and the spine meet there");
    const std::vector<JointId> spine = spineOf(tree.skeleton(), hips, chest);
    for (const JointId j : spine)
        parts.add(j, BodyPart::Spine, BodySide::Centre,
                  human ? "between the hips and the arms" : "between the hips and the fore legs");
    if (chest != search.chest)
        for (const JointId j : spineOf(tree.skeleton(), chest, search.chest))
            parts.add(j, BodyPart::Neck, BodySide::Centre,
                      "above the shoulders, and the arms hang from it");
    parts.add(findHeadByShape(tree, search), BodySide::Centre);
    addLegs(choice, parts);
    addArms(tree, choice, forward, parts);
    if (!human) addTail(tree, choice, hips, trunk, spine, parts);
    out.parts = parts.take();
    return out;
}

}  // namespace

std::optional<ShapeBody> findBodyByShape(const BodyTree& tree,
                                         const std::vector<NamedPart>& hints) {
    // The largest body that is looked for: a crowd of joints is no body, and the search takes time.
    constexpr std::size_t kMostJoints = 4000;
    // What a body may differ from people in all: nine measures by one and a half deviations each.
    constexpr double kMostCost = 20.0;
    if (tree.skeleton().planar() || tree.range().size() > kMostJoints) return std::nullopt;
    const std::vector<LimbPair> pairs = findLimbPairs(tree);
    LimbChoice best = chooseLimbs(tree, pairs, hints);
    if (!(best.cost < kMostCost)) best = chooseOneArm(tree, pairs, hints);
    if (!(best.cost < kMostCost)) return std::nullopt;
    // Half as sure at the largest cost, and never as sure as names are.
    const double confidence = 0.95 * std::exp2(-std::max(best.cost, 0.0) / kMostCost);
    return describe(tree, std::move(best), confidence);
}

}  // namespace ulna::skeleton::detail
