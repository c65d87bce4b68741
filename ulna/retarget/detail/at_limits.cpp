// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/at_limits.h"

#include <algorithm>

namespace ulna::retarget::detail {
namespace {

// What is this close to a limit is at it, in radians: a solver comes to rest a little inside.
constexpr double kClose = 1e-4;

bool isFree(const DofLimit& limit) {
    return limit.max - limit.min > 2.0 * kClose;  // what cannot move is not limited by its range
}

bool isAtLimit(const DofLimit& limit, double value) {
    return isFree(limit) && (value < limit.min + kClose || value > limit.max - kClose);
}

bool isAtLimit(ConeLimit cone, const Quat& rotation) {
    if (cone.swing_max > kClose && cone.swing_max < kPi) cone.swing_max -= kClose;
    if (cone.limitsTwist() && cone.twist_max - cone.twist_min > 2.0 * kClose) {
        cone.twist_min += kClose;
        cone.twist_max -= kClose;
    }
    return coneExcess(cone, rotation) > 0.0;
}

}  // namespace

LimitWatch::LimitWatch(const Skeleton& skeleton)
    : skeleton_(skeleton), dofs_(skeleton.dofCount(), 0.0) {
    for (const JointId j : skeleton.joints()) {
        bool any = skeleton.joint(j).cone.has_value();
        for (const DofLimit& limit : jointDofs(skeleton, j, skeleton.dofLimits()))
            any = any || (limit.bounded() && isFree(limit));
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
        const std::span<const DofLimit> limits = jointDofs(skeleton_, j, skeleton_.dofLimits());
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
