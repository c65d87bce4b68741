// SPDX-License-Identifier: Apache-2.0
#include "support/random_rigs.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "support/skeletons.h"

namespace ulna::test {
namespace {

bool chance(Random& random, double probability) {
    return random.unit() < probability;
}

Vec3 inBall(Random& random, double radius) {
    const Vec3 direction = random.direction();
    return direction * (radius * std::cbrt(random.unit()));
}

Vec3 inPlane(Random& random) {
    const double angle = random.between(-kPi, kPi);
    return {std::cos(angle), std::sin(angle), 0};
}

JointKind randomKind(Random& random, bool planar, bool root) {
    const std::uint64_t roll = random.below(20);
    if (root && roll < 7) return JointKind::Free;
    if (planar)
        return roll < 15 ? JointKind::Hinge : roll < 18 ? JointKind::Prismatic : JointKind::Fixed;
    return roll < 8    ? JointKind::Ball
           : roll < 14 ? JointKind::Hinge
           : roll < 17 ? JointKind::Universal
           : roll < 19 ? JointKind::Prismatic
                       : JointKind::Fixed;
}

DofLimit randomLimit(Random& random, bool angle, bool wide) {
    const double size = angle ? 1.0 : 0.3;
    switch (random.below(wide ? 7 : 5)) {
        case 0:
            return {};
        case 1: {
            const double low = random.between(0.1, 2.8);
            return {-low * size, random.between(0.1, 2.8) * size};
        }
        case 2:
            return {0.0, random.between(0.1, 2.6) * size};
        case 3: {  // the rest pose is outside
            const double low = random.between(0.1, 0.8) * size;
            return {low, low + random.between(0.1, 1.5) * size};
        }
        case 4: {  // one value alone
            const double only = random.between(-0.7, 0.7) * size;
            return {only, only};
        }
        case 5:
            return {random.between(-1.0, 0.0) * size, DofLimit{}.max};
        default: {
            const double low = random.between(3.5, 9.0);
            return {-low * size, random.between(3.5, 9.0) * size};
        }
    }
}

ConeLimit randomCone(Random& random) {
    ConeLimit cone{.axis = random.direction()};
    cone.swing_max = random.between(0.05, 2.6);
    if (chance(random, 0.7)) {
        cone.twist_min = -random.between(0.05, 2.5);
        cone.twist_max = random.between(0.05, 2.5);
    }
    return cone;
}

void addLimits(Random& random, const RandomRigOptions& options, JointDef& joint) {
    const std::size_t count = dofCountOf(joint.kind, options.planar);
    const bool ball =
        !options.planar && (joint.kind == JointKind::Ball || joint.kind == JointKind::Free);
    const bool cone =
        ball && (joint.coordinates == BallCoordinates::RotationVector || chance(random, 0.5));
    for (std::size_t d = 0; d < count; ++d) {
        const bool angle = isAngle(joint.kind, options.planar, d);
        if (cone && angle) continue;
        joint.limits[d] = randomLimit(random, angle, options.wide_limits);
    }
    if (cone) joint.cone = randomCone(random);
}

}  // namespace

Skeleton randomRig(Random& random, const RandomRigOptions& options) {
    const std::size_t count =
        options.least_joints + random.below(options.most_joints - options.least_joints + 1);
    const double branching = random.between(0.0, 0.4);
    const double limited = chance(random, 0.3) ? 0.3 : 0.9;
    std::vector<JointDef> joints;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t parent = i > 0 && chance(random, branching) ? random.below(i) : i - 1;
        const double bone = chance(random, 0.05) ? 0.0 : random.between(0.05, 0.5);
        JointDef joint;
        joint.name = "j" + std::to_string(i);
        if (i > 0) joint.parent = "j" + std::to_string(parent);
        joint.kind = randomKind(random, options.planar, i == 0);
        joint.rest.translation = (options.planar ? inPlane(random) : random.direction()) * bone;
        if (chance(random, 0.5)) {
            joint.rest.rotation =
                options.planar ? quatAboutAxis(2, random.between(-kPi, kPi)) : random.rotation();
        }
        for (Vec3& axis : joint.axes) axis = random.direction();
        if (options.planar)
            joint.axes[0] = joint.kind == JointKind::Hinge ? Vec3{0, 0, 1} : inPlane(random);
        if (options.scales && !options.planar && chance(random, 0.05)) {
            const double scale = random.between(0.5, 2.0);
            joint.rest.scale = {scale, scale, scale};
        }
        joint.order = kAllEulerOrders[random.below(kAllEulerOrders.size())];
        if (chance(random, 0.3)) joint.coordinates = BallCoordinates::RotationVector;
        if (options.limits && chance(random, limited)) addLimits(random, options, joint);
        joints.push_back(std::move(joint));
    }
    return build(std::move(joints), {.planar = options.planar});
}

DofVector randomAllowedDofs(Random& random, const Skeleton& skeleton) {
    DofVector dofs(skeleton.dofCount());
    for (std::size_t d = 0; d < dofs.size(); ++d) {
        const DofLimit& limit = skeleton.dofLimits()[d];
        const double size = skeleton.isAngle(d) ? kPi : 0.5;
        const double low = std::max(limit.min, std::min(-size, limit.max));
        const double high = std::min(limit.max, std::max(size, limit.min));
        dofs[d] = random.between(low, high);
    }
    clampToLimits(skeleton, dofs);
    return dofs;
}

std::vector<IkGoal> randomGoals(Random& random, const Skeleton& skeleton,
                                const RandomGoalOptions& options) {
    const bool planar = skeleton.planar();
    const std::vector<PlainMatrix> model =
        plainModel(skeleton, randomAllowedDofs(random, skeleton));
    const auto flat = [&](const Vec3& v) { return planar ? Vec3{v.x, v.y, 0} : v; };
    const auto pick = [&] { return jointId(random.below(skeleton.jointCount())); };
    const auto unit = [&] { return planar ? inPlane(random) : random.direction(); };
    std::vector<IkGoal> goals;
    const std::size_t count = 1 + random.below(options.most);
    while (goals.size() < count) {
        const JointId joint = pick();
        const PlainMatrix at = model[index(joint)];
        const Vec3 point = chance(random, 0.5) ? Vec3{} : flat(inBall(random, 0.3));
        const Vec3 anywhere = flat(inBall(random, 2.0));
        const Vec3 there = at.point(point);
        const Vec3 target = options.reachable ? there : anywhere;
        IkGoal goal;
        switch (options.positions_only ? 0 : random.below(8)) {
            case 4: {
                Quat q = planar ? quatAboutAxis(2, random.between(-kPi, kPi)) : random.rotation();
                if (options.reachable) {
                    const PlainMatrix r = withoutScale(at);
                    q = quatFromMatrix(Mat3::fromColumns(
                        r.direction({1, 0, 0}), r.direction({0, 1, 0}), r.direction({0, 0, 1})));
                }
                goal.kind = OrientationGoal{joint, q};
                break;
            }
            case 5: {
                const Vec3 axis = unit();
                const double ahead = random.between(0.2, 4.0);
                const Vec3 along = withoutScale(at).direction(axis);
                goal.kind = AimGoal{joint, axis, point,
                                    options.reachable ? there + along * ahead : anywhere};
                break;
            }
            case 6: {
                const Vec3 normal = unit();
                const double offset = random.between(-2.0, 2.0);
                const PlaneSide side = chance(random, 0.5) ? PlaneSide::On : PlaneSide::Above;
                goal.kind = PlaneGoal{joint, point, normal,
                                      options.reachable ? dot(normal, there) : offset, side};
                break;
            }
            case 7: {
                const JointId other = pick();
                const Vec3 point_b = flat(inBall(random, 0.3));
                const double wanted = random.between(0.0, 2.0);
                const double apart = distance(there, model[index(other)].point(point_b));
                const auto bound = static_cast<DistanceBound>(random.below(3));
                if (other == joint) continue;
                goal.kind = DistanceGoal{
                    joint, other, point, point_b, options.reachable ? apart : wanted, bound};
                break;
            }
            default:
                goal.kind = PositionGoal{joint, point, target};
                break;
        }
        if (chance(random, 0.4)) goal.weight = std::pow(10.0, random.between(-2.0, 2.0));
        goals.push_back(goal);
    }
    return goals;
}

double plainError(const GoalKind& goal, std::span<const PlainMatrix> model) {
    const auto at = [&](JointId j, const Vec3& p) { return model[index(j)].point(p); };
    if (const auto* g = std::get_if<PositionGoal>(&goal))
        return distance(at(g->joint, g->point), g->target);
    if (const auto* g = std::get_if<OrientationGoal>(&goal))
        return plainAngle(withoutScale(model[index(g->joint)]), plainRotation(g->target));
    if (const auto* g = std::get_if<AimGoal>(&goal)) {
        const Vec3 towards = g->target - at(g->joint, g->eye);
        return length(towards) < 1e-12
                   ? 0.0
                   : plainAngle(model[index(g->joint)].direction(g->axis), towards);
    }
    if (const auto* g = std::get_if<PlaneGoal>(&goal)) {
        const double off = dot(g->normal, at(g->joint, g->point)) - g->offset;
        return g->side == PlaneSide::Above ? std::max(0.0, -off) : std::abs(off);
    }
    if (const auto* g = std::get_if<DistanceGoal>(&goal)) {
        const double off =
            distance(at(g->joint_a, g->point_a), at(g->joint_b, g->point_b)) - g->distance;
        return g->bound == DistanceBound::AtLeast  ? std::max(0.0, -off)
               : g->bound == DistanceBound::AtMost ? std::max(0.0, off)
                                                   : std::abs(off);
    }
    ADD_FAILURE() << "no judge for this kind of goal";
    return 0.0;
}

}  // namespace ulna::test
