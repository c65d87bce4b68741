// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/fitting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/anatomy.h"
#include "support/bvh_texts.h"
#include "support/fit.h"
#include "support/skeleton_fits.h"
#include "support/skeletons.h"
#include "support/text.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::contains;
using test::skinOf;

// An arm with limits, its skin, and poses that the limits allow.
struct Arm {
    Skeleton skeleton = test::limitedArm();
    Stage stage = *makeStage(skeleton);
    Random random = Random(5);
    Mesh skin = test::meshAround(skeleton, 60, random);
    JointId elbow = skeleton.find("elbow");
    JointId wrist = skeleton.find("wrist");

    Pose allowedPose() { return computePose(skeleton, test::clampedDofs(skeleton, random)); }
    [[nodiscard]] Vec3 position(const Pose& pose, JointId joint) const {
        return computeModelPose(skeleton, pose).position(joint);
    }
    [[nodiscard]] ShapeFitter fitter(const io::FitConstraints& constraints = {},
                                     const ShapeFitOptions& options = {}) const {
        Result<ShapeFitter> out = ShapeFitter::make(skeleton, stage, skin, constraints, options);
        if (!out) ADD_FAILURE() << describe(out.error());
        return *std::move(out);
    }
};

ShapeFrame mustPrepare(const ShapeFitter& fitter, std::size_t frame, std::vector<Vec3> positions) {
    Result<ShapeFrame> out = fitter.prepare(frame, std::move(positions));
    if (out) return *std::move(out);
    ADD_FAILURE() << describe(out.error());
    return {};
}

TEST(AShapeFit, FindsThePoseThatAShapeWasMadeOf) {
    Arm arm;
    ShapeFitter fitter = arm.fitter();
    EXPECT_FALSE(fitter.byPoints());
    EXPECT_TRUE(fitter.warnings().empty());
    for (int i = 0; i < 10; ++i) {
        const std::vector<Vec3> shape = skinOf(arm.skeleton, arm.skin, arm.allowedPose());
        Pose pose = restPose(arm.skeleton);
        const FitReport& report = fitter.fit(mustPrepare(fitter, 0, shape), FitStart::Cold, pose);
        EXPECT_EQ(report.status, FitStatus::Converged);
        EXPECT_LT(test::rmsBetween(skinOf(arm.skeleton, arm.skin, pose), shape), 1e-6);
    }
}

TEST(AShapeFit, OnAHumanStageGivesPosesOfTheFilesOwnSkeleton) {
    const Skeleton skeleton = test::makeHumanoid(test::mixamo());
    const Stage stage = makeUsualStage(skeleton);
    ASSERT_TRUE(stage.anatomy);
    Random random(6);
    const Mesh skin = test::meshAround(skeleton, 400, random);
    Pose target = restPose(skeleton);
    const JointId elbow = skeleton.find("mixamorig:LeftForeArm");
    target[elbow].rotation = quatAboutAxis(1, -0.8) * target[elbow].rotation;
    Result<ShapeFitter> fitter = ShapeFitter::make(skeleton, stage, skin);
    ASSERT_TRUE(fitter) << describe(fitter.error());
    const std::vector<Vec3> shape = skinOf(skeleton, skin, target);
    Pose pose = restPose(skeleton);
    fitter->fit(mustPrepare(*fitter, 0, shape), FitStart::Warm, pose);
    EXPECT_LT(test::rmsBetween(skinOf(skeleton, skin, pose), shape), 1e-5);
}

TEST(AShapeFit, OfManyFramesInPartsOfWholeChunksIsThatOfTheWhole) {
    Arm arm;
    const ShapeFitter fitter = arm.fitter();
    const Pose a = arm.allowedPose(), b = arm.allowedPose();
    std::vector<ShapeFrame> frames;
    for (std::size_t f = 0; f < kFitChunk + 5; ++f) {
        Pose pose = a;
        for (const JointId j : arm.skeleton.joints())
            pose[j].rotation = slerp(a[j].rotation, b[j].rotation, 0.01 * static_cast<double>(f));
        frames.push_back(mustPrepare(fitter, f, skinOf(arm.skeleton, arm.skin, pose)));
    }
    const FittedFrames whole = fitter.fit(frames, 2);
    ASSERT_EQ(whole.poses.size(), frames.size());
    ASSERT_EQ(whole.reports.size(), frames.size());
    const FittedFrames last = fitter.fit(std::span(frames).subspan(kFitChunk));
    EXPECT_EQ(last.poses.back(), whole.poses.back());
    const FittedFrames cancelled = fitter.fit(frames, 1, [](double) { return false; });
    EXPECT_TRUE(cancelled.cancelled);
}

TEST(APin, HoldsAJointWhereTheConstraintsHaveItInEachFrame) {
    Arm arm;
    const Pose pose = arm.allowedPose();
    const std::vector<Vec3> shape = skinOf(arm.skeleton, arm.skin, pose);
    const Vec3 at = arm.position(pose, arm.wrist);
    io::FitConstraints constraints;
    constraints.pinned = {
        {.joint = arm.wrist, .positions = {at, at + Vec3{0.02, 0, 0}, at + Vec3{0, 0.02, 0}}}};
    for (const bool points : {false, true}) {
        ShapeFitter fitter = arm.fitter(constraints, {.points = points});
        EXPECT_EQ(fitter.byPoints(), points);
        for (std::size_t frame = 0; frame < 3; ++frame) {
            const ShapeFrame prepared = mustPrepare(fitter, frame, shape);
            Pose fitted = restPose(arm.skeleton);
            fitter.fit(prepared, FitStart::Cold, fitted);
            const Vec3 wanted = constraints.pinned[0].positions[frame];
            EXPECT_LT(distance(arm.position(fitted, arm.wrist), wanted), 1e-6) << frame;
            EXPECT_LT(fitter.worstPin(prepared, fitted).distance, 1e-6);
            EXPECT_EQ(fitter.worstPin(prepared, fitted).joint, arm.wrist);
        }
    }
}

TEST(APin, ThatIsOutOfReachIsMeasured) {
    Arm arm;
    io::FitConstraints constraints;
    constraints.locked = {jointId(0)};
    constraints.pinned = {{.joint = arm.wrist, .positions = {{9, 0, 0}}}};
    ShapeFitter fitter = arm.fitter(constraints);
    Pose pose = restPose(arm.skeleton);
    const ShapeFrame frame =
        mustPrepare(fitter, 0, skinOf(arm.skeleton, arm.skin, restPose(arm.skeleton)));
    fitter.fit(frame, FitStart::Warm, pose);
    const ShapeFitter::PinError worst = fitter.worstPin(frame, pose);
    EXPECT_NEAR(worst.distance, distance(arm.position(pose, arm.wrist), {9, 0, 0}), 1e-12);
    EXPECT_GT(worst.distance, 5.0);
    EXPECT_EQ(arm.fitter().worstPin(frame, pose).joint, JointId::None);
}

TEST(APin, MayHoldAJointWhereTheStartHasIt) {
    Arm arm;
    io::FitConstraints constraints;
    constraints.pinned = {{.joint = arm.wrist}};
    ShapeFitter fitter = arm.fitter(constraints, {.pin_at_start = true});
    Pose pose = arm.allowedPose();
    const Vec3 at = arm.position(pose, arm.wrist);
    const std::vector<Vec3> shape = skinOf(arm.skeleton, arm.skin, arm.allowedPose());
    fitter.fit(mustPrepare(fitter, 0, shape), FitStart::Warm, pose);
    EXPECT_LT(distance(arm.position(pose, arm.wrist), at), 1e-6);
}

TEST(ADrivenJoint, IsWhereItIsToldWithWhatIsLockedToIt) {
    Arm arm;
    const Pose rest = restPose(arm.skeleton);
    const Quat rotation = quatAboutAxis(2, 0.5);
    io::FitConstraints constraints;
    constraints.driven = {
        {.joint = arm.wrist, .positions = {{0.5, 0.6, 0.1}}, .rotations = {rotation}}};
    constraints.locked = {arm.skeleton.find("fingers")};
    EXPECT_TRUE(needsPoints(constraints, {}));
    ShapeFitter fitter = arm.fitter(constraints);
    ASSERT_TRUE(fitter.byPoints());
    ASSERT_EQ(fitter.warnings().size(), 1u);
    EXPECT_TRUE(contains(fitter.warnings()[0].what, "kinds and limits do not hold"));
    Pose pose = rest;
    fitter.fit(mustPrepare(fitter, 0, skinOf(arm.skeleton, arm.skin, rest)), FitStart::Warm, pose);
    const ModelPose model = computeModelPose(arm.skeleton, pose);
    EXPECT_LT(distance(model.position(arm.wrist), {0.5, 0.6, 0.1}), 1e-9);
    EXPECT_LT(angleBetween(rotationOf(model[arm.wrist]), rotation), 1e-9);
    const JointId fingers = arm.skeleton.find("fingers");
    const Vec3 carried =
        Vec3{0.5, 0.6, 0.1} + rotate(rotation, arm.skeleton.rest(fingers).translation);
    EXPECT_LT(distance(model.position(fingers), carried), 1e-6);
}

TEST(AMask, LeavesOutWhatHasNoWeightsAndWhatIsMissing) {
    Arm arm;
    arm.skin.weights = {};
    Random random(8);
    const Mesh whole = test::meshAround(arm.skeleton, 60, random);
    arm.skin.positions = whole.positions;
    for (std::size_t v = 0; v < 60; ++v) {
        if (v == 7)
            arm.skin.weights.addRow(std::vector<Influence>{});
        else
            arm.skin.weights.addRow(whole.weights[v]);
    }
    io::FitConstraints constraints;
    constraints.missing = {{.vertices = {{10, 12}}, .frames = {{2, 3}}}};
    const ShapeFitter fitter = arm.fitter(constraints);
    ASSERT_EQ(fitter.warnings().size(), 1u);
    EXPECT_TRUE(contains(fitter.warnings()[0].what, "1 vertices have no weights"));
    for (const std::size_t frame : {1u, 2u, 3u, 4u}) {
        const std::vector<double> mask = fitter.maskOf(frame);
        ASSERT_EQ(mask.size(), 60u);
        for (std::size_t v = 0; v < 60; ++v) {
            const bool missing = v == 7 || (v >= 10 && v <= 12 && (frame == 2 || frame == 3));
            EXPECT_EQ(mask[v], missing ? 0.0 : 1.0) << v << " in " << frame;
        }
    }
    EXPECT_TRUE(Arm().fitter().maskOf(0).empty());
}

TEST(AMask, LeavesOutTargetsThatAreNotFiniteWhereThatIsAllowed) {
    Arm arm;
    const Pose target = arm.allowedPose();
    const std::vector<Vec3> exact = skinOf(arm.skeleton, arm.skin, target);
    std::vector<Vec3> shape = exact;
    shape[4].y = NAN;
    shape[9] = {1e300, 0, 0};
    const Result<ShapeFrame> refused = arm.fitter().prepare(3, shape);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(contains(refused.error().what, "vertex 4 of frame 3"));
    ShapeFitter fitter = arm.fitter({}, {.missing_nan = true});
    Pose pose = restPose(arm.skeleton);
    fitter.fit(mustPrepare(fitter, 3, shape), FitStart::Cold, pose);
    EXPECT_LT(test::rmsBetween(skinOf(arm.skeleton, arm.skin, pose), exact), 1e-6);
}

TEST(AFrame, ThatIsNotCheckedGivesABadTarget) {
    Arm arm;
    std::vector<Vec3> shape = skinOf(arm.skeleton, arm.skin, arm.allowedPose());
    shape[4].y = NAN;
    ShapeFitter fitter = arm.fitter();
    Pose pose = restPose(arm.skeleton);
    const FitReport& report = fitter.fit(fitter.frameOf(0, shape), FitStart::Cold, pose);
    EXPECT_EQ(report.status, FitStatus::BadTarget);
    EXPECT_EQ(report.worst_vertex, 4u);
    EXPECT_EQ(pose, restPose(arm.skeleton));
}

FitReport reportOf(double rms, std::vector<std::uint32_t> undetermined = {}) {
    return {.status = FitStatus::Converged,
            .rms = rms,
            .worst_distance = 1.0 - rms,
            .iterations = 3,
            .rank = 5,
            .undetermined = std::move(undetermined)};
}

TEST(FitSummary, CountsFramesAndFindsTheWorst) {
    std::vector<FitReport> reports = {reportOf(0.1, {2}), reportOf(0.3, {0, 2}), reportOf(0.2)};
    reports[2].status = FitStatus::Stalled;
    reports[2].iterations = 9;
    reports.push_back({.status = FitStatus::Converged});
    const FitSummary all = summarize(reports);
    EXPECT_DOUBLE_EQ(all.mean_rms, 0.15);
    EXPECT_DOUBLE_EQ(all.mean_iterations, 3.75);
    EXPECT_EQ(all.most_iterations, 9);
    EXPECT_EQ(all.worst_rms, 1u);
    EXPECT_EQ(all.worst_vertex, 0u);
    EXPECT_EQ(all.unfinished, 1u);
    EXPECT_EQ(all.empty, 1u);
    EXPECT_EQ(all.undetermined, (std::vector<JointId>{jointId(0), jointId(2)}));
}

TEST(FitNotes, SayHowWellItWent) {
    using Notes = std::vector<std::string>;
    const auto notesOf = [](const std::vector<FitReport>& reports) { return fitNotes(reports, 2); };
    EXPECT_EQ(notesOf({reportOf(1e-6)}),
              (Notes{"the skin matches it exactly, to the precision of the file"}));
    std::vector<FitReport> reports = {reportOf(0.01), reportOf(0.0246, {1, 2}), {}, reportOf(0.0)};
    reports[2].status = FitStatus::Converged;
    reports[3].status = FitStatus::MaxIterations;
    EXPECT_EQ(notesOf(reports),
              (Notes{"the skin matches it to 1.2 % of its size at worst, in frame 1",
                     "1 frame had no points", "1 frame did not converge",
                     "2 joints move none of its vertices"}));
    EXPECT_EQ(notesOf({reports[3]}).back(), "it did not converge");
    EXPECT_TRUE(notesOf({reports[2]}).empty());
}

TEST(FitNotes, OfAShapeWithoutPointsAreNone) {
    Arm arm;
    ShapeFitter fitter = arm.fitter({}, {.missing_nan = true});
    Pose pose = restPose(arm.skeleton);
    const std::vector<Vec3> nothing(60, Vec3{NAN, NAN, NAN});
    const FitReport report = fitter.fit(fitter.frameOf(0, nothing), FitStart::Cold, pose);
    EXPECT_EQ(report.status, FitStatus::Converged);
    EXPECT_TRUE(fitNotes({&report, 1}, fitter.size()).empty());
}

TEST(Targets, WithOtherVerticesOrOutsideThePlaneAreRefused) {
    Arm arm;
    const Result<ShapeFrame> few = arm.fitter().prepare(2, std::vector<Vec3>(59));
    ASSERT_FALSE(few);
    EXPECT_TRUE(contains(few.error().what, "frame 2 has 59 vertices; the first has 60"));

    const Skeleton chain = test::planarChain(std::vector<double>{1, 1});
    const Stage stage = makeUsualStage(chain);
    const Mesh skin = test::meshAround(chain, 20, arm.random);
    const Result<ShapeFitter> planar = ShapeFitter::make(chain, stage, skin);
    ASSERT_TRUE(planar) << describe(planar.error());
    std::vector<Vec3> shape = skinOf(chain, skin, restPose(chain));
    EXPECT_TRUE(planar->prepare(0, shape));
    shape[3].z = 0.1;
    EXPECT_TRUE(contains(planar->prepare(0, shape).error().what, "vertex 3 of frame 0"));
}

TEST(AFitShape, LetsCopiesAtSeamsFollow) {
    Arm arm;
    Mesh mesh = arm.skin;
    mesh.positions.push_back(mesh.positions[12]);
    mesh.weights.addRow(std::vector<Influence>{{jointId(0), 1.0f}});
    const Result<FitShape> shape = makeFitShape(mesh, 60);
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->fitted.positions.size(), 60u);
    EXPECT_EQ(shape->fitted.weights.rowCount(), 60u);
    EXPECT_EQ(shape->source[60], 12u);
    EXPECT_EQ(shape->source[5], 5u);
    EXPECT_EQ(shape->mesh.positions.size(), 61u);
    mesh.positions.back().x += 1.0f;
    EXPECT_TRUE(contains(makeFitShape(mesh, 60).error().what, "60 vertices, the mesh has 61"));
    EXPECT_FALSE(makeFitShape(mesh, 62));
    EXPECT_FALSE(makeFitShape(mesh, 0));
}

TEST(AJoinedSkin, HasTheVerticesOfAllAndNeedsWeights) {
    Arm arm;
    const Mesh other = test::meshAround(arm.skeleton, 10, arm.random);
    const Result<Mesh> joined =
        joinedSkin(arm.skeleton, std::vector<const Mesh*>{&arm.skin, &other});
    ASSERT_TRUE(joined) << describe(joined.error());
    EXPECT_EQ(joined->positions.size(), 70u);
    EXPECT_EQ(joined->weights.rowCount(), 70u);
    Mesh bare = other;
    bare.name = "bare";
    bare.weights = {};
    const Result<Mesh> refused = joinedSkin(arm.skeleton, std::vector<const Mesh*>{&bare});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().text, "bare");
}

TEST(ControlPoints, RefuseAJointThatIsScaledBetweenBindAndRest) {
    Arm arm;
    arm.skin.joint_from_bind = bindMatrices(arm.skeleton, arm.skin);
    for (double& x : arm.skin.joint_from_bind[index(arm.elbow)].columns[0]) x *= 2.0;
    const Result<ShapeFitter> refused =
        ShapeFitter::make(arm.skeleton, arm.stage, arm.skin, {}, {.points = true});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().text, "elbow");
}

}  // namespace
}  // namespace ulna
