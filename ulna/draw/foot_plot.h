// SPDX-License-Identifier: Apache-2.0

// Plots of feet over time: heights and speeds of heels and balls of both feet in a source and in
// what became of it on another body, with the contacts shaded.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ulna/draw/raster.h"
#include "ulna/retarget/contacts.h"

namespace ulna::draw {

/// One point of a sole.
struct FootCurve {
    std::vector<double> height = {};  ///< per frame, above the floor
    std::vector<double> speed = {};   ///< per frame: over the ground, since the frame before
};

/// By side (left, right) and SolePart.
using FootCurves = std::array<std::array<FootCurve, 2>, 2>;

/// The curves of paths in which y is up. @pre frame_time > 0
[[nodiscard]] FootCurve footCurve(const std::vector<Vec3>& path, double floor, double frame_time);

struct FootPlot {
    double frame_time = 1.0 / 30.0;
    FootCurves source = {}, result = {};  ///< in one unit, with as many frames
    Contacts contacts = {};
    double penetration = 0.0;  ///< how far soles are below the floor at most: a dashed line
    double slide = 0.0;        ///< the largest speed in contact: a dashed line
    std::vector<std::uint32_t> at_limit = {};  ///< per frame: joints at a limit; may be empty
    std::string unit = {};                     ///< of lengths, such as "cm"
    std::vector<std::string> notes = {};       ///< lines below the plot
};

/// The plot as SVG, or as pixels, of which there are `scale` times as many as units of width.
/// Speeds of jumps from one frame to the next may be beyond the upper edge.
[[nodiscard]] std::string drawFootPlot(const FootPlot& plot, double width);
[[nodiscard]] Raster shadeFootPlot(const FootPlot& plot, double width, double scale,
                                   const Color& background);

}  // namespace ulna::draw
