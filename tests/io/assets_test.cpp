// SPDX-License-Identifier: Apache-2.0

// The bundled character: what it promises, and that the generator still makes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/command.h"
#include "support/paths.h"
#include "ulna/io/bvh.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

const std::string kAssets = test::sourcePath("assets/");

RigFile character() {
    Result<RigFile> rig = loadRig(kAssets + "ulna-character.rig.json");
    EXPECT_TRUE(rig.ok());
    return rig ? *std::move(rig) : RigFile{};
}

struct ClipFile {
    const char* clip;
    const char* bvh;
};
constexpr ClipFile kClips[] = {{"walk", "ulna-character.bvh"},
                               {"run", "ulna-run.bvh"},
                               {"idle", "ulna-idle.bvh"},
                               {"wave", "ulna-wave.bvh"}};

// Every frame of a clip, by forward kinematics.
std::vector<ModelPose> framesOf(const RigFile& rig, const std::string& name) {
    std::vector<ModelPose> out;
    for (const DofClip& clip : rig.clips) {
        if (clip.name != name) continue;
        for (const DofVector& frame : clip.frames)
            out.push_back(computeModelPose(rig.skeleton, computePose(rig.skeleton, frame)));
    }
    EXPECT_GT(out.size(), 1U) << name;
    return out;
}

// The lowest point of a foot: its heel, its ball or the tip of its toes.
double lowestOfFoot(const Skeleton& s, const ModelPose& model, const std::string& side) {
    const Vec3 heel = model[s.find(side + "Foot")] * Vec3{0, -0.085, -0.055};
    // The ball and the toes are drawn above the ground by their thickness.
    return std::min({heel.y, model.position(s.find(side + "ToeBase")).y - 0.02,
                     model.position(s.find(side + "ToeBase_end")).y - 0.015});
}

// Every joint moved alike.
void expectMoved(const Skeleton& s, const ModelPose& from, const ModelPose& to, const Vec3& by) {
    for (std::size_t j = 0; j < s.jointCount(); ++j) {
        EXPECT_LT(distance(to.position(jointId(j)) - from.position(jointId(j)), by), 1e-4)
            << s.names()[j];
    }
}

TEST(Character, IsWhatTheGeneratorMakes) {
    const test::CommandResult made = test::shell(test::characterMakerPath() + " .");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    std::vector<std::string> names = {"ulna-character.rig.json", "ulna-character.glb"};
    for (const ClipFile& file : kClips) names.push_back(file.bvh);
    for (const std::string& name : names) {
        EXPECT_TRUE(test::readText(test::scratchFolder() + "/" + name) ==
                    test::readText(kAssets + name))
            << name;
    }
}

TEST(Character, HasOverSixtyJointsFingersLimitsAndClipsInsideThem) {
    const RigFile rig = character();
    std::size_t joints = 0;
    for (const JointDef& joint : rig.skeleton.definitions()) joints += joint.end_site ? 0 : 1;
    EXPECT_GT(joints, 60U);
    EXPECT_NE(rig.skeleton.find("LeftHandPinky3"), JointId::None);
    ASSERT_EQ(rig.clips.size(), std::size(kClips));
    for (std::size_t i = 0; i < rig.clips.size(); ++i) {
        EXPECT_EQ(rig.clips[i].name, kClips[i].clip);
        for (const DofVector& frame : rig.clips[i].frames)
            EXPECT_LE(limitExcess(rig.skeleton, frame), 1e-12) << kClips[i].clip;
    }
}

TEST(Character, IsSymmetric) {
    const RigFile rig = character();
    const ModelPose rest = computeModelPose(rig.skeleton, restPose(rig.skeleton));
    for (const std::string& name : rig.skeleton.names()) {
        if (name.rfind("Left", 0) != 0) continue;
        const JointId right = rig.skeleton.find("Right" + name.substr(4));
        ASSERT_NE(right, JointId::None) << name;
        const Vec3 l = rest.position(rig.skeleton.find(name));
        EXPECT_LT(distance(rest.position(right), Vec3{-l.x, l.y, l.z}), 1e-12) << name;
    }
}

TEST(Character, WalksWithoutSlidingItsFeetAndLoops) {
    const RigFile rig = character();
    const Skeleton& s = rig.skeleton;
    const std::vector<ModelPose> models = framesOf(rig, "walk");
    const std::size_t cycle = models.size() - 1;
    for (const char* side : {"Left", "Right"}) {
        const JointId toe = s.find(std::string(side) + "ToeBase");
        double lowest = 1.0;
        std::size_t planted = 0;
        for (std::size_t f = 0; f < cycle; ++f) {
            const Vec3 a = models[f].position(toe);
            const Vec3 b = models[f + 1].position(toe);
            lowest = std::min(lowest, a.y);
            // On the ground in both frames: it may not move along it.
            if (a.y < 0.0205 && b.y < 0.0205) {
                ++planted;
                EXPECT_LT(std::abs(a.z - b.z), 2e-3) << side << " frame " << f;
            }
        }
        EXPECT_GT(planted, cycle / 4);
        EXPECT_GT(lowest, 0.015);
    }
    // The last frame is the first, one stride on.
    const double stride = models[cycle].position(jointId(0)).z - models[0].position(jointId(0)).z;
    EXPECT_GT(stride, 1.0);
    expectMoved(s, models[0], models[cycle], {0, 0, stride});
}

TEST(Character, RunsThreeMetresASecondWithBothFeetInTheAirTwiceACycle) {
    const RigFile rig = character();
    const std::vector<ModelPose> frames = framesOf(rig, "run");
    const double stride = frames.back().position(jointId(0)).z - frames[0].position(jointId(0)).z;
    EXPECT_NEAR(stride / (static_cast<double>(frames.size() - 1) / 30.0), 3.0, 0.1);
    expectMoved(rig.skeleton, frames.front(), frames.back(), {0, 0, stride});
    int flights = 0;
    bool flying = false;
    for (const ModelPose& frame : frames) {
        const bool now = lowestOfFoot(rig.skeleton, frame, "Left") > 0.01 &&
                         lowestOfFoot(rig.skeleton, frame, "Right") > 0.01;
        flights += now && !flying ? 1 : 0;
        flying = now;
    }
    EXPECT_EQ(flights, 2);
}

TEST(Character, RunsWithoutSlidingItsFeet) {
    const RigFile rig = character();
    const std::vector<ModelPose> frames = framesOf(rig, "run");
    for (const char* side : {"Left", "Right"}) {
        const JointId ball = rig.skeleton.find(std::string(side) + "ToeBase");
        std::vector<Vec3> planted;
        for (const ModelPose& frame : frames) {
            if (frame.position(ball).y < 0.0205) planted.push_back(frame.position(ball));
        }
        ASSERT_GE(planted.size(), 5U) << side;
        for (const Vec3& place : planted) EXPECT_LT(distance(place, planted[0]), 1e-3) << side;
    }
}

TEST(Character, StaysAboveTheGround) {
    const RigFile rig = character();
    for (const char* clip : {"run", "idle", "wave"}) {
        double lowest = 1.0;
        for (const ModelPose& frame : framesOf(rig, clip)) {
            for (const char* side : {"Left", "Right"})
                lowest = std::min(lowest, lowestOfFoot(rig.skeleton, frame, side));
        }
        EXPECT_NEAR(lowest, 0.0, 1e-3) << clip;
    }
}

TEST(Character, StandsOnPinnedFeet) {
    const RigFile rig = character();
    for (const char* clip : {"idle", "wave"}) {
        const std::vector<ModelPose> frames = framesOf(rig, clip);
        for (const char* name : {"LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase"}) {
            const JointId joint = rig.skeleton.find(name);
            const Quat first = rotationOf(frames[0][joint]);
            for (const ModelPose& frame : frames) {
                EXPECT_LT(distance(frame.position(joint), frames[0].position(joint)), 1e-4);
                EXPECT_LT(angleBetween(rotationOf(frame[joint]), first), 1e-4);
            }
        }
    }
}

TEST(Character, IdlesInALoopThatBreathesAndShiftsItsWeight) {
    const RigFile rig = character();
    const Skeleton& s = rig.skeleton;
    const std::vector<ModelPose> frames = framesOf(rig, "idle");
    expectMoved(s, frames.front(), frames.back(), {});
    // Across the seam it goes on at the speed it came with.
    const std::size_t last = frames.size() - 1;
    for (const char* name : {"Hips", "Spine2", "Head", "LeftHand", "RightHand"}) {
        const JointId j = s.find(name);
        const Vec3 before = frames[last].position(j) - frames[last - 1].position(j);
        const Vec3 after = frames[1].position(j) - frames[0].position(j);
        EXPECT_LT(distance(before, after), 5e-4) << name;
    }
    double left = 0.0, right = 0.0, lowest = 2.0, highest = 0.0;
    for (const ModelPose& frame : frames) {
        left = std::max(left, frame.position(s.find("Hips")).x);
        right = std::min(right, frame.position(s.find("Hips")).x);
        const double shoulder =
            frame.position(s.find("LeftArm")).y - frame.position(s.find("Spine2")).y;
        lowest = std::min(lowest, shoulder);
        highest = std::max(highest, shoulder);
    }
    EXPECT_GT(left, 0.015);
    EXPECT_LT(right, -0.015);
    EXPECT_GT(highest - lowest, 0.003);
}

TEST(Character, WavesTwiceAndEndsAsTheIdleBegins) {
    const RigFile rig = character();
    const Skeleton& s = rig.skeleton;
    const std::vector<ModelPose> frames = framesOf(rig, "wave");
    expectMoved(s, framesOf(rig, "idle")[0], frames.front(), {});
    expectMoved(s, frames.front(), frames.back(), {});
    // Where the hand turns round while it is above the shoulder: it rises outside, comes in, goes
    // out and comes in again.
    const auto outward = [&](const ModelPose& frame) {
        return frame.position(s.find("RightForeArm")).x - frame.position(s.find("RightHand")).x;
    };
    std::vector<double> turns;
    for (std::size_t f = 1; f + 1 < frames.size(); ++f) {
        if (frames[f].position(s.find("RightHand")).y < frames[f].position(s.find("RightArm")).y)
            continue;
        const double here = outward(frames[f]);
        if ((here - outward(frames[f - 1])) * (outward(frames[f + 1]) - here) < 0.0)
            turns.push_back(here);
    }
    ASSERT_EQ(turns.size(), 3U);
    for (std::size_t i = 0; i + 1 < turns.size(); ++i)
        EXPECT_GT(std::abs(turns[i] - turns[i + 1]), 0.1);
}

TEST(Character, BvhAndRigAreTheSameMotion) {
    const RigFile rig = character();
    for (const ClipFile& clip : kClips) {
        const std::vector<ModelPose> frames = framesOf(rig, clip.clip);
        const Result<BvhFile> file = loadBvh(kAssets + clip.bvh);
        ASSERT_TRUE(file.ok());
        EXPECT_TRUE(file->warnings.empty());
        const Result<BvhMotion> bvh = toMotion(*file);
        ASSERT_TRUE(bvh.ok());
        EXPECT_TRUE(bvh->warnings.empty());
        ASSERT_EQ(bvh->motion.frameCount(), frames.size()) << clip.clip;
        for (std::size_t f = 0; f < frames.size(); ++f) {
            const ModelPose model = computeModelPose(bvh->skeleton, bvh->motion.pose(f));
            for (const std::string& name : rig.skeleton.names()) {
                EXPECT_LT(distance(frames[f].position(rig.skeleton.find(name)),
                                   model.position(bvh->skeleton.find(name))),
                          1e-5)
                    << clip.clip << " " << name;
            }
        }
    }
}

}  // namespace
}  // namespace ulna::io
