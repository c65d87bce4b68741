// SPDX-License-Identifier: Apache-2.0

// Standing at ease: what the idle and the wave start from.
#pragma once

#include "tools/character/figure.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/motion/keyed_motion.h"

namespace ulna::maker {

inline constexpr Vec3 kStandingHips{0, 0.966, 0.008};

/// Arms hanging, hands relaxed. The feet are not down yet.
Figure makeStanding(const Skeleton& skeleton);

/// Puts both feet where they stand, exactly, whatever the hips do.
void plantFeet(Figure& figure);

/// Keys for an arm that hangs, and swings back by an angle while its elbow bends as much.
void keyHangingArm(const Skeleton& skeleton, double side, const Track<double>& swing,
                   KeyedMotion& motion);

/// A clip of someone standing: keys for everything but the legs, sampled, and the feet planted.
/// @param duration whole frames, in seconds.
DofClip makeStandingClip(const Skeleton& skeleton, const KeyedMotion& keyed, double duration);

}  // namespace ulna::maker
