// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/two_bone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/arm.h"
#include "ulna/motion/units.h"

namespace ulna {
namespace {

using namespace test;

TEST(TwoBoneIkJoints, AHingeAnywhereBendsAboutItsOwnAxis) {
    Random random(19);
    for (int i = 0; i < 1000; ++i) {
        // Neither perpendicular to the bones nor in line with anything.
        std::vector<JointDef> joints = armJoints();
        joints[2].kind = JointKind::Hinge;
        joints[2].axes[0] = random.direction();
        joints[2].rest.rotation = random.rotation();
        joints[2].rest.translation = random.direction() * 0.3;
        joints[3].rest.translation = random.direction() * 0.25;
        const Skeleton arm = build(std::move(joints));
        const TwoBoneChain chain = armOf(arm);
        Pose pose = randomPose(arm, random);
        const Vec3 shoulder = place(arm, pose, chain.start);
        // What it can reach, by brute force over the hinge.
        double nearest = 10.0, farthest = 0.0;
        DofVector dofs(arm.dofCount(), 0.0);
        for (double angle = -kPi; angle < kPi; angle += 0.01) {
            dofs[arm.firstDof(chain.mid)] = angle;
            const Pose sample = computePose(arm, dofs);
            const double reach =
                distance(place(arm, sample, chain.end), place(arm, sample, chain.start));
            nearest = std::min(nearest, reach);
            farthest = std::max(farthest, reach);
        }
        const double far = random.between(0.0, 0.7);
        const TwoBoneGoal goal{.target = shoulder + random.direction() * far,
                               .pole = random.direction() * 3.0};
        const TwoBoneReport report = solveTwoBone(arm, chain, goal, pose);
        const double error = distance(place(arm, pose, chain.end), goal.target);
        EXPECT_NEAR(error, std::max({0.0, nearest - far, far - farthest}), 2e-5) << i;
        EXPECT_NEAR(report.error, error, 1e-14);
        EXPECT_EQ(report.status == IkStatus::Reached, error < 1e-9);
        EXPECT_LT(computeDofs(arm, pose).rotation_residual, 1e-14);
        if (length(bendOf(arm, chain, pose)) > 0.01) {
            EXPECT_LT(angleToPole(arm, chain, pose, *goal.pole), 1e-10);
        }
    }
}

TEST(TwoBoneIkJoints, AHingeBendsToTheSideItsLimitsAllowWhateverThePoseBefore) {
    for (const DofLimit limit : {DofLimit{0.0, 2.8}, DofLimit{-2.8, 0.0}}) {
        const Skeleton arm = makeHingedArm(limit);
        const TwoBoneChain chain = armOf(arm);
        Random random(20);
        for (int i = 0; i < 500; ++i) {
            Pose pose = randomPose(arm, random);
            const Vec3 target =
                place(arm, pose, chain.start) + random.direction() * random.between(0.15, 0.549);
            const Vec3 pole = random.direction() * 3.0;
            EXPECT_EQ(solveTwoBone(arm, chain, {.target = target, .pole = pole}, pose).status,
                      IkStatus::Reached);
            EXPECT_LT(distance(place(arm, pose, chain.end), target), 1e-14);
            EXPECT_LT(angleToPole(arm, chain, pose, pole), 1e-10);
            EXPECT_LT(limitExcess(arm, computeDofs(arm, pose).dofs), 1e-11);
        }
    }
}

TEST(TwoBoneIkJoints, AHingeStopsAtItsLimitsAndTheHandAtTheNearestPoint) {
    const Skeleton arm = makeHingedArm({0.4, 2.0});
    const TwoBoneChain chain = armOf(arm);
    const auto reachAt = [](double angle) {
        return std::sqrt(kUpper * kUpper + kLower * kLower +
                         2.0 * kUpper * kLower * std::cos(angle));
    };
    Random random(21);
    for (int i = 0; i < 500; ++i) {
        Pose pose = randomPose(arm, random);
        const double far = random.between(0.0, 0.7);
        const TwoBoneGoal goal{.target = place(arm, pose, chain.start) + random.direction() * far,
                               .pole = random.direction()};
        const TwoBoneReport report = solveTwoBone(arm, chain, goal, pose);
        const double expected = std::max({0.0, far - reachAt(0.4), reachAt(2.0) - far});
        EXPECT_NEAR(distance(place(arm, pose, chain.end), goal.target), expected, 1e-13);
        EXPECT_NEAR(report.error, expected, 1e-13);
        EXPECT_LT(limitExcess(arm, computeDofs(arm, pose).dofs), 1e-11);
    }
}

TEST(TwoBoneIkJoints, LimitsWholeTurnsAwayAreTheSameLimits) {
    const Skeleton near = makeHingedArm({0.4, 2.0});
    const Skeleton far = makeHingedArm({0.4 - 2.0 * kTwoPi, 2.0 - 2.0 * kTwoPi});
    const TwoBoneChain chain = armOf(near);
    Random random(22);
    for (int i = 0; i < 200; ++i) {
        Pose a = randomPose(near, random);
        Pose b = a;
        const TwoBoneGoal goal{.target = place(near, a, chain.start) +
                                         random.direction() * random.between(0.0, 0.7)};
        (void)solveTwoBone(near, chain, goal, a);
        (void)solveTwoBone(far, chain, goal, b);
        EXPECT_LT(change(chain, a, b), 1e-7);
    }
}

TEST(TwoBoneIkJoints, AHingeWithoutLimitsStaysOnTheSideItIsOn) {
    const Skeleton arm = makeHingedArm();
    const TwoBoneChain chain = armOf(arm);
    Random random(23);
    for (int i = 0; i < 200; ++i) {
        DofVector dofs = randomDofs(arm, random, 2.0);
        double& elbow = dofs[arm.firstDof(chain.mid)];
        elbow = (i % 2 == 0 ? 1.0 : -1.0) * random.between(0.01, 3.1);
        Pose pose = computePose(arm, dofs);
        const Vec3 target =
            place(arm, pose, chain.start) + random.direction() * random.between(0.06, 0.54);
        (void)solveTwoBone(arm, chain, {.target = target, .pole = random.direction()}, pose);
        EXPECT_GT(elbow * computeDofs(arm, pose).dofs[arm.firstDof(chain.mid)], 0.0);
    }
}

// ---- joints that cannot hold what is asked

TEST(TwoBoneIkJoints, BallsAndUniversalsKeepTheirLimitsAndTheErrorSaysWhatThatCost) {
    for (int variant = 0; variant < 5; ++variant) {
        std::vector<JointDef> joints = armJoints();
        if (variant == 0) joints[1].cone = ConeLimit{{1, 0, 0}, 0.8, -0.5, 0.5};
        if (variant == 1) joints[1].limits = {DofLimit{-0.5, 0.5}, DofLimit{-1, 1}, DofLimit{0, 1}};
        if (variant == 2) joints[1].kind = JointKind::Hinge;
        if (variant == 3) joints[2].cone = ConeLimit{{1, 0, 0}, 0.8, -0.5, 0.5};
        if (variant == 4) {
            joints[2].kind = JointKind::Universal;
            joints[2].axes = {Vec3{0, 1, 0}, Vec3{0, 0, 1}};
        }
        const Skeleton arm = build(std::move(joints));
        const TwoBoneChain chain = armOf(arm);
        Random random(24);
        int reached = 0;
        for (int i = 0; i < 500; ++i) {
            DofVector dofs = randomDofs(arm, random, 1.0);
            clampToLimits(arm, dofs);
            Pose pose = computePose(arm, dofs);
            const TwoBoneGoal goal{.target = place(arm, pose, chain.start) +
                                             random.direction() * random.between(0.1, 0.54)};
            const TwoBoneReport report = solveTwoBone(arm, chain, goal, pose);
            const double error = distance(place(arm, pose, chain.end), goal.target);
            EXPECT_NEAR(report.error, error, 1e-12) << variant;
            EXPECT_EQ(report.status == IkStatus::Reached, error < 1e-9) << variant;
            reached += report.status == IkStatus::Reached ? 1 : 0;
            for (const JointId j : {chain.start, chain.mid}) {
                EXPECT_LT(angleBetween(allowedRotation(arm, j, pose[j].rotation), pose[j].rotation),
                          1e-7)
                    << variant;
            }
        }
        EXPECT_LT(reached, 500) << variant;
        if (variant != 2 && variant != 4) {
            EXPECT_GT(reached, 0) << variant;
        }
    }
}

TEST(TwoBoneIkJoints, AnElbowThatFlexesAndThenTwistsReachesExactly) {
    std::vector<JointDef> joints = armJoints();
    joints[2].kind = JointKind::Universal;
    joints[2].axes = {Vec3{0, 1, 0}, Vec3{1, 0, 0}};
    joints[2].limits = {DofLimit{0.0, 2.8}, DofLimit{-1.5, 1.5}};
    const Skeleton arm = build(std::move(joints));
    const TwoBoneChain chain = armOf(arm);
    Random random(32);
    for (int i = 0; i < 500; ++i) {
        DofVector dofs = randomDofs(arm, random, 1.5);
        const std::size_t flex = arm.firstDof(chain.mid);
        dofs[flex] = std::abs(dofs[flex]) + 0.01;
        Pose pose = computePose(arm, dofs);
        const Vec3 target =
            place(arm, pose, chain.start) + random.direction() * random.between(0.12, 0.54);
        const Vec3 pole = random.direction() * 3.0;
        EXPECT_EQ(solveTwoBone(arm, chain, {.target = target, .pole = pole}, pose).status,
                  IkStatus::Reached);
        EXPECT_LT(distance(place(arm, pose, chain.end), target), 1e-13);
        EXPECT_LT(angleToPole(arm, chain, pose, pole), 1e-11);
        EXPECT_NEAR(computeDofs(arm, pose).dofs[flex + 1], dofs[flex + 1], 1e-11);
    }
}

TEST(TwoBoneIkJoints, LockedAndFixedJointsStay) {
    for (const bool fixed : {false, true}) {
        for (const std::size_t held : {1U, 2U}) {
            std::vector<JointDef> joints = armJoints();
            if (fixed)
                joints[held].kind = JointKind::Fixed;
            else
                joints[held].locked = true;
            const Skeleton arm = build(std::move(joints));
            const TwoBoneChain chain = armOf(arm);
            const JointId still = held == 1 ? chain.start : chain.mid;
            Pose pose = restPose(arm);
            const TwoBoneGoal goal{.target = place(arm, pose, chain.start) + Vec3{0, 0.4, 0.1}};
            const TwoBoneReport report = solveTwoBone(arm, chain, goal, pose);
            EXPECT_EQ(pose[still], restPose(arm)[still]);
            EXPECT_EQ(report.status, IkStatus::OutOfReach);
            EXPECT_NEAR(report.error, distance(place(arm, pose, chain.end), goal.target), 1e-14);
        }
    }
}

// ---- other skeletons

TEST(TwoBoneIkJoints, WorksInThePlaneAndKeepsZExactlyZero) {
    const double lengths[] = {0.1, 0.2, kUpper, kLower};
    const Skeleton s = planarChain(lengths);
    const TwoBoneChain chain{s.find("J2"), s.find("J3"), s.find("Tip")};
    Random random(25);
    for (int i = 0; i < 1000; ++i) {
        DofVector dofs = randomDofs(s, random, 3.0);
        Pose pose = computePose(s, dofs);
        const double side = std::sin(dofs[3]);
        const Vec3 start = place(s, pose, chain.start);
        const double angle = random.between(-kPi, kPi);
        const double far = random.between(0.0, 0.7);
        const Vec3 target = start + Vec3{std::cos(angle), std::sin(angle), 0} * far;
        const TwoBoneReport report =
            solveTwoBone(s, chain, {.target = target, .swivel = 1.0}, pose);
        const double expected = std::max({0.0, 0.05 - far, far - 0.55});
        EXPECT_NEAR(distance(place(s, pose, chain.end), target), expected, 1e-12);
        EXPECT_NEAR(report.error, expected, 1e-12);
        const ModelPose model = computeModelPose(s, pose);
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            EXPECT_EQ(model.position(jointId(j)).z, 0.0);
            EXPECT_EQ(pose.parent_from_joint[j].rotation.x, 0.0);
            EXPECT_EQ(pose.parent_from_joint[j].rotation.y, 0.0);
        }
        // The bend keeps its side.
        EXPECT_GE(side * std::sin(computeDofs(s, pose).dofs[3]), 0.0);
    }
}

TEST(TwoBoneIkJoints, InThePlaneThePoleChoosesTheSide) {
    const double lengths[] = {0.1, kUpper, kLower};
    const Skeleton s = planarChain(lengths);
    const TwoBoneChain chain{s.find("J1"), s.find("J2"), s.find("Tip")};
    Random random(26);
    for (int i = 0; i < 300; ++i) {
        Pose pose = computePose(s, randomDofs(s, random, 3.0));
        const Vec3 start = place(s, pose, chain.start);
        const double angle = random.between(-kPi, kPi);
        const Vec3 target = start + Vec3{std::cos(angle), std::sin(angle), 0} * 0.4;
        const Vec3 pole{random.between(-1, 1), random.between(-1, 1), 0};
        EXPECT_EQ(solveTwoBone(s, chain, {.target = target, .pole = pole}, pose).status,
                  IkStatus::Reached);
        EXPECT_LT(angleToPole(s, chain, pose, pole), 1e-10);
        EXPECT_LT(distance(place(s, pose, chain.end), target), 1e-14);
    }
}

TEST(TwoBoneIkJoints, APlanarStartThatIsLimitedSaysWhatThatCosts) {
    std::vector<JointDef> joints = {joint("a", "", JointKind::Hinge, {}),
                                    joint("b", "a", JointKind::Hinge, {1, 0, 0}),
                                    joint("c", "b", JointKind::Fixed, {1, 0, 0})};
    for (JointDef& j : joints) j.axes[0] = {0, 0, 1};
    joints[0].limits[0] = {-0.5, 0.5};
    const Skeleton s = build(std::move(joints), {.planar = true});
    const TwoBoneChain chain{jointId(0), jointId(1), jointId(2)};
    Random random(27);
    for (int i = 0; i < 200; ++i) {
        Pose pose = restPose(s);
        const Vec3 target{random.between(-2, 2), random.between(-2, 2), 0};
        const TwoBoneReport report = solveTwoBone(s, chain, {.target = target}, pose);
        EXPECT_NEAR(report.error, distance(place(s, pose, chain.end), target), 1e-13);
        EXPECT_LT(limitExcess(s, computeDofs(s, pose).dofs), 1e-12);
    }
}

TEST(TwoBoneIkJoints, ScaledSkeletonsSolveAlike) {
    Random random(28);
    for (const double factor : {1e-3, 0.5, 100.0}) {
        const Skeleton small = makeHingedArm({0.0, 2.9});
        const Skeleton large = *scaledSkeleton(small, factor);
        const TwoBoneChain chain = armOf(small);
        for (int i = 0; i < 50; ++i) {
            Pose a = randomPose(small, random);
            Pose b = restPose(large);
            for (std::size_t j = 0; j < small.jointCount(); ++j) {
                b.parent_from_joint[j] = a.parent_from_joint[j];
                b.parent_from_joint[j].translation *= factor;
            }
            const Vec3 target = place(small, a, chain.start) + random.direction() * 0.5;
            const Vec3 pole = random.direction();
            (void)solveTwoBone(small, chain, {.target = target, .pole = pole}, a);
            const TwoBoneReport report =
                solveTwoBone(large, chain, {.target = target * factor, .pole = pole * factor}, b);
            EXPECT_EQ(report.status, IkStatus::Reached);
            EXPECT_LT(change(chain, a, b), 1e-7);
        }
    }
}

TEST(TwoBoneIkJoints, UniformScaleOfAnyJointIsAllowedFor) {
    Random random(29);
    for (int i = 0; i < 300; ++i) {
        std::vector<JointDef> joints = armJoints();
        joints.insert(joints.begin() + 2,
                      joint("twist", "shoulder", JointKind::Ball, {0.02, 0.01, 0}));
        joints[3].parent = "twist";
        joints.insert(joints.begin() + 4, joint("roll", "elbow", JointKind::Ball, {0.1, 0, 0.01}));
        joints[5].parent = "roll";
        if (i % 2 == 0) joints[3].kind = JointKind::Hinge;
        for (JointDef& j : joints) {
            const double scale = random.between(0.5, 2.0);
            j.rest.scale = {scale, scale, scale};
            j.rest.rotation = random.rotation();
        }
        const Skeleton arm = build(std::move(joints));
        const TwoBoneChain chain = armOf(arm);
        Pose pose = randomPose(arm, random);
        const Vec3 shoulder = place(arm, pose, chain.start);
        const Vec3 elbow = place(arm, pose, chain.mid);
        const double upper = distance(elbow, shoulder);
        const double lower = distance(elbow, place(arm, pose, chain.end));
        const double reach = random.between(std::abs(upper - lower), upper + lower);
        const Pose before = pose;
        const TwoBoneGoal goal{.target = shoulder + random.direction() * reach,
                               .pole = random.direction() * 9.0};
        const TwoBoneReport report = solveTwoBone(arm, chain, goal, pose);
        const double error = distance(place(arm, pose, chain.end), goal.target);
        EXPECT_NEAR(report.error, error, 1e-13);
        // A hinge with its own axis need not get as near or far as the bones would.
        if (i % 2 == 1) {
            EXPECT_LT(error, 1e-13);
        }
        EXPECT_LT(angleToPole(arm, chain, pose, *goal.pole), 1e-9);
        expectOnlyTheLimbTurned(arm, chain, before, pose);
    }
}

TEST(TwoBoneIkJoints, StretchCarriesTheJointsInBetweenAlong) {
    std::vector<JointDef> joints = armJoints();
    joints.insert(joints.begin() + 2, joint("twist", "shoulder", JointKind::Ball, {0.1, 0.02, 0}));
    joints[3].parent = "twist";
    joints[3].rest.translation = {0.2, 0, 0.03};
    const Skeleton arm = build(std::move(joints));
    const TwoBoneChain chain = armOf(arm);
    Random random(30);
    for (int i = 0; i < 50; ++i) {
        Pose pose = randomPose(arm, random);
        const Vec3 target = place(arm, pose, chain.start) + random.direction() * 0.8;
        EXPECT_EQ(solveTwoBone(arm, chain, {.target = target, .stretch = 3.0}, pose).status,
                  IkStatus::Reached);
        EXPECT_LT(distance(place(arm, pose, chain.end), target), 1e-13);
    }
}

TEST(TwoBoneIkJoints, DeepAncestorsWithRestRotationsAreFollowed) {
    Random random(31);
    std::vector<JointDef> joints;
    std::string parent;
    for (int i = 0; i < 40; ++i) {
        const std::string name = "spine" + std::to_string(i);
        joints.push_back(joint(name, parent, JointKind::Ball, random.direction() * 0.1));
        joints.back().rest.rotation = random.rotation();
        parent = name;
    }
    for (JointDef& j : armJoints()) {
        if (j.name == "root") continue;
        if (j.name == "shoulder") j.parent = parent;
        j.rest.rotation = random.rotation();
        joints.push_back(std::move(j));
    }
    const Skeleton arm = build(std::move(joints));
    const TwoBoneChain chain = armOf(arm);
    for (int i = 0; i < 200; ++i) {
        Pose pose = randomPose(arm, random);
        const Vec3 target =
            place(arm, pose, chain.start) + random.direction() * random.between(0.06, 0.54);
        const Vec3 pole = random.direction() * 9.0;
        EXPECT_EQ(solveTwoBone(arm, chain, {.target = target, .pole = pole}, pose).status,
                  IkStatus::Reached);
        EXPECT_LT(distance(place(arm, pose, chain.end), target), 1e-13);
        EXPECT_LT(angleToPole(arm, chain, pose, pole), 1e-11);
    }
}

TEST(TwoBoneIkJoints, ALimbThatStartsAtTheRootIsSolvedInModelSpace) {
    std::vector<JointDef> joints = armJoints();
    joints.erase(joints.begin());
    joints[0].parent.clear();
    const Skeleton arm = build(std::move(joints));
    const TwoBoneChain chain = armOf(arm);
    Pose pose = restPose(arm);
    const Vec3 target{0.3, 0.6, 0.2};
    EXPECT_EQ(solveTwoBone(arm, chain, {.target = target}, pose).status, IkStatus::Reached);
    EXPECT_LT(distance(place(arm, pose, chain.end), target), 1e-15);
}

}  // namespace
}  // namespace ulna
