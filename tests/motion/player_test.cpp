// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/player.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <limits>

#include "support/allocations.h"
#include "ulna/math/random.h"

namespace ulna {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Quat widened(const Quatf& q) {
    return {q.x, q.y, q.z, q.w};
}

// The plain double path is the judge: 1e-7 rad for rotations, rounding for the rest.
void expectSame(const FloatPose& pose, const Pose& exact, const std::string& where) {
    ASSERT_EQ(pose.jointCount(), exact.parent_from_joint.size());
    for (std::size_t i = 0; i < pose.jointCount(); ++i) {
        const JointId j = jointId(i);
        const Quat q = widened(pose.rotation(j));
        EXPECT_LE(angleBetween(normalized(exact[j].rotation), q), 1e-7) << where << ", joint " << i;
        EXPECT_NEAR(dot(q, q), 1.0, 3e-7) << where;
        const Vec3f t = pose.translation(j);
        const Vec3f s = pose.scale(j);
        for (std::size_t k = 0; k < 3; ++k) {
            const double tv = exact[j].translation[k], sv = exact[j].scale[k];
            EXPECT_NEAR(static_cast<double>(t[k]), tv, 6e-8 * std::abs(tv) + 1e-12) << where;
            EXPECT_NEAR(static_cast<double>(s[k]), sv, 6e-8 * std::abs(sv) + 1e-12) << where;
        }
    }
}

void expectSameAt(const KeyedMotion& motion, Player& player, double time) {
    FloatPose pose(player.clip().jointCount());
    player.sample(time, pose);
    expectSame(pose, samplePose(motion, time), motion.name + " at " + std::to_string(time));
}

// At its keys, between them, a little beside them, and outside.
void expectSameEverywhere(const KeyedMotion& motion) {
    Player player(makePlayable(motion));
    Random random(1);
    const double start = motion.startTime(), end = motion.endTime();
    std::vector<double> times = keyTimes(motion);
    const std::size_t keys = times.size();
    for (std::size_t i = 0; i < keys; ++i) {
        times.push_back(std::nextafter(times[i], kInfinity));
        times.push_back(std::nextafter(times[i], -kInfinity));
    }
    for (int i = 0; i < 500; ++i) times.push_back(random.between(start - 3.0, end + 3.0));
    for (const double far : {-1e6, -100.0, 100.0, 1e6}) times.push_back(far);
    for (const double time : times) expectSameAt(motion, player, time);
}

std::vector<double> randomTimes(Random& random, std::size_t count) {
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(random.between(0.0, 4.0));
    return out;
}

Track<Quat> randomRotations(Random& random, Interpolation how, std::size_t count = 12) {
    std::vector<Key<Quat>> keys;
    const Quat middle = random.rotation();
    for (const double time : randomTimes(random, count)) {
        Key<Quat> key{time, middle * quatExp(random.direction() * random.between(0.0, 1.2))};
        const Quat in = random.rotation(), out = random.rotation();
        key.in = {in.x, in.y, in.z, in.w};
        key.out = {out.x, out.y, out.z, out.w};
        keys.push_back(key);
    }
    return Track<Quat>(std::move(keys), how);
}

Track<Vec3> randomVectors(Random& random, Interpolation how, std::size_t count = 12) {
    std::vector<Key<Vec3>> keys;
    for (const double time : randomTimes(random, count)) {
        const Vec3 value = random.direction(), in = random.direction(), out = random.direction();
        keys.push_back({time, value, in, out});
    }
    return Track<Vec3>(std::move(keys), how);
}

Track<double> randomAngles(Random& random, Interpolation how, std::size_t count = 12) {
    std::vector<Key<double>> keys;
    for (const double time : randomTimes(random, count)) {
        const double value = random.between(-2.0, 2.0);
        keys.push_back({time, value, random.between(-3.0, 3.0), random.between(-3.0, 3.0)});
    }
    return Track<double>(std::move(keys), how);
}

KeyedMotion emptyMotion(std::size_t joints) {
    Random random(joints);
    KeyedMotion out;
    for (std::size_t j = 0; j < joints; ++j) {
        const Vec3 place = random.direction(), size = random.direction();
        out.base.parent_from_joint.push_back({place, size, random.rotation()});
    }
    return out;
}

// Tracks on some joints only, so that some blocks are mixed, some empty.
KeyedMotion randomMotion(Interpolation how, Outside outside, std::size_t joints = 21) {
    Random random(7);
    KeyedMotion out = emptyMotion(joints);
    out.name = std::string(interpolationName(how)) + ", outside " +
               std::to_string(static_cast<int>(outside));
    for (std::size_t j = 0; j < joints; j += 1 + j / 6) {
        JointTracks& tracks = out.at(jointId(j));
        Track<Quat> turns = randomRotations(random, how);
        Track<Vec3> places = randomVectors(random, how), sizes = randomVectors(random, how);
        turns.outside = places.outside = sizes.outside = outside;
        tracks.rotation = turns;
        if (j % 4 == 0) tracks.translation = places;
        if (j % 4 == 1) tracks.scale = sizes;
    }
    return out;
}

TEST(Player, GivesWhatSamplePoseGivesForEveryInterpolationAndRule) {
    for (const Interpolation how : kAllInterpolations) {
        for (const Outside outside : {Outside::Hold, Outside::Loop, Outside::Extrapolate})
            expectSameEverywhere(randomMotion(how, outside));
    }
}

TEST(Player, DoesSoOnEveryVectorUnitOfTheMachine) {
    const KeyedMotion motion = randomMotion(Interpolation::CatmullRom, Outside::Hold);
    for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
        hwy::SetSupportedTargetsForTest(rest & -rest);
        hwy::GetChosenTarget().DeInit();
        expectSameEverywhere(motion);
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
}

TEST(Player, KeepsTheBasePoseWhereThereAreNoKeys) {
    for (const std::size_t joints : {0U, 1U, 8U, 9U}) {
        const KeyedMotion motion = emptyMotion(joints);
        Player player(makePlayable(motion));
        expectSameAt(motion, player, 0.5);
    }
    KeyedMotion motion = emptyMotion(3);
    motion.at(jointId(1)).rotation = AngleTracks{{}, {{{1, 0, 0}, {}}}};
    expectSameEverywhere(motion);
}

TEST(Player, TakesOneKeyAsAConstant) {
    KeyedMotion motion = emptyMotion(2);
    motion.at(jointId(0)).rotation = Track<Quat>({{0.5, quatExp(Vec3{0.1, 0.2, 0.3})}});
    motion.at(jointId(1)).translation = Track<Vec3>({Key<Vec3>{0.5, {1, 2, 3}}});
    for (const Outside outside : {Outside::Hold, Outside::Loop, Outside::Extrapolate}) {
        std::get<Track<Quat>>(motion.joints[0].rotation).outside = outside;
        motion.joints[1].translation.outside = outside;
        expectSameEverywhere(motion);
    }
}

TEST(Player, HasJumpedAtTheTimeOfAJump) {
    const Quat a = quatExp(Vec3{0, 0, 0.5}), b = quatExp(Vec3{0, 0, 1.5});
    for (const Interpolation how : kAllInterpolations) {
        for (const Outside outside : {Outside::Hold, Outside::Loop, Outside::Extrapolate}) {
            KeyedMotion motion = emptyMotion(2);
            Track<Quat> inside({{0.0, a}, {1.0, a}, {1.0, b}, {2.0, a}}, how);
            Track<Quat> at_ends({{0.0, a}, {0.0, b}, {2.0, b}, {2.0, a}}, how);
            inside.outside = at_ends.outside = outside;
            motion.at(jointId(0)).rotation = inside;
            motion.at(jointId(1)).rotation = at_ends;
            expectSameEverywhere(motion);
        }
    }
    KeyedMotion only = emptyMotion(1);
    only.at(jointId(0)).rotation = Track<Quat>({{1.0, a}, {1.0, b}});
    expectSameEverywhere(only);
}

TEST(Player, FollowsTurnsAboutManyAxes) {
    Random random(3);
    for (const Interpolation how : kAllInterpolations) {
        for (const Outside outside : {Outside::Hold, Outside::Loop, Outside::Extrapolate}) {
            KeyedMotion motion = emptyMotion(4);
            AngleTracks euler{random.rotation(), {}};
            for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) {
                Track<double> angle = randomAngles(random, how);
                angle.outside = outside;
                euler.rotations.push_back({axis, angle});
            }
            motion.at(jointId(1)).rotation = euler;
            // The same stretch for all three, so that loops can be joined.
            for (auto& turn : euler.rotations) {
                turn.angle.insert({-1.0, 0.0});
                turn.angle.insert({5.0, 0.5});
            }
            motion.at(jointId(2)).rotation = euler;
            euler.rotations.resize(1);
            euler.rotations[0].angle.outside = Outside::Hold;
            motion.at(jointId(3)).rotation = euler;
            expectSameEverywhere(motion);
        }
    }
}

TEST(Player, FollowsTracksOfUnlikeKindsOnNeighbouringJoints) {
    Random random(6);
    for (const Outside outside : {Outside::Hold, Outside::Loop}) {
        KeyedMotion motion = emptyMotion(8);
        for (std::size_t j = 0; j < std::size(kAllInterpolations); ++j) {
            Track<Quat> track = randomRotations(random, kAllInterpolations[j]);
            track.outside = outside;
            motion.at(jointId(j)).rotation = track;
        }
        AngleTracks turns{random.rotation(), {}};
        for (int i = 0; i < 3; ++i) {
            Track<double> angle = randomAngles(random, Interpolation::CatmullRom);
            turns.rotations.push_back({random.direction(), angle});
        }
        motion.at(jointId(5)).rotation = turns;
        turns.rotations.push_back(
            {random.direction(), randomAngles(random, Interpolation::Linear)});
        motion.at(jointId(6)).rotation = turns;
        expectSameEverywhere(motion);
        // And four turns among themselves, one of them without keys.
        turns.rotations[2].angle = {};
        motion.joints.clear();
        motion.at(jointId(2)).rotation = turns;
        turns.rotations.push_back(turns.rotations[0]);
        motion.at(jointId(3)).rotation = turns;
        expectSameEverywhere(motion);
    }
}

TEST(Player, TakesOnePieceForTwoKeysOfAlmostAnyTrack) {
    Random random(10);
    for (const Interpolation how : kAllInterpolations) {
        KeyedMotion motion = emptyMotion(1);
        std::vector<Key<Quat>> keys;
        for (int i = 0; i < 11; ++i) keys.push_back({i * 0.2, quatExp(random.direction() * 0.3)});
        motion.at(jointId(0)).rotation = Track<Quat>(keys, how);
        // Ten, one before and one after, and the seven joints beside it.
        EXPECT_EQ(makePlayable(motion).pieceCount(), 19U) << interpolationName(how);
    }
}

TEST(Player, LoopsEveryTrackInItsOwnTime) {
    Random random(4);
    KeyedMotion motion = emptyMotion(20);
    for (std::size_t j = 0; j < 20; ++j) {
        Track<Quat> turns = randomRotations(random, Interpolation::CatmullRom, 3 + j % 4);
        Track<Vec3> places = randomVectors(random, Interpolation::Linear, 2 + j % 3);
        turns.outside = places.outside = Outside::Loop;
        if (j % 5 == 0) places.outside = Outside::Hold;
        motion.at(jointId(j)).rotation = turns;
        motion.at(jointId(j)).translation = places;
    }
    expectSameEverywhere(motion);
}

TEST(Player, TurnsByHalfATurnAndFurther) {
    for (const Interpolation how : kAllInterpolations) {
        KeyedMotion motion = emptyMotion(2);
        Track<Quat> halves({{0.0, {}},
                            {0.1, quatExp(Vec3{kPi - 1e-9, 0, 0})},
                            {1.0, quatExp(Vec3{0, 2.5, 1})},
                            {1.2, quatExp(Vec3{0, -2.5, 1})}},
                           how);
        // Catmull-Rom overshoots far beyond close keys that fast ones follow.
        Track<Quat> uneven({{0.0, {}},
                            {0.01, quatExp(Vec3{0, 3, 0})},
                            {1.0, quatExp(Vec3{0, 3, 0.1})},
                            {1.01, quatExp(Vec3{3, 0, 0})}},
                           how);
        motion.at(jointId(0)).rotation = halves;
        motion.at(jointId(1)).rotation = uneven;
        expectSameEverywhere(motion);
    }
}

TEST(Player, ComesToAnEndWhereAHermiteRotationPassesThroughZero) {
    KeyedMotion motion = emptyMotion(1);
    Track<Quat> through({{0.0, {0, 0, 0, 1}}, {1.0, {0, 0, 0, -1}}}, Interpolation::Hermite);
    motion.at(jointId(0)).rotation = through;
    const PlayableClip clip = makePlayable(motion);
    EXPECT_LT(clip.pieceCount(), 5000U);
    Player player(clip);
    for (const double time : {0.0, 0.3, 0.7, 1.0}) expectSameAt(motion, player, time);
}

TEST(Player, TakesKeysThatAreNotQuiteUnitQuaternions) {
    Random random(5);
    KeyedMotion motion = emptyMotion(8);
    for (std::size_t j = 0; j < 8; ++j) {
        Track<Quat> track = randomRotations(random, Interpolation::Linear);
        std::vector<Key<Quat>> keys(track.keys().begin(), track.keys().end());
        for (Key<Quat>& key : keys) {
            const double length = random.between(0.999999, 1.000001);
            key.value = {key.value.x * length, key.value.y * length, key.value.z * length,
                         key.value.w * length};
        }
        motion.at(jointId(j)).rotation = Track<Quat>(keys, Interpolation::Linear);
    }
    Player player(makePlayable(motion));
    FloatPose pose(8);
    for (int i = 0; i < 1000; ++i) {
        const double time = random.between(0.0, 4.0);
        player.sample(time, pose);
        const Pose exact = samplePose(motion, time);
        for (std::size_t j = 0; j < 8; ++j) {
            const Quat q = widened(pose.rotation(jointId(j)));
            EXPECT_LE(angleBetween(normalized(exact[jointId(j)].rotation), q), 1e-7);
        }
    }
}

TEST(Player, TakesWhatIsNoTimeAsTheEnds) {
    for (const Outside outside : {Outside::Hold, Outside::Loop, Outside::Extrapolate}) {
        const KeyedMotion motion = randomMotion(Interpolation::Linear, outside);
        Player player(makePlayable(motion));
        for (const double time : {std::nan(""), kInfinity, 1.5, -kInfinity, 2.0, std::nan("")})
            expectSameAt(motion, player, time);
    }
}

TEST(Player, GivesTheSameBytesForwardBackwardAndBySeeking) {
    for (const Outside outside : {Outside::Hold, Outside::Loop, Outside::Extrapolate}) {
        const KeyedMotion motion = randomMotion(Interpolation::CatmullRom, outside, 65);
        const PlayableClip clip = makePlayable(motion);
        constexpr std::size_t kFrames = 600;
        const auto timeOf = [](std::size_t frame) {
            return -1.0 + static_cast<double>(frame) / 90.0;
        };
        std::vector<FloatPose> forward(kFrames, FloatPose(65));
        Player player(clip);
        for (std::size_t i = 0; i < kFrames; ++i) player.sample(timeOf(i), forward[i]);
        FloatPose pose(65);
        for (std::size_t i = kFrames; i-- > 0;) {
            player.sample(timeOf(i), pose);
            EXPECT_EQ(pose, forward[i]) << "backward, frame " << i;
        }
        Random random(8);
        for (std::size_t i = 0; i < kFrames; ++i) {
            const std::size_t frame = random.below(kFrames);
            player.sample(timeOf(frame), pose);
            EXPECT_EQ(pose, forward[frame]) << "by seeking, frame " << frame;
            Player fresh(clip);
            fresh.sample(timeOf(frame), pose);
            EXPECT_EQ(pose, forward[frame]) << "fresh, frame " << frame;
        }
    }
}

TEST(Player, AllocatesNothingWhenSampling) {
    for (const Outside outside : {Outside::Hold, Outside::Loop, Outside::Extrapolate}) {
        Player player(makePlayable(randomMotion(Interpolation::Hermite, outside)));
        FloatPose pose(player.clip().jointCount());
        const long before = test::allocationCount();
        for (const double time : {0.0, 0.1, 3.0, -5.0, 77.0, 1.0}) player.sample(time, pose);
        EXPECT_EQ(test::allocationCount(), before);
    }
}

TEST(Player, KeepsWithinItsPromiseWhereRoundingToNearestDoesNot) {
    // Three components near 1/2 is where rounding turns most.
    Random random(9);
    constexpr std::size_t kKeys = 100000;
    std::vector<Key<Quat>> keys;
    double nearest = 0.0;
    for (std::size_t i = 0; i < kKeys; ++i) {
        const double x = random.between(0.5, 0.52), y = random.between(0.5, 0.52);
        const double z = random.between(0.5, 0.52);
        const double w = std::sqrt(std::max(0.0, 1.0 - x * x - y * y - z * z));
        const Quat q = normalized(Quat{x, -y, z, w});
        keys.push_back({static_cast<double>(i), q});
        const Quat rounded{static_cast<float>(q.x), static_cast<float>(q.y),
                           static_cast<float>(q.z), static_cast<float>(q.w)};
        nearest = std::max(nearest, angleBetween(q, rounded));
    }
    EXPECT_GT(nearest, 1.02e-7);
    KeyedMotion motion = emptyMotion(1);
    motion.at(jointId(0)).rotation = Track<Quat>(keys, Interpolation::Step);
    Player player(makePlayable(motion));
    FloatPose pose(1);
    double largest = 0.0;
    for (std::size_t i = 0; i < kKeys; ++i) {
        player.sample(static_cast<double>(i), pose);
        largest =
            std::max(largest, angleBetween(keys[i].value, widened(pose.rotation(jointId(0)))));
    }
    EXPECT_LE(largest, 9.6e-8);
}

TEST(Player, SharesItsClipWithOthers) {
    const KeyedMotion motion = randomMotion(Interpolation::Linear, Outside::Hold);
    Player copied = [&] {
        const PlayableClip clip = makePlayable(motion);
        Player first(clip);
        FloatPose pose(clip.jointCount());
        first.sample(2.0, pose);
        return first;
    }();  // the clip lives on in its player
    expectSameAt(motion, copied, 2.1);
    EXPECT_EQ(copied.clip().name(), motion.name);
    EXPECT_EQ(copied.clip().startTime(), motion.startTime());
    EXPECT_EQ(copied.clip().endTime(), motion.endTime());
}

}  // namespace
}  // namespace ulna
