// SPDX-License-Identifier: Apache-2.0

// The body of the bundled character: a humanoid with hands and anatomical limits.
//
// Metres, y up, facing +z, left at +x, standing in a T-pose with palms down.
#pragma once

#include "ulna/skeleton/skeleton.h"

namespace ulna::maker {

inline constexpr double kThigh = 0.43;
inline constexpr double kShin = 0.42;
inline constexpr double kAnkleHeight = 0.085;
inline constexpr Vec3 kToe{0, -0.065, 0.13};     // of the toe joint, from the ankle
inline constexpr Vec3 kHeel{0, -0.085, -0.055};  // where the heel meets the ground, from the ankle
inline constexpr double kHipsHeight = 0.97;
inline constexpr double kHipOffset =
    kAnkleHeight + kThigh + kShin - kHipsHeight;  // hips to hip, up

Skeleton makeBody();

}  // namespace ulna::maker
