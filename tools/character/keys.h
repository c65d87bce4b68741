// SPDX-License-Identifier: Apache-2.0

// Keys as they are written down by hand, and the clip they make.
#pragma once

#include <initializer_list>
#include <string>

#include "ulna/motion/keyed_motion.h"

namespace ulna::maker {

inline constexpr Vec3 kX{1, 0, 0};
inline constexpr Vec3 kY{0, 1, 0};
inline constexpr Vec3 kZ{0, 0, 1};

struct AngleKey {
    double time = 0.0;
    double angle_degrees = 0.0;
};
using AngleKeys = std::initializer_list<AngleKey>;

/// A smooth curve through the keys, each times `factor`, held outside them.
Track<double> angles(AngleKeys keys, double factor = 1.0);

/// The same as a loop: the first key comes again a period after itself, and everything is `later`.
/// @pre the keys are in order and span less than the period.
Track<double> loop(double period, AngleKeys keys, double factor = 1.0, double later = 0.0);

/// The same for places.
Track<Vec3> loop(double period, std::initializer_list<Key<Vec3>> keys);

/// Adds a turn of a joint after those it has; a joint without turns starts unturned.
void addTurn(const Skeleton& skeleton, const std::string& joint, const Vec3& axis,
             Track<double> angle, KeyedMotion& motion);

}  // namespace ulna::maker
