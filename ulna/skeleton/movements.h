// SPDX-License-Identifier: Apache-2.0

// Movements: what each degree of freedom does, in the words of people who pose bodies.
//
// Euler angles are called x, y and z by files, and mean something else in each. What a joint does
// is the same in all: it bends, goes to the side, or twists about its bone.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/skeleton/skeleton.h"

namespace ulna {

enum class Movement : std::uint8_t {
    Bend,   ///< in the plane in which knees and elbows bend: nodding, curling
    Side,   ///< across that: leaning to the left, lifting an arm to the side
    Twist,  ///< about the bone; of a root, about the vertical
    Slide,  ///< a length
};

/// The movement of every degree of freedom, from its axis at rest, the direction of the bone, and
/// the body's left and up, where it is recognised; otherwise the model's x and its up. Two
/// rotations of a joint have the same word only where their axes are the same.
[[nodiscard]] std::vector<Movement> movementsOf(const Skeleton& skeleton);

}  // namespace ulna
