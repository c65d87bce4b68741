// SPDX-License-Identifier: Apache-2.0

// Stage: a skeleton as it is solved on, with the limits that one works with.
//
// Files mostly state no joint limits. A stage is the same skeleton with its own limits, none, those
// of the human body, or those of another rig. Its joints may have other axes than the file's
// (human limits are stated about anatomical axes), so poses, motions and goals go onto the stage
// and come back; every joint is at the same position on both sides.
//
//     const Result<Stage> stage = makeStage(skeleton, {.limits = LimitSource::Anatomical});
//     Pose pose = stage->toStage(file_pose);   // ... solve on stage->skeleton ...
//     file_pose = stage->fromStage(pose);
//
// Dragging a character on a stage is character/drag.h.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/ik/clip.h"
#include "ulna/ik/natural.h"
#include "ulna/skeleton/anatomy.h"
#include "ulna/skeleton/limits.h"
#include "ulna/skeleton/state.h"
#include "ulna/skin/mesh.h"

namespace ulna {

/// Where the limits of a stage are from.
enum class LimitSource : std::uint8_t {
    Own,         ///< the skeleton's own, if it has some
    None,        ///< no limits
    Anatomical,  ///< those of the human body (skeleton/anatomy.h)
    Borrowed,    ///< those of another skeleton, joint by joint of the same name
};

struct StageOptions {
    LimitSource limits = LimitSource::Own;
    /// For human limits and natural poses; null: the rest pose is a T-pose.
    const Pose* t_pose = nullptr;
    const Skeleton* other = nullptr;  ///< whose limits are borrowed
    const BodyMap* map = nullptr;     ///< roles that overrule names and shape (findBodyRoles)
    /// Skins of the skeleton, on which the bulk of a natural body is measured (character/bulk.h);
    /// without any it is that of a usual person.
    std::span<const Mesh* const> skins = {};
};

struct Stage {
    Skeleton skeleton = {};
    LimitSource limits = LimitSource::Own;
    std::optional<AnatomicalRig> anatomy = {};  ///< with human limits
    /// What is known of the poses of people, for the stage's skeleton; none for other bodies, and
    /// where it is not sure which joint is what (kSureBody).
    std::shared_ptr<const NaturalBody> natural = nullptr;
    std::vector<JointId> taken = {};    ///< joints with borrowed limits
    std::vector<JointId> without = {};  ///< joints that the other skeleton had none for
    Warnings warnings = {};

    /// The joints of a human body that were recognised; none without human limits.
    [[nodiscard]] std::span<const RecognisedJoint> recognised() const;

    /// A pose of the file's skeleton as one of the stage's, and back. In place they allocate
    /// nothing.
    void enter(Pose& pose) const;
    void leave(Pose& pose) const;
    [[nodiscard]] Pose toStage(Pose pose) const;
    [[nodiscard]] Pose fromStage(Pose pose) const;
    [[nodiscard]] Motion toStage(const Motion& motion) const;
    [[nodiscard]] Motion fromStage(const Motion& motion) const;

    /// A goal about the file's skeleton as one about the stage's. The values of a posture goal are
    /// the stage's already.
    [[nodiscard]] GoalKind toStage(GoalKind kind) const;
    [[nodiscard]] IkClipGoal toStage(IkClipGoal goal) const;
    /// The target that a goal takes on the stage.
    /// @pre the goal has a target of that type.
    [[nodiscard]] Vec3 toStage(GoalKind kind, const Vec3& target) const;
    [[nodiscard]] Quat toStage(GoalKind kind, const Quat& target) const;
};

/// Errors: human limits where no body is recognised, borrowed limits where no joint fits.
/// @pre t_pose has one transform per joint; `other` is given where limits are borrowed; skins are
/// of this skeleton.
[[nodiscard]] Result<Stage> makeStage(const Skeleton& skeleton, const StageOptions& options = {});

/// The stage that suits most: human limits where most of a human body is surely recognised
/// (kSureBody) and the file states no limits; its own limits otherwise.
/// @param map roles that overrule names and shape; may be null.
[[nodiscard]] Stage makeUsualStage(const Skeleton& skeleton, const BodyMap* map = nullptr,
                                   std::span<const Mesh* const> skins = {});

/// Whether a skeleton states limits: a bounded degree of freedom or a cone.
[[nodiscard]] bool hasLimits(const Skeleton& skeleton);

/// The joints of the feet, which a body stands on: with human limits the ankles that were
/// recognised, otherwise those of a body that is surely recognised (kSureBody); of animals all
/// four.
[[nodiscard]] std::vector<JointId> feetOf(const Stage& stage);

/// The roots that are held in a solve unless something is pinned or the caller frees them: those
/// that move freely. A body without a foothold would simply fly to its goal. A root that only
/// rotates is the first joint of an arm, and is never held.
[[nodiscard]] std::vector<JointId> heldRoots(const Skeleton& skeleton);

/// What a pin weighs beside goals of weight 1, where no level parts them. Out of reach it then
/// gives way by a thousandth of what the other goal is short of, which is less than is seen; far
/// heavier pins make slow problems.
inline constexpr double kPinWeight = 1000.0;

/// Whether a goal keeps a body in place, so that its root need not be held: an enabled pin of a
/// position or an orientation.
[[nodiscard]] bool keepsInPlace(const IkClipGoal& goal);

/// A pose as degrees of freedom inside their limits, and the joints that had to be brought there.
struct StageStart {
    DofVector dofs = {};
    std::vector<JointId> clamped = {};
};
/// @param pose of the stage's skeleton. @param near as in computeDofs.
[[nodiscard]] StageStart startInside(const Skeleton& skeleton, const Pose& pose,
                                     std::span<const double> near = {});

/// Lets the joints of a pose follow the joints that they are coupled to, whatever their limits;
/// returns those that moved.
std::vector<JointId> coupleJoints(const Skeleton& skeleton, Pose& pose);

/// Brings a pose of the stage's skeleton inside its limits, joint by joint, and returns the joints
/// that were outside. What is inside stays to the bit where a joint is a ball.
std::vector<JointId> clampToStage(const Skeleton& skeleton, Pose& pose);

}  // namespace ulna
