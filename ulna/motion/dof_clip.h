// SPDX-License-Identifier: Apache-2.0

// DofClip: a clip as coordinates, one per degree of freedom, and conversions to and from Motion.
//
// Angles may exceed a full revolution here, which quaternions cannot represent. Rig files hold
// clips in this form.
#pragma once

#include <string>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/motion/motion.h"
#include "ulna/skeleton/state.h"

namespace ulna {

struct DofClip {
    std::string name;
    double frame_time = 1.0 / 30.0;
    std::vector<DofVector> frames;  ///< each with one coordinate per degree of freedom
};

/// The clip as poses. @pre every frame has skeleton.dofCount() coordinates.
[[nodiscard]] Motion computeMotion(const Skeleton& skeleton, const DofClip& clip);

/// A clip in coordinates, and the largest residuals over all frames: how far the degrees of freedom
/// are from expressing the motion.
struct DofClipFit {
    DofClip clip;
    DofFit worst;  ///< its `dofs` are empty
};

/// The clip nearest to a motion. Where several coordinates give the same pose, each frame takes
/// those nearest to the previous frame's, and the first frame those nearest to `near` (zero when
/// empty). If `progress` cancels, the clip has the frames computed so far.
[[nodiscard]] DofClipFit computeDofClip(const Skeleton& skeleton, const Motion& motion,
                                        std::span<const double> near = {},
                                        const Progress& progress = {});

}  // namespace ulna
