// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/forward_kinematics.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "ulna/skeleton/bone.h"

namespace ulna {
namespace {

using test::build;
using test::everyKind;
using test::joint;
using test::planarChain;
using test::randomDofs;

Pose stretchedPose(const Skeleton& s, Random& random) {
    Pose pose = restPose(s);
    for (Trs& t : pose.parent_from_joint) {
        t.rotation = random.rotation();
        t.translation += random.direction() * 0.2;
        t.scale = {random.between(0.5, 2.0), random.between(0.5, 2.0), random.between(0.5, 2.0)};
    }
    return pose;
}

TEST(ForwardKinematics, FollowsTheRecursionOfOrientationsAndOffsets) {
    const Skeleton s = everyKind();
    Random random(1);
    for (int i = 0; i < 100; ++i) {
        const Pose pose = computePose(s, randomDofs(s, random, 4.0));
        const ModelPose model = computeModelPose(s, pose);
        // Q_i = Q_parent R_i and x_i = x_parent + Q_parent l_i, on matrices.
        std::vector<Mat3> q(s.jointCount());
        std::vector<Vec3> x(s.jointCount());
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            const JointId p = s.parent(jointId(j));
            const Mat3 above = p == JointId::None ? Mat3{} : q[index(p)];
            const Vec3 from = p == JointId::None ? Vec3{} : x[index(p)];
            q[j] = above * toMatrix(pose.parent_from_joint[j].rotation);
            x[j] = from + above * pose.parent_from_joint[j].translation;
            EXPECT_LT(distance(model.position(jointId(j)), x[j]), 1e-13);
            EXPECT_LT(length(model[jointId(j)].linear().rows[1] - q[j].rows[1]), 1e-13);
        }
    }
}

TEST(ForwardKinematics, TheFastPathEqualsThePlainLoopForAnyCountStretchAndScale) {
    Random random(2);
    for (std::size_t count = 0; count <= 70; ++count) {
        std::vector<JointDef> joints;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string parent =
                i == 0 || random.below(10) == 0 ? "" : "j" + std::to_string(random.below(i));
            joints.push_back(
                joint("j" + std::to_string(i), parent, JointKind::Ball, random.direction()));
        }
        const Skeleton s = build(std::move(joints));
        const Pose pose = stretchedPose(s, random);
        const ModelPose fast = computeModelPose(s, pose);
        std::vector<Affine> plain(count);
        composeModelTransforms<double>(s, pose.parent_from_joint, plain);
        for (std::size_t j = 0; j < count; ++j) {
            double size = 1.0;
            for (const auto& column : plain[j].columns) {
                for (const double value : column) size = std::max(size, std::abs(value));
            }
            for (std::size_t c = 0; c < 4; ++c) {
                for (std::size_t r = 0; r < 4; ++r) {
                    EXPECT_NEAR(fast.model_from_joint[j].columns[c][r], plain[j].columns[c][r],
                                1e-13 * size);
                }
            }
        }
    }
}

TEST(ForwardKinematics, OnePointLeafToRootAgreesWithAllJointsAtOnce) {
    const Skeleton s = everyKind();
    Random random(3);
    for (int i = 0; i < 100; ++i) {
        const Pose pose = stretchedPose(s, random);
        const ModelPose model = computeModelPose(s, pose);
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            const Vec3 point = random.direction();
            const Vec3 expected = model[jointId(j)] * point;
            const double size = std::max(1.0, length(expected));
            EXPECT_LT(distance(computeModelPoint(s, pose, jointId(j), point), expected),
                      1e-12 * size);
        }
    }
}

TEST(ForwardKinematics, APointRelativeToAnAncestorIsItsCoordinatesThere) {
    const Skeleton s = everyKind();
    Random random(4);
    for (int i = 0; i < 50; ++i) {
        const Pose pose = computePose(s, randomDofs(s, random, 3.0));
        const std::vector<Quat> q = computeOrientations(s, pose);
        const ModelPose model = computeModelPose(s, pose);
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            for (const JointId k : s.ancestors(jointId(j))) {
                const Vec3 point = random.direction();
                const Vec3 x = model[jointId(j)] * point;
                const Vec3 expected = rotate(conjugate(q[index(k)]), x - model.position(k));
                EXPECT_LT(distance(computePointInAncestor(s, pose, jointId(j), point, k), expected),
                          1e-12);
            }
            EXPECT_EQ(computePointInAncestor(s, pose, jointId(j), {1, 2, 3}, jointId(j)),
                      (Vec3{1, 2, 3}));
        }
    }
}

TEST(ForwardKinematics, OrientationsGiveTheRotationsBack) {
    const Skeleton s = everyKind();
    Random random(5);
    const Pose pose = computePose(s, randomDofs(s, random, 3.0));
    const std::vector<Quat> q = computeOrientations(s, pose);
    const std::vector<Quat> back = computeRotations(s, q);
    for (std::size_t j = 0; j < s.jointCount(); ++j) {
        EXPECT_LT(angleBetween(back[j], pose.parent_from_joint[j].rotation), 1e-14);
    }
    // From a joint to one three below: the product of the rotations between.
    const JointId from = s.find("root"), to = s.find("slider");
    const Quat product = pose[s.find("hinge")].rotation * pose[s.find("universal")].rotation *
                         pose[s.find("slider")].rotation;
    EXPECT_LT(angleBetween(relativeRotation(q, from, to), product), 1e-14);
}

TEST(ForwardKinematics, FloatAndDoubleTemplatesAgree) {
    const Skeleton s = everyKind();
    Random random(6);
    const DofVector dofs = randomDofs(s, random, 2.0);
    const std::vector<float> dofsf(dofs.begin(), dofs.end());
    const auto model = computeModelTransforms<double>(s, dofs);
    const auto modelf = computeModelTransforms<float>(s, dofsf);
    for (std::size_t j = 0; j < s.jointCount(); ++j) {
        EXPECT_NEAR(model[j].translation().x, static_cast<double>(modelf[j].translation().x), 1e-5);
    }
}

TEST(PlanarKinematics, TwoLinksMatchTheClosedForm) {
    const double lengths[] = {0.3, 0.25};
    const Skeleton s = planarChain(lengths);
    Random random(7);
    for (int i = 0; i < 1000; ++i) {
        const double a = random.between(-10.0, 10.0);
        const double b = random.between(-10.0, 10.0);
        const DofVector dofs = {a, b};
        const Vec2 p1{0.3 * std::cos(a), 0.3 * std::sin(a)};
        const Vec2 p2{p1.x + 0.25 * std::cos(a + b), p1.y + 0.25 * std::sin(a + b)};
        const auto positions = computePlanarPositions<double>(s, dofs);
        EXPECT_LT(length(positions[1] - p1), 1e-14);
        EXPECT_LT(length(positions[2] - p2), 1e-14);
        const ModelPose model = computeModelPose(s, computePose(s, dofs));
        EXPECT_LT(distance(model.position(s.find("Tip")), Vec3{p2.x, p2.y, 0}), 1e-14);
        EXPECT_EQ(model.position(s.find("Tip")).z, 0.0);
    }
}

TEST(PlanarKinematics, AJointsOwnAngleMovesOnlyItsDescendants) {
    const double lengths[] = {1.0, 1.0, 1.0};
    const Skeleton s = planarChain(lengths);
    const auto before = computePlanarPositions<double>(s, DofVector{0.1, 0.2, 0.3});
    const auto after = computePlanarPositions<double>(s, DofVector{0.1, 0.9, 0.3});
    EXPECT_EQ(before[1], after[1]);
    EXPECT_NE(before[2], after[2]);
}

TEST(PlanarKinematics, ComplexNumbersAgreeWithTheSpatialPathForEveryPlanarKind) {
    JointDef root = joint("root", "", JointKind::Free, {1, 2, 0});
    root.rest.rotation = quatAboutAxis(2, 0.4);
    JointDef hinge = joint("hinge", "root", JointKind::Hinge, {0.5, 0.1, 0});
    hinge.axes[0] = {0, 0, -1};
    JointDef slider = joint("slider", "hinge", JointKind::Prismatic, {0.2, 0, 0});
    slider.axes[0] = {0.6, 0.8, 0};
    slider.rest.rotation = quatAboutAxis(2, -1.1);
    const Skeleton s =
        build({root, hinge, slider, joint("tip", "slider", JointKind::Fixed, {1, 1, 0})},
              {.planar = true});
    Random random(8);
    for (int i = 0; i < 200; ++i) {
        const DofVector dofs = randomDofs(s, random, 5.0);
        const auto flat = computePlanarPositions<double>(s, dofs);
        const ModelPose model = computeModelPose(s, computePose(s, dofs));
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            const Vec3 p = model.position(jointId(j));
            EXPECT_LT(distance(p, Vec3{flat[j].x, flat[j].y, 0}), 1e-14 * 10);
            EXPECT_EQ(p.z, 0.0);
        }
    }
}

TEST(RestBones, PoseTransformsAreTheRecursionOverRestTransforms) {
    Random random(9);
    std::vector<RestBone> bones;
    for (int i = 0; i < 6; ++i) {
        RestBone bone;
        bone.name = "b" + std::to_string(i);
        bone.parent = i == 0 ? "" : "b" + std::to_string((i - 1) / 2);
        bone.model_from_bone = {random.direction(), random.rotation()};
        bone.length = random.between(0.1, 1.0);
        bones.push_back(bone);
    }
    const Skeleton s = build(jointsFromRestBones(bones));
    const DofVector dofs = randomDofs(s, random, 2.0);
    const ModelPose model = computeModelPose(s, computePose(s, dofs));
    const std::vector<Affine> posed = computePosedFromRest(s, model);
    for (std::size_t i = 0; i < bones.size(); ++i) {
        // T_i = T_parent That R That^-1 with R = Rx(theta3) Rz(theta2) Rx(theta1), up the tree.
        Affine expected;
        for (std::size_t k = i;; k = (k - 1) / 2) {
            const JointId j = s.find(bones[k].name);
            const double* angles = dofs.data() + s.firstDof(j);
            const Quat r = quatAboutAxis(0, angles[0]) * quatAboutAxis(2, angles[1]) *
                           quatAboutAxis(0, angles[2]);
            const Rigid hat = bones[k].model_from_bone;
            expected = toAffine(hat) * toAffine(Rigid{{}, r}) * toAffine(inverse(hat)) * expected;
            if (k == 0) break;
        }
        const JointId j = s.find(bones[i].name);
        EXPECT_LT(distance(posed[index(j)] * boneTip(bones[i]), expected * boneTip(bones[i])),
                  1e-13);
        EXPECT_LT(distance(model[j] * s.tip(j), expected * boneTip(bones[i])), 1e-13);
        EXPECT_LT(distance(model.position(j), expected * boneTail(bones[i])), 1e-13);
    }
}

TEST(RestBones, TwistDoesNotMoveTheTipAndBendDoes) {
    const RestBone bone{"b", "", {}, 2.0};
    const Skeleton s = build(jointsFromRestBones(std::span(&bone, 1)));
    const auto tip = [&](DofVector dofs) {
        return computeModelPoint(s, computePose(s, dofs), jointId(0), s.tip(jointId(0)));
    };
    EXPECT_LT(distance(tip({0, 0, 1.2}), Vec3{2, 0, 0}), 1e-15);
    EXPECT_LT(distance(tip({0, kPi / 2, 0}), Vec3{0, 2, 0}), 1e-15);
    EXPECT_LT(distance(tip({kPi / 2, kPi / 2, 0.3}), Vec3{0, 0, 2}), 1e-15);
}

TEST(BoneAxes, AreRightHandedWithYAlongTheBoneAndGiveTheRollBack) {
    Random random(10);
    for (int i = 0; i < 500; ++i) {
        const Vec3 direction = random.direction() * random.between(0.01, 9.0);
        const double roll = random.between(-kPi, kPi);
        const Mat3 axes = boneAxes(direction, roll);
        EXPECT_LT(distance(axes.column(1), direction / length(direction)), 1e-14);
        EXPECT_NEAR(determinant(axes), 1.0, 1e-13);
        EXPECT_NEAR(wrapAngle(boneRoll(axes) - roll), 0.0, 1e-12);
    }
    // Without roll, x is the world's x made perpendicular; along x it is the world's z.
    EXPECT_EQ(boneAxes({0, 2, 0}, 0).column(0), (Vec3{1, 0, 0}));
    EXPECT_EQ(boneAxes({3, 0, 0}, 0).column(0), (Vec3{0, 0, 1}));
    EXPECT_EQ(boneAxes({0, 0, 0}, 1.0).column(0), (Vec3{1, 0, 0}));
}

TEST(RolledBones, TurnAboutTheirOwnAxes) {
    Random random(11);
    const std::vector<RolledBone> bones = {
        {"a", "", {0, 1, 0}, {0.3, 2, 0.1}, 0.4, EulerOrder::Zyx},
        {"b", "a", {0.3, 2, 0.1}, {1, 2, 2}, -1.0, EulerOrder::Xyz}};
    const Skeleton s = build(jointsFromRolledBones(bones));
    const DofVector dofs = randomDofs(s, random, 1.5);
    const ModelPose model = computeModelPose(s, computePose(s, dofs));
    const std::vector<Affine> posed = computePosedFromRest(s, model);
    // Rotation of the first bone: A Rz Ry Rx A^T about its tail.
    const Mat3 a = boneAxes(bones[0].tip - bones[0].tail, bones[0].roll);
    const Mat3 r =
        toMatrix(quatAboutAxis(2, dofs[0]) * quatAboutAxis(1, dofs[1]) * quatAboutAxis(0, dofs[2]));
    const Vec3 tip = bones[0].tail + (a * r * transpose(a)) * (bones[0].tip - bones[0].tail);
    EXPECT_LT(distance(posed[0] * bones[0].tip, tip), 1e-14);
    EXPECT_LT(distance(model.position(s.find("b")), tip), 1e-14);
}

}  // namespace
}  // namespace ulna
