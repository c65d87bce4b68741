// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/robot_motion.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/robots.h"
#include "support/skeletons.h"
#include "support/text.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/io/detail/stored_zip.h"
#include "ulna/io/mjcf.h"
#include "ulna/math/random.h"

namespace ulna::io {
namespace {

using test::contains;

// A base, a hinge whose zero is elsewhere, one that slides, and a link that is welded.
RobotFile robot() {
    Result<RobotFile> out = readMjcf(
        test::mjcfText("<body name='base'><freejoint/><body name='weld'/>"
                       "<body><joint name='hinge' ref='0.25'/></body>"
                       "<body><joint name='slide' type='slide' axis='1 0 0'/></body></body>"),
        "test.xml");
    EXPECT_TRUE(out.ok());
    return *std::move(out);
}

// Two frames: the base at (1, 2, 3), half a revolution about x and then a bit more.
Motion motionOf(const RobotFile& robot) {
    const Skeleton& s = robot.skeleton;
    DofClip clip{.name = "m", .frame_time = 0.02, .frames = {}};
    for (const double t : {0.0, 0.1}) {
        DofVector dofs(s.dofCount(), 0.0);
        dofs[0] = 1.0, dofs[1] = 2.0, dofs[2] = 3.0;
        dofs[5] = kPi + t;  // the last of z, y, x
        dofs[s.firstDof(s.find("hinge"))] = 0.5 + t;
        dofs[s.firstDof(s.find("slide"))] = -0.125;
        clip.frames.push_back(dofs);
    }
    return computeMotion(s, clip);
}

std::string csvOf(const RobotFile& robot, const RobotCsvOptions& options = {}) {
    const Motion motion = motionOf(robot);
    const RobotTable table = tableOf(robot);
    std::string out;
    writeRobotCsv(table,
                  makeRobotMotion(table, motion, computeDofClip(robot.skeleton, motion).clip),
                  options, [&](std::string_view piece) {
                      out += piece;
                      return true;
                  });
    return out;
}

std::string errorOf(const std::string& text) {
    const RobotFile r = robot();
    const Result<Motion> motion = readRobotCsv(text, "m.robot.csv", r.skeleton, tableOf(r), 0.02);
    return motion ? "" : describe(motion.error());
}

TEST(RobotTable, HasTheJointsThatMoveAndTheirReferences) {
    const RobotFile r = robot();
    const RobotTable table = tableOf(r);
    EXPECT_EQ(r.skeleton.name(table.base), "base");
    ASSERT_EQ(table.columns.size(), 2U);
    EXPECT_EQ(table.columns[0].name, "hinge");
    EXPECT_EQ(table.columns[0].reference, 0.25);
    EXPECT_EQ(table.columns[1].name, "slide");
}

TEST(RobotTable, OfAnyBodyHasEveryCoordinateButThoseOfItsBase) {
    const Skeleton skeleton = test::everyKind();
    const RobotTable table = tableOf(skeleton);
    std::size_t base_dofs = 0;
    for (const JointId root : skeleton.roots())
        if (skeleton.kind(root) == JointKind::Free) base_dofs += 6;
    EXPECT_EQ(table.columns.size() + base_dofs, skeleton.dofCount());
}

TEST(RobotCsv, HasARowPerFrameWithBaseQuaternionAndJoints) {
    const std::string text = csvOf(robot());
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
    const std::string first = text.substr(0, text.find('\n'));
    EXPECT_TRUE(first.starts_with("1,2,3,1,0,0,")) << first;
    EXPECT_TRUE(first.ends_with(",0.75,-0.125")) << first;
}

TEST(RobotCsv, KeepsTheSignOfQuaternionsFromFrameToFrame) {
    const RobotFile r = robot();
    const Motion motion = motionOf(r);
    const RobotTable table = tableOf(r);
    const RobotMotion rows =
        makeRobotMotion(table, motion, computeDofClip(r.skeleton, motion).clip);
    EXPECT_GT(dot(rows.base_rotations[0], rows.base_rotations[1]), 0.9);
}

TEST(RobotCsv, MayHaveAHeaderAndQuaternionsWithWFirst) {
    const std::string text = csvOf(robot(), {.header = true, .w_first = true});
    EXPECT_TRUE(text.starts_with(
        "root_x,root_y,root_z,root_qw,root_qx,root_qy,root_qz,hinge,slide\n1,2,3,"));
    const std::string plain = csvOf(robot(), {.w_first = true});
    EXPECT_TRUE(contains(plain, ",1,0,0,0.75,-0.125\n"));
}

TEST(RobotCsv, ReadsBackAsTheSameMotion) {
    const RobotFile r = robot();
    const Motion motion = motionOf(r);
    for (const bool header : {false, true}) {
        for (const bool w_first : {false, true}) {
            const RobotCsvOptions options = {.header = header, .w_first = w_first};
            const Result<Motion> again = readRobotCsv(csvOf(r, options), "m.robot.csv", r.skeleton,
                                                      tableOf(r), 0.02, options);
            ASSERT_TRUE(again.ok()) << describe(again.error());
            ASSERT_EQ(again->frameCount(), 2U);
            EXPECT_EQ(again->frameTime(), 0.02);
            for (std::size_t frame = 0; frame < 2; ++frame) {
                const Pose a = motion.pose(frame), b = again->pose(frame);
                for (const JointId j : r.skeleton.joints()) {
                    EXPECT_LT(distance(a[j].translation, b[j].translation), 1e-15);
                    EXPECT_LT(angleBetween(a[j].rotation, b[j].rotation), 1e-7);
                }
            }
        }
    }
}

TEST(RobotCsv, WithAHeaderHasItsColumnsInAnyOrder) {
    const RobotFile r = robot();
    const Result<Motion> motion = readRobotCsv(
        "slide, hinge,root_qw,root_qx,root_qy,root_qz,root_z,root_y,root_x\r\n\r\n"
        "0.5,0.25,2,0,0,0,3,2,1\r\n",
        "m.robot.csv", r.skeleton, tableOf(r), 0.02);
    ASSERT_TRUE(motion.ok()) << describe(motion.error());
    const DofClip clip = computeDofClip(r.skeleton, *motion).clip;
    EXPECT_EQ(clip.frames.at(0)[0], 1.0);
    EXPECT_EQ(clip.frames.at(0)[2], 3.0);
    EXPECT_NEAR(clip.frames.at(0)[r.skeleton.firstDof(r.skeleton.find("hinge"))], 0.0, 1e-15);
    EXPECT_NEAR(clip.frames.at(0)[r.skeleton.firstDof(r.skeleton.find("slide"))], 0.5, 1e-15);
}

TEST(RobotCsv, NamesThePlaceOfWhatIsWrong) {
    EXPECT_EQ(errorOf("0,0,0,0,0,0,1,0,0\n0,0,0,0,0,0,1,0\n"),
              "m.robot.csv:2:1: the row has 8 values instead of 9: '0' (7 for the base and one for "
              "each joint that moves)");
    EXPECT_TRUE(
        contains(errorOf("0,0,0,0,0,0,1,0,x\n"), "m.robot.csv:1:17: this is not a number: 'x'"));
    EXPECT_TRUE(contains(errorOf("0,0,0,0,0,0,0,0,0\n"), "length zero"));
    EXPECT_TRUE(contains(errorOf("root_x,hing\n"),
                         "neither a joint nor part of the base: 'hing' (did you mean 'hinge'?)"));
    EXPECT_TRUE(contains(errorOf("root_x,root_x\n"), "this column twice"));
    EXPECT_TRUE(contains(errorOf("root_x,hinge\n"), "no column 'root_y'"));
    EXPECT_TRUE(contains(errorOf("0,0,1e101,0,0,0,1,0,0\n"), "too large"));
    EXPECT_TRUE(contains(errorOf("\n\n"), "the table is empty"));
}

TEST(StoredZip, HasTheChecksumOfZip) {
    EXPECT_EQ(detail::crc32Of("123456789"), 0xCBF43926U);  // the check value of CRC-32
    EXPECT_EQ(detail::crc32Of(""), 0U);
}

TEST(RobotFormats, AreChosenByTheNameOfTheFile) {
    const std::string text = test::mjcfText(
        "<body name='base'><freejoint/><body><joint name='h'/>"
        "<geom size='1'/></body></body>");
    const Result<Character> opened = openCharacter(text, "a.xml");
    ASSERT_TRUE(opened.ok());
    ASSERT_EQ(opened->meshes.size(), 1U);
    EXPECT_EQ(opened->meshes[0].weights[0][0].joint, opened->skeleton.find("h"));
    EXPECT_EQ(upAxisOf(*opened), UpAxis::Z);
    EXPECT_EQ(unitSymbol(*opened), "m");
    const Result<CharacterBytes> csv = writeCharacter(contentOf(*opened), FileFormat::RobotCsv);
    ASSERT_TRUE(csv.ok());
    EXPECT_EQ(csv->bytes, "0,0,0,0,0,0,1,0\n");  // the rest pose, as there is no clip
    const Result<CharacterBytes> npz = writeCharacter(contentOf(*opened), FileFormat::Npz);
    ASSERT_TRUE(npz.ok());
    EXPECT_TRUE(npz->bytes.starts_with("PK\x03\x04"));
    EXPECT_FALSE(writeCharacter(contentOf(*opened), FileFormat::Urdf).ok());
    EXPECT_FALSE(openCharacter(csv->bytes, "a.robot.csv").ok());
    EXPECT_FALSE(openCharacter(npz->bytes, "a.npz").ok());
}

TEST(RobotFormats, WarnWhereAClipIsFasterThanTheRobot) {
    const std::string text = test::urdfText(
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
        "<limit velocity='2'/></joint>");
    Result<Character> opened = openCharacter(text, "a.urdf");
    ASSERT_TRUE(opened.ok());
    DofClip clip{.name = {}, .frame_time = 0.1, .frames = {}};
    for (const double angle : {0.0, 0.5}) {
        clip.frames.emplace_back(opened->skeleton.dofCount(), 0.0);
        clip.frames.back().back() = angle;
    }
    opened->clips.emplace_back(computeMotion(opened->skeleton, clip));
    for (const FileFormat format : {FileFormat::RobotCsv, FileFormat::Npz}) {
        const Result<CharacterBytes> written = writeCharacter(contentOf(*opened), format);
        ASSERT_TRUE(written.ok());
        std::string said;
        for (const Diagnostic& warning : written->warnings) said += describe(warning);
        EXPECT_TRUE(contains(said, "moves at up to 5 rad/s"));
    }
}

}  // namespace
}  // namespace ulna::io
