// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/two_bone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/arm.h"

namespace ulna {
namespace {

using namespace test;

TEST(TwoBoneIk, PutsTheHandOnEveryTargetWithinReach) {
    for (const Skeleton& arm : {makeArm(), makeHingedArm()}) {
        const TwoBoneChain chain = armOf(arm);
        Random random(7);
        for (int i = 0; i < 1000; ++i) {
            Pose pose = randomPose(arm, random);
            const Vec3 shoulder = place(arm, pose, chain.start);
            const Vec3 target = shoulder + random.direction() * random.between(0.051, 0.549);
            const Pose before = pose;
            const TwoBoneReport report =
                solveTwoBone(arm, chain, {.target = target, .pole = random.direction()}, pose);
            EXPECT_EQ(report.status, IkStatus::Reached);
            EXPECT_LT(distance(place(arm, pose, chain.end), target), 1e-14) << "sample " << i;
            EXPECT_LT(report.error, 1e-14);
            expectOnlyTheLimbTurned(arm, chain, before, pose);
        }
    }
}

TEST(TwoBoneIk, BendsTowardsThePole) {
    for (const Skeleton& arm : {makeArm(), makeHingedArm(), makeHingedArm({0.0, 3.1})}) {
        const TwoBoneChain chain = armOf(arm);
        Random random(8);
        for (int i = 0; i < 1000; ++i) {
            Pose pose = randomPose(arm, random);
            const Vec3 target =
                place(arm, pose, chain.start) + random.direction() * random.between(0.08, 0.54);
            const Vec3 pole = random.direction() * 2.0;
            ASSERT_EQ(solveTwoBone(arm, chain, {.target = target, .pole = pole}, pose).status,
                      IkStatus::Reached);
            EXPECT_LT(angleToPole(arm, chain, pose, pole), 1e-11) << "sample " << i;
        }
    }
}

TEST(TwoBoneIk, SwivelTurnsTheBendByExactlyThatAngle) {
    const Skeleton arm = makeArm();
    const TwoBoneChain chain = armOf(arm);
    Random random(9);
    for (int i = 0; i < 200; ++i) {
        const Pose before = randomPose(arm, random);
        const Vec3 shoulder = place(arm, before, chain.start);
        const Vec3 target = shoulder + random.direction() * random.between(0.08, 0.54);
        TwoBoneGoal goal{.target = target};
        if (i % 2 == 0) goal.pole = random.direction() * 2.0;
        Pose plain = before;
        ASSERT_EQ(solveTwoBone(arm, chain, goal, plain).status, IkStatus::Reached);
        goal.swivel = random.between(-3.0, 3.0);
        Pose turned = before;
        ASSERT_EQ(solveTwoBone(arm, chain, goal, turned).status, IkStatus::Reached);
        const Vec3 from = bendOf(arm, chain, plain);
        const Vec3 to = bendOf(arm, chain, turned);
        const Vec3 line = (target - shoulder) / distance(target, shoulder);
        EXPECT_NEAR(std::atan2(dot(line, cross(from, to)), dot(from, to)), goal.swivel, 1e-11);
        EXPECT_LT(distance(place(arm, turned, chain.end), target), 1e-14);
    }
}

TEST(TwoBoneIk, WithoutAPoleTheStartTakesTheSmallestTurn) {
    const Skeleton arm = makeArm();
    const TwoBoneChain chain = armOf(arm);
    Random random(10);
    for (int i = 0; i < 200; ++i) {
        const Pose before = randomPose(arm, random);
        const Vec3 shoulder = place(arm, before, chain.start);
        // At the present distance only the shoulder has to turn.
        const double reach = distance(place(arm, before, chain.end), shoulder);
        const Vec3 target = shoulder + random.direction() * reach;
        Pose pose = before;
        ASSERT_EQ(solveTwoBone(arm, chain, {.target = target}, pose).status, IkStatus::Reached);
        const Vec3 was = place(arm, before, chain.end) - shoulder;
        EXPECT_NEAR(angleBetween(before[chain.start].rotation, pose[chain.start].rotation),
                    std::atan2(length(cross(was, target - shoulder)), dot(was, target - shoulder)),
                    1e-7);
        EXPECT_LT(angleBetween(before[chain.mid].rotation, pose[chain.mid].rotation), 1e-6);
    }
}

TEST(TwoBoneIk, SolvingASolvedPoseChangesNothing) {
    for (const Skeleton& arm : {makeArm(), makeHingedArm(), makeHingedArm({-2.0, 0.5})}) {
        const TwoBoneChain chain = armOf(arm);
        Random random(11);
        for (int i = 0; i < 200; ++i) {
            Pose pose = randomPose(arm, random);
            const TwoBoneGoal goal{.target = place(arm, pose, chain.start) +
                                             random.direction() * random.between(0.2, 0.7),
                                   .pole = random.direction()};
            (void)solveTwoBone(arm, chain, goal, pose);
            const Pose once = pose;
            (void)solveTwoBone(arm, chain, goal, pose);
            EXPECT_LT(angleBetween(once[chain.start].rotation, pose[chain.start].rotation), 1e-8);
            EXPECT_LT(angleBetween(once[chain.mid].rotation, pose[chain.mid].rotation), 1e-8);
        }
    }
}

TEST(TwoBoneIk, ManySolvesInARowLoseNoAccuracy) {
    const Skeleton arm = makeArm();
    const TwoBoneChain chain = armOf(arm);
    Random random(12);
    Pose pose = randomPose(arm, random);
    const Vec3 shoulder = place(arm, pose, chain.start);
    double worst = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const Vec3 target = shoulder + random.direction() * random.between(0.06, 0.54);
        (void)solveTwoBone(arm, chain, {.target = target}, pose);
        worst = std::max(worst, distance(place(arm, pose, chain.end), target));
    }
    EXPECT_LT(worst, 1e-14);
}

TEST(TwoBoneIk, GivesTheSameWhenTheParentIsKnown) {
    const Skeleton arm = makeArm();
    const TwoBoneChain chain = armOf(arm);
    Random random(13);
    for (int i = 0; i < 100; ++i) {
        Pose a = randomPose(arm, random);
        Pose b = a;
        const Affine model_from_parent = computeModelPose(arm, a)[arm.parent(chain.start)];
        const TwoBoneGoal goal{.target = place(arm, a, chain.start) + random.direction() * 0.4,
                               .pole = random.direction()};
        (void)solveTwoBone(arm, chain, goal, a);
        EXPECT_EQ(solveTwoBone(arm, chain, goal, model_from_parent, b).status, IkStatus::Reached);
        EXPECT_LT(angleBetween(a[chain.start].rotation, b[chain.start].rotation), 1e-13);
        EXPECT_LT(angleBetween(a[chain.mid].rotation, b[chain.mid].rotation), 1e-7);
        EXPECT_LT(distance(place(arm, b, chain.end), goal.target), 1e-14);
    }
}

// ---- where reach ends

TEST(TwoBoneIk, TooFarStopsAtFullExtensionOnTheLineToTheTarget) {
    for (const Skeleton& arm : {makeArm(), makeHingedArm(), makeHingedArm({0.0, 2.6})}) {
        const TwoBoneChain chain = armOf(arm);
        Random random(14);
        for (int i = 0; i < 200; ++i) {
            Pose pose = randomPose(arm, random);
            const Vec3 shoulder = place(arm, pose, chain.start);
            const Vec3 direction = random.direction();
            const double far = random.between(0.5501, 3.0);
            const TwoBoneReport report = solveTwoBone(
                arm, chain, {.target = shoulder + direction * far, .pole = Vec3{0, 0, 5}}, pose);
            EXPECT_EQ(report.status, IkStatus::OutOfReach);
            EXPECT_LT(distance(place(arm, pose, chain.end), shoulder + direction * 0.55), 1e-12);
            EXPECT_NEAR(report.error, far - 0.55, 1e-12);
        }
    }
}

TEST(TwoBoneIk, TooNearStopsFoldedOnTheLineToTheTarget) {
    for (const Skeleton& arm : {makeArm(), makeHingedArm()}) {
        const TwoBoneChain chain = armOf(arm);
        Random random(15);
        for (int i = 0; i < 200; ++i) {
            Pose pose = randomPose(arm, random);
            const Vec3 shoulder = place(arm, pose, chain.start);
            const Vec3 direction = random.direction();
            const double near = random.between(0.001, 0.0499);
            const TwoBoneReport report = solveTwoBone(
                arm, chain, {.target = shoulder + direction * near, .pole = Vec3{0, 0, 5}}, pose);
            EXPECT_EQ(report.status, IkStatus::OutOfReach);
            EXPECT_LT(distance(place(arm, pose, chain.end), shoulder + direction * 0.05), 1e-12);
            EXPECT_NEAR(report.error, 0.05 - near, 1e-12);
        }
    }
}

TEST(TwoBoneIk, ATargetExactlyAtFullReachIsReached) {
    const Skeleton arm = makeArm();
    const TwoBoneChain chain = armOf(arm);
    Pose pose = restPose(arm);
    const Vec3 target = place(arm, pose, chain.start) + Vec3{0, kUpper + kLower, 0};
    EXPECT_EQ(solveTwoBone(arm, chain, {.target = target}, pose).status, IkStatus::Reached);
    EXPECT_LT(distance(place(arm, pose, chain.end), target), 1e-12);
}

TEST(TwoBoneIk, ATargetOnTheRootFoldsTheLimb) {
    for (const double lower : {kUpper, kLower}) {
        for (const JointKind kind : {JointKind::Ball, JointKind::Hinge}) {
            std::vector<JointDef> joints = armJoints();
            joints[2].kind = kind;
            joints[2].axes[0] = {0, 1, 0};
            joints[3].rest.translation = {lower, 0, 0};
            const Skeleton arm = build(std::move(joints));
            const TwoBoneChain chain = armOf(arm);
            for (const bool has_pole : {false, true}) {
                Pose pose = restPose(arm);
                const Vec3 shoulder = place(arm, pose, chain.start);
                TwoBoneGoal goal{.target = shoulder};
                if (has_pole) goal.pole = Vec3{0, 0, 1};
                const TwoBoneReport report = solveTwoBone(arm, chain, goal, pose);
                EXPECT_NEAR(report.error, kUpper - lower, 1e-12);
                EXPECT_EQ(report.status,
                          lower == kUpper ? IkStatus::Reached : IkStatus::OutOfReach);
                EXPECT_NEAR(distance(place(arm, pose, chain.end), shoulder), kUpper - lower, 1e-12);
                // And out again, without a trace.
                goal.target = shoulder + Vec3{0, 0.4, 0};
                EXPECT_EQ(solveTwoBone(arm, chain, goal, pose).status, IkStatus::Reached);
                EXPECT_LT(distance(place(arm, pose, chain.end), goal.target), 1e-13);
            }
        }
    }
}

// ---- degenerate limbs and goals

TEST(TwoBoneIk, AStraightChainWithThePoleOnTheLineTakesTheSamePlaneOnEveryRun) {
    for (const Skeleton& arm : {makeArm(), makeHingedArm()}) {
        const TwoBoneChain chain = armOf(arm);
        const Vec3 shoulder = place(arm, restPose(arm), chain.start);
        for (const Vec3& along : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}}) {
            const TwoBoneGoal goal{.target = shoulder + along * 0.4, .pole = shoulder + along};
            Pose pose = restPose(arm);
            EXPECT_EQ(solveTwoBone(arm, chain, goal, pose).status, IkStatus::Reached);
            EXPECT_LT(distance(place(arm, pose, chain.end), goal.target), 1e-14);
            EXPECT_GT(length(bendOf(arm, chain, pose)), 0.1);
            Pose again = restPose(arm);
            EXPECT_EQ(solveTwoBone(arm, chain, goal, again).status, IkStatus::Reached);
            EXPECT_EQ(pose, again);
        }
    }
}

TEST(TwoBoneIk, APoleOnTheLineOrAtTheStartKeepsThePresentPlane) {
    const Skeleton arm = makeArm();
    const TwoBoneChain chain = armOf(arm);
    Random random(16);
    for (int i = 0; i < 100; ++i) {
        const Pose before = randomPose(arm, random);
        const Vec3 shoulder = place(arm, before, chain.start);
        const Vec3 direction = random.direction();
        TwoBoneGoal goal{.target = shoulder + direction * 0.4};
        Pose without = before;
        (void)solveTwoBone(arm, chain, goal, without);
        for (const Vec3& pole : {shoulder, shoulder + direction * 3.0, shoulder - direction}) {
            goal.pole = pole;
            Pose with = before;
            EXPECT_EQ(solveTwoBone(arm, chain, goal, with).status, IkStatus::Reached);
            EXPECT_LT(angleBetween(with[chain.start].rotation, without[chain.start].rotation),
                      1e-12);
        }
    }
}

TEST(TwoBoneIk, AStraightLimbBendsTowardsThePoleWithoutTwistingTheStart) {
    const Skeleton arm = makeArm();
    const TwoBoneChain chain = armOf(arm);
    Random random(17);
    for (int i = 0; i < 100; ++i) {
        const double angle = random.between(-kPi, kPi);
        const Vec3 side{0, std::cos(angle), std::sin(angle)};
        Pose pose = restPose(arm);
        const Vec3 shoulder = place(arm, pose, chain.start);
        const TwoBoneGoal goal{.target = shoulder + Vec3{0.4, 0, 0}, .pole = shoulder + side};
        EXPECT_EQ(solveTwoBone(arm, chain, goal, pose).status, IkStatus::Reached);
        EXPECT_LT(angleToPole(arm, chain, pose, *goal.pole), 1e-12);
        const SwingTwist turn = splitSwingTwist(pose[chain.start].rotation, {1, 0, 0});
        EXPECT_NEAR(turn.twist_angle, 0.0, 1e-12);
    }
}

TEST(TwoBoneIk, ATargetStraightBehindIsReached) {
    for (const Skeleton& arm : {makeArm(), makeHingedArm()}) {
        const TwoBoneChain chain = armOf(arm);
        Random random(18);
        // From exactly half a turn on to where nothing special happens.
        for (const double off : {0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-4, 1e-2}) {
            for (const bool has_pole : {false, true}) {
                Pose pose = randomPose(arm, random);
                const Vec3 shoulder = place(arm, pose, chain.start);
                const Vec3 hand = place(arm, pose, chain.end);
                const Vec3 back = normalizedOr(shoulder - hand, Vec3{1, 0, 0});
                TwoBoneGoal goal{.target = shoulder + back * 0.4 + anyPerpendicular(back) * off};
                if (has_pole) goal.pole = shoulder + random.direction();
                EXPECT_EQ(solveTwoBone(arm, chain, goal, pose).status, IkStatus::Reached);
                EXPECT_LT(distance(place(arm, pose, chain.end), goal.target), 1e-14) << off;
                if (has_pole) {
                    EXPECT_LT(angleToPole(arm, chain, pose, *goal.pole), 1e-11);
                }
            }
        }
    }
}

TEST(TwoBoneIk, BonesOfLengthZeroLeaveOneBoneToAim) {
    for (const JointKind kind : {JointKind::Ball, JointKind::Hinge}) {
        for (const bool upper_is_zero : {false, true}) {
            std::vector<JointDef> joints = armJoints();
            joints[2].kind = kind;
            joints[upper_is_zero ? 2 : 3].rest.translation = {};
            const Skeleton arm = build(std::move(joints));
            const TwoBoneChain chain = armOf(arm);
            const double reach = upper_is_zero ? kLower : kUpper;
            Pose pose = restPose(arm);
            const Vec3 shoulder = place(arm, pose, chain.start);
            const TwoBoneGoal goal{.target = shoulder + Vec3{0, 0.6, 0.8} * reach,
                                   .pole = Vec3{1, 2, 3}};
            EXPECT_EQ(solveTwoBone(arm, chain, goal, pose).status, IkStatus::Reached);
            EXPECT_LT(distance(place(arm, pose, chain.end), goal.target), 1e-14);
            const TwoBoneReport off =
                solveTwoBone(arm, chain, {.target = shoulder + Vec3{0, 0, reach + 0.1}}, pose);
            EXPECT_EQ(off.status, IkStatus::OutOfReach);
            EXPECT_NEAR(off.error, 0.1, 1e-14);
        }
    }
}

TEST(TwoBoneIk, ALimbWithoutAnyLengthStaysAndSaysHowFarTheTargetIs) {
    std::vector<JointDef> joints = armJoints();
    joints[2].rest.translation = joints[3].rest.translation = {};
    const Skeleton arm = build(std::move(joints));
    const TwoBoneChain chain = armOf(arm);
    Pose pose = restPose(arm);
    const Vec3 shoulder = place(arm, pose, chain.start);
    const TwoBoneReport report =
        solveTwoBone(arm, chain, {.target = shoulder + Vec3{0, 2, 0}, .pole = Vec3{}}, pose);
    EXPECT_EQ(report.status, IkStatus::OutOfReach);
    EXPECT_NEAR(report.error, 2.0, 1e-14);
    EXPECT_EQ(pose, restPose(arm));
}

TEST(TwoBoneIk, WhatIsNotANumberIsABadGoalAndLeavesThePose) {
    const Skeleton arm = makeArm();
    const TwoBoneChain chain = armOf(arm);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    const TwoBoneGoal fine{.target = {0.4, 1.4, 0.1}};
    const auto with = [&](auto change) {
        TwoBoneGoal goal = fine;
        change(goal);
        return goal;
    };
    for (const double bad : {nan, inf, -inf, 1e300}) {
        for (const TwoBoneGoal& goal :
             {with([&](TwoBoneGoal& g) { g.target.y = bad; }), with([&](TwoBoneGoal& g) {
                  g.pole = Vec3{0, 0, bad};
              }),
              with([&](TwoBoneGoal& g) { g.swivel = bad; }),
              with([&](TwoBoneGoal& g) { g.soft = bad; }),
              with([&](TwoBoneGoal& g) { g.stretch = bad; })}) {
            Pose pose = restPose(arm);
            EXPECT_EQ(solveTwoBone(arm, chain, goal, pose).status, IkStatus::BadGoal);
            EXPECT_EQ(pose, restPose(arm));
        }
    }
    // The largest that is still taken.
    Pose pose = restPose(arm);
    EXPECT_EQ(
        solveTwoBone(arm, chain, {.target = {1e74, 0, 0}, .pole = Vec3{0, 0, 1e74}}, pose).status,
        IkStatus::OutOfReach);
    EXPECT_LT(distance(place(arm, pose, chain.end), Vec3{0.2 + 0.55, 1.3, 0}), 1e-12);
}

// ---- smoothness

TEST(TwoBoneIk, NothingFlipsWhileTheTargetPassesThroughFullExtensionAndBack) {
    for (const Skeleton& arm :
         {makeArm(), makeHingedArm(), makeHingedArm({-3.0, 0.0}), makeHingedArm({0.0, 3.0})}) {
        const TwoBoneChain chain = armOf(arm);
        for (const bool has_pole : {true, false}) {
            for (const double first_bend : {0.7, -0.7}) {
                Pose pose = restPose(arm);
                pose[chain.mid].rotation = quatFromAxisAngle(Vec3{0, 1, 0}, first_bend);
                const Vec3 shoulder = place(arm, pose, chain.start);
                TwoBoneGoal goal;
                if (has_pole) goal.pole = shoulder + Vec3{0.1, 0.2, 1.0};
                Pose previous;
                constexpr int kSteps = 4000;
                constexpr double kStep = 0.3 / kSteps;
                for (int i = -kSteps; i <= kSteps; ++i) {
                    // In and out again past 0.55, along a line that is bent a little.
                    const double far = 0.7 - std::abs(i) * kStep;
                    goal.target = shoulder + Vec3{far, 0.1 * i / kSteps, 0.05};
                    (void)solveTwoBone(arm, chain, goal, pose);
                    // The bend of a knee goes with the root of what is missing to full extension,
                    // so one step may turn it by about the root of its size and no more.
                    if (i > -kSteps) {
                        EXPECT_LT(change(chain, previous, pose), 4.0 * std::sqrt(kStep / 0.15))
                            << "step " << i << ", pole " << has_pole;
                    }
                    previous = pose;
                }
            }
        }
    }
}

TEST(TwoBoneIk, SoftReachTakesTheKneeSmoothlyIntoFullExtension) {
    const Skeleton arm = makeHingedArm({0.0, 2.9});
    const TwoBoneChain chain = armOf(arm);
    const Vec3 shoulder = place(arm, restPose(arm), chain.start);
    // Knee angle and reach for a target this far.
    const auto at = [&](double far, double soft) {
        Pose pose = restPose(arm);
        const TwoBoneGoal goal{.target = shoulder + Vec3{0, far, 0}, .soft = soft};
        (void)solveTwoBone(arm, chain, goal, pose);
        return std::pair{computeDofs(arm, pose).dofs[arm.firstDof(chain.mid)],
                         distance(place(arm, pose, chain.end), shoulder)};
    };
    const double h = 1e-4;
    const auto largest_turn = [&](double soft) {
        double largest = 0.0;
        for (double far = 0.3; far < 1.0; far += h)
            largest = std::max(largest, std::abs(at(far + h, soft).first - at(far, soft).first));
        return largest;
    };
    EXPECT_GT(largest_turn(0.0), 0.03);  // the pop
    EXPECT_LT(largest_turn(0.1), 0.004);

    double previous_reach = 0.0;
    double previous_slope = 1.0;
    for (double far = 0.3; far < 1.2; far += h) {
        const double reach = at(far, 0.1).second;
        // Rounding only, once within 1e-10 of full extension.
        if (reach < 0.55 - 1e-10) {
            EXPECT_GT(reach, previous_reach) << far;
        }
        EXPECT_LT(reach, 0.55 + 1e-13);
        const double slope = (at(far + h, 0.1).second - reach) / h;
        // The slope falls from 1 to 0 without a step: its own slope is at most 1 / width.
        EXPECT_LT(slope, previous_slope + 1e-9) << far;
        EXPECT_GT(slope, previous_slope - 1.1 * h / 0.055) << far;
        previous_reach = reach;
        previous_slope = slope;
    }
    // Before the easing starts nothing is different.
    EXPECT_NEAR(at(0.494, 0.1).second, 0.494, 1e-14);
    EXPECT_NEAR(at(0.9, 0.1).second, 0.55, 0.55 * 1e-3);
}

TEST(TwoBoneIk, SoftReachSaysHowFarShortItFalls) {
    const Skeleton arm = makeArm();
    const TwoBoneChain chain = armOf(arm);
    Pose pose = restPose(arm);
    const Vec3 target = place(arm, pose, chain.start) + Vec3{0, 0.54, 0};
    const TwoBoneReport report = solveTwoBone(arm, chain, {.target = target, .soft = 0.2}, pose);
    EXPECT_EQ(report.status, IkStatus::OutOfReach);
    EXPECT_NEAR(report.error, distance(place(arm, pose, chain.end), target), 1e-14);
    EXPECT_GT(report.error, 0.01);
}

// ---- stretch

TEST(TwoBoneIk, StretchReachesBeyondTheBonesUpToItsFactor) {
    const Skeleton arm = makeArm();
    const TwoBoneChain chain = armOf(arm);
    const Vec3 shoulder = place(arm, restPose(arm), chain.start);
    for (const double soft : {0.0, 0.15}) {
        for (const double far : {0.3, 0.5, 0.54, 0.55, 0.6, 0.8}) {
            Pose pose = restPose(arm);
            const TwoBoneGoal goal{.target = shoulder + Vec3{0, 0, far},
                                   .pole = Vec3{0, 5, 0},
                                   .soft = soft,
                                   .stretch = 1.6};
            const TwoBoneReport report = solveTwoBone(arm, chain, goal, pose);
            EXPECT_EQ(report.status, IkStatus::Reached) << far;
            EXPECT_LT(distance(place(arm, pose, chain.end), goal.target), 1e-12) << far;
            const double factor = length(pose[chain.mid].translation) / kUpper;
            EXPECT_NEAR(length(pose[chain.end].translation) / kLower, factor, 1e-14);
            EXPECT_GE(factor, 1.0);
            EXPECT_LE(factor, 1.6);
            if (far < 0.55 * (1.0 - soft)) {
                EXPECT_EQ(factor, 1.0);
            }
        }
    }
    Pose pose = restPose(arm);
    const TwoBoneReport report =
        solveTwoBone(arm, chain, {.target = shoulder + Vec3{0, 0, 2.0}, .stretch = 1.6}, pose);
    EXPECT_EQ(report.status, IkStatus::OutOfReach);
    EXPECT_NEAR(report.error, 2.0 - 1.6 * 0.55, 1e-12);
    EXPECT_LT(distance(place(arm, pose, chain.end), shoulder + Vec3{0, 0, 1.6 * 0.55}), 1e-12);
}

}  // namespace
}  // namespace ulna
