// SPDX-License-Identifier: Apache-2.0

// Packing: a motion as few bytes that stay within a distance of it.
//
// The distance is that of points around every joint, in model space, so that a rotation of the hip
// is kept as exactly as a foot needs it. Each joint is packed to make up for what rounding did to
// its ancestors. At the end the packed clip is sampled, between frames too, and compared.
#pragma once

#include "ulna/core/progress.h"
#include "ulna/motion/motion.h"
#include "ulna/motion/pack_options.h"
#include "ulna/motion/packed_clip.h"

namespace ulna {

struct PackReport {
    /// The largest distance that was measured, at frames and three times between them.
    double worst_error = 0.0;
    std::size_t bytes = 0;
    /// The clip as it is measured by: ten floats (translation, rotation, scale) for every joint
    /// and frame; without End Sites, which move nothing.
    double plain_bytes = 0.0;

    [[nodiscard]] double ratio() const {
        return bytes == 0 ? 0.0 : plain_bytes / static_cast<double>(bytes);
    }
};

struct PackedMotion {
    PackedClip clip;
    PackReport report;
};

/// Packs a motion of a skeleton. Errors: a value that is not finite; a tolerance so small that
/// floats cannot keep it in so large a motion; the progress was cancelled.
/// @pre the motion has frames, and the joints of the skeleton; tolerance and reach are above 0
[[nodiscard]] Result<PackedMotion> packClip(const Skeleton& skeleton, const Motion& motion,
                                            const PackOptions& options = {},
                                            const Progress& progress = {});

}  // namespace ulna
