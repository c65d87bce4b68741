// SPDX-License-Identifier: Apache-2.0

// IkGoal: one thing that a pose should do, with its weight and priority.
//
// Each kind of goal has a header of its own in ik/goals. To solve for goals see ik/solver.h.
#pragma once

#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/ik/goals/aim.h"
#include "ulna/ik/goals/balance.h"
#include "ulna/ik/goals/body.h"
#include "ulna/ik/goals/custom.h"
#include "ulna/ik/goals/distance.h"
#include "ulna/ik/goals/keep_apart.h"
#include "ulna/ik/goals/member.h"
#include "ulna/ik/goals/orientation.h"
#include "ulna/ik/goals/plane.h"
#include "ulna/ik/goals/pole.h"
#include "ulna/ik/goals/position.h"
#include "ulna/ik/goals/posture.h"
#include "ulna/ik/goals/relative_orientation.h"
#include "ulna/ik/goals/relative_position.h"
#include "ulna/skeleton/anatomy.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

using GoalKind = std::variant<PositionGoal, OrientationGoal, AimGoal, PoleGoal, PlaneGoal,
                              DistanceGoal, PostureGoal, RelativePositionGoal,
                              RelativeOrientationGoal, KeepApartGoal, BalanceGoal, CustomGoal>;

struct IkGoal {
    GoalKind kind = {};
    double weight = 1.0;  ///< of the squared residual; angles count as lengths on a body one
                          ///< reach long, so that weights mean the same in any unit
    int level = 1;        ///< 1 or 2: level 2 moves only as level 1 allows, whatever its weight
    bool enabled = true;
};

/// "position", "orientation", "aim", "pole", "plane", "distance", "posture", "relative_position",
/// "relative_orientation", "keep_apart", "balance", "custom".
[[nodiscard]] std::string_view goalKindName(const GoalKind& kind);
/// A goal of every kind, as it is by default.
[[nodiscard]] std::vector<GoalKind> allGoalKinds();

/// Whether files can hold a goal: of every kind but custom, whose function cannot be written.
[[nodiscard]] bool isInFiles(const GoalKind& kind);

/// The joints that a goal holds; none for a posture and for a goal about the whole body.
[[nodiscard]] GoalBodies bodiesOf(const GoalKind& kind);
/// Every joint that the residuals of a goal depend on, in the order of its wrenches:
/// bodiesOf(kind); for a balance the joints of its contacts, then those of its masses, some of them
/// repeatedly.
[[nodiscard]] std::vector<JointId> jointsOf(const GoalKind& kind);
/// @pre as many joints as bodiesOf(kind) has, in its order.
void setBodies(std::span<const JointId> joints, GoalKind& kind);

/// The values of a goal beside its joints and its target.
[[nodiscard]] std::vector<GoalMember> membersOf(GoalKind& kind);
/// A goal's target, to read and to change.
[[nodiscard]] GoalTarget targetOf(GoalKind& kind);

/// Whether a pin can be made of a goal: a position, an orientation, relative or not, a posture.
[[nodiscard]] bool canPin(const GoalKind& kind);
/// Gives a goal the target that a pose has; one that cannot be pinned stays as it is.
///
/// @param dofs the same pose as degrees of freedom, for postures, which stay as they are without.
void pinTo(const ModelPose& pose, std::span<const double> dofs, GoalKind& kind);

/// Whether a goal's error is an angle; otherwise it is a length.
[[nodiscard]] bool errorIsAngle(const GoalKind& kind);

/// How far a goal is from being met: a length, or an angle in radians; 0 for a posture.
///
/// @param joints where each joint of the skeleton is, by index.
/// @param planar whether the skeleton is, so that only the plane counts.
[[nodiscard]] double goalError(const GoalKind& kind, std::span<const BodyFrame> joints,
                               bool planar);

/// What a pose makes of a goal.
///
/// @param joints where each joint of the skeleton is, by index.
[[nodiscard]] GoalMeasure measureGoal(const GoalKind& kind, std::span<const BodyFrame> joints);
/// The same with its names alone.
[[nodiscard]] GoalMeasure measureNames(const GoalKind& kind);

/// Whether a goal makes sense for this skeleton: joints that exist, finite values, axes
/// that are directions, weights not negative. The error names the goal's kind and joint.
[[nodiscard]] Status checkGoal(const Skeleton& skeleton, const IkGoal& goal);

/// A goal about a skeleton as one about the anatomical skeleton made from it: what is stated in the
/// coordinates of its joints is restated. The values of a posture are those of the anatomical
/// skeleton already.
[[nodiscard]] GoalKind toAnatomical(const AnatomicalRig& rig, GoalKind kind);

}  // namespace ulna
