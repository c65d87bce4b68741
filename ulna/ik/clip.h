// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics over a clip: every frame is solved, following on from the frame before.
#pragma once

#include <span>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/ik/clip_goal.h"
#include "ulna/ik/solver.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/motion/motion.h"

namespace ulna {

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
