// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/pack_grid.h"

#include <algorithm>
#include <cmath>

#include "ulna/core/parallel.h"

namespace ulna::motion::detail {
namespace {

// An integer of an end of a segment has a bit less than differences may have.
constexpr double kMostInteger = static_cast<double>(std::int32_t{1} << (kMostBits - 2));
constexpr double kWidestTurn = 0.25;  // of values of a quaternion
constexpr std::size_t kFramesPerChunk = 32;

double leverOf(const PackedJoint& joint, unsigned component) {
    switch (component) {
        case 0:
            return joint.lever;
        case 1:
            return 1.0;
        default:
            return joint.extent;
    }
}

Quat rotationBy(const Vec3& small) {
    return normalized(Quat{0.5 * small.x, 0.5 * small.y, 0.5 * small.z, 1.0});
}

// Rounds one frame after the other; each chunk has its own.
class FrameRounder {
  public:
    FrameRounder(const Skeleton& skeleton, const Motion& motion, const PackPlan& plan,
                 const std::vector<float>& steps, double reach)
        : squares(skeleton.jointCount(), 0.0),
          skeleton_(skeleton),
          motion_(motion),
          plan_(plan),
          steps_(steps),
          reach_(reach),
          pose_(motion.base()),
          true_(skeleton.jointCount()),
          rounded_(skeleton.jointCount()) {}

    // `to` is where the frame's first integer goes; channels are `stride` apart. May be null.
    void round(std::size_t frame, std::int32_t* to, std::size_t stride) {
        motion_.getPose(frame, pose_);
        for (const JointId j : skeleton_.joints()) roundJoint(j, to, stride);
    }

    std::vector<double> squares;  // of errors, by joint
    bool fits = true;

  private:
    struct At {
        Quat rotation = {};
        Vec3 position = {};
    };

    double put(std::size_t channel, double value, float step, std::int32_t* to,
               std::size_t stride) {
        const double whole = value / static_cast<double>(step);
        if (!(std::abs(whole) < kMostInteger)) {
            fits = false;
            return value;
        }
        const auto integer = static_cast<std::int32_t>(std::lrint(whole));
        if (to != nullptr) to[channel * stride] = integer;
        return static_cast<double>(static_cast<float>(integer) * step);
    }

    void roundJoint(JointId j, std::int32_t* to, std::size_t stride) {
        const PackedJoint& plan = plan_.joints[index(j)];
        const JointId parent = skeleton_.parent(j);
        const At above = parent == JointId::None ? At{} : true_[index(parent)];
        const At above_rounded = parent == JointId::None ? At{} : rounded_[index(parent)];
        const Trs& local = pose_[j];
        At& exact = true_[index(j)];
        At& out = rounded_[index(j)];
        exact.rotation = normalized(above.rotation * local.rotation);
        exact.position = above.position + rotate(above.rotation, local.translation);

        Vec3 offset = plan.constant.translation;
        if (plan.translation == PackedHow::Track) {
            offset = plan_.scales ? local.translation
                                  : rotate(conjugate(above_rounded.rotation),
                                           exact.position - above_rounded.position);
            const float step = steps_[plan.translation_channel];
            const std::size_t c = plan.translation_channel, next = plan.translation_stride;
            offset = {put(c, offset.x, step, to, stride), put(c + next, offset.y, step, to, stride),
                      put(c + 2 * next, offset.z, step, to, stride)};
        }
        out.position = above_rounded.position + rotate(above_rounded.rotation, offset);
        if (plan.rotation == PackedHow::Track || plan.rotation == PackedHow::Whole)
            out.rotation =
                above_rounded.rotation *
                roundRotation(plan, above_rounded.rotation, exact, out.position, local, to, stride);
        else
            out.rotation = above_rounded.rotation * plan.constant.rotation;
        if (plan.scale == PackedHow::Track) {
            const float step = steps_[plan.scale_channel];
            const std::size_t c = plan.scale_channel, next = plan.scale_stride;
            put(c, local.scale.x, step, to, stride);
            put(c + next, local.scale.y, step, to, stride);
            put(c + 2 * next, local.scale.z, step, to, stride);
        }
        const Vec3 off = out.position - exact.position;
        double& most = squares[index(j)];
        for (const Vec3& axis : {Vec3{reach_, 0, 0}, Vec3{0, reach_, 0}, Vec3{0, 0, reach_}}) {
            const Vec3 v = off + rotate(out.rotation, axis) - rotate(exact.rotation, axis);
            most = std::max(most, dot(v, v));
        }
    }

    Quat roundRotation(const PackedJoint& plan, const Quat& above, const At& exact,
                       const Vec3& position, const Trs& local, std::int32_t* to,
                       std::size_t stride) {
        Quat wanted = local.rotation;
        if (!plan_.scales) {
            const Vec3 off = rotate(conjugate(exact.rotation), position - exact.position);
            wanted = conjugate(above) * exact.rotation * rotationBy(plan.follow * off);
        }
        wanted = normalized(wanted);
        const float step = steps_[plan.rotation_channel];
        const std::size_t c = plan.rotation_channel, next = plan.rotation_stride;
        if (plan.rotation == PackedHow::Whole) {
            // The signs of the motion's own quaternions: they are made continuous beforehand.
            if (dot(wanted, local.rotation) < 0.0)
                wanted = {-wanted.x, -wanted.y, -wanted.z, -wanted.w};
            const double x = put(c, wanted.x, step, to, stride),
                         y = put(c + next, wanted.y, step, to, stride),
                         z = put(c + 2 * next, wanted.z, step, to, stride),
                         w = put(c + 3 * next, wanted.w, step, to, stride);
            return normalized(Quat{x, y, z, w});
        }
        Quat q = conjugate(plan.middle) * wanted;
        if (q.w < 0.0) q = {-q.x, -q.y, -q.z, -q.w};
        const double x = put(c, q.x, step, to, stride), y = put(c + next, q.y, step, to, stride),
                     z = put(c + 2 * next, q.z, step, to, stride);
        const double rest = 1.0 - (x * x + y * y + z * z);
        return plan.middle * Quat{x, y, z, std::sqrt(std::max(rest, 0.0))};
    }

    const Skeleton& skeleton_;
    const Motion& motion_;
    const PackPlan& plan_;
    const std::vector<float>& steps_;  // by channel
    double reach_;
    Pose pose_;
    std::vector<At> true_, rounded_;
};

}  // namespace

PackGrid makeGrid(const PackPlan& plan, double tolerance, double share,
                  const std::vector<double>& weights) {
    PackGrid out;
    std::vector<double> steps;
    for (std::size_t i = 0; i < plan.tracks.size(); ++i) {
        const PackPlan::Track& track = plan.tracks[i];
        const double step =
            share * tolerance * weights[i] / leverOf(plan.joints[track.joint], track.component);
        steps.push_back(track.component == 0 ? std::min(step, kWidestTurn) : step);
    }
    const double least = steps.empty() ? 1.0 : *std::min_element(steps.begin(), steps.end());
    // Steps that are over 2^16 times the least are made that.
    out.grid = static_cast<float>(std::ldexp(least, 8));
    for (const double step : steps) out.codes.push_back(packedCode(step * (1 + 1e-6), out.grid));
    return out;
}

RoundedFrames roundFrames(const Skeleton& skeleton, const Motion& motion, const PackPlan& plan,
                          const PackGrid& grid, const PackOptions& options, std::size_t every,
                          bool keep) {
    const std::size_t frames = motion.frameCount(), rounded = (frames + every - 1) / every;
    std::vector<float> steps(plan.channels);
    for (std::size_t i = 0; i < plan.tracks.size(); ++i) {
        const PackPlan::Track& track = plan.tracks[i];
        for (std::size_t c = 0; c < track.count; ++c)
            steps[track.channel + c * track.stride] = packedStep(grid.codes[i], grid.grid);
    }
    RoundedFrames out;
    if (keep) out.integers.resize(plan.channels * frames);
    const std::size_t chunks = (rounded + kFramesPerChunk - 1) / kFramesPerChunk;
    std::vector<std::vector<double>> squares(chunks);
    std::vector<std::uint8_t> fits(chunks, 1);
    parallelFor(rounded, kFramesPerChunk, options.threads, [&](std::size_t begin, std::size_t end) {
        FrameRounder rounder(skeleton, motion, plan, steps, options.reach);
        for (std::size_t i = begin; i < end; ++i)
            rounder.round(i * every, out.integers.empty() ? nullptr : &out.integers[i * every],
                          frames);
        squares[begin / kFramesPerChunk] = std::move(rounder.squares);
        fits[begin / kFramesPerChunk] = rounder.fits ? 1 : 0;
    });
    out.errors.assign(skeleton.jointCount(), 0.0);
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        for (std::size_t j = 0; j < out.errors.size(); ++j)
            out.errors[j] = std::max(out.errors[j], std::sqrt(squares[chunk][j]));
        out.fits = out.fits && fits[chunk] != 0;
    }
    return out;
}

}  // namespace ulna::motion::detail
