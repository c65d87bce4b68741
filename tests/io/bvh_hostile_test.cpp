// SPDX-License-Identifier: Apache-2.0

// Input made to break a reader: nothing may crash, hang or take more than linear time and memory.
#include <gtest/gtest.h>

#include "support/bvh_texts.h"
#include "ulna/io/bounds.h"
#include "ulna/io/bvh.h"
#include "ulna/math/random.h"

namespace ulna::io {
namespace {

using test::kPlainBvh;

// Reads, interprets and writes; returns whether the text was a BVH file.
bool survives(std::string_view text) {
    const Result<BvhFile> file = readBvh(text, "hostile.bvh", {.lenient = text.size() % 2 == 0});
    if (!file) {
        EXPECT_FALSE(file.error().what.empty());
        return false;
    }
    EXPECT_EQ(file->values.size(), file->frame_count * file->channel_count);
    const Result<BvhMotion> motion = toMotion(*file);
    EXPECT_TRUE(motion.ok());
    EXPECT_FALSE(writeBvh(*file).empty());
    return true;
}

TEST(HostileBvh, TruncationAtEveryByteIsSurvived) {
    std::size_t read = 0;
    for (std::size_t size = 0; size <= kPlainBvh.size(); ++size) {
        // A copy of its own, so that a read past the end is seen by the sanitizers.
        const std::string cut(kPlainBvh.substr(0, size));
        read += survives(cut) ? 1U : 0U;
    }
    EXPECT_GT(read, 10U);
}

TEST(HostileBvh, EveryByteReplacedIsSurvived) {
    for (std::size_t i = 0; i < kPlainBvh.size(); ++i) {
        for (const char c : {'\0', ' ', '\n', '{', '}', '-', '.', ',', 'e', '9', '\xFF', '#'}) {
            std::string text(kPlainBvh);
            text[i] = c;
            survives(text);
        }
    }
}

TEST(HostileBvh, RandomBytesAndShuffledWordsAreSurvived) {
    Random random(1);
    const std::vector<std::string> words = {
        "HIERARCHY", "ROOT",    "JOINT",       "End Site", "{",      "}",
        "OFFSET",    "0",       "-1.5",        "CHANNELS", "3",      "Xrotation",
        "MOTION",    "Frames:", "Frame Time:", "nan",      "1e9999", "\n"};
    for (int i = 0; i < 2000; ++i) {
        std::string noise, salad;
        for (std::uint64_t k = random.below(200); k-- > 0;)
            noise += static_cast<char>(random.below(256));
        for (std::uint64_t k = random.below(60); k-- > 0;)
            salad += words[random.below(words.size())] + ' ';
        survives(noise);
        survives(salad);
        survives(
            "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation } MOTION Frames: 3 Frame Time: "
            "1 " +
            salad);
    }
}

TEST(HostileBvh, FiftyThousandNestedJointsOfOneNameTakeLinearTime) {
    constexpr int kDepth = 50000;
    std::string text =
        "HIERARCHY\nROOT Bone\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n";
    for (int i = 1; i < kDepth; ++i) text += "JOINT Bone\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n";
    for (int i = 0; i < kDepth; ++i) text += "}\n";
    text += "MOTION\nFrames: 1\nFrame Time: 0.1\n";
    for (int i = 0; i < kDepth + 2; ++i) text += "0 ";
    const BvhMotion m = test::mustInterpret(text);
    EXPECT_EQ(m.skeleton.jointCount(), static_cast<std::size_t>(kDepth));
    EXPECT_EQ(m.skeleton.name(jointId(kDepth - 1)), "Bone#" + std::to_string(kDepth));
    // Indentation must not make the written file quadratic.
    EXPECT_LT(writeBvh(test::mustRead(text)).size(), 30U * 1024 * 1024);
}

TEST(HostileBvh, AHundredThousandJointsAreRead) {
    std::string text = "HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\n";
    for (int i = 0; i < 100000; ++i) text += "JOINT j {\nOFFSET 0 1 0\nCHANNELS 0\n}\n";
    text += "}\n";
    EXPECT_EQ(test::mustInterpret(text).skeleton.jointCount(), 100001U);
}

TEST(HostileBvh, AnnouncedCountsAreNotBelieved) {
    EXPECT_TRUE(
        survives(test::replaced(kPlainBvh, "Frames: 2", "Frames: 999999999999999999999999")));
    EXPECT_FALSE(survives(test::replaced(kPlainBvh, "CHANNELS 3", "CHANNELS 2000000000")));
    EXPECT_TRUE(
        survives("HIERARCHY ROOT A { OFFSET 0 0 0 } MOTION Frames: 2000000000 Frame Time: 1"));
}

TEST(HostileBvh, ManyFixedJointsTimesManyFramesTakeMemoryForTheNumbersOnly) {
    std::string text = "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 1 Xrotation\n";
    for (int i = 0; i < 20000; ++i) text += "JOINT j{OFFSET 0 1 0}\n";
    text += "} MOTION Frames: 20000 Frame Time: 1\n";
    for (int i = 0; i < 20000; ++i) text += "1\n";
    const BvhMotion m =
        test::mustInterpret(text);  // a transform per joint and frame would be 32 GB
    EXPECT_EQ(m.motion.frameCount(), 20000U);
}

TEST(HostileBvh, MegabytesOfGluedOrCommaSeparatedNumbersTakeLinearTime) {
    for (const char* number : {"1-", "1.0,"}) {
        std::string text = "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 200000";
        for (int i = 0; i < 200000; ++i) text += " Xrotation";
        text += " } MOTION Frames: 1 Frame Time: 1\n";
        for (int i = 0; i < 199999; ++i) text += number;
        EXPECT_EQ(test::mustRead(text + "1\n").frame_count, 1U);
    }
}

TEST(HostileBvh, LongNamesAreRefusedSoThatMemoryStaysLinear) {
    const std::string name = test::repeated('n', 300);
    EXPECT_NE(test::errorOf("HIERARCHY ROOT " + name + " { OFFSET 0 0 0 }").find("over 255 bytes"),
              std::string::npos);
}

// A file of one joint with a child of the same name, both with End Sites.
std::string twiceNamed(const std::string& name) {
    std::string text = "HIERARCHY ROOT ";
    text.append(name).append(" { OFFSET 0 0 0 JOINT ").append(name);
    return text.append(" { OFFSET 0 0 0 End Site { OFFSET 0 1 0 } } End Site { OFFSET 0 1 0 } }");
}

TEST(HostileBvh, NamesMadeFromLongOnesAreNoLongerThanNamesMayBe) {
    const BvhMotion m = test::mustInterpret(twiceNamed(test::repeated('n', kLongestName)));
    for (const std::string& made : m.skeleton.names()) EXPECT_LE(made.size(), kLongestName);
    EXPECT_EQ(m.skeleton.name(jointId(1)), test::repeated('n', kLongestName - 11) + "#2");
    // A name that grows beyond it when read as Latin-1 is refused like any long one.
    EXPECT_FALSE(readBvh(twiceNamed(test::repeated('\xFF', 200)), "t").ok());
}

TEST(HostileBvh, AVeryLongLineOfManyFramesTakesLinearTime) {
    std::string text =
        "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 1 Xrotation } MOTION Frames: 300000 Frame Time: "
        "1\n";
    for (int i = 0; i < 300000; ++i) text += "1 ";
    EXPECT_EQ(test::mustRead(text).frame_count, 300000U);
}

}  // namespace
}  // namespace ulna::io
