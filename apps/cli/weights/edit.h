// SPDX-License-Identifier: Apache-2.0

// What `ulna weights` does to weights: smooth, paint, mirror and prune, in this order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/input.h"
#include "apps/cli/weights/report.h"

namespace ulna::cli {

/// Influences that a vertex keeps where weights are made and nobody says otherwise.
inline constexpr std::size_t kMostMade = 4;

struct EditOptions {
    int smooth = 0;
    std::vector<std::string> paint;  ///< JOINT:MODE:x,y,z:radius[:strength]
    std::vector<std::string> lock;   ///< joints that painting leaves alone
    std::string mirror;              ///< left-to-right or right-to-left
    std::optional<std::size_t> most;
    double least = 0.0;

    [[nodiscard]] bool any() const {
        return smooth > 0 || !paint.empty() || !mirror.empty() || most || least > 0.0;
    }
};
void addEditOptions(Tool& tool, CLI::App* verb, EditOptions& options);

/// Fails with exit code 2 on what no mesh could take.
void checkEdits(const EditOptions& options, const Skeleton& skeleton);

/// @pre checkEdits has passed; the mesh has a row per vertex.
void editWeights(const EditOptions& options, const Skeleton& skeleton, Mesh& mesh,
                 WeightsWork& work, Warnings& warnings);

}  // namespace ulna::cli
