// SPDX-License-Identifier: Apache-2.0

// The solving itself of `ulna ik`: one frame by one method or all, or a whole clip.
#pragma once

#include "apps/cli/ik/hands.h"
#include "apps/cli/ik/output.h"
#include "apps/cli/ik/stage.h"

namespace ulna::cli {

/// What is to be solved; the goals are on the file's skeleton.
struct IkProblem {
    const Input& input;
    const Motion& motion;
    const std::vector<IkClipGoal>& goals;
    const IkStage& stage;
    const IkOptions& options;
    const std::vector<HandChoice>& hands;  ///< the clip has them already, a rest pose has not
};

/// The goals of one frame: pins where that frame has them, moving targets where they are, and those
/// that hold then.
[[nodiscard]] std::vector<IkGoal> goalsAt(const std::vector<IkClipGoal>& goals, std::size_t frame,
                                          double frame_time, const Skeleton& skeleton,
                                          const Pose& pose);

/// One frame, by every method when run.all_methods. Fails with exit code 2 when the method cannot
/// do the goals.
void solveOneFrame(const IkProblem& problem, const Moment& moment, int restarts, IkRun& run);

/// Every frame, each following on from the one before.
void solveClip(const IkProblem& problem, IkRun& run);

}  // namespace ulna::cli
