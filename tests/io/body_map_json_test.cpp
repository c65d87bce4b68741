// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/body_map_json.h"

#include <gtest/gtest.h>

#include "support/humanoid.h"
#include "support/paths.h"

namespace ulna::test {
namespace {

Skeleton person() {
    return makeHumanoid(nameFamilies()[1]);  // Biovision: Hips, Chest, LeftHip, ...
}

std::string read(const std::string& roles) {
    const Result<io::BodyMapFile> file =
        io::readBodyMap(R"({"ulna_map":1,"roles":)" + roles + "}", "a.map.json");
    return file ? "" : describe(file.error());
}

std::string bind(const std::string& roles) {
    const Result<io::BodyMapFile> file =
        io::readBodyMap(R"({"ulna_map":1,"roles":)" + roles + "}", "a.map.json");
    EXPECT_TRUE(file.ok()) << (file ? "" : describe(file.error()));
    const Result<BodyMap> map = io::bindBodyMap(*file, person());
    return map ? "" : describe(map.error());
}

TEST(BodyMapJson, HoldsRolesByTheNamesOfJoints) {
    const Skeleton skeleton = person();
    const Result<io::BodyMapFile> file = io::readBodyMap(
        R"({"ulna_map": 1, "kind": "human", "roles": {"hips": "Hips", "neck": null,
            "spine": ["Chest"], "left": {"knee": "LeftKnee", "fingers": {"thumb": ["LeftWrist"]}}}})",
        "a.map.json");
    ASSERT_TRUE(file.ok());
    const Result<BodyMap> map = io::bindBodyMap(*file, skeleton);
    ASSERT_TRUE(map.ok());
    EXPECT_EQ(map->kind, BodyKind::Human);
    const auto joints = [&](const std::string& role) {
        for (const BodyMap::Entry& each : map->entries)
            if (each.role == role) return each.joints;
        ADD_FAILURE() << role;
        return std::vector<JointId>{};
    };
    EXPECT_EQ(map->entries.size(), 5U);
    EXPECT_EQ(joints("hips"), std::vector<JointId>{skeleton.find("Hips")});
    EXPECT_EQ(joints("spine"), std::vector<JointId>{skeleton.find("Chest")});
    EXPECT_TRUE(joints("neck").empty());
    EXPECT_EQ(joints("left.knee"), std::vector<JointId>{skeleton.find("LeftKnee")});
    EXPECT_EQ(joints("left.fingers.thumb"), std::vector<JointId>{skeleton.find("LeftWrist")});
}

TEST(BodyMapJson, EveryRoleIsWrittenAndReadBack) {
    const Skeleton skeleton = person();
    BodyMap map{.kind = BodyKind::Quadruped};
    std::size_t next = 0;
    for (const std::string& role : bodyRoleNames()) {
        const bool free = next < skeleton.jointCount();
        const bool derived = role == "chest" || role.ends_with(".hand") || role.ends_with(".foot");
        if (derived || !free)
            map.entries.push_back(
                {role, derived ? std::vector{jointId(0)} : std::vector<JointId>{}});
        else
            map.entries.push_back({role, {jointId(next++)}});
    }
    const std::string text = io::writeBodyMap(map, skeleton);
    const Result<io::BodyMapFile> file = io::readBodyMap(text, "again.map.json");
    ASSERT_TRUE(file.ok()) << describe(file.error());
    const Result<BodyMap> again = io::bindBodyMap(*file, skeleton);
    ASSERT_TRUE(again.ok()) << describe(again.error());
    EXPECT_EQ(again->kind, map.kind);
    ASSERT_EQ(again->entries.size(), map.entries.size());
    for (std::size_t i = 0; i < map.entries.size(); ++i) {
        EXPECT_EQ(again->entries[i].role, map.entries[i].role);
        EXPECT_EQ(again->entries[i].joints, map.entries[i].joints);
    }
    EXPECT_EQ(io::writeBodyMap(*again, skeleton), text);
}

TEST(BodyMapJson, ErrorsSayWhereAndWhatToDo) {
    EXPECT_EQ(read(R"({"hip":"Hips"})"),
              "a.map.json: roles: the key 'hip' is unknown (did you mean 'hips'?)");
    EXPECT_EQ(read(R"({"left":{"shoulders":"a"}})"),
              "a.map.json: roles.left: the key 'shoulders' is unknown (did you mean 'shoulder'?)");
    EXPECT_EQ(read(R"({"hips":["a","b"]})"),
              "a.map.json: roles.hips: 'hips' is one joint (write its name alone)");
    EXPECT_EQ(
        read(R"({"spine":[]})"),
        "a.map.json: roles.spine: the list is empty (null says that the body has no such part)");
    EXPECT_EQ(read(R"({"spine":["a",3]})"), "a.map.json: roles.spine[1]: a string was expected");
    EXPECT_NE(read(R"({"left":{"hand":null}})").find("roles.left.hand: a body has a hand"),
              std::string::npos);
    EXPECT_NE(read("3").find("roles: an object was expected"), std::string::npos);
    const auto whole = [](const char* text) {
        return describe(io::readBodyMap(text, "a.map.json").error());
    };
    EXPECT_EQ(whole(R"({"roles":{}})"), "a.map.json: the key 'ulna_map' is missing");
    EXPECT_EQ(whole(R"({"ulna_map":2,"roles":{}})"),
              "a.map.json: ulna_map: the version of this map is unknown (version 1 is read)");
    EXPECT_NE(whole(R"({"ulna_map":1,"kind":"bird","roles":{}})").find("kind: 'bird'"),
              std::string::npos);
    EXPECT_NE(whole("{").find("not JSON"), std::string::npos);
}

TEST(BodyMapJson, AJointMustExistAndHasOneRole) {
    EXPECT_EQ(bind(R"({"left":{"knee":"LeftNee"}})"),
              "a.map.json: roles.left.knee: there is no joint 'LeftNee' (did you mean 'LeftKnee' "
              "or 'LeftToe'?)");
    EXPECT_EQ(
        bind(R"({"hips":"Hips","spine":["Chest","Hips"]})"),
        "a.map.json: roles.spine: the joint 'Hips' has two roles: 'hips' and 'spine' (a joint "
        "is one part of a body)");
    // The chest is of the spine, a hand of the wrist.
    EXPECT_EQ(
        bind(
            R"({"spine":"Chest","chest":"Chest","left":{"wrist":"LeftWrist","hand":"LeftWrist"}})"),
        "");
}

TEST(BodyMapJson, AFileThatIsNotThereIsAnError) {
    EXPECT_FALSE(io::loadBodyMap(sourcePath("none.map.json")).ok());
}

}  // namespace
}  // namespace ulna::test
