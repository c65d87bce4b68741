// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/track.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ulna/math/euler.h"
#include "ulna/math/random.h"

namespace ulna {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double apart(double a, double b) {
    return std::abs(a - b);
}
double apart(const Vec3& a, const Vec3& b) {
    return length(a - b);
}
double apart(const Quat& a, const Quat& b) {
    return angleBetween(a, b);
}

template <class V>
V anything(Random& random);
template <>
double anything(Random& random) {
    return random.between(-2.0, 2.0);
}
template <>
Vec3 anything(Random& random) {
    const double x = random.between(-2.0, 2.0), y = random.between(-2.0, 2.0);
    return {x, y, random.between(-2.0, 2.0)};
}
template <>
Quat anything(Random& random) {
    return random.rotation();
}

// Keys a long and a short way apart by turns: the case that tells a curve smooth in time from one
// smooth in its parameter.
template <class V>
Track<V> unevenTrack(Random& random, Interpolation how, std::size_t count = 9) {
    std::vector<Key<V>> keys;
    double time = 0.3;
    for (std::size_t i = 0; i < count; ++i) {
        Key<V> key{time, anything<V>(random)};
        if constexpr (std::is_same_v<V, Quat>) {
            const Vec3 in = anything<Vec3>(random), out = anything<Vec3>(random);
            key.in = {in.x, in.y, in.z, 0.5};
            key.out = {out.x, out.y, out.z, -0.3};
        } else {
            key.in = anything<V>(random);
            key.out = anything<V>(random);
        }
        keys.push_back(key);
        time += i % 2 == 0 ? 0.1 : random.between(0.4, 1.5);
    }
    return Track<V>(std::move(keys), how);
}

// The rate by differences of samples inside one segment.
template <class V>
Rate<V> differenceRate(const Track<V>& track, std::size_t segment, double time) {
    constexpr double kStep = 1e-6;
    const V before = sampleSegment(track, segment, time - kStep);
    const V after = sampleSegment(track, segment, time + kStep);
    if constexpr (std::is_same_v<V, Quat>)
        return quatLog(conjugate(before) * after) / (2.0 * kStep);
    else
        return (after - before) / (2.0 * kStep);
}

template <class V>
class TrackOf : public testing::Test {};
using Values = testing::Types<double, Vec3, Quat>;
TYPED_TEST_SUITE(TrackOf, Values);

TYPED_TEST(TrackOf, PassesThroughEveryKey) {
    Random random(1);
    for (const Interpolation how : kAllInterpolations) {
        const auto track = unevenTrack<TypeParam>(random, how);
        for (const auto& key : track.keys())
            EXPECT_EQ(sample(track, key.time), key.value) << interpolationName(how);
        // And arrives there: from the left too, but for steps.
        for (std::size_t i = 0; i + 1 < track.keys().size() && how != Interpolation::Step; ++i) {
            const double time = track.keys()[i + 1].time;
            EXPECT_LT(apart(sampleSegment(track, i, time - 1e-9), track.keys()[i + 1].value), 1e-6);
        }
    }
}

TYPED_TEST(TrackOf, HasTheRateThatDifferencesHave) {
    Random random(2);
    for (const Interpolation how : kAllInterpolations) {
        const auto track = unevenTrack<TypeParam>(random, how);
        for (std::size_t i = 0; i + 1 < track.keys().size(); ++i) {
            const double a = track.keys()[i].time, b = track.keys()[i + 1].time;
            for (const double u : {0.05, 0.3, 0.5, 0.8, 0.95}) {
                const double time = a + u * (b - a);
                const auto expected = differenceRate(track, i, time);
                const auto rate = sampleRate(track, time);
                EXPECT_LT(apart(rate, expected), 1e-6 * (1.0 + apart(expected, {})))
                    << interpolationName(how) << " segment " << i << " at " << u;
            }
        }
    }
}

TYPED_TEST(TrackOf, IsSmoothInTimeAcrossUnevenKeysAsACatmullRom) {
    Random random(3);
    const auto track = unevenTrack<TypeParam>(random, Interpolation::CatmullRom, 40);
    double worst = 0.0;
    for (std::size_t i = 0; i + 2 < track.keys().size(); ++i) {
        const double time = track.keys()[i + 1].time;
        const auto before = sampleSegmentRate(track, i, time);
        const auto after = sampleSegmentRate(track, i + 1, time);
        worst = std::max(worst, apart(before, after));
        // By differences as well, since the derivative could be wrong on both sides alike.
        constexpr double kStep = 1e-7;
        const auto left = differenceRate(track, i, time - 2 * kStep);
        const auto right = differenceRate(track, i + 1, time + 2 * kStep);
        EXPECT_LT(apart(left, right), 2e-3 * (1.0 + apart(before, {})));
    }
    EXPECT_LT(worst, 1e-11);
}

TYPED_TEST(TrackOf, IsNotSmoothOnUnevenKeysAsTheTextbooksCatmullRom) {
    Random random(4);
    const auto track = unevenTrack<TypeParam>(random, Interpolation::UniformCatmullRom, 9);
    double worst = 0.0;
    for (std::size_t i = 0; i + 2 < track.keys().size(); ++i) {
        const double time = track.keys()[i + 1].time;
        worst = std::max(
            worst, apart(sampleSegmentRate(track, i, time), sampleSegmentRate(track, i + 1, time)));
    }
    EXPECT_GT(worst, 0.1);
}

TYPED_TEST(TrackOf, WithoutKeysGivesWhatItIsTold) {
    Random random(5);
    const TypeParam other = anything<TypeParam>(random);
    EXPECT_EQ(sample(Track<TypeParam>(), 1.0, other), other);
    EXPECT_EQ(sample(Track<TypeParam>(), 1.0), TypeParam{});
    EXPECT_EQ(sampleRate(Track<TypeParam>(), 1.0), Rate<TypeParam>{});
    EXPECT_EQ(findSegment(Track<TypeParam>(), 0.0), kNoSegment);
}

TYPED_TEST(TrackOf, OfOneKeyIsThatKeyEverywhere) {
    Random random(6);
    const TypeParam value = anything<TypeParam>(random);
    for (const Interpolation how : kAllInterpolations) {
        for (const Outside outside : {Outside::Hold, Outside::Loop, Outside::Extrapolate}) {
            Track<TypeParam> track({{2.0, value}}, how);
            track.outside = outside;
            for (const double time : {-9.0, 2.0, 9.0, kNan}) {
                EXPECT_EQ(sample(track, time), value);
                EXPECT_EQ(sampleRate(track, time), Rate<TypeParam>{});
            }
        }
    }
}

TYPED_TEST(TrackOf, HoldsItsEndsUnlessToldOtherwise) {
    Random random(7);
    for (const Interpolation how : kAllInterpolations) {
        const auto track = unevenTrack<TypeParam>(random, how);
        EXPECT_EQ(sample(track, -1.0), track.keys().front().value);
        EXPECT_EQ(sample(track, 1e9), track.keys().back().value);
        EXPECT_EQ(sample(track, track.endTime()), track.keys().back().value);
        EXPECT_EQ(sample(track, kNan), track.keys().front().value);
        EXPECT_EQ(sample(track, std::numeric_limits<double>::infinity()),
                  track.keys().back().value);
        EXPECT_EQ(sampleRate(track, -1.0), Rate<TypeParam>{});
    }
}

TYPED_TEST(TrackOf, LoopsOverItsKeys) {
    Random random(8);
    for (const Interpolation how : kAllInterpolations) {
        auto track = unevenTrack<TypeParam>(random, how);
        track.outside = Outside::Loop;
        const double span = track.endTime() - track.startTime();
        for (const double u : {0.1, 0.45, 0.9}) {
            const double time = track.startTime() + u * span;
            for (const double turns : {-3.0, -1.0, 1.0, 2.0}) {
                EXPECT_LT(apart(sample(track, time + turns * span), sample(track, time)), 1e-9);
                EXPECT_LT(apart(sampleRate(track, time + turns * span), sampleRate(track, time)),
                          1e-6);
            }
        }
    }
}

TYPED_TEST(TrackOf, LoopsWithoutAKinkWhereItsEndsAgree) {
    Random random(9);
    auto track = unevenTrack<TypeParam>(random, Interpolation::CatmullRom);
    track.set(track.endTime(), track.keys().front().value);
    track.outside = Outside::Loop;
    const auto end = sampleRate(track, track.endTime());
    const auto start = sampleRate(track, track.startTime());
    EXPECT_LT(apart(end, start), 1e-11);
    EXPECT_GT(apart(start, {}), 1e-3);
}

TYPED_TEST(TrackOf, ExtrapolatesWithTheSpeedOfItsEnds) {
    Random random(10);
    for (const Interpolation how : kAllInterpolations) {
        auto track = unevenTrack<TypeParam>(random, how);
        track.outside = Outside::Extrapolate;
        const auto rate = sampleRate(track, track.endTime());
        EXPECT_EQ(sampleRate(track, track.endTime() + 5.0), rate);
        EXPECT_EQ(sampleRate(track, track.startTime() - 5.0), sampleRate(track, track.startTime()));
        constexpr double kStep = 0.01;
        const TypeParam beyond = sample(track, track.endTime() + kStep);
        EXPECT_NEAR(apart(beyond, track.keys().back().value), apart(rate, {}) * kStep, 1e-9);
    }
}

TYPED_TEST(TrackOf, SortsItsKeys) {
    Random random(11);
    const auto track = unevenTrack<TypeParam>(random, Interpolation::Linear);
    std::vector<Key<TypeParam>> shuffled(track.keys().rbegin(), track.keys().rend());
    std::swap(shuffled[1], shuffled[5]);
    EXPECT_EQ(Track<TypeParam>(shuffled, Interpolation::Linear), track);
}

TYPED_TEST(TrackOf, JumpsWhereKeysShareATime) {
    Random random(12);
    const TypeParam a = anything<TypeParam>(random), b = anything<TypeParam>(random);
    const TypeParam c = anything<TypeParam>(random), d = anything<TypeParam>(random);
    for (const Interpolation how : kAllInterpolations) {
        const Track<TypeParam> track({{0, a}, {1, b}, {1, c}, {2, d}}, how);
        EXPECT_EQ(sample(track, 1.0), c) << "the last of them holds at that time";
        if (how != Interpolation::Step) {
            EXPECT_LT(apart(sample(track, 1.0 - 1e-9), b), 1e-6);
        }
        // Neither side sees the other: each is a track of two keys.
        const Track<TypeParam> left({{0, a}, {1, b}}, how), right({{1, c}, {2, d}}, how);
        EXPECT_LT(apart(sample(track, 0.4), sample(left, 0.4)), 1e-14);
        EXPECT_LT(apart(sample(track, 1.7), sample(right, 1.7)), 1e-14);
    }
    // Jumps at the very ends.
    const Track<TypeParam> ends({{0, a}, {0, b}, {1, c}, {1, d}}, Interpolation::Linear);
    EXPECT_EQ(sample(ends, 0.0), b);
    EXPECT_EQ(sample(ends, -1.0), a);
    EXPECT_EQ(sample(ends, 1.0), d);
    EXPECT_LT(apart(sample(ends, 1.0 - 1e-9), c), 1e-6);
    // Nothing but a jump.
    Track<TypeParam> only({{1, a}, {1, b}}, Interpolation::CatmullRom);
    for (const Outside outside : {Outside::Hold, Outside::Loop, Outside::Extrapolate}) {
        only.outside = outside;
        EXPECT_EQ(sample(only, 0.5), a);
        EXPECT_EQ(sample(only, 1.0), b);
        EXPECT_EQ(sample(only, 3.0), b);
    }
}

TYPED_TEST(TrackOf, TakesKeysInMovesThemAndLetsThemGo) {
    Random random(13);
    const TypeParam a = anything<TypeParam>(random), b = anything<TypeParam>(random);
    Track<TypeParam> track;
    EXPECT_EQ(track.insert({2.0, a}), 0U);
    EXPECT_EQ(track.insert({1.0, b}), 0U);
    EXPECT_EQ(track.insert({2.0, b}), 2U);  // after the one of the same time
    EXPECT_EQ(track.set(2.0, a), 2U);
    EXPECT_EQ(track.keys().size(), 3U);
    EXPECT_EQ(track.keys()[2].value, a);
    EXPECT_EQ(track.set(3.0, b), 3U);
    EXPECT_EQ(track.move(0, 2.5), 2U);
    EXPECT_EQ(track.keys()[2].value, b);
    EXPECT_EQ(track.startTime(), 2.0);
    track.erase(3);
    EXPECT_EQ(track.endTime(), 2.5);
    EXPECT_EQ(track.keys().size(), 3U);
}

TEST(CatmullRom, IsTheTextbooksFormulaOnEvenKeys) {
    Random random(20);
    std::vector<Key<Vec3>> keys;
    for (int i = 0; i < 6; ++i) keys.push_back({0.5 * i, anything<Vec3>(random)});
    const Track<Vec3> track(keys, Interpolation::CatmullRom);
    const Track<Vec3> uniform(keys, Interpolation::UniformCatmullRom);
    for (std::size_t i = 1; i + 2 < keys.size(); ++i) {
        const Vec3 p0 = keys[i - 1].value, p1 = keys[i].value;
        const Vec3 p2 = keys[i + 1].value, p3 = keys[i + 2].value;
        for (const double u : {0.1, 0.5, 0.77}) {
            const Vec3 expected =
                0.5 * (2.0 * p1 + (p2 - p0) * u + (2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3) * (u * u) +
                       (3.0 * p1 - p0 - 3.0 * p2 + p3) * (u * u * u));
            const double time = keys[i].time + 0.5 * u;
            EXPECT_LT(apart(sample(track, time), expected), 1e-13);
            EXPECT_LT(apart(sample(uniform, time), expected), 1e-13);
        }
    }
}

TEST(CatmullRom, IsTheTextbooksFormulaOnAnyKeysWhereAsked) {
    const Track<double> track({{0, 1}, {1, 4}, {3, -2}, {3.5, 0}},
                              Interpolation::UniformCatmullRom);
    const double u = 0.25;
    const double expected = 0.5 * (2 * 4 + (-1 + -2) * u + (2 * 1 - 5 * 4 + 4 * -2 - 0) * u * u +
                                   (-1 + 3 * 4 - 3 * -2 + 0) * u * u * u);
    EXPECT_NEAR(sample(track, 1 + 2 * u), expected, 1e-14);
}

TEST(CatmullRom, ReproducesStraightLinesWithMirroredEnds) {
    Random random(21);
    std::vector<Key<Vec3>> keys;
    for (int i = 0; i < 7; ++i) {
        const double time = random.between(0.0, 5.0);
        keys.push_back({time, Vec3{1, -2, 0.5} * time + Vec3{3, 3, 3}});
    }
    Track<Vec3> track(keys, Interpolation::CatmullRom);
    const auto worst = [&] {
        double out = 0.0;
        for (int i = 0; i <= 200; ++i) {
            const double t = track.startTime() + (track.endTime() - track.startTime()) * i / 200.0;
            out = std::max(out, apart(sample(track, t), Vec3{1, -2, 0.5} * t + Vec3{3, 3, 3}));
        }
        return out;
    };
    EXPECT_LT(worst(), 1e-13);
    track.ends = TrackEnds::Duplicated;
    EXPECT_GT(worst(), 1e-3);
    EXPECT_LT(apart(sampleRate(track, track.startTime()), Vec3{1, -2, 0.5} * 0.5), 1e-13)
        << "half the slope at the ends";
}

TEST(RotationTrack, TurnsSteadilyAboutOneAxisInEveryMode) {
    // Keys of a steady turn are reproduced by slerp and by the spline alike, beyond a half turn
    // too.
    const Vec3 axis = normalizedOr(Vec3{1, 2, -1}, {});
    for (const Interpolation how : {Interpolation::Linear, Interpolation::CatmullRom}) {
        Track<Quat> track;
        track.interpolation = how;
        for (const double time : {0.0, 0.5, 1.7, 2.0, 3.1}) {
            // 1.7 rad/s over 1.2 s: neighbours of a key are further apart than half a turn.
            const Quat q = quatFromAxisAngle(axis, 1.7 * time);
            track.insert({time, track.keys().size() % 2 == 0 ? q : -q});
        }
        for (double t = 0.0; t < 3.1; t += 0.01) {
            EXPECT_LT(angleBetween(sample(track, t), quatFromAxisAngle(axis, 1.7 * t)), 1e-12);
            EXPECT_LT(length(sampleRate(track, t) - axis * 1.7), 1e-12);
        }
    }
}

TEST(RotationTrack, TakesTheShorterArcWhateverTheSigns) {
    const Quat a = quatAboutAxis(0, 0.2), b = quatAboutAxis(0, 0.6);
    for (const Interpolation how : {Interpolation::Linear, Interpolation::CatmullRom}) {
        const Track<Quat> track({{0, a}, {1, -b}}, how);
        EXPECT_LT(angleBetween(sample(track, 0.5), quatAboutAxis(0, 0.4)), 1e-14);
    }
}

TEST(RotationTrack, IsOneLongWhateverItsKeysAre) {
    // Files may have rotations of any length; only their direction counts, and a cubic's shape.
    const double half = std::sqrt(0.5);
    for (const Interpolation how : kAllInterpolations) {
        Track<Quat> track({{0, {0, 0, 0, 2}}, {1, {0, 0, 3 * half, 3 * half}}}, how);
        for (const Outside outside : {Outside::Hold, Outside::Loop, Outside::Extrapolate}) {
            track.outside = outside;
            for (const double time : {-0.5, 0.0, 0.3, 1.0, 1.7, kNan}) {
                const Quat q = sample(track, time);
                EXPECT_NEAR(dot(q, q), 1.0, 1e-12) << interpolationName(how) << time;
            }
        }
        EXPECT_LT(angleBetween(sample(track, 1.0), quatAboutAxis(2, kPi / 2)), 1e-12);
        EXPECT_LT(length(sampleRate(track, 0.5)), 10.0);
    }
}

TEST(RotationTrack, IsHermiteInComponentsAsGltfHasIt) {
    const double half = std::sqrt(0.5);
    const Track<Quat> track({{1.0, {0, 0, 0, 1}, {9, 9, 9, 9}, {0.3, 0, 0, 0}},
                             {3.0, {half, 0, 0, half}, {0, 0.2, 0, 0}, {9, 9, 9, 9}}},
                            Interpolation::Hermite);
    const double u = 0.25, h = 2.0;
    const double p0 = 2 * u * u * u - 3 * u * u + 1, m0 = u * u * u - 2 * u * u + u;
    const double p1 = 3 * u * u - 2 * u * u * u, m1 = u * u * u - u * u;
    const Quat expected =
        normalized(Quat{half * p1 + 0.3 * h * m0, 0.2 * h * m1, 0, p0 + half * p1});
    EXPECT_LT(angleBetween(sample(track, 1.5), expected), 1e-14);
}

}  // namespace
}  // namespace ulna
