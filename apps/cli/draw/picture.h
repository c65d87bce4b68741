// SPDX-License-Identifier: Apache-2.0

// How pictures are seen, and shaded ones of meshes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/surface.h"
#include "ulna/draw/legend.h"
#include "ulna/draw/shaded.h"

namespace ulna::cli {

struct PictureOptions {
    std::string view = "three-quarter";
    std::string up;
    std::optional<double> height;
    bool transparent = false;
};
/// `height` says what the default is.
void addPictureOptions(Tool& tool, CLI::App* verb, PictureOptions& options,
                       const std::string& height);

[[nodiscard]] draw::View viewOf(const PictureOptions& options);
/// As asked for, or as the input has it.
[[nodiscard]] UpAxis upOf(const PictureOptions& options, const Input& input);
/// Fails with exit code 2 on a height that no PNG picture may have. `height` is the default.
[[nodiscard]] draw::ShadedOptions shadedOptions(const PictureOptions& options, double height,
                                                const Input& input, const Common& common);

/// Whether the name is that of a PNG file, of a WebP file, of one of both: these are shaded.
[[nodiscard]] bool isPng(const std::string& path);
[[nodiscard]] bool isWebp(const std::string& path);
[[nodiscard]] bool isShaded(const std::string& path);

/// Colours vertices by a joint's weights, or by every joint's where `joint` is None.
void colorByWeights(const Skeleton& skeleton, const SkinWeights& weights, JointId joint,
                    Mesh& mesh);

/// Says what the colours of colorByWeights mean: a colour bar of the joint's weights, or the colour
/// of every joint that moves one of the input's chosen meshes where `joint` is None.
void addWeightLegend(const Input& input, const std::vector<std::size_t>& chosen, JointId joint,
                     draw::Legend& legend);

/// One figure of a shaded picture: meshes of its own.
struct PosedFigure {
    std::vector<Mesh> meshes;
    std::string caption = {};
};
/// The figures in rows of at most `columns`, each as high as the options say. With a progress bar.
[[nodiscard]] draw::Raster drawGrid(const std::vector<PosedFigure>& figures, std::size_t columns,
                                    draw::ShadedOptions options);

}  // namespace ulna::cli
