// SPDX-License-Identifier: Apache-2.0

// LimitWatch: which joints of a pose are at a limit.
#pragma once

#include <vector>

#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"
#include "ulna/skeleton/state.h"

namespace ulna::retarget::detail {

class LimitWatch {
  public:
    /// @pre the skeleton outlives this.
    explicit LimitWatch(const Skeleton& skeleton);

    /// The joints that are at a limit. Angles are read near those of the pose before.
    /// @pre pose has one transform per joint.
    [[nodiscard]] const std::vector<JointId>& look(const Pose& pose);

  private:
    const Skeleton& skeleton_;
    std::vector<JointId> limited_;  // joints with limits
    DofVector dofs_;
    std::vector<JointId> at_limit_;
};

}  // namespace ulna::retarget::detail
