// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/bones.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "support/surfaces.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/distance_weights.h"

namespace ulna {
namespace {

using test::build;
using test::joint;

TEST(ClosestOnSegment, IsNoFartherThanAnyOtherPointOfIt) {
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        const Vec3 p = random.direction() * random.between(0, 2);
        const Vec3 a = random.direction(), b = random.direction() * random.between(0, 2);
        const Vec3 found = closestOnSegment(p, a, b);
        EXPECT_NEAR(distance(a, found) + distance(found, b), distance(a, b), 1e-12);
        for (int k = 0; k <= 100; ++k)
            EXPECT_LE(distance(p, found), distance(p, lerp(a, b, k / 100.0)) + 1e-12);
    }
}

TEST(ClosestOnSegment, OfOnePointIsThatPoint) {
    const Vec3 a = {1, 2, 3};
    EXPECT_EQ(closestOnSegment({5, 5, 5}, a, a), a);
}

TEST(BoneSegments, GoFromAJointToEachChildAndEndSitesHaveNone) {
    JointDef end = joint("hand_end", "hand", JointKind::Fixed, {0, 0.5, 0});
    end.end_site = true;
    JointDef finger = joint("finger", "arm", JointKind::Ball, {1, 0, 0});
    finger.radius = 0.25;
    const Skeleton skeleton =
        build({joint("arm", "", JointKind::Free, {0, 1, 0}),
               joint("hand", "arm", JointKind::Ball, {0, 2, 0}), end, finger});
    const std::vector<BoneSegment> bones = makeBoneSegments(skeleton, {});
    ASSERT_EQ(bones.size(), 4U);
    EXPECT_EQ(bones[0].joint, skeleton.find("arm"));
    EXPECT_EQ(bones[0].tip, (Vec3{0, 3, 0}));
    EXPECT_EQ(bones[1].joint, skeleton.find("arm"));
    EXPECT_EQ(bones[1].tip, (Vec3{1, 1, 0}));
    EXPECT_EQ(bones[2].joint, skeleton.find("hand"));
    EXPECT_EQ(bones[2].tip, (Vec3{0, 3.5, 0}));
    EXPECT_EQ(bones[3].joint, skeleton.find("finger"));
    EXPECT_EQ(bones[3].tail, bones[3].tip);  // a leaf
    EXPECT_EQ(bones[3].radius, 0.25);
}

TEST(BoneSegments, OfALeafWithAStatedTipGoToIt) {
    JointDef hand = joint("hand", "", JointKind::Free, {1, 0, 0});
    hand.tip = Vec3{0, 0, 2};
    const std::vector<BoneSegment> bones = makeBoneSegments(build({hand}), {});
    ASSERT_EQ(bones.size(), 1U);
    EXPECT_EQ(bones[0].tip, (Vec3{1, 0, 2}));
}

TEST(BoneSegments, AreInTheSpaceOfTheMesh) {
    // A mesh bound in another pose, in centimetres.
    const Skeleton skeleton = test::everyKind();
    Random random(2);
    Pose pose = restPose(skeleton);
    for (std::size_t j = 0; j < skeleton.jointCount(); ++j)
        pose[jointId(j)].rotation = random.rotation();
    const ModelPose bind = computeModelPose(skeleton, pose);
    Mesh mesh;
    for (const Affine& model_from_joint : bind.model_from_joint) {
        Mat3 metres;
        for (Vec3& row : metres.rows) row *= 0.01;
        mesh.joint_from_bind.push_back(inverse(model_from_joint) * makeAffine(metres, Vec3{}));
    }
    for (const BoneSegment& bone : makeBoneSegments(skeleton, mesh))
        EXPECT_LT(distance(bone.tail, bind.position(bone.joint) * 100.0), 1e-9);
}

// ---- weights by distance

Mesh points(std::vector<Vec3f> positions) {
    Mesh mesh;
    mesh.positions = std::move(positions);
    return mesh;
}

TEST(DistanceWeights, AreTheFormulaNormalised) {
    const Skeleton skeleton = test::twoBones(1.0);
    const Mesh mesh = points({{-0.5f, 0.2f, 0}, {0.1f, 0, 0.3f}, {2, 0, 0}, {0, 0, 0}});
    const SkinWeights weights = makeDistanceWeights(skeleton, mesh, {.radii = {1.0, 0.5, 9.0}});
    ASSERT_EQ(weights.rowCount(), 4U);
    // Distances by hand: to the lower bone 0.2, to the upper sqrt(0.25 + 0.04), beyond its 0.5.
    ASSERT_EQ(weights[0].size(), 1U);
    EXPECT_EQ(weights[0][0].weight, 1.0f);
    const double lower = 1.0 - std::sqrt(0.1), upper = (0.5 - 0.3) / 0.5;
    EXPECT_NEAR(weightOf(weights[1], jointId(0)), lower / (lower + upper), 1e-6);
    EXPECT_NEAR(weightOf(weights[1], jointId(1)), upper / (lower + upper), 1e-6);
    EXPECT_TRUE(weights[2].empty());  // End Sites reach nothing
    EXPECT_EQ(weightOf(weights[3], jointId(0)), 0.5f);
}

TEST(DistanceWeights, OfAVertexNoBoneReachesAreNone) {
    const SkinWeights weights =
        makeDistanceWeights(test::twoBones(1.0), points({{0, 5, 0}}), {.radii = {1, 1, 1}});
    ASSERT_EQ(weights.rowCount(), 1U);
    EXPECT_TRUE(weights[0].empty());
}

TEST(DistanceWeights, OfABoneWithoutRadiusReachOnlyWhatLiesOnIt) {
    const SkinWeights weights = makeDistanceWeights(
        test::twoBones(1.0), points({{0.5f, 0, 0}, {0.5f, 0.001f, 0}}), {.radii = {0, 0, 0}});
    ASSERT_EQ(weights[0].size(), 1U);
    EXPECT_EQ(weights[0][0], (Influence{jointId(1), 1.0f}));
    EXPECT_TRUE(weights[1].empty());
}

TEST(DistanceWeights, TakeTheSkeletonsRadiiWhereNoneAreGiven) {
    JointDef lower = joint("lower", "", JointKind::Free, {0, 0, 0});
    lower.radius = 0.1;
    const Skeleton skeleton = build({lower, joint("upper", "lower", JointKind::Ball, {10, 0, 0})});
    const Mesh mesh = points({{5, 0.19f, 0}, {5, 0.21f, 0}, {11, 0.5f, 0}});
    const SkinWeights weights = makeDistanceWeights(skeleton, mesh, {.radius_scale = 2.0});
    EXPECT_EQ(weights[0].size(), 1U);
    EXPECT_TRUE(weights[1].empty());
    EXPECT_TRUE(weights[2].empty());  // the upper has 3 % of the size, twice: 0.6
    EXPECT_EQ(makeDistanceWeights(skeleton, points({{10.3f, 0.5f, 0}}))[0].size(), 1U);
}

TEST(DistanceWeights, OfAnEmptyMeshAreNoRows) {
    EXPECT_EQ(makeDistanceWeights(test::twoBones(1.0), {}).rowCount(), 0U);
}

}  // namespace
}  // namespace ulna
