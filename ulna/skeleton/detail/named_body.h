// SPDX-License-Identifier: Apache-2.0

// One body of a skeleton: which part each of its joints is, and its axes.
//
// Parts come from a map that somebody wrote, from the names of the joints, and where these say
// nothing from the shape. Everything that knows a body begins here: roles, human limits, masses.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ulna/math/mat3.h"
#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/detail/body_names.h"
#include "ulna/skeleton/pose.h"

namespace ulna::skeleton::detail {

/// Why a joint is the part that it is.
struct PartReason {
    double confidence = 0.0;
    std::string text = {};
};

struct NamedBody {
    JointRange range;
    BodyKind kind = BodyKind::Human;
    std::vector<NamedPart> parts;     ///< from range.firstIndex() on
    std::vector<PartReason> reasons;  ///< likewise
    /// What a map says in place of what is derived; of hands and feet the left one first.
    JointId given_chest = JointId::None;
    std::array<JointId, 2> given_hands = {JointId::None, JointId::None};
    std::array<JointId, 2> given_feet = {JointId::None, JointId::None};
    std::vector<NamedPart> absent;  ///< parts that a map says the body does not have
    Mat3 model_from_body;           ///< columns: left, up, forward
    double height = 0.0;            ///< between the landmarks that tell up, to judge lengths by
    Warnings warnings;              ///< what is uncertain about it

    [[nodiscard]] NamedPart part(JointId j) const { return parts[index(j) - range.firstIndex()]; }
    /// The first joint of a part, or none.
    [[nodiscard]] JointId find(BodyPart part, BodySide side) const;
    [[nodiscard]] bool has(BodyPart part, BodySide side) const {
        return find(part, side) != JointId::None;
    }
    [[nodiscard]] bool hasBoth(BodyPart part) const {
        return has(part, BodySide::Left) && has(part, BodySide::Right);
    }
    [[nodiscard]] std::size_t count(BodyPart part) const;
    /// All joints of a part, parents first.
    [[nodiscard]] std::vector<JointId> all(BodyPart part, BodySide side) const;
    /// The joints that carry the hand and the sole of a side: the last of the wrist's and of the
    /// ankle's series.
    [[nodiscard]] JointId hand(const Skeleton& skeleton, BodySide side) const;
    [[nodiscard]] JointId foot(const Skeleton& skeleton, BodySide side) const;
    [[nodiscard]] const PartReason& reason(JointId j) const {
        return reasons[index(j) - range.firstIndex()];
    }
    [[nodiscard]] bool isAbsent(NamedPart part) const;
    void set(JointId j, NamedPart part, PartReason reason);
};

/// The joint that both arms, or collarbones, hang from; none where it is not known.
[[nodiscard]] JointId findChest(const Skeleton& skeleton, const NamedBody& body);

/// The roots of a skeleton in the order in which bodies are looked for below them: first those that
/// a map names joints of.
[[nodiscard]] std::vector<JointId> rootsOfBodies(const Skeleton& skeleton, const BodyMap* map);

/// The body below a root, without its axes.
/// @param map may be null.
[[nodiscard]] NamedBody nameBody(const Skeleton& skeleton, const ModelPose& model, JointId root,
                                 const BodyMap* map);

/// Finds left, up and forward from where a T-pose has the joints, and warns where the names of the
/// sides contradict the toes. Returns what is missing for it, in words; empty when they were found.
[[nodiscard]] std::string findAxes(const Skeleton& skeleton, const ModelPose& t_pose,
                                   NamedBody& body);

/// The bone of a joint in the body's axes: to the next joint along its limb, which says where the
/// bone points better than a mean of children; zero where it has none to speak of.
[[nodiscard]] Vec3 boneOf(const Skeleton& skeleton, const ModelPose& t_pose, const NamedBody& body,
                          JointId joint);

}  // namespace ulna::skeleton::detail
