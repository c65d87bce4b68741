// SPDX-License-Identifier: Apache-2.0

// A body found by its shape: which joints are hips, spine, head, arms and legs, where names do not
// say so.
//
// A body has two pairs of limbs (skeleton/detail/limb_pairs.h) that hang from two joints of its
// trunk. Every choice of an upper and a lower pair is compared with people and with four-legged
// animals: the lengths of the limbs and their segments, the trunk between the pairs, the directions
// of legs and trunk, and a head beyond the arms. The choice with the smallest cost is the body.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/detail/body_names.h"
#include "ulna/skeleton/detail/limb_pairs.h"
#include "ulna/skeleton/detail/shape_part.h"

namespace ulna::skeleton::detail {

struct ShapeBody {
    BodyKind kind = BodyKind::Human;
    std::vector<ShapePart> parts = {};
    double confidence = 0.0;  ///< 0 to 1
    Warnings warnings = {};   ///< what had to be guessed
};

/// @param hints the part that a name says, per joint of the tree; shape does not contradict them.
[[nodiscard]] std::optional<ShapeBody> findBodyByShape(const BodyTree& tree,
                                                       const std::vector<NamedPart>& hints);

}  // namespace ulna::skeleton::detail
