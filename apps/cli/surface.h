// SPDX-License-Identifier: Apache-2.0

// The meshes a verb works on: the input's own or those of another file, and what ties them to the
// skeleton.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/input.h"
#include "ulna/character/tie.h"
#include "ulna/skin/deform.h"

namespace ulna::cli {

struct SurfaceOptions {
    std::string mesh;              ///< a file whose meshes replace those of the input
    std::string mesh_name;         ///< one of several
    std::string weights = "auto";  ///< auto, file, heat or distance
    std::string blend = "linear";
    std::string twist = "joint";  ///< joint or limb
};
/// --mesh and --mesh-name.
void addMeshOptions(Tool& tool, CLI::App* verb, SurfaceOptions& options);
/// These, --weights, --blend and --twist.
void addSurfaceOptions(Tool& tool, CLI::App* verb, SurfaceOptions& options);

/// "the mesh", or its name.
[[nodiscard]] std::string calledMesh(const Mesh& mesh);

/// Replaces the input's meshes by those of --mesh, if any, bound in the pose that has the skeleton
/// inside them. Meshes of a file with a skeleton are taken as they are at its rest, without
/// weights.
void takeMesh(const SurfaceOptions& options, const InputOptions& reading, const Common& common,
              Input& input);

/// Which of the input's meshes --mesh-name means: all without it. Fails with exit code 2 where
/// there is none, and 3 where one of them is no sound mesh.
[[nodiscard]] std::vector<std::size_t> chooseMeshes(const Input& input,
                                                    const SurfaceOptions& options);

/// New weights with a progress bar; `how` is heat or distance. Fails with exit code 2 where there
/// is no skeleton, and 1 where there can be none.
[[nodiscard]] MadeWeights newWeights(const Input& input, const Mesh& mesh, std::string_view how,
                                     WeightOptions options, const Common& common);

/// Gives the chosen meshes the weights that --weights means; says for each where they are from:
/// file, heat, distance, or none where there is no skeleton.
[[nodiscard]] std::vector<std::string> tieMeshes(const std::vector<std::size_t>& chosen,
                                                 const SurfaceOptions& options,
                                                 const Common& common, Input& input);

[[nodiscard]] DeformOptions deformOptions(const SurfaceOptions& options, const Common& common);

/// The bones over which --twist spreads twist. Fails with exit code 2 where it should and no human
/// body is recognised.
[[nodiscard]] std::vector<TwistBone> twistBones(const SurfaceOptions& options, const Input& input);

/// The chosen meshes in a pose.
[[nodiscard]] std::vector<Mesh> posedMeshes(const Input& input,
                                            const std::vector<std::size_t>& chosen,
                                            const Pose& pose, const DeformOptions& options,
                                            std::span<const TwistBone> twists = {});

}  // namespace ulna::cli
