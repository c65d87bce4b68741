// SPDX-License-Identifier: Apache-2.0

// Fitting a skeleton to shapes of its skin: the pose, inside the joints' limits, whose linear blend
// comes nearest to given positions of the vertices.
//
// Joints rotate and slide only as their kind allows, locked joints stay, stretch and scale are the
// start pose's own. For a skeleton of free ball joints this finds what fit/fitter.h finds on
// makeFitRig's rig.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/fit/fitter.h"
#include "ulna/motion/motion.h"
#include "ulna/skeleton/state.h"

namespace ulna {

/// A skeleton and its skin set up once and fitted to many shapes: after its first fit it allocates
/// nothing (but for cold starts, with a history or a robust loss). A fit changes it, so it is for
/// one thread at a time. A copy gives the same answers; it shares the set-up, which never changes,
/// and can be used by another thread.
class SkeletonFitter {
  public:
    /// Errors: a mesh without a row of weights per vertex, masses that are not one per vertex or
    /// below zero, exact weights that are not one per influence, values that are not finite, a rest
    /// scale that is not uniform above another joint.
    /// @pre skeleton outlives the fitter.
    [[nodiscard]] static Result<SkeletonFitter> make(const Skeleton& skeleton, const Mesh& mesh,
                                                     SkeletonFitOptions options = {});
    SkeletonFitter(const SkeletonFitter& other);
    SkeletonFitter& operator=(const SkeletonFitter& other);
    SkeletonFitter(SkeletonFitter&&) noexcept;
    SkeletonFitter& operator=(SkeletonFitter&&) noexcept;
    ~SkeletonFitter();

    /// Fits one frame: from `pose`, brought inside the limits first, or cold; leaves the answer
    /// there. FitTargets::driven has the positions of pinned joints, in model space; without it
    /// they stay where `pose` has them. FitTargets::reference is not used. The report's points are
    /// joints.
    /// @pre targets has a position per vertex; pose a transform per joint.
    const FitReport& fit(const FitTargets& targets, FitStart start, Pose& pose);

    /// Replaces the budget of the options: a new deadline before every fit, say.
    void setBudget(Budget budget);

    [[nodiscard]] const Skeleton& skeleton() const;
    [[nodiscard]] const SkeletonFitOptions& options() const;
    [[nodiscard]] double size() const;

  private:
    struct State;
    explicit SkeletonFitter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

struct MotionFit {
    Motion motion = {};
    std::vector<FitReport> reports = {};  ///< one per frame
    bool cancelled = false;               ///< then both are those made so far
};

struct MotionFitOptions {
    double frame_time = 1.0 / 30.0;
    unsigned threads = 1;    ///< 0 means one per core; the result does not depend on it
    std::size_t chunk = 64;  ///< frames; 0 means all in one
};

/// Fits every frame of a sequence as fitSequence does. Pinned joints stay as at rest in frames that
/// do not give their positions.
[[nodiscard]] MotionFit fitMotion(const SkeletonFitter& fitter, std::span<const FitTargets> frames,
                                  const MotionFitOptions& options = {},
                                  const Progress& progress = {});

}  // namespace ulna
