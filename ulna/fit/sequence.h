// SPDX-License-Identifier: Apache-2.0

// A sequence of shapes fitted frame by frame: the motion of the control points.
//
// Frames are cut into chunks of a fixed length that may run at once. A chunk's first frame starts
// cold, the others from the frame before, so the answer does not depend on the number of threads.
#pragma once

#include <span>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/fit/fitter.h"
#include "ulna/motion/motion.h"

namespace ulna {

struct FitSequenceOptions {
    unsigned threads = 1;    ///< 0 means one per core; the result does not depend on it
    std::size_t chunk = 64;  ///< frames; 0 means all in one
    /// With FitOptions::smoothness: pull towards the last frame carried on at its speed instead of
    /// the last frame itself, so that steady motion is not held back.
    bool extrapolate = true;
};

struct FitSequence {
    std::vector<ControlPose> poses = {};
    std::vector<FitReport> reports = {};  ///< one per frame
    bool cancelled = false;               ///< then poses and reports are those made so far
};

/// Fits every frame. `start` has the positions of pinned points and the motion of driven ones for
/// the frames that do not give their own in FitTargets::driven. A pin that cannot be met in one
/// frame is met again as soon as it can be.
///
/// With smoothness every frame is pulled towards the frame before, so all are one chunk.
[[nodiscard]] FitSequence fitSequence(const Fitter& fitter, std::span<const FitTargets> frames,
                                      const ControlPose& start,
                                      const FitSequenceOptions& options = {},
                                      const Progress& progress = {});

/// The motion of a skeleton from poses of makeFitRig's rig. @pre frame_time > 0
[[nodiscard]] Motion makeMotion(const Skeleton& skeleton, const Mesh& mesh,
                                std::span<const ControlPose> poses, double frame_time);

}  // namespace ulna
