// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics over a clip: every frame is solved, following on from the frame before.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/ik/goal_span.h"
#include "ulna/ik/solver.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/motion/motion.h"

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

/// Gives `out` the goals as they are in a frame: their targets, and whether they hold.
///
/// While a goal comes or goes (GoalSpan), its target is between what the clip itself does and what
/// it states. Of goals for one thing (one kind, the same joints, the same point) that hold at once,
/// the last one is left, and comes from where the others are: ranges that overlap pass the joint
/// on.
///
/// @param source where the clip itself has everything in that frame.
/// @param source_dofs the same as degrees of freedom, for pinned postures.
/// @param out as many goals, of the same kinds; all that setFrameGoals does not set stays.
/// @return how much of the goals holds: the largest share of any; 0 where the clip is left alone.
double setFrameGoals(std::span<const IkClipGoal> goals, std::size_t frame, double frame_time,
                     const ModelPose& source, std::span<const double> source_dofs,
                     std::span<IkGoal> out);

struct IkClipResult {
    Motion motion;                  ///< stretch and scale as in the source
    DofClip clip;                   ///< the same as degrees of freedom
    std::vector<IkReport> reports;  ///< one per frame
    std::vector<JointId> clamped;   ///< joints that were outside their limits in some frame
    /// Frames at which a joint rotates by half a radian more than the clip and the targets ask.
    std::vector<std::size_t> jumps;
};

/// Solves every frame of `source`. A frame starts from its own pose carried on by what the solve of
/// the frame before changed, so that an answer follows the clip and does not jump between branches.
/// Where goals are out of reach, it also holds on to that start a little (IkMethod::Auto).
/// Cancelled by `progress`, it has the frames made so far.
///
/// Frames in which no goal holds are the clip's own, to the bit. Where all goals come or go, so
/// does all that the solve changes: also what no goal asks for, such as how an elbow is turned.
///
/// Errors are those of IkSolver::make, a track whose length is not the number of frames, and a span
/// that is none (checkSpan).
[[nodiscard]] Result<IkClipResult> solveIkClip(const Skeleton& skeleton, const Motion& source,
                                               std::span<const IkClipGoal> goals,
                                               const IkOptions& options,
                                               const Progress& progress = {});

}  // namespace ulna
