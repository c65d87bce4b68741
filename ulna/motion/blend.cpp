// SPDX-License-Identifier: Apache-2.0
//
// The mean of rotations is the one whose logarithms to all the others cancel (Karcher 1977), found
// by going along their weighted sum until it is zero.
#include "ulna/motion/blend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/motion/detail/changed.h"

namespace ulna {
namespace {

double weightOf(const PoseLayer& layer, std::size_t joint) {
    return layer.joint_weights.empty() ? layer.weight : layer.weight * layer.joint_weights[joint];
}

Vec3 ratio(const Vec3& a, const Vec3& b) {
    return {b.x != 0.0 ? a.x / b.x : 1.0, b.y != 0.0 ? a.y / b.y : 1.0,
            b.z != 0.0 ? a.z / b.z : 1.0};
}

// A share of a ratio of scales: shares multiply to the whole. A ratio that changes the sign of a
// scale has no such shares, and goes straight.
double shareOf(double ratio, double weight) {
    return ratio > 0.0 ? std::pow(ratio, weight) : 1.0 + (ratio - 1.0) * weight;
}

// A layer's pose at a share of the whole blend's time.
Pose layerPose(const MotionLayer& layer, double time, double share, bool match_lengths) {
    return samplePose(*layer.motion, match_lengths ? share * layer.motion->duration() : time);
}

Diagnostic problem(std::string what) {
    return {.what = std::move(what)};
}

Status check(std::span<const MotionLayer> layers) {
    double sum = 0.0;
    for (const MotionLayer& layer : layers) {
        ULNA_ASSERT(layer.motion != nullptr, "a layer needs a clip");
        ULNA_ASSERT(layer.additive || layer.weight >= 0.0, "weights are not negative");
        const std::size_t joints = layers[0].motion->jointCount();
        if (layer.motion->jointCount() != joints)
            return problem("the clips are of different skeletons");
        if (layer.motion->frameCount() == 0) return problem("a clip has no frames");
        if (!layer.joint_weights.empty() && layer.joint_weights.size() != joints)
            return problem("a layer's joint weights are not one per joint");
        if (!layer.additive) sum += layer.weight;
    }
    if (!(sum > 0.0)) return problem("the weights of the layers sum to zero");
    return Done{};
}

}  // namespace

Quat meanRotation(std::span<const Quat> rotations, std::span<const double> weights) {
    ULNA_ASSERT(rotations.size() == weights.size(), "each rotation needs a weight");
    const auto heaviest = std::max_element(weights.begin(), weights.end());
    ULNA_ASSERT(heaviest != weights.end() && *heaviest > 0.0, "the weights sum to zero");
    double total = 0.0;
    for (const double w : weights) total += w;
    Quat mean = rotations[static_cast<std::size_t>(heaviest - weights.begin())];
    // Converges in a few steps unless rotations are 180 degrees apart, where any mean is as good.
    for (int step = 0; step < 50; ++step) {
        Vec3 towards;
        for (std::size_t i = 0; i < rotations.size(); ++i)
            if (weights[i] > 0.0) towards += quatLog(conjugate(mean) * rotations[i]) * weights[i];
        towards = towards / total;
        mean = normalized(mean * quatExp(towards));
        if (length(towards) < 1e-15) break;
    }
    return mean;
}

Pose blendPoses(std::span<const PoseLayer> layers) {
    ULNA_ASSERT(!layers.empty(), "a blend needs a layer");
    Pose out = *layers[0].pose;
    std::vector<Quat> rotations(layers.size());
    std::vector<double> weights(layers.size());
    for (std::size_t j = 0; j < out.parent_from_joint.size(); ++j) {
        double total = 0.0;
        Vec3 translation, scale;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            ULNA_ASSERT(layers[i].pose->parent_from_joint.size() == out.parent_from_joint.size(),
                        "the poses are of different skeletons");
            const Trs& at = layers[i].pose->parent_from_joint[j];
            weights[i] = weightOf(layers[i], j);
            ULNA_ASSERT(weights[i] >= 0.0, "weights are not negative");
            rotations[i] = at.rotation;
            translation += at.translation * weights[i];
            scale += at.scale * weights[i];
            total += weights[i];
        }
        if (!(total > 0.0)) continue;
        out.parent_from_joint[j] = {translation / total, scale / total,
                                    meanRotation(rotations, weights)};
    }
    return out;
}

Pose poseDifference(const Pose& reference, const Pose& pose) {
    Pose out = pose;
    for (std::size_t j = 0; j < out.parent_from_joint.size(); ++j) {
        const Trs& from = reference.parent_from_joint[j];
        Trs& to = out.parent_from_joint[j];
        to = {to.translation - from.translation, ratio(to.scale, from.scale),
              conjugate(from.rotation) * to.rotation};
    }
    return out;
}

void addDifference(const Pose& difference, double weight, std::span<const double> joint_weights,
                   Pose& pose) {
    for (std::size_t j = 0; j < pose.parent_from_joint.size(); ++j) {
        const Trs& by = difference.parent_from_joint[j];
        Trs& at = pose.parent_from_joint[j];
        const double w = joint_weights.empty() ? weight : weight * joint_weights[j];
        at.translation += by.translation * w;
        at.scale = scaled(
            at.scale, Vec3{shareOf(by.scale.x, w), shareOf(by.scale.y, w), shareOf(by.scale.z, w)});
        at.rotation = at.rotation * quatExp(quatLog(by.rotation) * w);
    }
}

double blendedDuration(std::span<const MotionLayer> layers, bool match_lengths) {
    double longest = 0.0, sum = 0.0, weights = 0.0;
    for (const MotionLayer& layer : layers) {
        longest = std::max(longest, layer.motion->duration());
        if (layer.additive) continue;
        sum += layer.weight * layer.motion->duration();
        weights += layer.weight;
    }
    return match_lengths ? sum / weights : longest;
}

Result<Motion> blendMotions(std::span<const MotionLayer> layers, const BlendOptions& options) {
    if (const Status status = check(layers); !status) return status.error();
    const Motion& first = *layers[0].motion;
    const double frame_time = options.frame_time > 0.0 ? options.frame_time : first.frameTime();
    const double duration = blendedDuration(layers, options.match_lengths);
    const Result<std::size_t> frames = motion::detail::frameCountFor(duration, frame_time);
    if (!frames) return frames.error();
    MotionTracks tracks = first.tracks();
    for (const MotionLayer& layer : layers)
        tracks = united(std::move(tracks), motion::detail::commonTracks(first, *layer.motion));
    std::vector<Pose> poses(layers.size());
    return motion::detail::makeMotion(
        first, *frames, frame_time, std::move(tracks), [&](std::size_t frame, Pose& pose) {
            const double time = std::min(static_cast<double>(frame) * frame_time, duration);
            const double share = duration > 0.0 ? time / duration : 0.0;
            std::vector<PoseLayer> mixed;
            for (std::size_t i = 0; i < layers.size(); ++i) {
                poses[i] = layerPose(layers[i], time, share, options.match_lengths);
                if (!layers[i].additive)
                    mixed.push_back({&poses[i], layers[i].weight, layers[i].joint_weights});
            }
            pose = blendPoses(mixed);
            for (std::size_t i = 0; i < layers.size(); ++i) {
                if (!layers[i].additive) continue;
                addDifference(poseDifference(layers[i].motion->pose(0), poses[i]), layers[i].weight,
                              layers[i].joint_weights, pose);
            }
        });
}

}  // namespace ulna
