// SPDX-License-Identifier: Apache-2.0

// What became of an inverse-kinematics problem: an unreachable target is an answer, not a failure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ulna {

enum class IkStatus : std::uint8_t {
    Reached,        ///< every goal is within its tolerance
    OutOfReach,     ///< at the closest allowed pose found: nothing near is better
    Stalled,        ///< progress stopped, and the gradient is not small
    MaxIterations,  ///< the iterations allowed were used up
    BadGoal,        ///< a target is not a finite number; the pose is left as it was
    Stopped,        ///< the budget was spent: the best answer until then
};

/// "reached", "out_of_reach", "stalled", "max_iterations", "bad_goal", "stopped".
[[nodiscard]] std::string_view ikStatusName(IkStatus status);

struct IkReport {
    IkStatus status = IkStatus::Stalled;
    int iterations = 0;     ///< of all attempts together
    int attempts = 1;       ///< 1 means no restart was needed
    double cost = 0.0;      ///< half the weighted sum of squared residuals, of both levels
    double gradient = 0.0;  ///< size of the projected gradient relative to the cost's scale: how
                            ///< far from stationary the answer is
    std::vector<double> goal_errors;  ///< one per goal: a length or an angle; 0 when switched off
    /// The largest goal error at the start and after every iteration, in units of its tolerance;
    /// filled when IkOptions::record_history.
    std::vector<double> history;
};

}  // namespace ulna
