// SPDX-License-Identifier: Apache-2.0

// Bodies without names: what a joint is by shape, judged by what it was made as or by its name.
#include <gtest/gtest.h>

#include <map>

#include "support/humanoid.h"
#include "support/paths.h"
#include "support/persons.h"
#include "support/random_rigs.h"
#include "support/skeletons.h"
#include "ulna/character/open.h"
#include "ulna/skeleton/human_body.h"

namespace ulna::test {
namespace {

using Roles = std::map<std::string, std::vector<std::string>>;

BodyRoles rolesOf(const Skeleton& skeleton) {
    const Result<BodyRoles> body = findBodyRoles(skeleton, restPose(skeleton));
    EXPECT_TRUE(body.ok()) << (body ? "" : describe(body.error()));
    return body ? *body : BodyRoles{};
}

// The roles of a disguised body, with the true names of its joints.
Roles seenThrough(const Skeleton& named, const Skeleton& other) {
    Roles out;
    for (const BodyRole& role : rolesOf(other).roles)
        for (const JointId j : role.joints) out[role.name].push_back(trueName(named, other, j));
    return out;
}

// What a person or an animal was made as: "spine.1" is of the spine.
Roles madeAs(const Skeleton& named) {
    Roles out;
    for (const JointId j : named.joints()) {
        std::string role = named.name(j);
        if (named.isEndSite(j)) continue;
        if (const std::size_t dot = role.rfind('.');
            dot != std::string::npos && std::isdigit(static_cast<unsigned char>(role[dot + 1])))
            role.resize(dot);
        const std::vector<std::string>& all = bodyRoleNames();
        if (std::find(all.begin(), all.end(), role) == all.end()) continue;
        out[role].push_back(named.name(j));
    }
    return out;
}

Roles byName(const Skeleton& named) {
    Roles out;
    for (const BodyRole& role : rolesOf(named).roles)
        for (const JointId j : role.joints) out[role.name].push_back(named.name(j));
    return out;
}

bool isFinger(const std::string& role) {
    return role.find("fingers") != std::string::npos;
}

// The roles of the body, fingers aside, that two lists do not have alike.
std::string differences(const Roles& wanted, const Roles& found,
                        const std::vector<std::string>& but = {}) {
    std::string out;
    for (const std::string& role : bodyRoleNames()) {
        if (isFinger(role) || role == "chest" || role == "tail") continue;
        if (std::any_of(but.begin(), but.end(),
                        [&](const std::string& each) { return role.ends_with(each); }))
            continue;
        const auto a = wanted.find(role), b = found.find(role);
        const auto none = std::vector<std::string>{};
        const auto& x = a == wanted.end() ? none : a->second;
        const auto& y = b == found.end() ? none : b->second;
        if (x != y) out += " " + role + (y.empty() ? "" : "=" + y.front());
    }
    return out;
}

std::string differencesOf(const Person& person, Random& random) {
    const Skeleton named = makePerson(person);
    return differences(madeAs(named), seenThrough(named, disguised(named, random)));
}

// ---- the same body under other names

TEST(BodyByShape, EveryFamilyWithoutItsNamesHasTheSameRoles) {
    Random random(1);
    for (const NameFamily& family : nameFamilies()) {
        SCOPED_TRACE(family.name);
        const Skeleton named = makeHumanoid(family);
        // A joint at the wrist is the hand's in one family; a leaf at the hips says nothing.
        std::vector<std::string> but;
        if (family.name == "CMU text files") but = {".wrist", ".hand"};
        if (family.name == "CMU BVH") but = {".pelvis"};
        for (int i = 0; i < 5; ++i)
            EXPECT_EQ(differences(byName(named), seenThrough(named, disguised(named, random)), but),
                      "");
    }
}

TEST(BodyByShape, FilesWithoutTheirNamesHaveTheSameRoles) {
    Random random(2);
    for (const std::string& path :
         {sourcePath("assets/ulna-character.bvh"), sourcePath("assets/ulna-character.rig.json"),
          sourcePath("assets/ulna-character.glb"), sharedData("bvh/games105/idle.bvh"),
          sharedData("bvh/cmu/02_01.bvh"), sharedData("bvh/cmu/07_01.bvh"),
          sharedData("bvh/cmu/09_01.bvh"), sharedData("bvh/cmu/16_01.bvh"),
          sharedData("bvh/cmu/49_06.bvh"), sharedGltf("CesiumMan"), sharedGltf("RiggedFigure"),
          sharedGltf("Fox")}) {
        SCOPED_TRACE(path);
        const Result<Character> file = openCharacter(path);
        ASSERT_TRUE(file.ok());
        const Skeleton& named = file->skeleton;
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(differences(byName(named), seenThrough(named, disguised(named, random))), "");
    }
}

TEST(BodyByShape, FiveFingersAreTheSameWithoutTheirNames) {
    const Result<Character> file = openCharacter(sourcePath("assets/ulna-character.bvh"));
    ASSERT_TRUE(file.ok());
    Random random(3);
    const Roles wanted = byName(file->skeleton);
    const Roles found = seenThrough(file->skeleton, disguised(file->skeleton, random));
    for (const auto& [role, joints] : wanted) {
        if (!isFinger(role)) continue;
        ASSERT_EQ(found.count(role), 1U) << role;
        EXPECT_EQ(found.at(role), joints) << role;
    }
}

// ---- people of any kind

TEST(BodyByShape, PeopleOfAnyProportionsAreKnownJointByJoint) {
    Random random(4);
    int wrong = 0;
    std::string first;
    for (int i = 0; i < 400; ++i) {
        const std::string off = differencesOf(randomPerson(random), random);
        if (off.empty()) continue;
        ++wrong;
        first += "\n" + std::to_string(i) + ":" + off;
    }
    EXPECT_EQ(wrong, 0) << first;
}

TEST(BodyByShape, PeopleNeedNotBeSymmetric) {
    Random random(19);
    int wrong = 0;
    std::string all;
    for (int i = 0; i < 300; ++i) {
        const Skeleton straight = makePerson(randomPerson(random));
        std::vector<JointDef> joints(straight.definitions().begin(), straight.definitions().end());
        for (JointDef& def : joints) {
            const double longer = random.between(0.96, 1.04);
            const Vec3 axis = random.direction();
            def.rest.translation = rotate(quatFromAxisAngle(axis, random.between(0.0, radians(5))),
                                          def.rest.translation) *
                                   longer;
        }
        const Skeleton named = build(std::move(joints));
        const std::string off =
            differences(madeAs(named), seenThrough(named, disguised(named, random)));
        if (off.empty()) continue;
        ++wrong;
        all += "\n" + std::to_string(i) + ":" + off;
    }
    EXPECT_EQ(wrong, 0) << all;
}

TEST(BodyByShape, ASpineMayHaveOneJointOrSix) {
    Random random(5);
    for (int spine = 1; spine <= 6; ++spine)
        EXPECT_EQ(differencesOf({.spine = spine}, random), "") << spine;
}

TEST(BodyByShape, ArmsMayBeOutOrDown) {
    Random random(6);
    for (const double down : {0.0, 0.4, 0.8, 1.2, 1.5})
        EXPECT_EQ(differencesOf({.arms_down = down}, random), "") << down;
}

TEST(BodyByShape, ArmsMayBeAsLongAsLegs) {
    Random random(18);
    for (const double down : {0.0, 1.4})
        EXPECT_EQ(
            differencesOf(
                {.thigh = 0.3, .shin = 0.3, .upper_arm = 0.32, .forearm = 0.3, .arms_down = down},
                random),
            "")
            << down;
}

TEST(BodyByShape, CollarsAndToesMayBeMissing) {
    Random random(7);
    EXPECT_EQ(differencesOf({.collars = false}, random), "");
    EXPECT_EQ(differencesOf({.toes = false}, random), "");
    EXPECT_EQ(differencesOf({.collars = false, .toes = false}, random), "");
}

TEST(BodyByShape, AJointBetweenPelvisAndThighIsThePelvis) {
    Random random(8);
    EXPECT_EQ(differencesOf({.pelvis = true}, random), "");
}

TEST(BodyByShape, HelpersThatTwistAreNoJointsOfALimb) {
    Random random(9);
    EXPECT_EQ(differencesOf({.twists = true}, random), "");
    EXPECT_EQ(differencesOf({.twists_in_row = true}, random), "");
}

TEST(BodyByShape, TheTopOfTheHeadIsNotTheHeadAndEyesAreNot) {
    Random random(10);
    EXPECT_EQ(differencesOf({.head_top = true}, random), "");
    EXPECT_EQ(differencesOf({.face = true}, random), "");
    EXPECT_EQ(differencesOf({.necks = 2, .head_top = true}, random), "");
}

TEST(BodyByShape, ASwordIsNoArmAndATailIsNoLeg) {
    Random random(11);
    EXPECT_EQ(differencesOf({.sword = true}, random), "");
    EXPECT_EQ(differencesOf({.fingers = 5, .sword = true}, random), "");
    EXPECT_EQ(differencesOf({.tail = true}, random), "");
}

TEST(BodyByShape, FingersAreToldByTheThumb) {
    Random random(12);
    const Skeleton named = makePerson({.fingers = 5});
    const Roles found = seenThrough(named, disguised(named, random));
    for (const auto& [role, joints] : madeAs(named)) {
        if (!isFinger(role)) continue;
        ASSERT_EQ(found.count(role), 1U) << role;
        EXPECT_EQ(found.at(role), joints) << role;
    }
    // One beside a thumb may be any.
    const Skeleton two = makePerson({.fingers = 2});
    const Roles of_two = seenThrough(two, disguised(two, random));
    ASSERT_EQ(of_two.count("left.fingers.thumb"), 1U);
    EXPECT_EQ(of_two.at("left.fingers.thumb").front(), "left.fingers.thumb.0");
    EXPECT_EQ(of_two.count("left.fingers.several"), 1U);
}

TEST(BodyByShape, APersonWithOneArmIsKnown) {
    Random random(17);
    for (const double down : {0.0, 0.7, 1.3}) {
        EXPECT_EQ(differencesOf({.arms_down = down, .left_arm = false}, random), "") << down;
        EXPECT_EQ(differencesOf({.arms_down = down, .fingers = 5, .left_arm = false}, random), "");
    }
}

// ---- left and right

TEST(BodyByShape, WithoutFeetKneesAndElbowsTellTheSides) {
    Random random(13);
    EXPECT_EQ(differencesOf({.bent = 0.1, .toes = false, .foot_ends = false}, random), "");
}

TEST(BodyByShape, WhereNothingTellsTheSidesThatIsSaid) {
    Random random(14);
    const Skeleton named = makePerson({.bent = 0.0, .toes = false, .foot_ends = false});
    const BodyRoles roles = rolesOf(disguised(named, random));
    ASSERT_EQ(roles.warnings.size(), 1U);
    EXPECT_NE(roles.warnings[0].what.find("nothing tells the left side"), std::string::npos);
    EXPECT_LT(roles.confidence, kSureBody);
    // The rest is as sure as ever.
    for (const BodyRole& role : roles.roles)
        EXPECT_GT(role.confidence, role.name == "hips" || role.name == "spine" ? 0.8 : 0.0);
}

TEST(BodyByShape, WordsForTheSidesAreFollowedWhereTheRestOfTheNamesSaysNothing) {
    const Skeleton named = makePerson({});
    std::vector<JointDef> joints(named.definitions().begin(), named.definitions().end());
    // A mirrored rig: what is on the left is called R.
    const auto rename = [&](std::string& name) {
        const JointId j = named.find(name);
        if (j == JointId::None) return;
        const std::string side = name.starts_with("left")    ? "_R"
                                 : name.starts_with("right") ? "_L"
                                                             : "";
        name = "bone" + std::to_string(index(j)) + side;
    };
    for (JointDef& def : joints) {
        rename(def.name);
        rename(def.parent);
    }
    const Skeleton mirrored = build(joints);
    const BodyRoles roles = rolesOf(mirrored);
    EXPECT_EQ(roles.find("left.knee"),
              std::vector<JointId>{
                  mirrored.find("bone" + std::to_string(index(named.find("right.knee"))) + "_L")});
    ASSERT_EQ(roles.warnings.size(), 1U);
    EXPECT_NE(roles.warnings[0].what.find("the toes point backwards"), std::string::npos);
}

TEST(BodyByShape, NamesThatContradictTheToesAreFollowedWithAWarning) {
    NameFamily family = nameFamilies().front();
    for (FamilyName& each : family.joints) each.place.x = -each.place.x;
    const Skeleton mirrored = makeHumanoid(family);
    const BodyRoles roles = rolesOf(mirrored);
    EXPECT_EQ(roles.find("left.knee"), std::vector<JointId>{mirrored.find("mixamorig:LeftLeg")});
    ASSERT_EQ(roles.warnings.size(), 1U);
    EXPECT_NE(roles.warnings[0].what.find("the toes point backwards"), std::string::npos);
    EXPECT_TRUE(rolesOf(makeHumanoid(nameFamilies().front())).warnings.empty());
}

// ---- names and shape together

TEST(BodyByShape, FillsAHeadAndALimbThatNamesLeaveOpen) {
    NameFamily family = nameFamilies().front();
    const std::map<std::string, std::string> other = {{"mixamorig:Neck", "thing"},
                                                      {"mixamorig:Head", "other_thing"},
                                                      {"mixamorig:LeftForeArm", "rod_a"},
                                                      {"mixamorig:LeftHand", "rod_b"}};
    for (FamilyName& each : family.joints)
        for (std::string* name : {&each.name, &each.parent})
            if (other.count(*name)) *name = other.at(*name);
    const Skeleton skeleton = makeHumanoid(family);
    const Result<HumanBody> body = findHumanBody(skeleton, restPose(skeleton));
    ASSERT_TRUE(body.ok());
    EXPECT_EQ(body->head, skeleton.find("other_thing"));
    EXPECT_EQ(body->neck, std::vector<JointId>{skeleton.find("thing")});
    EXPECT_EQ(body->left.elbow, skeleton.find("rod_a"));
    EXPECT_EQ(body->left.wrist, skeleton.find("rod_b"));
    EXPECT_EQ(body->left.shoulder, skeleton.find("mixamorig:LeftArm"));
    for (const BodyRole& role : body->roles.roles) {
        if (role.name == "left.elbow") {
            EXPECT_EQ(role.reason, "by shape: the middle joint of the left of two arms");
        }
        if (role.name == "right.elbow") {
            EXPECT_EQ(role.reason, "by name 'mixamorig:RightForeArm'");
            EXPECT_EQ(role.confidence, 1.0);
        }
    }
}

TEST(BodyByShape, TheLastJointOfANeckIsTheHeadWhereNoNameSaysOne) {
    const Result<Character> file = openCharacter(sharedData("bvh/games105/idle.bvh"));
    ASSERT_TRUE(file.ok());
    const Result<HumanBody> body = findHumanBody(file->skeleton, restPose(file->skeleton));
    ASSERT_TRUE(body.ok());
    EXPECT_EQ(body->head, file->skeleton.find("torso_head"));
    EXPECT_TRUE(body->neck.empty());
}

TEST(BodyByShape, AnArmThatIsNotThereIsNotMadeUp) {
    NameFamily family = nameFamilies().front();
    std::erase_if(family.joints, [](const FamilyName& each) {
        return each.name == "mixamorig:LeftArm" || each.name == "mixamorig:LeftForeArm" ||
               each.name.find("LeftHand") != std::string::npos;
    });
    const Skeleton skeleton = makeHumanoid(family);
    const Result<HumanBody> body = findHumanBody(skeleton, restPose(skeleton));
    ASSERT_TRUE(body.ok());
    EXPECT_EQ(body->left.shoulder, JointId::None);
    EXPECT_EQ(body->left.elbow, JointId::None);
    EXPECT_EQ(body->left.wrist, JointId::None);
    EXPECT_EQ(body->right.wrist, skeleton.find("mixamorig:RightHand"));
    EXPECT_EQ(body->left.ankle, skeleton.find("mixamorig:LeftFoot"));
}

// ---- what is no person

TEST(BodyByShape, AFoxIsFourLeggedAndNoPerson) {
    const Result<Character> file = openCharacter(sharedGltf("Fox"));
    ASSERT_TRUE(file.ok());
    const Skeleton& fox = file->skeleton;
    const BodyRoles roles = rolesOf(fox);
    EXPECT_EQ(roles.kind, BodyKind::Quadruped);
    const auto is = [&](const char* role, const std::vector<std::string>& joints) {
        std::vector<std::string> found;
        for (const JointId j : roles.find(role)) found.push_back(fox.name(j));
        EXPECT_EQ(found, joints) << role;
    };
    is("hips", {"b_Hip_01"});
    is("spine", {"b_Spine01_02", "b_Spine02_03"});
    is("neck", {"b_Neck_04"});
    is("head", {"b_Head_05"});
    is("tail", {"b_Tail01_012", "b_Tail02_013", "b_Tail03_014"});
    is("left.shoulder", {"b_LeftUpperArm_09"});
    is("left.wrist", {"b_LeftHand_011"});
    is("right.hip", {"b_RightLeg01_019"});
    is("right.ankle", {"b_RightFoot01_021"});
    is("right.toes", {"b_RightFoot02_022"});
    EXPECT_GT(dot(roles.model_from_body * Vec3{0, 0, 1}, Vec3{0, 0, 1}), 0.99);
    EXPECT_GT(dot(roles.model_from_body * Vec3{0, 1, 0}, Vec3{0, 1, 0}), 0.95);
    const Result<HumanBody> human = findHumanBody(fox, restPose(fox));
    ASSERT_FALSE(human.ok());
    EXPECT_NE(human.error().what.find("four legs"), std::string::npos);
}

TEST(BodyByShape, AnimalsOfAnyProportionsAreKnownJointByJoint) {
    Random random(15);
    for (int i = 0; i < 100; ++i) {
        Animal animal;
        for (double* each :
             {&animal.trunk, &animal.height, &animal.half, &animal.tail, &animal.head})
            *each *= random.between(0.8, 1.25);
        animal.spine = 1 + static_cast<int>(random.below(5));
        const Skeleton named = makeAnimal(animal);
        const Skeleton other = disguised(named, random);
        EXPECT_EQ(rolesOf(other).kind, BodyKind::Quadruped) << i;
        EXPECT_EQ(differences(madeAs(named), seenThrough(named, other)), "") << i;
    }
}

TEST(BodyByShape, AnAnimalWithThePartsOfAPersonInItsNamesIsFourLegged) {
    const Skeleton named = makeAnimal({});
    std::vector<JointDef> joints(named.definitions().begin(), named.definitions().end());
    const std::map<std::string, std::string> mixamo = {
        {"hips", "Hips"},   {"spine.0", "Spine"}, {"spine.1", "Spine1"}, {"spine.2", "Spine2"},
        {"neck.0", "Neck"}, {"head", "Head"},     {"shoulder", "Arm"},   {"elbow", "ForeArm"},
        {"wrist", "Hand"},  {"hip", "UpLeg"},     {"knee", "Leg"},       {"ankle", "Foot"},
        {"toes", "ToeBase"}};
    const auto rename = [&](std::string& name) {
        for (const auto& [role, word] : mixamo) {
            if (name == role) name = word;
            if (name == "left." + role) name = "Left" + word;
            if (name == "right." + role) name = "Right" + word;
        }
    };
    for (JointDef& def : joints) {
        rename(def.name);
        rename(def.parent);
    }
    const Skeleton dog = build(joints);
    EXPECT_EQ(rolesOf(dog).kind, BodyKind::Quadruped);
    EXPECT_FALSE(findHumanBody(dog, restPose(dog)).ok());
    BodyMap map;
    map.kind = BodyKind::Human;
    EXPECT_TRUE(findHumanBody(dog, restPose(dog), &map).ok());
}

TEST(BodyByShape, ATableASpiderAndAPlaneFigureAreNoBodies) {
    const auto legs = [](int pairs) {
        std::vector<JointDef> joints = {joint("a", "", JointKind::Free, {0, 1, 0})};
        for (int i = 0; i < 2 * pairs; ++i) {
            const std::string n = std::to_string(i);
            const double x = i % 2 == 0 ? 0.4 : -0.4, z = 0.3 * (i / 2);
            joints.push_back(joint("b" + n, "a", JointKind::Ball, {x, 0, z}));
            joints.push_back(joint("c" + n, "b" + n, JointKind::Ball, {0, -0.4, 0}));
            joints.push_back(joint("d" + n, "c" + n, JointKind::Ball, {0, -0.4, 0}));
        }
        return build(std::move(joints));
    };
    for (const Skeleton& skeleton : {legs(2), legs(4), everyKind()})
        EXPECT_FALSE(findBodyRoles(skeleton, restPose(skeleton)).ok());
    const std::vector<double> lengths = {1.0, 1.0, 0.5};
    const Skeleton planar = planarChain(lengths);
    const Result<BodyRoles> roles = findBodyRoles(planar, restPose(planar));
    ASSERT_FALSE(roles.ok());
    EXPECT_NE(roles.error().what.find("planar"), std::string::npos);
}

TEST(BodyByShape, TreesOfChanceAreHardlyEverABody) {
    Random random(16);
    int found = 0;
    for (int i = 0; i < 1000; ++i) {
        const Skeleton skeleton = randomRig(random, {.least_joints = 10, .most_joints = 40});
        if (findBodyRoles(skeleton, restPose(skeleton))) ++found;
    }
    EXPECT_LE(found, 5);
}

}  // namespace
}  // namespace ulna::test
