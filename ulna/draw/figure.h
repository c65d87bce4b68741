// SPDX-License-Identifier: Apache-2.0

// Pictures of poses as SVG: bones and joints to scale, one pose or a strip of them.
//
// What is left of the body is drawn in one colour and what is right in another, found by the
// joints' names; what is farther away is paler.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna::draw {

enum class View : std::uint8_t { Front, Side, ThreeQuarter };

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
    std::vector<Vec3> marks = {};  ///< places in model space to mark with a cross, such as targets;
                                   ///< those far beyond the figure are left out
};

/// An SVG picture of the poses side by side, all at one scale. No poses, or a skeleton without
/// joints, give a picture that says so.
[[nodiscard]] std::string drawFigures(const Skeleton& skeleton, std::span<const FigurePose> poses,
                                      const FigureOptions& options = {});

}  // namespace ulna::draw
