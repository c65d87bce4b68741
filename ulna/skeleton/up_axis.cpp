// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/up_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ulna/core/text.h"
#include "ulna/math/box.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// What speaks for y (above 0) or z (below), from -1 to 1, and how much it counts.
struct Vote {
    double value = 0.0;
    double weight = 0.0;
};

// How much smaller z's value is than y's, where the smaller one is the better; equal values and
// differences far below `least` decide nothing.
double compared(double y, double z, double least) {
    return (z - y) / (y + z + least);
}

// The body's extent at rest. A person is taller than deep; an animal on four legs is not, and so it
// counts little.
Vote voteOfExtent(const Box& box) {
    const double y = box.size().y, z = box.size().z;
    if (!(y + z > 0.0)) return {};
    constexpr double kMost = 2.0;  // a ratio that says all there is to say
    const double ratio = std::log(std::max(y, 1e-9 * z) / std::max(z, 1e-9 * y)) / std::log(kMost);
    return {std::clamp(ratio, -1.0, 1.0), 1.0};
}

bool isFoot(const std::string& name) {
    const std::string lower = lowerCase(name);
    for (const char* word : {"foot", "feet", "toe", "paw", "hoof", "ankle", "fetlock"})
        if (lower.find(word) != std::string::npos) return true;
    return false;
}

// The body is above the middle of its feet, on two legs and on four.
Vote voteOfFeet(const Skeleton& skeleton, const ModelPose& model) {
    Vec3 feet, rest;
    double foot_count = 0.0, rest_count = 0.0;
    for (const JointId j : skeleton.joints()) {
        const bool foot = isFoot(skeleton.name(j));
        (foot ? feet : rest) += model.position(j);
        (foot ? foot_count : rest_count) += 1.0;
    }
    if (foot_count < 2.0 || rest_count < 1.0) return {};
    const Vec3 up = rest / rest_count - feet / foot_count;
    // What is up is positive in every file that is known.
    const double y = std::max(0.0, up.y), z = std::max(0.0, up.z);
    if (!(y + z > 0.0)) return {};
    return {(y - z) / (y + z), 3.0};
}

// The ground holds what moves: the lowest joint stays at one height, while the body travels along
// the ground.
Vote voteOfGround(const std::vector<Box>& boxes, double size) {
    if (boxes.size() < 2 || !(size > 0.0)) return {};
    const auto spread = [&](double Vec3::*axis) {
        double low = 1e300, high = -1e300;
        for (const Box& box : boxes) {
            low = std::min(low, box.low.*axis);
            high = std::max(high, box.low.*axis);
        }
        return (high - low) / size;
    };
    constexpr double kStill = 0.05;  // of the size: clips in which nothing walks decide little
    return {compared(spread(&Vec3::y), spread(&Vec3::z), kStill), 2.0};
}

}  // namespace

UpGuess guessUp(const Skeleton& skeleton, std::span<const Pose> poses) {
    if (skeleton.planar() || skeleton.jointCount() == 0) return {UpAxis::Y, 1.0};
    const auto boxOf = [](const ModelPose& model) {
        Box box;
        for (const Affine& a : model.model_from_joint) box.add(a.translation());
        return box;
    };
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    const Box box = boxOf(rest);
    const double size = std::max({box.size().x, box.size().y, box.size().z});
    std::vector<Box> boxes;
    for (const Pose& pose : poses) boxes.push_back(boxOf(computeModelPose(skeleton, pose)));
    std::vector<Vote> votes = {voteOfExtent(box), voteOfFeet(skeleton, rest),
                               voteOfGround(boxes, size)};
    // A rest pose may lie where the clip stands.
    if (!poses.empty())
        votes.push_back(voteOfFeet(skeleton, computeModelPose(skeleton, poses.front())));
    double sum = 0.0, weight = 0.0;
    for (const Vote& vote : votes) {
        sum += vote.weight * vote.value;
        weight += vote.weight;
    }
    if (!(weight > 0.0)) return {UpAxis::Y, 0.0};
    const double score = sum / weight;
    // Most files have y up: what is undecided is y, and less sure.
    constexpr double kClearly = 0.25;
    const bool z = score < -kClearly;
    const double confidence =
        z ? -score : std::clamp((score + kClearly) / (1.0 + kClearly), 0.0, 1.0);
    return {z ? UpAxis::Z : UpAxis::Y, std::round(confidence * 100.0) / 100.0};
}

UpAxis guessUpAxis(const Skeleton& skeleton) {
    return guessUp(skeleton).up;
}

}  // namespace ulna
