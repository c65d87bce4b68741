// SPDX-License-Identifier: Apache-2.0

// Anatomical rigs: poses go over and back, whatever the convention and the kinds of joint.
#include <gtest/gtest.h>

#include <map>

#include "support/anatomy.h"
#include "support/skeletons.h"
#include "ulna/ik/goal.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

// ---- poses go over and back

TEST(Anatomy, PosesGoOverAndBackWithEveryJointInItsPlace) {
    Random random(3);
    for (const NameFamily& family : nameFamilies()) {
        SCOPED_TRACE(family.name);
        const Skeleton skeleton = makeHumanoid(family);
        const AnatomicalRig rig = makeRig(skeleton);
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
            for (const JointId id : skeleton.joints()) {
                EXPECT_LT(distance(a.position(id), b.position(id)), 1e-12) << skeleton.name(id);
                EXPECT_LT(angleBetween(pose[id].rotation, back[id].rotation), 1e-12);
                EXPECT_LT(distance(pose[id].translation, back[id].translation), 1e-12);
                EXPECT_EQ(pose[id].scale, back[id].scale);
            }
        }
    }
}

// How far a goal is from being met in a pose.
double errorOf(const Skeleton& skeleton, const Pose& pose, const GoalKind& goal) {
    const ModelPose model = computeModelPose(skeleton, pose);
    std::vector<BodyFrame> joints;
    for (const Affine& m : model.model_from_joint)
        joints.push_back({toMatrix(rotationOf(m)), m.translation(), length(m.column(0))});
    return goalError(goal, joints, skeleton.planar());
}

TEST(Anatomy, GoalsGoOverAndMissByAsMuch) {
    Random random(8);
    const Skeleton skeleton = makeHumanoid(mixamo());
    const AnatomicalRig rig = makeRig(skeleton);
    const auto joint = [&] {
        return jointId(static_cast<std::size_t>(random.between(0, 0.999) *
                                                static_cast<double>(skeleton.jointCount())));
    };
    for (int i = 0; i < 50; ++i) {
        const Pose pose = randomPose(skeleton, random, kPi, 0.1);
        const Vec3 point = random.direction(), place = random.direction() * 2.0;
        const Quat turned = quatExp(random.direction() * 1.5);
        const JointId a = joint(), b = joint();
        const std::vector<GoalKind> goals = {
            PositionGoal{a, point, place},
            OrientationGoal{a, turned},
            AimGoal{a, normalizedOr(point, {1, 0, 0}), place * 0.1, place},
            PoleGoal{findPart(rig, "left shoulder"), findPart(rig, "left elbow"),
                     findPart(rig, "left wrist"), place},
            PlaneGoal{a, point, normalizedOr(place, {0, 1, 0}), 0.4, PlaneSide::On},
            DistanceGoal{a, b, point, place, 0.7, DistanceBound::Exactly},
            RelativePositionGoal{a, b, point, place},
            RelativeOrientationGoal{a, b, turned},
            KeepApartGoal{{a, point, place, 1.0}, {b, place, point, 1.0}, 9.0},
            BalanceGoal{.contacts = {{a, point}, {b, place}},
                        .masses = {{b, 1.0, point}, {a, 2.0, place}}},
            makeCustomGoal("point", {b}, 3,
                           [=](std::span<const BodyFrame> bodies, bool, GoalRows& rows) {
                               const Vec3 off = pointOn(bodies[0], point) - place;
                               rows.residual = {off.x, off.y, off.z};
                           })};
        Pose over = pose;
        turnToAnatomical(rig, over);
        EXPECT_EQ(over, toAnatomical(rig, pose));
        for (const GoalKind& goal : goals) {
            EXPECT_NEAR(errorOf(skeleton, pose, goal),
                        errorOf(rig.skeleton, over, toAnatomical(rig, goal)), 1e-9)
                << goalKindName(goal);
        }
        turnFromAnatomical(rig, over);
        EXPECT_EQ(over, fromAnatomical(rig, toAnatomical(rig, pose)));
    }
}

TEST(Anatomy, AnyPoseOfBallsIsReachedByAngles) {
    Random random(4);
    const Skeleton skeleton = makeHumanoid(mixamo());
    const AnatomicalRig rig = makeRig(skeleton);
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
    const Skeleton skeleton = makeHumanoid(mixamo());
    const AnatomicalRig rig = makeRig(skeleton);
    const ModelPose a = computeModelPose(skeleton, restPose(skeleton));
    const ModelPose b = computeModelPose(rig.skeleton, restPose(rig.skeleton));
    ASSERT_EQ(rig.skeleton.jointCount(), skeleton.jointCount());
    for (const JointId j : skeleton.joints()) {
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
    const Skeleton plain = makeHumanoid(mixamo());
    const std::vector<std::string> names(plain.names().begin(), plain.names().end());
    const OtherConvention other(plain, randomPose(plain, random, 1.0, 0.0), names,
                                random.rotation(), 100.0, random);
    const Pose t_pose = other.pose(restPose(plain));
    const AnatomicalRig rig = makeRig(other.skeleton(), t_pose);
    const DofVector zero(rig.skeleton.dofCount(), 0.0);
    EXPECT_EQ(limitExcess(rig.skeleton, zero), 0.0);
    const ModelPose wanted = computeModelPose(other.skeleton(), t_pose);
    const ModelPose got = computeModelPose(rig.skeleton, computePose(rig.skeleton, zero));
    for (std::size_t j = 0; j < plain.jointCount(); ++j)
        EXPECT_LT(distance(wanted.position(jointId(j)), got.position(jointId(j))), 1e-10);
}

// ---- one person, many conventions

TEST(AnatomyConventions, TheSamePersonGetsTheSameAllowedPoses) {
    const NameFamily family = mixamo();
    const Skeleton plain = makeHumanoid(family);
    const AnatomicalRig plain_rig = makeRig(plain);
    // Unreal's names for the parts that have one joint a side; others keep theirs.
    const std::map<std::string, std::string> unreal = {
        {"hips", "pelvis"},       {"neck", "neck_01"},
        {"head", "head"},         {"collarbone", "clavicle"},
        {"shoulder", "upperarm"}, {"elbow", "lowerarm"},
        {"wrist", "hand"},        {"index finger", "index_01"},
        {"hip", "thigh"},         {"knee", "calf"},
        {"ankle", "foot"},        {"toes", "ball"}};
    std::vector<std::string> names(plain.names().begin(), plain.names().end());
    for (const FamilyName& f : family.joints) {
        const bool left = f.part.rfind("left ", 0) == 0, right = f.part.rfind("right ", 0) == 0;
        const auto found = unreal.find(f.part.substr(left ? 5 : right ? 6 : 0));
        if (found == unreal.end()) continue;
        names[index(plain.find(f.name))] = found->second + (left ? "_l" : right ? "_r" : "");
    }
    const Quat z_up = quatAboutAxis(0, kPi / 2);
    Random random(8);
    for (const Quat& turn : {z_up, quatAboutAxis(1, kPi) * z_up, random.rotation()}) {
        const OtherConvention other(plain, randomPose(plain, random, 1.0, 0.0), names, turn, 100.0,
                                    random);
        const AnatomicalRig rig = makeRig(other.skeleton(), other.pose(restPose(plain)));
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
    const Skeleton skeleton = makeHumanoid(mixamo());
    Pose pose = restPose(skeleton);
    pose[skeleton.find("mixamorig:LeftArm")].rotation = quatAboutAxis(2, radians(-80));
    const AnatomicalRig rig = makeRig(skeleton, pose);
    ASSERT_EQ(rig.warnings.size(), 1U);
    EXPECT_NE(rig.warnings[0].what.find("'mixamorig:LeftArm' is 80 degrees off"), std::string::npos)
        << rig.warnings[0].what;
    EXPECT_NE(rig.warnings[0].advice.find("--rest-frame"), std::string::npos);
}

TEST(AnatomyConventions, AHandThatPointsWhereItWouldFlexStillHasAxes) {
    const Skeleton skeleton = makeHumanoid(mixamo());
    const JointId arm = skeleton.find("mixamorig:LeftArm");
    const JointId wrist = skeleton.find("mixamorig:LeftHand");
    Pose pose = restPose(skeleton);
    const Vec3 hand = skeleton.rest(skeleton.find("mixamorig:LeftHandIndex1")).translation;
    pose[arm].rotation = quatBetween(normalizedOr(hand, Vec3{}), Vec3{0, -1, 0});
    const AnatomicalRig rig = makeRig(skeleton, pose);
    const Quat& q = rig.joint_from_anatomical[index(wrist)];
    EXPECT_NEAR(dot(q, q), 1.0, 1e-12);
    const DofVector zero(rig.skeleton.dofCount(), 0.0);
    const Vec3 wanted = computeModelPoint(skeleton, pose, wrist, hand);
    const Pose got = fromAnatomical(rig, computePose(rig.skeleton, zero));
    EXPECT_LT(distance(computeModelPoint(skeleton, got, wrist, hand), wanted), 1e-12);
    // Flexion still takes it along the body's axis.
    const std::vector<Quat> axes =
        computeOrientations(rig.skeleton, computePose(rig.skeleton, zero));
    EXPECT_NEAR(std::abs(rotate(axes[index(wrist)], Vec3{0, 0, 1}).y), 1.0, 0.01);
}

TEST(AnatomyConventions, BonesOfNoLengthTakeTheBodysAxes) {
    NameFamily family = mixamo();
    for (FamilyName& f : family.joints) {
        // Hands and feet in one point with what is above them.
        if (f.part == "left wrist") f.place = {0.46, 1.43, -0.015};
        if (f.part == "left toes") f.place = {0.1, 0.085, -0.005};
    }
    const AnatomicalRig rig = makeRig(makeHumanoid(family));
    const JointId elbow = findPart(rig, "left elbow"), hand = findPart(rig, "left index finger");
    DofVector dofs(rig.skeleton.dofCount(), 0.0);
    const Vec3 before = placeOf(rig, dofs, hand);
    dofs[dofOf(rig.skeleton, elbow, AnatomicalAxis::Flexion)] = 1.0;
    EXPECT_GT(placeOf(rig, dofs, hand).z, before.z + 0.2);
}

// ---- other kinds of joint

Skeleton withKind(const std::string& name, JointKind kind, Vec3 axis, Vec3 second = {0, 0, 1}) {
    const Skeleton plain = makeHumanoid(mixamo());
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
        const AnatomicalRig rig = makeRig(s);
        const JointId knee = findPart(rig, "left knee"), foot = findPart(rig, "left ankle");
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
    const AnatomicalRig rig = makeRig(s);
    const JointId knee = s.find("mixamorig:LeftLeg");
    EXPECT_EQ(partsByName(rig).count("mixamorig:LeftLeg"), 0U);
    EXPECT_EQ(rig.skeleton.joint(knee).axes[0], s.joint(knee).axes[0]);
    EXPECT_FALSE(rig.skeleton.dofLimits()[rig.skeleton.firstDof(knee)].bounded());
}

TEST(AnatomyKinds, AUniversalJointGetsBothRangesAndAFixedOneNone) {
    const AnatomicalRig ankle =
        makeRig(withKind("mixamorig:LeftFoot", JointKind::Universal, {-1, 0, 0}, {0, 0, 1}));
    const JointId foot = findPart(ankle, "left ankle");
    const std::size_t first = ankle.skeleton.firstDof(foot);
    EXPECT_NEAR(ankle.skeleton.dofLimits()[first].max, radians(45), 1e-12);
    EXPECT_NEAR(ankle.skeleton.dofLimits()[first + 1].min, radians(-35), 1e-12);
    const AnatomicalRig fixed =
        makeRig(withKind("mixamorig:LeftFoot", JointKind::Fixed, {1, 0, 0}));
    EXPECT_EQ(partsByName(fixed).count("mixamorig:LeftFoot"), 0U);
    EXPECT_EQ(fixed.skeleton.kind(foot), JointKind::Fixed);
}

TEST(AnatomyKinds, AWristHasTheForearmsTwistWhateverItsElbowIs) {
    const auto twistOfWrist = [](const AnatomicalRig& rig) {
        return rig.skeleton
            .dofLimits()[dofOf(rig.skeleton, findPart(rig, "left wrist"), AnatomicalAxis::Twist)]
            .max;
    };
    EXPECT_NEAR(twistOfWrist(makeRig(makeHumanoid(mixamo()))), radians(85), 1e-12);
    EXPECT_NEAR(
        twistOfWrist(makeRig(withKind("mixamorig:LeftForeArm", JointKind::Hinge, {0, -1, 0}))),
        radians(85), 1e-12);
}

TEST(AnatomyKinds, LimitsOfOtherJointsStayWhatTheyAre) {
    const Skeleton plain = makeHumanoid(mixamo());
    std::vector<JointDef> joints(plain.definitions().begin(), plain.definitions().end());
    joints.push_back(joint("Tail", "mixamorig:Hips", JointKind::Ball, {0, 0, -0.1}));
    joints.back().rest.rotation = quatAboutAxis(1, 0.4);
    joints.back().limits[0] = {-0.1, 0.2};
    joints.push_back(joint("Piston", "mixamorig:LeftArm", JointKind::Prismatic, {0.1, 0, 0}));
    const Skeleton s = build(std::move(joints));
    Random random(9);
    const AnatomicalRig rig = makeRig(s, randomPose(s, random, 0.2, 0.0));
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
    const Skeleton plain = makeHumanoid(mixamo());
    std::vector<JointDef> joints(plain.definitions().begin(), plain.definitions().end());
    for (JointDef& def : joints) {
        if (def.name == "mixamorig:LeftArm") def.rest.scale = {1.5, 1, 1};
    }
    const Skeleton s = build(std::move(joints));
    const AnatomicalRig rig = makeRig(s);
    EXPECT_EQ(partsByName(rig).count("mixamorig:LeftArm"), 0U);
    const ModelPose a = computeModelPose(s, restPose(s));
    const ModelPose b = computeModelPose(rig.skeleton, toAnatomical(rig, restPose(s)));
    for (std::size_t j = 0; j < s.jointCount(); ++j)
        EXPECT_LT(distance(a.position(jointId(j)), b.position(jointId(j))), 1e-12);
}

}  // namespace
}  // namespace ulna::test
