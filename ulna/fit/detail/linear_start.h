// SPDX-License-Identifier: Apache-2.0

// A start without a pose to start from: the linear least-squares problem in which rotations may be
// any matrices, each then replaced by the nearest rotation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/moments.h"
#include "ulna/math/dense.h"

namespace ulna::fit::detail {

class LinearStart {
  public:
    /// Masses have changed: the matrix is to be built again when it is next needed.
    void forget() { state_ = State::Outdated; }
    /// Replaces the unknown rotations in `values` by those of the linear problem's answer. False,
    /// with `values` as they were, where the problem has no answer.
    bool compute(const Moments& moments, bool planar, FitValues& values);

  private:
    enum class State : std::uint8_t { Outdated, Ready, Singular };

    void build(const Moments& moments);
    void fillMatrix(const Moments& moments, std::size_t translations);

    State state_ = State::Outdated;
    std::size_t rows_ = 0;
    DenseCholesky cholesky_;
    std::vector<double> matrix_, ridge_;
    std::vector<double> sides_;  // right-hand sides, then answers: one per axis of space
};

}  // namespace ulna::fit::detail
