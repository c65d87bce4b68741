// SPDX-License-Identifier: Apache-2.0

// IkClipGoal: a goal of a clip, whose target may move, and which may hold for a part of it.
//
// To solve a clip for such goals see ik/clip.h; they are read from files by io/goals_json.h.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ulna/ik/goal.h"
#include "ulna/ik/goal_span.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

/// A goal whose target may move over the clip.
struct IkClipGoal {
    IkGoal goal = {};
    /// A pin: each frame's target is where the clip itself has the point (position goals), how it
    /// has the joint oriented (orientation goals), or its degrees of freedom (posture goals);
    /// relative goals keep what the clip has between the two joints.
    bool pinned = false;
    std::vector<Vec3> points = {};  ///< one per frame where the target is a position; empty: fixed
    std::vector<Quat> orientations = {};  ///< likewise where it is a rotation
    std::optional<GoalSpan> span = {};    ///< when it holds; none: in every frame
};

/// Gives `kind` (of the goal's own kind) the target that the goal has in a frame: its pin's
/// position, its track's value, or what it already had.
///
/// @param source where the clip itself has everything in that frame.
/// @param source_dofs the same as degrees of freedom, for pinned postures, which stay as they
/// are without them.
void setFrameTarget(const IkClipGoal& goal, std::size_t frame, const ModelPose& source,
                    std::span<const double> source_dofs, GoalKind& kind);

/// How much of a goal holds in a frame; 0 for one that is switched off.
[[nodiscard]] double shareOf(const IkClipGoal& goal, std::size_t frame, double frame_time);

/// Whether two goals are for one thing, so that a joint can go from the one to the other: of one
/// kind that has a target, with the same joints, points and axes.
[[nodiscard]] bool haveOneSubject(GoalKind a, GoalKind b);

/// Gives `out` the goals as they are in a frame, to judge a pose by: their targets, and whether
/// they hold whole. A goal that comes or goes is switched off, since its target depends on the
/// answer; so is one that another goal for the same thing takes over from.
///
/// @param source where the clip itself has everything in that frame.
/// @param source_dofs the same as degrees of freedom, for pinned postures.
/// @param out as many goals, of the same kinds; what setFrameGoals does not set stays.
void setFrameGoals(std::span<const IkClipGoal> goals, std::size_t frame, double frame_time,
                   const ModelPose& source, std::span<const double> source_dofs,
                   std::span<IkGoal> out);

}  // namespace ulna
