// SPDX-License-Identifier: Apache-2.0

// What can be said of a mesh's weights.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/json.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/edit_weights.h"

namespace ulna::cli {

struct JointShare {
    JointId joint = JointId::None;
    std::size_t vertices = 0;  ///< that it moves
    double area = 0.0;         ///< its share of the surface, in [0, 1]
    float largest = 0.0f;
};

struct WeightsReport {
    std::vector<std::size_t> counts;  ///< vertices by their number of influences, from 0
    double mean = 0.0;                ///< influences per vertex
    double worst_sum = 0.0;           ///< how far the sum of a row is from 1; empty rows are none
    double jump = 0.0;  ///< the most that weight changes along an edge, 1 being everything
    std::array<std::uint32_t, 2> jump_vertices = {};
    std::vector<JointShare> joints;  ///< that move something
};

/// @pre the mesh is sound and has a row per vertex.
[[nodiscard]] WeightsReport examineWeights(const Skeleton& skeleton, const Mesh& mesh);

/// One mesh of the verb: what was done to it.
struct WeightsWork {
    std::size_t mesh = 0;  ///< of the input
    std::string source;    ///< file, heat or distance
    std::optional<BoneHeatReport> heat = {};
    std::optional<PruneLoss> loss = {};
    std::size_t unmatched = 0;  ///< vertices without a counterpart in the mirror
};

[[nodiscard]] std::string weightsText(const Skeleton& skeleton, const Mesh& mesh,
                                      const WeightsWork& work);
void writeWeights(const Skeleton& skeleton, const Mesh& mesh, const WeightsWork& work,
                  JsonWriter& json);

}  // namespace ulna::cli
