// SPDX-License-Identifier: Apache-2.0

// Pictures of poses as SVG: bones and joints to scale, one pose or a strip of them.
//
// The left and the right side of the body, found by the joints' names, have different colours,
// which a legend names. Bones farther away are paler. The same figures as pixels: makeBoneMesh in
// draw/bone_mesh.h, drawn by draw/shaded.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ulna/draw/figure_dot.h"
#include "ulna/draw/view.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna::draw {

struct FigureOptions {
    View view = View::ThreeQuarter;
    UpAxis up = UpAxis::Y;
    /// Write each joint's name beside it, with a line to the joint where it is not close. No two
    /// names overlap; those without room are left out, and the picture says how many.
    bool names = false;
    double height = 640.0;    ///< of the picture with one row of figures, in pixels
    double max_width = 0.0;   ///< of a row of figures, in pixels: more figures make more
                              ///< rows, each with one figure at least; 0: one row
    std::size_t columns = 0;  ///< figures in a row, instead of what max_width says; 0: none
    std::vector<std::string> row_titles = {};  ///< at the left of each row
    std::string title = {};                    ///< above the figures; empty for none
    std::string unit = {};                     ///< of the scale bar, such as "cm"; empty: "units"
    std::string note = {};                     ///< behind the legend
    std::string mark_name = "target";          ///< what the crosses are, for the legend
};

/// One figure of a strip.
struct FigurePose {
    ModelPose model = {};
    std::string caption = {};      ///< below the figure, such as "frame 12"
    std::vector<Vec3> marks = {};  ///< positions in model space to mark with a cross, such as
                                   ///< targets; those far outside the figure are left out
    /// The skeleton that the figure is a pose of, where it is another one than that of the others.
    const Skeleton* skeleton = nullptr;
    /// What is in the middle of the figure's part of the picture, in model space; its height does
    /// not count. By default the position of the first joint.
    std::optional<Vec3> spot = {};
    std::vector<FigureDot> dots = {};  ///< above the caption
};

/// An SVG picture of the poses side by side, all at the same scale. If there are no poses, or the
/// skeleton has no joints, the picture says so.
[[nodiscard]] std::string drawFigures(const Skeleton& skeleton, std::span<const FigurePose> poses,
                                      const FigureOptions& options = {});

}  // namespace ulna::draw
