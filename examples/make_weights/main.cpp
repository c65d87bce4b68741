// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "ulna/io/gltf.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/check_mesh.h"
#include "ulna/skin/edit_weights.h"

using namespace ulna;

int main(int argc, char** argv) {
    // 1. A body without weights, and the skeleton inside it.
    Result<io::GltfFile> file = io::loadGltf(argc > 1 ? argv[1] : "");
    if (!file || file->meshes.empty()) {
        std::fprintf(stderr, "usage: make_weights FILE.glb\n");
        return 2;
    }
    Mesh& mesh = file->meshes.front();
    mesh.weights = {};
    const Result<MeshReport> checked = checkMesh(mesh);
    if (!checked) return 1;
    std::printf("%zu vertices, %s\n", checked->vertices,
                checked->watertight() ? "watertight" : "with holes");

    // 2. Bone heat: every vertex gets weights; what it had to guess is in the report.
    const Result<BoneHeat> heat = makeBoneHeatWeights(file->skeleton, mesh);
    if (!heat) return 1;
    mesh.weights = heat->weights;
    std::size_t most = 0;
    for (std::size_t v = 0; v < mesh.weights.rowCount(); ++v)
        most = std::max(most, mesh.weights[v].size());
    std::printf("at most %zu influences; %zu hidden vertices, %zu in loose parts\n", most,
                heat->report.hidden.size(), heat->report.loose.size());

    // 3. Fewer influences, for a small machine, with the smallest loss.
    PrunedWeights few = pruned(mesh.weights, 2);
    mesh.weights = std::move(few.weights);
    std::printf("with two influences %zu vertices lose something, %.3f on the average\n",
                few.loss.vertices, few.loss.mean);

    // 4. The left side as it is on the right, joints exchanged by their names.
    const Result<MirrorPairs> pairs = findMirrorPairs(file->skeleton);
    if (!pairs) return 1;
    const MirroredWeights both = mirroredWeights(mesh, *pairs, MirrorSide::RightToLeft, 1e-4);
    std::printf("mirrored; %zu vertices have no counterpart\n", both.unmatched.size());
    return 0;
}
