// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/draw/picture.h"

#include <algorithm>

#include "apps/cli/output.h"
#include "ulna/core/text.h"

namespace ulna::cli {

void addPictureOptions(Tool& tool, CLI::App* verb, PictureOptions& options,
                       const std::string& height) {
    oneOf(tool,
          verb->add_option("--view", options.view, "The direction of view (default three-quarter)"),
          {"front", "side", "three-quarter"});
    oneOf(tool,
          verb->add_option("--up", options.up, "Which axis points up, where the guess is wrong"),
          {"y", "z"});
    verb->add_option("--height", options.height, height)->type_name("PX");
    verb->add_flag("--transparent", options.transparent,
                   "Draw a PNG or WebP picture without a background");
}

draw::View viewOf(const PictureOptions& options) {
    return options.view == "front"  ? draw::View::Front
           : options.view == "side" ? draw::View::Side
                                    : draw::View::ThreeQuarter;
}

UpAxis upOf(const PictureOptions& options, const Input& input) {
    return options.up == "z" ? UpAxis::Z : options.up == "y" ? UpAxis::Y : upAxisOf(input);
}

draw::ShadedOptions shadedOptions(const PictureOptions& options, double height, const Input& input,
                                  const Common& common) {
    height = options.height.value_or(height);
    if (!(height >= 100.0 && height <= 8192.0))
        failUsage("--height of a shaded picture must be 100 to 8192");
    draw::ShadedOptions out;
    out.view = viewOf(options);
    out.up = upOf(options, input);
    out.height = static_cast<std::size_t>(height);
    if (options.transparent) out.background = {255, 255, 255, 0};
    out.threads = common.threads;
    return out;
}

bool isPng(const std::string& path) {
    return lowerCase(path).ends_with(".png");
}

bool isWebp(const std::string& path) {
    return lowerCase(path).ends_with(".webp");
}

bool isShaded(const std::string& path) {
    return isPng(path) || isWebp(path);
}

void colorByWeights(const Skeleton& skeleton, const SkinWeights& weights, JointId joint,
                    Mesh& mesh) {
    mesh.colors = joint == JointId::None ? draw::jointColors(skeleton, weights)
                                         : draw::weightColors(weights, joint);
}

void addWeightLegend(const Input& input, const std::vector<std::size_t>& chosen, JointId joint,
                     draw::Legend& legend) {
    if (joint != JointId::None) {
        legend.bar = {.low = 0.0, .high = 1.0, .label = "weight"};
        return;
    }
    std::vector<bool> moves(input.skeleton.jointCount(), false);
    for (const std::size_t mesh : chosen) {
        for (const Influence& influence : input.meshes[mesh].weights.influences)
            if (influence.weight > 0.0f) moves[index(influence.joint)] = true;
    }
    for (const JointId j : input.skeleton.joints()) {
        if (moves[index(j)]) legend.colors.push_back({draw::jointColor(j), input.skeleton.name(j)});
    }
}

draw::Raster drawGrid(const std::vector<PosedFigure>& figures, std::size_t columns,
                      draw::ShadedOptions options) {
    std::vector<draw::Raster> rows;
    ProgressBar progress("drawing");
    std::size_t done = 0;
    options.progress = [&](double) {
        progress.update(static_cast<double>(done++) / static_cast<double>(figures.size()));
        return true;
    };
    for (std::size_t begin = 0; begin < figures.size(); begin += columns) {
        std::vector<draw::ShadedFigure> row;
        for (std::size_t i = begin; i < std::min(begin + columns, figures.size()); ++i) {
            row.push_back({{}, figures[i].caption});
            for (const Mesh& mesh : figures[i].meshes) row.back().meshes.push_back({mesh});
        }
        rows.push_back(draw::drawShaded(row, options));
    }
    return rows.size() == 1 ? std::move(rows.front()) : stackRasters(rows, options.background);
}

}  // namespace ulna::cli
