// SPDX-License-Identifier: Apache-2.0

// A budget during the fit of one frame.
#pragma once

#include <utility>

#include "ulna/core/budget.h"

namespace ulna::fit::detail {

/// Once it is spent it stays so, in every further round of the frame.
class FrameBudget {
  public:
    void set(Budget budget) { budget_ = std::move(budget); }
    void begin() { spent_ = false; }
    [[nodiscard]] bool isSpent() const { return spent_; }

    /// Whether another iteration may be made. `cost()` takes a pass over the vertices; it is called
    /// where an observer looks at it.
    template <class Cost>
    [[nodiscard]] bool mayGoOn(int iterations, const Cost& cost) {
        if (spent_) return false;
        spent_ =
            budget_.isSpent({.iterations = iterations, .cost = budget_.observer ? cost() : 0.0});
        return !spent_;
    }

    /// What a start that is computed before the iterations may take: time, and no iterations.
    [[nodiscard]] Budget ofStart() const {
        return {.deadline = budget_.deadline, .stop = budget_.stop};
    }

  private:
    Budget budget_;
    bool spent_ = false;
};

}  // namespace ulna::fit::detail
