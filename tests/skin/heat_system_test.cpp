// SPDX-License-Identifier: Apache-2.0

// The sparse system, against matrices put together in another way and solved without sparsity.
#include "ulna/skin/detail/heat_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/surfaces.h"
#include "ulna/math/random.h"

namespace ulna::skin::detail {
namespace {

Vec3 wide(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

using Matrix = std::vector<std::vector<double>>;

// Half the cotangents by the law of cosines from edge lengths: 4 area cot C = a^2 + b^2 - c^2, with
// the area by Heron. Places must be vertices here.
Matrix denseLaplacian(const Mesh& mesh) {
    const std::size_t n = mesh.positions.size();
    Matrix out(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t u = mesh.indices[i + k], v = mesh.indices[i + (k + 1) % 3];
            const std::size_t w = mesh.indices[i + (k + 2) % 3];
            const auto edge = [&](std::size_t p, std::size_t q) {
                return distance(wide(mesh.positions[p]), wide(mesh.positions[q]));
            };
            const double c = edge(u, v), a = edge(v, w), b = edge(w, u);
            const double s = (a + b + c) / 2;
            const double area = std::sqrt(s * (s - a) * (s - b) * (s - c));
            const double half = (a * a + b * b - c * c) / (8 * area);
            out[u][v] -= half;
            out[v][u] -= half;
            out[u][u] += half;
            out[v][v] += half;
        }
    }
    return out;
}

// Gaussian elimination with the largest pivot.
std::vector<double> solveDense(Matrix a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
        std::swap(a[k], a[pivot]);
        std::swap(b[k], b[pivot]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double f = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return b;
}

// Angles so wide that the cotangents of edges sum to less than nothing.
Mesh shearedSheet() {
    Mesh mesh = test::sheet(1.0, 9);
    for (Vec3f& p : mesh.positions) p.x -= 3.0f * p.y;
    return mesh;
}

TEST(HeatSystem, SolvesAsADenseSystemPutTogetherOtherwise) {
    // No angle opposite an edge of the ball is so wide that a weight would be clamped.
    const Mesh mesh = test::ball({1, 2, 3}, 0.7, 9, 14);
    const MeshTopology topology = computeTopology(mesh);
    const std::size_t n = mesh.positions.size();
    ASSERT_EQ(topology.pointCount(), n);
    Random random(9);
    std::vector<double> heat(n);
    for (std::size_t i = 0; i < n; ++i) heat[i] = i % 5 == 0 ? 0.0 : random.between(0.001, 2.0);
    Matrix dense = denseLaplacian(mesh);
    for (std::size_t i = 0; i < n; ++i) dense[i][i] += heat[i];

    const SurfaceOperator surface = makeSurfaceOperator(mesh, topology);
    const HeatSystem system(topology, surface, heat);
    ASSERT_TRUE(system.ok());
    std::vector<double> columns(n * HeatSystem::kColumns);
    for (double& x : columns) x = random.between(-1, 1);
    const std::vector<double> right = columns;
    system.solve(columns);
    for (std::size_t k = 0; k < HeatSystem::kColumns; ++k) {
        std::vector<double> b(n);
        for (std::size_t i = 0; i < n; ++i) b[i] = right[i * HeatSystem::kColumns + k];
        const std::vector<double> expected = solveDense(dense, b);
        for (std::size_t i = 0; i < n; ++i)
            ASSERT_NEAR(columns[i * HeatSystem::kColumns + k], expected[i], 1e-6);
    }
}

TEST(HeatSystem, KeepsHeatBetweenZeroAndOneAndOneEverywhereOnAnyMesh) {
    for (const Mesh& mesh : {shearedSheet(), test::tube(-1, 1, 0.2, 4, 50)}) {
        const MeshTopology topology = computeTopology(mesh);
        const SurfaceOperator surface = makeSurfaceOperator(mesh, topology);
        Random random(3);
        const std::size_t n = topology.pointCount();
        std::vector<double> heat(n), columns(n * HeatSystem::kColumns, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            heat[i] = i % 4 == 0 ? random.between(0.0, 1.0) : 0.0;
            columns[i * HeatSystem::kColumns] = heat[i];
            columns[i * HeatSystem::kColumns + 1 + i % 3] = heat[i];
        }
        const HeatSystem system(topology, surface, heat);
        system.solve(columns);
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT_NEAR(columns[i * HeatSystem::kColumns], 1.0, 1e-9);
            for (std::size_t k = 1; k < 4; ++k) {
                EXPECT_GT(columns[i * HeatSystem::kColumns + k], -1e-12);
                EXPECT_LT(columns[i * HeatSystem::kColumns + k], 1.0 + 1e-9);
            }
        }
    }
}

TEST(SurfaceOperator, NeverCarriesHeatBackwards) {
    const Mesh mesh = shearedSheet();
    const SurfaceOperator surface = makeSurfaceOperator(mesh, computeTopology(mesh));
    for (const double weight : surface.weights) EXPECT_GT(weight, 0.0);
    // Cotangents alone would: between the ends of the diagonals.
    const Matrix plain = denseLaplacian(mesh);
    EXPECT_GT(plain[1 + 9][2 * 9], 0.5);
}

TEST(SurfaceOperator, HasTheWholeAreaOfTheSurface) {
    const Mesh mesh = test::sheet(3.0, 7);
    const SurfaceOperator surface = makeSurfaceOperator(mesh, computeTopology(mesh));
    double sum = 0.0;
    for (const double area : surface.areas) sum += area;
    EXPECT_NEAR(sum, 9.0, 1e-5);
}

TEST(SurfaceOperator, OfSquaresCutInTwoJoinsOnlyTheirSides) {
    const Mesh mesh = test::sheet(1.0, 5);
    const MeshTopology topology = computeTopology(mesh);
    const SurfaceOperator surface = makeSurfaceOperator(mesh, topology);
    const std::size_t middle = 12;
    for (std::size_t n = 0; n < topology.neighboursOf(middle).size(); ++n) {
        const std::uint32_t other = topology.neighboursOf(middle)[n];
        const bool side = other == 7 || other == 11 || other == 13 || other == 17;
        EXPECT_NEAR(surface.weights[topology.first_neighbour[middle] + n], side ? 1.0 : 0.0, 2e-4);
    }
}

}  // namespace
}  // namespace ulna::skin::detail
