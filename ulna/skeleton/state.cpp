// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/state.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna {
namespace {

// The hinge angle whose rotation is nearest to `q`: the one that maximises the quaternions' dot.
double nearestHinge(const Quat& q, const Vec3& axis, double near) {
    return unwrapAngle(2.0 * std::atan2(dot(q.vector(), axis), q.w), near);
}

// The two angles whose rotation R(a)R(b) is nearest to `q`. The dot of the quaternions is bilinear
// in (cos, sin) of the half angles, so it separates in their sum and their difference.
std::array<double, 2> nearestUniversal(const Quat& q, const std::array<Vec3, 2>& axes,
                                       std::span<const double> near) {
    const Vec3 v = q.vector();
    const double cc = q.w;
    const double cs = dot(v, axes[1]);
    const double sc = dot(v, axes[0]);
    const double ss = dot(v, cross(axes[0], axes[1])) - q.w * dot(axes[0], axes[1]);
    const double difference = std::atan2(sc - cs, cc + ss);
    const double sum = std::atan2(sc + cs, cc - ss);
    return {unwrapAngle(sum + difference, near[0]), unwrapAngle(sum - difference, near[1])};
}

// The rotation vector of `q` nearest to `near`: whole turns may be added along its axis.
Vec3 nearestRotationVector(const Quat& q, const Vec3& near) {
    const Vec3 v = quatLog(q);
    const double angle = length(v);
    const Vec3 axis = angle > 1e-12 ? v / angle : normalizedOr(near, Vec3{1, 0, 0});
    return axis * unwrapAngle(angle, dot(near, axis));
}

// Where the rotational numbers of a ball start; a Free joint has its displacement first.
std::size_t ballStart(const JointDef& joint) {
    return joint.kind == JointKind::Free ? 3 : 0;
}

// The nearest angle within [low, high], distances going round the circle.
double nearestAllowed(double angle, double low, double high) {
    if (angle >= low && angle <= high) return angle;
    return std::abs(wrapAngle(angle - low)) < std::abs(wrapAngle(angle - high)) ? low : high;
}

// What rounding leaves of a limit that was just clamped to: no reason to clamp again.
constexpr double kConeRounding = 1e-12;

}  // namespace

double largestSwing(const ConeLimit& cone) {
    // So far from half a revolution the twist is determined to 1e-10.
    constexpr double kMargin = 1e-6;
    return cone.limitsTwist() ? std::min(cone.swing_max, kPi - kMargin) : cone.swing_max;
}

Quat clampToCone(const ConeLimit& cone, const Quat& q) {
    const SwingTwist split = splitSwingTwist(q, cone.axis);
    const Vec3 swing = quatLog(split.swing);
    const double swing_angle = length(swing);
    const double twist = nearestAllowed(split.twist_angle, cone.twist_min, cone.twist_max);
    if (swing_angle <= cone.swing_max && twist == split.twist_angle) return q;
    const double most = largestSwing(cone);
    const double factor = swing_angle > most ? most / swing_angle : 1.0;
    return quatExp(swing * factor) * quatFromAxisAngle(cone.axis, twist);
}

namespace {

// The angle, whole revolutions added, that is nearest to the limit's range; inside it where one is.
double turnedInto(const DofLimit& limit, double angle) {
    // An angle at a limit, but for rounding, stays there.
    constexpr double kRounding = 1e-9;
    if (angle < limit.min - kRounding) angle += kTwoPi * std::ceil((limit.min - angle) / kTwoPi);
    if (angle > limit.max + kRounding) angle -= kTwoPi * std::ceil((angle - limit.max) / kTwoPi);
    // Now at most max; below min only where none is inside, and then the next may be nearer.
    if (angle < limit.min && angle + kTwoPi - limit.max < limit.min - angle) angle += kTwoPi;
    return angle;
}

Vec3 turnedInto(const DofLimit* limits, const Vec3& angles) {
    return {turnedInto(limits[0], angles.x), turnedInto(limits[1], angles.y),
            turnedInto(limits[2], angles.z)};
}

Vec3 clamped(const DofLimit* limits, const Vec3& angles) {
    Vec3 out;
    for (std::size_t k = 0; k < 3; ++k)
        out[k] = std::clamp(angles[k], limits[k].min, limits[k].max);
    return out;
}

// How far Euler angles are from gimbal lock, where the first and the third axis are parallel.
double distanceFromLock(EulerOrder order, double middle) {
    const std::array<int, 3> axes = eulerAxes(order);
    return std::abs(axes[0] == axes[2] ? std::sin(middle) : std::cos(middle));
}

// Of the angles of one rotation that are offered, keeps those that clamping changes least.
class LeastClamped {
  public:
    LeastClamped(const JointDef& joint, const DofLimit* limits, const Quat& q)
        : joint_(joint), limits_(limits), q_(q) {}

    void offer(const Vec3& angles) {
        const double off = angleBetween(computeBallRotation(joint_, clamped(limits_, angles)), q_);
        if (off >= least_) return;
        least_ = off;
        angles_ = angles;
    }
    [[nodiscard]] const Vec3& angles() const { return angles_; }

  private:
    const JointDef& joint_;
    const DofLimit* limits_;
    Quat q_;
    double least_ = std::numeric_limits<double>::infinity();
    Vec3 angles_ = {};
};

// In gimbal lock the outer angles a and c give one rotation along a line: (a + t, c - t) or
// (a + t, c + t). Offers the values of t at which one of them reaches a limit: if any are allowed,
// one of these is.
void offerLocked(const JointDef& joint, const DofLimit* limits, const Quat& q, const Vec3& angles,
                 LeastClamped& out) {
    const auto along = [&](double t, double side) {
        return Vec3{angles.x + t, angles.y, angles.z - side * t};
    };
    const auto off = [&](double side) {
        return angleBetween(computeBallRotation(joint, along(1.0, side)), q);
    };
    const double side = off(1.0) < off(-1.0) ? 1.0 : -1.0;
    for (const double t : {limits[0].min - angles.x, limits[0].max - angles.x,
                           side * (angles.z - limits[2].min), side * (angles.z - limits[2].max)}) {
        if (std::isfinite(t)) out.offer(turnedInto(limits, along(t, side)));
    }
}

// The angles of a ball for the same rotation that the limits change least.
Vec3 ballTurnedIntoLimits(const JointDef& joint, const DofLimit* limits, const Vec3& angles) {
    constexpr double kNearLock = 1e-3;
    const auto allowed = [&](const Vec3& v) { return distance(clamped(limits, v), v) < 1e-9; };
    if (allowed(angles)) return angles;
    const Quat q = computeBallRotation(joint, angles);
    LeastClamped best(joint, limits, q);
    if (joint.coordinates == BallCoordinates::RotationVector) {
        const double angle = length(angles);
        best.offer(angles);
        if (angle > 0.0) best.offer(angles * (1.0 - kTwoPi / angle));
        return best.angles();
    }
    // Every rotation has two Euler triples.
    const bool proper = eulerAxes(joint.order)[0] == eulerAxes(joint.order)[2];
    const Vec3 first = turnedInto(limits, angles);
    if (allowed(first)) return first;
    const Vec3 second{angles.x + kPi, proper ? -angles.y : kPi - angles.y, angles.z + kPi};
    best.offer(first);
    best.offer(turnedInto(limits, second));
    if (distanceFromLock(joint.order, angles.y) < kNearLock) {
        offerLocked(joint, limits, q, angles, best);
        offerLocked(joint, limits, q, second, best);
    }
    return best.angles();
}

// The nearest rotation that limits on the angles of a ball allow.
Quat allowedBall(const JointDef& joint, const Quat& q) {
    const DofLimit* limits = joint.limits.data() + ballStart(joint);
    const Vec3 angles = ballTurnedIntoLimits(joint, limits, computeBallAngles(joint, q, {}));
    const Vec3 allowed = clamped(limits, angles);
    return allowed == angles ? q : computeBallRotation(joint, allowed);
}

}  // namespace

double coneExcess(const ConeLimit& cone, const Quat& q) {
    const SwingTwist split = splitSwingTwist(q, cone.axis);
    const double twist = nearestAllowed(split.twist_angle, cone.twist_min, cone.twist_max);
    return std::max({0.0, rotationAngle(split.swing) - cone.swing_max,
                     std::abs(wrapAngle(split.twist_angle - twist))});
}

Vec3 computeBallAngles(const JointDef& joint, const Quat& rotation, const Vec3& near) {
    return joint.coordinates == BallCoordinates::RotationVector
               ? nearestRotationVector(rotation, near)
               : eulerFromQuat(joint.order, rotation, near);
}

Pose computePose(const Skeleton& skeleton, std::span<const double> dofs) {
    Pose pose = restPose(skeleton);
    applyDofs(skeleton, dofs, pose);
    return pose;
}

// Flattened: a quaternion that a function returns goes through memory, written by one number and
// read by two at a time, which stalls the processor for longer than a joint takes.
[[gnu::flatten]] void applyDofs(const Skeleton& skeleton, std::span<const double> dofs,
                                Pose& pose) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    const bool planar = skeleton.planar();
    const double* own = dofs.data();
    Trs* parent_from_joint = pose.parent_from_joint.data();
    for (const JointDef& joint : skeleton.definitions()) {
        state_internal::applyJointDofs(joint, planar, own, *parent_from_joint);
        own += dofCountOf(joint.kind, planar);
        ++parent_from_joint;
    }
}

void computeJointDofs(const Skeleton& skeleton, JointId j, const Trs& parent_from_joint,
                      std::span<double> out) {
    ULNA_ASSERT(out.size() == skeleton.dofCount(j), "one number per degree of freedom is needed");
    const JointDef& def = skeleton.joint(j);
    const Quat back = conjugate(def.rest.rotation);
    const Quat turned = back * parent_from_joint.rotation;
    const Vec3 moved = rotate(back, parent_from_joint.translation - def.rest.translation);
    switch (def.kind) {
        case JointKind::Fixed:
            break;
        case JointKind::Hinge:
            out[0] = nearestHinge(turned, def.axes[0], out[0]);
            break;
        case JointKind::Universal: {
            const std::array<double, 2> angles = nearestUniversal(turned, def.axes, out);
            std::copy(angles.begin(), angles.end(), out.begin());
            break;
        }
        case JointKind::Free:
            out[0] = moved.x;
            out[1] = moved.y;
            if (skeleton.planar()) {
                out[2] = nearestHinge(turned, Vec3{0, 0, 1}, out[2]);
                break;
            }
            out[2] = moved.z;
            [[fallthrough]];
        case JointKind::Ball: {
            const std::span<double> angles = out.subspan(ballStart(def), 3);
            const Vec3 v = computeBallAngles(def, turned, {angles[0], angles[1], angles[2]});
            for (std::size_t k = 0; k < 3; ++k) angles[k] = v[k];
            break;
        }
        case JointKind::Prismatic:
            out[0] = dot(moved, def.axes[0]);
            break;
    }
}

DofFit computeDofs(const Skeleton& skeleton, const Pose& pose, std::span<const double> near) {
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    ULNA_ASSERT(near.empty() || near.size() == skeleton.dofCount(),
                "`near` needs one number per degree of freedom");
    DofFit fit;
    fit.dofs.assign(near.begin(), near.end());
    fit.dofs.resize(skeleton.dofCount(), 0.0);
    for (const JointId j : skeleton.joints()) {
        const std::span<double> out = jointDofs(skeleton, j, std::span(fit.dofs));
        computeJointDofs(skeleton, j, pose[j], out);
        const JointDef& def = skeleton.joint(j);
        const Trs made = computeJointTransform(skeleton, j, out);
        const double angle = angleBetween(made.rotation, pose[j].rotation);
        if (angle > fit.rotation_residual) {
            fit.rotation_residual = angle;
            fit.rotation_joint = j;
        }
        const double offset = distance(made.translation, pose[j].translation);
        if (offset > fit.translation_residual) {
            fit.translation_residual = offset;
            fit.translation_joint = j;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const double scale = std::abs(pose[j].scale[k] - def.rest.scale[k]);
            if (scale <= fit.scale_residual) continue;
            fit.scale_residual = scale;
            fit.scale_joint = j;
        }
    }
    return fit;
}

void turnIntoLimits(const Skeleton& skeleton, JointId j, std::span<double> dofs) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(j), "one number per degree of freedom is needed");
    const JointDef& def = skeleton.joint(j);
    const bool ball = def.kind == JointKind::Ball || def.kind == JointKind::Free;
    if (ball && !skeleton.planar()) {
        const std::size_t first = ballStart(def);
        const Vec3 angles = ballTurnedIntoLimits(def, def.limits.data() + first,
                                                 {dofs[first], dofs[first + 1], dofs[first + 2]});
        for (std::size_t k = 0; k < 3; ++k) dofs[first + k] = angles[k];
        return;
    }
    const auto limits = skeleton.dofLimits().subspan(skeleton.firstDof(j));
    for (std::size_t k = 0; k < dofs.size(); ++k) {
        if (isAngle(def.kind, skeleton.planar(), k)) dofs[k] = turnedInto(limits[k], dofs[k]);
    }
}

bool clampJointToLimits(const Skeleton& skeleton, JointId j, std::span<double> dofs) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    const JointDef& def = skeleton.joint(j);
    const std::span<const DofLimit> limits = skeleton.dofLimits();
    const std::size_t first = skeleton.firstDof(j);
    bool moved = false;
    if (def.cone) {
        const std::span<double> angles = dofs.subspan(first + ballStart(def), 3);
        const Vec3 before{angles[0], angles[1], angles[2]};
        const Quat q = computeBallRotation(def, before);
        if (coneExcess(*def.cone, q) > kConeRounding) {
            const Vec3 v = computeBallAngles(def, clampToCone(*def.cone, q), before);
            for (std::size_t k = 0; k < 3; ++k) angles[k] = v[k];
            moved = true;
        }
    }
    for (std::size_t d = first; d < first + skeleton.dofCount(j); ++d) {
        const double allowed = std::clamp(dofs[d], limits[d].min, limits[d].max);
        moved = moved || allowed != dofs[d];
        dofs[d] = allowed;
    }
    return moved;
}

namespace {

// What a leader asks of a coordinate that follows it.
double askedOf(const DofCoupling& coupling, std::span<const double> dofs) {
    return coupling.factor * dofs[coupling.leader] + coupling.offset;
}

}  // namespace

std::vector<JointId> clampToLimits(const Skeleton& skeleton, std::span<double> dofs) {
    std::vector<JointId> changed;
    // What follows is inside its limits wherever its leader is inside its own.
    for (const JointId j : skeleton.joints()) {
        if (!skeleton.joint(j).coupling && clampJointToLimits(skeleton, j, dofs))
            changed.push_back(j);
    }
    for (const DofCoupling& c : skeleton.couplings()) {
        if (dofs[c.dof] != askedOf(c, dofs)) changed.push_back(skeleton.jointOfDof(c.dof));
    }
    applyCouplings(skeleton, dofs);
    return changed;
}

void applyCouplings(const Skeleton& skeleton, std::span<double> dofs) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    for (const DofCoupling& c : skeleton.couplings()) dofs[c.dof] = askedOf(c, dofs);
}

Quat allowedRotation(const Skeleton& skeleton, JointId id, const Quat& rotation) {
    const JointDef& joint = skeleton.joint(id);
    const Quat& rest = joint.rest.rotation;
    const Quat q = conjugate(rest) * rotation;
    const auto hinge = [&](const Vec3& axis, const DofLimit& limit) {
        const double angle = turnedInto(limit, nearestHinge(q, axis, 0.0));
        return quatFromAxisAngle(axis, std::clamp(angle, limit.min, limit.max));
    };
    switch (joint.kind) {
        case JointKind::Fixed:
        case JointKind::Prismatic:
            break;
        case JointKind::Hinge:
            return rest * hinge(joint.axes[0], skeleton.dofLimits()[skeleton.firstDof(id)]);
        case JointKind::Universal: {
            const double zero[2] = {};
            const std::array<double, 2> angles = nearestUniversal(q, joint.axes, zero);
            Quat out = rest;
            for (std::size_t k = 0; k < 2; ++k) {
                const DofLimit& limit = joint.limits[k];
                const double angle = turnedInto(limit, angles[k]);
                out =
                    out * quatFromAxisAngle(joint.axes[k], std::clamp(angle, limit.min, limit.max));
            }
            return out;
        }
        case JointKind::Free:
            if (skeleton.planar()) return rest * hinge(Vec3{0, 0, 1}, joint.limits[2]);
            [[fallthrough]];
        case JointKind::Ball: {
            const Quat allowed = joint.cone ? clampToCone(*joint.cone, q) : allowedBall(joint, q);
            return allowed == q ? rotation : rest * allowed;
        }
    }
    return rest;
}

double limitExcess(const Skeleton& skeleton, std::span<const double> dofs) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    double excess = 0.0;
    const std::span<const DofLimit> limits = skeleton.dofLimits();
    for (std::size_t d = 0; d < dofs.size(); ++d) {
        excess = std::max({excess, dofs[d] - limits[d].max, limits[d].min - dofs[d]});
    }
    for (const DofCoupling& c : skeleton.couplings())
        excess = std::max(excess, std::abs(dofs[c.dof] - askedOf(c, dofs)));
    for (const JointId j : skeleton.joints()) {
        const JointDef& def = skeleton.joint(j);
        if (!def.cone) continue;
        const std::size_t first = skeleton.firstDof(j) + ballStart(def);
        const Vec3 angles{dofs[first], dofs[first + 1], dofs[first + 2]};
        excess = std::max(excess, coneExcess(*def.cone, computeBallRotation(def, angles)));
    }
    return excess;
}

}  // namespace ulna
