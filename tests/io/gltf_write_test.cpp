// SPDX-License-Identifier: Apache-2.0

// Writing glTF, judged by reading it again and by forward kinematics. tests/gltf has the Khronos
// validator and three.js judge the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/bvh_texts.h"
#include "support/command.h"
#include "support/gltf_samples.h"
#include "support/gltf_texts.h"
#include "support/paths.h"
#include "support/skeletons.h"
#include "support/text.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

using test::contains;
using test::joint;
using test::mustReadGltf;

GltfBytes mustWrite(const GltfContent& content, GltfForm form = GltfForm::Binary) {
    Result<GltfBytes> out = writeGltf(content, form);
    if (out) return *std::move(out);
    ADD_FAILURE() << describe(out.error());
    return {};
}

GltfFile writtenAndRead(const GltfContent& content) {
    return mustReadGltf(mustWrite(content).bytes);
}

nlohmann::json documentOf(const GltfContent& content) {
    const std::string text = mustWrite(content, GltfForm::Text).bytes;
    return nlohmann::json::parse(text);
}

// The largest distance between joints of the same name, and the size of it all.
double worstDistance(const Skeleton& a, const Pose& pose_a, const Skeleton& b, const Pose& pose_b) {
    const ModelPose x = computeModelPose(a, pose_a), y = computeModelPose(b, pose_b);
    double worst = 0.0;
    for (std::size_t j = 0; j < a.jointCount(); ++j) {
        const JointId other = b.find(a.name(jointId(j)));
        EXPECT_NE(other, JointId::None) << a.name(jointId(j));
        if (other == JointId::None) continue;
        worst = std::max(worst, distance(x.position(jointId(j)), y.position(other)) /
                                    std::max(1.0, length(x.position(jointId(j)))));
    }
    return worst;
}

// A clip with one track of one joint of the arm.
template <class V>
KeyedMotion clipOf(const Skeleton& arm, const Track<V>& track) {
    KeyedMotion clip{"clip", restPose(arm), {{jointId(1)}}};
    if constexpr (std::is_same_v<V, Quat>)
        clip.joints[0].rotation = track;
    else
        clip.joints[0].translation = track;
    return clip;
}

TEST(GltfWrite, KeepsJointsNamesAndRestToTheLastBit) {
    const Skeleton skeleton = test::everyKind();
    const GltfFile file = writtenAndRead({skeleton});
    ASSERT_EQ(file.skeleton.jointCount(), skeleton.jointCount());
    for (const JointId j : skeleton.joints()) {
        EXPECT_EQ(file.skeleton.name(j), skeleton.name(j));
        EXPECT_EQ(file.skeleton.parent(j), skeleton.parent(j));
        EXPECT_EQ(file.skeleton.rest(j).translation, skeleton.rest(j).translation);
        EXPECT_LT(angleBetween(file.skeleton.rest(j).rotation, skeleton.rest(j).rotation), 1e-14);
    }
    EXPECT_TRUE(file.warnings.empty()) << test::lines(file.warnings);
}

TEST(GltfWrite, SaysWhatGltfCannotHold) {
    JointDef knee = joint("knee", "hip", JointKind::Hinge, {0, 1, 0});
    knee.limits[0] = {0.0, 1.0};
    knee.radius = 0.1;
    knee.tip = Vec3{0, 1, 0};
    knee.locked = true;
    const GltfBytes out = mustWrite({test::build({joint("hip", "", JointKind::Free, {}), knee})});
    const std::string said = test::lines(out.warnings);
    for (const char* what :
         {"no joint kinds", "no joint limits", "no radii", "no tips", "no locks"})
        EXPECT_TRUE(contains(said, what));
}

TEST(GltfWrite, GivesEveryTreeOfJointsASkinWithItsInverseRest) {
    const Skeleton two = test::build({joint("a", "", JointKind::Free, {1, 2, 3}),
                                      joint("b", "a", JointKind::Ball, {0, 1, 0}),
                                      joint("c", "", JointKind::Free, {5, 0, 0})});
    const nlohmann::json document = documentOf({two});
    ASSERT_EQ(document["skins"].size(), 2U);
    EXPECT_EQ(document["skins"][0]["joints"], (std::vector<int>{0, 1}));
    EXPECT_EQ(document["skins"][1]["joints"], (std::vector<int>{2}));
    EXPECT_EQ(document["scenes"][0]["nodes"], (std::vector<int>{0, 2}));
    EXPECT_FALSE(document.contains("meshes"));
}

TEST(GltfWrite, KeepsEveryJointOfABvhClipAtEveryFrame) {
    for (const GltfForm form : {GltfForm::Binary, GltfForm::Text}) {
        const Result<BvhFile> bvh = loadBvh(test::sourcePath("assets/ulna-character.bvh"));
        ASSERT_TRUE(bvh.ok());
        const Result<BvhMotion> clip = toMotion(*bvh);
        ASSERT_TRUE(clip.ok());
        const GltfFile file = mustReadGltf(
            mustWrite({.skeleton = clip->skeleton, .motions = std::span(&clip->motion, 1)}, form)
                .bytes);
        ASSERT_EQ(file.clips.size(), 1U);
        EXPECT_NEAR(file.clips[0].endTime(), clip->motion.duration(), 1e-6);
        for (std::size_t f = 0; f < clip->motion.frameCount(); ++f) {
            // The time as the file has it.
            const auto time = static_cast<double>(static_cast<float>(clip->motion.timeOf(f)));
            ASSERT_LT(worstDistance(clip->skeleton, clip->motion.pose(f), file.skeleton,
                                    samplePose(file.clips[0], time)),
                      1e-6)
                << "frame " << f;
        }
        for (std::size_t j = 0; j < clip->skeleton.jointCount(); ++j)
            EXPECT_EQ(file.skeleton.isEndSite(jointId(j)), clip->skeleton.isEndSite(jointId(j)));
    }
}

TEST(GltfWrite, TracksThatStandStillAreNotWrittenFrameByFrame) {
    const Skeleton arm = test::gltfArm();
    Motion motion(restPose(arm), 1000, 0.01, usualTracks(arm));
    Pose pose = restPose(arm);
    pose[jointId(2)].rotation = quatFromAxisAngle(Vec3{1, 0, 0}, 0.5);  // elsewhere than at rest
    for (std::size_t f = 0; f < 1000; ++f) {
        pose[jointId(0)].rotation =
            quatFromAxisAngle(Vec3{0, 1, 0}, 0.001 * static_cast<double>(f));
        motion.setPose(f, pose);
    }
    const nlohmann::json document = documentOf({.skeleton = arm, .motions = std::span(&motion, 1)});
    const nlohmann::json& animation = document["animations"][0];
    ASSERT_EQ(animation["channels"].size(), 2U);
    EXPECT_EQ(animation["channels"][0]["target"]["node"], 0);
    EXPECT_EQ(animation["channels"][1]["target"]["node"], 2);
    EXPECT_EQ(document["accessors"][animation["samplers"][1]["output"].get<std::size_t>()]["count"],
              1);
}

TEST(GltfWrite, AClipThatDoesNotMoveKeepsItsLength) {
    const Skeleton arm = test::gltfArm();
    const Motion motion(restPose(arm), 101, 0.01, usualTracks(arm));
    const GltfFile file = writtenAndRead({.skeleton = arm, .motions = std::span(&motion, 1)});
    ASSERT_EQ(file.clips.size(), 1U);
    EXPECT_NEAR(file.clips[0].endTime(), 1.0, 1e-6);
    EXPECT_EQ(file.clips[0].keyCount(), 2U);
}

TEST(GltfWrite, TimesOfALongClipStrictlyIncrease) {
    const Skeleton arm = test::build({joint("a", "", JointKind::Free, {})});
    Motion motion(restPose(arm), 100000, 1.0 / 120.0, {{jointId(0)}, {}, {}});
    Pose pose = restPose(arm);
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        pose[jointId(0)].rotation =
            quatFromAxisAngle(Vec3{0, 1, 0}, std::sin(0.01 * static_cast<double>(f)));
        motion.setPose(f, pose);
    }
    const GltfBytes out = mustWrite({.skeleton = arm, .motions = std::span(&motion, 1)});
    EXPECT_TRUE(out.warnings.empty());
    const GltfFile file = mustReadGltf(out.bytes);
    EXPECT_TRUE(file.warnings.empty()) << test::lines(file.warnings);  // keys that share a time
    const auto keys = std::get<Track<Quat>>(file.clips.at(0).joints.at(0).rotation).keys();
    ASSERT_EQ(keys.size(), 100000U);
    EXPECT_NEAR(keys[99999].time, motion.timeOf(99999), 1e-4);
}

TEST(GltfWrite, FramesTooCloseForFloatsAreMovedApartWithAWarning) {
    const Skeleton arm = test::build({joint("a", "", JointKind::Free, {})});
    Motion motion(restPose(arm), 50, 1e-9, {{}, {jointId(0)}, {}});
    Pose pose = restPose(arm);
    for (std::size_t f = 0; f < 50; ++f) {
        pose[jointId(0)].translation.x = static_cast<double>(f);
        motion.setPose(f, pose);
    }
    KeyedMotion late{"late", restPose(arm), {{jointId(0)}}};
    late.joints[0].translation =
        Track<Vec3>({{100.0, {}}, {100.0 + 1e-9, {1, 0, 0}}, {101.0, {}}}, Interpolation::Linear);
    const GltfBytes out = mustWrite({.skeleton = arm, .clips = std::span(&late, 1)});
    EXPECT_TRUE(contains(test::lines(out.warnings), "too close in time for glTF's floats"));
    mustReadGltf(out.bytes);
    EXPECT_EQ(
        writtenAndRead({.skeleton = arm, .motions = std::span(&motion, 1)}).clips.at(0).keyCount(),
        50U);
}

// ---- keyed clips

TEST(GltfWrite, StepsLinesAndHermiteCurvesAreKeptKeyByKey) {
    for (const test::GltfSample& sample : test::gltfSamples()) {
        if (sample.name != "keys") continue;
        const KeyedMotion& clip = sample.clips.front();
        const GltfFile file =
            writtenAndRead({.skeleton = sample.skeleton, .clips = std::span(&clip, 1)});
        ASSERT_EQ(file.clips.size(), 1U);
        for (const JointTracks& tracks : clip.joints) {
            const JointTracks* read = file.clips[0].find(tracks.joint);
            ASSERT_NE(read, nullptr);
            const auto before = tracks.translation.keys(), after = read->translation.keys();
            ASSERT_EQ(before.size(), after.size());
            for (std::size_t i = 0; i < before.size(); ++i) {
                EXPECT_NEAR(before[i].time, after[i].time, 1e-6);
                EXPECT_LT(distance(before[i].value, after[i].value), 1e-6);
            }
            if (tracks.translation.interpolation <= Interpolation::Linear) {
                EXPECT_EQ(tracks.translation.interpolation, read->translation.interpolation);
            } else {
                EXPECT_EQ(read->translation.interpolation, Interpolation::Hermite);
            }
        }
        // Between keys too: vectors are exact, sampled rotations within their tolerance.
        for (int i = 0; i <= 200; ++i) {
            const double time = clip.endTime() * i / 200;
            const Pose a = samplePose(clip, time), b = samplePose(file.clips[0], time);
            for (std::size_t j = 0; j < a.parent_from_joint.size(); ++j) {
                const Interpolation how = clip.joints[j].translation.interpolation;
                // A step may fall on the other side of a rounded time.
                if (how == Interpolation::Step) continue;
                const Trs &x = a.parent_from_joint[j], &y = b.parent_from_joint[j];
                EXPECT_LT(distance(x.translation, y.translation), 5e-6);
                EXPECT_LT(distance(x.scale, y.scale), 5e-6);
                EXPECT_LT(angleBetween(x.rotation, y.rotation), 1.5e-4) << "joint " << j;
            }
        }
    }
}

TEST(GltfWrite, AnglesBeyondATurnAreSampledWithoutLosingTurns) {
    const Skeleton arm = test::gltfArm();
    KeyedMotion clip{"spin", restPose(arm), {{jointId(0)}}};
    AngleTracks angles;
    // Exactly two turns: the rotations of both keys are the same.
    angles.rotations.push_back(
        {{0, 0, 1}, Track<double>({{0.0, 0.0}, {1.0, 4 * kPi}}, Interpolation::Linear)});
    clip.joints[0].rotation = angles;
    const GltfBytes out = mustWrite({.skeleton = arm, .clips = std::span(&clip, 1)});
    EXPECT_TRUE(contains(test::lines(out.warnings), "glTF has no curves of angles"));
    const GltfFile file = mustReadGltf(out.bytes);
    for (int i = 0; i <= 100; ++i) {
        const Quat truth = quatFromAxisAngle(Vec3{0, 0, 1}, 4 * kPi * i / 100);
        EXPECT_LT(angleBetween(samplePose(file.clips.at(0), i / 100.0)[jointId(0)].rotation, truth),
                  1.5e-4);
    }
}

TEST(GltfWrite, AnglesThatHaveOneTimeAreOneKey) {
    const Skeleton arm = test::gltfArm();
    KeyedMotion clip{"one", restPose(arm), {{jointId(0)}}};
    AngleTracks angles;
    angles.rotations.push_back(
        {{0, 0, 1}, Track<double>({{0.5, 0.1}, {0.5, 0.2}}, Interpolation::Linear)});
    clip.joints[0].rotation = angles;
    const GltfFile file = writtenAndRead({.skeleton = arm, .clips = std::span(&clip, 1)});
    EXPECT_EQ(file.clips.at(0).keyCount(), 1U);
    EXPECT_NEAR(rotationAngle(samplePose(file.clips[0], 0.0)[jointId(0)].rotation), 0.2, 1e-6);
}

TEST(GltfWrite, JumpsStaySteepAndTimesStrictlyIncrease) {
    const Skeleton arm = test::gltfArm();
    const KeyedMotion clip = clipOf(arm, Track<Vec3>({{0.0, {9, 9, 9}},
                                                      {0.0, {0, 0, 0}},
                                                      {1.0, {1, 0, 0}},
                                                      {1.0, {7, 7, 7}},
                                                      {1.0, {5, 0, 0}},
                                                      {2.0, {6, 0, 0}}},
                                                     Interpolation::Linear));
    const GltfFile file = writtenAndRead({.skeleton = arm, .clips = std::span(&clip, 1)});
    EXPECT_TRUE(file.warnings.empty()) << test::lines(file.warnings);
    const auto at = [&](double time) {
        return samplePose(file.clips.at(0), time)[jointId(1)].translation;
    };
    EXPECT_EQ(at(0.0), (Vec3{0, 0, 0}));
    EXPECT_NEAR(at(0.999).x, 0.999, 1e-5);
    EXPECT_EQ(at(1.0), (Vec3{5, 0, 0}));
    EXPECT_NEAR(at(1.5).x, 5.5, 1e-6);
}

TEST(GltfWrite, AClipThatStartsBeforeZeroIsMovedWithAWarning) {
    const Skeleton arm = test::gltfArm();
    const KeyedMotion clip =
        clipOf(arm, Track<Vec3>({{-1.0, {1, 0, 0}}, {1.0, {3, 0, 0}}}, Interpolation::Linear));
    const GltfBytes out = mustWrite({.skeleton = arm, .clips = std::span(&clip, 1)});
    EXPECT_TRUE(contains(test::lines(out.warnings), "no times before 0"));
    const GltfFile file = mustReadGltf(out.bytes);
    EXPECT_EQ(file.clips.at(0).startTime(), 0.0);
    EXPECT_EQ(samplePose(file.clips[0], 1.0)[jointId(1)].translation, (Vec3{2, 0, 0}));
}

TEST(GltfWrite, WhatHasNoKeysKeepsTheBasePose) {
    const Skeleton arm = test::gltfArm();
    KeyedMotion clip =
        clipOf(arm, Track<Vec3>({{0.0, {0, 1, 0}}, {1.0, {0, 2, 0}}}, Interpolation::Linear));
    clip.base[jointId(2)] = {{1, 2, 3}, {2, 2, 2}, quatFromAxisAngle(Vec3{1, 0, 0}, 1.0)};
    const GltfFile file = writtenAndRead({.skeleton = arm, .clips = std::span(&clip, 1)});
    const Trs read = samplePose(file.clips.at(0), 0.5)[jointId(2)];
    EXPECT_EQ(read.translation, (Vec3{1, 2, 3}));
    EXPECT_EQ(read.scale, (Vec3{2, 2, 2}));
    EXPECT_LT(angleBetween(read.rotation, clip.base[jointId(2)].rotation), 1e-6);
}

TEST(GltfWrite, EqualKeyTimesAreWrittenOnce) {
    const Skeleton arm = test::gltfArm();
    KeyedMotion clip{"c", restPose(arm), {}};
    for (std::size_t j = 0; j < 3; ++j) {
        clip.joints.push_back({jointId(j)});
        clip.joints.back().translation =
            Track<Vec3>({{0.0, {}}, {1.0, {1, 0, 0}}}, Interpolation::Linear);
    }
    const nlohmann::json document = documentOf({.skeleton = arm, .clips = std::span(&clip, 1)});
    for (const nlohmann::json& sampler : document["animations"][0]["samplers"])
        EXPECT_EQ(sampler["input"], document["animations"][0]["samplers"][0]["input"]);
}

// ---- meshes

TEST(GltfWrite, KeepsMeshesTheirWeightsAndTheirBind) {
    for (const test::GltfSample& sample : test::gltfSamples()) {
        if (sample.name != "meshes") continue;
        const GltfFile file =
            writtenAndRead({.skeleton = sample.skeleton, .meshes = sample.meshes});
        ASSERT_EQ(file.meshes.size(), sample.meshes.size());
        for (std::size_t m = 0; m < 2; ++m) {
            const Mesh &a = sample.meshes[m], &b = file.meshes[m];
            EXPECT_EQ(a.name, b.name);
            EXPECT_EQ(a.positions, b.positions);
            EXPECT_EQ(a.indices, b.indices);
            ASSERT_EQ(a.weights.first, b.weights.first);
            Mesh bound = a;
            if (bound.joint_from_bind.empty()) {
                const ModelPose rest = computeModelPose(sample.skeleton, restPose(sample.skeleton));
                for (const Affine& at_rest : rest.model_from_joint)
                    bound.joint_from_bind.push_back(inverse(at_rest));
            }
            Pose pose = restPose(sample.skeleton);
            pose[jointId(1)].rotation = quatFromAxisAngle(Vec3{0, 0, 1}, 1.0);
            const ModelPose before = computeModelPose(sample.skeleton, pose);
            Pose read_pose = restPose(file.skeleton);
            for (std::size_t j = 0; j < sample.skeleton.jointCount(); ++j)
                read_pose[file.skeleton.find(sample.skeleton.name(jointId(j)))] = pose[jointId(j)];
            const ModelPose after = computeModelPose(file.skeleton, read_pose);
            for (std::size_t v = 0; v < a.positions.size(); ++v) {
                EXPECT_LT(distance(test::skinnedVertex(bound, v, before),
                                   test::skinnedVertex(b, v, after)),
                          1e-6);
            }
        }
        EXPECT_EQ(file.skeleton.name(jointId(3)), "loose");  // a mesh tied to nothing is a node
    }
}

TEST(GltfWrite, VerticesThatNothingMovesGoWithTheFirstJoint) {
    const Skeleton one = test::build({joint("a", "", JointKind::Free, {})});
    Mesh mesh{.name = "loose",
              .positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
              .indices = {0, 1, 2},
              .weights = {.influences = {{jointId(0), 1}}, .first = {0, 1, 1, 1}}};
    const Result<GltfBytes> out = writeGltf({.skeleton = one, .meshes = std::span(&mesh, 1)});
    ASSERT_TRUE(out.ok());
    ASSERT_EQ(out->warnings.size(), 1U);
    EXPECT_TRUE(contains(describe(out->warnings[0]), "vertices that nothing moves"));
    const Result<GltfFile> back = readGltf(out->bytes, "loose.glb");
    ASSERT_TRUE(back.ok());
    EXPECT_TRUE(back->warnings.empty());
    EXPECT_EQ(back->meshes[0].weights.first, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(GltfWrite, AMeshTiedToSeveralRootsIsRefused) {
    const Skeleton two =
        test::build({joint("a", "", JointKind::Free, {}), joint("b", "", JointKind::Free, {})});
    Mesh mesh{.name = "both",
              .positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
              .indices = {0, 1, 2},
              .weights = {.influences = {{jointId(0), 1}, {jointId(1), 1}, {jointId(1), 1}},
                          .first = {0, 1, 2, 3}}};
    const Result<GltfBytes> out = writeGltf({.skeleton = two, .meshes = std::span(&mesh, 1)});
    ASSERT_FALSE(out.ok());
    EXPECT_TRUE(contains(describe(out.error()), "mesh 'both' is tied to joints of several roots"));
}

TEST(GltfWrite, NumbersBeyondFloatsAreRefused) {
    const Skeleton arm = test::gltfArm();
    const KeyedMotion clip = clipOf(arm, Track<Vec3>({{0.0, {1e60, 0, 0}}}, Interpolation::Linear));
    const Result<GltfBytes> out = writeGltf({.skeleton = arm, .clips = std::span(&clip, 1)});
    ASSERT_FALSE(out.ok());
    EXPECT_TRUE(
        contains(describe(out.error()), "joint 'elbow': a key of 'clip' has a value too large"));
}

// ---- files

TEST(GltfWrite, GivesTheSameBytesEveryTimeAndEmptySkeletonsAreFilesToo) {
    for (const test::GltfSample& sample : test::gltfSamples()) {
        const GltfContent content{.skeleton = sample.skeleton,
                                  .clips = sample.clips,
                                  .motions = sample.motions,
                                  .meshes = sample.meshes,
                                  .material_set = &sample.material_set};
        EXPECT_EQ(mustWrite(content).bytes, mustWrite(content).bytes);
    }
    EXPECT_EQ(writtenAndRead({Skeleton{}}).skeleton.jointCount(), 0U);
}

TEST(GltfWrite, CancellingWritesNothing) {
    const Skeleton arm = test::gltfArm();
    const Motion motion(restPose(arm), 5000, 0.01, usualTracks(arm));
    const std::string path = test::scratchFolder() + "/cancelled.glb";
    for (const int calls : {0, 1, 3}) {
        int left = calls;
        const Result<Warnings> out = saveGltf({.skeleton = arm, .motions = std::span(&motion, 1)},
                                              path, {}, [&](double) { return left-- > 0; });
        ASSERT_FALSE(out.ok());
        EXPECT_EQ(describe(out.error()), path + ": cancelled");
        EXPECT_NE(test::shell("ls cancelled.glb*").exit_code, 0);
    }
}

TEST(GltfWrite, ThePathChoosesTheForm) {
    const Skeleton arm = test::gltfArm();
    const std::string folder = test::scratchFolder();
    ASSERT_TRUE(saveGltf({arm}, folder + "/arm.gltf").ok());
    ASSERT_TRUE(saveGltf({arm}, folder + "/arm.glb").ok());
    ASSERT_TRUE(saveGltf({arm}, folder + "/arm.bin", {.form = GltfForm::Text}).ok());
    EXPECT_EQ(test::readText(folder + "/arm.gltf").front(), '{');
    EXPECT_EQ(test::readText(folder + "/arm.glb").substr(0, 4), "glTF");
    EXPECT_EQ(test::readText(folder + "/arm.bin"), test::readText(folder + "/arm.gltf"));
    EXPECT_FALSE(saveGltf({arm}, folder + "/none/arm.glb").ok());
}

}  // namespace
}  // namespace ulna::io
