// SPDX-License-Identifier: Apache-2.0

// FootLock: the feet of a clip locked where they rest on the ground.
#pragma once

#include <cstddef>

#include "ulna/core/progress.h"
#include "ulna/core/result.h"
#include "ulna/motion/motion.h"
#include "ulna/retarget/contacts.h"
#include "ulna/retarget/detail/segments.h"

namespace ulna::retarget::detail {

struct FootLock {
    Motion motion;
    std::size_t lowered = 0;  ///< frames in which the body was lowered for a leg to reach
};

/// Legs are bent so that feet are where planFoot has them; where a leg is too short for that, the
/// whole body is lowered, with ease. All other joints keep their bits.
/// Errors: `progress` that cancelled.
/// @pre the body has both legs, the contacts are inside the clip.
[[nodiscard]] Result<FootLock> lockFeet(const Skeleton& skeleton, const BodySegments& body,
                                        const Motion& motion, const Contacts& contacts,
                                        const Progress& progress);

/// The clip with its root joints moved up by `rise` in every frame; frames without keep their bits.
/// @pre one value per frame
[[nodiscard]] Motion raised(const Skeleton& skeleton, const BodySegments& body,
                            const Motion& motion, const std::vector<double>& rise);

}  // namespace ulna::retarget::detail
