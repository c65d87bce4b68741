// SPDX-License-Identifier: Apache-2.0

// Many inverse-kinematics problems on one skeleton, on an NVIDIA GPU: one problem a thread.
//
// The same problems, options and reports as solveIkBatch (ik/batch.h), which is what to call where
// make() says that there is no GPU. Set up once for a skeleton and its goals, and solved many
// times: after the largest batch so far nothing is allocated on the device.
//
// Attempts run in float; every answer is judged, and mended where needed, in double. The answer is
// the first attempt, in order, that double accepts, so it depends on the problem alone: not on its
// position in the batch, its neighbours, or how the card is loaded. Where NVRTC is on the machine,
// the kernels are compiled for the skeleton at hand, whose numbers are then constants.
#pragma once

#include <memory>
#include <string>

#include "ulna/gpu/device.h"
#include "ulna/gpu/options.h"
#include "ulna/ik/batch.h"

namespace ulna {

/// Problems that are on the device already: arrays of doubles there, as IkBatchProblems has them.
/// A state is one number per coordinate and four (x, y, z, w) for each ball whose angles have no
/// limits: see GpuBatch::stateSize().
struct GpuProblems {
    std::size_t count = 0;
    const double* points = nullptr;        ///< count x goals x 3; null without such goals
    const double* orientations = nullptr;  ///< count x goals x 4 (x, y, z, w)
    const double* weights = nullptr;       ///< count x goals, or null
    const double* starts = nullptr;        ///< count states; null: the middle of the limits for all
};

/// Where the answers go, on the device; what is null is not written.
struct GpuAnswers {
    double* states = nullptr;  ///< count states; never null
    int* status = nullptr;     ///< IkStatus as a number
    int* iterations = nullptr;
    int* attempts = nullptr;
    double* errors = nullptr;  ///< the largest goal error, in units of its tolerance
};

/// For one thread at a time; the skeleton outlives it.
class GpuBatch {
  public:
    /// Errors: no driver or no such device, or problems that batches cannot do
    /// (ik/batch_program.h).
    [[nodiscard]] static Result<GpuBatch> make(const Skeleton& skeleton,
                                               std::span<const IkGoal> goals,
                                               const IkOptions& options,
                                               const GpuOptions& gpu = {});
    GpuBatch(GpuBatch&&) noexcept;
    GpuBatch& operator=(GpuBatch&&) noexcept;
    ~GpuBatch();

    /// Solves problems of the host's memory.
    [[nodiscard]] Result<IkBatchResult> solve(const IkBatchProblems& problems);

    /// Solves problems that are on the device, on the stream of the options: what was asked of that
    /// stream before, such as making the problems, is done first. How many problems a wave leaves
    /// decides the next, so this returns when the answers are there; other streams are not waited
    /// for.
    [[nodiscard]] Status solve(const GpuProblems& problems, const GpuAnswers& answers);

    /// From now on everything is asked of another stream. Work on the one before is not waited for.
    void setStream(GpuStream stream);

    /// How many numbers a state has, and states from degrees of freedom and back.
    [[nodiscard]] std::size_t stateSize() const;
    void computeState(std::span<const double> dofs, std::span<double> state) const;
    void computeDofs(std::span<const double> state, std::span<double> dofs) const;

    /// The same on the device, for `count` of them: returns at once, except where there are balls,
    /// whose angles the host computes. Degrees of freedom that are outside their limits are moved
    /// inside; those that do not move are where GpuOptions::base says.
    [[nodiscard]] Status computeStates(std::size_t count, const double* dofs, double* states);
    [[nodiscard]] Status computeDofs(std::size_t count, const double* states, double* dofs);

    /// Whether the kernels were compiled for this skeleton; else why not.
    [[nodiscard]] bool isCompiled() const;
    [[nodiscard]] const std::string& compilerMessage() const;

  private:
    struct State;
    explicit GpuBatch(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ulna
