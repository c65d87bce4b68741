// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/topology.h"

#include <gtest/gtest.h>

#include <set>

#include "support/meshes.h"
#include "ulna/math/random.h"

namespace ulna::test {
namespace {

// By definition: every pair of vertices, every pair of places.
void expectAsDefined(const Mesh& mesh) {
    const MeshTopology topology = computeTopology(mesh);
    const auto& place = topology.point_of_vertex;
    ASSERT_EQ(place.size(), mesh.positions.size());
    for (std::size_t a = 0; a < place.size(); ++a)
        for (std::size_t b = 0; b < place.size(); ++b)
            ASSERT_EQ(place[a] == place[b], mesh.positions[a] == mesh.positions[b]);
    std::vector<std::set<std::uint32_t>> neighbours(topology.pointCount());
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
        const std::uint32_t a = place[mesh.indices[i]];
        const std::uint32_t b = place[mesh.indices[i % 3 == 2 ? i - 2 : i + 1]];
        if (a == b) continue;
        neighbours[a].insert(b);
        neighbours[b].insert(a);
    }
    for (std::size_t p = 0; p < topology.pointCount(); ++p) {
        const auto found = topology.neighboursOf(p);
        ASSERT_EQ(std::vector<std::uint32_t>(found.begin(), found.end()),
                  std::vector<std::uint32_t>(neighbours[p].begin(), neighbours[p].end()));
        for (const std::uint32_t other : found)
            ASSERT_EQ(topology.part_of_point[p], topology.part_of_point[other]);
    }
}

TEST(Topology, IsAsDefinedOnABoxWithSplitVertices) {
    expectAsDefined(decoratedBox());
    const MeshTopology topology = computeTopology(decoratedBox());
    EXPECT_EQ(topology.pointCount(), 8U);
    EXPECT_EQ(topology.part_count, 1U);
}

TEST(Topology, IsAsDefinedOnTrianglesByChance) {
    Random random(5);
    for (int round = 0; round < 20; ++round) {
        Mesh mesh;
        for (int v = 0; v < 40; ++v) {
            const auto x = static_cast<float>(random.below(4));
            const auto y = static_cast<float>(random.below(4));
            mesh.positions.push_back({x, y, 0});
        }
        for (int i = 0; i < 30; ++i)
            mesh.indices.push_back(static_cast<std::uint32_t>(random.below(40)));
        expectAsDefined(mesh);
    }
}

TEST(Topology, NumbersPlacesAndPartsByTheirFirstVertices) {
    Mesh mesh;
    mesh.positions = {{9, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 0, 0}, {8, 0, 0}, {9, 1, 0}};
    mesh.indices = {1, 2, 3, 4, 5, 6};
    const MeshTopology topology = computeTopology(mesh);
    EXPECT_EQ(topology.point_of_vertex, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 4, 5}));
    EXPECT_EQ(topology.vertex_of_point, (std::vector<std::uint32_t>{0, 1, 2, 3, 5, 6}));
    EXPECT_EQ(topology.part_of_point, (std::vector<std::uint32_t>{0, 1, 1, 1, 0, 0}));
    EXPECT_EQ(topology.part_count, 2U);
}

TEST(Topology, TakesZeroAndMinusZeroForOnePlace) {
    Mesh mesh = square();
    mesh.positions.push_back({-0.0f, 0.0f, -0.0f});
    EXPECT_EQ(computeTopology(mesh).point_of_vertex[4], 0U);
}

TEST(Topology, CountsALooseVertexAsAPart) {
    Mesh mesh = square();
    mesh.positions.push_back({5, 5, 5});
    const MeshTopology topology = computeTopology(mesh);
    EXPECT_EQ(topology.part_count, 2U);
    EXPECT_TRUE(topology.neighboursOf(4).empty());
}

TEST(Topology, OfAnEmptyMeshIsEmpty) {
    const MeshTopology topology = computeTopology({});
    EXPECT_EQ(topology.pointCount(), 0U);
    EXPECT_EQ(topology.part_count, 0U);
}

}  // namespace
}  // namespace ulna::test
