// SPDX-License-Identifier: Apache-2.0

// Clips that tests of motion share, and how far poses are apart.
#pragma once

#include <cstdint>

#include "ulna/motion/motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::test {

struct Clip {
    Skeleton skeleton;
    Motion motion;
};

/// A person of Mixamo's names moving smoothly at random at 30 frames a second, the root too.
Clip randomClip(std::uint64_t seed, std::size_t frames);

/// A root at height 1 that walks along z at a speed, at 30 frames a second, with one swinging leg.
Clip straightWalk(std::size_t frames, double speed);

/// The largest difference of two poses at any joint: angles, lengths and scales alike.
double apart(const Pose& a, const Pose& b);

}  // namespace ulna::test
