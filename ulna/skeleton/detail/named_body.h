// SPDX-License-Identifier: Apache-2.0

// One character of a skeleton: what its joints are by their names, and its axes.
#pragma once

#include <string>
#include <vector>

#include "ulna/math/mat3.h"
#include "ulna/skeleton/detail/body_names.h"
#include "ulna/skeleton/pose.h"

namespace ulna::skeleton::detail {

struct NamedBody {
    JointRange range;
    std::vector<NamedPart> parts;  ///< from range.firstIndex() on
    Mat3 model_from_body;          ///< columns: left, up, forward
    double height = 0.0;           ///< between the landmarks that tell up, to judge lengths by

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
    /// The last of a series of joints that are one articulation: those of a part that each hang,
    /// directly or not, from the first.
    [[nodiscard]] JointId lastOf(const Skeleton& skeleton, BodyPart part, BodySide side) const;
    void set(JointId j, NamedPart part) { parts[index(j) - range.firstIndex()] = part; }
};

/// The joint that both arms, or collarbones, hang from; none where it is not known.
[[nodiscard]] JointId findChest(const Skeleton& skeleton, const NamedBody& body);

/// The body below a root, without its axes. Where no name says hips, they are the joint that both
/// legs hang from.
[[nodiscard]] NamedBody nameBody(const Skeleton& skeleton, JointId root);

/// Finds left, up and forward from where a T-pose has the joints. Returns what is missing for it,
/// in words; empty when they were found.
[[nodiscard]] std::string findAxes(const ModelPose& t_pose, NamedBody& body);

/// The bone of a joint in the body's axes: to the next joint along its limb, which says where the
/// bone points better than a mean of children; zero where it has none to speak of.
[[nodiscard]] Vec3 boneOf(const Skeleton& skeleton, const ModelPose& t_pose, const NamedBody& body,
                          JointId joint);

}  // namespace ulna::skeleton::detail
