// SPDX-License-Identifier: Apache-2.0

// A skeleton's limits exchanged for others: none, or those of another skeleton.
//
// The result has the same joints, names and rest transforms, so poses of one are poses of the
// other. Human limits for skeletons that carry none are in skeleton/anatomy.h.
#pragma once

#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// The skeleton without limits on its degrees of freedom.
[[nodiscard]] Skeleton withoutLimits(const Skeleton& skeleton);

/// A skeleton with limits taken from another one.
struct BorrowedLimits {
    Skeleton skeleton;
    std::vector<JointId> taken = {};    ///< joints that now move as the other skeleton's do
    std::vector<JointId> without = {};  ///< joints left as they were; no End Sites
    Warnings warnings = {};  ///< joints of the same name whose limits would say nothing, and why
};

/// Gives joints the kind, axes, limits, coupling, lock and stiffness of the other skeleton's joints
/// of the same name, where their rest axes agree, their bones point the same way and both slide or
/// none does. An error where no joint does, and where one skeleton is planar and the other is not.
[[nodiscard]] Result<BorrowedLimits> withLimitsOf(const Skeleton& skeleton, const Skeleton& other);

}  // namespace ulna
