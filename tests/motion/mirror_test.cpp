// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/mirror.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/clips.h"
#include "support/humanoid.h"
#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::apart;

Vec3 reflected(const Vec3& v) {
    return {-v.x, v.y, v.z};
}

TEST(MirrorPairs, AreFoundUnderTheNamesOfEveryFamily) {
    for (const test::NameFamily& family : test::nameFamilies()) {
        const Skeleton s = makeHumanoid(family);
        const Result<MirrorPairs> pairs = findMirrorPairs(s);
        ASSERT_TRUE(pairs) << family.name;
        EXPECT_EQ(pairs->normal, (Vec3{1, 0, 0})) << family.name;
        for (const test::FamilyName& joint : family.joints) {
            if (joint.part.empty()) continue;
            const JointId j = s.find(joint.name), other = pairs->other[index(j)];
            const bool sided =
                joint.part.rfind("left", 0) == 0 || joint.part.rfind("right", 0) == 0;
            EXPECT_EQ(other != j, sided) << family.name << ": " << joint.name;
            EXPECT_EQ(pairs->other[index(other)], j);
        }
    }
}

TEST(MirrorPairs, TellOfASideWithoutItsCounterpart) {
    const Skeleton s =
        test::build({test::joint("Hips", "", JointKind::Free, {0, 1, 0}),
                     test::joint("LeftLeg", "Hips", JointKind::Ball, {0.1, 0, 0}),
                     test::joint("RightLeg", "Hips", JointKind::Ball, {-0.1, 0, 0}),
                     test::joint("LeftFoot", "LeftLeg", JointKind::Ball, {0, -1, 0})});
    const Result<MirrorPairs> pairs = findMirrorPairs(s);
    ASSERT_TRUE(pairs);
    EXPECT_EQ(pairs->pairs, 1U);
    ASSERT_FALSE(pairs->warnings.empty());
    EXPECT_EQ(pairs->warnings[0].text, "LeftFoot");
    EXPECT_EQ(pairs->other[index(s.find("LeftFoot"))], s.find("LeftFoot"));
}

TEST(MirrorPairs, AreFoundAcrossNumbersAtTheEnd) {
    const Skeleton s =
        test::build({test::joint("hips_01", "", JointKind::Free, {0, 1, 0}),
                     test::joint("b_LeftArm_02", "hips_01", JointKind::Ball, {1, 0, 0}),
                     test::joint("b_LeftHand_03", "b_LeftArm_02", JointKind::Ball, {1, 0, 0}),
                     test::joint("b_RightArm_04", "hips_01", JointKind::Ball, {-1, 0, 0}),
                     test::joint("b_RightHand_05", "b_RightArm_04", JointKind::Ball, {-1, 0, 0})});
    const Result<MirrorPairs> pairs = findMirrorPairs(s);
    ASSERT_TRUE(pairs);
    EXPECT_EQ(pairs->pairs, 2U);
    EXPECT_TRUE(pairs->warnings.empty());
    EXPECT_EQ(pairs->other[1], jointId(3));
    EXPECT_EQ(pairs->other[2], jointId(4));
    EXPECT_EQ(pairs->other[4], jointId(2));
}

TEST(MirrorPairs, AreAnErrorWhereNoNameHasASide) {
    EXPECT_FALSE(findMirrorPairs(test::straightWalk(2, 1.0).skeleton));
    // Letters within words are no sides.
    EXPECT_FALSE(findMirrorPairs(test::build({test::joint("Leg", "", JointKind::Free, {}),
                                              test::joint("Reg", "Leg", JointKind::Ball, {})})));
}

// Each joint is where the other side's was, in the mirror: judged by forward kinematics.
void expectMirrored(const Skeleton& s, const MirrorPairs& pairs, const Pose& pose,
                    const Pose& image) {
    const ModelPose before = computeModelPose(s, pose), after = computeModelPose(s, image);
    for (std::size_t j = 0; j < s.jointCount(); ++j)
        ASSERT_LT(length(after.position(jointId(j)) - reflected(before.position(pairs.other[j]))),
                  1e-12)
            << s.name(jointId(j));
}

TEST(Mirrored, PutsEveryJointWhereTheOthersImageIs) {
    const test::Clip clip = test::randomClip(1, 20);
    const MirrorPairs pairs = *findMirrorPairs(clip.skeleton);
    const Motion image = mirrored(clip.skeleton, pairs, clip.motion);
    const Motion again = mirrored(clip.skeleton, pairs, image);
    for (std::size_t f = 0; f < 20; ++f) {
        expectMirrored(clip.skeleton, pairs, clip.motion.pose(f), image.pose(f));
        EXPECT_EQ(image.pose(f), mirrored(clip.skeleton, pairs, clip.motion.pose(f)));
        EXPECT_LT(apart(again.pose(f), clip.motion.pose(f)), 1e-12);
    }
}

TEST(Mirrored, AsksNothingOfTheJointsAxes) {
    // The same person with other axes by chance at every joint, and a bent rest pose on both sides.
    const test::Clip clip = test::randomClip(2, 10);
    const Skeleton& plain = clip.skeleton;
    Random random(3);
    std::vector<std::string> names(plain.names().begin(), plain.names().end());
    const test::OtherConvention other(plain, restPose(plain), names, Quat{}, 1.0, random);
    const MirrorPairs pairs = *findMirrorPairs(other.skeleton());
    for (std::size_t f = 0; f < 10; ++f) {
        const Pose pose = other.pose(clip.motion.pose(f));
        expectMirrored(other.skeleton(), pairs, pose, mirrored(other.skeleton(), pairs, pose));
    }
}

TEST(Mirrored, MovesStretchedJointsToo) {
    const test::Clip clip = test::randomClip(4, 1);
    const MirrorPairs pairs = *findMirrorPairs(clip.skeleton);
    Pose pose = clip.motion.pose(0);
    Random random(5);
    for (Trs& t : pose.parent_from_joint) t.translation += random.direction() * 0.1;
    expectMirrored(clip.skeleton, pairs, pose, mirrored(clip.skeleton, pairs, pose));
}

// With the middle of the body at rest, a mirrored arm is where the other one's image is.
TEST(Mirrored, CopiesOneArmToTheOtherAndLeavesTheRest) {
    const test::Clip clip = test::randomClip(6, 1);
    const Skeleton& s = clip.skeleton;
    const MirrorPairs pairs = *findMirrorPairs(s);
    Pose pose = clip.motion.pose(0);
    const Pose rest = restPose(s);
    for (std::size_t j = 0; j < s.jointCount(); ++j)
        if (pairs.other[j] == jointId(j)) pose[jointId(j)] = rest[jointId(j)];
    const auto sided = std::find_if(s.joints().begin(), s.joints().end(), [&](JointId j) {
        return pairs.other[index(j)] != j && !s.children(j).empty();
    });
    ASSERT_NE(sided, s.joints().end());
    const std::vector<JointId> part = bodyPartOf(s, pairs, *sided);
    const Pose image = withPartMirrored(s, pairs, pose, *sided);
    const ModelPose before = computeModelPose(s, pose), after = computeModelPose(s, image);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < s.jointCount(); ++i) {
        const JointId j = jointId(i);
        const bool copied = std::find(part.begin(), part.end(), pairs.other[i]) != part.end();
        if (!copied) {
            EXPECT_EQ(image[j], pose[j]) << s.name(j);
        } else {
            ++changed;
            EXPECT_LT(length(after.position(j) - reflected(before.position(pairs.other[i]))), 1e-12)
                << s.name(j);
        }
    }
    EXPECT_EQ(changed, part.size());
    // A joint of the middle has no other side, and belongs with all of the middle.
    const JointId root = s.roots().front();
    EXPECT_EQ(withPartMirrored(s, pairs, pose, root), pose);
    for (const JointId j : bodyPartOf(s, pairs, root)) EXPECT_EQ(pairs.other[index(j)], j);
}

}  // namespace
}  // namespace ulna
