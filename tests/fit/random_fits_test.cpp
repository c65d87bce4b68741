// SPDX-License-Identifier: Apache-2.0

// Random problems of support/random_fits.h that have been answered wrongly, by cause. Thousands
// more are in tests/stress.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/fit.h"
#include "support/random_fits.h"
#include "support/skeleton_fits.h"

namespace ulna {
namespace {

using test::largestMotion;
using test::plainSkin;
using test::RandomFit;
using test::randomFit;

struct Fitted {
    RandomFit problem;
    FitReport report = {};
    Pose pose = {};
    double size = 0.0;
    double moved = 0.0;  // when it is fitted again
};

Fitted fitted(std::uint64_t seed) {
    Fitted out{.problem = randomFit(seed)};
    const RandomFit& p = out.problem;
    SkeletonFitOptions options = p.options;
    options.record_history = true;
    SkeletonFitter fitter = test::makeSkeletonFitter(p.rig, p.mesh, options);
    out.pose = p.start;
    out.report = fitter.fit({.positions = p.targets}, FitStart::Cold, out.pose);
    out.size = fitter.size();
    Pose again = out.pose;
    fitter.fit({.positions = p.targets}, FitStart::Warm, again);
    out.moved = largestMotion(p.rig, out.pose, again, out.size);
    return out;
}

TEST(RandomFits, FindExactShapesOfSlidingJointsFromAColdStart) {
    for (const std::uint64_t seed : {140U, 964U, 2663U, 4128U, 5691U, 6499U, 7938U, 9444U}) {
        const Fitted f = fitted(seed);
        ASSERT_TRUE(f.problem.exact);
        EXPECT_EQ(f.report.status, FitStatus::Converged) << seed;
        const std::vector<Vec3> skin = plainSkin(f.problem.rig, f.problem.mesh, f.pose);
        EXPECT_LT(test::rmsBetween(skin, f.problem.targets) / f.size, 1e-9) << seed;
    }
}

// A step whose coordinates stop at limits may go uphill.
TEST(RandomFits, NeverRaiseTheErrorOfTheirVertices) {
    for (const std::uint64_t seed : {400U, 2513U, 4071U, 8077U, 8428U}) {
        const Fitted f = fitted(seed);
        for (std::size_t i = 1; i < f.report.history.size(); ++i) {
            EXPECT_LE(f.report.history[i].rms, f.report.history[i - 1].rms + 1e-12)
                << seed << ", iteration " << i;
        }
        EXPECT_LT(f.report.gradient, 1e-9) << seed;
    }
}

// Cones whose twist is at its limit: near the axis, and near half a revolution of the swing.
TEST(RandomFits, ConvergeWhereAConeHoldsTheTwist) {
    for (const std::uint64_t seed : {66U, 636U, 1089U, 3483U, 5093U, 7696U, 8249U}) {
        const Fitted f = fitted(seed);
        EXPECT_EQ(f.report.status, FitStatus::Converged) << seed;
        EXPECT_LT(f.report.gradient, 1e-9) << seed;
        EXPECT_LT(f.moved, 1e-6) << seed;
    }
}

TEST(RandomFits, ConvergeInNarrowValleys) {
    for (const std::uint64_t seed : {170U, 2662U, 3555U}) {
        const Fitted f = fitted(seed);
        EXPECT_EQ(f.report.status, FitStatus::Converged) << seed;
        EXPECT_LT(f.report.iterations, 50) << seed;
        EXPECT_LT(f.moved, 1e-6) << seed;
    }
}

TEST(RandomFits, StayInTheCoordinatesThatANewFitBeginsWith) {
    for (const std::uint64_t seed : {646U, 776U, 2406U, 3921U, 6886U, 7027U})
        EXPECT_LT(fitted(seed).moved, 1e-6) << seed;
}

// The middle angle is at a limit where the outer axes coincide.
TEST(RandomFits, LeaveGimbalLockWhereTheShapeAsksForIt) {
    for (const std::uint64_t seed : {816U, 2619U, 6822U, 88743U, 89347U, 102703U}) {
        const Fitted f = fitted(seed);
        EXPECT_EQ(f.report.rank, f.report.freedoms) << seed;
        EXPECT_LT(f.moved, 1e-6) << seed;
    }
}

// The gradient at a limit changes its sign in the last iteration.
TEST(RandomFits, GoOnWhileACoordinateAsksToLeaveItsLimit) {
    const Fitted f = fitted(75759);
    EXPECT_LT(f.report.gradient, 1e-10);
    EXPECT_LT(f.moved, 1e-6);
}

}  // namespace
}  // namespace ulna
