// SPDX-License-Identifier: Apache-2.0

// How a clip is retargeted (retarget/retarget.h).
#pragma once

#include <cstdint>
#include <optional>

#include "ulna/retarget/contacts.h"

namespace ulna {

enum class RetargetFeet : std::uint8_t {
    Auto,  ///< Lock, but for bodies of the same proportions, which get the motion as it is
    Lock,  ///< feet in contact stay where they are, on the floor
    Keep,  ///< feet go where their legs point
};

/// What hands keep besides the directions of their arms, since arms of another length would not.
struct RetargetKeep {
    bool floor = true;  ///< heights of hands near the floor
    bool pair = true;   ///< where hands are to each other, while they are near each other
    bool body = false;  ///< where hands are to the shoulders, by lengths of arms
};

struct RetargetOptions {
    RetargetFeet feet = RetargetFeet::Auto;
    RetargetKeep keep = {};
    ContactOptions contact = {};
    std::optional<Contacts> contacts = {};  ///< used instead of those that would be found
    double floor = 0.0;  ///< the height of the result's ground along up, in its own unit
    /// Hinges move at most this many times as fast as the fastest joint of the source; where the
    /// source jumps from a frame to the next, as much faster.
    double speed = 1.5;
};

}  // namespace ulna
