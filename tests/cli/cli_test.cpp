// SPDX-License-Identifier: Apache-2.0

// The `ulna` tool as users and their scripts meet it: output, errors, exit codes.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/bvh_texts.h"
#include "support/command.h"
#include "support/paths.h"
#include "support/text.h"

namespace ulna::test {
namespace {

class Cli : public testing::Test {
  protected:
    void SetUp() override { writeText(scratchFolder() + "/plain.bvh", std::string(kPlainBvh)); }

    static void expectFails(const std::string& command, int code, const std::string& message) {
        const CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, code) << command << r.err;
        EXPECT_TRUE(contains(r.err, message)) << command;
        EXPECT_EQ(r.out, "") << command;
    }
};

TEST_F(Cli, WithoutAVerbItShowsHelpAndFails) {
    const CommandResult r = shell("$ULNA");
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_TRUE(contains(r.err, "info"));
}

TEST_F(Cli, HelpAndVersionGoToStdout) {
    EXPECT_TRUE(contains(shell("$ULNA --help").out, "convert"));
    EXPECT_EQ(shell("$ULNA --version").out, "ulna " + test::expectedVersion() + "\n");
    for (const char* verb : {"info", "fk", "ik", "convert", "diff", "skin", "weights", "draw",
                             "view", "completion", "man"}) {
        const CommandResult r = shell(std::string("$ULNA ") + verb + " --help");
        EXPECT_EQ(r.exit_code, 0);
        EXPECT_TRUE(contains(r.out, "Examples:")) << verb;
        EXPECT_TRUE(contains(r.out, "--json")) << verb;
    }
}

TEST_F(Cli, UsageErrorsExitWithTwoAndSuggest) {
    expectFails("$ULNA inof plain.bvh", 2, "there is no verb 'inof' (did you mean 'info'?)");
    expectFails("$ULNA info", 2, "file is required");
    expectFails("$ULNA fk plain.bvh --wrong", 2, "--wrong");
    expectFails("$ULNA fk plain.bvh --frame 1 --all", 2, "--all");
    expectFails("$ULNA fk plain.bvh --frame 2", 2, "there is no frame 2; they are 0 to 1");
    expectFails("$ULNA fk plain.bvh --frame -1", 2, "there is no frame -1");
    expectFails("$ULNA fk plain.bvh --frame x", 2, "--frame");
    expectFails("$ULNA info plain.fbx", 2, "known endings");
    expectFails("$ULNA fk $ASSETS/ulna-character.rig.json --clip wlak", 2, "did you mean 'walk'?");
    expectFails("$ULNA info a.csv", 2, "CSV is written, not read");
    expectFails("$ULNA --json", 2, "--json");
}

TEST_F(Cli, BadInputExitsWithThreeSaysWhereAndWritesNothing) {
    writeText(scratchFolder() + "/bad.bvh", replaced(kPlainBvh, "9.5", "nan"));
    expectFails("$ULNA info bad.bvh", 3, "bad.bvh:20:3: the number is not finite: 'nan'");
    expectFails("$ULNA convert bad.bvh out.bvh", 3, "bad.bvh:20:3");
    EXPECT_FALSE(std::filesystem::exists(scratchFolder() + "/out.bvh"));
    expectFails("$ULNA info missing.bvh", 3,
                "missing.bvh: cannot be opened: No such file or directory");
    writeText(scratchFolder() + "/bad.rig.json", "{\"ulna\":1,\"joints\":[{\"name\":3}]}");
    expectFails("$ULNA info bad.rig.json", 3,
                "bad.rig.json: joints[0].name: a string was expected");
    writeText(scratchFolder() + "/empty.bvh", "");
    expectFails("$ULNA info empty.bvh", 3, "no joints");
    expectFails("mkdir -p folder.bvh; $ULNA info folder.bvh", 3, "Is a directory");
}

TEST_F(Cli, WarningsGoToStderrAndQuietSilencesThem) {
    writeText(scratchFolder() + "/more.bvh", replaced(kPlainBvh, "Frames: 2", "Frames: 3"));
    CommandResult r = shell("$ULNA fk more.bvh");
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_TRUE(contains(r.err, "warning: more.bvh:17:1: 'Frames:' announces more"));
    EXPECT_EQ(r.err.find('\033'), std::string::npos);  // no colour into a file
    EXPECT_EQ(shell("$ULNA fk more.bvh --quiet").err, "");
    expectFails("$ULNA fk more.bvh --strict-input", 3, "announces more");
    EXPECT_TRUE(contains(shell("$ULNA info more.bvh").out, "1 warning:\n  more.bvh:17:1"));
    EXPECT_TRUE(contains(shell("$ULNA info more.bvh --json").out, "\"line\":17,\"column\":1"));
}

TEST_F(Cli, ColourIsForTerminalsAndNeverWithNoColor) {
    // `script` gives the tool a terminal.
    const std::string command = "script -qec \"$ULNA info missing.bvh\" /dev/null";
    EXPECT_TRUE(contains(shell("TERM=xterm " + command).out, "\033[1;31merror:"));
    EXPECT_EQ(shell("NO_COLOR=1 TERM=xterm " + command).out.find("\033[1"), std::string::npos);
}

TEST_F(Cli, FkJsonHasThePromisedShape) {
    const CommandResult r = shell("$ULNA fk plain.bvh --json");
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_EQ(r.out,
              "{\"ulna\":1,\"joints\":[\"Hips\",\"Knee\",\"Knee_end\"],\"parents\":[-1,0,1],"
              "\"frames\":[{\"frame\":0,\"time\":0,"
              "\"positions\":[[0,9,0],[0,5,0],[0,2,1]],\"rotations\":[[0,0,0,1],[0,0,0,1],[0,0,0,1]"
              "]}]}\n");
    EXPECT_TRUE(contains(shell("$ULNA fk plain.bvh --frames 1,0 --json").out,
                         "\"frame\":1,\"time\":0.025"));
    EXPECT_TRUE(contains(shell("$ULNA fk plain.bvh --times 0.0125 --json").out,
                         "\"frame\":0.5,\"time\":0.0125,\"positions\":[[0.5,9.25,-1]"));
    EXPECT_TRUE(contains(shell("$ULNA fk plain.bvh --rest --json").out, "\"frame\":null"));
    EXPECT_TRUE(contains(shell("$ULNA fk plain.bvh --times 9").err, "outside the clip"));
}

TEST_F(Cli, FkReadsStandardInput) {
    EXPECT_EQ(shell("$ULNA fk - < plain.bvh").out, shell("$ULNA fk plain.bvh").out);
    EXPECT_EQ(shell("cat plain.bvh | $ULNA fk - --json").out,
              shell("$ULNA fk plain.bvh --json").out);
}

TEST_F(Cli, OneThreadAndTwoPrintTheSameBytes) {
    const std::string one =
        shell("$ULNA fk $ASSETS/ulna-character.bvh --all --json --threads 1").out;
    EXPECT_GT(one.size(), 100000U);
    EXPECT_EQ(one, shell("$ULNA fk $ASSETS/ulna-character.bvh --all --json --threads 2").out);
}

TEST_F(Cli, ARigWithOrderXzxGoesThroughFkLikeAnyOther) {
    writeText(
        scratchFolder() + "/tbt.rig.json",
        R"({"ulna":1,"joints":[{"name":"a","order":"xzx"},{"name":"b","parent":"a","kind":"fixed","offset":[2,0,0]}],
                 "clips":[{"frame_time":1,"frames":[[90,90,0]]}]})");
    const CommandResult r = shell("$ULNA fk tbt.rig.json");
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_TRUE(contains(r.out, "b                0            0            2"));
}

TEST_F(Cli, ConvertKeepsABvhToTheNumber) {
    EXPECT_EQ(shell("$ULNA convert plain.bvh same.bvh").exit_code, 0);
    const CommandResult r =
        shell("$ULNA diff plain.bvh same.bvh --tolerance 0 --angle-tolerance 0 --json");
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_TRUE(contains(r.out, "\"position\":{\"max\":0,"));
    EXPECT_TRUE(
        contains(readText(scratchFolder() + "/same.bvh"), "1 9.5 -2 10 20 30 -5 40.25 0.01\n"));
}

TEST_F(Cli, ConvertGoesThroughARigAndBack) {
    EXPECT_EQ(
        shell(
            "$ULNA convert $ASSETS/ulna-character.bvh c.rig.json && $ULNA convert c.rig.json c.bvh")
            .exit_code,
        0);
    const CommandResult r = shell(
        "$ULNA diff $ASSETS/ulna-character.bvh c.bvh --tolerance 1e-9 --angle-tolerance 1e-6");
    EXPECT_EQ(r.exit_code, 0) << r.out << r.err;
}

TEST_F(Cli, ConvertChangesOrderScaleAxisAndRateWhenAsked) {
    EXPECT_EQ(shell("$ULNA convert $ASSETS/ulna-character.bvh o.bvh --order yzx").exit_code, 0);
    EXPECT_EQ(
        shell(
            "$ULNA diff $ASSETS/ulna-character.bvh o.bvh --tolerance 1e-12 --angle-tolerance 1e-6")
            .exit_code,
        0);
    EXPECT_TRUE(
        contains(readText(scratchFolder() + "/o.bvh"), "CHANNELS 3 Yrotation Zrotation Xrotation"));
    EXPECT_EQ(shell("$ULNA convert plain.bvh cm.bvh --scale 100").exit_code, 0);
    EXPECT_TRUE(contains(shell("$ULNA fk cm.bvh --json").out,
                         "\"positions\":[[0,900,0],[0,500,0],[0,200,100]]"));
    EXPECT_EQ(shell("$ULNA convert plain.bvh z.bvh --up z --from-up y").exit_code, 0);
    EXPECT_TRUE(
        contains(shell("$ULNA fk z.bvh").out, "Knee_end            0           -1            2"));
    EXPECT_EQ(shell("$ULNA convert plain.bvh fast.bvh --fps 80").exit_code, 0);
    EXPECT_TRUE(contains(shell("$ULNA info fast.bvh").out, "3 frames at 80 fps"));
    expectFails("$ULNA convert plain.bvh a.bvh --fps 0", 2, "--fps");
    expectFails("$ULNA convert plain.bvh a.bvh --scale -1", 2, "--scale");
    expectFails("$ULNA convert plain.bvh a.bvh --order xxx", 2, "--order");
}

TEST_F(Cli, ConvertWritesCsvAndReportsInJson) {
    const CommandResult r = shell("$ULNA convert plain.bvh p.csv --json");
    EXPECT_EQ(r.out, "{\"ulna\":1,\"input\":\"plain.bvh\",\"output\":\"p.csv\",\"warnings\":[]}\n");
    EXPECT_TRUE(contains(readText(scratchFolder() + "/p.csv"), "frame,time,Hips.x,"));
    EXPECT_EQ(shell("$ULNA convert plain.bvh d.csv --csv dofs").exit_code, 0);
    EXPECT_TRUE(contains(readText(scratchFolder() + "/d.csv"), "1,0.025,1,9.5,-2,"));
}

TEST_F(Cli, ConvertRefusesOptionsThatSayNothing) {
    expectFails("$ULNA convert plain.bvh a.bvh --clip nope", 2, "no clip 'nope'");
    expectFails("$ULNA convert plain.bvh a.bvh --from-up z", 2, "--from-up needs --up");
    expectFails("$ULNA convert plain.bvh a.bvh --csv dofs", 2, "--csv is for");
    expectFails("$ULNA convert plain.bvh a.csv --order xyz", 2, "--order is for");
    expectFails("$ULNA convert plain.bvh a.csv --root-only-positions", 2, "is for .bvh");
    expectFails("$ULNA convert plain.bvh -", 2, "needs a name");
    writeText(scratchFolder() + "/none.rig.json", R"({"ulna":1,"joints":[]})");
    expectFails("$ULNA convert none.rig.json none.bvh", 1, "at least one joint");
}

TEST_F(Cli, ConvertKeepsARigToTheNumber) {
    // Angles beyond a turn and several clips survive; only lengths scale.
    writeText(
        scratchFolder() + "/turn.rig.json",
        R"({"ulna":1,"joints":[{"name":"r","kind":"free"},{"name":"h","parent":"r","kind":"hinge","limits":[[180,540]]}],
                 "clips":[{"name":"one","frame_time":1,"frames":[[1,2,3,0,0,0,400]]},{"name":"two","frame_time":1,"frames":[[0,0,0,0,0,0,200]]}]})");
    ASSERT_EQ(shell("$ULNA convert turn.rig.json turn2.rig.json --scale 10").exit_code, 0);
    const std::string text = readText(scratchFolder() + "/turn2.rig.json");
    EXPECT_TRUE(contains(text, "[10.0,20.0,30.0,0.0,0.0,0.0,400.0]"));
    EXPECT_TRUE(contains(text, "\"two\""));
    EXPECT_TRUE(contains(shell("$ULNA convert turn.rig.json turn.bvh").err, "one clip of 2"));
}

TEST_F(Cli, ConvertDropsLimitsThatBelongToAnotherOrder) {
    writeText(
        scratchFolder() + "/lim.rig.json",
        R"({"ulna":1,"joints":[{"name":"a","order":"zxy","limits":[[-5,5],[-90,0],[-30,30]]}]})");
    const CommandResult r = shell("$ULNA convert lim.rig.json lim2.rig.json --order xyz");
    EXPECT_TRUE(
        contains(r.err, "limits on angles are dropped where the rotation order changes: 'a'"));
    EXPECT_EQ(readText(scratchFolder() + "/lim2.rig.json").find("limits"), std::string::npos);
}

TEST_F(Cli, PositionChannelsThatAreAddedAreWrittenAsTheyWereRead) {
    writeText(scratchFolder() + "/off.bvh", replaced(kPlainBvh, "OFFSET 0 0 0", "OFFSET 5 0 0"));
    ASSERT_EQ(shell("$ULNA convert off.bvh added.bvh --position-channels add").exit_code, 0);
    EXPECT_TRUE(contains(shell("$ULNA fk added.bvh --json").out, "\"positions\":[[5,9,0]"));
}

TEST_F(Cli, OutputThroughALinkKeepsTheLink) {
    ASSERT_EQ(
        shell(
            "touch target.svg && ln -sf target.svg link.svg && $ULNA draw plain.bvh --out link.svg")
            .exit_code,
        0);
    EXPECT_EQ(shell("test -L link.svg && grep -c '<svg' target.svg").out, "1\n");
    EXPECT_TRUE(contains(shell("$ULNA draw plain.bvh --out /dev/stdout").out, "<svg"));
}

TEST_F(Cli, NamesThatAreNotUtf8BecomeReadable) {
    writeText(scratchFolder() + "/latin.bvh",
              replaced(kPlainBvh, "JOINT Knee", "JOINT Kn\xe4\x1b"));
    const CommandResult r = shell("$ULNA fk latin.bvh");
    EXPECT_TRUE(contains(r.out, "Kn\xc3\xa4_"));
    EXPECT_TRUE(contains(r.err, "read as Latin-1"));
    EXPECT_EQ(
        shell("$ULNA convert latin.bvh latin.rig.json && $ULNA info latin.rig.json").exit_code, 0);
}

TEST_F(Cli, RatesBeyondReasonAreRefusedNotTried) {
    writeText(scratchFolder() + "/slow.bvh", replaced(kPlainBvh, "0.025", "1e9"));
    expectFails("$ULNA convert slow.bvh a.bvh --fps 1", 1, "over ten million frames");
}

TEST_F(Cli, FailedWritesLeaveNothingBehind) {
    expectFails("$ULNA convert plain.bvh nowhere/out.bvh", 1, "cannot be written");
    const CommandResult full = shell("$ULNA fk plain.bvh > /dev/full");
    EXPECT_EQ(full.exit_code, 1);
    EXPECT_TRUE(contains(full.err, "stdout cannot be written"));
    EXPECT_EQ(shell("ls -A | grep -c part").out, "0\n");
    EXPECT_EQ(shell("ls nowhere").out, "");
}

TEST_F(Cli, DiffFindsTheWorstJointAndFrame) {
    writeText(scratchFolder() + "/other.bvh", replaced(kPlainBvh, "1 9.5 -2", "1 9.75 -2"));
    const CommandResult r = shell("$ULNA diff plain.bvh other.bvh");
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_TRUE(contains(r.out, "largest position difference  0.25  at Hips, frame 1"));
    EXPECT_EQ(shell("$ULNA diff plain.bvh other.bvh --tolerance 0.2").exit_code, 1);
    EXPECT_EQ(shell("$ULNA diff plain.bvh other.bvh --tolerance 0.3").exit_code, 0);
    expectFails(
        "$ULNA diff plain.bvh $ASSETS/ulna-character.bvh | grep nothing; $ULNA diff plain.bvh "
        "missing.bvh",
        3, "missing");
}

TEST_F(Cli, DrawWritesAPictureOrPrintsIt) {
    EXPECT_EQ(shell("$ULNA draw plain.bvh --out p.svg").exit_code, 0);
    EXPECT_TRUE(contains(readText(scratchFolder() + "/p.svg"), "<svg "));
    EXPECT_TRUE(
        contains(shell("$ULNA draw plain.bvh --view side --names").out, ">Knee_end</text>"));
    EXPECT_TRUE(
        contains(shell("$ULNA draw plain.bvh --all --out s.svg --json").out, "\"figures\":2"));
    EXPECT_EQ(shell("$ULNA draw $ASSETS/ulna-character.bvh --strip 5 -o s.svg && rsvg-convert "
                    "s.svg -o s.png")
                  .exit_code,
              0);
    expectFails("$ULNA draw plain.bvh --view top", 2, "--view");
    expectFails("$ULNA draw plain.bvh --strip 999", 2, "at most");
    expectFails("$ULNA draw plain.bvh --json", 2, "--out");
    expectFails("$ULNA draw plain.bvh --out p.jpg", 2, "should end in .svg");
}

TEST_F(Cli, CompletionScriptsWorkInTheirShells) {
    EXPECT_EQ(shell("$ULNA completion bash > c.bash && bash -n c.bash").exit_code, 0);
    const CommandResult verbs = shell(
        "bash -c 'source c.bash; COMP_WORDS=(ulna co); COMP_CWORD=1; _ulna; echo ${COMPREPLY[@]}'");
    EXPECT_EQ(verbs.out, "convert completion\n");
    const CommandResult views = shell(
        "bash -c 'source c.bash; COMP_WORDS=(ulna draw --view s); COMP_CWORD=3; _ulna; echo "
        "${COMPREPLY[@]}'");
    EXPECT_EQ(views.out, "side\n");
    const CommandResult files = shell(
        "bash -c 'source c.bash; COMP_WORDS=(ulna fk pl); COMP_CWORD=2; _ulna; echo "
        "${COMPREPLY[@]}'");
    EXPECT_EQ(files.out, "plain.bvh\n");
    EXPECT_EQ(shell("$ULNA completion zsh > _ulna && zsh -n _ulna").exit_code, 0);
    expectFails("$ULNA completion fish", 2, "fish");
}

TEST_F(Cli, TheManPageIsValidAndComplete) {
    const CommandResult r = shell(
        "$ULNA man > ulna.1 && mandoc -T lint -W error ulna.1 && mandoc -T utf8 ulna.1 | sed "
        "'s/.\x08//g'");
    EXPECT_EQ(r.exit_code, 0) << r.out << r.err;
    for (const char* word : {"--position-channels", "convert", "three-quarter", "NO_COLOR"})
        EXPECT_TRUE(contains(r.out, word));
}

TEST_F(Cli, LargeFilesShowProgressOnStderr) {
    // Over a second of work: progress is plain lines, because stderr is no terminal here.
    std::string text(kPlainBvh.substr(0, kPlainBvh.find("Frames")));
    text += "Frames: 200000\nFrame Time: 0.01\n";
    for (int i = 0; i < 200000; ++i) text += "1 9.5 -2 10 20 30 -5 40.25 0.01\n";
    writeText(scratchFolder() + "/large.bvh", text);
    const CommandResult r = shell("$ULNA fk large.bvh --all --json > /dev/null");
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_TRUE(r.err.empty() || contains(r.err, "fk: "));
    EXPECT_EQ(shell("$ULNA fk large.bvh --all --json --quiet > /dev/null").err, "");
}

}  // namespace
}  // namespace ulna::test
