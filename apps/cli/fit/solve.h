// SPDX-License-Identifier: Apache-2.0

// The fit itself: targets are read block by block and fitted in their order.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/fit/targets.h"
#include "apps/cli/ik/stage.h"
#include "ulna/character/fitting.h"

namespace ulna::cli {

/// The chosen meshes as one skin, of which targets of `count` vertices are fitted. Fails with exit
/// code 2 where the meshes are bound differently, and 3 where `target` does not fit them.
[[nodiscard]] FitShape shapeOf(const Input& input, const std::vector<std::size_t>& chosen,
                               std::size_t count, const std::string& target);

/// Fails with exit code 3 where the rig cannot be fitted.
[[nodiscard]] ShapeFitter fitterOf(const Input& input, const IkStage& stage, const FitShape& shape,
                                   const io::FitConstraints& constraints,
                                   const ShapeFitOptions& options);

struct FitProblem {
    const Input& input;
    const IkStage& stage;
    const FitShape& shape;
    const Targets& targets;
    const io::FitConstraints& constraints;
    const ShapeFitOptions& options;
    const ShapeFitter& fitter;
    const Common& common;
};

struct FitRun {
    std::vector<Pose> poses = {};  ///< of the input's skeleton
    std::vector<FitReport> reports = {};
    double worst_pin = 0.0;  ///< the largest distance of a pinned joint from its target
    bool pins_hold = true;
    Warnings warnings = {};
};

/// With a progress bar. Fails with exit code 3 on a bad target, naming file and frame.
[[nodiscard]] FitRun solveFit(const FitProblem& problem);

}  // namespace ulna::cli
