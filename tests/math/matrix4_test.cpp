// SPDX-License-Identifier: Apache-2.0
#include "ulna/math/matrix4.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/plain_matrix.h"
#include "ulna/math/random.h"

namespace ulna::test {
namespace {

Trs randomTrs(Random& random) {
    return {.translation = random.direction() * random.between(0.0, 9.0),
            .scale = {random.between(0.1, 3.0), random.between(0.1, 3.0), random.between(0.1, 3.0)},
            .rotation = random.rotation()};
}

std::array<double, 16> byColumns(const PlainMatrix& m) {
    std::array<double, 16> out = {};
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 4; ++c) out[4 * c + r] = m.rows[r][c];
    }
    return out;
}

std::array<double, 16> byRows(const PlainMatrix& m) {
    std::array<double, 16> out = {};
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 4; ++c) out[4 * r + c] = m.rows[r][c];
    }
    return out;
}

double largestDifference(const std::array<double, 16>& a, const std::array<double, 16>& b) {
    double out = 0.0;
    for (std::size_t i = 0; i < 16; ++i) out = std::max(out, std::abs(a[i] - b[i]));
    return out;
}

TEST(Matrix4, HasTheValuesOfThePlainMatrixInBothOrders) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const Trs trs = randomTrs(random);
        const PlainMatrix plain = plainTransform(trs);
        EXPECT_LT(largestDifference(toColumnMajor(toAffine(trs)), byColumns(plain)), 1e-14);
        EXPECT_LT(largestDifference(toRowMajor(toAffine(trs)), byRows(plain)), 1e-14);
    }
    // The translation is where OpenGL and glTF have it.
    const auto moved = toColumnMajor(toAffine(Trs{.translation = {7, 8, 9}}));
    EXPECT_EQ(moved[12], 7.0);
    EXPECT_EQ(moved[13], 8.0);
    EXPECT_EQ(moved[14], 9.0);
    EXPECT_EQ(moved[15], 1.0);
}

TEST(Matrix4, GivesTheTransformBack) {
    Random random(2);
    for (int i = 0; i < 200; ++i) {
        const PlainMatrix plain = plainTransform(randomTrs(random));
        for (const bool rows : {false, true}) {
            const Result<Affine> affine =
                rows ? affineFromRowMajor(byRows(plain)) : affineFromColumnMajor(byColumns(plain));
            ASSERT_TRUE(affine);
            const Result<Trs> trs = trsFromAffine(*affine);
            ASSERT_TRUE(trs);
            EXPECT_LT(plainDifference(plainTransform(*trs), plain), 1e-13);
        }
        const PlainMatrix rigid =
            plainTranslation(random.direction()) * plainRotation(random.rotation());
        const Result<Affine> affine = affineFromRowMajor(byRows(rigid));
        ASSERT_TRUE(affine);
        const Result<Rigid> found = rigidFromAffine(*affine);
        ASSERT_TRUE(found);
        const Trs same{.translation = found->translation, .rotation = found->rotation};
        EXPECT_LT(plainDifference(plainTransform(same), rigid), 1e-13);
    }
}

TEST(Matrix4, OfFloatsIsTakenAsFarAsFloatsGo) {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const PlainMatrix plain = plainTransform(randomTrs(random));
        std::array<double, 16> rounded = byColumns(plain);
        for (double& x : rounded) x = static_cast<double>(static_cast<float>(x));
        const Result<Affine> affine = affineFromColumnMajor(rounded);
        ASSERT_TRUE(affine);
        const Result<Trs> trs = trsFromAffine(*affine);
        ASSERT_TRUE(trs);
        EXPECT_LT(plainDifference(plainTransform(*trs), plain), 1e-5);
    }
}

TEST(Matrix4, TakesScalesOfZero) {
    const Trs flat{.scale = {2, 0, 3}, .rotation = quatFromAxisAngle(Vec3{0, 0, 1}, 0.3)};
    const Result<Trs> found = trsFromAffine(toAffine(flat));
    ASSERT_TRUE(found);
    EXPECT_LT(plainDifference(plainTransform(*found), plainTransform(flat)), 1e-14);
}

TEST(Matrix4, RefusesWhatIsNoTransform) {
    const auto whatOf = [](const auto& result) {
        return result ? std::string() : result.error().what;
    };
    const auto adviceOf = [](const auto& result) {
        return result ? std::string() : result.error().advice;
    };
    const PlainMatrix moved = plainTranslation({1, 2, 3});
    EXPECT_EQ(whatOf(affineFromColumnMajor(byRows(moved))),
              "the last row of the matrix is not 0 0 0 1");
    EXPECT_EQ(adviceOf(affineFromColumnMajor(byRows(moved))),
              "its values are stored by rows: see affineFromRowMajor");
    EXPECT_EQ(adviceOf(affineFromRowMajor(byColumns(moved))),
              "its values are stored by columns: see affineFromColumnMajor");
    PlainMatrix projection;
    projection.rows[3] = {0, 0, -1, 0};
    EXPECT_EQ(adviceOf(affineFromRowMajor(byRows(projection))),
              "only affine matrices are transforms");
    PlainMatrix infinite;
    infinite.rows[1][1] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(whatOf(affineFromRowMajor(byRows(infinite))), "a value of the matrix is not finite");

    Affine sheared;
    sheared.columns[1][0] = 1e-3;
    EXPECT_EQ(whatOf(trsFromAffine(sheared)), "the matrix shears: its axes are not perpendicular");
    EXPECT_TRUE(trsFromAffine(sheared, 1e-2));
    EXPECT_EQ(whatOf(trsFromAffine(toAffine(Trs{.scale = {1, -1, 1}}))),
              "the matrix mirrors: its axes are left-handed");
    EXPECT_EQ(whatOf(rigidFromAffine(toAffine(Trs{.scale = {1, 1, 1.1}}))), "the matrix scales");
}

}  // namespace
}  // namespace ulna::test
