// SPDX-License-Identifier: Apache-2.0

// The law of cosines, generalised to a hinge anywhere. With u from start to mid and w from mid to
// end, turning w by an angle about an axis a makes the squared distance from start to end
//
//   |u + R(a, angle) w|^2 = A + B cos(angle) + C sin(angle)
//   A = |u|^2 + |w|^2 + 2 (a.u)(a.w),  B = 2 (u.w - (a.u)(a.w)),  C = 2 u.(a x w)
//
// which is solved for the target distance in closed form; where a is perpendicular to both bones it
// is the law of cosines. Rotations are built from half-angle algebra: square roots, no trigonometry
// but where limits are judged. Swivel and pole: Tolani, Goswami & Badler, "Real-time inverse
// kinematics techniques for anthropomorphic limbs" (2000). Soft reach: Nicholas, "Soft IK" (2009).
#include "ulna/ik/two_bone.h"

#include <algorithm>
#include <cmath>

#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

// How far from straight a fully extended limb stays, in radians: enough for its plane to be read
// off again to ten digits, too little to shorten it (by the square of this over 8).
constexpr double kShyOfStraight = 1e-6;
// Limbs closer to straight than this have no plane: the cross product of the bones is rounding.
constexpr double kStraight = 1e-8;
// The same, squared, for a limb just bent: a hundred times as near, so that what was bent on
// purpose has its plane.
constexpr double kPlaneless = 1e-20;
// What is left of a length after rounding, relative to the limb.
constexpr double kRounding = 1e-12;
// Targets nearer to start than this have no direction: squares underflow.
constexpr double kNoDirection = 1e-145;
// Errors below this part of the limb's length count as reached.
constexpr double kReached = 1e-9;

// A solve begins by checking its chain, its ancestors with it, and its pose; these do not again.
const Trs& transformOf(const Pose& pose, JointId j) {
    return pose.parent_from_joint[index(j)];
}
Trs& transformOf(Pose& pose, JointId j) {
    return pose.parent_from_joint[index(j)];
}
JointId parentOf(const Skeleton& skeleton, JointId j) {
    return skeleton.parents()[index(j)];
}
const JointDef& definitionOf(const Skeleton& skeleton, JointId j) {
    return skeleton.definitions()[index(j)];
}

// The bones as they are, and the goal. Vectors start at `start`, in the axes of mid's parent (the
// limb's axes: those of start when no joint is in between) and the lengths of start's parent.
struct Limb {
    Vec3 upper;           // from start to mid
    Vec3 lower;           // from mid to end, in mid's own axes
    double upper2 = 0.0;  // their lengths squared
    double lower2 = 0.0;
    Quat start_from_limb;   // the joints in between
    Quat parent_from_limb;  // start and the joints in between
    Vec3 target;
    double target_distance = 0.0;
    Vec3 pole;
    bool has_pole = false;
    bool has_between = false;
    double soft = 0.0;
};

// An angle by its cosine and sine.
struct Turn {
    double cosine = 1.0;
    double sine = 0.0;
};

// A turn of mid about an axis through it, and the terms of the squared distance from start to end.
struct Bend {
    Vec3 axis;    // unit
    Vec3 along;   // from mid to end before the turn: the part along the axis,
    Vec3 off;     // the part off it,
    Vec3 across;  // and that a quarter turn on
    // The squared distance goes from the longest at the phase, with the cosine of the angle from
    // there, to the shortest half a turn on.
    double longest2 = 0.0;
    double shortest2 = 0.0;
    double shrink = 0.0;  // 2 / (longest2 - shortest2); 0 when the turn changes nothing
    Turn phase = {};
};

// Mid after its turn.
struct BentMid {
    Quat rotation;
    Vec3 lower;         // from mid to end, as in Limb
    Vec3 axis = {};     // of the turn; zero when there was none
    double side = 1.0;  // which way along the axis the limb is bent
};

// Whether the goal's numbers are numbers whose squares still have squares.
bool isSensible(const TwoBoneGoal& goal) {
    const auto size = [](const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); };
    double sum = size(goal.target) + std::abs(goal.swivel) + std::abs(goal.soft);
    if (goal.pole) sum += size(*goal.pole);
    return sum + std::abs(goal.stretch) <= 1e75;
}

bool anglesBounded(const JointDef& joint, std::size_t first) {
    return joint.limits[first].bounded() || joint.limits[first + 1].bounded() ||
           joint.limits[first + 2].bounded();
}

inline bool turnsFreely(const JointDef& joint, bool planar) {
    if (joint.locked) return false;
    if (joint.kind == JointKind::Ball) return !joint.cone && !anglesBounded(joint, 0);
    if (joint.kind == JointKind::Free && !planar) return !joint.cone && !anglesBounded(joint, 3);
    // In the plane every rotation is about z.
    if (joint.kind == JointKind::Free) return !joint.limits[2].bounded();
    return planar && joint.kind == JointKind::Hinge && !joint.limits[0].bounded();
}

bool turnsAtAll(const JointDef& joint) {
    return !joint.locked && joint.kind != JointKind::Fixed && joint.kind != JointKind::Prismatic;
}

// The joints between start and mid.
void readBetween(const Skeleton& skeleton, const TwoBoneChain& chain, const Pose& pose,
                 Limb& limb) {
    const double scale = transformOf(pose, chain.start).scale.x;
    Vec3 mid = transformOf(pose, chain.mid).translation;
    for (JointId j = parentOf(skeleton, chain.mid); j != chain.start; j = parentOf(skeleton, j)) {
        mid = transformOf(pose, j) * mid;
        limb.start_from_limb = transformOf(pose, j).rotation * limb.start_from_limb;
        limb.lower *= transformOf(pose, j).scale.x;
    }
    limb.upper = rotate(conjugate(limb.start_from_limb), mid) * scale;
    limb.parent_from_limb = limb.parent_from_limb * limb.start_from_limb;
    limb.has_between = true;
}

inline Limb readLimb(const Skeleton& skeleton, const TwoBoneChain& chain, const Pose& pose) {
    Limb limb;
    const Trs& start = transformOf(pose, chain.start);
    const Trs& mid = transformOf(pose, chain.mid);
    Vec3 end = transformOf(pose, chain.end).translation;
    for (JointId j = parentOf(skeleton, chain.end); j != chain.mid; j = parentOf(skeleton, j)) {
        end = transformOf(pose, j) * end;
    }
    limb.upper = mid.translation * start.scale.x;
    limb.lower = end * (mid.scale.x * start.scale.x);
    limb.parent_from_limb = start.rotation;
    if (parentOf(skeleton, chain.mid) != chain.start) [[unlikely]]
        readBetween(skeleton, chain, pose, limb);
    limb.upper2 = dot(limb.upper, limb.upper);
    limb.lower2 = dot(limb.lower, limb.lower);
    return limb;
}

// A + hypot(B, C) and A - hypot(B, C) of the top of this file, without their cancellation: from the
// bones' parts along the axis and off it.
Bend makeBend(const Vec3& upper, const Vec3& lower, const Vec3& axis) {
    const Vec3 upper_along = axis * dot(axis, upper);
    const Vec3 upper_off = upper - upper_along;
    Bend bend;
    bend.axis = axis;
    bend.along = axis * dot(axis, lower);
    bend.off = lower - bend.along;
    bend.across = cross(axis, bend.off);
    const double upper_length = length(upper_off);
    const double lower_length = length(bend.off);
    const Vec3 both = upper_along + bend.along;
    const double along2 = dot(both, both);
    bend.longest2 = along2 + square(upper_length + lower_length);
    bend.shortest2 = along2 + square(upper_length - lower_length);
    const double product = upper_length * lower_length;
    if (product <= kRounding * bend.longest2) return bend;
    const double shrink = 1.0 / product;
    bend.shrink = 0.5 * shrink;
    bend.phase = {dot(upper_off, bend.off) * shrink, dot(upper_off, bend.across) * shrink};
    return bend;
}

// The distance to strive for: the target's, eased into the longest the limb can be.
double softened(const Bend& bend, double distance, double soft) {
    const double longest = std::sqrt(bend.longest2);
    const double width = longest * std::min(soft, 0.999);
    const double start = longest - width;
    if (distance <= start) return distance;
    return start + width * (1.0 - std::exp((start - distance) / width));
}

// The turn from where the limb is longest that gives the target distance; its sine positive.
inline Turn turnForDistance(const Bend& bend, const Limb& limb) {
    constexpr double kShy = 0.5 * kShyOfStraight * kShyOfStraight;
    double target = limb.target_distance;
    if (limb.soft > 0.0) [[unlikely]]
        target = softened(bend, target, limb.soft);
    // A folded limb keeps its plane too, but where its ends nearly meet that would cost accuracy.
    const double shy_folded = bend.shortest2 < 0.01 * bend.longest2 ? 0.0 : kShy;
    // 1 - cosine and 1 + cosine, each exact where it is small.
    const double missing = (bend.longest2 - square(target)) * bend.shrink;
    const double beyond = (square(target) - bend.shortest2) * bend.shrink;
    const double less = std::clamp(missing, kShy, 2.0 - shy_folded);
    const double more = std::clamp(beyond, shy_folded, 2.0 - kShy);
    return {0.5 * (more - less), std::sqrt(more * less)};
}

// The same counted from the angle zero, to the side of the sign.
Turn turnOf(const Bend& bend, const Turn& from_longest, double side) {
    const double sine = side * from_longest.sine;
    return {bend.phase.cosine * from_longest.cosine - bend.phase.sine * sine,
            bend.phase.sine * from_longest.cosine + bend.phase.cosine * sine};
}

// Cosine and sine of half the angle. The first way is right but near half a turn, and so nearly
// always taken: a branch that the processor can foresee.
inline Turn halfOf(const Turn& turn) {
    if (turn.cosine > -0.9) {
        const double cosine = std::sqrt(0.5 * (1.0 + turn.cosine));
        return {cosine, 0.5 * turn.sine / cosine};
    }
    const double sine = std::copysign(std::sqrt(0.5 * (1.0 - turn.cosine)), turn.sine);
    return {0.5 * turn.sine / sine, sine};
}

inline Vec3 turned(const Bend& bend, const Turn& turn) {
    return bend.along + bend.off * turn.cosine + bend.across * turn.sine;
}

bool allows(const DofLimit& limit, const Turn& turn, const Turn& half) {
    // An angle to three digits (Abramowitz & Stegun 4.4.45) is enough but near the limits.
    const double x = std::abs(half.sine);
    const double about = std::sqrt(std::max(1.0 - x, 0.0)) *
                         (1.5707288 - x * (0.2121144 - x * (0.0742610 - x * 0.0187293)));
    const double rough = std::copysign(kPi - 2.0 * about, half.sine);
    if (rough > limit.min + 1e-3 && rough < limit.max - 1e-3) return true;
    // A range open to one side holds every rotation, some number of turns away.
    if (!std::isfinite(limit.min) || !std::isfinite(limit.max)) return true;
    const double angle = std::atan2(turn.sine, turn.cosine);
    const double turns = std::ceil((limit.min - kRounding - angle) / kTwoPi);
    return angle + turns * kTwoPi <= limit.max + kRounding;
}

// The end of the range at which the limb is nearest to its target length.
Turn nearestLimit(const Bend& bend, const DofLimit& limit, double cosine) {
    const Turn low{std::cos(limit.min), std::sin(limit.min)};
    const Turn high{std::cos(limit.max), std::sin(limit.max)};
    const auto miss = [&](const Turn& turn) {
        return std::abs(turn.cosine * bend.phase.cosine + turn.sine * bend.phase.sine - cosine);
    };
    return miss(low) <= miss(high) ? low : high;
}

// The side a hinge is bent to: the sign of its angle from where the limb is longest. `half` is half
// its turn from rest, up to a factor.
double sideOf(const Bend& bend, const Turn& half) {
    const double sine = 2.0 * half.sine * half.cosine;
    const double cosine = square(half.cosine) - square(half.sine);
    return sine * bend.phase.cosine - cosine * bend.phase.sine >= -kStraight ? 1.0 : -1.0;
}

// In the plane, the side on which mid is towards the pole, or 0 where the pole is on the line.
double poleSide(const Limb& limb, const Vec3& axis) {
    const double across = dot(limb.pole, cross(limb.target, axis));
    if (std::abs(across) <= kStraight * limb.target_distance * length(limb.pole)) return 0.0;
    return std::copysign(1.0, across);
}

Quat sum(const Quat& a, double s, const Quat& b, double t) {
    return {a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t, a.w * s + b.w * t};
}

// A joint that turns about one axis only.
BentMid bendHinge(const Skeleton& skeleton, JointId id, const Limb& limb, const Quat& rotation) {
    const JointDef& joint = definitionOf(skeleton, id);
    const bool hinge = joint.kind == JointKind::Hinge;
    const Vec3 own_axis = hinge ? joint.axes[0] : Vec3{0, 0, 1};
    const DofLimit& limit = joint.limits[hinge ? 0 : 2];
    // The joint's rotations are rest * cos(angle / 2) + flipped * sin(angle / 2).
    const Quat& rest = joint.rest.rotation;
    const Quat flipped = rest * Quat{own_axis.x, own_axis.y, own_axis.z, 0.0};
    const bool turned_at_rest = rest != Quat{};
    const Vec3 lower = turned_at_rest ? rotate(rest, limb.lower) : limb.lower;
    const Vec3 axis = turned_at_rest ? rotate(rest, own_axis) : own_axis;
    const Bend bend = makeBend(limb.upper, lower, axis);
    const Turn present{dot(rest, rotation), dot(flipped, rotation)};
    if (bend.shrink == 0.0) {
        // No turn changes the distance: the hinge stays, as nearly as it may.
        const Quat allowed = allowedRotation(skeleton, id, rotation);
        return {allowed, rotate(allowed, limb.lower), bend.axis, 1.0};
    }
    const Turn target = turnForDistance(bend, limb);
    double side = skeleton.planar() && limb.has_pole ? poleSide(limb, bend.axis) : 0.0;
    if (side == 0.0) side = sideOf(bend, present);
    Turn turn = turnOf(bend, target, side);
    Turn half = halfOf(turn);
    if (limit.bounded() && !allows(limit, turn, half)) {
        side = -side;
        turn = turnOf(bend, target, side);
        half = halfOf(turn);
        if (!allows(limit, turn, half)) {
            turn = nearestLimit(bend, limit, target.cosine);
            half = halfOf(turn);
            side = sideOf(bend, half);
        }
    }
    return {sum(rest, half.cosine, flipped, half.sine), turned(bend, turn), bend.axis, side};
}

// The bend of a joint that turns about any axis: in the plane it is in; from straight, towards the
// pole.
Bend freeBend(const Limb& limb, const Vec3& lower) {
    const Vec3 normal = cross(limb.upper, lower);
    const double normal2 = dot(normal, normal);
    const double product2 = limb.upper2 * limb.lower2;
    if (normal2 > square(kStraight) * product2) [[likely]] {
        // makeBend for an axis perpendicular to both bones: the law of cosines.
        const double size = std::sqrt(normal2);
        const double upper = std::sqrt(limb.upper2);
        const double lower_length = std::sqrt(limb.lower2);
        const double shrink = 1.0 / (upper * lower_length);
        const Vec3 axis = normal * (1.0 / size);
        return {axis,
                {},
                lower,
                cross(axis, lower),
                square(upper + lower_length),
                square(upper - lower_length),
                0.5 * shrink,
                {dot(limb.upper, lower) * shrink, -size * shrink}};
    }
    const Vec3 to_pole = limb.has_pole ? cross(limb.pole, limb.upper) : Vec3{};
    if (dot(to_pole, to_pole) > square(kStraight) * limb.upper2 * dot(limb.pole, limb.pole))
        return makeBend(limb.upper, lower, to_pole / length(to_pole));
    const Vec3 along = normalizedOr(limb.upper, normalizedOr(lower, Vec3{1, 0, 0}));
    return makeBend(limb.upper, lower, anyPerpendicular(along));
}

BentMid bendBall(const Limb& limb, const Quat& rotation) {
    const Bend bend = freeBend(limb, rotate(rotation, limb.lower));
    Turn turn = {};
    if (bend.shrink > 0.0) turn = turnOf(bend, turnForDistance(bend, limb), 1.0);
    const Turn half = halfOf(turn);
    const Vec3 v = bend.axis * half.sine;
    const Quat now = Quat{v.x, v.y, v.z, half.cosine} * rotation;
    // One step of Newton's method for 1 / |q| keeps rounding from adding up over many solves.
    const double one = 1.5 - 0.5 * dot(now, now);
    return {
        {now.x * one, now.y * one, now.z * one, now.w * one}, turned(bend, turn), bend.axis, 1.0};
}

BentMid bendMid(const Skeleton& skeleton, JointId id, const Limb& limb, const Quat& rotation) {
    const JointDef& joint = definitionOf(skeleton, id);
    const bool planar = skeleton.planar();
    if (!turnsAtAll(joint)) return {rotation, rotate(rotation, limb.lower)};
    if (joint.kind == JointKind::Hinge || planar) return bendHinge(skeleton, id, limb, rotation);
    BentMid mid = bendBall(limb, rotation);
    if (turnsFreely(joint, planar)) return mid;
    mid.rotation = allowedRotation(skeleton, id, mid.rotation);
    mid.lower = rotate(mid.rotation, limb.lower);
    return mid;
}

// Where a bent limb points, in its own axes.
struct Direction {
    Vec3 reach;            // from start to end; of a folded limb, where it would open to
    double length = 0.0;   // of reach; 0 when the limb has no length at all
    Vec3 normal;           // of the bend's plane, upper x lower, any length; 0 when it has none
    double normal2 = 0.0;  // its length squared
};

Direction directionOf(const Limb& limb, const BentMid& mid, const Vec3& end, double distance) {
    Direction out{end, distance, cross(limb.upper, mid.lower), 0.0};
    double second2 = limb.lower2;
    if (square(distance) <= square(kRounding) * (limb.upper2 + limb.lower2)) [[unlikely]] {
        out.reach = cross(mid.lower, mid.axis) * mid.side;
        out.normal = cross(limb.upper, out.reach);
        out.length = length(out.reach);
        second2 = square(out.length);
    }
    out.normal2 = dot(out.normal, out.normal);
    if (out.normal2 <= kPlaneless * limb.upper2 * second2) {
        out.normal = {};
        out.normal2 = 0.0;
    }
    return out;
}

Vec3 directionToTarget(const Limb& limb, const Direction& direction) {
    if (limb.target_distance > kNoDirection) return limb.target * (1.0 / limb.target_distance);
    return direction.reach / direction.length;
}

// Half the turn about `line` (unit), up to a factor, that brings the bend with this normal to face
// the pole; none where the pole is on the line.
inline Turn halfTwistToPole(const Vec3& line, const Vec3& normal, double normal2,
                            const Vec3& pole) {
    // The bend points along line x normal, and a quarter turn on along -normal.
    const double c = dot(pole, cross(line, normal));
    const double s = -dot(pole, normal);
    const double size2 = c * c + s * s;
    if (size2 <= square(kStraight) * normal2 * dot(pole, pole)) return {};
    const double size = std::sqrt(size2);
    // The tangent of half the angle is s / (size + c) and (size - c) / s; near half a turn the
    // first loses its digits.
    return c > -0.99 * size ? Turn{size + c, s} : Turn{s, size - c};
}

// The smallest turn from near the opposite of `to` (unit). There the axis is known to few digits,
// so a turn about what is known comes first and a small one for what is left.
Quat swingBehind(const Direction& limb, const Vec3& to, bool planar) {
    const Vec3 v = cross(limb.reach, to);
    Quat first{v.x, v.y, v.z, limb.length + dot(limb.reach, to)};
    if (dot(v, v) <= 1e-14 * square(limb.length)) {
        Vec3 axis{0, 0, 1};
        if (!planar) axis = normalizedOr(limb.normal, anyPerpendicular(limb.reach / limb.length));
        first = {axis.x, axis.y, axis.z, 0.0};
    }
    first = normalized(first);
    const Vec3 now = rotate(first, limb.reach);
    const Vec3 rest = cross(now, to);
    return normalized(Quat{rest.x, rest.y, rest.z, limb.length + dot(now, to)} * first);
}

// How the limb is to be turned, in its own axes, to point at the target and bend to the pole: the
// smallest turn to the target, then one about the line there. Not normalised.
Quat aim(const Limb& limb, const Direction& direction, bool planar, bool has_pole) {
    const Vec3& reach = direction.reach;
    const double length = direction.length;
    const Vec3 to = directionToTarget(limb, direction);
    const double cosine = dot(reach, to);
    const double w = length + cosine;
    if (w <= 0.01 * length) [[unlikely]] {
        const Quat swing = swingBehind(direction, to, planar);
        if (!has_pole) return swing;
        const Turn half =
            halfTwistToPole(to, rotate(swing, direction.normal), direction.normal2, limb.pole);
        return Quat{to.x * half.sine, to.y * half.sine, to.z * half.sine, half.cosine} * swing;
    }
    const Vec3 v = cross(reach, to);
    if (!has_pole) return {v.x, v.y, v.z, w};
    // The normal after that turn, w times as long, by Rodrigues' formula for what is perpendicular
    // to reach; then the product of both turns with its zeros left out.
    const Vec3 halfway = reach + to * length;
    const Vec3 normal = direction.normal * w - halfway * dot(to, direction.normal);
    const Turn half = halfTwistToPole(to, normal, square(w) * direction.normal2, limb.pole);
    const Vec3 both = v * half.cosine + halfway * half.sine;
    return {both.x, both.y, both.z, w * half.cosine};
}

Quat unit(const Quat& q) {
    const double shrink = 1.0 / std::sqrt(dot(q, q));
    return {q.x * shrink, q.y * shrink, q.z * shrink, q.w * shrink};
}

// Lengthens the bones by the factor that the target asks for, as far as allowed, and returns it.
double stretchBones(const Skeleton& skeleton, const TwoBoneChain& chain, double target,
                    double allowed, Pose& pose) {
    if (!(target > 1.0)) return 1.0;
    const double factor = std::min(target, allowed);
    for (JointId j = chain.end; j != chain.start; j = parentOf(skeleton, j)) {
        transformOf(pose, j).translation *= factor;
    }
    return factor;
}

// Turns start as the limb asks, as far as it can; returns whether it surely could.
bool turnStart(const Skeleton& skeleton, const TwoBoneChain& chain, const Limb& limb,
               const Direction& direction, double swivel, Pose& pose) {
    const JointDef& joint = definitionOf(skeleton, chain.start);
    if (!turnsAtAll(joint) || !(direction.length > 0.0)) return false;
    const bool planar = skeleton.planar();
    const bool has_plane =
        !planar && (joint.kind == JointKind::Ball || joint.kind == JointKind::Free);
    Quat turn = aim(limb, direction, planar, has_plane && limb.has_pole);
    if (has_plane && swivel != 0.0)
        turn = quatFromAxisAngle(directionToTarget(limb, direction), swivel) * turn;
    turn = limb.parent_from_limb * turn;
    if (limb.has_between) turn = turn * conjugate(limb.start_from_limb);
    Quat& rotation = transformOf(pose, chain.start).rotation;
    rotation = unit(turn);
    if (turnsFreely(joint, planar)) return true;
    const Quat target = rotation;
    rotation = allowedRotation(skeleton, chain.start, target);
    return rotation == target;
}

// Solves for `limb`, whose target and pole are filled in.
TwoBoneReport solveLimb(const Skeleton& skeleton, const TwoBoneChain& chain,
                        const TwoBoneGoal& goal, const Limb& limb, Pose& pose) {
    const BentMid mid = bendMid(skeleton, chain.mid, limb, transformOf(pose, chain.mid).rotation);
    transformOf(pose, chain.mid).rotation = mid.rotation;
    Vec3 end = limb.upper + mid.lower;
    double distance = length(end);
    const Direction direction = directionOf(limb, mid, end, distance);
    const bool aimed = turnStart(skeleton, chain, limb, direction, goal.swivel, pose);
    if (goal.stretch > 1.0 && distance > 0.0) {
        const double factor =
            stretchBones(skeleton, chain, limb.target_distance / distance, goal.stretch, pose);
        end *= factor;
        distance *= factor;
    }
    double error = std::abs(distance - limb.target_distance);
    if (!aimed) {
        const Quat parent_from_limb =
            transformOf(pose, chain.start).rotation * limb.start_from_limb;
        error = ulna::distance(rotate(parent_from_limb, end),
                               rotate(limb.parent_from_limb, limb.target));
    }
    const bool reached = square(error) <= square(kReached) * (limb.upper2 + limb.lower2);
    return {reached ? IkStatus::Reached : IkStatus::OutOfReach, error};
}

void checkChain([[maybe_unused]] const Skeleton& skeleton,
                [[maybe_unused]] const TwoBoneChain& chain, [[maybe_unused]] const Pose& pose) {
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    ULNA_ASSERT(
        skeleton.isAncestor(chain.start, chain.mid) && skeleton.isAncestor(chain.mid, chain.end),
        "start, mid and end must follow one another down the tree");
}

// The same for a goal whose positions in the frame of start's parent `toParent` gives.
template <class ToParent>
TwoBoneReport solveSeenFrom(const Skeleton& skeleton, const TwoBoneChain& chain,
                            const TwoBoneGoal& goal, double scale, Pose& pose, ToParent toParent) {
    if (!isSensible(goal)) return {IkStatus::BadGoal, 0.0};
    Limb limb = readLimb(skeleton, chain, pose);
    const auto toLimb = [&](const Vec3& model_point) {
        Vec3 from_start = toParent(model_point) - transformOf(pose, chain.start).translation;
        if (skeleton.planar()) from_start.z = 0.0;
        return rotate(conjugate(limb.parent_from_limb), from_start);
    };
    limb.target = toLimb(goal.target);
    limb.target_distance = length(limb.target);
    limb.soft = goal.soft;
    if (goal.pole) {
        limb.pole = toLimb(*goal.pole);
        // A pole at the start itself has no direction but rounding's.
        limb.has_pole = dot(limb.pole, limb.pole) > square(kRounding) * (limb.upper2 + limb.lower2);
    }
    TwoBoneReport report = solveLimb(skeleton, chain, goal, limb, pose);
    report.error *= scale;
    return report;
}

// One over a scale; nothing is left of a model shrunk to nothing.
double shrinkOf(double scale) {
    return scale != 0.0 ? 1.0 / scale : 0.0;
}

}  // namespace

TwoBoneReport solveTwoBone(const Skeleton& skeleton, const TwoBoneChain& chain,
                           const TwoBoneGoal& goal, const Affine& model_from_parent, Pose& pose) {
    checkChain(skeleton, chain, pose);
    // The inverse of a rotation with a uniform scale is its transpose over the scale squared.
    const Vec3 x = model_from_parent.column(0);
    const Vec3 y = model_from_parent.column(1);
    const Vec3 z = model_from_parent.column(2);
    const double scale2 = dot(x, x);
    const double shrink = shrinkOf(scale2);
    return solveSeenFrom(skeleton, chain, goal, std::sqrt(scale2), pose, [&](const Vec3& point) {
        const Vec3 d = point - model_from_parent.translation();
        return Vec3{dot(x, d), dot(y, d), dot(z, d)} * shrink;
    });
}

TwoBoneReport solveTwoBone(const Skeleton& skeleton, const TwoBoneChain& chain,
                           const TwoBoneGoal& goal, Pose& pose) {
    checkChain(skeleton, chain, pose);
    Rigid model_from_parent;
    double scale = 1.0;
    for (JointId j = parentOf(skeleton, chain.start); j != JointId::None;
         j = parentOf(skeleton, j)) {
        model_from_parent.translation = transformOf(pose, j) * model_from_parent.translation;
        model_from_parent.rotation = transformOf(pose, j).rotation * model_from_parent.rotation;
        scale *= transformOf(pose, j).scale.x;
    }
    const Quat back = conjugate(model_from_parent.rotation);
    const double shrink = shrinkOf(scale);
    return solveSeenFrom(skeleton, chain, goal, std::abs(scale), pose, [&](const Vec3& point) {
        return rotate(back, point - model_from_parent.translation) * shrink;
    });
}

}  // namespace ulna
