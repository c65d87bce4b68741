// SPDX-License-Identifier: Apache-2.0

// Roles: which joint of a skeleton is which part of a body, how sure that is, and why.
//
// A role is a part of the body: "hips", "spine", "left.knee". Names of joints say roles, in all
// common families; where they do not, the shape does (limbs in pairs, their proportions, the
// direction of the toes); and a map that somebody wrote overrules both. People and four-legged
// animals have the same roles: the fore legs are the arms. The table of roles, and how shape
// decides, are in docs/roles.md.
//
//     const Result<BodyRoles> body = findBodyRoles(skeleton, restPose(skeleton));
//     for (const BodyRole& role : body->roles) print(role.name, role.joints, role.reason);
//
// skeleton/human_body.h has the same as a struct with one member per part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/math/mat3.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

enum class BodyKind : std::uint8_t { Human, Quadruped };

/// "human", "quadruped", and back; none for another word.
[[nodiscard]] std::string_view bodyKindName(BodyKind kind);
[[nodiscard]] std::optional<BodyKind> bodyKindFromName(std::string_view name);

struct BodyRole {
    std::string name = {};             ///< one of bodyRoleNames()
    std::vector<JointId> joints = {};  ///< parents first; several for chains and hinges in series
    double confidence = 0.0;           ///< 0 to 1; 1 where a map says so
    std::string reason = {};           ///< "by name 'LeftUpLeg'", "by shape: …", "by the map"
};

struct BodyRoles {
    BodyKind kind = BodyKind::Human;
    std::vector<BodyRole> roles = {};  ///< in the order of bodyRoleNames(); those that were found
    double confidence = 0.0;           ///< of the least certain of hips, arms and legs
    Mat3 model_from_body = {};         ///< columns: left, up, forward
    /// What is uncertain: which side is left, names that contradict the shape.
    Warnings warnings = {};

    /// The joints of a role; none where the body has no such part.
    [[nodiscard]] std::vector<JointId> find(std::string_view role) const;
};

/// Bodies that are less sure get nothing by themselves (natural poses, human limits): only where
/// somebody asks for it, or a map says what is what.
inline constexpr double kSureBody = 0.5;

/// Roles that overrule what names and shape say. Made by hand, or by io/body_map_json.h.
struct BodyMap {
    struct Entry {
        std::string role = {};             ///< one of bodyRoleNames()
        std::vector<JointId> joints = {};  ///< none: the body has no such part
    };
    std::vector<Entry> entries = {};
    std::optional<BodyKind> kind = {};
};

/// The name of every role: "hips", "spine", "chest", "neck", "head", "tail", then "left.…" and
/// "right.…". A hand and a foot are the joints that carry the palm and the sole: those of the wrist
/// and the ankle, or the last of their hinges.
[[nodiscard]] const std::vector<std::string>& bodyRoleNames();

/// The first body of a skeleton, human or four-legged. The error says what is missing to know
/// left, up and forward: hips, and either both legs or both arms.
///
/// @param pose standing; for shapes, arms may be anywhere between hanging and a T.
/// @pre pose has one transform per joint; the map's roles are known and its joints are of this
/// skeleton.
[[nodiscard]] Result<BodyRoles> findBodyRoles(const Skeleton& skeleton, const Pose& pose,
                                              const BodyMap* map = nullptr);

/// The roles as a map that finds the same again, for somebody to edit.
[[nodiscard]] BodyMap mapOf(const BodyRoles& roles);

}  // namespace ulna
