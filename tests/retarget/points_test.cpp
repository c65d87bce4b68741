// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/paths.h"
#include "ulna/character/open.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

struct Wave {
    Character character = {};
    Motion motion = {};
    PointClip clip = {};
    PointLayout layout = {};
};

// The positions of the joints of a clip of the bundled character.
Wave makeWave(std::size_t frames = 20) {
    Wave out{.character = *openCharacter(test::sourcePath("assets/ulna-wave.bvh"))};
    out.motion = std::get<Motion>(out.character.clips.front());
    const Skeleton& skeleton = out.character.skeleton;
    out.clip.frame_time = out.motion.frameTime();
    for (const JointId j : skeleton.joints())
        if (!skeleton.isEndSite(j)) out.clip.names.push_back(skeleton.name(j));
    out.clip.point_count = out.clip.names.size();
    for (std::size_t f = 0; f < frames; ++f) {
        const ModelPose model = computeModelPose(skeleton, out.motion.pose(f));
        for (const std::string& name : out.clip.names)
            out.clip.positions.push_back(model.position(skeleton.find(name)));
    }
    out.clip.weights.assign(out.clip.positions.size(), 1.0);
    out.layout = layoutOfJoints(out.clip.names, skeleton.names());
    return out;
}

double largestError(const Wave& wave, const PointClip& truth, const PointResult& result) {
    const Skeleton& skeleton = wave.character.skeleton;
    double most = 0.0;
    for (std::size_t f = 0; f < truth.frameCount(); ++f) {
        const ModelPose model = computeModelPose(skeleton, result.motion.pose(f));
        for (std::size_t p = 0; p < truth.point_count; ++p)
            most = std::max(most, distance(model.position(skeleton.find(truth.names[p])),
                                           truth.positions[f * truth.point_count + p]));
    }
    return most;
}

Result<PointResult> solve(const Wave& wave, const PointClip& clip, PointOptions options = {}) {
    const Pose rest = restPose(wave.character.skeleton);
    return solvePoints({.skeleton = wave.character.skeleton, .rest = rest}, clip, wave.layout,
                       options);
}

TEST(Points, ComeBackWhereLengthsAreThoseOfTheBody) {
    const Wave wave = makeWave();
    for (const PointLengths lengths : {PointLengths::Fit, PointLengths::Keep}) {
        const Result<PointResult> result = solve(wave, wave.clip, {.lengths = lengths});
        ASSERT_TRUE(result.ok()) << describe(result.error());
        EXPECT_LT(largestError(wave, wave.clip, *result), 1e-4);
        EXPECT_LT(result->report.all.most, 1e-4);
    }
}

TEST(Points, OfAnotherSizeGiveThatBodyItsLengths) {
    Wave wave = makeWave();
    for (Vec3& each : wave.clip.positions) each *= 1.2;
    const Result<PointResult> result =
        solve(wave, wave.clip, {.lengths = PointLengths::Fit, .scale = 1.0});
    ASSERT_TRUE(result.ok());
    EXPECT_LT(largestError(wave, wave.clip, *result), 1e-4);
    const JointId knee = wave.character.skeleton.find("LeftLeg");
    EXPECT_NEAR(result->stretch[index(knee)], 1.2, 1e-9);
}

TEST(Points, WithYDownAndInMillimetresAreRecognised) {
    Wave wave = makeWave();
    const PointClip truth = wave.clip;
    for (Vec3& each : wave.clip.positions) each = Vec3{each.x, -each.y, -each.z} * 1000.0;
    const Result<PointResult> result = solve(wave, wave.clip);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->report.up, PointUp::MinusY);
    EXPECT_NEAR(result->report.scale, 1e-3, 1e-9);
    EXPECT_FALSE(result->report.mirrored);
    EXPECT_EQ(result->warnings.size(), 2U);
    EXPECT_LT(largestError(wave, truth, *result), 1e-4);
}

TEST(Points, OfAMirrorImageAreMirroredBack) {
    Wave wave = makeWave();
    for (Vec3& each : wave.clip.positions) each.z = -each.z;
    const Result<PointResult> result = solve(wave, wave.clip);
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->report.mirrored);
}

TEST(Points, ThatAreMissingAreFilledFromTheirNeighbours) {
    Wave wave = makeWave();
    const PointClip truth = wave.clip;
    Random random(3);
    for (std::size_t i = 0; i < wave.clip.weights.size(); ++i) {
        if (random.between(0.0, 1.0) > 0.1) continue;
        wave.clip.weights[i] = 0.0;
        wave.clip.positions[i] = {};
    }
    const Result<PointResult> result = solve(wave, wave.clip);
    ASSERT_TRUE(result.ok());
    EXPECT_GT(result->report.missing, 0U);
    EXPECT_LT(largestError(wave, truth, *result), 0.06);
}

TEST(Points, ThatAreFarOffForAFrameAreLeftOut) {
    Wave wave = makeWave();
    const PointClip truth = wave.clip;
    const auto hand = static_cast<std::size_t>(
        std::find(truth.names.begin(), truth.names.end(), "LeftHand") - truth.names.begin());
    wave.clip.positions[7 * truth.point_count + hand] += Vec3{0, 1, 0};
    const Result<PointResult> result = solve(wave, wave.clip);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->report.outliers, 1U);
    EXPECT_LT(largestError(wave, truth, *result), 0.03);
}

TEST(Points, WithNoiseAreSmoothed) {
    Wave wave = makeWave();
    const PointClip truth = wave.clip;
    Random random(5);
    for (Vec3& each : wave.clip.positions) {
        const double x = random.between(-1.0, 1.0);
        const double y = random.between(-1.0, 1.0);
        const double z = random.between(-1.0, 1.0);
        each += Vec3{x, y, z} * (0.02 * std::sqrt(3.0));
    }
    const Result<PointResult> result = solve(wave, wave.clip);
    ASSERT_TRUE(result.ok());
    EXPECT_NEAR(result->report.noise, 0.02, 0.008);
    EXPECT_LT(largestError(wave, truth, *result), 0.12);
}

TEST(Points, GiveTheSameBytesOnAnyNumberOfThreads) {
    const Wave wave = makeWave(91);
    const Result<PointResult> one = solve(wave, wave.clip, {.threads = 1});
    const Result<PointResult> two = solve(wave, wave.clip, {.threads = 2});
    ASSERT_TRUE(one.ok() && two.ok());
    for (std::size_t f = 0; f < 91; ++f) EXPECT_EQ(one->motion.pose(f), two->motion.pose(f)) << f;
}

TEST(Points, OfASingleFrameArePosed) {
    const Wave wave = makeWave(1);
    const Result<PointResult> result = solve(wave, wave.clip);
    ASSERT_TRUE(result.ok());
    EXPECT_LT(largestError(wave, wave.clip, *result), 1e-4);
}

TEST(Points, ThatDoNotShowABodyAreRefused) {
    Wave wave = makeWave();
    PointClip nothing = wave.clip;
    nothing.weights.assign(nothing.weights.size(), 0.0);
    EXPECT_FALSE(solve(wave, nothing).ok());
    EXPECT_FALSE(solve(wave, {}).ok());
    wave.layout.roles.front().joint = "Hipps";
    const Result<PointResult> unknown = solve(wave, wave.clip);
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().what, "the body has no joint 'Hipps'");
    wave.layout.roles.pop_back();
    EXPECT_FALSE(solve(wave, wave.clip).ok());
}

TEST(PointLayouts, ArePresetsOfTheNumbersInTheirNames) {
    for (const std::string_view name : pointPresetNames()) {
        const std::optional<PointLayout> layout = pointPreset(name);
        ASSERT_TRUE(layout);
        EXPECT_EQ(std::to_string(layout->roles.size()), name.substr(name.rfind('-') + 1));
        for (std::size_t i = 0; i < layout->roles.size(); ++i) {
            const PointRole& role = layout->roles[i];
            EXPECT_NE(role.landmark, Landmark::None) << layout->names[i];
            EXPECT_EQ(isSided(role.landmark), role.side != BodySide::Centre) << layout->names[i];
        }
    }
    EXPECT_FALSE(pointPreset("coco-18"));
    EXPECT_EQ(pointPresetsOf(17).size(), 2U);
}

// Points beside joints are placed by a table of a usual person; whoever has the points of that
// table gets the pose back.
TEST(PointLayouts, OfEveryPresetOrientTheBody) {
    const Wave wave = makeWave(30);
    const Skeleton& skeleton = wave.character.skeleton;
    for (const std::string_view name : pointPresetNames()) {
        const PointLayout layout = *pointPreset(name);
        // Joints where they are; other points are missing.
        PointClip clip{.point_count = layout.roles.size(), .frame_time = wave.clip.frame_time};
        for (std::size_t f = 0; f < 30; ++f) {
            const ModelPose model = computeModelPose(skeleton, wave.motion.pose(f));
            for (const PointRole& role : layout.roles) {
                const std::string side = role.side == BodySide::Left ? "Left" : "Right";
                const std::string part = role.landmark == Landmark::Hip        ? "UpLeg"
                                         : role.landmark == Landmark::Knee     ? "Leg"
                                         : role.landmark == Landmark::Ankle    ? "Foot"
                                         : role.landmark == Landmark::Shoulder ? "Arm"
                                         : role.landmark == Landmark::Elbow    ? "ForeArm"
                                         : role.landmark == Landmark::Wrist    ? "Hand"
                                                                               : "";
                clip.positions.push_back(part.empty() ? Vec3{}
                                                      : model.position(skeleton.find(side + part)));
                clip.weights.push_back(part.empty() ? 0.0 : 1.0);
            }
        }
        const Pose rest = restPose(skeleton);
        const Result<PointResult> result =
            solvePoints({.skeleton = skeleton, .rest = rest}, clip, layout,
                        {.lengths = PointLengths::Fit, .scale = 1.0});
        ASSERT_TRUE(result.ok()) << name << describe(result.error());
        EXPECT_LT(result->report.all.mean, 0.01) << name;
    }
}

}  // namespace
}  // namespace ulna
