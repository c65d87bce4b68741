// SPDX-License-Identifier: Apache-2.0

// Left and right: which joint is the counterpart of which, read from the names.
#pragma once

#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// Each joint's counterpart on the other side; a joint of the middle is its own.
struct MirrorPairs {
    std::vector<JointId> other;
    Vec3 normal = {1, 0, 0};  ///< from the right side to the left at rest: the nearest model axis
    std::size_t pairs = 0;
    Warnings warnings;  ///< a side without its counterpart, a rest pose that is not symmetric
};

/// Pairs by name: left and right in words (LeftArm, arm_right), in letters set off from the rest
/// (arm_l, L_Arm, arm.L, "Bip01 L Arm", LArm), or as the first letter (lfemur) where
/// the name with the other letter is there too. Two joints are a pair where their parents are one
/// or the same. An error where there is no pair.
[[nodiscard]] Result<MirrorPairs> findMirrorPairs(const Skeleton& skeleton);

/// The part of the body that a joint belongs to, parents first: an arm with its collarbone and
/// fingers, a leg with its toes, or for a joint of the middle all of the middle.
/// @pre pairs are of this skeleton.
[[nodiscard]] std::vector<JointId> bodyPartOf(const Skeleton& skeleton, const MirrorPairs& pairs,
                                              JointId joint);

}  // namespace ulna
