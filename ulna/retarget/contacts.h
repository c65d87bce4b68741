// SPDX-License-Identifier: Apache-2.0

// Contacts: when heels and balls of the feet of a clip rest on the ground.
//
// A point of a sole is in contact while it is low and slow; two pairs of thresholds keep contacts
// from flickering. The floor is found by itself: where soles are when they are slow. Retargeting
// (retarget/retarget.h) keeps contacts; a caller may correct them first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/motion/motion.h"
#include "ulna/skeleton/sides.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

enum class SolePart : std::uint8_t { Heel, Ball };

/// A time during which a part of a sole rests on the ground, by frames of the clip.
struct Contact {
    BodySide side = BodySide::Left;
    SolePart part = SolePart::Heel;
    std::size_t first = 0;  ///< the first frame of the contact
    std::size_t last = 0;   ///< the last one

    friend bool operator==(const Contact&, const Contact&) = default;
};

struct Contacts {
    double floor = 0.0;                  ///< the height of the ground along up, in the clip's unit
    std::vector<Contact> contacts = {};  ///< by first frame, then side, then part
};

/// Whether contacts can be those of a clip of so many frames: each begins no later than it ends,
/// inside the clip, on the left or the right, and no two of one part of a foot overlap.
[[nodiscard]] Status checkContacts(const Contacts& contacts, std::size_t frames);

/// Two contacts of one part of one foot that have frames in common, by their indices; none.
[[nodiscard]] std::optional<std::array<std::size_t, 2>> overlappingContacts(
    std::span<const Contact> contacts);

/// Lengths are in leg lengths (thigh and shin), speeds in leg lengths per second.
struct ContactOptions {
    std::optional<double> floor = {};  ///< in the clip's unit; found by itself by default
    double begin_height = 0.04;        ///< a contact begins below this height ...
    double begin_speed = 0.3;          ///< ... and this speed,
    double end_height = 0.05;          ///< and ends above this height
    double end_speed = 0.45;           ///< or this speed
    double shortest = 0.04;            ///< in seconds: shorter contacts, and gaps, are none
};

/// Finds the contacts of a clip.
///
/// Errors where no hips and legs are recognised.
/// @param rest a pose with flat feet, as findHumanBody takes it.
/// @pre rest has one transform per joint, and the motion is of the skeleton.
[[nodiscard]] Result<Contacts> findContacts(const Skeleton& skeleton, const Pose& rest,
                                            const Motion& motion,
                                            const ContactOptions& options = {});

}  // namespace ulna
