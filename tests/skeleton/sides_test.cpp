// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/sides.h"

#include <gtest/gtest.h>

#include "ulna/skeleton/scale.h"

namespace ulna {
namespace {

TEST(SidesOfNames, AreReadAsToolsWriteThem) {
    for (const char* name : {"LeftArm", "left_arm", "arm_left", "LEFTUPLEG", "armleft", "L_Arm",
                             "arm_l", "arm.L", "Bip01 L Arm", "LArm", "lThigh", "LHipJoint",
                             "mixamorig:LeftHand", "Armature|arm.L", "b_LeftArm_09", "l"})
        EXPECT_EQ(sideOfName(name), BodySide::Left) << name;
    for (const char* name : {"RightArm", "right_arm", "arm_right", "R_Arm", "arm.r", "Bip01 R Arm",
                             "RArm", "rThigh", "mixamorig:RightHand", "RThumb"})
        EXPECT_EQ(sideOfName(name), BodySide::Right) << name;
}

TEST(SidesOfNames, AreNotReadIntoOtherWords) {
    for (const char* name : {"", "Hips", "Spine", "ROOT", "Root", "LowerBack", "leg", "LEG", "rib",
                             "Neck1", "R:Hips", "lfemur", "Ball", "Collar"})
        EXPECT_EQ(sideOfName(name), BodySide::Centre) << name;
}

TEST(SideMarks, OfAFirstLetterAreNotCertain) {
    const std::vector<SideMark> marks = findSideMarks("lfemur");
    ASSERT_EQ(marks.size(), 1u);
    EXPECT_FALSE(marks[0].certain);
    EXPECT_EQ(withOtherSide("lfemur", marks[0]), "rfemur");
    EXPECT_TRUE(findSideMarks("femur").empty());
}

TEST(SideMarks, AreExchangedInTheSameCaseOfLetters) {
    const auto other = [](const char* name) {
        return withOtherSide(name, findSideMarks(name).front());
    };
    EXPECT_EQ(other("LeftArm"), "RightArm");
    EXPECT_EQ(other("arm_right"), "arm_left");
    EXPECT_EQ(other("LEFTARM"), "RIGHTARM");
    EXPECT_EQ(other("hand.L"), "hand.R");
    EXPECT_EQ(other("Bip01 R Arm"), "Bip01 L Arm");
    EXPECT_EQ(other("lThigh"), "rThigh");
    EXPECT_EQ(other("b_LeftArm_09"), "b_RightArm_09");
}

TEST(SideWords, AreWholeWords) {
    EXPECT_EQ(sideOfWord("left"), BodySide::Left);
    EXPECT_EQ(sideOfWord("r"), BodySide::Right);
    EXPECT_EQ(sideOfWord("lefty"), BodySide::Centre);
    EXPECT_EQ(sideOfWord(""), BodySide::Centre);
}

TEST(UniformScale, IsTheSameInAllDirectionsUpToRounding) {
    EXPECT_TRUE(isUniformScale({1, 1, 1}));
    EXPECT_TRUE(isUniformScale({0.01, 0.01 * (1 + 5e-10), 0.01}));
    EXPECT_FALSE(isUniformScale({1, 1, 1 + 1e-8}));
    EXPECT_FALSE(isUniformScale({0, 0, 0}));
    EXPECT_FALSE(isUniformScale({-1, -1, -1}));
    EXPECT_FALSE(isUniformScale({1, 2, 1}));
}

}  // namespace
}  // namespace ulna
