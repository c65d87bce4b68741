// SPDX-License-Identifier: Apache-2.0

// Second derivatives of one goal's cost by the motions of its bodies, whatever its kind.
#pragma once

#include <array>

#include "ulna/ik/detail/problem.h"

namespace ulna::ik::detail {

class BodyCurvature {
  public:
    /// At an evaluated pose. Differences of the goal's own wrenches; nothing else is evaluated.
    void compute(const Problem& problem, const Evaluation& now, const Problem::Row& row);

    /// The wrench with which the cost holds a body: its gradient by the body's motion.
    [[nodiscard]] const Wrench& wrench(std::size_t body) const { return wrenches_[body]; }
    /// How the wrench on `body` changes as `other` moves along a twist.
    [[nodiscard]] Wrench change(std::size_t body, std::size_t other, const Wrench& twist) const;

  private:
    using Matrix = std::array<Wrench, 6>;  // by columns: of the three rotations and translations

    std::array<Wrench, kMaxGoalBodies> wrenches_ = {};
    std::array<std::array<Matrix, kMaxGoalBodies>, kMaxGoalBodies> changes_ = {};  // [body][other]
};

}  // namespace ulna::ik::detail
