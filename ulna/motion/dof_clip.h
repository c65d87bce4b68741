// SPDX-License-Identifier: Apache-2.0

// DofClip: a clip as numbers per degree of freedom, and the maps between it and Motion.
//
// Angles may exceed a turn here, which a Motion's quaternions cannot say. Rig files hold clips in
// this form.
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
    std::vector<DofVector> frames;  ///< each with one number per degree of freedom
};

/// The clip as poses. @pre every frame has skeleton.dofCount() numbers.
[[nodiscard]] Motion computeMotion(const Skeleton& skeleton, const DofClip& clip);

/// What of a motion the degrees of freedom could not express: the largest residuals over all
/// frames.
struct DofClipFit {
    DofClip clip;
    DofFit worst;  ///< its `dofs` are empty
};

/// The clip nearest to a motion; each frame's numbers follow on from the frame before, the first
/// frame's from `near` (zero when empty). Cancelled by `progress`, it has the frames made so far.
[[nodiscard]] DofClipFit computeDofClip(const Skeleton& skeleton, const Motion& motion,
                                        std::span<const double> near = {},
                                        const Progress& progress = {});

}  // namespace ulna
