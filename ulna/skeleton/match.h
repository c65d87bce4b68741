// SPDX-License-Identifier: Apache-2.0

// Whether a clip of one skeleton can be played on another.
#pragma once

#include <optional>

#include "ulna/core/diagnostic.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// What keeps clips of `other` from being clips of `skeleton`: another number of joints, or a joint
/// with another name or parent, in their order. Nothing where the joints agree; their offsets may
/// differ, so that one clip plays on bodies of different size.
[[nodiscard]] std::optional<Diagnostic> findJointMismatch(const Skeleton& skeleton,
                                                          const Skeleton& other);

}  // namespace ulna
