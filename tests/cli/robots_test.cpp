// SPDX-License-Identifier: Apache-2.0

// Robots in the tool, as users and their scripts meet them.
#include <gtest/gtest.h>

#include "support/command.h"
#include "support/robots.h"
#include "support/text.h"

namespace ulna::test {
namespace {

class RobotsVerb : public testing::Test {
  protected:
    void SetUp() override {
        writeText(
            path("arm.xml"),
            mjcfText(
                "<body name='base' pos='0 0 1'><freejoint/><geom type='box' size='.1 .1 .1'/>"
                "<body name='arm' pos='0 0 0.2'><joint name='hinge' axis='0 1 0' range='-1 1'/>"
                "<geom type='capsule' size='0.05' fromto='0 0 0 0 0 0.5'/>"
                "<body name='hand' pos='0 0 0.5'/></body></body>"));
        writeText(path("arm.urdf"),
                  urdfText("<joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
                           "<limit velocity='2'/></joint>"));
        writeText(path("motion.robot.csv"), "0,0,1,0,0,0,1,0\n1,0,1,0,0,0,1,0.5\n");
    }
    static std::string path(const std::string& name) { return scratchFolder() + "/" + name; }
    static CommandResult works(const std::string& command) {
        CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, 0) << command << '\n' << r.err;
        return r;
    }
    static void fails(const std::string& command, int code, const std::string& message) {
        const CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, code) << command << '\n' << r.err;
        EXPECT_TRUE(contains(r.err, message)) << command;
    }
};

TEST_F(RobotsVerb, AreReadByEveryVerb) {
    const std::string info = works("$ULNA info arm.xml").out;
    EXPECT_TRUE(contains(info, "MuJoCo XML"));
    EXPECT_TRUE(contains(info, "hinge  [-57.3..57.3]"));
    EXPECT_TRUE(contains(works("$ULNA info arm.urdf").out, "URDF"));
    EXPECT_TRUE(contains(works("$ULNA fk arm.xml --rest").out, "hand"));
    works("$ULNA ik arm.xml --goal hand=0.2,0,1.6 --out reached.rig.json --quiet");
    works("$ULNA draw arm.xml --out arm.svg --quiet");
    works("$ULNA draw arm.xml --out arm.png --height 100 --quiet");
    works("$ULNA convert arm.urdf arm.glb --quiet");
}

TEST_F(RobotsVerb, AreReadWhateverTheNameOfTheirXml) {
    works("cp arm.urdf robot.xml && $ULNA info robot.xml");
    EXPECT_TRUE(contains(shell("$ULNA info robot.xml").out, "URDF"));
}

TEST_F(RobotsVerb, MoveByTablesThatReadBackTheSame) {
    works("$ULNA convert arm.xml moving.glb --motion motion.robot.csv --quiet");
    works("$ULNA convert arm.xml again.robot.csv --motion motion.robot.csv");
    EXPECT_EQ(readText(path("again.robot.csv")), readText(path("motion.robot.csv")));
    works("$ULNA convert arm.xml first.robot.csv --motion motion.robot.csv --header");
    EXPECT_TRUE(contains(readText(path("first.robot.csv")), "root_qw,hinge\n"));
    works("$ULNA convert arm.xml slow.npz --motion motion.robot.csv --motion-fps 10");
    const std::string fk =
        works(
            "$ULNA convert arm.xml r.rig.json --motion motion.robot.csv --quiet && "
            "$ULNA fk r.rig.json --frame 1 --json")
            .out;
    EXPECT_TRUE(contains(fk, "[1,0,1]"));
}

TEST_F(RobotsVerb, WarnOfSpeedsWhereATableIsWritten) {
    const CommandResult r =
        works("$ULNA convert arm.urdf fast.robot.csv --motion motion.robot.csv --motion-fps 30");
    EXPECT_TRUE(contains(
        r.err, "a joint moves at up to 15 rad/s (from frame 0 to the next), its limit is 2 rad/s"));
}

TEST_F(RobotsVerb, FailWithTheLocationAndTheRightCode) {
    writeText(path("bad.urdf"), "<robot>\n<link nam='a'/></robot>");
    fails("$ULNA info bad.urdf", 3, "bad.urdf:2:2: <link> has no 'name'");
    writeText(path("bad.xml"), "<!DOCTYPE a><mujoco/>");
    fails("$ULNA convert bad.xml out.glb", 3, "bad.xml:1:1: a document type is not read");
    fails("$ULNA convert arm.xml out.urdf", 2, "URDF is only read");
    fails("$ULNA convert arm.xml out.xml", 2, "MuJoCo XML is only read");
    fails("$ULNA info motion.robot.csv", 2, "it has no skeleton");
    fails("$ULNA convert arm.xml out.glb --header", 2, "--header is for .robot.csv files");
    fails("$ULNA convert arm.xml out.glb --quaternion wxyz", 2, "--quaternion is for .robot.csv");
    fails("$ULNA convert arm.xml out.glb --motion-fps 0", 2, "--motion-fps must be above 0");
    writeText(path("short.robot.csv"), "1,2,3\n");
    fails("$ULNA convert arm.xml out.glb --motion short.robot.csv", 3,
          "short.robot.csv:1:1: the row has 3 values instead of 8");
}

}  // namespace
}  // namespace ulna::test
