// SPDX-License-Identifier: Apache-2.0

// Random skeletons and clips through every file format that can hold them: each joint comes back
// where plain matrices put it.
#include <gtest/gtest.h>

#include "support/random_rigs.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/io/rig_json.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

using test::PlainMatrix;
using test::plainModel;

constexpr std::size_t kFrames = 3;

struct RandomClip {
    Skeleton rig;
    DofClip dofs;
};

RandomClip makeClip(int seed, const test::RandomRigOptions& options) {
    Random random(static_cast<std::uint64_t>(seed) + 500);
    RandomClip out{test::randomRig(random, options), {}};
    out.dofs.name = "clip";
    for (std::size_t f = 0; f < kFrames; ++f)
        out.dofs.frames.push_back(test::randomAllowedDofs(random, out.rig));
    return out;
}

// The joints of `rig`, found by name in another skeleton, are where the coordinates put them.
void expectSamePlaces(const RandomClip& clip, const Skeleton& other, std::size_t frame,
                      const Pose& pose, double tolerance) {
    const std::vector<PlainMatrix> expected = plainModel(clip.rig, clip.dofs.frames[frame]);
    const ModelPose model = computeModelPose(other, pose);
    for (const JointId j : clip.rig.joints()) {
        const JointId there = other.find(clip.rig.name(j));
        ASSERT_NE(there, JointId::None) << clip.rig.name(j);
        EXPECT_LT(distance(model.position(there), expected[index(j)].origin()), tolerance)
            << clip.rig.name(j) << ", frame " << frame;
    }
}

TEST(RandomRigFiles, RigsKeepKindsLimitsAndClips) {
    for (int seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomClip clip = makeClip(seed, {.planar = seed % 5 == 0, .wide_limits = true});
        const std::string text = writeRig({"rig", clip.rig, {clip.dofs}});
        const Result<RigFile> back = readRig(text, "rig.json");
        ASSERT_TRUE(back) << describe(back.error());
        ASSERT_EQ(back->skeleton.dofCount(), clip.rig.dofCount());
        for (const JointId j : clip.rig.joints()) {
            EXPECT_EQ(back->skeleton.name(j), clip.rig.name(j));
            EXPECT_EQ(back->skeleton.kind(j), clip.rig.kind(j));
            EXPECT_EQ(back->skeleton.joint(j).cone.has_value(), clip.rig.joint(j).cone.has_value());
        }
        for (std::size_t d = 0; d < clip.rig.dofCount(); ++d) {
            const DofLimit a = clip.rig.dofLimits()[d], b = back->skeleton.dofLimits()[d];
            EXPECT_TRUE(a.min == b.min || std::abs(a.min - b.min) < 1e-14) << clip.rig.dofName(d);
            EXPECT_TRUE(a.max == b.max || std::abs(a.max - b.max) < 1e-14) << clip.rig.dofName(d);
        }
        ASSERT_EQ(back->clips.size(), 1U);
        const Motion motion = computeMotion(back->skeleton, back->clips[0]);
        for (std::size_t f = 0; f < kFrames; ++f)
            expectSamePlaces(clip, back->skeleton, f, motion.pose(f), 1e-12);
        EXPECT_EQ(writeRig(*back), writeRig(*readRig(writeRig(*back), "again")))
            << "writing what was read changes nothing any more";
    }
}

TEST(RandomRigFiles, BvhKeepsEveryJointOfEveryFrame) {
    for (int seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomClip clip = makeClip(seed, {.scales = false});
        const Motion motion = computeMotion(clip.rig, clip.dofs);
        const std::string text = writeBvh(makeBvh(clip.rig, motion));
        const Result<BvhFile> file = readBvh(text, "clip.bvh", {.strict = true});
        ASSERT_TRUE(file) << describe(file.error());
        Result<BvhMotion> back = toMotion(*file);
        ASSERT_TRUE(back) << describe(back.error());
        ASSERT_EQ(back->motion.frameCount(), kFrames);
        // A fixed leaf is written as an End Site, which is named by its parent; the others are
        // compared by their own names.
        const Skeleton& other = back->skeleton;
        for (std::size_t f = 0; f < kFrames; ++f) {
            const std::vector<PlainMatrix> expected = plainModel(clip.rig, clip.dofs.frames[f]);
            const ModelPose model = computeModelPose(other, back->motion.pose(f));
            for (const JointId j : clip.rig.joints()) {
                const bool leaf = clip.rig.subtree(j).size() == 1;
                const JointId there = other.find(clip.rig.name(j));
                if (there == JointId::None) {
                    EXPECT_TRUE(leaf && clip.rig.kind(j) == JointKind::Fixed) << clip.rig.name(j);
                    continue;
                }
                EXPECT_LT(distance(model.position(there), expected[index(j)].origin()), 1e-9)
                    << clip.rig.name(j) << ", frame " << f;
            }
        }
    }
}

TEST(RandomRigFiles, GltfKeepsEveryJointOfEveryFrameToTheFloatsItHas) {
    for (int seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomClip clip = makeClip(seed, {});
        const Motion motion = computeMotion(clip.rig, clip.dofs);
        const GltfForm form = seed % 2 == 0 ? GltfForm::Binary : GltfForm::Text;
        const Result<GltfBytes> bytes =
            writeGltf({.skeleton = clip.rig, .motions = {&motion, 1}}, form);
        ASSERT_TRUE(bytes) << describe(bytes.error());
        const Result<GltfFile> back = readGltf(bytes->bytes, "clip.glb", {});
        ASSERT_TRUE(back) << describe(back.error());
        ASSERT_EQ(back->clips.size(), 1U);
        for (std::size_t f = 0; f < kFrames; ++f) {
            const Pose pose = samplePose(back->clips[0], motion.timeOf(f));
            expectSamePlaces(clip, back->skeleton, f, pose, 1e-5);
        }
    }
}

TEST(RandomRigFiles, TruncatedFilesAreAnErrorOrLessButNeverWrong) {
    for (int seed = 0; seed < 10; ++seed) {
        const RandomClip clip = makeClip(seed, {.most_joints = 5, .scales = false});
        const Motion motion = computeMotion(clip.rig, clip.dofs);
        const std::string bvh = writeBvh(makeBvh(clip.rig, motion));
        const std::string rig = writeRig({"rig", clip.rig, {clip.dofs}});
        const Result<GltfBytes> glb = writeGltf({.skeleton = clip.rig, .motions = {&motion, 1}});
        ASSERT_TRUE(glb);
        for (int cut = 0; cut < 60; ++cut) {
            const auto part = [&](const std::string& whole) {
                return std::string_view(whole).substr(
                    0, whole.size() * static_cast<std::size_t>(cut) / 60);
            };
            if (const Result<BvhFile> file = readBvh(part(bvh), "cut.bvh", {})) {
                EXPECT_LE(file->frame_count, kFrames);
                EXPECT_EQ(file->values.size(), file->frame_count * file->channel_count);
            } else {
                EXPECT_FALSE(file.error().what.empty());
            }
            EXPECT_FALSE(readRig(part(rig), "cut.rig.json"));
            EXPECT_FALSE(readGltf(part(glb->bytes), "cut.glb", {}));
        }
    }
}

}  // namespace
}  // namespace ulna::io
