// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/measure.h"

#include <algorithm>
#include <limits>

#include "ulna/core/parallel.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::motion::detail {

std::vector<MeasuredPoint> measuredPoints(const Skeleton& skeleton, const Motion& motion,
                                          double beside) {
    std::vector<bool> turns(skeleton.jointCount(), false);
    for (const JointId j : motion.tracks().rotated) turns[index(j)] = true;
    std::vector<MeasuredPoint> out;
    for (const JointId j : skeleton.joints()) {
        const Vec3& tip = skeleton.tip(j);
        const bool has_bone = skeleton.boneLength(j) > 0.0;
        out.push_back({j, {}});
        if (has_bone) out.push_back({j, tip});
        if (!turns[index(j)] || !(beside > 0.0)) continue;
        const Vec3 along = normalizedOr(tip, Vec3{0, 1, 0});
        const Vec3 across = anyPerpendicular(along);
        out.push_back({j, tip * 0.5 + across * beside});
        if (!has_bone) out.push_back({j, along * beside});
    }
    return out;
}

void addOutermost(const std::vector<MeasuredPoint>& points, const ModelPose& model,
                  std::vector<MeasuredPoint>& out) {
    constexpr std::size_t kMost = 8;
    if (points.size() <= kMost) {
        out.insert(out.end(), points.begin(), points.end());
        return;
    }
    // One after another, the one farthest from those there are.
    std::vector<double> away(points.size(), std::numeric_limits<double>::infinity());
    std::size_t next = 0;
    for (std::size_t i = 0; i < kMost; ++i) {
        out.push_back(points[next]);
        const Vec3 chosen = model[points[next].joint] * points[next].position;
        for (std::size_t k = 0; k < points.size(); ++k) {
            const Vec3 at = model[points[k].joint] * points[k].position;
            away[k] = std::min(away[k], distance(at, chosen));
        }
        next = static_cast<std::size_t>(std::max_element(away.begin(), away.end()) - away.begin());
    }
}

double meanBoneLength(const Skeleton& skeleton) {
    double sum = 0.0;
    int count = 0;
    for (const JointId j : skeleton.joints()) {
        const double length = skeleton.boneLength(j);
        sum += length;
        count += length > 0.0 ? 1 : 0;
    }
    return count == 0 ? 0.0 : sum / count;
}

std::vector<double> measureReach(const Skeleton& skeleton, const Motion& motion,
                                 const std::vector<MeasuredPoint>& points) {
    std::vector<double> out(skeleton.jointCount(), 0.0);
    constexpr std::size_t kFrames = 16;
    const std::size_t step = std::max<std::size_t>(1, motion.frameCount() / kFrames);
    ModelPose model;
    for (std::size_t f = 0; f < motion.frameCount(); f += step) {
        computeModelPose(skeleton, motion.pose(f), model);
        for (const MeasuredPoint& point : points) {
            const Vec3 at = model[point.joint] * point.position;
            for (JointId j = point.joint; j != JointId::None; j = skeleton.parent(j))
                out[index(j)] = std::max(out[index(j)], distance(at, model.position(j)));
        }
    }
    return out;
}

void ClipCheck::forget(std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f <= std::min(end, stale_.size() - 1); ++f) stale_[f] = 1;
}

void ClipCheck::measure(const Skeleton& skeleton, const Motion& motion, const KeyedMotion& keyed,
                        const std::vector<MeasuredPoint>& points, unsigned threads) {
    const std::size_t frames = worst_.size();
    constexpr std::size_t kChunk = 16;
    const auto stale = static_cast<std::size_t>(std::count(stale_.begin(), stale_.end(), 1));
    poses_computed_ += 2 * (kBetween + 1) * stale;
    parallelFor(frames, kChunk, threads, [&](std::size_t begin, std::size_t end) {
        Pose pose;
        ModelPose wanted, got;
        for (std::size_t f = begin; f < end; ++f) {
            if (stale_[f] == 0) continue;
            Worst& worst = worst_[f];
            worst = {};
            const std::size_t times = f + 1 < frames ? kBetween + 1 : 1;
            for (std::size_t k = 0; k < times; ++k) {
                const double part = static_cast<double>(k) / static_cast<double>(kBetween + 1);
                const double time = (static_cast<double>(f) + part) * motion.frameTime();
                computeModelPose(skeleton, samplePose(motion, time), wanted);
                samplePose(keyed, time, pose);
                computeModelPose(skeleton, pose, got);
                for (const MeasuredPoint& point : points) {
                    const double off = distance(wanted[point.joint] * point.position,
                                                got[point.joint] * point.position);
                    // Written so that what is not a number counts as off.
                    if (!(off <= worst.error) || worst.joint == JointId::None)
                        worst = {off, point.joint, time};
                }
            }
            stale_[f] = 0;
        }
    });
}

ClipCheck::Worst ClipCheck::worst() const {
    Worst out;
    for (const Worst& at : worst_)
        if (!(at.error <= out.error) || out.joint == JointId::None) out = at;
    return out;
}

}  // namespace ulna::motion::detail
