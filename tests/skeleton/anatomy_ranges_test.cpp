// SPDX-License-Identifier: Apache-2.0

// What human ranges allow, judged by forward kinematics.
#include <gtest/gtest.h>

#include "support/anatomy.h"
#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

// ---- what the ranges mean: y up, facing +z, left at +x

TEST(AnatomyRanges, KneesBendBackwardsOnly) {
    const AnatomicalRig rig = makeRig(makeHumanoid(mixamo()));
    for (const std::string side : {"left", "right"}) {
        const JointId knee = findPart(rig, side + " knee");
        const JointId foot = findPart(rig, side + " ankle");
        const std::size_t flexion = dofOf(rig.skeleton, knee, AnatomicalAxis::Flexion);
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
    const AnatomicalRig rig = makeRig(makeHumanoid(mixamo()));
    for (const std::string side : {"left", "right"}) {
        const JointId elbow = findPart(rig, side + " elbow");
        const JointId hand = findPart(rig, side + " wrist");
        const std::size_t flexion = dofOf(rig.skeleton, elbow, AnatomicalAxis::Flexion);
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
struct NamedMovement {
    std::string part, moved;
    AnatomicalAxis movement;
    Vec3 towards;
};

TEST(AnatomyRanges, PositiveAnglesAreTheNamedMovements) {
    const AnatomicalRig rig = makeRig(makeHumanoid(mixamo()));
    const Vec3 left{1, 0, 0}, up{0, 1, 0}, forward{0, 0, 1};
    const std::vector<NamedMovement> movements = {
        {"left hip", "left ankle", AnatomicalAxis::Flexion, forward},
        {"left hip", "left ankle", AnatomicalAxis::Sideways, left},
        {"left hip", "left toes", AnatomicalAxis::Twist, -left},
        {"left ankle", "left toes", AnatomicalAxis::Flexion, up},
        {"left ankle", "left toes", AnatomicalAxis::Sideways, left},
        {"left collarbone", "left shoulder", AnatomicalAxis::Flexion, up},
        {"left collarbone", "left shoulder", AnatomicalAxis::Sideways, -forward},
        {"left shoulder", "left wrist", AnatomicalAxis::Flexion,
         normalizedOr(forward * 0.866 + up * 0.5, {})},
        {"left shoulder", "left wrist", AnatomicalAxis::Sideways,
         normalizedOr(up * 0.866 - forward * 0.5, {})},
        {"left wrist", "left index finger", AnatomicalAxis::Flexion, -up},
        {"left wrist", "left index finger", AnatomicalAxis::Sideways, forward},
        {"spine", "head", AnatomicalAxis::Flexion, forward},
    };
    for (const NamedMovement& m : movements) {
        DofVector dofs(rig.skeleton.dofCount(), 0.0);
        const JointId moved = findPart(rig, m.moved);
        const Vec3 before = placeOf(rig, dofs, moved);
        dofs[dofOf(rig.skeleton, findPart(rig, m.part), m.movement)] = 1e-3;
        const Vec3 step = normalizedOr(placeOf(rig, dofs, moved) - before, Vec3{});
        EXPECT_GT(dot(step, m.towards), 0.85)
            << m.part << " to " << m.towards.x << " " << m.towards.y << " " << m.towards.z;
    }
}

TEST(AnatomyRanges, AFootRollsAboutALevelAxisHoweverHighItsAnkleIs) {
    const AnatomicalRig rig = makeRig(makeHumanoid(mixamo()));
    const Skeleton& s = rig.skeleton;
    const JointId ankle = findPart(rig, "left ankle");
    DofVector dofs(s.dofCount(), 0.0);
    const Vec3 toes = placeOf(rig, dofs, findPart(rig, "left toes"));
    const Vec3 heel = placeOf(rig, dofs, ankle);
    ASSERT_LT(toes.y, heel.y - 0.05);
    // A point fixed to the foot, above the toes and level with the ankle, is on the axis.
    const Affine ankle_from_model = inverse(computeModelPose(s, computePose(s, dofs))[ankle]);
    const Vec3 on_axis{toes.x, heel.y, toes.z};
    const Vec3 on_foot = ankle_from_model * on_axis;
    dofs[dofOf(s, ankle, AnatomicalAxis::Twist)] = 0.3;
    EXPECT_LT(distance(computeModelPoint(s, computePose(s, dofs), ankle, on_foot), on_axis), 0.002);
}

TEST(AnatomyRanges, LeftAndRightAreMirrorImages) {
    Random random(6);
    const AnatomicalRig rig = makeRig(makeHumanoid(mixamo()));
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
    const AnatomicalRig rig = makeRig(makeHumanoid(mixamo()));
    for (const RecognisedJoint& r : rig.recognised) {
        if (r.part != "spine" && r.part != "neck" && r.part != "head") continue;
        for (const AnatomicalAxis movement : {AnatomicalAxis::Twist, AnatomicalAxis::Sideways}) {
            const DofLimit limit = rig.skeleton.dofLimits()[dofOf(rig.skeleton, r.joint, movement)];
            EXPECT_EQ(limit.min, -limit.max) << r.part;
        }
    }
}

TEST(AnatomyRanges, ASpineOfAnyLengthTurnsAsFarInAll) {
    for (const NameFamily& family : nameFamilies()) {
        const AnatomicalRig rig = makeRig(makeHumanoid(family));
        double total = 0.0, neck = 0.0;
        for (const RecognisedJoint& r : rig.recognised) {
            if (rig.skeleton.kind(r.joint) != JointKind::Ball) continue;
            const double most =
                rig.skeleton.dofLimits()[dofOf(rig.skeleton, r.joint, AnatomicalAxis::Twist)].max;
            if (r.part == "spine") total += most;
            if (r.part == "neck" || r.part == "head") neck += most;
        }
        EXPECT_NEAR(total, radians(45), 1e-12) << family.name;
        EXPECT_NEAR(neck, radians(80), 1e-12) << family.name;
    }
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
    const Skeleton skeleton = makeHumanoid(mixamo());
    const AnatomicalRig rig = makeRig(skeleton);
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
    const Skeleton skeleton = makeHumanoid(mixamo());
    const AnatomicalRig rig = makeRig(skeleton);
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

}  // namespace
}  // namespace ulna::test
