// SPDX-License-Identifier: Apache-2.0

// How pictures are seen, and shaded ones of meshes.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/surface.h"
#include "ulna/draw/shaded.h"

namespace ulna::cli {

struct PictureOptions {
    std::string view = "three-quarter";
    std::string up;
    double height = 640.0;
    bool transparent = false;
};
void addPictureOptions(Tool& tool, CLI::App* verb, PictureOptions& options);

[[nodiscard]] draw::View viewOf(const PictureOptions& options);
/// As asked for, or as the input has it.
[[nodiscard]] draw::UpAxis upOf(const PictureOptions& options, const Input& input);
[[nodiscard]] draw::ShadedOptions shadedOptions(const PictureOptions& options, const Input& input,
                                                const Common& common);

/// Whether the name is that of a PNG file.
[[nodiscard]] bool isPng(const std::string& path);

/// Colours vertices by a joint's weights, or by every joint's where `joint` is None.
void colorByWeights(const Skeleton& skeleton, const SkinWeights& weights, JointId joint,
                    Mesh& mesh);

/// One figure of a shaded picture: meshes of its own.
struct PosedFigure {
    std::vector<Mesh> meshes;
    std::string caption = {};
};
/// The figures in rows of at most `columns`.
[[nodiscard]] draw::Image drawGrid(const std::vector<PosedFigure>& figures, std::size_t columns,
                                   const draw::ShadedOptions& options);

}  // namespace ulna::cli
