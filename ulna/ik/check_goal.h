// SPDX-License-Identifier: Apache-2.0

// Whether the wrenches of a goal are the derivatives of its residuals, by central differences: what
// to run on a goal of your own (ik/goals/custom.h) before a solver does. Every goal of the library
// is tested with it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ulna/ik/goal.h"

namespace ulna {

/// One component of a wrench that differs from the difference of its residual.
struct WrenchFault {
    std::size_t sample = 0;  ///< which of the random poses of the bodies; 0 where they were given
    std::size_t body = 0;    ///< which of the goal's joints, as in jointsOf
    std::size_t row = 0;     ///< which of its residuals
    bool rotation = false;   ///< the moment is at fault; otherwise the force
    std::size_t axis = 0;    ///< 0, 1, 2 for x, y, z in model space
    double stated = 0.0;     ///< what the wrench says
    double measured = 0.0;   ///< what the residual does
};

/// "sample 3: body 1, row 0, moment y is 0.5 but the residual changes by 0.25".
[[nodiscard]] std::string describe(const WrenchFault& fault);

struct WrenchCheckOptions {
    int samples = 100;        ///< how many random poses of the bodies
    std::uint64_t seed = 1;   ///< of the random poses: the same seed, the same poses
    double size = 1.0;        ///< bodies are up to twice this far from the origin, a length
    bool planar = false;      ///< bodies in the plane z = 0, and only the motions that stay there
    double tolerance = 1e-6;  ///< of the largest component of the goal's wrenches (at least 1)
};

/// Compares the wrenches of a goal with differences at random poses of its bodies: rotated anyhow,
/// scaled by 0.5 to 2. Empty where all agree. A pose within 1e-5 radians or 1e-5 times `size` of a
/// corner of a residual has differences of both sides, which no wrench equals.
[[nodiscard]] std::vector<WrenchFault> checkWrenches(const GoalKind& goal,
                                                     const WrenchCheckOptions& options = {});

/// The same at one pose; `samples` and `seed` do not matter.
/// @pre as many bodies as jointsOf(goal) has.
[[nodiscard]] std::vector<WrenchFault> checkWrenchesAt(const GoalKind& goal,
                                                       std::span<const BodyFrame> bodies,
                                                       const WrenchCheckOptions& options = {});

}  // namespace ulna
