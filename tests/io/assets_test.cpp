// SPDX-License-Identifier: Apache-2.0

// The bundled character: what it promises, and that the generator still makes it.
#include <gtest/gtest.h>

#include "support/command.h"
#include "ulna/io/bvh.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

const std::string kAssets = ULNA_SOURCE_DIR "/assets/";

RigFile character() {
    Result<RigFile> rig = loadRig(kAssets + "ulna-character.rig.json");
    EXPECT_TRUE(rig.ok());
    return rig ? *std::move(rig) : RigFile{};
}

TEST(Character, IsWhatTheGeneratorMakes) {
    const test::CommandResult made = test::shell(ULNA_MAKE_CHARACTER " .");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    for (const char* name : {"ulna-character.rig.json", "ulna-character.bvh"}) {
        EXPECT_EQ(test::readText(test::scratchFolder() + "/" + name),
                  test::readText(kAssets + name))
            << name;
    }
}

TEST(Character, HasOverSixtyJointsFingersLimitsAndAWalkInsideThem) {
    const RigFile rig = character();
    std::size_t joints = 0;
    for (const JointDef& joint : rig.skeleton.definitions()) joints += joint.end_site ? 0 : 1;
    EXPECT_GT(joints, 60U);
    EXPECT_NE(rig.skeleton.find("LeftHandPinky3"), JointId::None);
    ASSERT_EQ(rig.clips.size(), 1U);
    EXPECT_EQ(rig.clips[0].name, "walk");
    for (const DofVector& frame : rig.clips[0].frames)
        EXPECT_LE(limitExcess(rig.skeleton, frame), 1e-12);
}

TEST(Character, IsSymmetric) {
    const RigFile rig = character();
    const ModelPose rest = computeModelPose(rig.skeleton, restPose(rig.skeleton));
    for (const std::string& name : rig.skeleton.names()) {
        if (name.rfind("Left", 0) != 0) continue;
        const JointId right = rig.skeleton.find("Right" + name.substr(4));
        ASSERT_NE(right, JointId::None) << name;
        const Vec3 l = rest.position(rig.skeleton.find(name));
        EXPECT_LT(distance(rest.position(right), Vec3{-l.x, l.y, l.z}), 1e-12) << name;
    }
}

TEST(Character, WalksWithoutSlidingItsFeetAndLoops) {
    const RigFile rig = character();
    const Skeleton& s = rig.skeleton;
    const Motion walk = computeMotion(s, rig.clips[0]);
    const std::size_t cycle = walk.frameCount() - 1;
    std::vector<ModelPose> models;
    for (std::size_t f = 0; f <= cycle; ++f) models.push_back(computeModelPose(s, walk.pose(f)));
    for (const char* side : {"Left", "Right"}) {
        const JointId toe = s.find(std::string(side) + "ToeBase");
        double lowest = 1.0;
        std::size_t planted = 0;
        for (std::size_t f = 0; f < cycle; ++f) {
            const Vec3 a = models[f].position(toe);
            const Vec3 b = models[f + 1].position(toe);
            lowest = std::min(lowest, a.y);
            // On the ground in both frames: it may not move along it.
            if (a.y < 0.0205 && b.y < 0.0205) {
                ++planted;
                EXPECT_LT(std::abs(a.z - b.z), 2e-3) << side << " frame " << f;
            }
        }
        EXPECT_GT(planted, cycle / 4);
        EXPECT_GT(lowest, 0.015);
    }
    // The last frame is the first, one stride on.
    const double stride = models[cycle].position(jointId(0)).z - models[0].position(jointId(0)).z;
    EXPECT_GT(stride, 1.0);
    for (std::size_t j = 0; j < s.jointCount(); ++j) {
        const Vec3 moved = models[cycle].position(jointId(j)) - models[0].position(jointId(j));
        EXPECT_LT(distance(moved, Vec3{0, 0, stride}), 1e-4);
    }
}

TEST(Character, BvhAndRigAreTheSameMotion) {
    const RigFile rig = character();
    const Motion walk = computeMotion(rig.skeleton, rig.clips[0]);
    const Result<BvhFile> file = loadBvh(kAssets + "ulna-character.bvh");
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(file->warnings.empty());
    const Result<BvhMotion> bvh = toMotion(*file);
    ASSERT_TRUE(bvh.ok());
    EXPECT_TRUE(bvh->warnings.empty());
    for (std::size_t f = 0; f < walk.frameCount(); ++f) {
        const ModelPose a = computeModelPose(rig.skeleton, walk.pose(f));
        const ModelPose b = computeModelPose(bvh->skeleton, bvh->motion.pose(f));
        for (const std::string& name : rig.skeleton.names()) {
            EXPECT_LT(
                distance(a.position(rig.skeleton.find(name)), b.position(bvh->skeleton.find(name))),
                1e-5)
                << name;
        }
    }
}

}  // namespace
}  // namespace ulna::io
