// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/transfer_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/surfaces.h"
#include "support/weights.h"

namespace ulna {
namespace {

constexpr JointId kA = JointId{0}, kB = JointId{1};

// The weight of kB grows evenly along x, which straight lines between vertices give back.
void weightAlongX(Mesh& mesh) {
    for (const Vec3f& p : mesh.positions) {
        const float b = std::clamp(0.5f + 0.4f * p.x, 0.0f, 1.0f);
        mesh.weights.addRow(std::vector<Influence>{{kA, 1.0f - b}, {kB, b}});
    }
}

TEST(TransferredWeights, AreThoseOfTheNearestSurfacePoint) {
    Mesh coarse = test::sheet(2.0, 4), fine = test::sheet(2.0, 31);
    weightAlongX(coarse);
    for (Vec3f& p : fine.positions) p.z += 0.1f * std::sin(20 * p.x);
    const SkinWeights out = transferredWeights(coarse, fine);
    ASSERT_EQ(out.rowCount(), fine.positions.size());
    for (std::size_t v = 0; v < out.rowCount(); ++v) {
        test::expectSoundRow(out[v]);
        EXPECT_NEAR(weightOf(out[v], kB), 0.5 + 0.4 * static_cast<double>(fine.positions[v].x),
                    1e-6);
    }
}

TEST(TransferredWeights, OfAMeshToItselfAreItsOwn) {
    Mesh mesh = test::ball({0, 0, 0}, 1, 6, 8);
    weightAlongX(mesh);
    const SkinWeights out = transferredWeights(mesh, mesh);
    for (std::size_t v = 0; v < out.rowCount(); ++v)
        EXPECT_NEAR(weightOf(out[v], kB), weightOf(mesh.weights[v], kB), 1e-6);
}

TEST(TransferredWeights, FromPointsAreThoseOfTheNearest) {
    Mesh cloud, to;
    cloud.positions = {{0, 0, 0}, {1, 0, 0}};
    cloud.weights.addRow(std::vector<Influence>{{kA, 1}});
    cloud.weights.addRow(std::vector<Influence>{{kB, 1}});
    to.positions = {{0.4f, 1, 0}, {0.6f, 1, 0}};
    const SkinWeights out = transferredWeights(cloud, to);
    EXPECT_EQ(weightOf(out[0], kA), 1.0f);
    EXPECT_EQ(weightOf(out[1], kB), 1.0f);
}

TEST(TransferredWeights, WhereNothingMovesTheSurfaceAreNone) {
    Mesh mesh = test::sheet(1.0, 3);
    for (std::size_t v = 0; v < 9; ++v) mesh.weights.addRow({});
    const SkinWeights out = transferredWeights(mesh, mesh);
    ASSERT_EQ(out.rowCount(), 9U);
    EXPECT_TRUE(out[4].empty());
}

}  // namespace
}  // namespace ulna
