// SPDX-License-Identifier: Apache-2.0
#include "ulna/fit/detail/robust.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/fit.h"

namespace ulna::fit::detail {
namespace {

// The losses as fit/fitter.h says them.
double lossOf(FitLoss loss, double r, double scale) {
    if (loss == FitLoss::Huber) return r < scale ? r * r : scale * (2.0 * r - scale);
    return r * r / (1.0 + r * r / (scale * scale));
}

// The factors of distances, each of a vertex of this mass.
std::vector<double> factorsOf(FitLoss loss, double scale, bool planar, double mass,
                              const std::vector<double>& distances) {
    RobustMasses robust;
    robust.setUp(loss, scale, planar, 1e-12);
    const std::vector<double> base(distances.size(), mass);
    std::vector<double> out(distances.size());
    EXPECT_EQ(robust.weigh(base, distances, out), 1.0);
    for (double& x : out) x /= mass;
    return out;
}

TEST(RobustMasses, AreTheSlopesOfTheLossesByThoseOfSquares) {
    std::vector<double> distances;
    for (int i = 1; i <= 40; ++i) distances.push_back(0.0503 * i);
    for (const FitLoss loss : {FitLoss::Huber, FitLoss::GemanMcClure}) {
        for (const double scale : {0.3, 1.0}) {
            const std::vector<double> found = factorsOf(loss, scale, false, 2.5, distances);
            for (std::size_t i = 0; i < distances.size(); ++i) {
                const double r = distances[i], h = 1e-6;
                const double slope =
                    (lossOf(loss, r + h, scale) - lossOf(loss, r - h, scale)) / (2.0 * h);
                EXPECT_NEAR(found[i], slope / (2.0 * r), 1e-8) << fitLossName(loss) << " " << r;
            }
        }
    }
}

TEST(RobustMasses, FindTheScaleOfNormalNoise) {
    for (const bool planar : {false, true}) {
        Random random(1);
        const double sigma = 0.2;
        std::vector<double> distances;
        for (int i = 0; i < 100000; ++i) {
            double sum = 0.0;
            for (int k = 0; k < (planar ? 2 : 3); ++k) {
                const double x = sigma * test::normal(random);
                sum += x * x;
            }
            distances.push_back(std::sqrt(sum));
        }
        distances.push_back(50.0);  // one that is surely beyond the scale tells what it is
        const double huber = factorsOf(FitLoss::Huber, 0.0, planar, 1.0, distances).back() * 50.0;
        EXPECT_NEAR(huber, 1.345 * sigma, 0.01 * sigma);
        const double factor = factorsOf(FitLoss::GemanMcClure, 0.0, planar, 1.0, distances).back();
        EXPECT_NEAR(50.0 / std::sqrt(1.0 / std::sqrt(factor) - 1.0), 3.0 * sigma, 0.02 * sigma);
    }
}

TEST(RobustMasses, OfVerticesThatDoNotCountAreNothingAndSayNothingOfTheScale) {
    RobustMasses robust;
    robust.setUp(FitLoss::Huber, 0.0, false, 1e-12);
    const std::vector<double> base = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0};
    const std::vector<double> near = {0.1, 0.2, 9.0, 99.0, 99.0, 99.0, 99.0};
    std::vector<double> with(base.size()), without(3);
    static_cast<void>(robust.weigh(base, near, with));
    robust.restart();
    static_cast<void>(robust.weigh(std::span(base).first(3), std::span(near).first(3), without));
    for (std::size_t i = 0; i < base.size(); ++i) EXPECT_EQ(with[i], i < 3 ? without[i] : 0.0);
}

TEST(RobustMasses, ExamineDistancesAsTheLossWeighsThem) {
    // Distances of an odd number of vertices that count, and one that does not.
    const std::vector<double> base = {1.0, 2.0, 1.0, 1.0, 1.0, 0.0};
    const std::vector<double> distances = {0.5, 1.0, 2.0, 2.5, 10.0, 1e6};
    for (const FitLoss loss : {FitLoss::Huber, FitLoss::GemanMcClure}) {
        RobustMasses robust;
        robust.setUp(loss, 1.0, false, 1e-12);
        const RobustFit found = robust.examine(base, distances);
        std::vector<double> weighed(base.size());
        static_cast<void>(robust.weigh(base, distances, weighed));
        double squares = 0.0, mass = 0.0;
        for (std::size_t i = 0; i < base.size(); ++i) {
            squares += weighed[i] * distances[i] * distances[i];
            mass += weighed[i];
        }
        EXPECT_EQ(found.scale, 1.0);
        EXPECT_EQ(found.median, 2.0);
        EXPECT_NEAR(found.weighted_rms, std::sqrt(squares / mass), 1e-12);
        EXPECT_EQ(found.counted, 5U);
        EXPECT_EQ(found.inliers, loss == FitLoss::Huber ? 3U : 2U);  // up to 2.23 and 1
    }
}

TEST(RobustMasses, OfNoVerticesHaveNothingToExamine) {
    RobustMasses robust;
    robust.setUp(FitLoss::Huber, 0.0, false, 1e-12);
    const RobustFit found = robust.examine(std::vector{0.0}, std::vector{3.0});
    EXPECT_EQ(found.counted, 0U);
    EXPECT_EQ(found.inliers, 0U);
    EXPECT_EQ(found.median, 0.0);
    EXPECT_EQ(found.weighted_rms, 0.0);
}

TEST(RobustMasses, SayHowMuchTheyChanged) {
    RobustMasses robust;
    robust.setUp(FitLoss::Huber, 1.0, false, 1e-12);
    const std::vector<double> base(3, 4.0);
    std::vector<double> out(3);
    EXPECT_EQ(robust.weigh(base, std::vector{0.5, 2.0, 4.0}, out), 1.0);
    EXPECT_NEAR(robust.weigh(base, std::vector{0.5, 2.0, 5.0}, out), 0.05, 1e-15);
    EXPECT_EQ(robust.weigh(base, std::vector{0.5, 2.0, 5.0}, out), 0.0);
    robust.restart();
    EXPECT_EQ(robust.weigh(base, std::vector{0.5, 2.0, 5.0}, out), 1.0);
}

}  // namespace
}  // namespace ulna::fit::detail
