// SPDX-License-Identifier: Apache-2.0

// Fingers, whatever they are called: the chains of joints below a wrist.
#pragma once

#include <vector>

#include "ulna/skeleton/detail/limb_pairs.h"
#include "ulna/skeleton/detail/shape_part.h"

namespace ulna::skeleton::detail {

/// The fingers below a wrist. One alone, or one beside a thumb, may be any: BodyPart::Fingers.
/// @param thumb_side the direction in which thumbs point: forward in a T-pose with palms down.
[[nodiscard]] std::vector<ShapePart> findFingersByShape(const BodyTree& tree, JointId wrist,
                                                        const Vec3& forearm, const Vec3& thumb_side,
                                                        BodySide side);

}  // namespace ulna::skeleton::detail
