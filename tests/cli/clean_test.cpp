// SPDX-License-Identifier: Apache-2.0

// `ulna clean` as users meet it. What it wrote is judged by the tool's own report on the file that
// it wrote, and by `ulna diff`; tests/retarget/check_clean.py judges it by plain matrices.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/paths.h"

namespace ulna::test {
namespace {

using Json = nlohmann::json;

std::string walk() {
    return sharedData("bvh/games105/walk60.bvh");
}

Json cleaned(const std::string& options) {
    const CommandResult r = shell("$ULNA clean " + options + " --json --quiet");
    EXPECT_EQ(r.exit_code, 0) << options << r.err;
    Json out = Json::parse(r.out, nullptr, false);
    EXPECT_FALSE(out.is_discarded()) << r.out.substr(0, 200);
    return out;
}

void expectRefused(const std::string& options, int exit_code, const std::string& what) {
    const CommandResult r = shell("$ULNA clean " + options);
    EXPECT_EQ(r.exit_code, exit_code) << options << r.err;
    EXPECT_NE(r.err.find(what), std::string::npos) << r.err;
    EXPECT_EQ(r.out, "");
}

TEST(CleanVerb, SaysWhatIsThereAndChangesNothing) {
    const CommandResult r = shell("$ULNA clean " + walk() + " --report");
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_NE(r.out.find("182 frames"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("0 spikes, 0 jumps; 11 contacts"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("before soles in contact move"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("side   part    first    last"), std::string::npos) << r.out;
    EXPECT_EQ(r.out.find("after"), std::string::npos) << r.out;
}

TEST(CleanVerb, LocksFeetAndMovesTheFloor) {
    const Json said = cleaned(walk() + " --feet --floor --out clean_feet.bvh");
    EXPECT_GT(said["feet"]["before"]["slide_most"], 0.2);
    EXPECT_LT(said["feet"]["after"]["slide_most"], 1e-9);
    EXPECT_EQ(said["contacts"]["floor"], 0.0);
    ASSERT_EQ(said["steps"].size(), 2u);
    EXPECT_EQ(said["steps"][0]["step"], "floor");
    EXPECT_EQ(said["steps"][1]["step"], "feet");
    // The file says so too, in other contacts and on a floor that is found again.
    const Json again = cleaned("clean_feet.bvh");
    EXPECT_LT(again["feet"]["before"]["slide_mean"], said["feet"]["before"]["slide_mean"]);
    EXPECT_NEAR(again["contacts"]["floor"], 0.0, 1e-4);
}

TEST(CleanVerb, FloorTakesAHeightOrNone) {
    EXPECT_EQ(cleaned(walk() + " --floor")["contacts"]["floor"], 0.0);
    EXPECT_EQ(cleaned(walk() + " --floor 0.5")["contacts"]["floor"], 0.5);
    const Json stated = cleaned(walk() + " --floor -2 --floor-from 0.25");
    EXPECT_EQ(stated["feet"]["floor_before"], 0.25);
    EXPECT_EQ(stated["contacts"]["floor"], -2.0);
}

TEST(CleanVerb, SmoothsWithinItsBounds) {
    for (const char* width : {"0.1", "4Hz"}) {
        const Json said =
            cleaned(walk() + " --smooth " + width +
                    " --smooth-rotation 3 --smooth-move 0.004 --out clean_smooth.bvh --force");
        EXPECT_LT(said["steps"][0]["most_degrees"], 3.0);
        EXPECT_GT(said["steps"][0]["most_degrees"], 1.0);
        EXPECT_LT(said["steps"][0]["most_moved"], 0.004);
        const CommandResult diff =
            shell("$ULNA diff " + walk() + " clean_smooth.bvh --json --quiet");
        EXPECT_EQ(diff.exit_code, 0) << diff.err;
    }
}

TEST(CleanVerb, ContactsGoOutToAFileAndComeBackCorrected) {
    cleaned(walk() + " --contacts-out clean.contacts.json");
    Json contacts = Json::parse(readText(scratchFolder() + "/clean.contacts.json"));
    ASSERT_EQ(contacts["contacts"].size(), 11u);
    contacts["contacts"].erase(contacts["contacts"].begin() + 3, contacts["contacts"].end());
    writeText(scratchFolder() + "/clean.contacts.json", contacts.dump());
    const Json said =
        cleaned(walk() + " --feet --contacts clean.contacts.json --out clean_contacts.bvh");
    ASSERT_EQ(said["contacts"]["spans"].size(), 3u);
    EXPECT_EQ(said["contacts"]["spans"][0], contacts["contacts"][0]);
    // Retargeting takes the same file.
    const CommandResult r =
        shell("$ULNA retarget " + walk() +
              " --to $ASSETS/ulna-character.bvh --contacts clean.contacts.json --json --quiet "
              "--contacts-out clean_again.contacts.json");
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_EQ(Json::parse(r.out)["contacts"]["spans"], contacts["contacts"]);
    EXPECT_EQ(Json::parse(readText(scratchFolder() + "/clean_again.contacts.json"))["contacts"],
              contacts["contacts"]);
}

TEST(CleanVerb, RefusesWhatIsNoInput) {
    expectRefused("missing.bvh --feet", 3, "missing.bvh");
    writeText(scratchFolder() + "/late.contacts.json",
              R"({"floor":0,"contacts":[{"side":"left","part":"heel","first":0,"last":999}]})");
    expectRefused(walk() + " --feet --contacts late.contacts.json", 3,
                  "late.contacts.json: a contact from frame 0 to 999 is not inside the clip (the "
                  "clip has 182 frames, the first is 0)");
    writeText(scratchFolder() + "/bad.contacts.json", R"({"floor":0,"contacts":[{"side":"top"}]})");
    expectRefused(walk() + " --feet --contacts bad.contacts.json", 3, "contacts[0].side");
    EXPECT_FALSE(std::filesystem::exists(scratchFolder() + "/never.bvh"));
}

TEST(CleanVerb, RefusesOptionsThatSayNothing) {
    expectRefused(walk() + " --out never.bvh", 2, "no step that would change the clip");
    expectRefused(walk() + " --smooth 0", 2, "is not above 0 (write a width in seconds");
    expectRefused(walk() + " --smooth fast", 2, "--smooth");
    expectRefused(walk() + " --feet --smooth-rotation 3", 2, "has no effect without --smooth");
    expectRefused(walk() + " --smooth 0.1 --smooth-rotation -1", 2, "must be above 0");
    expectRefused(walk() + " --rest-frame 500 --feet", 2, "500");
    EXPECT_FALSE(std::filesystem::exists(scratchFolder() + "/never.bvh"));
}

TEST(CleanVerb, DoesNotWriteOverItsInput) {
    shell("cp " + walk() + " clean_own.bvh");
    const std::string before = readText(scratchFolder() + "/clean_own.bvh");
    expectRefused("clean_own.bvh --feet --out clean_own.bvh", 2, "clean_own.bvh");
    EXPECT_EQ(readText(scratchFolder() + "/clean_own.bvh"), before);
}

TEST(CleanVerb, ABodyWithoutLegsHasNoFeetToLock) {
    writeText(scratchFolder() + "/arm.bvh",
              "HIERARCHY\nROOT Base\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition "
              "Zrotation Xrotation Yrotation\nJOINT Arm\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation "
              "Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 9\nFrame "
              "Time: 0.02\n0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 1 0 0\n0 0 0 0 0 0 2 0 0\n0 0 0 0 0 0 3 "
              "0 0\n0 0 0 0 0 0 90 0 0\n0 0 0 0 0 0 5 0 0\n0 0 0 0 0 0 6 0 0\n0 0 0 0 0 0 7 0 "
              "0\n0 0 0 0 0 0 8 0 0\n");
    expectRefused("arm.bvh --feet --out never.bvh", 2, "feet cannot be locked");
    expectRefused("arm.bvh --floor --out never.bvh", 2, "the floor is found by feet");
    expectRefused("arm.bvh --contacts-out never.json", 2, "no legs are recognised");
    const Json said = cleaned("arm.bvh --spikes --out arm_clean.bvh");
    ASSERT_EQ(said["spikes"].size(), 1u);
    EXPECT_EQ(said["spikes"][0]["joint"], "Arm");
    EXPECT_EQ(said["spikes"][0]["first"], 4);
    EXPECT_NEAR(said["spikes"][0]["by_degrees"], 86.0, 0.1);
    EXPECT_EQ(said["spikes"][0]["repaired"], true);
    const CommandResult fk = shell("$ULNA fk arm_clean.bvh --frame 4 --json --quiet");
    const Json tip = Json::parse(fk.out)["frames"][0]["positions"][2];
    EXPECT_NEAR(tip[0], -std::sin(4.0 * 3.14159265358979 / 180.0), 1e-4);
}

}  // namespace
}  // namespace ulna::test
