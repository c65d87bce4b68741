// SPDX-License-Identifier: Apache-2.0

// Shaded pictures of meshes: a small renderer on the processor. PNG comes out; no window and no
// graphics card are needed, and the same mesh gives the same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/draw/figure.h"
#include "ulna/skin/mesh.h"

namespace ulna::draw {

/// Pixels in rows from the top; premultiplied with nothing, sRGB.
struct Image {
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
};

/// The figures side by side, all at one scale.
[[nodiscard]] Image drawShaded(std::span<const ShadedFigure> figures,
                               const ShadedOptions& options = {});

/// A weight as a colour: from dark blue over green and yellow to red, made for eyes that tell red
/// from green and those that do not.
[[nodiscard]] Color weightColor(float weight);
/// The colours of one joint's weights, by vertex.
[[nodiscard]] std::vector<Color> weightColors(const SkinWeights& weights, JointId joint);
/// Every joint's share in its own colour, by vertex.
[[nodiscard]] std::vector<Color> jointColors(const Skeleton& skeleton, const SkinWeights& weights);

/// The bytes of a PNG file.
[[nodiscard]] std::string writePng(const Image& image);

}  // namespace ulna::draw
