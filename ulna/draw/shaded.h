// SPDX-License-Identifier: Apache-2.0

// Shaded pictures of meshes: a small software renderer that writes PNG. It needs no window and no
// graphics card, and the same mesh gives the same bytes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/draw/raster.h"
#include "ulna/draw/shaded_figure.h"
#include "ulna/draw/view.h"
#include "ulna/math/box.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna::draw {

/// What pictures share that are frames of one animation: how large things are and how far figures
/// reach. Nothing but the figures moves from one such picture to another.
struct ShadedRoom {
    /// Around all figures, from their spots on the ground (at height 0): x to the right in the
    /// picture, y up and z towards the viewer.
    Box box = {};
    double size = 0.0;               ///< of the largest figure
    double ground = Box::kInfinity;  ///< the height of the lowest point

    void add(const ShadedRoom& other);
};

struct ShadedOptions {
    View view = View::ThreeQuarter;
    UpAxis up = UpAxis::Y;
    std::size_t height = 640;                 ///< of the picture in pixels
    Color background = {250, 250, 250, 255};  ///< alpha 0 makes it transparent
    bool ground = true;                       ///< draw a soft shadow on the ground
    /// The distance of lines on the ground that cross at the origin of the model, so that one sees
    /// figures walk; 0: no lines. A view from the side shows them as ticks.
    double grid = 0.0;
    std::optional<ShadedRoom> room = {};  ///< shared with other pictures, see roomOf
    unsigned threads = 1;    ///< 0 means one per core; the result does not depend on it
    Progress progress = {};  ///< called per figure; if it cancels, the remaining ones are left out
};

/// The figures side by side, all at the same scale, with their captions below. A picture is at most
/// 8192 pixels high and 32768 wide and has at most 64 million pixels; a larger one is scaled down.
/// If there are no figures, or none has triangles, the picture says so. With a room the scale does
/// not depend on the figures.
/// @pre the meshes' indices are in range and their positions finite.
[[nodiscard]] Raster drawShaded(std::span<const ShadedFigure> figures,
                                const ShadedOptions& options = {});

/// The room that a picture of these figures needs. Add up those of all frames of an animation.
/// @pre as for drawShaded.
[[nodiscard]] ShadedRoom roomOf(std::span<const ShadedFigure> figures,
                                const ShadedOptions& options = {});

/// The images stacked vertically and aligned to the left, with `background` beside those that are
/// narrower than the widest.
[[nodiscard]] Raster stackRasters(std::span<const Raster> images, const Color& background);

/// A weight as a colour, from dark blue over green to bright yellow. Lightness grows monotonically,
/// so that the order is visible to colour-blind people and in greyscale.
[[nodiscard]] Color weightColor(float weight);
/// The colours of one joint's weights, one per vertex.
[[nodiscard]] std::vector<Color> weightColors(const SkinWeights& weights, JointId joint);
/// The colour of a joint in jointColors.
[[nodiscard]] Color jointColor(JointId joint);
/// The colours of all joints blended by their weights, one per vertex; vertices without weights are
/// grey.
[[nodiscard]] std::vector<Color> jointColors(const Skeleton& skeleton, const SkinWeights& weights);

/// The bytes of a PNG file (of a WebP file: draw/webp.h). Not available in WebAssembly builds: the
/// browser has its own encoder.
/// @pre the image has at least one pixel.
[[nodiscard]] std::string writePng(const Raster& image);

}  // namespace ulna::draw
