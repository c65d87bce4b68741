// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/reduce.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/paths.h"
#include "support/skeletons.h"
#include "ulna/io/bvh.h"
#include "ulna/motion/dof_clip.h"

namespace ulna {
namespace {

// Where every joint's origin and bone tip is, joint by joint through quaternions and scales: not by
// the forward kinematics that the reduction uses.
std::vector<Vec3> pointsOf(const Skeleton& skeleton, const Pose& pose) {
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i) {
        for (Vec3 at : {Vec3{}, skeleton.tip(jointId(i))}) {
            for (JointId j = jointId(i); j != JointId::None; j = skeleton.parent(j))
                at = pose[j] * at;
            out.push_back(at);
        }
    }
    return out;
}

double distanceAt(const Skeleton& skeleton, const Motion& motion, const KeyedMotion& keyed,
                  double time) {
    const std::vector<Vec3> wanted = pointsOf(skeleton, samplePose(motion, time));
    const std::vector<Vec3> got = pointsOf(skeleton, samplePose(keyed, time));
    double out = 0.0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        out = std::max(out, distance(wanted[i], got[i]));
    return out;
}

// The bound, at frames, at 16 places between them, and at random times.
void expectWithin(const Skeleton& skeleton, const Motion& motion, const ReducedMotion& reduced,
                  double tolerance) {
    const double limit = tolerance * (1.0 + 1e-9);
    EXPECT_LE(reduced.report.worst_error, tolerance);
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        for (int k = 0; k <= 16; ++k) {
            const double time = (static_cast<double>(f) + k / 17.0) * motion.frameTime();
            ASSERT_LE(distanceAt(skeleton, motion, reduced.motion, time), limit) << "at " << time;
        }
    }
    Random random(5);
    for (int i = 0; i < 500; ++i) {
        const double time = random.between(0.0, motion.duration());
        // Between the checked places the distance can be larger by very little.
        ASSERT_LE(distanceAt(skeleton, motion, reduced.motion, time), 1.01 * tolerance);
    }
}

ReducedMotion reduce(const Skeleton& skeleton, const Motion& motion, const ReduceOptions& options) {
    Result<ReducedMotion> out = reduceKeys(skeleton, motion, options);
    EXPECT_TRUE(out.ok());
    if (!out) return {};
    expectWithin(skeleton, motion, *out, options.tolerance);
    return std::move(*out);
}

Skeleton arm() {
    return test::build({test::joint("root", "", JointKind::Free, {0, 1, 0}),
                        test::joint("upper", "root", JointKind::Ball, {0.1, 0.2, 0}),
                        test::joint("lower", "upper", JointKind::Ball, {0.3, 0, 0}),
                        test::joint("hand", "lower", JointKind::Ball, {0.25, 0, 0})});
}

// Sines of a few frequencies in every degree of freedom.
Motion waving(const Skeleton& skeleton, std::size_t frames, double rate, std::uint64_t seed) {
    Random random(seed);
    std::vector<Vec3> waves(skeleton.dofCount());
    for (Vec3& wave : waves)
        wave = {random.between(0.1, 0.5), random.between(1.0, 6.0), random.between(0.0, 6.0)};
    DofClip clip{"waving", 1.0 / rate, {}};
    for (std::size_t f = 0; f < frames; ++f) {
        DofVector dofs(skeleton.dofCount());
        for (std::size_t d = 0; d < dofs.size(); ++d)
            dofs[d] =
                waves[d].x * std::sin(waves[d].y * static_cast<double>(f) / rate + waves[d].z);
        clip.frames.push_back(std::move(dofs));
    }
    return computeMotion(skeleton, clip);
}

Motion still(const Skeleton& skeleton, std::size_t frames) {
    return Motion(restPose(skeleton), frames, 1.0 / 30.0, usualTracks(skeleton));
}

TEST(ReduceKeys, KeepsEveryPointWithinTheTolerance) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Skeleton skeleton = seed == 3U ? test::everyKind() : arm();
        const Motion motion = waving(skeleton, 90, 60.0, seed);
        for (const double tolerance : {0.1, 0.01, 0.001}) {
            for (const Interpolation how : {Interpolation::Linear, Interpolation::CatmullRom}) {
                SCOPED_TRACE(std::to_string(seed) + " " + std::to_string(tolerance) + " " +
                             std::string(interpolationName(how)));
                const ReducedMotion reduced =
                    reduce(skeleton, motion, {.tolerance = tolerance, .interpolation = how});
                EXPECT_LT(reduced.motion.keyCount(), makeKeyed(motion).keyCount());
            }
        }
    }
}

TEST(ReduceKeys, KeepsNoiseThatIsLargerThanTheTolerance) {
    const Skeleton skeleton = arm();
    Motion motion = waving(skeleton, 60, 60.0, 4);
    Random random(9);
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        Pose pose = motion.pose(f);
        for (Trs& at : pose.parent_from_joint)
            at.rotation = at.rotation * quatExp(random.direction() * 0.01);
        motion.setPose(f, pose);
    }
    for (const Interpolation how : {Interpolation::Linear, Interpolation::CatmullRom})
        reduce(skeleton, motion, {.tolerance = 1e-4, .interpolation = how});
}

TEST(ReduceKeys, TakesManyTimesFewerNumbersThanTheBundledClip) {
    const Result<io::BvhFile> file = io::loadBvh(test::sourcePath("assets/ulna-character.bvh"));
    ASSERT_TRUE(file.ok());
    const Result<io::BvhMotion> clip = io::toMotion(*file);
    ASSERT_TRUE(clip.ok());
    const ReducedMotion reduced = reduce(clip->skeleton, clip->motion, {.tolerance = 0.001});
    EXPECT_GT(reduced.report.ratio(), 13.0);
    EXPECT_NEAR(guessFrameRate(reduced.motion), 30.0, 1e-9);
}

TEST(ReduceKeys, HoldsOnCapturedClips) {
    const std::string folder = test::sharedData("bvh/games105");
    for (const char* name : {"idle", "run_forward", "walk_forward"}) {
        SCOPED_TRACE(name);
        const Result<io::BvhFile> file = io::loadBvh(folder + "/" + name + ".bvh");
        ASSERT_TRUE(file.ok());
        const Result<io::BvhMotion> clip = io::toMotion(*file);
        ASSERT_TRUE(clip.ok());
        const ReducedMotion reduced = reduce(clip->skeleton, clip->motion, {.tolerance = 0.001});
        EXPECT_GT(reduced.report.ratio(), std::string(name) == "idle" ? 25.0 : 3.5);
    }
}

TEST(ReduceKeys, CountsWhatIsStored) {
    const Skeleton skeleton = arm();
    const Motion motion = waving(skeleton, 61, 60.0, 6);
    const ReduceReport report = reduce(skeleton, motion, {.tolerance = 0.01}).report;
    EXPECT_EQ(report.frames, 61U);
    // One second at 30 frames a second, ten numbers for each of four joints.
    EXPECT_NEAR(report.plain_floats, 31.0 * 4 * 10, 1e-9);
    EXPECT_EQ(report.plain_floats_without_end_sites, report.plain_floats);
    EXPECT_GE(report.floats, 4 * report.keys);
    EXPECT_LE(report.floats, 5 * report.keys);
    EXPECT_EQ(report.ratio(), report.plain_floats / static_cast<double>(report.floats));
    EXPECT_NE(report.worst_joint, JointId::None);
    EXPECT_GT(report.worst_error, 0.0);
}

TEST(ReduceKeys, PutsKeysOnFramesAsFloats) {
    const Skeleton skeleton = arm();
    const Motion motion = waving(skeleton, 90, 60.0, 7);
    const ReducedMotion reduced = reduce(skeleton, motion, {.tolerance = 0.002});
    EXPECT_TRUE(reduced.report.rounded);
    for (const double time : keyTimes(reduced.motion)) {
        EXPECT_EQ(time, static_cast<double>(static_cast<float>(time)));
        EXPECT_NEAR(time * 60.0, std::round(time * 60.0), 1e-4);
    }
    for (const JointTracks& tracks : reduced.motion.joints)
        for (const auto& key : std::get<Track<Quat>>(tracks.rotation).keys())
            EXPECT_EQ(key.value.w, static_cast<double>(static_cast<float>(key.value.w)));
}

TEST(ReduceKeys, SmoothTracksTakeFewerKeysForSmoothMotion) {
    const Skeleton skeleton = arm();
    const Motion motion = waving(skeleton, 240, 120.0, 8);
    const ReduceOptions smooth{.tolerance = 0.001, .interpolation = Interpolation::CatmullRom};
    EXPECT_LT(2 * reduce(skeleton, motion, smooth).report.floats,
              reduce(skeleton, motion, {.tolerance = 0.001}).report.floats * 3 / 2);
}

TEST(ReduceKeys, GivesTheSameForAnyNumberOfThreads) {
    const Skeleton skeleton = arm();
    const Motion motion = waving(skeleton, 700, 60.0, 10);
    const auto with = [&](unsigned threads) {
        return reduceKeys(skeleton, motion, {.tolerance = 0.005, .threads = threads})->motion;
    };
    const KeyedMotion one = with(1);
    const KeyedMotion four = with(4);
    ASSERT_EQ(one.joints.size(), four.joints.size());
    for (std::size_t i = 0; i < one.joints.size(); ++i) {
        EXPECT_EQ(one.joints[i].translation, four.joints[i].translation);
        EXPECT_EQ(std::get<Track<Quat>>(one.joints[i].rotation),
                  std::get<Track<Quat>>(four.joints[i].rotation));
    }
}

TEST(ReduceKeys, TheWorkGrowsWithTheLengthOfTheClipAndNoFaster) {
    // The same motion over and over, so that a longer clip is no harder; counted, not timed. From
    // two windows on, every window has a seam.
    const Skeleton skeleton = arm();
    const auto work = [&](std::size_t frames) {
        return static_cast<double>(
            reduceKeys(skeleton, waving(skeleton, frames, 60.0, 20), {.tolerance = 0.005})
                ->report.poses_computed);
    };
    const double short_clip = work(900);
    EXPECT_GT(short_clip, 900.0);
    EXPECT_LT(work(3600), 5.0 * short_clip);
}

TEST(ReduceKeys, ALongClipTakesAsManyKeysPerFrameAsAShortOne) {
    const Skeleton skeleton = arm();
    const auto keysPerFrame = [&](std::size_t frames) {
        const ReducedMotion reduced =
            reduce(skeleton, waving(skeleton, frames, 60.0, 21), {.tolerance = 0.005});
        return static_cast<double>(reduced.motion.keyCount()) / static_cast<double>(frames);
    };
    EXPECT_LT(keysPerFrame(2000), 1.1 * keysPerFrame(400));
}

TEST(ReduceKeys, LongClipsAreReducedWindowByWindow) {
    const Skeleton skeleton = arm();
    reduce(skeleton, waving(skeleton, 1300, 60.0, 11), {.tolerance = 0.005});
}

TEST(ReduceKeys, ManyLimbsNeedAsManyKeysEachAsFew) {
    // Limbs of three joints that wave by themselves.
    const auto limbs = [](int count) {
        std::vector<JointDef> joints = {test::joint("root", "", JointKind::Fixed, {})};
        for (int limb = 0; limb < count; ++limb) {
            std::string parent = "root";
            for (int i = 0; i < 3; ++i) {
                const std::string name = std::to_string(limb) + "-" + std::to_string(i);
                joints.push_back(test::joint(name, parent, JointKind::Ball, {0.3, 0, 0}));
                parent = name;
            }
        }
        return test::build(joints);
    };
    const auto keysPerLimb = [&](int count) {
        const Skeleton skeleton = limbs(count);
        const ReducedMotion reduced =
            reduce(skeleton, waving(skeleton, 40, 30.0, 5), {.tolerance = 0.01});
        return static_cast<double>(reduced.motion.keyCount()) / count;
    };
    EXPECT_LT(keysPerLimb(24), 1.25 * keysPerLimb(4));
}

// ---- degenerate clips

TEST(ReduceKeys, AClipWithoutFramesHasNoKeys) {
    const Skeleton skeleton = arm();
    const ReducedMotion reduced = *reduceKeys(skeleton, still(skeleton, 0));
    EXPECT_EQ(reduced.motion.keyCount(), 0U);
    EXPECT_EQ(reduced.motion.base, restPose(skeleton));
    EXPECT_EQ(reduced.report.ratio(), 0.0);
}

TEST(ReduceKeys, AClipOfOneFrameHasAKeyWhereItDiffersFromTheBase) {
    const Skeleton skeleton = arm();
    Motion motion = still(skeleton, 1);
    Pose pose = restPose(skeleton);
    pose[jointId(1)].rotation = quatAboutAxis(2, 0.5);
    motion.setPose(0, pose);
    const ReducedMotion reduced = reduce(skeleton, motion, {});
    EXPECT_EQ(reduced.motion.keyCount(), 1U);
    EXPECT_LT(distanceAt(skeleton, motion, reduced.motion, 0.0), 1e-6);
}

TEST(ReduceKeys, AClipThatNeverMovesKeepsItsLength) {
    const Skeleton skeleton = arm();
    const ReducedMotion reduced = reduce(skeleton, still(skeleton, 31), {});
    EXPECT_EQ(reduced.motion.keyCount(), 2U);
    EXPECT_NEAR(reduced.motion.endTime(), 1.0, 1e-6);
}

TEST(ReduceKeys, AHugeToleranceLeavesAKeyPerTrackAtMost) {
    const Skeleton skeleton = arm();
    const Motion motion = waving(skeleton, 60, 30.0, 12);
    const ReducedMotion reduced = reduce(skeleton, motion, {.tolerance = 1e3});
    EXPECT_LE(reduced.motion.keyCount(), 6U);
    EXPECT_NEAR(reduced.motion.endTime(), motion.duration(), 1e-6);
}

TEST(ReduceKeys, ATinyToleranceGivesAKeyAtEveryFrame) {
    const Skeleton skeleton = arm();
    const Motion motion = waving(skeleton, 40, 30.0, 13);
    const ReducedMotion reduced = reduce(skeleton, motion, {.tolerance = 1e-11});
    EXPECT_FALSE(reduced.report.rounded);
    EXPECT_GE(reduced.motion.keyCount(), 5U * 38U);
}

TEST(ReduceKeys, AToleranceBelowRoundingIsAnError) {
    const Skeleton skeleton = arm();
    EXPECT_FALSE(reduceKeys(skeleton, waving(skeleton, 40, 30.0, 13), {.tolerance = 1e-30}).ok());
}

TEST(ReduceKeys, OptionsThatMakeNoSenseAreErrors) {
    const Skeleton skeleton = arm();
    const Motion motion = still(skeleton, 3);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(reduceKeys(skeleton, motion, {.tolerance = 0.0}).ok());
    EXPECT_FALSE(reduceKeys(skeleton, motion, {.tolerance = -1.0}).ok());
    EXPECT_FALSE(reduceKeys(skeleton, motion, {.tolerance = nan}).ok());
    EXPECT_FALSE(reduceKeys(skeleton, motion, {.interpolation = Interpolation::Step}).ok());
    EXPECT_FALSE(reduceKeys(skeleton, motion, {.beside = -1.0}).ok());
}

TEST(ReduceKeys, NumbersThatAreNotFiniteAreAnError) {
    const Skeleton skeleton = arm();
    Motion motion = still(skeleton, 3);
    Pose pose = restPose(skeleton);
    pose[jointId(0)].translation.x = std::numeric_limits<double>::infinity();
    motion.setPose(1, pose);
    const Result<ReducedMotion> reduced = reduceKeys(skeleton, motion);
    ASSERT_FALSE(reduced.ok());
    EXPECT_EQ(reduced.error().what, "joint 'root' is not finite in frame 1");
}

TEST(ReduceKeys, CanBeCancelledAtAnyTime) {
    const Skeleton skeleton = arm();
    const Motion motion = waving(skeleton, 60, 30.0, 14);
    for (int calls = 1; calls < 4; ++calls) {
        int left = calls;
        double last = 0.0;
        const Result<ReducedMotion> reduced =
            reduceKeys(skeleton, motion, {}, [&](double fraction) {
                EXPECT_GE(fraction, last);
                last = fraction;
                return --left > 0;
            });
        ASSERT_FALSE(reduced.ok()) << calls;
        EXPECT_EQ(reduced.error().what, "the reduction was cancelled");
    }
}

TEST(ReduceKeys, ProgressNeverGoesBack) {
    const Skeleton skeleton = arm();
    Motion motion = still(skeleton, 12);
    for (std::size_t f = 0; f < 12; ++f) {
        Pose pose = restPose(skeleton);
        pose[jointId(1)].rotation = f % 2 == 0 ? Quat{} : Quat{0, 0, 1, 0};
        motion.setPose(f, pose);
    }
    double last = 0.0;
    const ReduceOptions smooth{.interpolation = Interpolation::CatmullRom};
    EXPECT_TRUE(reduceKeys(skeleton, motion, smooth, [&](double fraction) {
                    EXPECT_GE(fraction, last);
                    last = fraction;
                    return true;
                }).ok());
    EXPECT_EQ(last, 1.0);
}

TEST(ReduceKeys, AJumpBetweenFramesStaysAJump) {
    const Skeleton skeleton = arm();
    Motion motion = waving(skeleton, 60, 30.0, 15);
    for (std::size_t f = 30; f < 60; ++f) {
        Pose pose = motion.pose(f);
        pose[jointId(0)].translation.x += 10.0;
        motion.setPose(f, pose);
    }
    for (const Interpolation how : {Interpolation::Linear, Interpolation::CatmullRom})
        reduce(skeleton, motion, {.tolerance = 0.001, .interpolation = how});
}

TEST(ReduceKeys, TheSignsOfQuaternionsDoNotMatter) {
    const Skeleton skeleton = arm();
    Motion motion = waving(skeleton, 60, 30.0, 16);
    for (std::size_t f = 0; f < 60; f += 2) {
        Pose pose = motion.pose(f);
        for (Trs& at : pose.parent_from_joint) at.rotation = -at.rotation;
        motion.setPose(f, pose);
    }
    const ReducedMotion reduced = reduce(skeleton, motion, {.tolerance = 0.005});
    EXPECT_LT(reduced.motion.keyCount(), 5U * 40U);
}

TEST(ReduceKeys, HalfTurnsBetweenFramesGoTheSameWayRound) {
    const Skeleton skeleton = arm();
    Motion motion = still(skeleton, 12);
    for (std::size_t f = 0; f < 12; ++f) {
        Pose pose = restPose(skeleton);
        pose[jointId(1)].rotation = f % 2 == 0 ? Quat{} : Quat{0, 0, 1, 0};
        pose[jointId(2)].rotation = quatAboutAxis(1, 3.0 * static_cast<double>(f));
        motion.setPose(f, pose);
    }
    for (const Interpolation how : {Interpolation::Linear, Interpolation::CatmullRom})
        reduce(skeleton, motion, {.tolerance = 0.001, .interpolation = how});
}

TEST(ReduceKeys, ANearlyHalfTurnInOnePlaceLeavesFewKeysElsewhere) {
    // A thumb that flips about its bone for a frame, as captured ones do.
    const Skeleton skeleton = arm();
    Motion motion = waving(skeleton, 200, 60.0, 22);
    const std::size_t smooth = reduce(skeleton, motion, {.tolerance = 0.005}).report.keys;
    for (const std::size_t f : {60U, 61U, 130U}) {
        Pose pose = motion.pose(f);
        pose[jointId(3)].rotation = pose[jointId(3)].rotation * quatAboutAxis(0, kPi - 0.01);
        motion.setPose(f, pose);
    }
    const ReducedMotion reduced = reduce(skeleton, motion, {.tolerance = 0.005});
    EXPECT_LT(reduced.report.keys, smooth + 60);
}

TEST(ReduceKeys, ASingleJointWithoutABoneKeepsItsTurns) {
    const Skeleton skeleton = test::build({test::joint("only", "", JointKind::Free, {})});
    const Motion motion = waving(skeleton, 60, 30.0, 17);
    const ReducedMotion reduced = reduce(skeleton, motion, {.tolerance = 0.001});
    for (std::size_t f = 0; f < 60; ++f) {
        const double time = motion.timeOf(f);
        EXPECT_LT(angleBetween(samplePose(motion, time)[jointId(0)].rotation,
                               samplePose(reduced.motion, time)[jointId(0)].rotation),
                  0.03);
    }
}

TEST(ReduceKeys, TwistsThatMoveNoJointAreKept) {
    const Skeleton skeleton = arm();
    Motion motion = still(skeleton, 60);
    const JointId hand = skeleton.find("hand");
    for (std::size_t f = 0; f < 60; ++f) {
        Pose pose = restPose(skeleton);
        pose[hand].rotation = quatAboutAxis(0, std::sin(0.1 * static_cast<double>(f)));
        motion.setPose(f, pose);
    }
    const ReducedMotion reduced = reduce(skeleton, motion, {.tolerance = 0.001});
    for (std::size_t f = 0; f < 60; ++f) {
        const double time = motion.timeOf(f);
        EXPECT_LT(angleBetween(samplePose(motion, time)[hand].rotation,
                               samplePose(reduced.motion, time)[hand].rotation),
                  0.1);
    }
}

TEST(ReduceKeys, BonesWithoutLengthDoNoHarm) {
    const Skeleton skeleton = test::build({test::joint("root", "", JointKind::Free, {}),
                                           test::joint("a", "root", JointKind::Ball, {}),
                                           test::joint("b", "a", JointKind::Ball, {0, 0.5, 0}),
                                           test::joint("c", "b", JointKind::Ball, {})});
    reduce(skeleton, waving(skeleton, 60, 30.0, 18), {.tolerance = 0.002});
}

TEST(ReduceKeys, ScaledAndTranslatedJointsAreFollowed) {
    const Skeleton skeleton = arm();
    MotionTracks tracks = usualTracks(skeleton);
    tracks.translated.push_back(jointId(2));
    tracks.scaled = {jointId(1), jointId(3)};
    const Motion waves = waving(skeleton, 60, 30.0, 19);
    Motion motion(restPose(skeleton), 60, 1.0 / 30.0, tracks);
    for (std::size_t f = 0; f < 60; ++f) {
        Pose pose = waves.pose(f);
        const double t = static_cast<double>(f) / 30.0;
        pose[jointId(1)].scale = {1.0 + 0.2 * std::sin(3 * t), 1.0, 1.0 + 0.1 * std::cos(t)};
        pose[jointId(3)].scale = {2.0, 2.0, 2.0};
        pose[jointId(2)].translation += Vec3{0.0, 0.1 * std::sin(2 * t), 0.0};
        motion.setPose(f, pose);
    }
    for (const Interpolation how : {Interpolation::Linear, Interpolation::CatmullRom})
        reduce(skeleton, motion, {.tolerance = 0.002, .interpolation = how});
}

}  // namespace
}  // namespace ulna
