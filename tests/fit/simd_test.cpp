// SPDX-License-Identifier: Apache-2.0

// The vector loops against the plain ones.
#include <gtest/gtest.h>

#include <cmath>

#include "support/fit.h"
#include "ulna/fit/detail/block_cholesky.h"
#include "ulna/fit/detail/fit_simd.h"
#include "ulna/fit/detail/layout.h"

namespace ulna::fit::detail {
namespace {

TEST(FitSimd, PassesOverVerticesAgreeWithThePlainLoops) {
    Random random(1);
    FitRig rig = test::randomRig(7, 301, false, random);
    // A vertex that nothing moves, and one of a single point.
    rig.vertices.push_back({1, 2, 3});
    rig.weights.addRow({});
    rig.vertices.push_back({0, 1, 0});
    const Influence one{jointId(3), 1.0f};
    rig.weights.addRow(std::span(&one, 1));
    const FitLayout layout = makeLayout(rig);
    const VertexPack pack = makeVertexPack(rig.vertices, rig.weights, 7, layout.origin);
    const std::size_t n = rig.vertices.size();
    std::vector<double> masses;
    for (std::size_t i = 0; i < n; ++i) masses.push_back(i % 11 == 0 ? 0.0 : random.between(0, 2));
    std::vector<double> point_masses(pack.point.size());
    weighPoints(pack, masses, point_masses);
    std::vector<Vec3> shape = rig.vertices;
    for (Vec3& v : shape) v += random.direction();
    std::vector<Row4> targets(n);
    ASSERT_EQ(centreTargets(pack, shape, masses, targets), n);

    std::vector<Rows4> plain(7), fast(7);
    computePointMoments(pack, point_masses, targets, plain);
    computePointMomentsSimd(pack, point_masses, targets, fast);
    for (std::size_t j = 0; j < 7; ++j)
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(plain[j][r][c], fast[j][r][c], 1e-11);

    std::vector<Columns4> matrices(7);
    for (Columns4& matrix : matrices) {
        for (Row4& column : matrix) {
            for (std::size_t r = 0; r < 3; ++r) column[r] = random.between(-1, 1);
            column[3] = 0.0;
        }
    }
    std::vector<double> a(n), b(n);
    const Leftover one_way = computeLeftover(pack, masses, matrices, targets, a);
    const Leftover other = computeLeftoverSimd(pack, masses, matrices, targets, b);
    EXPECT_NEAR(one_way.sum, other.sum, 1e-10 * one_way.sum);
    EXPECT_EQ(one_way.worst, other.worst);
    EXPECT_NEAR(one_way.worst_distance, other.worst_distance, 1e-12);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
}

TEST(FitSimd, ABlockFactorSolvesItsSparseSystem) {
    Random random(2);
    // A tree of blocks with a few more links, and a dense matrix of the same entries.
    constexpr std::size_t kBlocks = 9;
    BlockCholesky::Pattern pattern;
    for (std::uint32_t b = 1; b < kBlocks; ++b) pattern.push_back({(b - 1) / 2, b});
    pattern.push_back({3, 7});
    pattern.push_back({8, 2});
    BlockCholesky cholesky;
    EXPECT_GT(cholesky.analyze(kBlocks, pattern), 0U);
    constexpr std::size_t kSize = 3 * kBlocks;
    std::vector<std::vector<double>> dense(kSize, std::vector<double>(kSize, 0.0));
    const auto put = [&](std::size_t a, std::size_t b, const Mat3& m) {
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c) {
                dense[3 * a + r][3 * b + c] = m.rows[r][c];
                dense[3 * b + c][3 * a + r] = m.rows[r][c];
            }
        }
    };
    const auto randomBlock = [&] {
        Mat3 m;
        for (Vec3& row : m.rows) row = random.direction();
        return m;
    };
    cholesky.clear();
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const Mat3 m = randomBlock();
        put(pattern[i].first, pattern[i].second, m);
        cholesky.set(cholesky.pairSlot(i), m);
    }
    for (std::size_t b = 0; b < kBlocks; ++b) {
        Mat3 m;
        for (std::size_t k = 0; k < 3; ++k) m.rows[k][k] = 12.0;
        put(b, b, m);
        cholesky.set(cholesky.diagonalSlot(b), m);
    }
    const std::vector<double> scales(kBlocks, 0.0);
    ASSERT_TRUE(cholesky.factor(0.0, scales));
    std::vector<double> x, side;
    for (std::size_t i = 0; i < kSize; ++i) side.push_back(random.between(-1, 1));
    x = side;
    cholesky.solve(x);
    for (std::size_t i = 0; i < kSize; ++i) {
        double sum = 0.0;
        for (std::size_t k = 0; k < kSize; ++k) sum += dense[i][k] * x[k];
        EXPECT_NEAR(sum, side[i], 1e-12);
    }
    Mat3 negative;
    for (std::size_t k = 0; k < 3; ++k) negative.rows[k][k] = -1.0;
    cholesky.set(cholesky.diagonalSlot(4), negative);
    EXPECT_FALSE(cholesky.factor(1e-9, scales));
}

}  // namespace
}  // namespace ulna::fit::detail
