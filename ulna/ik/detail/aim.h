// SPDX-License-Identifier: Apache-2.0

// Turning one link as well as it can be turned: the step that CCD and FABRIK share.
#pragma once

#include <span>

#include "ulna/ik/detail/dense.h"
#include "ulna/ik/detail/mechanism.h"

namespace ulna::detail {

/// A point that moves with a link and where it should be, both in model space relative to the
/// link's origin.
struct Pull {
    Vec3 from;
    Vec3 to;
    double weight = 1.0;
};

class Aim {
  public:
    /// Turns link `i`, whose frame is `frame`, to the exact minimiser of the pulls' squared
    /// distances over its own coordinates, within its bounds and by at most `most` radians (0:
    /// any). Writes the coordinates and returns the turn in model space.
    Quat turn(const Mechanism& mechanism, std::size_t i, const Frame& frame,
              std::span<const Pull> pulls, double most, Coordinates& at);

    /// The same for a link that slides; returns the shift in model space.
    Vec3 slide(const Mechanism& mechanism, std::size_t i, const Frame& frame,
               std::span<const Pull> pulls, Coordinates& at);

  private:
    Quat bestRotation(std::span<const Pull> pulls);
    SymmetricEigen eigen_;
};

}  // namespace ulna::detail
