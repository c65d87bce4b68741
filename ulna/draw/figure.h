// SPDX-License-Identifier: Apache-2.0

// Pictures of poses as SVG: bones and joints to scale, one pose or a strip of them.
//
// The left and the right side of the body, found by the joints' names, have different colours.
// Bones farther away are paler.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ulna/draw/view.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna::draw {

struct FigureOptions {
    View view = View::ThreeQuarter;
    UpAxis up = UpAxis::Y;
    bool names = false;      ///< write each joint's name beside it
    double height = 640.0;   ///< of the picture, in pixels
    std::string title = {};  ///< above the figures; empty for none
};

/// One figure of a strip.
struct FigurePose {
    ModelPose model = {};
    std::string caption = {};      ///< below the figure, such as "frame 12"
    std::vector<Vec3> marks = {};  ///< positions in model space to mark with a cross, such as
                                   ///< targets; those far outside the figure are left out
};

/// An SVG picture of the poses side by side, all at the same scale. If there are no poses, or the
/// skeleton has no joints, the picture says so.
[[nodiscard]] std::string drawFigures(const Skeleton& skeleton, std::span<const FigurePose> poses,
                                      const FigureOptions& options = {});

}  // namespace ulna::draw
