// SPDX-License-Identifier: Apache-2.0

// Shaded pictures of meshes: a small renderer on the processor. PNG comes out; no window and no
// graphics card are needed, and the same mesh gives the same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/draw/figure.h"
#include "ulna/skin/mesh.h"

namespace ulna::draw {

/// Pixels in rows from the top. Colours are not multiplied with their alpha.
struct Raster {
    std::size_t width = 0, height = 0;
    std::vector<Color> pixels = {};
};

/// One mesh of a picture: its vertices in model space.
struct ShadedMesh {
    const Mesh& mesh;  ///< already posed (see posedMesh); coloured by its colors, where it has some
    Color color = {205, 208, 214, 255};  ///< of meshes without colours
};

/// One figure of a strip: all that stands in one place.
struct ShadedFigure {
    std::vector<ShadedMesh> meshes = {};
    std::string caption = {};
};

struct ShadedOptions {
    View view = View::ThreeQuarter;
    UpAxis up = UpAxis::Y;
    std::size_t height = 640;                 ///< of the picture in pixels
    Color background = {250, 250, 250, 255};  ///< an alpha of 0 leaves it see-through
    bool ground = true;                       ///< a soft shadow on the ground below
    unsigned threads = 1;    ///< 0 means one per core; the result does not depend on it
    Progress progress = {};  ///< a figure is a step; cancelled, the others are left out
};

/// The figures side by side, all at one scale, their captions below. A picture is at most 8192
/// high, 32768 wide and of 64 million pixels; one that would be larger is made smaller as a whole.
/// No figures, or none with triangles, give a picture that says so.
/// @pre the meshes' indices are in range and their positions finite.
[[nodiscard]] Raster drawShaded(std::span<const ShadedFigure> figures,
                                const ShadedOptions& options = {});

/// The images one below the other from the left, with `background` where they are narrower than the
/// widest.
[[nodiscard]] Raster stackRasters(std::span<const Raster> images, const Color& background);

/// A weight as a colour: from dark blue over green to bright yellow. Lightness grows all the way,
/// so that the order is seen by eyes that do not tell red from green, and on grey paper.
[[nodiscard]] Color weightColor(float weight);
/// The colours of one joint's weights, by vertex.
[[nodiscard]] std::vector<Color> weightColors(const SkinWeights& weights, JointId joint);
/// Every joint's share in its own colour, by vertex; what nothing moves is grey.
[[nodiscard]] std::vector<Color> jointColors(const Skeleton& skeleton, const SkinWeights& weights);

/// The bytes of a PNG file. Not in builds for WebAssembly, where the browser has its own.
/// @pre the image has a pixel or more.
[[nodiscard]] std::string writePng(const Raster& image);

}  // namespace ulna::draw
