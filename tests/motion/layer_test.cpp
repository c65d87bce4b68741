// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/layer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ulna/math/quat.h"

namespace ulna {
namespace {

// Two joints that go somewhere all the time.
Pose poseAt(double time) {
    return {{{.translation = {time, std::sin(time), 0.2},
              .rotation = quatExp(Vec3{0.3 * time, std::cos(2.0 * time), 0.1})},
             {.translation = {0, 1, 0}, .rotation = quatExp(Vec3{std::sin(3.0 * time), 0, time})}}};
}

Pose turned(Pose pose, double by) {
    for (Trs& at : pose.parent_from_joint) {
        at.rotation = at.rotation * quatExp(Vec3{by, -0.5 * by, 0.2});
        at.translation += Vec3{0.1, by, 0.0};
    }
    return pose;
}

Layer threeKeys() {
    Layer out{.in = 0.4, .out = 0.3};
    for (const auto& [time, by] : {std::pair{2.0, 0.5}, {1.0, -0.8}, {2.9, 1.1}})
        setKey(out, time, poseAt(time), turned(poseAt(time), by));
    return out;
}

Pose at(const Layer& layer, double time) {
    Pose out = poseAt(time);
    addLayer(layer, time, out);
    return out;
}

double apart(const Pose& a, const Pose& b) {
    double out = 0.0;
    for (std::size_t j = 0; j < a.parent_from_joint.size(); ++j) {
        const Trs &p = a.parent_from_joint[j], &q = b.parent_from_joint[j];
        out = std::max({out, distance(p.translation, q.translation),
                        length(quatLog(conjugate(p.rotation) * q.rotation))});
    }
    return out;
}

TEST(ALayer, HasThePosesOfItsKeysInWhateverOrderTheyWereSet) {
    const Layer layer = threeKeys();
    ASSERT_EQ(layer.keys.size(), 3u);
    EXPECT_LT(layer.keys[0].time, layer.keys[1].time);
    EXPECT_LT(layer.keys[1].time, layer.keys[2].time);
    for (const auto& [time, by] : {std::pair{2.0, 0.5}, {1.0, -0.8}, {2.9, 1.1}})
        EXPECT_LT(apart(at(layer, time), turned(poseAt(time), by)), 1e-14);
}

TEST(ALayer, LeavesTheClipToTheBitOutsideItsFalloff) {
    const Layer layer = threeKeys();
    EXPECT_DOUBLE_EQ(startOf(layer), 0.6);
    EXPECT_DOUBLE_EQ(endOf(layer), 3.2);
    for (double time = -1.0; time < 5.0; time += 0.01)
        if (time <= 0.6 || time >= 3.2 + 1e-12) {
            EXPECT_EQ(at(layer, time), poseAt(time)) << time;
        } else if (time > 0.62 && time < 3.18) {
            EXPECT_GT(apart(at(layer, time), poseAt(time)), 1e-4) << time;
        }
}

// By finite differences: a jump of the value or of the speed is as large at half the step.
TEST(ALayer, HasNoJumpInValueOrSpeedAnywhere) {
    const Layer layer = threeKeys();
    const auto share = [&](std::size_t key, double time) {
        const LayerShares shares = sharesAt(layer, time);
        const std::size_t i = key - shares.first;
        return key < shares.first || i > 3 ? 0.0 : shares.shares[i];
    };
    constexpr double kStep = 1e-4;
    for (std::size_t key = 0; key < 3; ++key)
        for (double time = 0.3; time < 3.5; time += 0.5 * kStep) {
            const double before = share(key, time - kStep), now = share(key, time),
                         behind = share(key, time + kStep);
            ASSERT_LT(std::abs(behind - now), 10.0 * kStep) << time;
            ASSERT_LT(std::abs(behind - 2.0 * now + before), 100.0 * kStep * kStep) << time;
        }
}

TEST(ALayer, AddsInProportionToItsWeight) {
    Layer layer = threeKeys();
    const Pose whole = at(layer, 2.0);
    layer.weight = 0.0;
    EXPECT_EQ(at(layer, 2.0), poseAt(2.0));
    layer.weight = 0.5;
    const Pose half = at(layer, 2.0);
    for (std::size_t j = 0; j < 2; ++j) {
        const Quat from = poseAt(2.0).parent_from_joint[j].rotation;
        const Quat middle = slerp(from, whole.parent_from_joint[j].rotation, 0.5);
        EXPECT_LT(angleBetween(half.parent_from_joint[j].rotation, middle), 1e-7);
    }
    // What is keyed at another weight is what was asked for all the same.
    setKey(layer, 2.5, poseAt(2.5), turned(poseAt(2.5), 0.9));
    EXPECT_LT(apart(at(layer, 2.5), turned(poseAt(2.5), 0.9)), 1e-14);
    layer.muted = true;
    EXPECT_EQ(at(layer, 2.0), poseAt(2.0));
}

TEST(ALayer, WithoutFalloffBeginsAndEndsAtItsKeys) {
    Layer layer = threeKeys();
    layer.in = layer.out = 0.0;
    EXPECT_EQ(at(layer, 1.0 - 1e-9), poseAt(1.0 - 1e-9));
    EXPECT_GT(apart(at(layer, 1.0), poseAt(1.0)), 0.1);
    EXPECT_GT(apart(at(layer, 2.9), poseAt(2.9)), 0.1);
    EXPECT_EQ(at(layer, 2.9 + 1e-9), poseAt(2.9 + 1e-9));
}

TEST(ALayer, TurnsOnThroughMoreThanHalfARevolutionFromKeyToKey) {
    Layer layer;
    const Pose still{{{}}};
    for (int i = 0; i <= 4; ++i) {
        Pose pose = still;
        pose.parent_from_joint[0].rotation = quatExp(Vec3{0, 1.0 * i, 0});
        setKey(layer, i, still, pose);
    }
    for (double time = 1.0; time < 3.0; time += 0.1) {
        Pose pose = still;
        addLayer(layer, time, pose);
        EXPECT_LT(angleBetween(pose.parent_from_joint[0].rotation, quatExp(Vec3{0, time, 0})),
                  1e-6);
    }
}

TEST(ALayersKey, IsReplacedByOneOfTheSameTime) {
    Layer layer = threeKeys();
    setKey(layer, 2.0 + 1e-9, poseAt(2.0), poseAt(2.0));
    EXPECT_EQ(layer.keys.size(), 3u);
    EXPECT_LT(apart(at(layer, 2.0 + 1e-9), poseAt(2.0 + 1e-9)), 1e-8);
}

}  // namespace
}  // namespace ulna
