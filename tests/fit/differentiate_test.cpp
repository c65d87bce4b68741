// SPDX-License-Identifier: Apache-2.0
#include "ulna/fit/differentiate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/fit.h"
#include "support/skeleton_fits.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

using namespace test;

Pose fitted(const Skeleton& skeleton, const Mesh& mesh, const std::vector<Vec3>& shape, Pose start,
            const SkeletonFitOptions& options, std::span<const double> mask = {}) {
    SkeletonFitter fitter = makeSkeletonFitter(skeleton, mesh, options);
    const FitReport& report = fitter.fit({.positions = shape, .mask = mask}, FitStart::Warm, start);
    EXPECT_EQ(report.status, FitStatus::Converged);
    return start;
}

// Rotation vectors and translations between two poses, six values per joint.
std::vector<double> between(const Pose& from, const Pose& to) {
    std::vector<double> out;
    for (std::size_t j = 0; j < from.parent_from_joint.size(); ++j) {
        const Trs &a = from.parent_from_joint[j], &b = to.parent_from_joint[j];
        const Vec3 turn = quatLog(b.rotation * conjugate(a.rotation));
        const Vec3 slide = b.translation - a.translation;
        out.insert(out.end(), {turn.x, turn.y, turn.z, slide.x, slide.y, slide.z});
    }
    return out;
}

void expectFollows(const Skeleton& skeleton, const Mesh& mesh, std::vector<Vec3> shape,
                   const Pose& start, const SkeletonFitOptions& options, Random& random,
                   std::span<const double> mask = {}) {
    const Pose answer = fitted(skeleton, mesh, shape, start, options, mask);
    const Result<FitDerivatives> at =
        differentiateFit(skeleton, mesh, {.positions = shape, .mask = mask}, answer, options);
    ASSERT_TRUE(at);
    constexpr double kStep = 1e-4;
    for (int i = 0; i < 6; ++i) {
        const std::size_t v = random.below(shape.size());
        const std::size_t k = random.below(3);
        const double was = shape[v][k];
        shape[v][k] = was + kStep;
        const Pose up = fitted(skeleton, mesh, shape, answer, options, mask);
        shape[v][k] = was - kStep;
        const Pose down = fitted(skeleton, mesh, shape, answer, options, mask);
        shape[v][k] = was;
        const std::vector<double> moved = between(down, up);
        for (std::size_t r = 0; r < moved.size(); ++r)
            // Relative where the derivative is large: so is what the difference cuts off.
            EXPECT_NEAR(at->by_target[r * 3 * shape.size() + 3 * v + k], moved[r] / (2.0 * kStep),
                        4e-5 * std::max(1.0, std::abs(moved[r] / kStep)))
                << "row " << r << ", vertex " << v << ", component " << k;
    }
}

TEST(DifferentiateFit, IsTheDifferenceOfFits) {
    Random random(1);
    const Skeleton arm = limitedArm();
    const Mesh mesh = meshAround(arm, 60, random);
    for (int i = 0; i < 6; ++i) {
        SCOPED_TRACE(i);
        DofVector dofs = clampedDofs(arm, random);
        // An exact shape at a limit has one derivative on either side: stay inside.
        for (std::size_t d = 0; d < dofs.size() && i % 2 == 0; ++d) {
            const DofLimit& limit = arm.dofLimits()[d];
            const double middle = limit.bounded() ? 0.5 * (limit.min + limit.max) : 0.0;
            dofs[d] = middle + 0.5 * (dofs[d] - middle);
        }
        const Pose pose = computePose(arm, dofs);
        const std::vector<Vec3> exact = skinOf(arm, mesh, pose);
        const std::vector<Vec3> shape = i % 2 == 0 ? exact : withNoise(exact, 0.02, random);
        expectFollows(arm, mesh, shape, pose, {.tolerance = 1e-12}, random);
    }
}

TEST(DifferentiateFit, MassesMasksAndLocksCount) {
    Random random(2);
    const Skeleton arm = limitedArm();
    const Mesh mesh = meshAround(arm, 60, random);
    SkeletonFitOptions options{.tolerance = 1e-12, .move_roots = false, .locked = {jointId(1)}};
    std::vector<double> mask;
    for (std::size_t v = 0; v < 60; ++v) {
        options.masses.push_back(random.between(0.1, 3.0));
        mask.push_back(v % 7 == 0 ? 0.0 : 1.0);
    }
    const Pose pose = computePose(arm, clampedDofs(arm, random));
    const std::vector<Vec3> shape = withNoise(skinOf(arm, mesh, pose), 0.02, random);
    expectFollows(arm, mesh, shape, pose, options, random, mask);
    const Pose answer = fitted(arm, mesh, shape, pose, options, mask);
    const FitDerivatives at =
        *differentiateFit(arm, mesh, {.positions = shape, .mask = mask}, answer, options);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(at.at(jointId(1), i, 3, 0), 0.0) << "a locked joint stays";
        EXPECT_EQ(at.at(jointId(2), i, 7, 0), 0.0) << "a vertex that is missing pulls nothing";
    }
}

TEST(DifferentiateFit, PullsGradientsBack) {
    Random random(3);
    const Skeleton arm = limitedArm();
    const Mesh mesh = meshAround(arm, 40, random);
    const Pose pose = computePose(arm, clampedDofs(arm, random));
    const std::vector<Vec3> shape = skinOf(arm, mesh, pose);
    const FitDerivatives at = *differentiateFit(arm, mesh, {.positions = shape}, pose);
    std::vector<double> gradient(6 * arm.jointCount(), 0.0);
    gradient[6 * 2 + 1] = 2.0;
    gradient[3] = -1.0;
    const std::vector<double> back = at.pullBack(gradient);
    ASSERT_EQ(back.size(), 120U);
    for (std::size_t v = 0; v < 40; ++v) {
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(back[3 * v + k],
                        2.0 * at.at(jointId(2), 1, v, k) - at.at(jointId(0), 3, v, k), 1e-12);
    }
    // A shape that is translated as a whole takes a free root along.
    double along = 0.0;
    for (std::size_t v = 0; v < 40; ++v) along += at.at(jointId(0), 3, v, 0);
    EXPECT_NEAR(along, 1.0, 1e-6);
}

TEST(DifferentiateFit, RefusesWhatHasNoDerivative) {
    Random random(4);
    const Skeleton arm = limitedArm();
    const Mesh mesh = meshAround(arm, 20, random);
    const Pose pose = restPose(arm);
    std::vector<Vec3> shape = skinOf(arm, mesh, pose);
    const auto differentiate = [&](const SkeletonFitOptions& options) {
        return differentiateFit(arm, mesh, {.positions = shape}, pose, options);
    };
    EXPECT_TRUE(differentiate({}));
    EXPECT_FALSE(differentiate({.loss = FitLoss::Huber}));
    EXPECT_FALSE(differentiate({.pinned = {jointId(1)}}));
    EXPECT_FALSE(differentiate({.smoothness = 0.1}));
    shape[3].x = NAN;
    EXPECT_EQ(differentiate({}).error().what, "the target of vertex 3 is not finite");
}

}  // namespace
}  // namespace ulna
