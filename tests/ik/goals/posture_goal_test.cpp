// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/posture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/jacobian_checker.h"
#include "support/skeletons.h"
namespace ulna {
namespace {

using namespace ik::detail;
using test::everyKind;

struct Posture {
    DofVector off;
    DofVector gradient;
};

Posture postureOf(const Skeleton& s, const DofVector& dofs, const DofVector& rest) {
    Posture out{DofVector(s.dofCount()), DofVector(s.dofCount())};
    for (const JointId j : s.joints()) {
        const std::size_t first = s.firstDof(j);
        evaluatePosture(s, j, dofs.data() + first, preparePosture(s, j, rest.data() + first),
                        out.off.data() + first, out.gradient.data() + first);
    }
    return out;
}

double costOf(const Skeleton& s, const DofVector& dofs, const DofVector& rest) {
    double cost = 0.0;
    for (const double x : postureOf(s, dofs, rest).off) cost += 0.5 * x * x;
    return cost;
}

TEST(PostureGoal, IsMetByTheRestPoseItself) {
    const Skeleton s = everyKind();
    Random random(12);
    const DofVector rest = test::randomDofs(s, random, 1.0);
    const Posture posture = postureOf(s, rest, rest);
    for (const double x : posture.off) EXPECT_NEAR(x, 0.0, 1e-15);
    for (const double x : posture.gradient) EXPECT_NEAR(x, 0.0, 1e-15);
}

TEST(PostureGoal, CountsNumbersByTheirDifferenceAndBallsByTheRotationBetween) {
    const Skeleton s = everyKind();
    Random random(13);
    for (int i = 0; i < 50; ++i) {
        const DofVector dofs = test::randomDofs(s, random, 2.0);
        const DofVector rest = test::randomDofs(s, random, 2.0);
        const Posture posture = postureOf(s, dofs, rest);
        const Pose now = computePose(s, dofs);
        const Pose then = computePose(s, rest);
        for (const JointId id : s.joints()) {
            const std::size_t first = s.firstDof(id);
            const JointKind kind = s.kind(id);
            std::size_t plain = s.dofCount(id);
            if (kind == JointKind::Ball || kind == JointKind::Free) {
                plain -= 3;
                const double* v = posture.off.data() + first + plain;
                EXPECT_NEAR(length(Vec3{v[0], v[1], v[2]}),
                            angleBetween(now[id].rotation, then[id].rotation), 1e-12)
                    << s.name(id);
            }
            for (std::size_t d = first; d < first + plain; ++d)
                EXPECT_EQ(posture.off[d], dofs[d] - rest[d]) << s.dofName(d);
        }
    }
}

TEST(PostureGoal, ABallIsAsFarFromRestInWhicheverNumbersItIsWritten) {
    JointDef euler = test::joint("euler", "", JointKind::Ball, {});
    JointDef vector = test::joint("vector", "", JointKind::Ball, {});
    vector.coordinates = BallCoordinates::RotationVector;
    const Skeleton s = test::build({euler, vector});
    Random random(14);
    Pose pose = restPose(s);
    pose.parent_from_joint[0].rotation = pose.parent_from_joint[1].rotation = random.rotation();
    const DofVector dofs = computeDofs(s, pose).dofs;
    const Posture posture = postureOf(s, dofs, DofVector(6, 0.0));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(posture.off[k], posture.off[k + 3], 1e-14);
}

TEST(PostureGoal, GradientIsThatOfHalfTheSquaredLength) {
    const Skeleton s = everyKind();
    Random random(15);
    for (int i = 0; i < 30; ++i) {
        // Near enough that no ball is by half a turn off, where its logarithm jumps.
        const DofVector rest = test::randomDofs(s, random, 0.6);
        const DofVector dofs = test::randomDofs(s, random, 0.6);
        const Posture posture = postureOf(s, dofs, rest);
        constexpr double kStep = 1e-5;
        for (std::size_t d = 0; d < s.dofCount(); ++d) {
            DofVector up = dofs, down = dofs;
            up[d] += kStep;
            down[d] -= kStep;
            EXPECT_NEAR(posture.gradient[d],
                        (costOf(s, up, rest) - costOf(s, down, rest)) / (2.0 * kStep), 1e-7)
                << s.dofName(d);
        }
    }
}

TEST(PostureGoal, HalfATurnAndGimbalLockAreFinite) {
    const Skeleton s = everyKind();
    for (const double angle : {kPi, kPi / 2, -kPi / 2}) {
        const Posture posture =
            postureOf(s, DofVector(s.dofCount(), angle), DofVector(s.dofCount(), 0.0));
        for (const double x : posture.off) EXPECT_TRUE(std::isfinite(x));
        for (const double x : posture.gradient) EXPECT_TRUE(std::isfinite(x));
    }
}

TEST(PostureGoal, InThePlaneAnglesAreNumbers) {
    const Skeleton s =
        test::build({test::joint("root", "", JointKind::Free, {})}, {.planar = true});
    const Posture posture = postureOf(s, {1.0, 2.0, 3.0}, {0.5, 0.0, -4.0});
    EXPECT_EQ(posture.off, (DofVector{0.5, 2.0, 7.0}));
    EXPECT_EQ(posture.gradient, posture.off);
}

}  // namespace
}  // namespace ulna
