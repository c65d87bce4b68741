// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/tie.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "support/surfaces.h"
#include "support/text.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna {
namespace {

using test::contains;

constexpr double kHipsHeight = 0.9;

const Mesh& body() {
    static const Mesh mesh = test::armsDownBody(0.03);
    return mesh;
}

Mesh moved(const Mesh& mesh, const Vec3f& by, float scale = 1.0f) {
    Mesh out = mesh;
    for (Vec3f& p : out.positions) p = p * scale + by;
    return out;
}

// The body's skeleton with its hips elsewhere at rest.
Skeleton skeletonAt(const Vec3& hips) {
    const Skeleton usual = test::armsDownSkeleton();
    std::vector<JointDef> joints(usual.definitions().begin(), usual.definitions().end());
    joints.front().rest.translation = hips;
    return test::build(std::move(joints));
}

Pose poseAt(const Skeleton& skeleton, const Vec3& hips) {
    Pose out = restPose(skeleton);
    out[jointId(0)].translation = hips;
    return out;
}

SurfaceFit mustFit(const Skeleton& skeleton, const Mesh& mesh, const SurfaceFitOptions& how = {}) {
    Result<SurfaceFit> out = fitToSurface(skeleton, mesh, how);
    if (out) return *std::move(out);
    ADD_FAILURE() << describe(out.error());
    return {};
}

// Joints within the forms that the body was made of: the test's own measure.
std::size_t jointsInside(const Skeleton& skeleton, const Pose& pose) {
    const ModelPose model = computeModelPose(skeleton, pose);
    std::size_t out = 0;
    for (const JointId j : skeleton.joints()) {
        const Vec3 p = model.position(j);
        const bool torso = test::capsule(p, {0, 0.95, 0}, {0, 1.38, 0}, 0.13) < 0.0;
        bool arm = false;
        const ModelPose usual = computeModelPose(skeleton, poseAt(skeleton, {0, kHipsHeight, 0}));
        for (const JointId other : skeleton.joints()) {
            const JointId parent = skeleton.parent(other);
            if (skeleton.name(other).find("Arm") == std::string::npos &&
                skeleton.name(other).find("Hand") == std::string::npos)
                continue;
            arm = arm || test::capsule(p, usual.position(parent), usual.position(other), 0.03) < 0;
        }
        out += torso || arm ? 1 : 0;
    }
    return out;
}

TEST(ASurface, FitsTheRestPoseWhereTheSkeletonIsInsideThen) {
    const Skeleton skeleton = skeletonAt({0, kHipsHeight, 0});
    const SurfaceFit fit = mustFit(skeleton, body());
    EXPECT_EQ(fit.how, FittingPose::Rest);
    EXPECT_EQ(fit.pose, restPose(skeleton));
    EXPECT_LE(fit.outside, 2u);
}

TEST(ASurface, RaisesTheBonesOfAFileWhoseHipsAreAtTheOrigin) {
    for (const double height : {0.0, 2.0, -30.0}) {
        const Skeleton skeleton = skeletonAt({0, height, 0});
        const SurfaceFit fit = mustFit(skeleton, body());
        EXPECT_EQ(fit.how, FittingPose::Raised);
        EXPECT_NEAR(fit.rise, kHipsHeight - height, 0.05);
        EXPECT_GE(jointsInside(skeleton, fit.pose), skeleton.jointCount() - 2);
    }
}

TEST(ASurface, RaisesAlongTheUpAxis) {
    const Quat z_up = quatAboutAxis(0, kPi / 2);
    Mesh mesh = body();
    for (Vec3f& p : mesh.positions) p = {p.x, -p.z, p.y};
    const Skeleton usual = skeletonAt({0, 0, 0});
    std::vector<JointDef> joints(usual.definitions().begin(), usual.definitions().end());
    for (JointDef& joint : joints) {
        joint.rest.translation = rotate(z_up, joint.rest.translation);
        joint.tip.reset();
    }
    const Skeleton skeleton = test::build(std::move(joints));
    const SurfaceFit fit = mustFit(skeleton, mesh, {.up = UpAxis::Z});
    EXPECT_EQ(fit.how, FittingPose::Raised);
    EXPECT_NEAR(fit.pose[jointId(0)].translation.z, kHipsHeight, 0.05);
    EXPECT_EQ(fit.pose[jointId(0)].translation.y, 0.0);
}

TEST(ASurface, FitsThePresentPoseWhereThatHasMoreJointsInside) {
    const Skeleton skeleton = skeletonAt({0, kHipsHeight, 0});
    const Pose present = poseAt(skeleton, {3, kHipsHeight, 1});
    const Mesh aside = moved(body(), {3, 0, 1});
    const SurfaceFit fit = mustFit(skeleton, aside, {.present = &present});
    EXPECT_EQ(fit.how, FittingPose::Present);
    EXPECT_EQ(fit.pose, present);
    // Where both fit, surfaces are made for the rest pose.
    const Pose rest = restPose(skeleton);
    EXPECT_EQ(mustFit(skeleton, body(), {.present = &rest}).how, FittingPose::Rest);
}

TEST(ASurface, InAnotherUnitIsRefused) {
    const Skeleton skeleton = skeletonAt({0, kHipsHeight, 0});
    const Result<SurfaceFit> large = fitToSurface(skeleton, moved(body(), {}, 100.0f));
    ASSERT_FALSE(large);
    EXPECT_TRUE(contains(describe(large.error()), "times as large as the skeleton"));
    EXPECT_TRUE(contains(describe(large.error()), "scale and move it"));
    const Result<SurfaceFit> small = fitToSurface(skeleton, moved(body(), {}, 0.01f));
    ASSERT_FALSE(small);
    EXPECT_TRUE(contains(describe(small.error()), "times as large as the surface"));
}

TEST(ASurface, WithNoJointInsideIsRefused) {
    const Result<SurfaceFit> fit =
        fitToSurface(skeletonAt({0, kHipsHeight, 0}), moved(body(), {5, 0, 0}));
    ASSERT_FALSE(fit);
    EXPECT_TRUE(contains(describe(fit.error()), "no joint of the skeleton is inside"));
}

TEST(ASurface, WithNothingToMeasureByFitsTheRestPose) {
    Mesh points = body();
    points.indices.clear();
    EXPECT_EQ(mustFit(skeletonAt({0, 0, 0}), points).how, FittingPose::Rest);
    const Skeleton one = test::build({test::joint("one", "", JointKind::Free, {9, 9, 9})});
    EXPECT_EQ(mustFit(one, body()).how, FittingPose::Rest);
}

TEST(ATiedSurface, IsAsItsFileHasItInThePoseItIsBoundIn) {
    const Skeleton skeleton = skeletonAt({0, 0, 0});
    Mesh mesh = body();
    const Result<TiedSurface> tied = tieSurface(skeleton, {}, {}, mesh);
    ASSERT_TRUE(tied) << describe(tied.error());
    EXPECT_EQ(tied->fit.how, FittingPose::Raised);
    ASSERT_EQ(mesh.weights.rowCount(), mesh.positions.size());
    const ModelPose bound = computeModelPose(skeleton, tied->fit.pose);
    const Mesh posed = posedMesh(skeleton, mesh, bound);
    double worst = 0.0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        worst =
            std::max(worst, static_cast<double>(length(posed.positions[v] - body().positions[v])));
    EXPECT_LT(worst, 1e-5);
    // At rest it is lower by as much.
    const Mesh at_rest = posedMesh(skeleton, mesh, computeModelPose(skeleton, restPose(skeleton)));
    EXPECT_NEAR(at_rest.positions[0].y, body().positions[0].y - tied->fit.rise, 1e-5);
}

TEST(ATiedSurface, HasItsHandsAtTheHands) {
    const Skeleton skeleton = skeletonAt({0, kHipsHeight, 0});
    Mesh mesh = body();
    ASSERT_TRUE(tieSurface(skeleton, {}, {}, mesh));
    EXPECT_TRUE(mesh.joint_from_bind.empty());  // bound at rest
    const JointId hand = skeleton.find("LeftHand");
    const Vec3 at = computeModelPose(skeleton, restPose(skeleton)).position(hand);
    std::size_t near = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        if (!(distance(Vec3{p.x, p.y, p.z}, at) < 0.06)) continue;
        ++near;
        double left = 0.0;
        for (const Influence& influence : mesh.weights[v])
            if (skeleton.name(influence.joint).starts_with("Left")) left += influence.weight;
        EXPECT_GT(left, 0.9);
    }
    EXPECT_GT(near, 5u);
}

TEST(ATiedSurface, ThatHasWeightsIsLeftAsItIs) {
    const Skeleton skeleton = skeletonAt({0, 0, 0});
    Mesh mesh = moved(body(), {50, 0, 0});
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        mesh.weights.addRow(std::vector<Influence>{{jointId(0), 1.0f}});
    const Result<TiedSurface> tied = tieSurface(skeleton, {}, {}, mesh);
    ASSERT_TRUE(tied);
    EXPECT_TRUE(tied->had_weights);
    EXPECT_TRUE(mesh.joint_from_bind.empty());
    EXPECT_EQ(mesh.weights.influences.size(), mesh.positions.size());
}

TEST(ATiedSurface, ThatDoesNotFitIsLeftAsItWas) {
    Mesh mesh = moved(body(), {5, 0, 0});
    EXPECT_FALSE(tieSurface(skeletonAt({0, 0, 0}), {}, {}, mesh));
    EXPECT_TRUE(mesh.weights.empty());
    EXPECT_TRUE(mesh.joint_from_bind.empty());
}

TEST(MadeWeights, WarnOfVerticesThatNoBoneReachesOrSees) {
    const Skeleton skeleton = skeletonAt({0, kHipsHeight, 0});
    const Result<MadeWeights> near = makeWeights(
        skeleton, body(), {.method = WeightMethod::Distance, .radius_scale = 0.1, .most = 2});
    ASSERT_TRUE(near);
    ASSERT_EQ(near->warnings.size(), 1u);
    EXPECT_TRUE(contains(near->warnings[0].what, "reached by no bone"));
    for (std::size_t v = 0; v < near->weights.rowCount(); ++v)
        EXPECT_LE(near->weights[v].size(), 2u);
    const Result<MadeWeights> outside = makeWeights(skeleton, moved(body(), {5, 0, 0}));
    ASSERT_TRUE(outside);
    ASSERT_EQ(outside->warnings.size(), 1u);
    EXPECT_TRUE(contains(outside->warnings[0].what, "see no bone"));
    EXPECT_FALSE(makeWeights(Skeleton{}, body()));
}

}  // namespace
}  // namespace ulna
