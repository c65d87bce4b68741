// SPDX-License-Identifier: Apache-2.0

// ulna pack, as users meet it; `ulna diff` is the judge of what comes back.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/text.h"

namespace ulna::test {
namespace {

const std::string kRun = "$ASSETS/ulna-run.bvh";

std::string path(const std::string& name) {
    return scratchFolder() + "/" + name;
}
CommandResult works(const std::string& command) {
    CommandResult r = shell(command);
    EXPECT_EQ(r.exit_code, 0) << command << '\n' << r.err;
    return r;
}
void fails(const std::string& command, int code, const std::string& message) {
    const CommandResult r = shell(command);
    EXPECT_EQ(r.exit_code, code) << command << '\n' << r.err;
    EXPECT_TRUE(contains(r.err, message)) << command << '\n' << r.err;
}

TEST(PackVerb, PacksAClipAndGivesItBack) {
    const nlohmann::json told =
        nlohmann::json::parse(works("$ULNA pack " + kRun + " -o run.ulnaclip --json --quiet").out);
    EXPECT_LE(told["worst_error"].get<double>(), told["packed"]["tolerance"].get<double>());
    EXPECT_NEAR(told["packed"]["tolerance"].get<double>(), 1e-4, 1e-5);
    EXPECT_NEAR(told["packed"]["reach"].get<double>(), 0.03, 3e-3);
    EXPECT_EQ(told["packed"]["bytes"].get<std::size_t>(), readText(path("run.ulnaclip")).size());
    EXPECT_GT(told["packed"]["ratio"].get<double>(), 20.0);
    works("$ULNA pack " + kRun + " --packed run.ulnaclip -o back.bvh");
    works("$ULNA diff " + kRun + " back.bvh --tolerance 0.0002 --angle-tolerance 0.3");
    // A packed clip is written over by another, and another file is not.
    works("$ULNA pack " + kRun + " -o run.ulnaclip");
    writeText(path("notes.ulnaclip"), "what I thought of that clip");
    fails("$ULNA pack " + kRun + " -o notes.ulnaclip", 2, "it is not a packed clip");
    // A wider tolerance needs fewer bytes, and says so.
    works("$ULNA pack " + kRun + " --tolerance 0.01 --fps 15 -o small.ulnaclip");
    EXPECT_LT(readText(path("small.ulnaclip")).size(), readText(path("run.ulnaclip")).size());
    const nlohmann::json small = nlohmann::json::parse(
        works("$ULNA pack " + kRun + " --packed small.ulnaclip -o small.glb --json").out);
    EXPECT_NEAR(small["packed"]["frame_time"].get<double>(), 1.0 / 15.0, 1e-9);
    EXPECT_TRUE(small["worst_error"].is_null());
}

TEST(PackVerb, SaysWhatIsWrong) {
    fails("$ULNA pack " + kRun + " -o run.bvh", 2, "must end in .ulnaclip");
    fails("$ULNA pack " + kRun + " --tolerance 0 -o a.ulnaclip", 2, "above 0");
    const std::string post =
        "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
        "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\n";
    writeText(path("empty.bvh"), post + "Frames: 0\nFrame Time: 0.1\n");
    fails("$ULNA pack empty.bvh -o a.ulnaclip", 2, "no clip to pack");
    works("$ULNA pack " + kRun + " -o a.ulnaclip");
    fails("$ULNA pack " + kRun + " --packed a.ulnaclip -o b.ulnaclip", 2, "not packed again");
    fails("$ULNA pack " + kRun + " --packed a.ulnaclip --fps 3 -o b.bvh", 2, "--fps");
    writeText(path("bad.ulnaclip"), "ulnaclip, but nothing else");
    fails("$ULNA pack " + kRun + " --packed bad.ulnaclip -o b.bvh", 3, "bad.ulnaclip");
    writeText(path("post.bvh"), post + "Frames: 1\nFrame Time: 0.1\n0 0 0\n");
    fails("$ULNA pack post.bvh --packed a.ulnaclip -o b.bvh", 3, "another skeleton");
}

}  // namespace
}  // namespace ulna::test
