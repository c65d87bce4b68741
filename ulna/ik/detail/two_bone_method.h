// SPDX-License-Identifier: Apache-2.0

// IkMethod::TwoBone: the closed form of ik/two_bone.h behind the interface of the iterative
// methods.
#pragma once

#include "ulna/ik/detail/outcome.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/ik/two_bone.h"

namespace ulna::ik::detail {

class TwoBoneMethod {
  public:
    /// The error says why the goals are not those of a limb.
    [[nodiscard]] Status build(const Problem& problem);
    /// Solves from `now`; `base` has the joints that the problem does not move.
    Outcome solve(Problem& problem, const Pose& base, Evaluation& now, IkReport& report);

  private:
    TwoBoneChain limb_;
    Pose pose_;
};

}  // namespace ulna::ik::detail
