// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/state.h"

#include <algorithm>
#include <cmath>

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

Quat clampToCone(const ConeLimit& cone, const Quat& q) {
    const SwingTwist split = splitSwingTwist(q, cone.axis);
    const Vec3 swing = quatLog(split.swing);
    const double swing_angle = length(swing);
    const double twist = nearestAllowed(split.twist_angle, cone.twist_min, cone.twist_max);
    if (swing_angle <= cone.swing_max && twist == split.twist_angle) return q;
    const double factor = swing_angle > cone.swing_max ? cone.swing_max / swing_angle : 1.0;
    return quatExp(swing * factor) * quatFromAxisAngle(cone.axis, twist);
}

// The angle, whole turns added, that is nearest to the limit's range; inside it where one is.
double turnedInto(const DofLimit& limit, double angle) {
    if (angle < limit.min) angle += kTwoPi * std::ceil((limit.min - angle) / kTwoPi);
    if (angle > limit.max) angle -= kTwoPi * std::ceil((angle - limit.max) / kTwoPi);
    // Now at most max; below min only where no turn is inside, and then the next may be nearer.
    if (angle < limit.min && angle + kTwoPi - limit.max < limit.min - angle) angle += kTwoPi;
    return angle;
}

// Clamps three numbers of a ball, whole turns added as they help, and returns by how much.
double clampBall(const DofLimit* limits, bool angles, Vec3& v) {
    double excess = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double at = angles ? turnedInto(limits[k], v[k]) : v[k];
        v[k] = std::clamp(at, limits[k].min, limits[k].max);
        excess += std::abs(v[k] - at);
    }
    return excess;
}

// The nearest rotation that limits on the numbers of a ball allow.
Quat allowedBall(const JointDef& joint, const Quat& q) {
    const DofLimit* limits = joint.limits.data() + ballStart(joint);
    const bool euler = joint.coordinates == BallCoordinates::Euler;
    Vec3 best = euler ? eulerFromQuat(joint.order, q) : quatLog(q);
    const Vec3 first = best;
    double excess = clampBall(limits, euler, best);
    if (excess > 0.0 && euler) {
        // Every rotation has two Euler triples; the other one may be allowed where this is not.
        const std::array<int, 3> axes = eulerAxes(joint.order);
        const double middle = axes[0] == axes[2] ? -first.y : kPi - first.y;
        Vec3 other{first.x + kPi, middle, first.z + kPi};
        const double other_excess = clampBall(limits, true, other);
        if (other_excess < excess) {
            best = other;
            excess = other_excess;
        }
    }
    if (!(excess > 0.0)) return q;
    return computeBallRotation(joint, best);
}

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

void applyDofs(const Skeleton& skeleton, std::span<const double> dofs, Pose& pose) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    for (const JointId j : skeleton.joints()) {
        const Trs t = computeJointTransform(skeleton, j, jointDofs(skeleton, j, dofs));
        pose[j].rotation = t.rotation;
        if (slides(skeleton.kind(j))) pose[j].translation = t.translation;
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

std::vector<JointId> clampToLimits(const Skeleton& skeleton, std::span<double> dofs) {
    std::vector<JointId> changed;
    for (const JointId j : skeleton.joints()) {
        if (clampJointToLimits(skeleton, j, dofs)) changed.push_back(j);
    }
    return changed;
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
            return rest * hinge(joint.axes[0], joint.limits[0]);
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
