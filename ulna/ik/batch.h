// SPDX-License-Identifier: Apache-2.0

// Many inverse-kinematics problems on one skeleton: lanes of a vector unit are problems, a lane is
// refilled when its problem ends, blocks of problems are spread over threads.
//
// All problems share the skeleton, the kinds and joints of their goals and the options; each has
// its own targets and start, and weights where they are given. A problem's answer depends on its
// own input alone: not on its position in the batch, its neighbours, the lanes or the threads. For
// one problem see ik/solver.h.
#pragma once

#include <span>
#include <vector>

#include "ulna/ik/batch_program.h"
#include "ulna/ik/solver.h"

namespace ulna {

/// Targets and starts of a batch, problem by problem.
struct IkBatchProblems {
    std::size_t count = 0;
    /// count x goals: the target of each goal that has a point (position, aim, pole).
    std::vector<Vec3> points = {};
    /// count x goals: the target of each orientation goal; may be empty when there is none.
    std::vector<Quat> orientations = {};
    /// count x dofs, or one row for all, or empty for the middle of the limits.
    std::vector<double> starts = {};
    /// count x goals: the weight of each goal, in place of IkGoal::weight; or empty for those. A
    /// weight of 0 switches a goal off in that problem: its target is not looked at. A goal that is
    /// not enabled stays off.
    std::vector<double> weights = {};
};

struct IkBatchReport {
    IkStatus status = IkStatus::Stalled;
    int iterations = 0;
    int attempts = 1;
    double error = 0.0;  ///< the largest goal error, in units of its tolerance
};

struct IkBatchResult {
    std::vector<double> dofs;  ///< count x dofs, inside their limits to 1e-9
    std::vector<IkBatchReport> reports;
};

/// What a batch of such problems runs. Joints that do not move are as in `start`. The error says
/// what a batch cannot do: goals other than positions and orientations, levels, postures, planar
/// skeletons, coupled joints, and limits on the components of a rotation vector.
/// @pre start.size() == skeleton.dofCount()
[[nodiscard]] Result<BatchProgram> makeBatchProgram(const Skeleton& skeleton,
                                                    std::span<const IkGoal> goals,
                                                    const IkOptions& options,
                                                    std::span<const double> start);

/// The middle of the limits, or 0 or the nearest limit to it: where a problem without a start
/// begins.
[[nodiscard]] DofVector middleOfLimits(const Skeleton& skeleton);

/// Whether targets and weights have the sizes that these goals need.
[[nodiscard]] Status checkBatchSizes(std::span<const IkGoal> goals,
                                     const IkBatchProblems& problems);

/// Solves every problem. Positions and orientations without priorities run in float lanes and every
/// answer is judged again, and mended where needed, in double; what the lanes miss has one more
/// attempt in double, from its own start. Other goals run one by one.
///
/// @param threads 0 means one per core; the result is the same for any number.
/// @pre the vectors of `problems` have the sizes they say.
[[nodiscard]] Result<IkBatchResult> solveIkBatch(const Skeleton& skeleton,
                                                 std::span<const IkGoal> goals,
                                                 const IkOptions& options,
                                                 const IkBatchProblems& problems,
                                                 unsigned threads = 0);

}  // namespace ulna
