// SPDX-License-Identifier: Apache-2.0

// Pictures of a retargeting: strips of the source above the result at the same times, the frames of
// an animation of both side by side, and the plot of their feet (draw/foot_plot.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ulna/draw/animation.h"
#include "ulna/draw/foot_plot.h"
#include "ulna/draw/legend.h"
#include "ulna/motion/motion.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::draw {

/// One of both bodies with its clip. Both are in one unit, such as the target's, in which the
/// source was scaled so that its legs are as long (motion/units.h).
struct RetargetActor {
    std::string name = {};  ///< such as the name of its file
    const Skeleton& skeleton;
    const Motion& motion;
    Quat model_from_ground = {};  ///< y is up on the ground, and z forward at rest
    double floor = 0.0;           ///< the height of the ground
    /// The meshes of a pose, in model space; empty: bones are drawn.
    std::function<std::vector<Mesh>(const Pose&)> meshesOf = {};
};

struct RetargetPicture {
    RetargetActor source, result;       ///< with as many frames
    Contacts contacts = {};             ///< which dots below the figures show
    std::optional<FootPlot> feet = {};  ///< below strips, where both bodies have feet
    std::string unit = {};              ///< of the scale bar
};

struct RetargetPictureOptions {
    View view = View::ThreeQuarter;
    std::size_t figures = 8;   ///< in a strip, evenly over the clip
    std::size_t height = 320;  ///< of a row of figures, in pixels
    Color background = {250, 250, 250, 255};
    unsigned threads = 1;
    Progress progress = {};
};

/// Strips of bones, and the plot, as SVG.
/// @pre both clips have as many frames, at least one.
[[nodiscard]] std::string drawRetarget(const RetargetPicture& picture,
                                       const RetargetPictureOptions& options = {});

/// Shaded strips, and the plot.
/// @pre as for drawRetarget.
[[nodiscard]] Raster shadeRetarget(const RetargetPicture& picture,
                                   const RetargetPictureOptions& options = {});

/// The source and the result side by side, for drawFrames: both in the axes of the ground, over
/// which a camera of their own follows them.
/// @pre as for drawRetarget; the picture outlives the function.
[[nodiscard]] FrameFigures retargetFrames(const RetargetPicture& picture,
                                          const AnimationTimes& film);
/// What goes with these figures.
[[nodiscard]] Legend retargetLegend(const RetargetPicture& picture);
/// The size of the larger body: of its bones in the first frame.
[[nodiscard]] double figureSize(const RetargetPicture& picture);

}  // namespace ulna::draw
