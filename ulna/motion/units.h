// SPDX-License-Identifier: Apache-2.0

// A skeleton and its clips in other units of length, with another up axis, or at rest elsewhere.
#pragma once

#include "ulna/motion/keyed_motion.h"
#include "ulna/motion/motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// Every length multiplied by `factor`. It is an error if a length overflows. @pre factor > 0
[[nodiscard]] Result<Skeleton> scaledSkeleton(const Skeleton& skeleton, double factor);
[[nodiscard]] Motion scaledMotion(const Motion& motion, double factor);
[[nodiscard]] KeyedMotion scaledMotion(KeyedMotion motion, double factor);

/// The whole model rotated by `new_from_old`, for example to change the up axis.
[[nodiscard]] Skeleton rotatedSkeleton(const Skeleton& skeleton, const Quat& new_from_old);
[[nodiscard]] Motion rotatedMotion(const Skeleton& skeleton, const Motion& motion,
                                   const Quat& new_from_old);
[[nodiscard]] KeyedMotion rotatedMotion(const Skeleton& skeleton, KeyedMotion motion,
                                        const Quat& new_from_old);

/// The skeleton with its rest pose moved. Poses and clips hold the translations of roots
/// themselves, so they stay where they are. It is an error if a length overflows.
[[nodiscard]] Result<Skeleton> movedSkeleton(const Skeleton& skeleton, const Vec3& by);

}  // namespace ulna
