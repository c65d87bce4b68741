// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>

#include "support/bvh_texts.h"
#include "support/skeletons.h"
#include "ulna/io/bounds.h"
#include "ulna/io/bvh.h"
#include "ulna/io/detail/number.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

using test::kPlainBvh;
using test::mustInterpret;
using test::mustRead;

void expectSameFile(const BvhFile& a, const BvhFile& b) {
    ASSERT_EQ(a.joints.size(), b.joints.size());
    for (std::size_t i = 0; i < a.joints.size(); ++i) {
        EXPECT_EQ(a.joints[i].name, b.joints[i].name);
        EXPECT_EQ(a.joints[i].parent, b.joints[i].parent);
        EXPECT_EQ(a.joints[i].end_site, b.joints[i].end_site);
        EXPECT_EQ(a.joints[i].offset, b.joints[i].offset);
        EXPECT_EQ(a.joints[i].channels, b.joints[i].channels);
    }
    EXPECT_EQ(a.frame_time, b.frame_time);
    EXPECT_EQ(a.frame_count, b.frame_count);
    ASSERT_EQ(a.values.size(), b.values.size());
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a.values[i]),
                  std::bit_cast<std::uint64_t>(b.values[i]));
    }
}

TEST(BvhWrite, ReproducesHierarchyOrdersChannelsAndEveryNumber) {
    Random random(1);
    BvhFile file = mustRead(kPlainBvh);
    file.joints[2].name = "Toe tip";
    file.joints[0].channels = {BvhChannel::Yrotation, BvhChannel::Zposition, BvhChannel::Xposition,
                               BvhChannel::Yposition, BvhChannel::Xrotation, BvhChannel::Zrotation};
    file.joints[1].offset = {0.1, -1e-300, 1.0 / 3.0};
    file.frame_time = 1.0 / 120.0;
    file.frame_count = 200;
    file.values.clear();
    for (std::size_t i = 0; i < file.frame_count * file.channel_count; ++i) {
        double value = 0.0;
        do value = std::bit_cast<double>(random.bits());
        while (!(std::abs(value) <= kLargestNumber));
        file.values.push_back(i % 3 == 0 ? value : random.between(-180.0, 180.0));
    }
    file.values[0] = -0.0;
    expectSameFile(mustRead(writeBvh(file)), file);
}

TEST(BvhWrite, KeepsSiblingsTwoRootsAndSeveralEndSites) {
    const char* text =
        "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 1 Xrotation JOINT A { OFFSET 1 0 0 CHANNELS 0 "
        "JOINT B"
        " { OFFSET 0 0 0 CHANNELS 0 End Site { OFFSET 0 1 0 } End Site { OFFSET 0 2 0 } } }"
        " JOINT C { OFFSET 2 0 0 CHANNELS 1 Yrotation } } ROOT S { OFFSET 0 0 0 CHANNELS 0 }"
        " MOTION Frames: 1 Frame Time: 0.5 1 2";
    const BvhFile file = mustRead(text);
    expectSameFile(mustRead(writeBvh(file)), file);
}

TEST(BvhNumbers, ThePlainParserAgreesWithTheLibraryToTheBit) {
    Random random(2);
    char buffer[64];
    std::size_t parsed = 0;
    for (int i = 0; i < 200000; ++i) {
        const int decimals = static_cast<int>(random.below(16));
        const double magnitude = std::pow(10.0, random.between(-6.0, 7.5));
        std::snprintf(buffer, sizeof buffer, "%.*f                                        ",
                      decimals, random.between(-magnitude, magnitude));
        double fast = 0.0;
        const char* end = detail::parsePlainNumber(buffer, fast);
        if (end == nullptr) continue;
        ++parsed;
        char* expected_end = nullptr;
        const double slow = std::strtod(buffer, &expected_end);
        EXPECT_EQ(end, expected_end) << buffer;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(fast), std::bit_cast<std::uint64_t>(slow)) << buffer;
    }
    EXPECT_GT(parsed, 100000U);  // most are plain
}

TEST(BvhNumbers, ThePlainParserLeavesTheRestToTheSlowPath) {
    for (const char* text :
         {"abc", "", "-", ".5", "+1", "12345678.5", "1.12345678901234567", "--1", " 1"}) {
        const std::string padded = std::string(text) + std::string(detail::kPlainNumberBytes, ' ');
        double value = 0.0;
        EXPECT_EQ(detail::parsePlainNumber(padded.data(), value), nullptr) << text;
    }
}

// Every joint where it was, in every frame.
void expectSameMotion(const Skeleton& a, const Motion& ma, const BvhMotion& b, double tolerance) {
    ASSERT_EQ(ma.frameCount(), b.motion.frameCount());
    for (std::size_t frame = 0; frame < ma.frameCount(); ++frame) {
        const ModelPose pa = computeModelPose(a, ma.pose(frame));
        const ModelPose pb = computeModelPose(b.skeleton, b.motion.pose(frame));
        for (std::size_t j = 0; j < a.jointCount(); ++j) {
            const JointId other = b.skeleton.find(a.name(jointId(j)));
            ASSERT_NE(other, JointId::None) << a.name(jointId(j));
            EXPECT_LT(distance(pa.position(jointId(j)), pb.position(other)), tolerance) << frame;
        }
    }
}

TEST(BvhMake, CarriesAnySkeletonWithRestRotationsAndEveryKind) {
    const Skeleton s = test::everyKind();
    Random random(3);
    Motion motion(restPose(s), 5, 0.1, usualTracks(s));
    for (std::size_t f = 0; f < 5; ++f)
        motion.setPose(f, computePose(s, test::randomDofs(s, random, 2.0)));
    const BvhFile file = makeBvh(s, motion);
    const Result<BvhMotion> back = toMotion(mustRead(writeBvh(file)));
    ASSERT_TRUE(back.ok());
    expectSameMotion(s, motion, *back, 1e-12);
    // At rest every rotation channel is zero.
    const BvhFile rest = makeBvh(s, Motion(restPose(s), 1, 0.1, {}));
    std::size_t at = 0;
    for (const BvhJoint& joint : rest.joints) {
        for (const BvhChannel channel : joint.channels) {
            if (isRotation(channel)) {
                EXPECT_NEAR(rest.values[at], 0.0, 1e-12);
            }
            ++at;
        }
    }
}

TEST(BvhMake, WritesTheOrderItIsAskedFor) {
    const BvhMotion m = mustInterpret(kPlainBvh);
    for (const EulerOrder order : kAllEulerOrders) {
        const BvhFile file = makeBvh(m.skeleton, m.motion, {.order = order});
        const Result<BvhMotion> back = toMotion(file);
        ASSERT_TRUE(back.ok());
        EXPECT_EQ(back->skeleton.joint(jointId(1)).order, order);
        expectSameMotion(m.skeleton, m.motion, *back, 1e-13);
    }
}

TEST(BvhMake, AnglesFollowTheContinuousBranch) {
    const Skeleton s = test::build({test::joint("R", "", JointKind::Ball, {})});
    Motion motion(restPose(s), 400, 0.1, usualTracks(s));
    for (std::size_t f = 0; f < 400; ++f) {
        Pose pose = restPose(s);
        pose.parent_from_joint[0].rotation = quatAboutAxis(1, 0.05 * static_cast<double>(f));
        motion.setPose(f, pose);
    }
    const BvhFile file = makeBvh(s, motion, {.order = EulerOrder::Xyz});
    for (std::size_t f = 1; f < 400; ++f) {
        for (std::size_t c = 3; c < 6; ++c) {
            EXPECT_LT(std::abs(file.values[f * 6 + c] - file.values[(f - 1) * 6 + c]), 3.0) << f;
        }
    }
    EXPECT_NEAR(file.values[399 * 6 + 4], degrees(0.05 * 399), 1e-9);  // several turns, unwrapped
}

TEST(BvhMake, KeepsTheMotionOfALeafThatOnlySlides) {
    const BvhMotion m = mustInterpret(
        "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 3 Xrotation Yrotation Zrotation"
        " JOINT Eye { OFFSET 0 1 0 CHANNELS 3 Xposition Yposition Zposition } }"
        " MOTION Frames: 2 Frame Time: 1 0 0 0 1 2 3 0 0 0 4 5 6");
    const Result<BvhMotion> back =
        toMotion(makeBvh(m.skeleton, m.motion, {.order = EulerOrder::Xyz}));
    ASSERT_TRUE(back.ok());
    expectSameMotion(m.skeleton, m.motion, *back, 1e-15);
}

TEST(BvhMake, SaysWhatItCannotHold) {
    JointDef knee = test::joint("knee{", "", JointKind::Hinge, {0, 1, 0});
    knee.limits[0] = {0.0, 2.0};
    JointDef tip = test::joint("toe", "knee{", JointKind::Fixed, {0, 1, 0});
    const Skeleton s = test::build({knee, tip});
    const std::string warnings = test::lines(makeBvh(s, Motion{}).warnings);
    EXPECT_NE(warnings.find("no joint limits"), std::string::npos);
    EXPECT_NE(warnings.find("no joint kinds"), std::string::npos);
    EXPECT_NE(warnings.find("'knee{'"), std::string::npos);
    EXPECT_NE(warnings.find("'toe'"), std::string::npos);
}

TEST(BvhSave, ReplacesTheFileWholeOrNotAtAll) {
    const std::string path = testing::TempDir() + "/ulna_save_test.bvh";
    const BvhFile file = mustRead(kPlainBvh);
    ASSERT_TRUE(saveBvh(file, path).ok());
    const Result<BvhFile> loaded = loadBvh(path);
    ASSERT_TRUE(loaded.ok());
    expectSameFile(*loaded, file);
    // Cancelled: the old file stays.
    BvhFile large = file;
    large.frame_count = 100000;
    large.values.assign(large.frame_count * large.channel_count, 1.25);
    EXPECT_FALSE(saveBvh(large, path, [](double) { return false; }).ok());
    expectSameFile(*loadBvh(path), file);
    EXPECT_FALSE(saveBvh(file, "/nonexistent/folder/a.bvh").ok());
    EXPECT_FALSE(loadBvh("/nonexistent/a.bvh").ok());
    std::remove(path.c_str());
}

TEST(BvhMotionThreads, GiveTheSameBits) {
    std::string text(kPlainBvh.substr(0, kPlainBvh.find("Frames")));
    text += "Frames: 1000\nFrame Time: 0.01\n";
    Random random(4);
    for (int i = 0; i < 1000; ++i) {
        for (int k = 0; k < 9; ++k) text += std::to_string(random.between(-180.0, 180.0)) + ' ';
        text += '\n';
    }
    const BvhMotion one = mustInterpret(text, {.threads = 1});
    const BvhMotion two = mustInterpret(text, {.threads = 2});
    for (std::size_t f = 0; f < 1000; ++f) EXPECT_EQ(one.motion.pose(f), two.motion.pose(f));
}

}  // namespace
}  // namespace ulna::io
