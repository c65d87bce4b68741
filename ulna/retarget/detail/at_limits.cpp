// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/at_limits.h"

#include <algorithm>
#include <cmath>

namespace ulna::retarget::detail {
namespace {

// What is this close to a limit is at it, in radians: a solver comes to rest a little inside.
constexpr double kClose = 1e-4;

bool isFree(const DofLimit& limit) {
    return limit.max - limit.min > 2.0 * kClose;  // what cannot move is not limited by its range
}

bool isAtLimit(const DofLimit& limit, double value) {
    return value < limit.min + kClose || value > limit.max - kClose;
}

// The bounds that the rest pose, where all coordinates are 0, is inside.
DofLimit awayFromRest(DofLimit limit) {
    const DofLimit open;
    if (std::abs(limit.min) < kClose) limit.min = open.min;
    if (std::abs(limit.max) < kClose) limit.max = open.max;
    return limit;
}

bool isAtLimit(const ConeLimit& cone, const Quat& rotation) {
    ConeLimit inner = cone;
    if (inner.swing_max > kClose && inner.swing_max < kPi) inner.swing_max -= kClose;
    if (inner.limitsTwist() && inner.twist_max - inner.twist_min > 2.0 * kClose) {
        if (inner.twist_min < -kClose) inner.twist_min += kClose;
        if (inner.twist_max > kClose) inner.twist_max -= kClose;
    }
    return coneExcess(inner, rotation) > 0.0;
}

}  // namespace

LimitWatch::LimitWatch(const Skeleton& skeleton)
    : skeleton_(skeleton), dofs_(skeleton.dofCount(), 0.0) {
    for (const DofLimit& limit : skeleton.dofLimits())
        limits_.push_back(isFree(limit) ? awayFromRest(limit) : DofLimit{});
    for (const JointId j : skeleton.joints()) {
        bool any = skeleton.joint(j).cone.has_value();
        for (const DofLimit& limit : jointDofs(skeleton, j, std::span<const DofLimit>(limits_)))
            any = any || limit.bounded();
        if (any) limited_.push_back(j);
    }
}

const std::vector<JointId>& LimitWatch::look(const Pose& pose) {
    at_limit_.clear();
    for (const JointId j : limited_) {
        const JointDef& joint = skeleton_.joint(j);
        if (joint.cone) {
            const Quat own = conjugate(skeleton_.rest(j).rotation) * pose[j].rotation;
            if (isAtLimit(*joint.cone, own)) at_limit_.push_back(j);
            continue;
        }
        const std::span<double> dofs = jointDofs(skeleton_, j, std::span(dofs_));
        const std::span<const DofLimit> limits =
            jointDofs(skeleton_, j, std::span<const DofLimit>(limits_));
        computeJointDofs(skeleton_, j, pose[j], dofs);
        turnIntoLimits(skeleton_, j, dofs);
        for (std::size_t k = 0; k < dofs.size(); ++k) {
            if (!isAtLimit(limits[k], dofs[k])) continue;
            at_limit_.push_back(j);
            break;
        }
    }
    return at_limit_;
}

}  // namespace ulna::retarget::detail
