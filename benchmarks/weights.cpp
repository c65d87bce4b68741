// SPDX-License-Identifier: Apache-2.0

// Making weights for the bundled character.
#include <cstdio>

#include "benchmarks/harness.h"
#include "ulna/io/gltf.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/distance_weights.h"
#include "ulna/skin/edit_weights.h"

namespace ulna::bench {

void benchWeights() {
    const Result<io::GltfFile> file = io::loadGltf("assets/ulna-character.glb");
    if (!file || file->meshes.empty()) {
        std::printf("\nWeights: the bundled character is not here; run from the project's root\n");
        return;
    }
    const Skeleton& skeleton = file->skeleton;
    const Mesh& mesh = file->meshes.front();
    const MeshTopology topology = computeTopology(mesh);
    std::vector<Candidate> candidates;
    const auto add = [&](const char* name, auto&& make) {
        candidates.push_back({name, [make] { keep(make()); }, 1.0});
    };
    add("bone heat", [&] { return makeBoneHeatWeights(skeleton, mesh); });
    add("by distance", [&] { return makeDistanceWeights(skeleton, mesh); });
    add("smoothed once", [&] { return smoothed(mesh.weights, topology); });
    add("pruned to two influences", [&] { return pruned(mesh.weights, 2).weights; });
    compete(candidates, 5, 0.05);
    std::printf(
        "\nWeights of the bundled character, %zu vertices, %zu joints (aim: bone heat 2 s)\n",
        mesh.positions.size(), skeleton.jointCount());
    for (const Candidate& candidate : candidates)
        std::printf("  %-44s %8.2f ms\n", candidate.name.c_str(), candidate.best * 1e3);
}

}  // namespace ulna::bench
