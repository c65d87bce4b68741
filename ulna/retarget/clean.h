// SPDX-License-Identifier: Apache-2.0

// Cleaning: a clip of a body without spikes, noise, sliding feet, and with its floor where it
// should be.
//
// The steps come in this order, each only where it is asked for. Spikes are repaired
// (motion/spikes.h); contacts of the feet are found, or given (retarget/contacts.h); the clip is
// smoothed (motion/smooth.h); the whole body is moved so that the ground is at a height; feet are
// locked where they rest on the ground, with ease before and after. What a step need not change
// keeps its bits. Spikes and smoothing are for skeletons of any kind; the ground and the feet are
// of bodies with legs. To play a clip on another body see retarget/retarget.h.
//
//     const Result<CleanResult> out = cleanClip(
//         {.skeleton = person, .rest = t_pose}, walk, {.smooth = SmoothOptions{}, .feet = true});
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/motion/smooth.h"
#include "ulna/motion/spikes.h"
#include "ulna/retarget/retarget.h"
#include "ulna/retarget/soles.h"

namespace ulna {

struct CleanOptions {
    bool spikes = false;                       ///< repair them; they are listed in any case
    SpikeOptions spike = {};                   ///< what counts as a spike
    std::optional<SmoothOptions> smooth = {};  ///< none: rotations keep their noise
    std::optional<double> floor = {};          ///< the height along up that the ground is to have
    bool feet = false;                         ///< lock the feet while they are in contact
    ContactOptions contact = {};               ///< how contacts are found
    std::optional<Contacts> contacts = {};     ///< used instead of those that would be found
};

/// What a step changed: where a joint is rotated most, and where the body is moved most.
struct CleanChange {
    double rotation = 0.0;          ///< in radians
    JointId joint = JointId::None;  ///< None: no joint is rotated
    std::size_t frame = 0;
    double translation = 0.0;  ///< of any joint, in the clip's unit
    JointId moved_joint = JointId::None;
    std::size_t moved_frame = 0;
};

struct CleanReport {
    std::vector<Spike> spikes = {};  ///< those that were found; repaired, if it was asked for
    CleanChange by_spikes = {}, by_smooth = {}, by_floor = {}, by_feet = {};
    bool legs = false;                     ///< whether the body has legs; what follows is theirs
    std::array<SolePoints, 2> soles = {};  ///< left, right
    double floor_before = 0.0;             ///< the height of the ground in the clip as it came
    SoleMeasure before = {}, after = {};   ///< in the same contacts
    std::size_t lowered = 0;  ///< frames in which the body was lowered for a leg to reach
    std::size_t raised = 0;   ///< frames in which it was raised for soles to be above
};

struct CleanResult {
    Motion motion;
    Contacts contacts;  ///< of the result, whose ground may have moved
    CleanReport report;
};

/// Cleans a clip of one body.
///
/// Errors: a clip without frames, contacts outside of it, `progress` that cancelled; and where the
/// floor or the feet are asked for, a body without legs that are recognised.
/// @param body its rest pose has flat feet, as findHumanBody takes it.
/// @pre body.rest has one transform per joint, and the motion is of the skeleton.
[[nodiscard]] Result<CleanResult> cleanClip(const RetargetBody& body, const Motion& motion,
                                            const CleanOptions& options = {},
                                            const Progress& progress = {});

}  // namespace ulna
