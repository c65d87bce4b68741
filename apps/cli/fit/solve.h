// SPDX-License-Identifier: Apache-2.0

// The fit itself: a rig with what constrains it, solved frame by frame.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/fit/targets.h"
#include "apps/cli/ik/stage.h"
#include "ulna/fit/fitter.h"
#include "ulna/io/fit_constraints.h"

namespace ulna::cli {

struct FitSettings {
    FitMethod method = FitMethod::JointNewton;
    FitLoss loss = FitLoss::Squares;
    double loss_scale = 0.0;
    double smoothness = 0.0;
    std::optional<double> tolerance;
    std::optional<int> max_iterations;
    bool points = false;       ///< joints as control points, without kinds and limits
    bool missing_nan = false;  ///< target vertices that are not finite are ignored
};

/// The vertices that are fitted. A file of targets may lack the copies that a rig's mesh has at
/// seams; then only the first vertices are fitted and the others follow.
struct FitShape {
    Mesh mesh;                          ///< all chosen meshes as one, tied to the skeleton
    Mesh fitted;                        ///< its first vertices, without triangles
    std::vector<std::uint32_t> source;  ///< per vertex of `mesh`, the fitted one it is or copies
};

/// Joins the chosen meshes with their weights. Fails where they are bound differently.
[[nodiscard]] Mesh joinTiedMeshes(const Input& input, const std::vector<std::size_t>& chosen);
/// Fails with exit code 3 where targets of `count` vertices do not fit the mesh.
[[nodiscard]] FitShape makeShape(const Input& input, Mesh mesh, std::size_t count,
                                 const std::string& target);

struct FitProblem {
    const Input& input;
    const IkStage& stage;
    const FitShape& shape;
    const Targets& targets;
    const io::FitConstraints& constraints;
    const FitSettings& settings;
    const Common& common;
};

struct FitRun {
    bool by_points = false;   ///< as control points rather than joints
    std::vector<Pose> poses;  ///< of the input's skeleton
    std::vector<FitReport> reports;
    double size = 1.0;       ///< of the shape at rest, which tolerances are relative to
    double worst_pin = 0.0;  ///< the largest distance of a pinned joint from its target
    std::size_t worst_pin_frame = 0;
    JointId worst_pin_joint = JointId::None;
    bool pins_hold = true;
    Warnings warnings;
};

/// Factors on the masses of vertices: 0 for those without weights and those said to be missing.
/// Empty where all count.
[[nodiscard]] std::vector<double> maskOf(const FitProblem& problem, std::size_t frame);

/// With a progress bar. Fails with exit code 3 on a bad target, naming file and frame.
[[nodiscard]] FitRun solveFit(const FitProblem& problem);

}  // namespace ulna::cli
