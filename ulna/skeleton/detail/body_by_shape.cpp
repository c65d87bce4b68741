// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/body_by_shape.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/skeleton/sides.h"

namespace ulna::skeleton::detail {
namespace {

constexpr std::array kSides = {BodySide::Left, BodySide::Right};

double square(double x) {
    return x * x;
}

// The square of how far a ratio is from a usual one, in deviations of its logarithm.
double costOf(double ratio, double usual, double deviation) {
    return square(std::min(std::abs(std::log(std::max(ratio, 1e-6) / usual)) / deviation, 4.0));
}

// One way to take two pairs as a body.
struct Choice {
    BodyKind kind = BodyKind::Human;
    LimbPair legs, arms;  // the same index is the same side; no arms: `arms.trunk` is none
    LimbFit leg, arm;
    double cost = 1e9;
};

// The points that a choice is judged by.
struct Landmarks {
    Vec3 hips, shoulders;      // the middles between both sides
    Vec3 legs, arms;           // unit vectors along the limbs, the mean of both sides
    Vec3 across, across_arms;  // from the second side to the first
    double trunk = 0.0;
};

std::vector<std::vector<JointId>> chainsOf(const LimbPair& pair) {
    return {pair.joints[0], pair.joints[1]};
}

Vec3 endOf(const BodyTree& tree, const std::vector<JointId>& chain, const LimbFit& fit) {
    if (fit.lower != LimbFit::kNone) return tree.at(chain[fit.lower]);
    return tree.at(tree.tip(chain[fit.middle]));
}

// From the upper joint to the lower one, the mean of two sides.
Vec3 directionOf(const BodyTree& tree, const LimbPair& pair, const LimbFit& fit) {
    Vec3 sum;
    for (const std::vector<JointId>& chain : pair.joints)
        sum += endOf(tree, chain, fit) - tree.at(chain[fit.upper]);
    return normalizedOr(sum, {});
}

Vec3 middleOf(const BodyTree& tree, const LimbPair& pair, std::size_t i) {
    return (tree.at(pair.joints[0][i]) + tree.at(pair.joints[1][i])) / 2.0;
}

// Across the body: of the limbs' roots, and where these are in one point, of their middles.
Vec3 acrossOf(const BodyTree& tree, const LimbPair& pair, const LimbFit& fit) {
    Vec3 sum;
    for (const std::size_t i : {fit.upper, fit.middle})
        sum += tree.at(pair.joints[0][i]) - tree.at(pair.joints[1][i]);
    return normalizedOr(sum, {});
}

Landmarks landmarksOf(const BodyTree& tree, const Choice& choice) {
    Landmarks out;
    out.hips = middleOf(tree, choice.legs, choice.leg.upper);
    out.shoulders = middleOf(tree, choice.arms, choice.arm.upper);
    out.legs = directionOf(tree, choice.legs, choice.leg);
    out.arms = directionOf(tree, choice.arms, choice.arm);
    out.across = acrossOf(tree, choice.legs, choice.leg);
    out.across_arms = acrossOf(tree, choice.arms, choice.arm);
    out.trunk = distance(out.hips, out.shoulders);
    return out;
}

// Whether a joint is inside one of the two limbs.
bool isInside(const BodyTree& tree, const LimbPair& pair, JointId joint) {
    return std::any_of(
        pair.joints.begin(), pair.joints.end(), [&](const std::vector<JointId>& chain) {
            return joint == chain.front() || tree.skeleton().isAncestor(chain.front(), joint);
        });
}

// ---- the trunk

JointId commonAncestorOf(const Skeleton& skeleton, JointId a, JointId b) {
    while (a != b && !skeleton.isAncestor(a, b)) a = skeleton.parent(a);
    return a;
}

// A trunk that begins at the chest has the legs below it: hips are then where the legs meet. A
// joint above both pairs is the base of the body, which carries the spine beside the pelvis.
JointId hipsOf(const Skeleton& skeleton, const Choice& choice) {
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

// ---- judging

double acrossCost(const Landmarks& l, const Vec3& trunk) {
    return square((1.0 - std::abs(dot(l.across, l.across_arms))) / 0.15) +
           square(dot(l.across, trunk) / 0.3);
}

double headCost(const BodyTree& tree, const Choice& choice, const Landmarks& l, const Vec3& up) {
    const std::vector<JointId> arms = {choice.arms.joints[0].front(), choice.arms.joints[1].front(),
                                       choice.legs.trunk};
    return findHeadByShape(tree, choice.arms.trunk, arms, l.shoulders, up, l.trunk).empty() ? 3.0
                                                                                            : 0.0;
}

// Legs are about 1.7 trunks long, arms 0.7 legs, and legs point away from the trunk.
double humanCost(const BodyTree& tree, const Choice& choice) {
    const Landmarks l = landmarksOf(tree, choice);
    const Vec3 up = normalizedOr(l.shoulders - l.hips, {});
    return choice.leg.cost + choice.arm.cost + costOf(choice.leg.length / l.trunk, 1.6, 0.45) +
           costOf(choice.arm.length / choice.leg.length, 0.7, 0.35) +
           square((1.0 + dot(l.legs, up)) / 0.3) + acrossCost(l, up) +
           headCost(tree, choice, l, up);
}

// All legs are about as long as the trunk and stand below it.
double quadrupedCost(const BodyTree& tree, const Choice& choice) {
    const Landmarks l = landmarksOf(tree, choice);
    const Vec3 ahead = normalizedOr(l.shoulders - l.hips, {});
    // The head is ahead of the fore legs or above them.
    const Vec3 to_head = normalizedOr(ahead - l.legs, {});
    // Rigs begin at the pelvis, which tells the tail from the head.
    const bool begins_behind = tree.skeleton().isAncestor(choice.legs.trunk, choice.arms.trunk);
    return 0.5 * (choice.leg.cost + choice.arm.cost) +
           costOf(choice.leg.length / l.trunk, 0.9, 0.5) +
           costOf(choice.arm.length / choice.leg.length, 1.0, 0.35) +
           square(dot(l.legs, ahead) / 0.45) + square((1.0 - dot(l.legs, l.arms)) / 0.2) +
           acrossCost(l, ahead) + headCost(tree, choice, l, to_head) + (begins_behind ? 0.0 : 4.0);
}

void consider(Choice choice, double cost, BodyKind kind, Choice& best) {
    if (!(cost < best.cost)) return;
    choice.kind = kind;
    choice.cost = cost;
    best = std::move(choice);
}

Choice chooseLimbs(const BodyTree& tree, const std::vector<LimbPair>& pairs,
                   const std::vector<NamedPart>& hints) {
    std::vector<LimbFit> arms, legs;
    for (const LimbPair& pair : pairs) {
        arms.push_back(fitLimb(tree, LimbKind::Arm, pair.trunk, chainsOf(pair), hints));
        legs.push_back(fitLimb(tree, LimbKind::Leg, pair.trunk, chainsOf(pair), hints));
    }
    Choice best;
    for (std::size_t a = 0; a < pairs.size(); ++a) {
        for (std::size_t l = 0; l < pairs.size(); ++l) {
            if (a == l || pairs[a].trunk == pairs[l].trunk) continue;
            if (isInside(tree, pairs[a], pairs[l].trunk) ||
                isInside(tree, pairs[l], pairs[a].trunk))
                continue;
            if (arms[a].upper == LimbFit::kNone || legs[l].upper == LimbFit::kNone) continue;
            Choice choice{.legs = pairs[l], .arms = pairs[a], .leg = legs[l], .arm = arms[a]};
            if (!(landmarksOf(tree, choice).trunk > 0.0)) continue;
            consider(choice, humanCost(tree, choice), BodyKind::Human, best);
            consider(choice, quadrupedCost(tree, choice), BodyKind::Quadruped, best);
        }
    }
    return best;
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

SideEvidence weighSides(const BodyTree& tree, const Choice& choice, const Vec3& forward) {
    SideEvidence out;
    out.names = sideVotes(tree.skeleton(), choice.legs) + sideVotes(tree.skeleton(), choice.arms);
    for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<JointId>& leg = choice.legs.joints[side];
        const Vec3 hip = tree.at(leg[choice.leg.upper]), knee = tree.at(leg[choice.leg.middle]);
        const Vec3 ankle = endOf(tree, leg, choice.leg);
        if (choice.leg.lower != LimbFit::kNone) {
            const Vec3 tip = tree.at(tree.tip(leg[choice.leg.lower]));
            out.toes += dot(tip - ankle, forward) / choice.leg.length;
        }
        out.bends += bendAlong(hip, knee, ankle, forward);
        const std::vector<JointId>& arm = choice.arms.joints[side];
        out.bends -= bendAlong(tree.at(arm[choice.arm.upper]), tree.at(arm[choice.arm.middle]),
                               endOf(tree, arm, choice.arm), forward);
    }
    return out;
}

// Turns the choice so that the first side is the left one. Returns how sure that is.
double findLeft(const BodyTree& tree, const Vec3& up, const Vec3& ahead, Choice& choice,
                Warnings& warnings) {
    // Feet of less than these shares of a leg, and bends of less than half a degree, tell nothing.
    constexpr double kToes = 0.03, kBends = 0.01;
    const Vec3 across = acrossOf(tree, choice.legs, choice.leg);
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
    return confidence;
}

// ---- parts

class PartLister {
  public:
    PartLister(double confidence, double side_confidence)
        : confidence_(confidence), side_confidence_(side_confidence) {}

    void add(JointId joint, BodyPart part, BodySide side, std::string reason, double factor = 1.0) {
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

    void addLimb(const std::vector<JointId>& chain, const LimbFit& fit, BodySide side,
                 std::array<BodyPart, 3> parts, const std::string& limb) {
        const std::string which =
            (side == BodySide::Left ? " of the left of two " : " of the right of two ") + limb;
        add(chain[fit.upper], parts[0], side, "the upper joint" + which);
        add(chain[fit.middle], parts[1], side, "the middle joint" + which);
        if (fit.lower != LimbFit::kNone)
            add(chain[fit.lower], parts[2], side, "the lower joint" + which);
    }

    [[nodiscard]] std::vector<ShapePart> take() { return std::move(out_); }

  private:
    double confidence_, side_confidence_;
    std::vector<ShapePart> out_;
};

void addLegs(const Choice& choice, PartLister& parts) {
    for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<JointId>& leg = choice.legs.joints[side];
        for (std::size_t i = 0; i < choice.leg.upper; ++i)
            parts.add(leg[i], BodyPart::Pelvis, kSides[side], "between the hips and a leg", 0.9);
        parts.addLimb(leg, choice.leg, kSides[side],
                      {BodyPart::Hip, BodyPart::Knee, BodyPart::Ankle},
                      choice.kind == BodyKind::Human ? "legs" : "hind legs");
        if (choice.leg.lower != LimbFit::kNone && choice.leg.lower + 1 < leg.size())
            parts.add(leg[choice.leg.lower + 1], BodyPart::Toes, kSides[side],
                      "the first joint of the foot beyond the ankle", 0.9);
    }
}

void addArms(const BodyTree& tree, const Choice& choice, const Vec3& forward, PartLister& parts) {
    for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<JointId>& arm = choice.arms.joints[side];
        if (choice.arm.upper > 0)
            parts.add(arm[choice.arm.upper - 1], BodyPart::Collarbone, kSides[side],
                      "between the chest and the shoulder", 0.9);
        parts.addLimb(arm, choice.arm, kSides[side],
                      {BodyPart::Shoulder, BodyPart::Elbow, BodyPart::Wrist},
                      choice.kind == BodyKind::Human ? "arms" : "fore legs");
        if (choice.kind != BodyKind::Human || choice.arm.lower == LimbFit::kNone) continue;
        const JointId wrist = arm[choice.arm.lower];
        parts.add(findFingersByShape(tree, wrist, tree.at(wrist) - tree.at(arm[choice.arm.middle]),
                                     forward, kSides[side]),
                  kSides[side]);
    }
}

// From the hips, behind the hind legs.
void addTail(const BodyTree& tree, const Choice& choice, JointId hips, const Vec3& ahead,
             const std::vector<JointId>& spine, PartLister& parts) {
    JointId tail = JointId::None;
    double most = 0.0;
    for (const JointId j : tree.children(hips)) {
        if (isInside(tree, choice.legs, j) || (!spine.empty() && j == spine.front())) continue;
        const double behind = dot(tree.at(hips) - tree.at(tree.tip(j)), ahead);
        if (behind > most) most = behind, tail = j;
    }
    while (tail != JointId::None) {
        parts.add(tail, BodyPart::Tail, BodySide::Centre, "behind the hips", 0.8);
        JointId next = JointId::None;
        for (const JointId j : tree.children(tail))
            if (next == JointId::None || tree.extent(j) > tree.extent(next)) next = j;
        tail = next;
    }
}

ShapeBody describe(const BodyTree& tree, Choice choice, double confidence) {
    ShapeBody out{.kind = choice.kind, .confidence = confidence};
    const Landmarks l = landmarksOf(tree, choice);
    const bool human = choice.kind == BodyKind::Human;
    const Vec3 trunk = normalizedOr(l.shoulders - l.hips, {});
    const Vec3 up = human ? trunk : -l.legs;
    if (dot(l.across, l.across_arms) < 0.0) std::swap(choice.arms.joints[0], choice.arms.joints[1]);
    const double side_confidence = findLeft(tree, up, trunk, choice, out.warnings);
    out.confidence *= side_confidence;
    const Vec3 forward = cross(acrossOf(tree, choice.legs, choice.leg), up);
    PartLister parts(confidence, side_confidence);
    const JointId hips = hipsOf(tree.skeleton(), choice);
    const JointId chest = choice.arms.trunk;
    parts.add(
        hips, BodyPart::Hips, BodySide::Centre,
        human ? "the legs and the spine meet there" : "the hind legs and the spine meet there");
    const std::vector<JointId> spine = spineOf(tree.skeleton(), hips, chest);
    for (const JointId j : spine)
        parts.add(j, BodyPart::Spine, BodySide::Centre,
                  human ? "between the hips and the arms" : "between the hips and the fore legs");
    parts.add(findHeadByShape(tree, chest,
                              {choice.arms.joints[0].front(), choice.arms.joints[1].front(), hips},
                              l.shoulders, human ? up : normalizedOr(trunk + up, up), l.trunk),
              BodySide::Centre);
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
    Choice best = chooseLimbs(tree, findLimbPairs(tree), hints);
    if (!(best.cost < kMostCost)) return std::nullopt;
    // Half as sure at the largest cost, and never as sure as names are.
    const double confidence = 0.95 * std::exp2(-best.cost / kMostCost);
    return describe(tree, std::move(best), confidence);
}

std::vector<ShapePart> findHeadByShape(const BodyTree& tree, JointId chest,
                                       const std::vector<JointId>& arms, const Vec3& shoulders,
                                       const Vec3& up, double trunk) {
    const Skeleton& skeleton = tree.skeleton();
    const auto height = [&](const Vec3& p) { return dot(p - shoulders, up) / trunk; };
    // The child that leads highest. Arms that hang begin at the shoulders and lead down.
    const auto highest = [&](JointId from) {
        JointId out = JointId::None;
        double most = 0.02;  // of the trunk above the shoulders
        for (const JointId j : tree.children(from)) {
            const bool other = std::any_of(arms.begin(), arms.end(), [&](JointId arm) {
                return j == arm || skeleton.isAncestor(j, arm) || skeleton.isAncestor(arm, j);
            });
            const double top = std::max(height(tree.at(j)), height(tree.at(tree.tip(j))));
            if (!other && top > most) most = top, out = j;
        }
        return out;
    };
    std::vector<JointId> way;
    for (JointId j = highest(chest); j != JointId::None; j = highest(j)) way.push_back(j);
    if (way.empty()) return {};
    // Eyes and a jaw hang from the head.
    constexpr double kLeastOfHead = 0.15;
    std::size_t head = way.size() - 1;
    bool branches = false;
    for (std::size_t i = 0; i + 1 < way.size() && !branches; ++i) {
        branches = tree.children(way[i]).size() > 1 && height(tree.at(way[i])) > kLeastOfHead;
        if (branches) head = i;
    }
    // The top of the head is a joint in some files: far above the shoulders, or far from the last.
    if (!branches && head > 0 && tree.reach(way[head]) == 0.0) {
        constexpr double kTop = 0.52, kSkull = 0.22;
        const Vec3 last = tree.at(way[head - 1]);
        if (height(tree.at(way[head])) > kTop ||
            distance(tree.at(way[head]), last) > kSkull * trunk)
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
