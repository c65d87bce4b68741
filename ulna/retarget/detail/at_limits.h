// SPDX-License-Identifier: Apache-2.0

// LimitWatch: which joints of a pose are at a limit.
//
// A limit that the rest pose is at, such as that of a straight knee or of a closed jaw, does not
// count: joints stay there unless they are told otherwise.
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
    std::vector<DofLimit> limits_;  // those that count
    DofVector dofs_;
    std::vector<JointId> at_limit_;
};

}  // namespace ulna::retarget::detail
