// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/float_blend.h"

#include <algorithm>
#include <cmath>

#include "ulna/core/assert.h"
#include "ulna/motion/detail/float_simd.h"

namespace ulna {
namespace {

[[maybe_unused]] bool isWeight(float weight) {
    return weight >= 0.0f && std::isfinite(weight);
}

void check([[maybe_unused]] const BlendLayer& layer, [[maybe_unused]] const FloatPose& out) {
    ULNA_ASSERT(layer.pose != nullptr, "a layer has no pose");
    ULNA_ASSERT(layer.pose->jointCount() == out.jointCount(), "a layer's pose has other joints");
    ULNA_ASSERT(layer.joint_weights.empty() || layer.joint_weights.size() == out.jointCount(),
                "a layer's joint weights are not one for each joint");
    ULNA_ASSERT(isWeight(layer.weight) &&
                    std::all_of(layer.joint_weights.begin(), layer.joint_weights.end(), isWeight),
                "a layer's weight is negative or not finite");
}

Quat widened(const Quatf& q) {
    return {q.x, q.y, q.z, q.w};
}

float ratio(float to, float from) {
    return from == 0.0f ? 1.0f : to / from;
}

}  // namespace

void blendPoses(std::span<const BlendLayer> layers, FloatPose& out) {
    ULNA_ASSERT(!layers.empty(), "there is nothing to blend");
    for (const BlendLayer& layer : layers) check(layer, out);
    if (layers.size() == 2 && layers[0].joint_weights.empty() && layers[1].joint_weights.empty()) {
        const double sum = static_cast<double>(layers[0].weight) + layers[1].weight;
        if (sum > 0.0) {
            return motion::detail::blendTwo(*layers[0].pose, layers[0].weight / sum,
                                            *layers[1].pose, layers[1].weight / sum, out);
        }
    }
    motion::detail::blendMany(layers, out);
}

FloatPose makeAdditive(const FloatPose& pose, const FloatPose& reference) {
    ULNA_ASSERT(pose.jointCount() == reference.jointCount(), "the poses have other joints");
    FloatPose out(pose.jointCount());
    for (const JointId j : JointRange(0, pose.jointCount())) {
        const Quat q =
            normalized(conjugate(widened(reference.rotation(j))) * widened(pose.rotation(j)));
        out.setRotation(j, {static_cast<float>(q.x), static_cast<float>(q.y),
                            static_cast<float>(q.z), static_cast<float>(q.w)});
        out.setTranslation(j, pose.translation(j) - reference.translation(j));
        const Vec3f to = pose.scale(j);
        const Vec3f from = reference.scale(j);
        out.setScale(j, {ratio(to.x, from.x), ratio(to.y, from.y), ratio(to.z, from.z)});
    }
    return out;
}

void addLayer(const BlendLayer& layer, FloatPose& pose) {
    check(layer, pose);
    motion::detail::addDelta(layer, pose);
}

}  // namespace ulna
