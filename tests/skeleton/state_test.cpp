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
    for (const JointId j : s.joints()) {
        EXPECT_LT(angleBetween(pose.parent_from_joint[index(j)].rotation, s.rest(j).rotation),
                  1e-15);
        EXPECT_EQ(pose.parent_from_joint[index(j)].translation, s.rest(j).translation);
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

TEST(AllowedRotation, KeepsToTheBitWhatABallCanHoldAndToRoundingWhatOthersCan) {
    const Skeleton s = everyKind();
    Random random(9);
    for (int i = 0; i < 100; ++i) {
        const Pose pose = computePose(s, randomDofs(s, random, 3.0));
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            const Quat given = pose.parent_from_joint[j].rotation;
            const Quat allowed = allowedRotation(s, jointId(j), given);
            const JointKind kind = s.kind(jointId(j));
            if (kind == JointKind::Ball || kind == JointKind::Free) {
                EXPECT_EQ(allowed, given);
            } else {
                EXPECT_LT(angleBetween(allowed, given), 1e-14) << s.name(jointId(j));
            }
        }
    }
}

TEST(AllowedRotation, IsWhatClampingTheNearestNumbersGives) {
    JointDef hinge = joint("hinge", "", JointKind::Hinge, {});
    hinge.rest.rotation = Random(1).rotation();
    hinge.limits[0] = {-0.2, 2.5};
    JointDef universal = joint("universal", "", JointKind::Universal, {});
    universal.limits = {DofLimit{-0.5, 0.5}, DofLimit{0.0, 1.0}};
    JointDef cone = joint("cone", "", JointKind::Ball, {});
    cone.cone = ConeLimit{{0, 1, 0}, 0.7, -0.4, 0.9};
    JointDef vector = joint("vector", "", JointKind::Ball, {});
    vector.coordinates = BallCoordinates::RotationVector;
    vector.limits = {DofLimit{-0.5, 0.5}, DofLimit{-0.1, 0.1}, DofLimit{}};
    const Skeleton s = build({hinge, universal, cone, vector});
    Random random(10);
    for (int i = 0; i < 500; ++i) {
        Pose pose = restPose(s);
        for (Trs& t : pose.parent_from_joint) t.rotation = random.rotation();
        DofVector dofs = computeDofs(s, pose).dofs;
        // Angles are only known up to whole turns: the one nearest to the middle of its limits.
        dofs[0] = unwrapAngle(dofs[0], 1.15);
        dofs[2] = unwrapAngle(dofs[2], 0.5);
        clampToLimits(s, dofs);
        const Pose clamped = computePose(s, dofs);
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            const Quat allowed = allowedRotation(s, jointId(j), pose.parent_from_joint[j].rotation);
            EXPECT_LT(angleBetween(allowed, clamped.parent_from_joint[j].rotation), 1e-7)
                << s.name(jointId(j)) << ", sample " << i;
        }
    }
}

TEST(AllowedRotation, FindsTheEulerTripleThatIsInsideTheLimits) {
    JointDef ball = joint("ball", "", JointKind::Ball, {});
    // Around the branch that Euler angles of a rotation are not usually given in.
    ball.limits = {DofLimit{2.0, 4.0}, DofLimit{2.0, 3.0}, DofLimit{-4.5, -2.0}};
    for (const EulerOrder order : kAllEulerOrders) {
        ball.order = order;
        const Skeleton s = build({ball});
        Random random(11);
        for (int i = 0; i < 100; ++i) {
            const DofVector inside = {random.between(2.0, 4.0), random.between(2.0, 3.0),
                                      random.between(-4.5, -2.0)};
            const Quat given = computePose(s, inside).parent_from_joint[0].rotation;
            EXPECT_EQ(allowedRotation(s, jointId(0), given), given) << eulerOrderName(order);
        }
    }
}

}  // namespace
}  // namespace ulna
