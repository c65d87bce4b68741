// SPDX-License-Identifier: Apache-2.0

// Who is recognised: families of names, files, and what is no body.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>

#include "support/anatomy.h"
#include "support/paths.h"
#include "support/skeletons.h"
#include "ulna/core/text.h"
#include "ulna/io/bvh.h"
#include "ulna/io/rig_json.h"

namespace ulna::test {
namespace {

// ---- recognition

TEST(AnatomyNames, EveryFamilyIsRecognisedJointByJoint) {
    for (const NameFamily& family : nameFamilies()) {
        SCOPED_TRACE(family.name);
        const AnatomicalRig rig = makeRig(makeHumanoid(family));
        std::map<std::string, std::string> parts = partsByName(rig);
        std::size_t expected = 0;
        for (const FamilyName& f : family.joints) {
            const auto found = parts.find(f.name);
            EXPECT_EQ(found == parts.end() ? "" : found->second, f.part) << f.name;
            expected += f.part.empty() ? 0 : 1;
        }
        EXPECT_EQ(parts.size(), expected);
        EXPECT_TRUE(rig.warnings.empty());
    }
}

// The Mixamo person with every name put through `change`.
Skeleton renamed(const std::function<std::string(const std::string&)>& change) {
    NameFamily family = mixamo();
    for (FamilyName& f : family.joints) {
        f.name = change(f.name);
        if (!f.parent.empty()) f.parent = change(f.parent);
    }
    return makeHumanoid(family);
}

TEST(AnatomyNames, CaseSeparatorsPrefixesAndNumbersOfDuplicatesDoNotMatter) {
    const auto bare = [](const std::string& name) { return name.substr(name.find(':') + 1); };
    const auto upper = [](std::string name) {
        for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        return name;
    };
    const std::size_t expected = makeRig(makeHumanoid(mixamo())).recognised.size();
    const std::vector<std::pair<std::string, std::function<std::string(const std::string&)>>>
        changes = {
            {"bare", bare},
            {"upper case", [&](const std::string& n) { return upper(bare(n)); }},
            {"lower case", [&](const std::string& n) { return lowerCase(bare(n)); }},
            {"no colon", [&](const std::string& n) { return "mixamorig" + bare(n); }},
            {"numbered rig", [&](const std::string& n) { return "mixamorig12:" + bare(n); }},
            {"underscored rig", [&](const std::string& n) { return "mixamorig1_" + bare(n); }},
            {"two namespaces", [&](const std::string& n) { return "scene:Armature|" + bare(n); }},
            {"duplicate", [&](const std::string& n) { return bare(n) + "#2"; }},
            {"side last",
             [&](const std::string& n) {
                 const std::string name = bare(n);
                 if (name.rfind("Left", 0) == 0) return name.substr(4) + "_L";
                 if (name.rfind("Right", 0) == 0) return name.substr(5) + ".right";
                 return name;
             }},
            {"dashes",
             [&](const std::string& n) {
                 const std::string name = bare(n);
                 if (name.rfind("Left", 0) == 0) return "left-" + name.substr(4);
                 if (name.rfind("Right", 0) == 0) return "r - " + name.substr(5);
                 return name;
             }},
        };
    for (const auto& [what, change] : changes) {
        EXPECT_EQ(makeRig(renamed(change)).recognised.size(), expected) << what;
    }
}

TEST(AnatomyNames, JointsThatOnlySoundLikeABodyAreLeftAlone) {
    NameFamily family = mixamo();
    const std::vector<std::string> others = {
        "Chestnut",     "Backpack",      "LeftHandle",  "RightHandProp", "Leftover",  "IK_LeftHand",
        "LeftArmRoll",  "hand_l_target", "LeftHead",    "Neckline",      "LeftLeg1",  "Head2",
        "HipsPole",     "Foot",          "Leg",         "Hand",          "LeftRight", "L_R_Hand",
        "Spine1Twist2", "LeftEye",       "Jaw",         "Hair_L_01",     "",          "L",
        "mixamorig:",   "LeftHandEnd",   "ShoulderPad", "Arm.L.001",     "42",        "lowerarm"};
    for (const std::string& name : others) {
        if (!name.empty()) family.joints.push_back({name, "", "mixamorig:Head", {0.1, 1.7, 0.2}});
    }
    const std::map<std::string, std::string> parts = partsByName(makeRig(makeHumanoid(family)));
    for (const std::string& name : others) EXPECT_EQ(parts.count(name), 0U) << name;
}

TEST(AnatomyNames, EndSitesAreNoJointsWhateverTheirName) {
    NameFamily family = mixamo();
    Skeleton plain = makeHumanoid(family);
    std::vector<JointDef> joints(plain.definitions().begin(), plain.definitions().end());
    joints.push_back(joint("Head", "mixamorig:Head", JointKind::Fixed, {0, 0.1, 0}));
    joints.back().end_site = true;
    const AnatomicalRig rig = makeRig(build(std::move(joints)));
    EXPECT_EQ(partsByName(rig).count("Head"), 0U);
    // Neck and head share the neck's range, 80 degrees of twist: an end site takes no share.
    const JointId neck = findPart(rig, "neck");
    EXPECT_NEAR(rig.skeleton.dofLimits()[dofOf(rig.skeleton, neck, AnatomicalAxis::Twist)].max,
                radians(40), 1e-12);
}

TEST(AnatomyNames, TwoCharactersInOneFileAreEachRecognised) {
    const Skeleton one = makeHumanoid(mixamo());
    std::vector<JointDef> joints(one.definitions().begin(), one.definitions().end());
    for (JointDef def : one.definitions()) {
        def.name += "#2";
        if (!def.parent.empty()) def.parent += "#2";
        // The second one faces the first.
        else
            def.rest = {{0, 1, 2}, {1, 1, 1}, quatAboutAxis(1, kPi)};
        joints.push_back(def);
    }
    joints.push_back(joint("Lamp", "", JointKind::Free, {3, 0, 0}));
    const AnatomicalRig rig = makeRig(build(std::move(joints)));
    EXPECT_EQ(rig.recognised.size(), 2 * makeRig(one).recognised.size());
    const JointId knee = rig.skeleton.find("mixamorig:LeftLeg#2");
    const JointId foot = rig.skeleton.find("mixamorig:LeftFoot#2");
    DofVector dofs(rig.skeleton.dofCount(), 0.0);
    const double before = placeOf(rig, dofs, foot).z;
    dofs[dofOf(rig.skeleton, knee, AnatomicalAxis::Flexion)] = 1.0;
    EXPECT_GT(placeOf(rig, dofs, foot).z, before + 0.2);  // behind a person who faces -z
}

// ---- errors

std::string errorOf(const Skeleton& skeleton) {
    const Result<AnatomicalRig> rig = makeAnatomicalRig(skeleton, restPose(skeleton));
    EXPECT_FALSE(rig.ok());
    return rig ? "" : describe(rig.error());
}

TEST(AnatomyErrors, WhatIsNoBodySaysWhichNamesWereLookedFor) {
    const std::string nothing = errorOf(everyKind());
    EXPECT_NE(nothing.find("found no hips"), std::string::npos) << nothing;
    EXPECT_NE(nothing.find("LeftUpLeg"), std::string::npos);
    EXPECT_NE(nothing.find("upperarm_l"), std::string::npos);
    const Skeleton torso = build({joint("Hips", "", JointKind::Free, {}),
                                  joint("Spine", "Hips", JointKind::Ball, {0, 0.2, 0}),
                                  joint("LeftUpLeg", "Hips", JointKind::Ball, {0.1, 0, 0})});
    EXPECT_NE(errorOf(torso).find("neither both legs nor both arms"), std::string::npos);
    EXPECT_NE(errorOf(Skeleton{}).find("no joint at all"), std::string::npos);
}

TEST(AnatomyErrors, ABodyInOnePointOrOnOneLineHasNoAxes) {
    const auto legs = [](Vec3 left, Vec3 right, Vec3 down) {
        return build({joint("Hips", "", JointKind::Free, {}),
                      joint("LeftUpLeg", "Hips", JointKind::Ball, left),
                      joint("LeftLeg", "LeftUpLeg", JointKind::Ball, down),
                      joint("RightUpLeg", "Hips", JointKind::Ball, right),
                      joint("RightLeg", "RightUpLeg", JointKind::Ball, down)});
    };
    EXPECT_TRUE(makeAnatomicalRig(legs({0.1, 0, 0}, {-0.1, 0, 0}, {0, -0.4, 0}),
                                  restPose(legs({0.1, 0, 0}, {-0.1, 0, 0}, {0, -0.4, 0})))
                    .ok());
    EXPECT_NE(errorOf(legs({}, {}, {0, -0.4, 0})).find("same place"), std::string::npos);
    EXPECT_NE(errorOf(legs({1e-5, 0, 0}, {}, {0, -0.4, 0})).find("same place"), std::string::npos);
    EXPECT_NE(errorOf(legs({}, {}, {})).find("same place"), std::string::npos);
    EXPECT_NE(errorOf(legs({0.1, 0, 0}, {-0.1, 0, 0}, {})).find("same place"), std::string::npos);
}

TEST(AnatomyErrors, APlanarSkeletonHasNoHumanRanges) {
    const std::vector<double> lengths = {1.0, 1.0};
    EXPECT_NE(errorOf(planarChain(lengths)).find("planar"), std::string::npos);
}

// ---- files

struct ClipExcess {
    double share = 0.0;    // of frames and recognised joints, outside by more than half a degree
    double largest = 0.0;  // radians
    std::string joint;
};

ClipExcess excessOver(const AnatomicalRig& rig, const Motion& motion) {
    ClipExcess out;
    std::size_t outside = 0, all = 0;
    DofVector near;
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        near = computeDofs(rig.skeleton, toAnatomical(rig, motion.pose(f)), near).dofs;
        for (const RecognisedJoint& r : rig.recognised) {
            const double excess = excessAt(rig.skeleton, near, r.joint);
            ++all;
            outside += excess > radians(0.5) ? 1 : 0;
            if (excess <= out.largest) continue;
            out.largest = excess;
            out.joint = rig.skeleton.name(r.joint);
        }
    }
    out.share = static_cast<double>(outside) / static_cast<double>(all);
    return out;
}

TEST(AnatomyFiles, TheBundledCharacterIsRecognisedAndItsWalkIsHuman) {
    const Result<io::BvhFile> file = io::loadBvh(test::sourcePath("assets/ulna-character.bvh"));
    ASSERT_TRUE(file.ok());
    const Result<io::BvhMotion> bvh = io::toMotion(*file);
    ASSERT_TRUE(bvh.ok());
    const AnatomicalRig rig = makeRig(bvh->skeleton);
    const std::map<std::string, std::string> parts = partsByName(rig);
    for (const std::string& name : bvh->skeleton.names()) {
        const bool face = name == "Jaw" || name == "LeftEye" || name == "RightEye";
        const bool end = name.find("_end") != std::string::npos;
        EXPECT_EQ(parts.count(name), face || end ? 0U : 1U) << name;
    }
    const ClipExcess excess = excessOver(rig, bvh->motion);
    EXPECT_LT(degrees(excess.largest), 0.01) << excess.joint;
}

TEST(AnatomyFiles, TheBundledRigKeepsItsKinds) {
    const Result<io::RigFile> file =
        io::loadRig(test::sourcePath("assets/ulna-character.rig.json"));
    ASSERT_TRUE(file.ok());
    const AnatomicalRig rig = makeRig(file->skeleton);
    for (const JointId j : file->skeleton.joints()) {
        EXPECT_EQ(rig.skeleton.kind(j), file->skeleton.kind(j)) << file->skeleton.name(j);
    }
    EXPECT_GT(rig.recognised.size(), 55U);
}

TEST(AnatomyFiles, ClipsOfOthersAreRecognisedAndMostlyHuman) {
    const std::string folder = test::sharedData("bvh/games105");
    std::size_t clips = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".bvh") continue;
        ++clips;
        SCOPED_TRACE(entry.path().filename().string());
        const Result<io::BvhFile> file = io::loadBvh(entry.path().string());
        ASSERT_TRUE(file.ok());
        const Result<io::BvhMotion> bvh = io::toMotion(*file);
        ASSERT_TRUE(bvh.ok());
        const AnatomicalRig rig = makeRig(bvh->skeleton);
        EXPECT_EQ(rig.recognised.size(), 20U);
        EXPECT_TRUE(rig.warnings.empty());
        const ClipExcess excess = excessOver(rig, bvh->motion);
        // A runner's ankle under load is what goes furthest.
        EXPECT_LT(excess.share, 0.02) << excess.joint;
        EXPECT_LT(degrees(excess.largest), 13.0) << excess.joint;
    }
    EXPECT_EQ(clips, 6U);
}

TEST(AnatomyFiles, ATorsoWithArmsAloneIsEnough) {
    const std::string path = test::sharedData("momentum/simple.bvh");
    const Result<io::BvhFile> file = io::loadBvh(path);
    ASSERT_TRUE(file.ok());
    const Result<io::BvhMotion> bvh = io::toMotion(*file);
    ASSERT_TRUE(bvh.ok());
    const AnatomicalRig rig = makeRig(bvh->skeleton);
    EXPECT_EQ(partsByName(rig),
              (std::map<std::string, std::string>{{"Hips", "hips"},
                                                  {"Chest", "spine"},
                                                  {"LeftShoulder", "left shoulder"},
                                                  {"RightShoulder", "right shoulder"}}));
}

}  // namespace
}  // namespace ulna::test
