// SPDX-License-Identifier: Apache-2.0

// BVH as it is met in the wild: one test for each way in which files differ.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/bvh_texts.h"
#include "ulna/io/bvh.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

using test::errorOf;
using test::kPlainBvh;
using test::lines;
using test::mustInterpret;
using test::mustRead;
using test::replaced;
using testing::AssertionResult;

AssertionResult contains(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "no '" << part << "' in: " << text;
}

// The same joints, channels and numbers as kPlainBvh.
void expectPlain(const BvhFile& file) {
    ASSERT_EQ(file.joints.size(), 3U);
    EXPECT_EQ(file.joints[0].name, "Hips");
    EXPECT_EQ(file.joints[1].name, "Knee");
    EXPECT_TRUE(file.joints[2].end_site);
    EXPECT_EQ(file.joints[2].offset, (Vec3{0, -3, 1}));
    EXPECT_EQ(file.channel_count, 9U);
    EXPECT_EQ(file.frame_count, 2U);
    EXPECT_EQ(file.frame_time, 0.025);
    EXPECT_EQ(file.values, (std::vector<double>{0, 9, 0, 0, 0, 0, 0, 0, 0, 1, 9.5, -2, 10, 20, 30,
                                                -5, 40.25, 0.01}));
}

void expectReadsAsPlain(std::string_view text, const std::string& warning) {
    const BvhFile file = mustRead(text);
    expectPlain(file);
    if (warning.empty()) {
        EXPECT_EQ(lines(file.warnings), "");
    } else {
        EXPECT_TRUE(contains(lines(file.warnings), warning));
        EXPECT_FALSE(readBvh(text, "t", {.strict = true}).ok());
    }
}

std::string everyNewline(std::string_view text, std::string_view newline) {
    std::string out;
    for (const char c : text) {
        if (c == '\n')
            out += newline;
        else
            out += c;
    }
    return out;
}

TEST(BvhDialect, PlainFileReadsWithoutAWarning) {
    expectReadsAsPlain(kPlainBvh, "");
}

TEST(BvhDialect, LineEndsBlanksAndTabsDoNotMatter) {
    expectReadsAsPlain(everyNewline(kPlainBvh, "\r\n"), "");
    expectReadsAsPlain(everyNewline(kPlainBvh, "\r"), "");
    expectReadsAsPlain(everyNewline(kPlainBvh, "  \t\n\n \n"), "");
    expectReadsAsPlain(replaced(kPlainBvh, "0 9 0 0", "0\t9 \t 0  0"), "");
    expectReadsAsPlain(std::string(kPlainBvh.substr(0, kPlainBvh.size() - 1)),
                       "");  // no last newline
}

TEST(BvhDialect, BraceMayStandOnTheSameLine) {
    expectReadsAsPlain(replaced(kPlainBvh, "Hips\n{", "Hips {"), "");
    expectReadsAsPlain(replaced(kPlainBvh, "Hips\n{", "Hips{"), "");
    expectReadsAsPlain(replaced(kPlainBvh, "End Site\n\t\t{", "End Site{"), "");
    std::string one_line(kPlainBvh.substr(0, kPlainBvh.find("MOTION")));
    std::replace(one_line.begin(), one_line.end(), '\n', ' ');
    expectReadsAsPlain(replaced(one_line + std::string(kPlainBvh.substr(kPlainBvh.find("MOTION"))),
                                "CHANNELS 6", "CHANNELS\n6"),
                       "");
}

TEST(BvhDialect, KeywordsMayBeLowerCase) {
    std::string text(kPlainBvh);
    for (const char* word : {"HIERARCHY", "ROOT", "OFFSET", "CHANNELS", "JOINT", "End Site",
                             "MOTION", "Frames", "Frame Time", "Xposition", "Zrotation"}) {
        std::string lower(word);
        for (char& c : lower) c = static_cast<char>(std::tolower(c));
        text = replaced(text, word, lower);
    }
    expectReadsAsPlain(text, "");
}

TEST(BvhDialect, FrameHeaderNeedsNoSpaces) {
    expectReadsAsPlain(replaced(kPlainBvh, "Frames: 2", "Frames:2"), "");
    expectReadsAsPlain(replaced(kPlainBvh, "Frame Time: ", "Frame Time:\t"), "");
    expectReadsAsPlain(replaced(kPlainBvh, "Frame Time: ", "FrameTime:"), "");
    expectReadsAsPlain(replaced(kPlainBvh, "Frames: 2", "Frames : 2"), "");
}

TEST(BvhDialect, ByteOrderMarkIsSkippedAndUtf16IsNamed) {
    expectReadsAsPlain(std::string("\xEF\xBB\xBF").append(kPlainBvh), "");
    EXPECT_TRUE(contains(errorOf("\xFF\xFEH"), "UTF-16"));
}

TEST(BvhDialect, DecimalCommasAreReadWithAWarning) {
    expectReadsAsPlain(replaced(kPlainBvh, "9.5", "9,5"), "test.bvh:20:3: a decimal comma");
    expectReadsAsPlain(replaced(replaced(kPlainBvh, "40.25", "40,25"), "0.025", "0,025"),
                       "a decimal comma is read as a decimal point (and 1 more times): '0,025'");
    expectReadsAsPlain(replaced(kPlainBvh, "OFFSET 0 -3 1", "OFFSET 0,0 -3,0 1"), "decimal comma");
    EXPECT_TRUE(contains(errorOf(replaced(kPlainBvh, "9.5", "1,9,5")), "a comma could be"));
    EXPECT_TRUE(contains(errorOf(replaced(kPlainBvh, "9.5", "1,009.5")), "a comma could be"));
}

TEST(BvhDialect, CommasBetweenNumbersAreSkippedWithAWarning) {
    expectReadsAsPlain(replaced(kPlainBvh, "1 9.5 -2", "1, 9.5, -2"), "commas between numbers");
    expectReadsAsPlain(replaced(kPlainBvh, "1 9.5 -2", "1 9.5,-2"), "commas between numbers");
    expectReadsAsPlain(replaced(kPlainBvh, "1 9.5 -2", "1 , 9.5 -2"), "commas between numbers");
}

TEST(BvhDialect, GluedNumbersAreReadWithAWarning) {
    expectReadsAsPlain(replaced(kPlainBvh, "9.5 -2", "9.5-2"),
                       "test.bvh:20:3: numbers without a space");
    EXPECT_TRUE(
        contains(errorOf(replaced(kPlainBvh, "9.5", "9.5.1")), "a number was expected: '9.5.1'"));
}

TEST(BvhDialect, CommentsAreSkippedWithAWarning) {
    expectReadsAsPlain(replaced(kPlainBvh, "MOTION\n", "# made by hand\nMOTION\n"),
                       "test.bvh:16:1: a comment is skipped: '# made by hand'");
    expectReadsAsPlain(replaced(kPlainBvh, "1 9.5", "// second\n1 9.5"), "a comment");
    expectReadsAsPlain(replaced(kPlainBvh, "0 9 0 0 0 0 0 0 0", "0 9 0 0 0 0 0 0 0 # first"),
                       "a comment");
}

TEST(BvhDialect, ScientificNotationPlusSignsAndBareOrMissingDigitsAreNumbers) {
    expectReadsAsPlain(replaced(kPlainBvh, "1 9.5 -2 10", "+1 .95e1 -2. 1E+1"), "");
    expectReadsAsPlain(replaced(kPlainBvh, "40.25", "40.250000000000000000000000000000"), "");
    expectReadsAsPlain(replaced(kPlainBvh, "40.25", "00000000000040.25"), "");
}

TEST(BvhDialect, NamesKeepSpacesColonsAndUtf8) {
    BvhFile file = mustRead(replaced(kPlainBvh, "JOINT Knee", "JOINT  Left Knee joint \t"));
    EXPECT_EQ(file.joints[1].name, "Left Knee joint");
    EXPECT_EQ(lines(file.warnings), "");
    EXPECT_EQ(mustRead(replaced(kPlainBvh, "JOINT Knee", "JOINT mixamorig:Knee")).joints[1].name,
              "mixamorig:Knee");
    EXPECT_EQ(mustRead(replaced(kPlainBvh, "JOINT Knee", "JOINT 左ひざ")).joints[1].name, "左ひざ");
    EXPECT_EQ(mustRead(replaced(kPlainBvh, "JOINT Knee", "JOINT #2 knee")).joints[1].name,
              "#2 knee");
    EXPECT_EQ(mustRead(replaced(kPlainBvh, "JOINT Knee\n\t{", "JOINT Left Knee {")).joints[1].name,
              "Left Knee");
}

TEST(BvhDialect, AJointWithoutANameGetsOne) {
    const BvhFile file = mustRead(replaced(kPlainBvh, "JOINT Knee", "JOINT"));
    EXPECT_EQ(file.joints[1].name, "joint");
    EXPECT_TRUE(contains(lines(file.warnings), "has no name"));
}

TEST(BvhDialect, DuplicateNamesAreMadeUniqueWithAWarning) {
    const BvhMotion m = mustInterpret(replaced(kPlainBvh, "JOINT Knee", "JOINT Hips"));
    EXPECT_EQ(m.skeleton.name(jointId(1)), "Hips#2");
    EXPECT_EQ(m.skeleton.name(jointId(2)), "Hips#2_end");
    EXPECT_TRUE(contains(lines(m.warnings),
                         "test.bvh:6:2: a joint's name is used before; it is renamed 'Hips#2'"));
}

TEST(BvhDialect, UniqueNamesDoNotCollideWithNamesThatLookLikeThem) {
    const char* text =
        "HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 0 JOINT A#2 { OFFSET 0 0 0 } JOINT A { OFFSET 0 "
        "0 0 }"
        " JOINT A_end { OFFSET 0 0 0 } End Site { OFFSET 0 1 0 } End Site { OFFSET 0 2 0 } }";
    const BvhMotion m = mustInterpret(text);
    const auto names = m.skeleton.names();
    EXPECT_EQ(std::vector<std::string>(names.begin(), names.end()),
              (std::vector<std::string>{"A", "A#2", "A#3", "A_end", "A_end#2", "A_end#3"}));
}

TEST(BvhDialect, AnEndSiteNeverTakesTheNameOfAJoint) {
    const BvhMotion m = mustInterpret(
        "HIERARCHY ROOT Knee { OFFSET 0 0 0 End Site { OFFSET 0 1 0 } JOINT Knee_end { OFFSET 0 2 "
        "0 } }");
    EXPECT_EQ(m.skeleton.name(jointId(1)), "Knee_end#2");
    EXPECT_FALSE(m.skeleton.isEndSite(m.skeleton.find("Knee_end")));
}

TEST(BvhDialect, NamesThatAreNotUtf8AreReadAsLatin1) {
    const BvhMotion m = mustInterpret(replaced(kPlainBvh, "JOINT Knee", "JOINT Kn\xe4"));
    EXPECT_EQ(m.skeleton.name(jointId(1)), "Kn\xc3\xa4");
    EXPECT_TRUE(contains(lines(m.warnings), "test.bvh:6:2: a name is not UTF-8"));
}

TEST(BvhDialect, FewerRowsThanAnnouncedAreReadWithAWarning) {
    expectReadsAsPlain(replaced(kPlainBvh, "Frames: 2", "Frames: 5"),
                       "test.bvh:17:1: 'Frames:' announces more rows than there are; 2 are read");
    expectReadsAsPlain(replaced(kPlainBvh, "Frames: 2", "Frames: 2000000000"), "announces more");
    expectReadsAsPlain(replaced(kPlainBvh, "Frames: 2", "Frames: 1e30"), "announces more");
}

TEST(BvhDialect, MoreRowsThanAnnouncedAreLeftOutWithAWarning) {
    expectReadsAsPlain(
        std::string(kPlainBvh).append("1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 9\n"),
        "test.bvh:21:1: the file goes on after the 2 frames that 'Frames:' announces; 2 lines");
}

TEST(BvhDialect, AMissingFrameCountReadsEveryRow) {
    expectReadsAsPlain(replaced(kPlainBvh, "Frames: 2\n", ""), "'Frames:' is missing");
    EXPECT_EQ(mustRead(replaced(kPlainBvh, "Frame Time: 0.025\n", "")).frame_time, 1.0 / 30.0);
}

TEST(BvhDialect, AFrameMayBeWrappedOverSeveralLines) {
    expectReadsAsPlain(replaced(kPlainBvh, "0 9 0 0 0 0 0 0 0", "0 9 0\n0 0 0\n0 0 0"), "");
    expectReadsAsPlain(replaced(kPlainBvh, "1 9.5 -2 10 20 30", "1 9.5\n-2 10\n20 30\n"), "");
}

TEST(BvhDialect, FramesThatIgnoreLinesAreReadAsAStreamWithAWarning) {
    expectReadsAsPlain(replaced(kPlainBvh, "0 0 0\n1 9.5", "0 0 0 1 9.5"),
                       "several frames stand on one line");
    expectReadsAsPlain(replaced(kPlainBvh, "0 9 0 0 0 0 0 0 0\n1 9.5", "0 9 0\n0 0 0 0\n0 0 1 9.5"),
                       "one sequence of numbers");
}

TEST(BvhDialect, AShortLastRowIsAnErrorOrDropped) {
    const std::string text = replaced(kPlainBvh, " -5 40.25 1e-2\n", "\n");
    EXPECT_TRUE(contains(errorOf(text),
                         "test.bvh:20:1: the last row has 6 of 9 values (--lenient drops it)"));
    const BvhFile file = mustRead(text, {.lenient = true});
    EXPECT_EQ(file.frame_count, 1U);
    EXPECT_EQ(file.values.size(), 9U);
    EXPECT_TRUE(contains(lines(file.warnings), "is dropped"));
}

TEST(BvhDialect, AShortRowInTheMiddleIsNamedOrDropped) {
    const std::string text = replaced(kPlainBvh, "0 9 0 0 0 0 0 0 0\n", "0 9 0 0 0 0 0 0\n");
    EXPECT_TRUE(contains(errorOf(text), "test.bvh:19:1: the row has 8 values, not 9"));
    const BvhFile file = mustRead(text, {.lenient = true});
    EXPECT_EQ(file.frame_count, 1U);
    EXPECT_EQ(file.values[1], 9.5);
}

TEST(BvhDialect, ALongRowIsNamedOrCut) {
    const std::string text = replaced(kPlainBvh, "0 9 0 0 0 0 0 0 0\n", "0 9 0 0 0 0 0 0 0 77\n");
    EXPECT_TRUE(contains(errorOf(text), "test.bvh:19:1: the row has 10 values, not 9"));
    expectPlain(mustRead(text, {.lenient = true}));
}

TEST(BvhDialect, ZeroFramesOrNoMotionIsASkeletonOnly) {
    const std::string hierarchy(kPlainBvh.substr(0, kPlainBvh.find("MOTION")));
    for (const std::string& text :
         {hierarchy, hierarchy + "MOTION\n", hierarchy + "MOTION\nFrames: 0\nFrame Time: 0.1\n"}) {
        const BvhFile file = mustRead(text);
        EXPECT_EQ(file.frame_count, 0U);
        EXPECT_TRUE(contains(lines(file.warnings), "a skeleton only"));
        EXPECT_EQ(mustInterpret(text).skeleton.jointCount(), 3U);
    }
}

TEST(BvhDialect, AFrameTimeOfZeroBecomesAThirtieth) {
    for (const char* time : {"0", "-0.1", "0.0", "1e-310", "1e20"}) {
        const BvhFile file = mustRead(replaced(kPlainBvh, "0.025", time));
        EXPECT_EQ(file.frame_time, 1.0 / 30.0);
        EXPECT_TRUE(contains(lines(file.warnings), "test.bvh:18:13: the frame time is not usable"));
    }
}

TEST(BvhDialect, NotANumberAndInfinityAreErrorsWithTheirPlace) {
    for (const char* bad :
         {"nan", "-NaN", "inf", "-Infinity", "1.#QNAN", "-1.#IND", "nan(ind)", "1e999", "1e101"}) {
        const std::string error = errorOf(replaced(kPlainBvh, "9.5", bad));
        EXPECT_TRUE(contains(error, "test.bvh:20:3: the number is")) << bad;
        EXPECT_TRUE(contains(error, bad));
    }
    EXPECT_TRUE(contains(errorOf(replaced(kPlainBvh, "0 -4 0", "0 nan 0")),
                         "test.bvh:8:12: the number is not finite"));
    EXPECT_TRUE(contains(errorOf(replaced(kPlainBvh, "0.025", "nan")), "test.bvh:18:13"));
}

TEST(BvhDialect, TwoRootsAreTwoCharactersInOneSkeleton) {
    const std::string text = replaced(
        replaced(kPlainBvh, "MOTION",
                 "ROOT Dog { OFFSET 5 0 0 CHANNELS 3 Xrotation Yrotation Zrotation }\nMOTION"),
        "0 9 0 0 0 0 0 0 0\n1 9.5 -2 10 20 30 -5 40.25 1e-2",
        "0 9 0 0 0 0 0 0 0 1 2 3\n0 9 0 0 0 0 0 0 0 4 5 6");
    const BvhMotion m = mustInterpret(text);
    EXPECT_EQ(m.skeleton.roots().size(), 2U);
    EXPECT_EQ(m.skeleton.kind(m.skeleton.find("Dog")), JointKind::Ball);
    EXPECT_EQ(lines(m.warnings), "");
}

TEST(BvhDialect, JointsWithOneTwoOrNoChannelsAreHingesUniversalsAndFixed) {
    const char* text =
        "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 0"
        " JOINT A { OFFSET 0 1 0 CHANNELS 1 Yrotation"
        " JOINT B { OFFSET 0 1 0 CHANNELS 2 Zrotation Xrotation"
        " JOINT C { OFFSET 0 1 0 } } } }"
        " MOTION Frames: 1 Frame Time: 0.1 90 90 0";
    const BvhMotion m = mustInterpret(text);
    EXPECT_EQ(m.skeleton.kind(m.skeleton.find("R")), JointKind::Fixed);
    EXPECT_EQ(m.skeleton.kind(m.skeleton.find("A")), JointKind::Hinge);
    EXPECT_EQ(m.skeleton.joint(m.skeleton.find("A")).axes[0], (Vec3{0, 1, 0}));
    EXPECT_EQ(m.skeleton.kind(m.skeleton.find("B")), JointKind::Universal);
    EXPECT_EQ(m.skeleton.kind(m.skeleton.find("C")), JointKind::Fixed);
    // C = (0,2,0) + Ry(90) Rz(90) (0,1,0) = (0,2,0) + Ry(90) (-1,0,0) = (0,2,1).
    const ModelPose model = computeModelPose(m.skeleton, m.motion.pose(0));
    EXPECT_LT(distance(model.position(m.skeleton.find("C")), Vec3{0, 2, 1}), 1e-15);
    // What a hinge or universal holds is exactly what its channels said.
    const DofFit fit = computeDofs(m.skeleton, m.motion.pose(0));
    EXPECT_LT(fit.rotation_residual, 1e-15);
}

TEST(BvhDialect, RotationsAreTheProductOfTheirChannelsInListedOrder) {
    Quat expected[6];
    const char* orders[6] = {"X Y Z", "X Z Y", "Y X Z", "Y Z X", "Z X Y", "Z Y X"};
    for (std::size_t i = 0; i < 6; ++i) {
        std::string channels = "CHANNELS 3";
        std::string tag;
        Quat q;
        const double angles[3] = {10, 20, 30};
        for (std::size_t k = 0; k < 3; ++k) {
            const char axis = orders[i][2 * k];
            channels += std::string(" ") + axis + "rotation";
            q = q * quatAboutAxis(axis - 'X', radians(angles[k]));
        }
        expected[i] = q;
        const BvhMotion m = mustInterpret("HIERARCHY ROOT R { OFFSET 0 0 0 " + channels +
                                          " } MOTION Frames: 1 Frame Time: 1 10 20 30");
        EXPECT_LT(angleBetween(m.motion.pose(0).parent_from_joint[0].rotation, expected[i]), 1e-15);
    }
}

TEST(BvhDialect, RotationChannelsMayStandBeforePositions) {
    const BvhMotion m = mustInterpret(
        "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 6 Zrotation Xrotation Yrotation Zposition "
        "Xposition Yposition"
        " } MOTION Frames: 1 Frame Time: 1 0 90 0 3 1 2");
    EXPECT_EQ(m.motion.pose(0).parent_from_joint[0].translation, (Vec3{1, 2, 3}));
    EXPECT_LT(
        angleBetween(m.motion.pose(0).parent_from_joint[0].rotation, quatAboutAxis(0, kPi / 2)),
        1e-15);
}

TEST(BvhDialect, PositionChannelsReplaceTheOffsetUnlessToldToAdd) {
    const std::string text = replaced(kPlainBvh, "OFFSET 0 0 0", "OFFSET 1 2 3");
    const BvhMotion replace = mustInterpret(text);
    EXPECT_EQ(replace.motion.pose(1).parent_from_joint[0].translation, (Vec3{1, 9.5, -2}));
    EXPECT_TRUE(contains(lines(replace.warnings),
                         "test.bvh:2:1: position channels replace a non-zero OFFSET: 'Hips' "
                         "(--position-channels=add adds them instead)"));
    const BvhMotion add = mustInterpret(text, {.position_channels = PositionChannels::Add});
    EXPECT_EQ(add.motion.pose(1).parent_from_joint[0].translation, (Vec3{2, 11.5, 1}));
    EXPECT_TRUE(contains(lines(add.warnings), "--position-channels=replace"));
}

TEST(BvhDialect, PositionChannelsOnChildrenAreStretchAndMissingOnesKeepTheOffset) {
    const BvhMotion m = mustInterpret(
        "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 3 Xrotation Yrotation Zrotation"
        " JOINT A { OFFSET 1 2 3 CHANNELS 2 Yposition Xrotation } }"
        " MOTION Frames: 2 Frame Time: 1 0 0 0 7 0 0 0 0 8 0");
    const JointId a = m.skeleton.find("A");
    EXPECT_EQ(m.skeleton.kind(a), JointKind::Hinge);
    EXPECT_EQ(m.motion.pose(0)[a].translation, (Vec3{1, 7, 3}));
    EXPECT_EQ(m.motion.pose(1)[a].translation, (Vec3{1, 8, 3}));
}

TEST(BvhDialect, EndSitesMayBeNamedSeveralEmptyOrBesideAChild) {
    const char* text =
        "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 3 Xrotation Yrotation Zrotation"
        " End Site Toe { OFFSET 0 0 0 CHANNELS 0 }"
        " JOINT A { OFFSET 1 0 0 CHANNELS 0 End Site { OFFSET 0 1 0 } End Site { OFFSET 0 2 0 } } }"
        " MOTION Frames: 1 Frame Time: 1 0 0 0";
    const BvhFile file = mustRead(text);
    EXPECT_EQ(file.joints[1].name, "Toe");
    const BvhMotion m = mustInterpret(text);
    const auto names = m.skeleton.names();
    EXPECT_EQ(std::vector<std::string>(names.begin(), names.end()),
              (std::vector<std::string>{"R", "R_end", "A", "A_end", "A_end#2"}));
    EXPECT_TRUE(m.skeleton.isEndSite(m.skeleton.find("A_end#2")));
    EXPECT_EQ(lines(m.warnings), "");
}

TEST(BvhDialect, ALeafNeedsNoEndSite) {
    expectReadsAsPlain(kPlainBvh, "");
    const BvhFile file =
        mustRead(replaced(kPlainBvh, "End Site\n\t\t{\n\t\t\tOFFSET 0 -3 1\n\t\t}\n", ""));
    EXPECT_EQ(file.joints.size(), 2U);
    EXPECT_EQ(lines(file.warnings), "");
}

TEST(BvhDialect, OddChannelListsAreKeptAsListed) {
    const BvhMotion m = mustInterpret(
        "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 4 Xrotation Xrotation Yrotation Zrotation }"
        " MOTION Frames: 1 Frame Time: 1 10 20 30 40");
    const Quat expected = quatAboutAxis(0, radians(30)) * quatAboutAxis(1, radians(30)) *
                          quatAboutAxis(2, radians(40));
    EXPECT_LT(angleBetween(m.motion.pose(0).parent_from_joint[0].rotation, expected), 1e-15);
    EXPECT_TRUE(contains(lines(m.warnings), "no Euler order"));
    const BvhMotion proper = mustInterpret(
        "HIERARCHY ROOT R { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Zrotation }"
        " MOTION Frames: 1 Frame Time: 1 10 20 30");
    EXPECT_EQ(proper.skeleton.joint(jointId(0)).order, EulerOrder::Zxz);
    EXPECT_EQ(lines(proper.warnings), "");
}

TEST(BvhDialect, SmallSlipsAreWarnings) {
    expectReadsAsPlain(replaced(kPlainBvh, "HIERARCHY\n", ""), "HIERARCHY is missing");
    expectReadsAsPlain(replaced(kPlainBvh, "ROOT", "JOINT"), "read as a ROOT");
    expectReadsAsPlain(replaced(kPlainBvh, "OFFSET 0 -4 0", "OFFSET 1 1 1 OFFSET 0 -4 0"),
                       "has two OFFSET lines");
    EXPECT_TRUE(contains(lines(mustRead(replaced(kPlainBvh, "\t\tOFFSET 0 -4 0\n", "")).warnings),
                         "without OFFSET"));
}

TEST(BvhError, SaysWhatWhereAndTheText) {
    EXPECT_TRUE(contains(errorOf(""), "the file has no joints"));
    EXPECT_TRUE(contains(errorOf("PNG garbage"),
                         "ROOT or MOTION was expected: 'PNG' (is this a BVH file?)"));
    EXPECT_TRUE(contains(errorOf(replaced(kPlainBvh, "Hips\n{", "Hips\n")),
                         "test.bvh:4:2: '{' was expected"));
    EXPECT_TRUE(contains(errorOf(replaced(kPlainBvh, "OFFSET 0 -4 0", "OFFSET 0 -4")),
                         "test.bvh:9:3: a number was expected: 'CHANNELS'"));
    EXPECT_TRUE(contains(
        errorOf(replaced(kPlainBvh, "Yposition", "Ypositoin")),
        "test.bvh:5:23: a channel name was expected: 'Ypositoin' (did you mean 'Yposition'"));
    EXPECT_TRUE(contains(errorOf(replaced(kPlainBvh, "CHANNELS 6", "CHANNELS 5")),
                         "more channel names than CHANNELS says: 'Yrotation'"));
    EXPECT_TRUE(contains(errorOf(replaced(kPlainBvh, "CHANNELS 3", "CHANNELS 4")),
                         "test.bvh:10:3: a channel name was expected: 'End'"));
    EXPECT_TRUE(contains(errorOf(replaced(kPlainBvh, "CHANNELS 3", "CHANNELS 2000000000")),
                         "channel name"));
    EXPECT_TRUE(
        contains(errorOf(replaced(kPlainBvh, "CHANNELS 3", "CHANNELS -3")), "number of channels"));
    EXPECT_TRUE(
        contains(errorOf(replaced(kPlainBvh, "CHANNELS 3", "CHANNELS 1.5")), "number of channels"));
    EXPECT_TRUE(contains(errorOf(replaced(kPlainBvh, "Frames: 2", "Frames: two")),
                         "a number was expected: 'two'"));
    EXPECT_TRUE(
        contains(errorOf(replaced(kPlainBvh, "Frames: 2", "Frames: -2")), "number of frames"));
    EXPECT_TRUE(
        contains(errorOf(replaced(kPlainBvh, "9.5", "9,5x")), "a number was expected: '9,5x'"));
    EXPECT_TRUE(
        contains(errorOf(replaced(kPlainBvh, "\t}\n}\n", "\t}\n")), "OFFSET, CHANNELS, JOINT"));
    EXPECT_TRUE(contains(errorOf("HIERARCHY ROOT A {"),
                         "test.bvh:1:11: the file ends inside this joint: 'A'"));
    EXPECT_TRUE(contains(
        errorOf(replaced(kPlainBvh, "OFFSET 0 -3 1", "OFFSET 0 -3 1 JOINT B { OFFSET 0 0 0 }")),
        "an End Site cannot have joints"));
}

}  // namespace
}  // namespace ulna::io
