// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics of characters: what ik/solver.h needs, taken from a stage and a pose of the
// file.
//
//     IkOptions options;
//     holdRoots(stage.skeleton, goals, options);
//     if (mayBeNatural(options, goals)) options.natural = stage.natural;
//     const Result<SolvedPose> out = solvePose(stage, pose, goals, {.ik = options});
//
// For a clip see ik/clip.h; for a hand that pulls a joint from frame to frame, character/drag.h.
#pragma once

#include <span>
#include <vector>

#include "ulna/character/stage.h"
#include "ulna/ik/solver.h"

namespace ulna {

/// Other starts that are tried where a goal is missed, unless somebody says otherwise.
inline constexpr int kUsualRestarts = 8;

/// Locks the roots of a body (heldRoots), unless a goal keeps it in place.
void holdRoots(const Skeleton& skeleton, std::span<const IkClipGoal> goals, IkOptions& options);

/// Whether nothing else says how a body uses the freedom that goals leave it: another method than
/// auto, continuity, a chain, stiffness, a posture. Then a human body takes natural poses.
[[nodiscard]] bool mayBeNatural(const IkOptions& options, std::span<const IkClipGoal> goals);

struct SolvePoseOptions {
    IkOptions ik = {};  ///< its restarts are not used
    /// Starts that are tried besides the pose (IkMethod::Auto, without continuity), only where a
    /// goal of level 1 is missed. Such an answer is taken only when it reaches: what is out of
    /// reach stays as near to the start as the first attempt left it.
    int restarts = kUsualRestarts;
    std::size_t frame = 0;    ///< of targets that move
    double frame_time = 0.0;  ///< of the clip, for goals that hold over a range of time; 0: they
                              ///< hold
    DofVector near = {};      ///< the start's coordinates, where full revolutions are known
};

/// What a pose makes of goals, judged by forward kinematics.
struct JudgedGoals {
    std::vector<double> errors = {};  ///< lengths or angles
    std::vector<bool> met = {};       ///< true for those that are switched off
};

struct SolvedPose {
    Pose pose = {};       ///< of the file's skeleton
    DofVector dofs = {};  ///< of the stage's
    IkReport report = {};
    std::vector<IkGoal> goals = {};  ///< of the file's skeleton, as they are in the frame
    JudgedGoals judged = {};
    double position_tolerance = 0.0;    ///< in use
    std::vector<JointId> clamped = {};  ///< joints that were outside their limits at the start
};

/// Solves for goals from a pose.
///
/// Errors: those of IkSolver::make, and a pose with a scale that is not uniform.
/// @param skeleton that the stage was made of; pose and goals are of it.
/// @pre pose has one transform per joint.
[[nodiscard]] Result<SolvedPose> solvePose(const Skeleton& skeleton, const Stage& stage,
                                           const Pose& pose, std::span<const IkClipGoal> goals,
                                           const SolvePoseOptions& options = {});

/// Judges goals by a pose. Rounding between a solver's sums and these decides nothing.
/// @pre goals are of the skeleton; pose has one transform per joint.
[[nodiscard]] JudgedGoals judgeGoals(const Skeleton& skeleton, const Pose& pose,
                                     std::span<const IkGoal> goals, double position_tolerance,
                                     double angle_tolerance);

}  // namespace ulna
