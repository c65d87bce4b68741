// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/state.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::build;
using test::everyKind;
using test::joint;
using test::randomDofs;

TEST(State, ZeroNumbersAreTheRestPose) {
    const Skeleton s = everyKind();
    const Pose pose = computePose(s, DofVector(s.dofCount(), 0.0));
    for (std::size_t i = 0; i < s.jointCount(); ++i) {
        EXPECT_LT(angleBetween(pose.parent_from_joint[i].rotation, s.rest(jointId(i)).rotation),
                  1e-15);
        EXPECT_EQ(pose.parent_from_joint[i].translation, s.rest(jointId(i)).translation);
    }
}

TEST(State, NumbersGoToAPoseAndBackWithinSeveralTurns) {
    const Skeleton s = everyKind();
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const DofVector dofs = randomDofs(s, random, 9.0);
        DofVector near = dofs;
        for (double& value : near) value += random.between(-0.01, 0.01);
        const DofFit fit = computeDofs(s, computePose(s, dofs), near);
        EXPECT_LT(fit.rotation_residual, 1e-13);
        EXPECT_LT(fit.translation_residual, 1e-13);
        EXPECT_EQ(fit.scale_residual, 0.0);
        for (std::size_t d = 0; d < dofs.size(); ++d) {
            // Near gimbal lock the Euler triple may differ while the pose does not.
            EXPECT_NEAR(fit.dofs[d], dofs[d], 0.1) << s.dofName(d);
        }
    }
}

TEST(State, APoseAHingeCannotReachGivesTheNearestAngleAndTheRest) {
    const Skeleton s = build({joint("knee", "", JointKind::Hinge, {})});
    Pose pose = restPose(s);
    pose.parent_from_joint[0].rotation =
        quatFromAxisAngle(Vec3{1, 0, 0}, 0.8) * quatFromAxisAngle(Vec3{0, 1, 0}, 0.3);
    pose.parent_from_joint[0].translation = {0, 0.25, 0};
    pose.parent_from_joint[0].scale = {1, 1, 2};
    const DofFit fit = computeDofs(s, pose);
    // Nearest by brute force.
    double best = 10.0;
    for (double a = -kPi; a < kPi; a += 1e-4) {
        best = std::min(best, angleBetween(quatFromAxisAngle(Vec3{1, 0, 0}, a),
                                           pose.parent_from_joint[0].rotation));
    }
    EXPECT_NEAR(fit.rotation_residual, best, 1e-7);
    EXPECT_EQ(fit.rotation_joint, jointId(0));
    EXPECT_EQ(fit.translation_residual, 0.25);
    EXPECT_EQ(fit.scale_residual, 1.0);
}

TEST(State, APoseAUniversalCannotReachGivesTheNearestPairOfAngles) {
    Random random(4);
    for (int i = 0; i < 20; ++i) {
        JointDef def = joint("u", "", JointKind::Universal, {});
        def.axes = {random.direction(), random.direction()};
        const Skeleton s = build({def});
        Pose pose = restPose(s);
        pose.parent_from_joint[0].rotation = random.rotation();
        const DofFit fit = computeDofs(s, pose);
        double best = 10.0;
        for (double a = -kPi; a < kPi; a += 0.03) {
            for (double b = -kPi; b < kPi; b += 0.03) {
                const double dofs[2] = {a, b};
                best =
                    std::min(best, angleBetween(computePose(s, dofs).parent_from_joint[0].rotation,
                                                pose.parent_from_joint[0].rotation));
            }
        }
        EXPECT_LE(fit.rotation_residual, best + 1e-9);
        EXPECT_NEAR(fit.rotation_residual, best, 0.05);
    }
}

TEST(State, ApplyingNumbersKeepsTheStretchOfJointsThatDoNotSlide) {
    const Skeleton s = everyKind();
    Random random(5);
    Pose pose = restPose(s);
    for (Trs& t : pose.parent_from_joint) {
        t.translation = random.direction();
        t.scale = {2, 2, 2};
    }
    const Pose stretched = pose;
    applyDofs(s, randomDofs(s, random, 1.0), pose);
    EXPECT_EQ(pose[s.find("hinge")].translation, stretched[s.find("hinge")].translation);
    EXPECT_EQ(pose[s.find("hinge")].scale, (Vec3{2, 2, 2}));
    EXPECT_NE(pose[s.find("slider")].translation, stretched[s.find("slider")].translation);
}

TEST(Limits, ClampingMovesOnlyWhatIsOutsideAndHoldsExactly) {
    JointDef knee = joint("knee", "", JointKind::Hinge, {});
    knee.limits[0] = {0.0, 2.5};
    JointDef ball = joint("ball", "knee", JointKind::Ball, {});
    ball.limits = {DofLimit{-0.5, 0.5}, DofLimit{-0.1, 0.1}, DofLimit{}};
    const Skeleton s = build({knee, ball});
    DofVector dofs = {-0.3, 0.2, 0.4, 99.0};
    EXPECT_NEAR(limitExcess(s, dofs), 0.3, 1e-15);
    EXPECT_EQ(clampToLimits(s, dofs), (std::vector<JointId>{s.find("knee"), s.find("ball")}));
    EXPECT_EQ(dofs, (DofVector{0.0, 0.2, 0.1, 99.0}));
    EXPECT_EQ(limitExcess(s, dofs), 0.0);
    EXPECT_TRUE(clampToLimits(s, dofs).empty());
}

TEST(Limits, ConesClampTwistAndSwingAndKeepWhatIsInside) {
    Random random(6);
    for (const auto coordinates : {BallCoordinates::Euler, BallCoordinates::RotationVector}) {
        JointDef ball = joint("ball", "", JointKind::Ball, {});
        ball.coordinates = coordinates;
        ball.cone = ConeLimit{{0, 1, 0}, 0.7, -0.4, 0.9};
        const Skeleton s = build({ball});
        for (int i = 0; i < 2000; ++i) {
            DofVector dofs = randomDofs(s, random, 2.0);
            const Quat before = computePose(s, dofs).parent_from_joint[0].rotation;
            const SwingTwist was = splitSwingTwist(before, {0, 1, 0});
            const bool inside = rotationAngle(was.swing) <= 0.7 && was.twist_angle >= -0.4 &&
                                was.twist_angle <= 0.9;
            const DofVector given = dofs;
            clampToLimits(s, dofs);
            EXPECT_LT(limitExcess(s, dofs), 1e-12);
            if (inside) {
                EXPECT_EQ(dofs, given);
            } else {
                const SwingTwist now =
                    splitSwingTwist(computePose(s, dofs).parent_from_joint[0].rotation, {0, 1, 0});
                // The nearer end, going round the circle.
                double expected = was.twist_angle;
                if (expected < -0.4 || expected > 0.9) {
                    const double to_low = std::abs(wrapAngle(expected + 0.4));
                    expected = to_low < std::abs(wrapAngle(expected - 0.9)) ? -0.4 : 0.9;
                }
                EXPECT_NEAR(now.twist_angle, expected, 1e-12);
                EXPECT_NEAR(rotationAngle(now.swing), std::min(0.7, rotationAngle(was.swing)),
                            1e-12);
            }
        }
    }
}

TEST(Limits, ATwistBeyondHalfATurnGoesToTheNearerEndOfItsRange) {
    JointDef ball = joint("ball", "", JointKind::Ball, {});
    ball.coordinates = BallCoordinates::RotationVector;
    ball.cone = ConeLimit{{0, 1, 0}, kPi, -kPi, radians(-170)};
    const Skeleton s = build({ball});
    DofVector dofs = {0, radians(179), 0};
    clampToLimits(s, dofs);
    EXPECT_NEAR(std::abs(wrapAngle(dofs[1])), kPi, 1e-12);  // one degree on, not eleven back
}

TEST(Limits, ClampingTwiceChangesNothingTheSecondTime) {
    JointDef ball = joint("ball", "", JointKind::Ball, {});
    ball.cone = ConeLimit{{0, 1, 0}, 0.7, -0.4, 0.9};
    const Skeleton s = build({ball});
    Random random(8);
    for (int i = 0; i < 2000; ++i) {
        DofVector dofs = randomDofs(s, random, 3.0);
        clampToLimits(s, dofs);
        EXPECT_TRUE(clampToLimits(s, dofs).empty());
    }
}

}  // namespace
}  // namespace ulna
