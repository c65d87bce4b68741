// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/hindrance.h"

#include <gtest/gtest.h>

#include "support/humanoid.h"
#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// A chain of bones of 1 along y, pinned at its first and last joint; a middle joint is pulled
// aside.
struct Chain {
    Skeleton skeleton = [] {
        std::vector<JointDef> joints;
        for (int i = 0; i < 5; ++i)
            joints.push_back(test::joint("j" + std::to_string(i),
                                         i == 0 ? "" : "j" + std::to_string(i - 1),
                                         i == 0 ? JointKind::Free : JointKind::Ball, {0, 1, 0}));
        return test::build(std::move(joints));
    }();
    Stage stage = *makeStage(skeleton);
    Pose pose = restPose(skeleton);

    [[nodiscard]] Vec3 position(JointId j) const {
        return computeModelPose(skeleton, pose).position(j);
    }
    [[nodiscard]] DragPin pin(const char* name) const {
        const JointId j = skeleton.find(name);
        return {.joint = j, .target = position(j)};
    }
    [[nodiscard]] std::vector<JointId> hindering(const char* name, const Vec3& by,
                                                 const std::vector<DragPin>& pins) const {
        const JointId j = skeleton.find(name);
        const DragGrab grab = {.joint = j, .start = position(j)};
        return hinderingPins(stage, pose, grab, grab.start + by, pins);
    }
};

TEST(HinderingPins, AreThoseOfATautChain) {
    const Chain chain;
    const std::vector<DragPin> pins = {chain.pin("j0"), chain.pin("j4")};
    // Either pin alone would let the joint go there.
    EXPECT_EQ(chain.hindering("j2", {1.5, 0, 0}, pins),
              (std::vector{pins[0].joint, pins[1].joint}));
}

TEST(HinderingPins, AreNoneWhereTheTargetIsReached) {
    const Chain chain;
    EXPECT_TRUE(chain.hindering("j2", {0.5, -0.3, 0}, {chain.pin("j0")}).empty());
    EXPECT_TRUE(chain.hindering("j2", {1.5, 0, 0}, {}).empty());
}

TEST(HinderingPins, AreThoseAloneThatAreInTheWay) {
    const Chain chain;
    const std::vector<DragPin> pins = {chain.pin("j2"), chain.pin("j4")};
    // Between the two the chain is taut. The target is 1 from the one, which would let the joint go
    // there, and 1.34 from the other, of which it would stay 0.34 away.
    EXPECT_EQ(chain.hindering("j3", {0.6, -0.2, 0}, pins), std::vector{pins[1].joint});
}

TEST(HinderingPins, AreNotTheHandsOwn) {
    const Chain chain;
    EXPECT_TRUE(chain.hindering("j4", {1.5, -1, 0}, {chain.pin("j4")}).empty());
}

TEST(HinderingPins, SayThatAPinnedFootHoldsTheKnee) {
    const Skeleton person = test::makeHumanoid(test::nameFamilies().front());
    const Stage stage = makeUsualStage(person);
    const Pose pose = restPose(person);
    const ModelPose model = computeModelPose(person, pose);
    std::vector<DragPin> pins;
    for (const JointId foot : feetOf(stage))
        pins.push_back({.joint = foot, .target = model.position(foot)});
    ASSERT_EQ(pins.size(), 2U);
    const JointId knee = person.find("mixamorig:LeftLeg");
    const DragGrab grab = {.joint = knee, .start = model.position(knee)};
    const std::vector<JointId> found =
        hinderingPins(stage, pose, grab, grab.start + Vec3{0, 0.3, 0.45}, pins);
    EXPECT_NE(std::find(found.begin(), found.end(), person.find("mixamorig:LeftFoot")),
              found.end());
}

}  // namespace
}  // namespace ulna
