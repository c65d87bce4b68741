// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/float_blend.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "support/allocations.h"
#include "ulna/math/random.h"

namespace ulna {
namespace {

Quat widened(const Quatf& q) {
    return {q.x, q.y, q.z, q.w};
}
Vec3 widened(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

FloatPose randomPose(std::size_t joints, Random& random) {
    FloatPose out(joints);
    for (std::size_t i = 0; i < joints; ++i) {
        const Quat q = random.rotation();
        out.setRotation(jointId(i), {static_cast<float>(q.x), static_cast<float>(q.y),
                                     static_cast<float>(q.z), static_cast<float>(q.w)});
        out.setTranslation(jointId(i), cast<float>(random.direction()));
        out.setScale(jointId(i), cast<float>(random.direction() * 0.2 + Vec3{1, 1, 1}));
    }
    return out;
}

// The formula of the header, joint by joint in double.
Trs blended(std::span<const BlendLayer> layers, JointId j) {
    const Quat first = widened(layers[0].pose->rotation(j));
    double sum = 0.0;
    Trs out{{}, {}, {0, 0, 0, 0}};
    for (const BlendLayer& layer : layers) {
        double w = layer.weight;
        if (!layer.joint_weights.empty()) w *= layer.joint_weights[index(j)];
        sum += w;
        out.translation += widened(layer.pose->translation(j)) * w;
        out.scale += widened(layer.pose->scale(j)) * w;
        const Quat q = widened(layer.pose->rotation(j));
        const double s = dot(q, first) < 0.0 ? -w : w;
        out.rotation = {out.rotation.x + q.x * s, out.rotation.y + q.y * s,
                        out.rotation.z + q.z * s, out.rotation.w + q.w * s};
    }
    out.translation *= 1.0 / sum;
    out.scale *= 1.0 / sum;
    out.rotation = normalized(out.rotation);
    return out;
}

void expectJoint(const FloatPose& pose, JointId j, const Trs& exact) {
    const Quat q = widened(pose.rotation(j));
    EXPECT_LE(angleBetween(exact.rotation, q), 1e-7) << "joint " << index(j);
    EXPECT_NEAR(dot(q, q), 1.0, 3e-7);
    EXPECT_LT(distance(widened(pose.translation(j)), exact.translation), 5e-7);
    EXPECT_LT(distance(widened(pose.scale(j)), exact.scale), 5e-7);
}

void expectBlended(std::span<const BlendLayer> layers) {
    const std::size_t joints = layers[0].pose->jointCount();
    FloatPose out(joints);
    blendPoses(layers, out);
    for (std::size_t i = 0; i < joints; ++i)
        expectJoint(out, jointId(i), blended(layers, jointId(i)));
}

TEST(FloatBlend, OfTwoIsNlerpInDoubleRoundedOnce) {
    Random random(1);
    for (const std::size_t joints : {1U, 7U, 8U, 9U, 65U}) {
        for (int i = 0; i < 300; ++i) {
            const FloatPose a = randomPose(joints, random), b = randomPose(joints, random);
            const float t = static_cast<float>(random.unit());
            const BlendLayer layers[] = {{&a, 1.0f - t}, {&b, t}};
            expectBlended(layers);
        }
    }
}

TEST(FloatBlend, OfManyWithMasksIsTheWeightedMean) {
    Random random(2);
    for (std::size_t count = 1; count <= 6; ++count) {
        for (int i = 0; i < 100; ++i) {
            std::vector<FloatPose> poses;
            std::vector<std::vector<float>> masks(count);
            for (std::size_t k = 0; k < count; ++k) {
                poses.push_back(randomPose(21, random));
                for (std::size_t j = 0; j < 21; ++j)
                    masks[k].push_back(static_cast<float>(random.between(0.01, 1.0)));
            }
            std::vector<BlendLayer> layers;
            for (std::size_t k = 0; k < count; ++k) {
                layers.push_back({&poses[k], static_cast<float>(random.between(0.01, 5.0))});
                if (k % 2 == 0) layers.back().joint_weights = masks[k];
            }
            expectBlended(layers);
        }
    }
}

TEST(FloatBlend, DoesSoOnEveryVectorUnitOfTheMachine) {
    Random random(3);
    const FloatPose a = randomPose(21, random), b = randomPose(21, random),
                    c = randomPose(21, random);
    const BlendLayer layers[] = {{&a, 0.3f}, {&b, 0.7f}, {&c, 0.4f}};
    for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
        hwy::SetSupportedTargetsForTest(rest & -rest);
        hwy::GetChosenTarget().DeInit();
        expectBlended(layers);
        expectBlended(std::span(layers, 2));
        FloatPose back = b;
        addLayer({.pose = &c}, back);
        for (std::size_t i = 0; i < 21; ++i) {
            const Quat product = widened(b.rotation(jointId(i))) * widened(c.rotation(jointId(i)));
            EXPECT_LE(angleBetween(normalized(product), widened(back.rotation(jointId(i)))), 1e-7);
        }
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
}

TEST(FloatBlend, TakesTheNearerSignSoThatEqualRotationsDoNotCancel) {
    Random random(4);
    const FloatPose a = randomPose(5, random);
    FloatPose b = a;
    for (std::size_t j = 0; j < 5; ++j) b.setRotation(jointId(j), -a.rotation(jointId(j)));
    FloatPose out(5);
    const BlendLayer layers[] = {{&a, 1.0f}, {&b, 1.0f}, {&b, 1.0f}};
    for (const std::size_t count : {2U, 3U}) {
        blendPoses(std::span(layers, count), out);
        for (std::size_t j = 0; j < 5; ++j) {
            const Quat q = widened(out.rotation(jointId(j)));
            EXPECT_LE(angleBetween(normalized(widened(a.rotation(jointId(j)))), q), 1e-7);
        }
    }
}

TEST(FloatBlend, WithoutAnyWeightIsTheFirstPose) {
    Random random(5);
    const FloatPose a = randomPose(9, random), b = randomPose(9, random), c = randomPose(9, random);
    const std::vector<float> none(9, 0.0f);
    FloatPose out(9);
    const auto expectFirst = [&](std::vector<BlendLayer> layers) {
        blendPoses(layers, out);
        for (std::size_t j = 0; j < 9; ++j) {
            EXPECT_LE(angleBetween(normalized(widened(a.rotation(jointId(j)))),
                                   widened(out.rotation(jointId(j)))),
                      1e-7);
            EXPECT_EQ(out.translation(jointId(j)), a.translation(jointId(j)));
            EXPECT_EQ(out.scale(jointId(j)), a.scale(jointId(j)));
        }
    };
    expectFirst({{&a, 0.0f}});
    expectFirst({{&a, 0.0f}, {&b, 0.0f}});
    expectFirst({{&a, 1.0f, none}, {&b, 0.0f}, {&c, 5.0f, none}});
}

TEST(FloatBlend, IsTheFirstRotationWhereTheSumOfQuaternionsVanishes) {
    FloatPose a(1), b(1), c(1), out(1);
    b.setRotation(jointId(0), {1, 0, 0, 0});
    c.setRotation(jointId(0), {-1, 0, 0, 0});
    const BlendLayer layers[] = {{&a, 0.0f}, {&b, 1.0f}, {&c, 1.0f}};
    blendPoses(layers, out);
    const Quatf q = out.rotation(jointId(0));
    // Half turns either way are the same rotation; which sign they take is all the same here.
    EXPECT_TRUE((q == Quatf{0, 0, 0, 1}) || q.x == 1.0f || q.x == -1.0f);
}

TEST(FloatBlend, WithAllWeightOnOneIsThatPose) {
    Random random(6);
    const FloatPose a = randomPose(9, random), b = randomPose(9, random);
    FloatPose out(9);
    const BlendLayer layers[] = {{&a, 0.0f}, {&b, 0.5f}};
    blendPoses(layers, out);
    for (std::size_t j = 0; j < 9; ++j) {
        const Quat exact = normalized(widened(b.rotation(jointId(j))));
        EXPECT_LE(angleBetween(exact, widened(out.rotation(jointId(j)))), 1e-7);
        EXPECT_EQ(out.translation(jointId(j)), b.translation(jointId(j)));
    }
}

TEST(FloatBlend, MayWriteIntoOneOfItsLayers) {
    Random random(7);
    const FloatPose a = randomPose(21, random), b = randomPose(21, random),
                    c = randomPose(21, random);
    for (const std::size_t count : {2U, 3U}) {
        for (std::size_t into = 0; into < count; ++into) {
            FloatPose poses[] = {a, b, c};
            const BlendLayer layers[] = {{&poses[0], 0.3f}, {&poses[1], 0.6f}, {&poses[2], 0.2f}};
            FloatPose apart(21);
            blendPoses(std::span(layers, count), apart);
            blendPoses(std::span(layers, count), poses[into]);
            EXPECT_EQ(poses[into], apart);
        }
    }
}

TEST(FloatBlend, AddsADifferenceBackToItsReference) {
    Random random(8);
    const FloatPose pose = randomPose(21, random), reference = randomPose(21, random);
    const FloatPose difference = makeAdditive(pose, reference);
    FloatPose out = reference;
    addLayer({.pose = &difference}, out);
    for (std::size_t i = 0; i < 21; ++i) {
        const JointId j = jointId(i);
        // The difference was rounded too.
        EXPECT_LE(angleBetween(normalized(widened(pose.rotation(j))), widened(out.rotation(j))),
                  3e-7);
        EXPECT_LT(distance(widened(out.translation(j)), widened(pose.translation(j))), 5e-7);
        EXPECT_LT(distance(widened(out.scale(j)), widened(pose.scale(j))), 5e-7);
    }
}

TEST(FloatBlend, AddsPartOfADifferenceJointByJoint) {
    Random random(9);
    const FloatPose difference = randomPose(11, random), base = randomPose(11, random);
    std::vector<float> mask;
    for (int i = 0; i < 11; ++i) mask.push_back(static_cast<float>(i) / 10.0f);
    FloatPose out = base;
    addLayer({&difference, 0.7f, mask}, out);
    for (std::size_t i = 0; i < 11; ++i) {
        const JointId j = jointId(i);
        const double w = static_cast<double>(0.7f) * static_cast<double>(mask[i]);
        Quat turn = widened(difference.rotation(j));
        if (turn.w < 0.0) turn = -turn;
        turn = normalized(Quat{turn.x * w, turn.y * w, turn.z * w, turn.w * w + 1.0 - w});
        const Vec3 one{1, 1, 1};
        const Trs exact{
            widened(base.translation(j)) + widened(difference.translation(j)) * w,
            scaled(widened(base.scale(j)), one + (widened(difference.scale(j)) - one) * w),
            normalized(widened(base.rotation(j)) * turn)};
        expectJoint(out, j, exact);
    }
}

TEST(FloatBlend, TakesADifferenceOfScaleFromZeroAsNone) {
    FloatPose pose(1), reference(1);
    reference.setScale(jointId(0), {0, 1, 2});
    EXPECT_EQ(makeAdditive(pose, reference).scale(jointId(0)), (Vec3f{1, 1, 0.5f}));
}

TEST(FloatBlend, AllocatesNothing) {
    Random random(10);
    const FloatPose a = randomPose(21, random), b = randomPose(21, random);
    const std::vector<float> mask(21, 0.5f);
    const BlendLayer layers[] = {{&a, 0.3f}, {&b, 0.7f}, {&a, 0.5f, mask}};
    FloatPose out(21);
    const long before = test::allocationCount();
    blendPoses(std::span(layers, 2), out);
    blendPoses(layers, out);
    addLayer(layers[2], out);
    EXPECT_EQ(test::allocationCount(), before);
}

}  // namespace
}  // namespace ulna
