// SPDX-License-Identifier: Apache-2.0

// The skeletons of the benchmarks, built in code so that they run anywhere.
#pragma once

#include "ulna/skeleton/skeleton.h"

namespace ulna::bench {

/// Builds or aborts.
Skeleton build(std::vector<JointDef> joints);

/// A seven-joint arm (Franka's published dimensions) with its limits; the last joint's tip is the
/// flange.
Skeleton arm7();
inline constexpr double kArmFlange = 0.107;

/// Its modified Denavit-Hartenberg parameters.
struct ArmLink {
    double a, d, alpha, low, high;
};
inline constexpr ArmLink kArm[7] = {{0, 0.333, 0, -2.8973, 2.8973},
                                    {0, 0, -kPi / 2, -1.7628, 1.7628},
                                    {0, 0.316, kPi / 2, -2.8973, 2.8973},
                                    {0.0825, 0, kPi / 2, -3.0718, -0.0698},
                                    {-0.0825, 0.384, -kPi / 2, -2.8973, 2.8973},
                                    {0, 0, kPi / 2, -0.0175, 3.7525},
                                    {0.088, 0, kPi / 2, -2.8973, 2.8973}};

/// A T-pose of 65 joints: spine, arms with five fingers of four joints, legs.
Skeleton humanoid65();

/// A free root and 21 ball joints of three angles within 1.2 rad: 69 degrees of freedom.
Skeleton humanoid69();
inline constexpr const char* kHumanoid69Ends[5] = {"LeftToe", "RightToe", "LeftHand", "RightHand",
                                                   "Head"};

/// A straight chain of `bones` ball joints, each 1 / bones long, with an end.
Skeleton ballChain(int bones);

}  // namespace ulna::bench
