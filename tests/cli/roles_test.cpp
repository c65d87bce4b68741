// SPDX-License-Identifier: Apache-2.0

// Roles on the command line: info prints them, a map corrects them in every verb that knows a body.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/paths.h"
#include "support/text.h"

namespace ulna::test {
namespace {

const std::string kWalk = "$ASSETS/ulna-character.bvh";

CommandResult works(const std::string& command) {
    CommandResult r = shell(command);
    EXPECT_EQ(r.exit_code, 0) << command << '\n' << r.err;
    return r;
}

nlohmann::json bodyOf(const std::string& arguments) {
    return nlohmann::json::parse(works("$ULNA info --json " + arguments).out)["body"];
}

nlohmann::json roleOf(const nlohmann::json& body, const std::string& name) {
    for (const nlohmann::json& role : body["roles"])
        if (role["role"] == name) return role;
    return nullptr;
}

TEST(CliRoles, AreATableWithConfidenceAndReason) {
    const std::string text = works("$ULNA info '" + sharedGltf("CesiumMan") + "'").out;
    EXPECT_TRUE(contains(text, "body      human, ")) << text;
    EXPECT_TRUE(contains(text, "by shape: the middle joint of the left of two legs")) << text;
    EXPECT_TRUE(contains(text, "by name 'torso_joint_3'") ||
                contains(text, "by name 'Skeleton_torso_joint_2'"))
        << text;
    const nlohmann::json body = bodyOf("'" + sharedGltf("CesiumMan") + "'");
    EXPECT_EQ(body["kind"], "human");
    EXPECT_EQ(roleOf(body, "left.knee")["joints"], nlohmann::json({"leg_joint_L_2"}));
    EXPECT_GT(roleOf(body, "left.knee")["confidence"], 0.8);
    EXPECT_EQ(bodyOf("'" + sharedGltf("Fox") + "'")["kind"], "quadruped");
    EXPECT_TRUE(bodyOf("'" + sharedGltf("RiggedSimple") + "'").is_null());
}

TEST(CliRoles, AreWrittenAsAMapThatIsReadAgain) {
    const nlohmann::json found = bodyOf(kWalk + " --map-out walk.map.json");
    const nlohmann::json again = bodyOf(kWalk + " --map walk.map.json");
    ASSERT_EQ(again["roles"].size(), found["roles"].size());
    EXPECT_EQ(roleOf(again, "head")["reason"], "by the map");
    EXPECT_EQ(roleOf(again, "spine")["joints"], roleOf(found, "spine")["joints"]);
    // Nothing that is read is written over.
    EXPECT_EQ(
        shell("$ULNA info " + kWalk + " --map walk.map.json --map-out walk.map.json").exit_code, 2);
    EXPECT_EQ(
        shell("$ULNA info '" + sharedGltf("RiggedSimple") + "' --map-out no.map.json").exit_code,
        1);
    EXPECT_FALSE(std::filesystem::exists(scratchFolder() + "/no.map.json"));
}

TEST(CliRoles, AMapThatIsInvalidIsRefusedBeforeAnythingIsWritten) {
    writeText(scratchFolder() + "/bad.map.json",
              R"({"ulna_map": 1, "roles": {"left": {"knee": "LeftNee"}}})");
    const CommandResult r = shell("$ULNA ik " + kWalk +
                                  " --goal LeftHand=0.4,1.3,0.3 --map bad.map.json --out bad.bvh");
    EXPECT_EQ(r.exit_code, 3);
    EXPECT_TRUE(contains(r.err, "bad.map.json: roles.left.knee: there is no joint 'LeftNee'"))
        << r.err;
    EXPECT_FALSE(std::filesystem::exists(scratchFolder() + "/bad.bvh"));
    EXPECT_EQ(shell("$ULNA info " + kWalk + " --map none.map.json").exit_code, 3);
}

TEST(CliRoles, OfAMapDecideLimitsHandsAndNaturalPoses) {
    writeText(scratchFolder() + "/armless.map.json",
              R"({"ulna_map": 1, "roles": {"left": {"elbow": null, "wrist": null}}})");
    const std::string ik = "$ULNA ik " + kWalk + " --goal RightHand=-0.4,1.3,0.3 --json ";
    const auto json = [&](const std::string& options) {
        return nlohmann::json::parse(works(ik + options).out);
    };
    EXPECT_TRUE(json("").contains("natural"));
    EXPECT_FALSE(json("--map armless.map.json").contains("natural"));
    const auto count = [&](const std::string& options) {
        return json("--limits anatomical --natural off " + options)["limits"]["recognised"].size();
    };
    EXPECT_EQ(count("--map armless.map.json") + 2, count(""));
    works(ik + "--hand left=fist");
    EXPECT_EQ(shell(ik + "--hand left=fist --map armless.map.json").exit_code, 2);
    EXPECT_EQ(shell(ik + "--natural pose --map armless.map.json").exit_code, 2);
}

TEST(CliRoles, FoundByShapeGiveLimitsAndNaturalPoses) {
    const nlohmann::json json = nlohmann::json::parse(
        works("$ULNA ik '" + sharedGltf("CesiumMan") +
              "' --goal Skeleton_arm_joint_L__2_=0.3,1.0,0.3 --limits anatomical --json")
            .out);
    EXPECT_EQ(json["limits"]["recognised"].size(), 19U);
    EXPECT_TRUE(json.contains("natural"));
}

TEST(CliRoles, OfTwoMapsAreThoseOfTheSourceAndOfTheOtherBody) {
    works("$ULNA info " + kWalk + " --map-out source.map.json");
    works("$ULNA info '" + sharedGltf("CesiumMan") + "' --map-out target.map.json");
    const std::string retarget =
        "$ULNA retarget " + kWalk + " --to '" + sharedGltf("CesiumMan") + "' --json ";
    works(retarget + "--map source.map.json --to-map target.map.json --out both.glb");
    // Each is of its own skeleton.
    EXPECT_EQ(shell(retarget + "--map target.map.json --out no.glb").exit_code, 3);
    EXPECT_EQ(shell(retarget + "--to-map source.map.json --out no.glb").exit_code, 3);
}

}  // namespace
}  // namespace ulna::test
