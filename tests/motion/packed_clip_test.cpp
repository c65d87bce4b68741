// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/packed_clip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support/allocations.h"
#include "support/anatomy.h"
#include "support/skeletons.h"
#include "ulna/math/random.h"
#include "ulna/motion/pack.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// A person of 1.7 m that moves smoothly in all joints; `wild` turns some joints all around.
struct Moving {
    Skeleton skeleton = test::makeHumanoid(test::mixamo());
    Motion motion;

    explicit Moving(std::size_t frames, double wild = 0.0, std::uint64_t seed = 1,
                    bool stretched = false) {
        Random random(seed);
        MotionTracks tracks;
        for (const JointId j : skeleton.joints()) tracks.rotated.push_back(j);
        tracks.translated.push_back(jointId(0));
        if (stretched) {
            tracks.translated.push_back(jointId(5));
            tracks.scaled = {jointId(3), jointId(7)};
        }
        motion = Motion(restPose(skeleton), frames, 1.0 / 30.0, tracks);
        motion.name = "moving";
        std::vector<Vec3> axes, more;
        std::vector<double> speeds;
        for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
            axes.push_back(random.direction() * random.between(0.0, 0.6));
            more.push_back(random.direction() * (wild * random.unit()));
            speeds.push_back(random.between(0.5, 4.0));
        }
        Pose pose = restPose(skeleton);
        for (std::size_t f = 0; f < frames; ++f) {
            const double t = static_cast<double>(f) / 30.0;
            for (const JointId j : skeleton.joints()) {
                const std::size_t i = index(j);
                pose[j].rotation = skeleton.rest(j).rotation *
                                   quatExp(axes[i] * std::sin(speeds[i] * t) + more[i] * t);
            }
            pose[jointId(0)].translation = {0.3 * std::sin(t), 1.0, 1.2 * t};
            if (stretched) {
                pose[jointId(5)].translation =
                    skeleton.rest(jointId(5)).translation * (1.2 + 0.1 * std::sin(3.0 * t));
                pose[jointId(3)].scale = {1.0, 1.0 + 0.2 * std::sin(t), 1.0};
                pose[jointId(7)].scale = {1.1, 1.1, 1.1 + 0.05 * std::sin(5.0 * t)};
            }
            motion.setPose(f, pose);
        }
    }
};

Result<PackedMotion> pack(const Moving& m, double tolerance = 1e-4, unsigned threads = 1) {
    return packClip(m.skeleton, m.motion, {.tolerance = tolerance, .threads = threads});
}

// How far points 3 cm around joints are from the motion at a time, by the plain loop of forward
// kinematics.
double errorAt(const Moving& m, const PackedClip& clip, double time) {
    FloatPose sampled(m.skeleton.jointCount());
    samplePose(clip, time, sampled);
    const Pose packed = toPose(sampled), exact = samplePose(m.motion, time);
    std::vector<Affine> a(m.skeleton.jointCount()), b = a;
    composeModelTransforms<double>(m.skeleton, exact.parent_from_joint, a);
    composeModelTransforms<double>(m.skeleton, packed.parent_from_joint, b);
    double out = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j)
        for (const Vec3& p : {Vec3{0.03, 0, 0}, Vec3{0, 0.03, 0}, Vec3{0, 0, 0.03}})
            out = std::max(out, length(a[j] * p - b[j] * p));
    return out;
}

double worstError(const Moving& m, const PackedClip& clip) {
    double out = 0.0;
    for (std::size_t f = 0; f < m.motion.frameCount(); ++f)
        for (int k = 0; k < 16; ++k)
            out = std::max(out, errorAt(m, clip, (static_cast<double>(f) + k / 16.0) / 30.0));
    return out;
}

TEST(PackedClip, StaysWithinItsToleranceEverywhere) {
    for (const std::size_t frames : {1U, 2U, 3U, 16U, 17U, 18U, 34U, 90U}) {
        const Moving m(frames);
        const Result<PackedMotion> packed = pack(m);
        ASSERT_TRUE(packed.ok()) << describe(packed.error());
        EXPECT_LE(worstError(m, packed->clip), 1e-4) << frames << " frames";
        EXPECT_LE(packed->report.worst_error, 1e-4);
        if (frames > 1) {
            EXPECT_GT(packed->report.worst_error, 0.8e-4) << "too fine a grid";
        }
        EXPECT_EQ(packed->clip.frameCount(), frames);
        EXPECT_EQ(packed->report.bytes, packed->clip.bytes().size());
    }
}

TEST(PackedClip, KeepsJointsThatTurnAllAroundAndThoseThatStretch) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Moving wild(60, 9.0, seed);
        const Result<PackedMotion> packed = pack(wild);
        ASSERT_TRUE(packed.ok()) << describe(packed.error());
        EXPECT_LE(worstError(wild, packed->clip), 1e-4) << "seed " << seed;
        const Moving stretched(40, 0.0, seed, true);
        const Result<PackedMotion> other = pack(stretched);
        ASSERT_TRUE(other.ok()) << describe(other.error());
        EXPECT_LE(worstError(stretched, other->clip), 1e-4) << "seed " << seed;
    }
}

TEST(PackedClip, KeepsAnyToleranceThatFloatsCan) {
    const Moving m(40);
    std::size_t before = std::numeric_limits<std::size_t>::max();
    for (const double tolerance : {1e-5, 1e-4, 1e-3, 1e-2, 0.1, 10.0}) {
        const Result<PackedMotion> packed = pack(m, tolerance);
        ASSERT_TRUE(packed.ok()) << describe(packed.error());
        EXPECT_LE(worstError(m, packed->clip), tolerance);
        EXPECT_LE(packed->report.bytes, before) << tolerance;
        before = packed->report.bytes;
    }
    const Result<PackedMotion> none = pack(m, 1e-9);
    ASSERT_FALSE(none.ok());
    EXPECT_NE(describe(none.error()).find("so small a distance"), std::string::npos);
}

TEST(PackedClip, IsSmall) {
    // Smooth motion of every joint at 30 frames a second, at a tenth of a millimetre.
    const Moving m(300);
    const Result<PackedMotion> packed = pack(m);
    ASSERT_TRUE(packed.ok());
    EXPECT_GT(packed->report.ratio(), 12.0);
    // What does not move takes nothing for each frame.
    const Moving still(2);
    Motion long_still(still.motion.base(), 10000, 1.0 / 30.0, {{jointId(4)}, {}, {}});
    const Result<PackedMotion> nothing = packClip(still.skeleton, long_still);
    ASSERT_TRUE(nothing.ok());
    EXPECT_LT(nothing->report.bytes, 10000U);
}

TEST(PackedClip, IsPlayedAsItIsSampledToTheBit) {
    const Moving m(70, 5.0);
    const Result<PackedMotion> packed = pack(m);
    ASSERT_TRUE(packed.ok());
    PackedPlayer player(packed->clip);
    FloatPose played(m.skeleton.jointCount()), sampled = played, some = played;
    Random random(4);
    std::vector<double> times = {0.0,
                                 -1.0,
                                 100.0,
                                 std::numeric_limits<double>::quiet_NaN(),
                                 packed->clip.duration(),
                                 16.0 / 30.0,
                                 17.0 / 30.0};
    for (int i = 0; i < 300; ++i) times.push_back(random.between(-0.1, 2.5));
    for (int i = 0; i < 300; ++i) times.push_back(i / 120.0);
    const JointId joints[] = {jointId(3), jointId(9), jointId(20)};
    for (const double time : times) {
        player.sample(time, played);
        samplePose(packed->clip, time, sampled);
        ASSERT_TRUE(played == sampled) << time;
        sampleJoints(packed->clip, time, joints, some);
        for (const JointId j : joints) {
            ASSERT_EQ(some.rotation(j).w, sampled.rotation(j).w);
            ASSERT_EQ(some.rotation(j).x, sampled.rotation(j).x);
            ASSERT_EQ(some.translation(j).y, sampled.translation(j).y);
        }
        ASSERT_EQ(some.rotation(jointId(4)).x, 0.0f) << "another joint was written";
    }
    // Times outside are clamped, and NaN is the start.
    samplePose(packed->clip, 1e9, played);
    samplePose(packed->clip, packed->clip.duration(), sampled);
    EXPECT_TRUE(played == sampled);
    samplePose(packed->clip, std::numeric_limits<double>::quiet_NaN(), played);
    samplePose(packed->clip, 0.0, sampled);
    EXPECT_TRUE(played == sampled);
}

TEST(PackedClip, AllocatesNothingWhenItIsSampled) {
    const Moving m(70);
    const Result<PackedMotion> packed = pack(m);
    PackedPlayer player(packed->clip);
    FloatPose pose(m.skeleton.jointCount());
    const long before = test::allocationCount();
    for (int i = 0; i < 200; ++i) {
        player.sample(i / 60.0, pose);
        samplePose(packed->clip, i / 45.0, pose);
    }
    EXPECT_EQ(test::allocationCount(), before);
}

TEST(PackedClip, HasTheSameBytesForAnyNumberOfThreads) {
    const Moving m(130);
    const Result<PackedMotion> one = pack(m, 1e-4, 1), two = pack(m, 1e-4, 2);
    EXPECT_EQ(one->clip.bytes(), two->clip.bytes());
}

TEST(PackedClip, IsReadWhereItLiesAndForItsOwnSkeletonAlone) {
    const Moving m(50);
    const Result<PackedMotion> packed = pack(m);
    auto owner = std::make_shared<const std::string>(packed->clip.bytes());
    const Result<PackedClip> read = PackedClip::read(*owner, m.skeleton, owner);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->bytes().data(), owner->data());
    EXPECT_EQ(read->name(), "moving");
    EXPECT_EQ(read->tolerance(), 1e-4);
    EXPECT_EQ(read->reach(), 0.03);
    EXPECT_NEAR(read->duration(), m.motion.duration(), 1e-12);
    FloatPose a(m.skeleton.jointCount()), b = a;
    samplePose(*read, 0.7, a);
    samplePose(packed->clip, 0.7, b);
    EXPECT_TRUE(a == b);
    const Result<PackedClip> other =
        PackedClip::read(*owner, test::makeHumanoid(test::nameFamilies()[1]));
    ASSERT_FALSE(other.ok());
    EXPECT_NE(describe(other.error()).find("another skeleton"), std::string::npos);
}

TEST(PackedClip, IsUnpackedToTheFramesThatItHas) {
    const Moving m(40, 6.0, 3, true);
    const Result<PackedMotion> packed = pack(m);
    const Motion back = unpacked(packed->clip);
    ASSERT_EQ(back.frameCount(), 40U);
    EXPECT_EQ(back.name, "moving");
    EXPECT_EQ(back.frameTime(), m.motion.frameTime());
    FloatPose pose(m.skeleton.jointCount());
    for (std::size_t f = 0; f < 40; ++f) {
        samplePose(packed->clip, back.timeOf(f), pose);
        const Pose expected = toPose(pose), got = back.pose(f);
        for (const JointId j : m.skeleton.joints()) {
            EXPECT_LT(angleBetween(expected[j].rotation, got[j].rotation), 1e-7);
            EXPECT_LT(distance(expected[j].translation, got[j].translation), 1e-7);
            EXPECT_LT(distance(expected[j].scale, got[j].scale), 1e-7);
        }
    }
}

// Whatever was done to the bytes: refused, or poses of finite numbers.
void expectNoHarm(const Skeleton& skeleton, const std::string& bytes) {
    // A copy of its own, so that a read beyond its end is seen.
    const Result<PackedClip> read = PackedClip::read(bytes, skeleton);
    if (!read) {
        EXPECT_FALSE(describe(read.error()).empty());
        return;
    }
    FloatPose pose(skeleton.jointCount());
    PackedPlayer player(*read);
    for (const double t : {0.0, 0.31, 1.0, 1e9}) {
        samplePose(*read, t, pose);
        player.sample(t, pose);
        for (const JointId j : skeleton.joints()) {
            EXPECT_TRUE(std::isfinite(pose.rotation(j).x + pose.rotation(j).w));
            EXPECT_TRUE(std::isfinite(pose.translation(j).x));
        }
    }
}

TEST(PackedClip, RefusesDamagedBytes) {
    const Moving m(40, 6.0);
    const Result<PackedMotion> packed = pack(m, 1e-3);
    const std::string good(packed->clip.bytes());
    for (std::size_t size = 0; size < good.size(); size += 1 + size / 40)
        EXPECT_FALSE(PackedClip::read(good.substr(0, size), m.skeleton).ok()) << size;
    // A size that says so is cut off all the same.
    for (std::size_t size = 80; size < good.size(); size += 1 + size / 40) {
        std::string cut = good.substr(0, size);
        const std::uint64_t count = size;
        std::memcpy(cut.data() + 24, &count, sizeof count);
        EXPECT_FALSE(PackedClip::read(cut, m.skeleton).ok()) << size;
    }
    Random random(5);
    for (int i = 0; i < 3000; ++i) {
        std::string bad = good;
        const std::size_t where = random.below(i % 2 == 0 ? 400 : bad.size());
        bad[where] = static_cast<char>(random.bits());
        expectNoHarm(m.skeleton, bad);
    }
}

TEST(PackClip, RefusesWhatIsNotFiniteAndCanBeCancelled) {
    Moving m(20);
    EXPECT_FALSE(packClip(m.skeleton, m.motion, {}, [](double) { return false; }).ok());
    Pose pose = m.motion.pose(7);
    pose[jointId(2)].rotation.x = std::numeric_limits<double>::quiet_NaN();
    m.motion.setPose(7, pose);
    const Result<PackedMotion> packed = pack(m);
    ASSERT_FALSE(packed.ok());
    EXPECT_NE(describe(packed.error()).find("frame 7"), std::string::npos);
}

}  // namespace
}  // namespace ulna
