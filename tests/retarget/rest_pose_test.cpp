// SPDX-License-Identifier: Apache-2.0

// Which pose is a rest pose to retarget from: of a person whose limbs are rotated by known angles.
#include "ulna/retarget/rest_pose.h"

#include <gtest/gtest.h>

#include "support/arm.h"
#include "support/humanoid.h"

namespace ulna::test {
namespace {

struct Person {
    Skeleton skeleton = makeHumanoid(nameFamilies().front());

    // The T-pose with one joint rotated about an axis of the model.
    [[nodiscard]] Pose rotated(const std::string& name, const Vec3& axis, double degrees,
                               Pose pose) const {
        const JointId j = skeleton.find("mixamorig:" + name);
        EXPECT_NE(j, JointId::None) << name;
        pose[j].rotation = pose[j].rotation * quatFromAxisAngle(axis, degrees * kPi / 180.0);
        return pose;
    }
    [[nodiscard]] Pose rotated(const std::string& name, const Vec3& axis, double degrees) const {
        return rotated(name, axis, degrees, restPose(skeleton));
    }
};

const Vec3 kLeft{1, 0, 0}, kUp{0, 1, 0}, kForward{0, 0, 1};

// The same person, drawn in another pose: its rest pose is that one.
Skeleton drawnIn(const Skeleton& skeleton, const Pose& pose) {
    std::vector<JointDef> joints;
    for (const JointId j : skeleton.joints()) {
        JointDef def;
        def.name = skeleton.name(j);
        if (skeleton.parent(j) != JointId::None) def.parent = skeleton.name(skeleton.parent(j));
        def.kind = JointKind::Ball;
        def.rest = pose[j];
        joints.push_back(def);
    }
    return *makeSkeleton(joints);
}

TEST(RestPose, ATPoseReplacesARestPoseWithLegsApart) {
    const Person person;
    const Pose t_pose = restPose(person.skeleton);
    const Pose astride =
        person.rotated("RightUpLeg", kForward, -20.0, person.rotated("LeftUpLeg", kForward, 20.0));
    EXPECT_TRUE(replacesRest(drawnIn(person.skeleton, astride), t_pose));
    EXPECT_FALSE(replacesRest(drawnIn(person.skeleton, astride), astride));
}

TEST(RestPose, NothingReplacesARestPoseThatStands) {
    const Person person;
    EXPECT_FALSE(replacesRest(person.skeleton, restPose(person.skeleton)));
    EXPECT_FALSE(replacesRest(person.skeleton, person.rotated("LeftArm", kForward, -60.0)));
}

TEST(RestPose, AStepABentElbowAndArmsInFrontAreNone) {
    const Person person;
    const Skeleton sitting = drawnIn(person.skeleton, person.rotated("LeftUpLeg", kLeft, -80.0));
    ASSERT_TRUE(replacesRest(sitting, restPose(person.skeleton)));
    for (const Pose& pose :
         {person.rotated("LeftUpLeg", kLeft, -12.0), person.rotated("RightLeg", kLeft, 12.0),
          person.rotated("LeftForeArm", kUp, -30.0), person.rotated("RightArm", kUp, 40.0)})
        EXPECT_FALSE(replacesRest(sitting, pose));
    // Arms may hang, or be raised to any height.
    EXPECT_TRUE(replacesRest(sitting, person.rotated("LeftArm", kForward, -70.0)));
}

TEST(RestPose, ABodyWithoutLegsHasNone) {
    const Skeleton arm = makeArm();
    EXPECT_FALSE(replacesRest(arm, restPose(arm)));
}

}  // namespace
}  // namespace ulna::test
