// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/drag.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/anatomy.h"
#include "support/clips.h"
#include "support/skeletons.h"
#include "support/text.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/masses.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

using test::contains;

constexpr double kMillimetre = 1e-3;

// A person of 1.7 m who stands, with what a drag needs. Judged by forward kinematics alone.
struct Person {
    Skeleton skeleton = test::makeHumanoid(test::mixamo());
    Stage stage = makeUsualStage(skeleton);
    Pose pose = restPose(skeleton);
    JointId hand = skeleton.find("mixamorig:LeftHand");
    JointId elbow = skeleton.find("mixamorig:LeftForeArm");
    JointId arm = skeleton.find("mixamorig:LeftArm");
    JointId hips = skeleton.find("mixamorig:Hips");

    Person() {
        // Arms hang a little, so that nothing begins in a singular pose.
        pose[arm].rotation = quatAboutAxis(2, -0.6) * pose[arm].rotation;
        pose[elbow].rotation = quatAboutAxis(1, -0.3) * pose[elbow].rotation;
    }

    [[nodiscard]] Vec3 position(JointId joint) const {
        return computeModelPose(skeleton, pose).position(joint);
    }
    [[nodiscard]] Quat orientation(JointId joint) const {
        return computeOrientations(skeleton, pose)[index(joint)];
    }
    [[nodiscard]] std::vector<DragPin> feetPinned() const {
        std::vector<DragPin> out;
        for (const JointId foot : feetOf(stage))
            out.push_back(
                {.joint = foot, .target = position(foot), .orientation = orientation(foot)});
        return out;
    }
    [[nodiscard]] DragGrab grab(JointId joint) const {
        return {.joint = joint, .start = position(joint)};
    }
    // How far the farthest pin is from its target.
    [[nodiscard]] double worst(const std::vector<DragPin>& pins) const {
        double out = 0.0;
        for (const DragPin& pin : pins)
            out = std::max(out, distance(position(pin.joint), pin.target));
        return out;
    }
};

Drag mustMake(const Person& person, const DragGrab& grab, std::span<const DragPin> pins = {},
              std::span<const DragPole> poles = {}, const DragOptions& options = {}) {
    Result<Drag> out = Drag::make(person.stage, person.pose, grab, pins, poles, options);
    if (!out) ADD_FAILURE() << describe(out.error());
    return *std::move(out);
}

// Frames with the same target until the body has followed.
int settle(Drag& drag, const Vec3& target, Pose& pose) {
    constexpr int kMost = 200;
    for (int frame = 1; frame <= kMost; ++frame)
        if (!drag.solve(target, pose).more) return frame;
    return kMost + 1;
}

TEST(Drag, PutsTheHandOnEveryTargetWithinReach) {
    Random random(11);
    for (int i = 0; i < 20; ++i) {
        Person person;
        const std::vector<DragPin> pins = person.feetPinned();
        Drag drag = mustMake(person, person.grab(person.hand), pins);
        const Vec3 direction = random.direction();
        const Vec3 target = person.position(person.hand) + direction * random.between(0.02, 0.2);
        EXPECT_LE(settle(drag, target, person.pose), 200);
        EXPECT_LT(distance(person.position(person.hand), target), kMillimetre) << "sample " << i;
        EXPECT_LT(person.worst(pins), kMillimetre) << "sample " << i;
    }
}

TEST(Drag, HoldsPinsToAMillimetreAlongAWholeWay) {
    Person person;
    const std::vector<DragPin> pins = person.feetPinned();
    Drag drag = mustMake(person, person.grab(person.hand), pins);
    const Vec3 start = person.position(person.hand);
    for (int frame = 0; frame < 120; ++frame) {
        const double t = 0.1 * frame;
        drag.solve(
            start + Vec3{-0.2 + 0.2 * std::cos(t), 0.25 * std::sin(t), 0.3 * std::sin(0.5 * t)},
            person.pose);
        EXPECT_LT(person.worst(pins), kMillimetre) << "frame " << frame;
    }
    for (const DragPin& pin : pins)
        EXPECT_LT(angleBetween(person.orientation(pin.joint), *pin.orientation), 5e-3);
}

TEST(Drag, DoesNotPullPinsOffByAFarTarget) {
    Person person;
    const std::vector<DragPin> pins = person.feetPinned();
    Drag drag = mustMake(person, person.grab(person.hand), pins);
    const Vec3 before = person.position(person.hand);
    const Vec3 target{8, 6, 4};
    for (int frame = 0; frame < 60; ++frame) drag.solve(target, person.pose);
    EXPECT_LT(person.worst(pins), kMillimetre);
    EXPECT_LT(distance(person.position(person.hand), target), distance(before, target));
}

TEST(Drag, FindsTheBodyAsItWasWhenTheHandComesBack) {
    Person person;
    const Pose before = person.pose;
    const ModelPose at_first = computeModelPose(person.skeleton, before);
    const std::vector<DragPin> pins = person.feetPinned();
    Drag drag = mustMake(person, person.grab(person.hand), pins);
    const Vec3 start = person.position(person.hand);
    const Vec3 away = start + Vec3{-0.3, 0.4, 0.3};
    for (int i = 0; i <= 30; ++i) drag.solve(lerp(start, away, i / 30.0), person.pose);
    EXPECT_GT(test::apart(before, person.pose), 0.3);
    for (int i = 30; i >= 0; --i) drag.solve(lerp(start, away, i / 30.0), person.pose);
    settle(drag, start, person.pose);
    for (int i = 0; i < 60; ++i) drag.solve(start, person.pose);
    const ModelPose at_last = computeModelPose(person.skeleton, person.pose);
    for (const JointId j : person.skeleton.joints())
        EXPECT_LT(distance(at_first.position(j), at_last.position(j)), 10 * kMillimetre)
            << person.skeleton.name(j);
}

TEST(Drag, MovesTheArmBeforeTheBack) {
    Person person;
    Drag drag = mustMake(person, person.grab(person.hand), person.feetPinned());
    const Vec3 hips = person.position(person.hips);
    const Vec3 start = person.position(person.hand);
    const Vec3 target = start + Vec3{-0.15, 0.1, 0.1};
    for (int i = 1; i <= 30; ++i) drag.solve(lerp(start, target, i / 30.0), person.pose);
    EXPECT_LT(distance(person.position(person.hand), target), kMillimetre);
    // With the trunk as willing as the arm it would be 0.36 of the hand's way.
    EXPECT_LT(distance(person.position(person.hips), hips), 0.3 * distance(start, target));
}

TEST(Drag, HoldsTheRootWhereNothingIsPinned) {
    Person person;
    const Trs root = person.pose[person.hips];
    Drag drag = mustMake(person, person.grab(person.hand));
    const Vec3 target = person.position(person.hand) + Vec3{0.05, 0.3, 0.2};
    settle(drag, target, person.pose);
    EXPECT_LT(distance(person.pose[person.hips].translation, root.translation), 1e-12);
    EXPECT_LT(angleBetween(person.pose[person.hips].rotation, root.rotation), 1e-12);
}

TEST(Drag, TakesTheWholeBodyAlongByItsRoot) {
    Person person;
    Drag drag = mustMake(person, person.grab(person.hips));
    const Vec3 target = person.position(person.hips) + Vec3{1, 0.5, -2};
    settle(drag, target, person.pose);
    EXPECT_LT(distance(person.position(person.hips), target), kMillimetre);
}

TEST(Drag, HoldsAPointOfTheSkinAndNotTheJoint) {
    Person person;
    const Vec3 point{0.05, 0.02, 0.01};
    DragGrab grab{.joint = person.hand, .point = point};
    grab.start = computeModelPose(person.skeleton, person.pose)[person.hand] * point;
    Drag drag = mustMake(person, grab, person.feetPinned());
    EXPECT_LT(distance(drag.heldPoint(person.pose), grab.start), 1e-12);
    const Vec3 target = grab.start + Vec3{-0.1, 0.15, 0.1};
    settle(drag, target, person.pose);
    EXPECT_LT(distance(computeModelPose(person.skeleton, person.pose)[person.hand] * point, target),
              kMillimetre);
}

TEST(Drag, StaysInsideTheLimitsOfItsStage) {
    Person person;
    Drag drag = mustMake(person, person.grab(person.hand), person.feetPinned());
    for (const Vec3& target : {Vec3{-1, 0.5, -1}, Vec3{0, 2.5, -1}, Vec3{1, 0, -1}}) {
        settle(drag, target, person.pose);
        const Pose staged = person.stage.toStage(person.pose);
        const DofVector dofs = computeDofs(person.stage.skeleton, staged).dofs;
        for (const JointId j : person.stage.skeleton.ancestors(person.hand))
            EXPECT_LT(test::excessAt(person.stage.skeleton, dofs, j), 1e-6);
    }
}

TEST(Drag, KeepsLockedJointsAsTheyAre) {
    Person person;
    const Quat elbow = person.pose[person.elbow].rotation;
    Drag drag = mustMake(person, person.grab(person.hand), person.feetPinned(), {},
                         {.locked = {person.elbow}});
    settle(drag, person.position(person.hand) + Vec3{-0.1, 0.2, 0.1}, person.pose);
    EXPECT_LT(angleBetween(person.pose[person.elbow].rotation, elbow), 1e-12);
}

TEST(Drag, BendsALimbTowardsItsPole) {
    const auto elbowTowards = [](double z) {
        Person person;
        const DragPole pole{.start = person.arm,
                            .mid = person.elbow,
                            .end = person.hand,
                            .target = person.position(person.elbow) + Vec3{0, 0, z}};
        Drag drag = mustMake(person, person.grab(person.hand), person.feetPinned(), {{pole}}, {});
        const Vec3 target = person.position(person.hand) + Vec3{-0.2, 0.1, 0.0};
        for (int i = 0; i < 60; ++i) drag.solve(target, person.pose);
        return person.position(person.elbow).z;
    };
    EXPECT_GT(elbowTowards(2.0), elbowTowards(-2.0) + 0.02);
}

TEST(APole, IsAsFarFromTheJointAsTheLimbIsLongWhereItBends) {
    const Person person;
    const std::optional<DragPole> pole =
        makePole(person.skeleton, person.pose, person.elbow, UpAxis::Y);
    ASSERT_TRUE(pole);
    EXPECT_EQ(pole->start, person.arm);
    EXPECT_EQ(pole->mid, person.elbow);
    EXPECT_EQ(pole->end, person.hand);
    const Vec3 shoulder = person.position(person.arm), elbow = person.position(person.elbow);
    const Vec3 hand = person.position(person.hand), away = pole->target - elbow;
    EXPECT_NEAR(length(away), distance(shoulder, hand), 1e-12);
    const Vec3 bend = elbow - (shoulder + hand) * 0.5;
    EXPECT_NEAR(dot(away, bend), length(away) * length(bend), 1e-12);
}

TEST(APole, OfAStraightLimbIsInFrontOfTheBody) {
    const Skeleton leg = test::build({test::joint("hip", "", JointKind::Ball, {}),
                                      test::joint("knee", "hip", JointKind::Ball, {0, -2, 0}),
                                      test::joint("ankle", "knee", JointKind::Ball, {0, -1, 0})});
    const auto poleAt = [&](UpAxis up) {
        return makePole(leg, restPose(leg), leg.find("knee"), up)->target;
    };
    EXPECT_LT(distance(poleAt(UpAxis::Y), {0, -2, 3}), 1e-12);
    EXPECT_LT(distance(poleAt(UpAxis::Z), {0, -5, 0}), 1e-12);
}

TEST(APole, IsForTheMiddleOfALimbAlone) {
    const Skeleton chain = test::planarChain(std::vector<double>{1, 1, 1});
    EXPECT_FALSE(makePole(chain, restPose(chain), jointId(1), UpAxis::Y));
    const Person person;
    EXPECT_FALSE(makePole(person.skeleton, person.pose, jointId(0), UpAxis::Y));
    for (const JointId j : person.skeleton.joints()) {
        if (!person.skeleton.children(j).empty()) continue;
        EXPECT_FALSE(makePole(person.skeleton, person.pose, j, UpAxis::Y));
    }
}

TEST(Drag, LeavesThePinOfTheJointWhereTheHandPutIt) {
    Person person;
    const DragPin pin{.joint = person.hand, .target = person.position(person.hand)};
    Drag drag = mustMake(person, person.grab(person.hand), person.feetPinned());
    const Vec3 near = pin.target + Vec3{-0.1, 0.1, 0.1}, far = pin.target + Vec3{5, 0, 0};
    settle(drag, near, person.pose);
    const DragPin moved = drag.movedPin(pin, near, person.pose);
    EXPECT_TRUE(moved.reached);
    EXPECT_LT(distance(moved.target, person.position(person.hand)), 1e-12);
    settle(drag, far, person.pose);
    const DragPin beyond = drag.movedPin(pin, far, person.pose);
    EXPECT_FALSE(beyond.reached);
    EXPECT_LT(distance(beyond.target, far), 1e-12);
}

TEST(Drag, EndsInTheSamePoseHoweverTheHandWentThere) {
    Random random(21);
    for (const char* name : {"LeftHand", "RightFoot", "Hips", "Head"}) {
        for (int i = 0; i < 2; ++i) {
            Person person;
            const Pose start = person.pose;
            const JointId joint = person.skeleton.find(std::string("mixamorig:") + name);
            const Vec3 from = person.position(joint);
            const Vec3 move = random.direction() * random.between(0.05, 0.5);
            const Vec3 aside = random.direction() * 0.2;
            std::vector<ModelPose> ends;
            for (const int steps : {4, 16, 64}) {
                person.pose = start;
                Drag drag = mustMake(person, person.grab(joint), person.feetPinned());
                for (int step = 1; step <= steps; ++step) {
                    const double t = static_cast<double>(step) / steps;
                    drag.solve(from + move * t + aside * std::sin(kPi * t), person.pose);
                }
                ends.push_back(computeModelPose(person.skeleton, person.pose));
                // Back again it is as it was.
                drag.solve(from, person.pose);
                for (const JointId j : person.skeleton.joints())
                    EXPECT_LT(distance(computeModelPose(person.skeleton, start).position(j),
                                       person.position(j)),
                              kMillimetre)
                        << name << " " << i;
            }
            for (const JointId j : person.skeleton.joints())
                for (const ModelPose& end : ends)
                    EXPECT_LT(distance(end.position(j), ends.front().position(j)), 1e-9) << name;
        }
    }
}

TEST(Drag, MovesNoJointFasterThanItsBoundAndThenArrives) {
    Random random(22);
    for (const char* name : {"LeftHand", "RightHand", "LeftFoot", "Hips", "Head"}) {
        for (int i = 0; i < 4; ++i) {
            Person person;
            const JointId joint = person.skeleton.find(std::string("mixamorig:") + name);
            const Vec3 from = person.position(joint);
            // Out of reach too, where one of several ways to stretch has to be chosen.
            const Vec3 move = random.direction() * random.between(0.1, 0.9);
            Drag drag = mustMake(person, person.grab(joint), person.feetPinned());
            constexpr int kSteps = 50;
            const double bound =
                10.0 * length(move) / kSteps + 0.01 * bodySize(person.stage.skeleton) + 1e-9;
            for (int step = 1; step <= kSteps; ++step) {
                const ModelPose before = computeModelPose(person.skeleton, person.pose);
                drag.solve(from + move * (static_cast<double>(step) / kSteps), person.pose);
                const ModelPose after = computeModelPose(person.skeleton, person.pose);
                if (step == 1) continue;
                for (const JointId j : person.skeleton.joints())
                    EXPECT_LE(distance(before.position(j), after.position(j)), bound)
                        << name << " step " << step << " " << person.skeleton.name(j);
            }
            int more = 0;
            while (drag.solve(from + move, person.pose).more && more < 300) ++more;
            EXPECT_LT(more, 300) << name << " " << i;
            // What another hand finds there in one leap.
            Person other;
            Drag leap = mustMake(other, other.grab(joint), other.feetPinned());
            for (int k = 0; k < 300 && leap.solve(from + move, other.pose).more; ++k) {
            }
            for (const JointId j : person.skeleton.joints())
                EXPECT_LT(distance(person.position(j), other.position(j)), 1e-9) << name;
        }
    }
}

TEST(Drag, StandsOnThePinnedFootWhenTheOtherIsLifted) {
    Person person;
    const JointId foot = person.skeleton.find("mixamorig:LeftFoot");
    const JointId other = person.skeleton.find("mixamorig:RightFoot");
    const Vec3 from = person.position(foot);
    Drag drag = mustMake(person, person.grab(foot), person.feetPinned());
    const Vec3 target = from + Vec3{0.1, 0.35, 0.1};
    for (int k = 0; k < 300 && drag.solve(target, person.pose).more; ++k) {
    }
    EXPECT_LT(distance(person.position(foot), target), kMillimetre);
    const Vec3 weight =
        centreOfMass(*humanMasses(person.skeleton), computeModelPose(person.skeleton, person.pose));
    const Vec3 off = weight - person.position(other);
    EXPECT_LT(std::abs(off.x), 0.06);
    EXPECT_GT(off.z, -0.08);
    EXPECT_LT(off.z, 0.25);
}

TEST(Drag, SaysThatATargetIsOutOfReachWhereItEndsBeforeIt) {
    Person person;
    Drag drag = mustMake(person, person.grab(person.hand), person.feetPinned());
    const Vec3 far = person.position(person.hand) + Vec3{5, 0, 0};
    settle(drag, far, person.pose);
    const DragStep step = drag.solve(far, person.pose);
    EXPECT_FALSE(step.more);
    EXPECT_NE(step.status, IkStatus::MaxIterations);
    EXPECT_NE(step.status, IkStatus::BadGoal);
}

TEST(Drag, GivesWayAtAPinThatCouldNotBeReached) {
    Person person;
    std::vector<DragPin> pins = person.feetPinned();
    const JointId other = person.skeleton.find("mixamorig:RightHand");
    pins.push_back({.joint = other, .target = {-9, 1, 0}, .reached = false});
    Drag drag = mustMake(person, person.grab(person.hand), pins);
    for (int i = 0; i < 30; ++i) drag.solve(person.position(person.hand), person.pose);
    pins.pop_back();
    EXPECT_LT(person.worst(pins), 10 * kMillimetre);  // it pulls with the weight of a hand
}

TEST(Drag, SaysWhatAMethodOfOneChainLeavesOut) {
    Person person;
    const std::vector<DragPin> pins = person.feetPinned();
    const auto noteOf = [&](IkMethod method, std::span<const DragPin> held) {
        return mustMake(person, person.grab(person.hand), held, {}, {.method = method}).note();
    };
    EXPECT_EQ(noteOf(IkMethod::Auto, pins), "");
    EXPECT_EQ(noteOf(IkMethod::Dls, pins), "");
    EXPECT_TRUE(contains(noteOf(IkMethod::Ccd, pins), "orientations and poles are left out"));
    EXPECT_TRUE(contains(noteOf(IkMethod::TwoBone, pins), "the pins are left out"));
    EXPECT_TRUE(contains(noteOf(IkMethod::Fabrik, pins), "the pins are left out"));
    EXPECT_EQ(noteOf(IkMethod::TwoBone, {}), "");
}

TEST(Drag, FollowsByEveryMethod) {
    for (const IkMethod method : kAllIkMethods) {
        Person person;
        Drag drag = mustMake(person, person.grab(person.hand), {}, {}, {.method = method});
        const Vec3 target = person.position(person.hand) + Vec3{-0.05, 0.05, 0.05};
        const double before = distance(person.position(person.hand), target);
        for (int i = 0; i < 20; ++i) drag.solve(target, person.pose);
        EXPECT_LT(distance(person.position(person.hand), target), 0.5 * before)
            << ikMethodName(method);
    }
}

TEST(Drag, GivesTheSolversWordWhereAMethodCannotDoIt) {
    Person person;
    const Result<Drag> drag = Drag::make(person.stage, person.pose, person.grab(person.hips), {},
                                         {}, {.method = IkMethod::TwoBone});
    ASSERT_FALSE(drag);
    EXPECT_FALSE(drag.error().what.empty());
}

TEST(Drag, LeavesThePoseAloneForATargetThatIsNoNumber) {
    Person person;
    Drag drag = mustMake(person, person.grab(person.hand), person.feetPinned());
    const Pose before = person.pose;
    const DragStep step = drag.solve({NAN, 0, 0}, person.pose);
    EXPECT_EQ(step.report.status, IkStatus::BadGoal);
    EXPECT_FALSE(step.more);
    EXPECT_LT(test::apart(before, person.pose), 1e-12);
}

TEST(Drag, GivesTheSameAnswerEveryTime) {
    const auto run = [] {
        Person person;
        Drag drag = mustMake(person, person.grab(person.hand), person.feetPinned());
        for (int i = 0; i < 10; ++i) drag.solve({0.3, 1.2, 0.4}, person.pose);
        return person.pose;
    };
    EXPECT_EQ(run(), run());
}

TEST(DragTrace, LeadsFromTheStartToTheTarget) {
    Person person;
    const Drag drag = mustMake(person, person.grab(person.hand), {}, {}, {.continuity = false});
    const Vec3 target = person.position(person.hand) + Vec3{-0.1, 0.2, 0.15};
    const DragTrace trace = drag.trace(person.pose, target);
    ASSERT_GT(trace.poses.size(), 2u);
    EXPECT_EQ(trace.poses.front(), person.pose);
    EXPECT_EQ(trace.costs.size() + 1, trace.poses.size());
    EXPECT_EQ(trace.errors.size(), trace.poses.size());
    EXPECT_EQ(trace.status, IkStatus::Reached);
    EXPECT_LT(trace.errors.back(), trace.errors.front());
    const ModelPose last = computeModelPose(person.skeleton, trace.poses.back());
    EXPECT_LT(distance(last.position(person.hand), target), kMillimetre);
    EXPECT_EQ(drag.trace(person.pose, target, 1).poses.size(), 2u);
}

TEST(DragInThePlane, BendsAChainFromItsRoot) {
    const Skeleton chain = test::planarChain(std::vector<double>{1, 1, 1});
    const Stage stage = makeUsualStage(chain);
    const DofVector bent(chain.dofCount(), 0.3);
    Pose pose = computePose(chain, bent);
    const JointId end = jointId(chain.jointCount() - 1);
    const auto position = [&] { return computeModelPose(chain, pose).position(end); };
    Result<Drag> drag = Drag::make(stage, pose, {.joint = end, .start = position()});
    ASSERT_TRUE(drag) << describe(drag.error());
    const Vec3 target = position() * 0.8;
    settle(*drag, target, pose);
    EXPECT_LT(distance(position(), target), 1e-3);
}

}  // namespace
}  // namespace ulna
