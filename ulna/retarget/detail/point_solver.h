// SPDX-License-Identifier: Apache-2.0

// PointSolver: frames of a body solved for all of its points.
#pragma once

#include <span>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/ik/solver.h"
#include "ulna/motion/motion.h"
#include "ulna/retarget/detail/point_start.h"

namespace ulna::retarget::detail {

/// The points of a body's attachments.
struct PointFrames {
    std::size_t width = 0;  ///< attachments
    double frame_time = 1.0 / 30.0;
    std::vector<Vec3> positions = {};  ///< frame by frame, in model space
    std::vector<double> weights = {};  ///< likewise; 0 where the position is filled in

    [[nodiscard]] std::size_t count() const { return width == 0 ? 0 : positions.size() / width; }
    [[nodiscard]] std::span<const Vec3> at(std::size_t f) const {
        return std::span(positions).subspan(f * width, width);
    }
};

/// Whether each attachment is seen in any frame.
[[nodiscard]] std::vector<char> everSeen(const PointFrames& frames);

/// The skeleton on which points are solved: the joint of the hips moves freely.
[[nodiscard]] Skeleton withFreeHips(const Skeleton& skeleton, JointId hips);

struct PointSolveOptions {
    double noise = 0.0;  ///< that is left in a coordinate
    unsigned threads = 0;
};

/// Solves every frame: from what it shows in closed form, to where all points are as near to their
/// targets as lengths and limits allow.
/// @param skeleton made by withFreeHips
/// @param seen per attachment: whether it is seen in any frame. Errors: `progress` cancelled.
[[nodiscard]] Result<Motion> solveFrames(const Skeleton& skeleton, const PointBody& body,
                                         const PointFrames& frames, std::span<const char> seen,
                                         const PointSolveOptions& options,
                                         const Progress& progress);

/// Finds where points that are not joints are fixed to the body, from some frames of the clip.
/// @param frames with weights of zero where positions are filled in
[[nodiscard]] Status calibrate(const Skeleton& skeleton, const PointFrames& frames,
                               std::span<const char> seen, const PointSolveOptions& options,
                               PointBody& body);

}  // namespace ulna::retarget::detail
