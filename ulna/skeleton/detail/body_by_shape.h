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

namespace ulna::skeleton::detail {

struct ShapePart {
    JointId joint = JointId::None;
    NamedPart part = {};
    double confidence = 0.0;
    std::string reason = {};
};

struct ShapeBody {
    BodyKind kind = BodyKind::Human;
    std::vector<ShapePart> parts = {};
    double confidence = 0.0;  ///< 0 to 1
    Warnings warnings = {};   ///< what had to be guessed
};

/// @param hints the part that a name says, per joint of the tree; shape does not contradict them.
[[nodiscard]] std::optional<ShapeBody> findBodyByShape(const BodyTree& tree,
                                                       const std::vector<NamedPart>& hints);

/// Where a head is looked for.
struct HeadSearch {
    JointId chest = JointId::None;
    std::vector<JointId> others = {};  ///< joints at which other limbs begin, which do not count
    Vec3 shoulders = {};               ///< the middle between both
    Vec3 up = {};                      ///< a unit vector
    double trunk = 0.0;                ///< the length from the hips to the shoulders
    bool skull = true;  ///< a joint at the top of the head, as files of people have it, is none
};

/// Neck and head: the joints that lead on from the chest towards `up`. None where nothing does.
[[nodiscard]] std::vector<ShapePart> findHeadByShape(const BodyTree& tree,
                                                     const HeadSearch& search);

/// The fingers below a wrist. One alone, or one beside a thumb, may be any: BodyPart::Fingers.
/// @param thumb_side the direction in which thumbs point: forward in a T-pose with palms down.
[[nodiscard]] std::vector<ShapePart> findFingersByShape(const BodyTree& tree, JointId wrist,
                                                        const Vec3& forearm, const Vec3& thumb_side,
                                                        BodySide side);

}  // namespace ulna::skeleton::detail
