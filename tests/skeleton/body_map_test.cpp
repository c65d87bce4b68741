// SPDX-License-Identifier: Apache-2.0

// Maps overrule names and shape, and everything that knows a body follows them.
#include <gtest/gtest.h>

#include "support/humanoid.h"
#include "support/paths.h"
#include "support/persons.h"
#include "ulna/character/open.h"
#include "ulna/character/stage.h"
#include "ulna/skeleton/human_body.h"
#include "ulna/skeleton/masses.h"

namespace ulna::test {
namespace {

struct Mixamo {
    Skeleton skeleton = makeHumanoid(nameFamilies().front());
    Pose rest = restPose(skeleton);

    [[nodiscard]] JointId joint(const std::string& name) const {
        return skeleton.find("mixamorig:" + name);
    }
    [[nodiscard]] HumanBody body(const BodyMap& map) const {
        const Result<HumanBody> out = findHumanBody(skeleton, rest, &map);
        EXPECT_TRUE(out.ok()) << (out ? "" : describe(out.error()));
        return out ? *out : HumanBody{};
    }
};

TEST(BodyMap, OverrulesANameAndTakesTheJointFromItsOtherRole) {
    const Mixamo m;
    const HumanBody body = m.body({.entries = {{"head", {m.joint("Neck")}}}});
    EXPECT_EQ(body.head, m.joint("Neck"));
    EXPECT_TRUE(body.neck.empty());
    for (const BodyRole& role : body.roles.roles) {
        if (role.name != "head") continue;
        EXPECT_EQ(role.reason, "by the map");
        EXPECT_EQ(role.confidence, 1.0);
    }
}

TEST(BodyMap, ARoleWithoutJointsIsOneThatTheBodyDoesNotHave) {
    const Mixamo m;
    const HumanBody body = m.body({.entries = {{"left.toes", {}}, {"left.collarbone", {}}}});
    EXPECT_EQ(body.left.toes, JointId::None);
    EXPECT_EQ(body.left.collarbone, JointId::None);
    EXPECT_EQ(body.right.toes, m.joint("RightToeBase"));
}

TEST(BodyMap, WhatItSaysIsNotThereIsNotFoundByShapeEither) {
    const Skeleton named = makePerson({});
    Random random(2);
    const Skeleton other = disguised(named, random);
    const Result<BodyRoles> found = findBodyRoles(other, restPose(other));
    ASSERT_TRUE(found.ok());
    const JointId head = found->find("head").front(), knee = found->find("left.knee").front();
    BodyMap map{.entries = {{"left.knee", {}}, {"head", {}}, {"neck", {head}}}};
    const Result<BodyRoles> roles = findBodyRoles(other, restPose(other), &map);
    ASSERT_TRUE(roles.ok());
    EXPECT_TRUE(roles->find("head").empty());
    EXPECT_TRUE(roles->find("left.knee").empty());
    EXPECT_EQ(roles->find("neck"), std::vector<JointId>{head});
    EXPECT_EQ(roles->find("right.knee"), found->find("right.knee"));
    for (const BodyRole& role : roles->roles)
        for (const JointId j : role.joints) EXPECT_NE(j, knee) << role.name;
}

TEST(BodyMap, NamesChestHandAndFootThatOtherwiseFollow) {
    const Mixamo m;
    const HumanBody body = m.body({.entries = {{"chest", {m.joint("Spine1")}},
                                               {"left.hand", {m.joint("LeftHandIndex1")}},
                                               {"right.foot", {m.joint("RightToeBase")}}}});
    EXPECT_EQ(body.chest, m.joint("Spine1"));
    EXPECT_EQ(body.left.hand, m.joint("LeftHandIndex1"));
    EXPECT_EQ(body.left.wrist, m.joint("LeftHand"));
    EXPECT_EQ(body.right.foot, m.joint("RightToeBase"));
    EXPECT_EQ(body.left.foot, m.joint("LeftFoot"));
}

TEST(BodyMap, OfSidesThatAreExchangedPutsThemRight) {
    const Mixamo m;
    BodyMap map = mapOf(m.body({}).roles);
    for (BodyMap::Entry& entry : map.entries) {
        if (entry.role.starts_with("left."))
            entry.role = "right." + entry.role.substr(5);
        else if (entry.role.starts_with("right."))
            entry.role = "left." + entry.role.substr(6);
    }
    const HumanBody body = m.body(map);
    EXPECT_EQ(body.left.knee, m.joint("RightLeg"));
    EXPECT_EQ(body.right.fingers[1].front(), m.joint("LeftHandIndex1"));
    EXPECT_LT((body.model_from_body * Vec3{0, 0, 1}).z, -0.99);
    EXPECT_EQ(body.roles.warnings.size(), 1U);  // the toes point backwards now
}

TEST(BodyMap, OfWhatWasFoundFindsTheSameAgain) {
    std::vector<Skeleton> skeletons;
    for (const NameFamily& family : nameFamilies()) skeletons.push_back(makeHumanoid(family));
    skeletons.push_back(makeAnimal({}));
    for (const std::string& path : {sharedGltf("CesiumMan"), sharedGltf("Fox"),
                                    sourcePath("assets/ulna-character.rig.json")}) {
        const Result<Character> file = openCharacter(path);
        ASSERT_TRUE(file.ok());
        skeletons.push_back(file->skeleton);
    }
    for (const Skeleton& skeleton : skeletons) {
        const Result<BodyRoles> found = findBodyRoles(skeleton, restPose(skeleton));
        ASSERT_TRUE(found.ok());
        const BodyMap map = mapOf(*found);
        const Result<BodyRoles> again = findBodyRoles(skeleton, restPose(skeleton), &map);
        ASSERT_TRUE(again.ok());
        EXPECT_EQ(again->kind, found->kind);
        EXPECT_EQ(again->confidence, 1.0);
        ASSERT_EQ(again->roles.size(), found->roles.size());
        for (std::size_t i = 0; i < found->roles.size(); ++i) {
            EXPECT_EQ(again->roles[i].name, found->roles[i].name);
            EXPECT_EQ(again->roles[i].joints, found->roles[i].joints) << found->roles[i].name;
        }
    }
}

TEST(BodyMap, ChoosesTheBodyOfASkeletonWithSeveral) {
    const Skeleton one = makeHumanoid(nameFamilies().front());
    std::vector<JointDef> joints(one.definitions().begin(), one.definitions().end());
    for (JointDef def : one.definitions()) {
        def.name += "#2";
        if (!def.parent.empty()) def.parent += "#2";
        joints.push_back(def);
    }
    const Skeleton two = *makeSkeleton(std::move(joints));
    const JointId hips = two.find("mixamorig:Hips#2");
    const BodyMap map{.entries = {{"hips", {hips}}}};
    EXPECT_EQ(findHumanBody(two, restPose(two), &map)->hips, hips);
    EXPECT_EQ(findHumanBody(two, restPose(two))->hips, two.find("mixamorig:Hips"));
}

// ---- one place: all that knows a body has the same roles

TEST(BodyMap, IsFollowedByLimitsMassesAndNaturalPoses) {
    const Mixamo m;
    // The forearm is the elbow no more: there is no elbow.
    const BodyMap map{.entries = {{"left.elbow", {}}}};
    const Result<AnatomicalRig> rig = makeAnatomicalRig(m.skeleton, m.rest, &map);
    ASSERT_TRUE(rig.ok());
    for (const RecognisedJoint& each : rig->recognised)
        EXPECT_NE(each.joint, m.joint("LeftForeArm")) << each.part;
    const Result<std::vector<JointMass>> masses = humanMasses(m.skeleton, &map);
    ASSERT_TRUE(masses.ok());
    for (const JointMass& each : *masses) EXPECT_NE(each.joint, m.joint("LeftForeArm"));
    EXPECT_TRUE(makeStage(m.skeleton)->natural != nullptr);
    EXPECT_TRUE(makeStage(m.skeleton, {.map = &map})->natural == nullptr);
}

TEST(BodyRoles, FoundByShapeGiveLimitsMassesAndNaturalPoses) {
    for (const char* model : {"CesiumMan", "RiggedFigure"}) {
        SCOPED_TRACE(model);
        const Result<Character> file = openCharacter(sharedGltf(model));
        ASSERT_TRUE(file.ok());
        const Result<Stage> stage = makeStage(file->skeleton, {.limits = LimitSource::Anatomical});
        ASSERT_TRUE(stage.ok());
        EXPECT_EQ(stage->recognised().size(), 19U);
        EXPECT_EQ(feetOf(*stage).size(), 2U);
        EXPECT_TRUE(stage->natural != nullptr);
        EXPECT_GT(stage->anatomy->confidence, 0.8);
        EXPECT_TRUE(humanMasses(file->skeleton).ok());
        EXPECT_EQ(makeUsualStage(file->skeleton).limits, LimitSource::Anatomical);
    }
    const Result<Character> fox = openCharacter(sharedGltf("Fox"));
    ASSERT_TRUE(fox.ok());
    EXPECT_FALSE(makeStage(fox->skeleton, {.limits = LimitSource::Anatomical}).ok());
    EXPECT_FALSE(humanMasses(fox->skeleton).ok());
    EXPECT_TRUE(makeStage(fox->skeleton)->natural == nullptr);
}

TEST(BodyRoles, WhereTheSidesAreUncertainGiveNothingByThemselves) {
    const Skeleton named = makePerson({.bent = 0.0, .toes = false, .foot_ends = false});
    Random random(1);
    const Skeleton other = disguised(named, random);
    EXPECT_EQ(makeUsualStage(other).limits, LimitSource::Own);
    EXPECT_TRUE(makeStage(other)->natural == nullptr);
    const Result<Stage> asked = makeStage(other, {.limits = LimitSource::Anatomical});
    ASSERT_TRUE(asked.ok());
    ASSERT_FALSE(asked->warnings.empty());
    const BodyMap map = mapOf(*findBodyRoles(other, restPose(other)));
    EXPECT_TRUE(makeStage(other, {.map = &map})->natural != nullptr);
}

}  // namespace
}  // namespace ulna::test
