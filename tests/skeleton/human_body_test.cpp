// SPDX-License-Identifier: Apache-2.0

// What a body's joints are by name: families of tools and robots.
#include "ulna/skeleton/human_body.h"

#include <gtest/gtest.h>

#include "support/humanoid.h"
#include "support/paths.h"
#include "support/robots.h"
#include "support/skeletons.h"

namespace ulna::test {
namespace {

std::string nameOf(const Skeleton& skeleton, JointId joint) {
    return joint == JointId::None ? "" : skeleton.name(joint);
}
std::vector<std::string> namesOf(const Skeleton& skeleton, const std::vector<JointId>& joints) {
    std::vector<std::string> out;
    for (const JointId j : joints) out.push_back(nameOf(skeleton, j));
    return out;
}

HumanBody bodyOf(const Skeleton& skeleton) {
    const Result<HumanBody> body = findHumanBody(skeleton, restPose(skeleton));
    EXPECT_TRUE(body.ok()) << (body ? "" : body.error().what);
    return body ? *body : HumanBody{};
}

TEST(HumanBody, HasTheChestTheHandAndTheFootOfEveryFamily) {
    for (const NameFamily& family : nameFamilies()) {
        SCOPED_TRACE(family.name);
        const Skeleton skeleton = makeHumanoid(family);
        const HumanBody body = bodyOf(skeleton);
        EXPECT_EQ(body.chest, body.spine.back());
        for (const HumanSide* side : {&body.left, &body.right}) {
            EXPECT_EQ(side->foot, side->ankle);
            EXPECT_TRUE(skeleton.isAncestor(body.chest, side->hand));
        }
        if (family.name == "CMU text files")
            EXPECT_EQ(nameOf(skeleton, body.left.hand), "lhand");
        else
            EXPECT_EQ(body.left.hand, body.left.wrist);
    }
}

TEST(HumanBody, HasFingersFromThePalmToTheTip) {
    const Skeleton skeleton = makeHumanoid(nameFamilies().front());
    const HumanSide side = bodyOf(skeleton).right;
    EXPECT_EQ(namesOf(skeleton, side.fingers[0]),
              (std::vector<std::string>{"mixamorig:RightHandThumb1", "mixamorig:RightHandThumb2"}));
    EXPECT_EQ(namesOf(skeleton, side.fingers[1]),
              (std::vector<std::string>{"mixamorig:RightHandIndex1"}));
    EXPECT_TRUE(side.fingers[2].empty());
}

TEST(HumanBody, OfARobotNamesTheFirstHingeOfASeriesAndTheLastThatCarriesHandAndSole) {
    const Skeleton g1 = loadRobot(sharedData("robots/unitree_g1/g1_mocap_29dof.xml")).skeleton;
    const HumanBody body = bodyOf(g1);
    EXPECT_EQ(nameOf(g1, body.hips), "pelvis");
    EXPECT_EQ(
        namesOf(g1, body.spine),
        (std::vector<std::string>{"waist_yaw_joint", "waist_roll_joint", "waist_pitch_joint"}));
    EXPECT_EQ(nameOf(g1, body.chest), "waist_pitch_joint");
    EXPECT_EQ(nameOf(g1, body.head), "head_link");
    EXPECT_EQ(nameOf(g1, body.left.shoulder), "left_shoulder_pitch_joint");
    EXPECT_EQ(nameOf(g1, body.left.elbow), "left_elbow_joint");
    EXPECT_EQ(nameOf(g1, body.left.wrist), "left_wrist_roll_joint");
    EXPECT_EQ(nameOf(g1, body.left.hand), "left_wrist_yaw_joint");
    EXPECT_EQ(nameOf(g1, body.right.hip), "right_hip_pitch_joint");
    EXPECT_EQ(nameOf(g1, body.right.knee), "right_knee_joint");
    EXPECT_EQ(nameOf(g1, body.right.ankle), "right_ankle_pitch_joint");
    EXPECT_EQ(nameOf(g1, body.right.foot), "right_ankle_roll_joint");
    EXPECT_EQ(nameOf(g1, body.right.toes), "right_toe_link");
    EXPECT_EQ(body.left.collarbone, JointId::None);
    EXPECT_NEAR((body.model_from_body * Vec3{0, 0, 1}).x, 1.0, 1e-3);
}

// `left_knee_joint` is called `left_knee_link`, and so on.
Skeleton namedByLinks(const Skeleton& skeleton) {
    std::vector<JointDef> joints(skeleton.definitions().begin(), skeleton.definitions().end());
    for (JointDef& joint : joints) {
        for (std::string* name : {&joint.name, &joint.parent}) {
            if (name->ends_with("_joint")) name->replace(name->size() - 5, 5, "link");
        }
    }
    return build(std::move(joints));
}

TEST(HumanBody, OfARobotIsTheSameByTheNamesOfItsLinks) {
    const Skeleton g1 = loadRobot(sharedData("robots/unitree_g1/g1_mocap_29dof.xml")).skeleton;
    const HumanBody joints = bodyOf(g1);
    const HumanBody links = bodyOf(namedByLinks(g1));
    EXPECT_EQ(links.hips, joints.hips);
    EXPECT_EQ(links.chest, joints.chest);
    EXPECT_EQ(links.spine, joints.spine);
    EXPECT_EQ(links.left.hand, joints.left.hand);
    EXPECT_EQ(links.left.foot, joints.left.foot);
    EXPECT_EQ(links.right.hip, joints.right.hip);
}

TEST(HumanBody, MayBeginAtTheChest) {
    const Skeleton t1 = loadRobot(sharedData("robots/booster_t1/t1_mocap.xml")).skeleton;
    const HumanBody body = bodyOf(t1);
    EXPECT_EQ(nameOf(t1, body.chest), "Trunk");
    EXPECT_EQ(nameOf(t1, body.hips), "Waist");
    EXPECT_EQ(namesOf(t1, body.spine), (std::vector<std::string>{"Trunk"}));
    EXPECT_EQ(nameOf(t1, body.left.hip), "Left_Hip_Pitch");
    EXPECT_EQ(nameOf(t1, body.left.hand), "left_hand_link");
    EXPECT_EQ(nameOf(t1, body.left.foot), "Left_Ankle_Roll");
}

}  // namespace
}  // namespace ulna::test
