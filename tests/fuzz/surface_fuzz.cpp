// SPDX-License-Identifier: Apache-2.0

// Any bytes as a small mesh that a file might hold: floats of any size as positions, and triangles
// between them. A mesh with a fault is named as such; of every other, weights are made and edited,
// and it is posed.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "ulna/io/bounds.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/check_mesh.h"
#include "ulna/skin/deform.h"
#include "ulna/skin/distance_weights.h"
#include "ulna/skin/edit_weights.h"

namespace {

using namespace ulna;

void require(bool condition) {
    if (!condition) std::abort();
}

Skeleton makeArm() {
    std::vector<JointDef> joints(3);
    const char* names[] = {"Arm", "Fore", "Hand"};
    for (std::size_t i = 0; i < 3; ++i) {
        joints[i].name = names[i];
        joints[i].parent = i == 0 ? "" : names[i - 1];
        joints[i].rest.translation = {i == 0 ? -1.0 : 1.0, 0, 0};
    }
    return *makeSkeleton(std::move(joints));
}

// The first byte is the number of vertices, 12 bytes each; every other byte is a corner.
Mesh meshOf(const std::uint8_t* data, std::size_t size) {
    Mesh mesh;
    const std::size_t count = std::min<std::size_t>(1 + data[0] % 64U, (size - 1) / 12);
    for (std::size_t v = 0; v < count; ++v) {
        float at[3];
        std::memcpy(at, data + 1 + 12 * v, sizeof at);
        mesh.positions.push_back({at[0], at[1], at[2]});
    }
    for (std::size_t i = 1 + 12 * count; i < size; ++i) mesh.indices.push_back(data[i]);
    return mesh;
}

// What readers refuse before the mesh is checked.
bool isTooLarge(const Mesh& mesh) {
    for (const Vec3f& p : mesh.positions)
        for (std::size_t k = 0; k < 3; ++k)
            if (!(std::abs(static_cast<double>(p[k])) <= io::kLargestCoordinate)) return true;
    return false;
}

void checkRows(const SkinWeights& weights, const Mesh& mesh, bool may_be_empty) {
    require(weights.rowCount() == mesh.positions.size());
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        double sum = 0.0;
        for (const Influence& i : weights[v]) {
            require(i.weight > 0.0f);
            sum += static_cast<double>(i.weight);
        }
        require(std::abs(sum - 1.0) < 1e-5 || (may_be_empty && weights[v].empty()));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Skeleton arm = makeArm();
    static const ModelPose rest = computeModelPose(arm, restPose(arm));
    if (size < 2) return 0;
    Mesh mesh = meshOf(data, size);
    const Result<MeshReport> report = checkMesh(mesh);
    if (!report) {
        require(!describe(report.error()).empty());
        return 0;
    }
    if (isTooLarge(mesh)) return 0;
    for (const Diagnostic& oddity : describeOddities(*report, mesh))
        require(!describe(oddity).empty());
    checkRows(makeDistanceWeights(arm, mesh), mesh, true);
    const double stiffness[] = {BoneHeatOptions::kLeastStiffness, 1.0,
                                BoneHeatOptions::kMostStiffness};
    const Result<BoneHeat> heat =
        makeBoneHeatWeights(arm, mesh, {.stiffness = stiffness[size % 3]});
    if (!heat) {
        require(!describe(heat.error()).empty());
        return 0;
    }
    checkRows(heat->weights, mesh, false);
    checkRows(pruned(heat->weights, 1).weights, mesh, false);
    checkRows(smoothed(heat->weights, computeTopology(mesh), 0.5, 2), mesh, false);
    mesh.weights = heat->weights;
    for (const Vec3f& p : posedMesh(arm, mesh, rest).positions)
        require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
    return 0;
}
