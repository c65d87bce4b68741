// SPDX-License-Identifier: Apache-2.0

// Human ranges: who is recognised, and what may turn where, judged by forward kinematics.
#include "ulna/ik/anatomy.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <functional>
#include <map>

#include "support/humanoid.h"
#include "support/skeletons.h"
#include "ulna/core/text.h"
#include "ulna/io/bvh.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::build;
using test::joint;

AnatomicalRig make(const Skeleton& skeleton, const Pose& t_pose) {
    Result<AnatomicalRig> rig = makeAnatomicalRig(skeleton, t_pose);
    EXPECT_TRUE(rig.ok()) << (rig ? "" : describe(rig.error()));
    return rig ? *std::move(rig) : AnatomicalRig{};
}
AnatomicalRig make(const Skeleton& skeleton) {
    return make(skeleton, restPose(skeleton));
}

std::map<std::string, std::string> partsByName(const AnatomicalRig& rig) {
    std::map<std::string, std::string> out;
    for (const RecognisedJoint& r : rig.recognised)
        out[rig.skeleton.name(r.joint)] = std::string(r.part);
    return out;
}

test::NameFamily mixamo() {
    return test::nameFamilies().front();
}

// The first joint of a part.
JointId find(const AnatomicalRig& rig, std::string_view part) {
    for (const RecognisedJoint& r : rig.recognised) {
        if (r.part == part) return r.joint;
    }
    ADD_FAILURE() << "no " << part;
    return JointId::None;
}

// The degree of freedom about an anatomical axis: 0 flexion, 1 twist, 2 sideways.
std::size_t dofAbout(const Skeleton& skeleton, JointId j, int axis) {
    const std::array<int, 3> axes = eulerAxes(skeleton.joint(j).order);
    for (std::size_t k = 0; k < 3; ++k) {
        if (axes[k] == axis) return skeleton.firstDof(j) + k;
    }
    return 0;
}

Vec3 placeOf(const AnatomicalRig& rig, const DofVector& dofs, JointId j) {
    return computeModelPoint(rig.skeleton, computePose(rig.skeleton, dofs), j, {});
}

// Every joint turned by chance, the root moved, bones stretched.
Pose randomPose(const Skeleton& skeleton, Random& random, double angle, double stretch) {
    Pose pose = restPose(skeleton);
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i) {
        if (skeleton.kind(jointId(i)) == JointKind::Fixed) continue;
        Trs& t = pose.parent_from_joint[i];
        t.rotation = t.rotation * quatExp(random.direction() * random.between(0.0, angle));
        t.translation += random.direction() * random.between(0.0, stretch);
    }
    return pose;
}

double excessAt(const Skeleton& skeleton, const DofVector& dofs, JointId j) {
    double excess = 0.0;
    for (std::size_t d = skeleton.firstDof(j); d < skeleton.firstDof(j) + skeleton.dofCount(j);
         ++d) {
        const DofLimit& limit = skeleton.dofLimits()[d];
        excess = std::max({excess, dofs[d] - limit.max, limit.min - dofs[d]});
    }
    return excess;
}

// ---- recognition

TEST(AnatomyNames, EveryFamilyIsRecognisedJointByJoint) {
    for (const test::NameFamily& family : test::nameFamilies()) {
        SCOPED_TRACE(family.name);
        const AnatomicalRig rig = make(test::makeHumanoid(family));
        std::map<std::string, std::string> parts = partsByName(rig);
        std::size_t expected = 0;
        for (const test::FamilyName& f : family.joints) {
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
    test::NameFamily family = mixamo();
    for (test::FamilyName& f : family.joints) {
        f.name = change(f.name);
        if (!f.parent.empty()) f.parent = change(f.parent);
    }
    return test::makeHumanoid(family);
}

TEST(AnatomyNames, CaseSeparatorsPrefixesAndNumbersOfDuplicatesDoNotMatter) {
    const auto bare = [](const std::string& name) { return name.substr(name.find(':') + 1); };
    const auto upper = [](std::string name) {
        for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        return name;
    };
    const std::size_t expected = make(test::makeHumanoid(mixamo())).recognised.size();
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
        EXPECT_EQ(make(renamed(change)).recognised.size(), expected) << what;
    }
}

TEST(AnatomyNames, JointsThatOnlySoundLikeABodyAreLeftAlone) {
    test::NameFamily family = mixamo();
    const std::vector<std::string> others = {
        "Chestnut",     "Backpack",      "LeftHandle",  "RightHandProp", "Leftover",  "IK_LeftHand",
        "LeftArmRoll",  "hand_l_target", "LeftHead",    "Neckline",      "LeftLeg1",  "Head2",
        "HipsPole",     "Foot",          "Leg",         "Hand",          "LeftRight", "L_R_Hand",
        "Spine1Twist2", "LeftEye",       "Jaw",         "Hair_L_01",     "",          "L",
        "mixamorig:",   "LeftHandEnd",   "ShoulderPad", "Arm.L.001",     "42",        "lowerarm"};
    for (const std::string& name : others) {
        if (!name.empty()) family.joints.push_back({name, "", "mixamorig:Head", {0.1, 1.7, 0.2}});
    }
    const std::map<std::string, std::string> parts = partsByName(make(test::makeHumanoid(family)));
    for (const std::string& name : others) EXPECT_EQ(parts.count(name), 0U) << name;
}

TEST(AnatomyNames, EndSitesAreNoJointsWhateverTheirName) {
    test::NameFamily family = mixamo();
    Skeleton plain = test::makeHumanoid(family);
    std::vector<JointDef> joints(plain.definitions().begin(), plain.definitions().end());
    joints.push_back(joint("Head", "mixamorig:Head", JointKind::Fixed, {0, 0.1, 0}));
    joints.back().end_site = true;
    const AnatomicalRig rig = make(build(std::move(joints)));
    EXPECT_EQ(partsByName(rig).count("Head"), 0U);
    // Neck and head share the neck's range, 80 degrees of twist: an end site takes no share.
    const JointId neck = find(rig, "neck");
    EXPECT_NEAR(rig.skeleton.dofLimits()[dofAbout(rig.skeleton, neck, 1)].max, radians(40), 1e-12);
}

TEST(AnatomyNames, TwoCharactersInOneFileAreEachRecognised) {
    const Skeleton one = test::makeHumanoid(mixamo());
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
    const AnatomicalRig rig = make(build(std::move(joints)));
    EXPECT_EQ(rig.recognised.size(), 2 * make(one).recognised.size());
    const JointId knee = rig.skeleton.find("mixamorig:LeftLeg#2");
    const JointId foot = rig.skeleton.find("mixamorig:LeftFoot#2");
    DofVector dofs(rig.skeleton.dofCount(), 0.0);
    const double before = placeOf(rig, dofs, foot).z;
    dofs[dofAbout(rig.skeleton, knee, 0)] = 1.0;
    EXPECT_GT(placeOf(rig, dofs, foot).z, before + 0.2);  // behind a person who faces -z
}

// ---- poses go over and back

TEST(Anatomy, PosesGoOverAndBackWithEveryJointInItsPlace) {
    Random random(3);
    for (const test::NameFamily& family : test::nameFamilies()) {
        SCOPED_TRACE(family.name);
        const Skeleton skeleton = test::makeHumanoid(family);
        const AnatomicalRig rig = make(skeleton);
        for (int i = 0; i < 20; ++i) {
            Pose pose = randomPose(skeleton, random, kPi, 0.1);
            for (Trs& t : pose.parent_from_joint) {
                const double s = random.between(0.9, 1.1);
                t.scale = {s, s, s};
            }
            const Pose over = toAnatomical(rig, pose);
            const Pose back = fromAnatomical(rig, over);
            const ModelPose a = computeModelPose(skeleton, pose);
            const ModelPose b = computeModelPose(rig.skeleton, over);
            for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
                const JointId id = jointId(j);
                EXPECT_LT(distance(a.position(id), b.position(id)), 1e-12) << skeleton.name(id);
                EXPECT_LT(angleBetween(pose[id].rotation, back[id].rotation), 1e-12);
                EXPECT_LT(distance(pose[id].translation, back[id].translation), 1e-12);
                EXPECT_EQ(pose[id].scale, back[id].scale);
            }
        }
    }
}

TEST(Anatomy, AnyPoseOfBallsIsReachedByAngles) {
    Random random(4);
    const Skeleton skeleton = test::makeHumanoid(mixamo());
    const AnatomicalRig rig = make(skeleton);
    for (int i = 0; i < 50; ++i) {
        const Pose pose = randomPose(skeleton, random, kPi, 0.0);
        const DofFit fit = computeDofs(rig.skeleton, toAnatomical(rig, pose));
        EXPECT_LT(fit.rotation_residual, 1e-7);
        const Pose back = fromAnatomical(rig, computePose(rig.skeleton, fit.dofs));
        const ModelPose a = computeModelPose(skeleton, pose);
        const ModelPose b = computeModelPose(skeleton, back);
        for (std::size_t j = 0; j < skeleton.jointCount(); ++j)
            EXPECT_LT(distance(a.position(jointId(j)), b.position(jointId(j))), 1e-10);
    }
}

TEST(Anatomy, JointsTipsLimitsAndNamesStayTheirOwn) {
    const Skeleton skeleton = test::makeHumanoid(mixamo());
    const AnatomicalRig rig = make(skeleton);
    const ModelPose a = computeModelPose(skeleton, restPose(skeleton));
    const ModelPose b = computeModelPose(rig.skeleton, restPose(rig.skeleton));
    ASSERT_EQ(rig.skeleton.jointCount(), skeleton.jointCount());
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i) {
        const JointId j = jointId(i);
        EXPECT_EQ(rig.skeleton.name(j), skeleton.name(j));
        EXPECT_EQ(rig.skeleton.parent(j), skeleton.parent(j));
        EXPECT_EQ(rig.skeleton.kind(j), skeleton.kind(j));
        EXPECT_LT(distance(a[j] * skeleton.tip(j), b[j] * rig.skeleton.tip(j)), 1e-12);
    }
    // The base of the body goes anywhere.
    for (std::size_t d = 0; d < 6; ++d) EXPECT_FALSE(rig.skeleton.dofLimits()[d].bounded());
}

TEST(Anatomy, ZeroAnglesAreTheTPoseAlsoWhereTheRestPoseIsAnother) {
    Random random(5);
    const Skeleton plain = test::makeHumanoid(mixamo());
    const std::vector<std::string> names(plain.names().begin(), plain.names().end());
    const test::OtherConvention other(plain, randomPose(plain, random, 1.0, 0.0), names,
                                      random.rotation(), 100.0, random);
    const Pose t_pose = other.pose(restPose(plain));
    const AnatomicalRig rig = make(other.skeleton(), t_pose);
    const DofVector zero(rig.skeleton.dofCount(), 0.0);
    EXPECT_EQ(limitExcess(rig.skeleton, zero), 0.0);
    const ModelPose wanted = computeModelPose(other.skeleton(), t_pose);
    const ModelPose got = computeModelPose(rig.skeleton, computePose(rig.skeleton, zero));
    for (std::size_t j = 0; j < plain.jointCount(); ++j)
        EXPECT_LT(distance(wanted.position(jointId(j)), got.position(jointId(j))), 1e-10);
}

// ---- what the ranges mean: y up, facing +z, left at +x

TEST(AnatomyRanges, KneesBendBackwardsOnly) {
    const AnatomicalRig rig = make(test::makeHumanoid(mixamo()));
    for (const std::string side : {"left", "right"}) {
        const JointId knee = find(rig, side + " knee");
        const JointId foot = find(rig, side + " ankle");
        const std::size_t flexion = dofAbout(rig.skeleton, knee, 0);
        const DofLimit limit = rig.skeleton.dofLimits()[flexion];
        DofVector dofs(rig.skeleton.dofCount(), 0.0);
        const Vec3 straight = placeOf(rig, dofs, foot);
        dofs[flexion] = radians(90);
        EXPECT_LE(limitExcess(rig.skeleton, dofs), 0.0);
        EXPECT_LT(placeOf(rig, dofs, foot).z, straight.z - 0.35) << side;
        EXPECT_NEAR(placeOf(rig, dofs, foot).x, straight.x, 0.02) << side;
        // At the most forwards the limits allow, the foot is hardly in front of the straight leg.
        dofs[flexion] = limit.min;
        EXPECT_LT(placeOf(rig, dofs, foot).z, straight.z + 0.04) << side;
        dofs[flexion] = radians(-30);
        EXPECT_GT(placeOf(rig, dofs, foot).z, straight.z + 0.2) << side;
        EXPECT_GT(limitExcess(rig.skeleton, dofs), radians(20)) << side;
    }
}

TEST(AnatomyRanges, ElbowsBendForwardsOnly) {
    const AnatomicalRig rig = make(test::makeHumanoid(mixamo()));
    for (const std::string side : {"left", "right"}) {
        const JointId elbow = find(rig, side + " elbow");
        const JointId hand = find(rig, side + " wrist");
        const std::size_t flexion = dofAbout(rig.skeleton, elbow, 0);
        DofVector dofs(rig.skeleton.dofCount(), 0.0);
        const Vec3 straight = placeOf(rig, dofs, hand);
        dofs[flexion] = radians(90);
        EXPECT_LE(limitExcess(rig.skeleton, dofs), 0.0);
        EXPECT_GT(placeOf(rig, dofs, hand).z, straight.z + 0.2) << side;
        EXPECT_NEAR(placeOf(rig, dofs, hand).y, straight.y, 0.02) << side;
        dofs[flexion] = rig.skeleton.dofLimits()[flexion].min;
        EXPECT_GT(placeOf(rig, dofs, hand).z, straight.z - 0.03) << side;
        dofs[flexion] = radians(-30);
        EXPECT_GT(limitExcess(rig.skeleton, dofs), radians(20)) << side;
    }
}

// Where a positive turn takes a point of the limb, left side.
struct Movement {
    std::string part, moved;
    int axis;
    Vec3 towards;
};

TEST(AnatomyRanges, PositiveAnglesAreTheNamedMovements) {
    const AnatomicalRig rig = make(test::makeHumanoid(mixamo()));
    const Vec3 left{1, 0, 0}, up{0, 1, 0}, forward{0, 0, 1};
    const std::vector<Movement> movements = {
        {"left hip", "left ankle", 0, forward},
        {"left hip", "left ankle", 2, left},
        {"left hip", "left toes", 1, -left},
        {"left ankle", "left toes", 0, up},
        {"left ankle", "left toes", 2, left},
        {"left collarbone", "left shoulder", 0, up},
        {"left collarbone", "left shoulder", 2, -forward},
        {"left shoulder", "left wrist", 0, normalizedOr(forward * 0.866 + up * 0.5, {})},
        {"left shoulder", "left wrist", 2, normalizedOr(up * 0.866 - forward * 0.5, {})},
        {"left wrist", "left index finger", 0, -up},
        {"left wrist", "left index finger", 2, forward},
        {"spine", "head", 0, forward},
    };
    for (const Movement& m : movements) {
        DofVector dofs(rig.skeleton.dofCount(), 0.0);
        const JointId moved = find(rig, m.moved);
        const Vec3 before = placeOf(rig, dofs, moved);
        dofs[dofAbout(rig.skeleton, find(rig, m.part), m.axis)] = 1e-3;
        const Vec3 step = normalizedOr(placeOf(rig, dofs, moved) - before, Vec3{});
        EXPECT_GT(dot(step, m.towards), 0.85) << m.part << " axis " << m.axis;
    }
}

TEST(AnatomyRanges, LeftAndRightAreMirrorImages) {
    Random random(6);
    const AnatomicalRig rig = make(test::makeHumanoid(mixamo()));
    const Skeleton& s = rig.skeleton;
    for (int i = 0; i < 100; ++i) {
        // The same numbers at both sides, none in the middle.
        DofVector dofs(s.dofCount(), 0.0);
        for (const RecognisedJoint& r : rig.recognised) {
            if (r.part.rfind("left", 0) != 0) continue;
            const std::string name = s.name(r.joint);
            const JointId right = s.find("mixamorig:Right" + name.substr(14));
            ASSERT_NE(right, JointId::None) << name;
            for (std::size_t d = 0; d < 3; ++d) {
                const std::size_t l = s.firstDof(r.joint) + d, k = s.firstDof(right) + d;
                dofs[l] = dofs[k] = random.between(-1.5, 1.5);
                EXPECT_EQ(s.dofLimits()[l], s.dofLimits()[k]);
            }
        }
        const ModelPose model = computeModelPose(s, computePose(s, dofs));
        for (const std::string& name : s.names()) {
            if (name.rfind("mixamorig:Left", 0) != 0) continue;
            const Vec3 l = model.position(s.find(name));
            const Vec3 r = model.position(s.find("mixamorig:Right" + name.substr(14)));
            EXPECT_LT(distance(r, Vec3{-l.x, l.y, l.z}), 1e-12) << name;
        }
    }
}

TEST(AnatomyRanges, TheTrunkTurnsAndLeansAsFarToTheLeftAsToTheRight) {
    const AnatomicalRig rig = make(test::makeHumanoid(mixamo()));
    for (const RecognisedJoint& r : rig.recognised) {
        if (r.part != "spine" && r.part != "neck" && r.part != "head") continue;
        for (const int axis : {1, 2}) {
            const DofLimit limit = rig.skeleton.dofLimits()[dofAbout(rig.skeleton, r.joint, axis)];
            EXPECT_EQ(limit.min, -limit.max) << r.part;
        }
    }
}

TEST(AnatomyRanges, ASpineOfAnyLengthTurnsAsFarInAll) {
    double turns = 0.0;
    for (const test::NameFamily& family : test::nameFamilies()) {
        const AnatomicalRig rig = make(test::makeHumanoid(family));
        double total = 0.0, neck = 0.0;
        for (const RecognisedJoint& r : rig.recognised) {
            if (rig.skeleton.kind(r.joint) != JointKind::Ball) continue;
            const double most = rig.skeleton.dofLimits()[dofAbout(rig.skeleton, r.joint, 1)].max;
            if (r.part == "spine") total += most;
            if (r.part == "neck" || r.part == "head") neck += most;
        }
        EXPECT_NEAR(total, radians(45), 1e-12) << family.name;
        EXPECT_NEAR(neck, radians(80), 1e-12) << family.name;
        turns += total;
    }
    EXPECT_GT(turns, 0.0);
}

// The pose with one joint turned in model axes.
double excessOf(const AnatomicalRig& rig, const Skeleton& skeleton, const std::string& name,
                const Quat& model_turn) {
    Pose pose = restPose(skeleton);
    pose[skeleton.find(name)].rotation = model_turn;  // rest axes are the model's
    const DofFit fit = computeDofs(rig.skeleton, toAnatomical(rig, pose));
    return limitExcess(rig.skeleton, fit.dofs);
}

TEST(AnatomyRanges, ArmsHangReachForwardsAndReachUpButNotThroughTheBack) {
    const Skeleton skeleton = test::makeHumanoid(mixamo());
    const AnatomicalRig rig = make(skeleton);
    const std::string arm = "mixamorig:LeftArm";
    const auto excess = [&](const Quat& q) { return excessOf(rig, skeleton, arm, q); };
    const auto about = [](int axis, double angle) { return quatAboutAxis(axis, radians(angle)); };
    EXPECT_EQ(excess(about(2, -85)), 0.0);                        // hanging
    EXPECT_EQ(excess(about(0, -30) * about(2, -85)), 0.0);        // swung forwards
    EXPECT_EQ(excess(about(0, 30) * about(2, -85)), 0.0);         // and back
    EXPECT_EQ(excess(about(0, -80) * about(2, -80)), 0.0);        // forwards, from hanging
    EXPECT_EQ(excess(about(1, -60)), 0.0);                        // forwards, from the T-pose
    EXPECT_EQ(excess(about(2, 80)), 0.0);                         // up
    EXPECT_EQ(excess(about(0, -50)), 0.0);                        // twisted
    EXPECT_GT(excess(about(1, 100)), radians(5));                 // straight back
    EXPECT_GT(excess(about(0, 80) * about(2, -85)), radians(5));  // back and up behind
    EXPECT_GT(excess(about(2, 130)), radians(5));                 // over the head and across
    EXPECT_GT(excess(about(0, -130)), radians(5));                // twisted round
}

TEST(AnatomyRanges, LegsStepSitAndSpreadButDoNotTurnRound) {
    const Skeleton skeleton = test::makeHumanoid(mixamo());
    const AnatomicalRig rig = make(skeleton);
    const auto excess = [&](const Quat& q) {
        return excessOf(rig, skeleton, "mixamorig:RightUpLeg", q);
    };
    const auto about = [](int axis, double angle) { return quatAboutAxis(axis, radians(angle)); };
    EXPECT_EQ(excess(about(0, -100)), 0.0);                 // the thigh forwards, sitting
    EXPECT_EQ(excess(about(0, 20)), 0.0);                   // back
    EXPECT_EQ(excess(about(2, -40)), 0.0);                  // out to the right
    EXPECT_EQ(excess(about(0, -90) * about(2, -35)), 0.0);  // sitting with the knees apart
    EXPECT_GT(excess(about(0, 60)), radians(20));           // far back
    EXPECT_GT(excess(about(2, 60)), radians(20));           // through the other leg
    EXPECT_GT(excess(about(1, 90)), radians(20));           // toes behind
}

// ---- one person, many conventions

TEST(AnatomyConventions, TheSamePersonGetsTheSameAllowedPoses) {
    const test::NameFamily family = mixamo();
    const Skeleton plain = test::makeHumanoid(family);
    const AnatomicalRig plain_rig = make(plain);
    // Unreal's names for the parts that have one joint a side; others keep theirs.
    const std::map<std::string, std::string> unreal = {
        {"hips", "pelvis"},       {"neck", "neck_01"},
        {"head", "head"},         {"collarbone", "clavicle"},
        {"shoulder", "upperarm"}, {"elbow", "lowerarm"},
        {"wrist", "hand"},        {"index finger", "index_01"},
        {"hip", "thigh"},         {"knee", "calf"},
        {"ankle", "foot"},        {"toes", "ball"}};
    std::vector<std::string> names(plain.names().begin(), plain.names().end());
    for (const test::FamilyName& f : family.joints) {
        const bool left = f.part.rfind("left ", 0) == 0, right = f.part.rfind("right ", 0) == 0;
        const auto found = unreal.find(f.part.substr(left ? 5 : right ? 6 : 0));
        if (found == unreal.end()) continue;
        names[index(plain.find(f.name))] = found->second + (left ? "_l" : right ? "_r" : "");
    }
    const Quat z_up = quatAboutAxis(0, kPi / 2);
    Random random(8);
    for (const Quat& turn : {z_up, quatAboutAxis(1, kPi) * z_up, random.rotation()}) {
        const test::OtherConvention other(plain, randomPose(plain, random, 1.0, 0.0), names, turn,
                                          100.0, random);
        const AnatomicalRig rig = make(other.skeleton(), other.pose(restPose(plain)));
        ASSERT_EQ(rig.recognised.size(), plain_rig.recognised.size());
        int allowed = 0, refused = 0;
        for (int i = 0; i < 300; ++i) {
            const Pose pose = randomPose(plain, random, i % 3 == 0 ? kPi : 0.1, 0.0);
            const DofFit a = computeDofs(plain_rig.skeleton, toAnatomical(plain_rig, pose));
            const DofFit b = computeDofs(rig.skeleton, toAnatomical(rig, other.pose(pose)));
            for (const RecognisedJoint& r : rig.recognised) {
                if (r.part == "hips") continue;
                const double one = excessAt(plain_rig.skeleton, a.dofs, r.joint);
                const double two = excessAt(rig.skeleton, b.dofs, r.joint);
                EXPECT_NEAR(one, two, 1e-9) << r.part;
                (one > 0.0 ? refused : allowed) += 1;
            }
            EXPECT_NEAR(limitExcess(plain_rig.skeleton, a.dofs), limitExcess(rig.skeleton, b.dofs),
                        1e-9);
        }
        // Both answers are common, so that agreeing means something.
        EXPECT_GT(allowed, 1000);
        EXPECT_GT(refused, 1000);
    }
}

TEST(AnatomyConventions, AnArmThatHangsInTheTPoseIsWarnedAboutByName) {
    const Skeleton skeleton = test::makeHumanoid(mixamo());
    Pose pose = restPose(skeleton);
    pose[skeleton.find("mixamorig:LeftArm")].rotation = quatAboutAxis(2, radians(-80));
    const AnatomicalRig rig = make(skeleton, pose);
    ASSERT_EQ(rig.warnings.size(), 1U);
    EXPECT_NE(rig.warnings[0].what.find("'mixamorig:LeftArm' is 80 degrees off"), std::string::npos)
        << rig.warnings[0].what;
    EXPECT_NE(rig.warnings[0].advice.find("--rest-frame"), std::string::npos);
}

TEST(AnatomyConventions, BonesOfNoLengthTakeTheBodysAxes) {
    test::NameFamily family = mixamo();
    for (test::FamilyName& f : family.joints) {
        // Hands and feet in one point with what is above them.
        if (f.part == "left wrist") f.place = {0.46, 1.43, -0.015};
        if (f.part == "left toes") f.place = {0.1, 0.085, -0.005};
    }
    const AnatomicalRig rig = make(test::makeHumanoid(family));
    const JointId elbow = find(rig, "left elbow"), hand = find(rig, "left index finger");
    DofVector dofs(rig.skeleton.dofCount(), 0.0);
    const Vec3 before = placeOf(rig, dofs, hand);
    dofs[dofAbout(rig.skeleton, elbow, 0)] = 1.0;
    EXPECT_GT(placeOf(rig, dofs, hand).z, before.z + 0.2);
}

// ---- other kinds of joint

Skeleton withKind(const std::string& name, JointKind kind, Vec3 axis, Vec3 second = {0, 0, 1}) {
    const Skeleton plain = test::makeHumanoid(mixamo());
    std::vector<JointDef> joints(plain.definitions().begin(), plain.definitions().end());
    for (JointDef& def : joints) {
        if (def.name != name) continue;
        def.kind = kind;
        def.axes = {axis, second};
    }
    return build(std::move(joints));
}

TEST(AnatomyKinds, AHingeGetsTheRangeOfTheMovementItMakes) {
    for (const double sign : {1.0, -1.0}) {
        const Skeleton s = withKind("mixamorig:LeftLeg", JointKind::Hinge, {sign, 0, 0.2});
        const AnatomicalRig rig = make(s);
        const JointId knee = find(rig, "left knee"), foot = find(rig, "left ankle");
        ASSERT_EQ(rig.skeleton.kind(knee), JointKind::Hinge);
        const DofLimit limit = rig.skeleton.dofLimits()[rig.skeleton.firstDof(knee)];
        DofVector dofs(rig.skeleton.dofCount(), 0.0);
        const double before = placeOf(rig, dofs, foot).z;
        const bool up = limit.max > -limit.min;
        dofs[rig.skeleton.firstDof(knee)] = up ? limit.max : limit.min;
        EXPECT_LT(placeOf(rig, dofs, foot).z, before - 0.15);
        EXPECT_NEAR(limit.max - limit.min, radians(155), 1e-12);
        // The same turn about the same line as in the file.
        Pose pose = restPose(s);
        pose[knee].rotation = quatFromAxisAngle(s.joint(knee).axes[0], 0.7);
        const DofFit fit = computeDofs(rig.skeleton, toAnatomical(rig, pose));
        EXPECT_LT(fit.rotation_residual, 1e-7);
        EXPECT_NEAR(fit.dofs[rig.skeleton.firstDof(knee)], 0.7, 1e-12);
    }
}

TEST(AnatomyKinds, AHingeAboutNoMovementOfTheJointIsLeftAsItIs) {
    const Skeleton s = withKind("mixamorig:LeftLeg", JointKind::Hinge, {1, 1, 1});
    const AnatomicalRig rig = make(s);
    const JointId knee = s.find("mixamorig:LeftLeg");
    EXPECT_EQ(partsByName(rig).count("mixamorig:LeftLeg"), 0U);
    EXPECT_EQ(rig.skeleton.joint(knee).axes[0], s.joint(knee).axes[0]);
    EXPECT_FALSE(rig.skeleton.dofLimits()[rig.skeleton.firstDof(knee)].bounded());
}

TEST(AnatomyKinds, AUniversalJointGetsBothRangesAndAFixedOneNone) {
    const AnatomicalRig ankle =
        make(withKind("mixamorig:LeftFoot", JointKind::Universal, {-1, 0, 0}, {0, 0, 1}));
    const JointId foot = find(ankle, "left ankle");
    const std::size_t first = ankle.skeleton.firstDof(foot);
    EXPECT_NEAR(ankle.skeleton.dofLimits()[first].max, radians(35), 1e-12);
    EXPECT_NEAR(ankle.skeleton.dofLimits()[first + 1].min, radians(-35), 1e-12);
    const AnatomicalRig fixed = make(withKind("mixamorig:LeftFoot", JointKind::Fixed, {1, 0, 0}));
    EXPECT_EQ(partsByName(fixed).count("mixamorig:LeftFoot"), 0U);
    EXPECT_EQ(fixed.skeleton.kind(foot), JointKind::Fixed);
}

TEST(AnatomyKinds, AnElbowThatOnlyBendsLeavesTheForearmsTwistToTheWrist) {
    const auto twistOfWrist = [](const AnatomicalRig& rig) {
        return rig.skeleton.dofLimits()[dofAbout(rig.skeleton, find(rig, "left wrist"), 1)].max;
    };
    EXPECT_NEAR(twistOfWrist(make(test::makeHumanoid(mixamo()))), radians(30), 1e-12);
    EXPECT_NEAR(twistOfWrist(make(withKind("mixamorig:LeftForeArm", JointKind::Hinge, {0, -1, 0}))),
                radians(80), 1e-12);
}

TEST(AnatomyKinds, LimitsOfOtherJointsStayWhatTheyAre) {
    const Skeleton plain = test::makeHumanoid(mixamo());
    std::vector<JointDef> joints(plain.definitions().begin(), plain.definitions().end());
    joints.push_back(joint("Tail", "mixamorig:Hips", JointKind::Ball, {0, 0, -0.1}));
    joints.back().rest.rotation = quatAboutAxis(1, 0.4);
    joints.back().limits[0] = {-0.1, 0.2};
    joints.push_back(joint("Piston", "mixamorig:LeftArm", JointKind::Prismatic, {0.1, 0, 0}));
    const Skeleton s = build(std::move(joints));
    Random random(9);
    const AnatomicalRig rig = make(s, randomPose(s, random, 0.2, 0.0));
    const JointId tail = s.find("Tail"), piston = s.find("Piston");
    EXPECT_EQ(rig.skeleton.dofLimits()[rig.skeleton.firstDof(tail)], (DofLimit{-0.1, 0.2}));
    Pose pose = restPose(s);
    pose[tail].rotation =
        pose[tail].rotation * quatFromEuler(s.joint(tail).order, Vec3{0.15, 0, 0});
    pose[piston].translation += rotate(pose[piston].rotation, s.joint(piston).axes[0] * 0.05);
    const DofFit fit = computeDofs(rig.skeleton, toAnatomical(rig, pose));
    EXPECT_NEAR(fit.dofs[rig.skeleton.firstDof(tail)], 0.15, 1e-12);
    EXPECT_NEAR(fit.dofs[rig.skeleton.firstDof(piston)], 0.05, 1e-12);
    EXPECT_LT(fit.translation_residual, 1e-12);
}

TEST(AnatomyKinds, JointsThatStretchOneWayKeepTheirAxes) {
    const Skeleton plain = test::makeHumanoid(mixamo());
    std::vector<JointDef> joints(plain.definitions().begin(), plain.definitions().end());
    for (JointDef& def : joints) {
        if (def.name == "mixamorig:LeftArm") def.rest.scale = {1.5, 1, 1};
    }
    const Skeleton s = build(std::move(joints));
    const AnatomicalRig rig = make(s);
    EXPECT_EQ(partsByName(rig).count("mixamorig:LeftArm"), 0U);
    const ModelPose a = computeModelPose(s, restPose(s));
    const ModelPose b = computeModelPose(rig.skeleton, toAnatomical(rig, restPose(s)));
    for (std::size_t j = 0; j < s.jointCount(); ++j)
        EXPECT_LT(distance(a.position(jointId(j)), b.position(jointId(j))), 1e-12);
}

// ---- errors

std::string errorOf(const Skeleton& skeleton) {
    const Result<AnatomicalRig> rig = makeAnatomicalRig(skeleton, restPose(skeleton));
    EXPECT_FALSE(rig.ok());
    return rig ? "" : describe(rig.error());
}

TEST(AnatomyErrors, WhatIsNoBodySaysWhichNamesWereLookedFor) {
    const std::string nothing = errorOf(test::everyKind());
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
    EXPECT_NE(errorOf(legs({}, {}, {})).find("same place"), std::string::npos);
    EXPECT_NE(errorOf(legs({0.1, 0, 0}, {-0.1, 0, 0}, {})).find("same place"), std::string::npos);
}

TEST(AnatomyErrors, APlanarSkeletonHasNoHumanRanges) {
    const std::vector<double> lengths = {1.0, 1.0};
    EXPECT_NE(errorOf(test::planarChain(lengths)).find("planar"), std::string::npos);
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
    const Result<io::BvhFile> file = io::loadBvh(ULNA_SOURCE_DIR "/assets/ulna-character.bvh");
    ASSERT_TRUE(file.ok());
    const Result<io::BvhMotion> bvh = io::toMotion(*file);
    ASSERT_TRUE(bvh.ok());
    const AnatomicalRig rig = make(bvh->skeleton);
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
    const Result<io::RigFile> file = io::loadRig(ULNA_SOURCE_DIR "/assets/ulna-character.rig.json");
    ASSERT_TRUE(file.ok());
    const AnatomicalRig rig = make(file->skeleton);
    for (std::size_t i = 0; i < file->skeleton.jointCount(); ++i) {
        EXPECT_EQ(rig.skeleton.kind(jointId(i)), file->skeleton.kind(jointId(i)))
            << file->skeleton.name(jointId(i));
    }
    EXPECT_GT(rig.recognised.size(), 55U);
}

TEST(AnatomyFiles, ClipsOfOthersAreRecognisedAndMostlyHuman) {
    const std::string folder = ULNA_SHARED_DATA "/bvh/games105";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no clips at " << folder;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".bvh") continue;
        SCOPED_TRACE(entry.path().filename().string());
        const Result<io::BvhFile> file = io::loadBvh(entry.path().string());
        ASSERT_TRUE(file.ok());
        const Result<io::BvhMotion> bvh = io::toMotion(*file);
        ASSERT_TRUE(bvh.ok());
        const AnatomicalRig rig = make(bvh->skeleton);
        EXPECT_EQ(rig.recognised.size(), 20U);
        EXPECT_TRUE(rig.warnings.empty());
        const ClipExcess excess = excessOver(rig, bvh->motion);
        // A runner's ankle under load is what goes furthest.
        EXPECT_LT(excess.share, 0.02) << excess.joint;
        EXPECT_LT(degrees(excess.largest), 13.0) << excess.joint;
    }
}

TEST(AnatomyFiles, ATorsoWithArmsAloneIsEnough) {
    const std::string path = ULNA_SHARED_DATA "/momentum/simple.bvh";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no file at " << path;
    const Result<io::BvhFile> file = io::loadBvh(path);
    ASSERT_TRUE(file.ok());
    const Result<io::BvhMotion> bvh = io::toMotion(*file);
    ASSERT_TRUE(bvh.ok());
    const AnatomicalRig rig = make(bvh->skeleton);
    EXPECT_EQ(partsByName(rig),
              (std::map<std::string, std::string>{{"Hips", "hips"},
                                                  {"Chest", "spine"},
                                                  {"LeftShoulder", "left shoulder"},
                                                  {"RightShoulder", "right shoulder"}}));
}

}  // namespace
}  // namespace ulna
