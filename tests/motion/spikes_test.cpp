// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/spikes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "support/clips.h"
#include "support/paths.h"
#include "ulna/io/bvh.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

namespace fs = std::filesystem;

struct Take {
    std::string name;
    Skeleton skeleton;
    Motion motion;
};

// The captured clips and the bundled ones: walks, turns, runs, a jump, a cartwheel.
std::vector<Take> takes() {
    std::vector<fs::path> paths;
    for (const std::string& folder : {test::sharedData("bvh/cmu"), test::sharedData("bvh/games105"),
                                      test::sourcePath("assets")})
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".bvh") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Take> out;
    for (const fs::path& path : paths) {
        const Result<io::BvhFile> file = io::loadBvh(path.string());
        EXPECT_TRUE(file) << path;
        const Result<io::BvhMotion> clip = io::toMotion(*file);
        EXPECT_TRUE(clip) << path;
        out.push_back({path.filename().string(), clip->skeleton, clip->motion});
    }
    return out;
}

// The recording of the cartwheel has fingers and thumbs that flip by half a revolution: spikes.
bool flips(const Take& take, JointId joint) {
    const std::string& name = take.skeleton.name(joint);
    return take.name == "49_06.bvh" &&
           (name.find("Thumb") != std::string::npos || name.find("Finger") != std::string::npos);
}

bool isSpike(const Spike& each) {
    return each.kind == SpikeKind::Spike;
}

TEST(Spikes, AreNotFoundInFastMotions) {
    for (const Take& take : takes()) {
        for (const Spike& each : findSpikes(take.skeleton, take.motion)) {
            if (each.kind == SpikeKind::Jump) continue;
            EXPECT_TRUE(flips(take, each.joint) && each.amount > radians(140.0))
                << take.name << ' ' << take.skeleton.name(each.joint) << ' ' << each.first;
        }
    }
}

TEST(Spikes, AreFoundWhereTheyArePutAndNowhereElse) {
    Random random(5);
    int put = 0, found = 0, elsewhere = 0;
    for (const Take& take : takes()) {
        const std::vector<Spike> before = findSpikes(take.skeleton, take.motion);
        const std::size_t frames = take.motion.frameCount();
        for (int k = 0; k < 8; ++k) {
            Motion motion = take.motion;
            const std::vector<JointId>& joints = motion.tracks().rotated;
            const JointId joint = joints[random.below(joints.size())];
            if (flips(take, joint)) continue;
            const std::size_t width = 1 + random.below(3);
            const std::size_t first = 3 + random.below(frames - width - 6);
            const double angle = radians(random.between(20.0, 180.0));
            const Vec3 axis = random.direction();
            const Quat by = quatFromAxisAngle(axis, angle);
            for (std::size_t f = first; f < first + width; ++f) {
                Pose pose = motion.pose(f);
                pose[joint].rotation = pose[joint].rotation * by;
                motion.setPose(f, pose);
            }
            bool hit = false;
            for (const Spike& each : findSpikes(take.skeleton, motion)) {
                if (each.kind == SpikeKind::Jump) continue;
                const bool here = each.joint == joint && each.first <= first &&
                                  each.first + 1 >= first && each.last + 1 >= first + width &&
                                  each.last <= first + width;
                hit = hit || here;
                const bool own = std::find(before.begin(), before.end(), each) != before.end();
                if (!here && !own && !flips(take, each.joint)) ++elsewhere;
            }
            ++put;
            found += hit ? 1 : 0;
        }
    }
    EXPECT_GT(put, 100);
    EXPECT_EQ(found, put);
    EXPECT_EQ(elsewhere, 0);
}

TEST(Spikes, OfATranslationAreFoundAndRepaired) {
    const test::Clip walk = test::straightWalk(60, 1.5);
    Motion motion = walk.motion;
    const JointId root = motion.tracks().translated.front();
    const double size = bodySize(walk.skeleton);
    for (const std::size_t f : {30u, 31u}) {
        Pose pose = motion.pose(f);
        pose[root].translation += Vec3{0.2, 0.1, -0.3} * size;
        motion.setPose(f, pose);
    }
    const std::vector<Spike> found = findSpikes(walk.skeleton, motion);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].first, 30u);
    EXPECT_EQ(found[0].last, 31u);
    EXPECT_TRUE(found[0].translated);
    EXPECT_NEAR(found[0].amount, length(Vec3{0.2, 0.1, -0.3}) * size, 0.02 * size);
    const Motion repaired = withoutSpikes(motion, found);
    for (std::size_t f = 0; f < 60; ++f) {
        EXPECT_LT(
            distance(repaired.pose(f)[root].translation, walk.motion.pose(f)[root].translation),
            0.01 * size)
            << f;
    }
}

TEST(Spikes, AreRepairedByWhatTheMotionWas) {
    const test::Clip clip = test::randomClip(3, 80);
    Motion motion = clip.motion;
    const JointId joint = clip.skeleton.find("mixamorig:LeftArm");
    Pose bad = motion.pose(40);
    bad[joint].rotation = bad[joint].rotation * quatAboutAxis(2, 2.5);
    motion.setPose(40, bad);
    const std::vector<Spike> found = findSpikes(clip.skeleton, motion);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].joint, joint);
    EXPECT_NEAR(found[0].amount, 2.5, 0.05);
    const Motion repaired = withoutSpikes(motion, found);
    EXPECT_LT(angleBetween(repaired.pose(40)[joint].rotation, clip.motion.pose(40)[joint].rotation),
              radians(1.0));
    for (std::size_t f = 0; f < 80; ++f) {
        Pose pose = repaired.pose(f);
        if (f == 40) pose[joint] = motion.pose(f)[joint];
        EXPECT_EQ(pose, motion.pose(f)) << "what is no spike keeps its bits, frame " << f;
    }
}

TEST(Spikes, AWrappedQuaternionIsNone) {
    const test::Clip clip = test::randomClip(4, 60);
    Motion motion = clip.motion;
    for (std::size_t f = 20; f < 60; f += 1 + f % 3) {
        Pose pose = motion.pose(f);
        for (Trs& each : pose.parent_from_joint) each.rotation = -each.rotation;
        motion.setPose(f, pose);
    }
    EXPECT_TRUE(findSpikes(clip.skeleton, motion).empty());
}

TEST(Spikes, AStepThatDoesNotReturnIsAJump) {
    const test::Clip clip = test::randomClip(6, 60);
    Motion motion = clip.motion;
    const JointId joint = clip.skeleton.find("mixamorig:Head");
    for (std::size_t f = 30; f < 60; ++f) {
        Pose pose = motion.pose(f);
        pose[joint].rotation = pose[joint].rotation * quatAboutAxis(1, 1.5);
        motion.setPose(f, pose);
    }
    const std::vector<Spike> found = findSpikes(clip.skeleton, motion);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, SpikeKind::Jump);
    EXPECT_EQ(found[0].first, 30u);
    EXPECT_EQ(found[0].joint, joint);
    const Motion same = withoutSpikes(motion, found);
    for (std::size_t f = 0; f < 60; ++f) EXPECT_EQ(same.pose(f), motion.pose(f));
}

TEST(Spikes, ATPoseBeforeTheMotionIsAJumpAndNoSpike) {
    for (const Take& take : takes()) {
        if (take.name != "02_01.bvh") continue;
        const std::vector<Spike> found = findSpikes(take.skeleton, take.motion);
        EXPECT_FALSE(found.empty());
        for (const Spike& each : found) {
            EXPECT_FALSE(isSpike(each));
            EXPECT_EQ(each.first, 1u);
        }
    }
}

TEST(Spikes, ClipsOfNoneOneAndTwoFramesHaveNone) {
    const test::Clip clip = test::randomClip(8, 3);
    for (const std::size_t frames : {0u, 1u, 2u}) {
        const Motion motion(clip.motion.base(), frames, 0.01, clip.motion.tracks());
        EXPECT_TRUE(findSpikes(clip.skeleton, motion).empty());
    }
}

}  // namespace
}  // namespace ulna
