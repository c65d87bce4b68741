// SPDX-License-Identifier: Apache-2.0
//
// Rounding is off by about as much as the grid is wide, so the grid that just keeps the tolerance
// is found in a few steps; which joint may have how wide a grid is found on some of the frames.
#include "ulna/motion/pack.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/core/parallel.h"
#include "ulna/motion/detail/pack_grid.h"
#include "ulna/motion/detail/pack_plan.h"
#include "ulna/motion/detail/pack_write.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace motion::detail;

constexpr double kFirstShare = 0.4;     // of the tolerance, that a track is off by at first
constexpr int kWeighings = 4;           // how often weights of tracks are mended
constexpr std::size_t kWeighed = 200;   // on so many frames
constexpr std::size_t kSearched = 400;  // the width of all is found on so many
constexpr double kAim = 0.985;          // of the tolerance: between frames it may be a little more
constexpr double kNearAim = 0.98, kNearTolerance = 0.93;
constexpr int kMostSearches = 8;
constexpr int kMostAttempts = 8;
constexpr std::size_t kBetween = 4;  // measured at every frame, and at three times up to the next
constexpr std::size_t kFramesPerChunk = 16;  // as a segment: each is unpacked once

double worstOf(const std::vector<double>& errors) {
    return errors.empty() ? 0.0 : *std::max_element(errors.begin(), errors.end());
}

// Every how many frames one is taken, to have about as many as wanted.
std::size_t everyOf(const Motion& motion, std::size_t wanted) {
    return std::max<std::size_t>(1, motion.frameCount() / wanted);
}

// Every track gets as wide a grid as leaves what it moves inside the tolerance.
std::vector<double> weighTracks(const Skeleton& skeleton, const Motion& motion,
                                const PackPlan& plan, const PackOptions& options) {
    std::vector<double> weights(plan.tracks.size(), 1.0);
    const std::size_t every = everyOf(motion, kWeighed);
    for (int round = 0; round < kWeighings; ++round) {
        const PackGrid grid = makeGrid(plan, options.tolerance, kFirstShare, weights);
        const RoundedFrames rounded =
            roundFrames(skeleton, motion, plan, grid, options, every, false);
        for (std::size_t i = 0; i < plan.tracks.size(); ++i) {
            const PackPlan::Track& track = plan.tracks[i];
            double most = rounded.errors[track.joint];
            if (track.component == 0)
                for (const JointId j : plan.joints[track.joint].carried)
                    most = std::max(most, rounded.errors[index(j)]);
            const double ratio = options.tolerance / std::max(most, 1e-3 * options.tolerance);
            weights[i] *= track.component == 0 ? std::clamp(std::sqrt(ratio), 0.5, 2.0)
                                               : std::clamp(std::sqrt(std::sqrt(ratio)), 0.7, 1.4);
        }
    }
    return weights;
}

// How wide a grid keeps so much of the tolerance. The error is about in proportion to it, but for a
// joint that happens to be rounded well or badly.
double widestShare(const Skeleton& skeleton, const Motion& motion, const PackPlan& plan,
                   const std::vector<double>& weights, const PackOptions& options, double share,
                   double aim) {
    const std::size_t every = everyOf(motion, kSearched);
    double keeps = 0.0, breaks = 1e300, keeps_error = 0.0;
    for (int search = 0; search < kMostSearches && !plan.tracks.empty(); ++search) {
        const PackGrid grid = makeGrid(plan, options.tolerance, share, weights);
        const RoundedFrames rounded =
            roundFrames(skeleton, motion, plan, grid, options, every, false);
        const double error = worstOf(rounded.errors) / (aim * options.tolerance);
        if (error > 1.0 || !rounded.fits) {
            breaks = std::min(breaks, share);
        } else if (share > keeps) {
            keeps = share;
            keeps_error = error;
        }
        if (keeps > 0.0 && (keeps_error > kNearAim || breaks < keeps / kNearAim)) break;
        if (keeps > 0.0 && breaks < 1e300)
            share = std::sqrt(keeps * breaks);
        else
            share *= std::clamp((error > 1.0 ? 0.97 : 0.995) / error, 0.25, 4.0);
    }
    return keeps > 0.0 ? keeps : share;
}

// As samplePose of a Motion between two of its frames.
void blendFrames(const MotionTracks& tracks, const Pose& a, const Pose& b, double t, Pose& out) {
    for (const JointId j : tracks.rotated) out[j].rotation = slerp(a[j].rotation, b[j].rotation, t);
    for (const JointId j : tracks.translated)
        out[j].translation = a[j].translation * (1.0 - t) + b[j].translation * t;
    for (const JointId j : tracks.scaled) out[j].scale = a[j].scale * (1.0 - t) + b[j].scale * t;
}

// The largest distance of points around joints between the clip and the motion.
double measure(const Skeleton& skeleton, const Motion& motion, const PackedClip& clip,
               const PackOptions& options) {
    const std::size_t frames = motion.frameCount();
    std::vector<double> worst((frames + kFramesPerChunk - 1) / kFramesPerChunk, 0.0);
    parallelFor(frames, kFramesPerChunk, options.threads, [&](std::size_t begin, std::size_t end) {
        PackedPlayer player(clip);
        FloatPose sampled(skeleton.jointCount());
        Pose pose = motion.base(), now = pose, next = pose, packed = pose;
        ModelPose model, packed_model;
        double most = 0.0;
        motion.getPose(begin, next);
        for (std::size_t frame = begin; frame < end; ++frame) {
            std::swap(now, next);
            const bool last = frame + 1 == frames;
            if (!last) motion.getPose(frame + 1, next);
            for (std::size_t k = 0; k < (last ? 1 : kBetween); ++k) {
                const double t = static_cast<double>(k) / kBetween;
                if (k == 0)
                    pose = now;
                else
                    blendFrames(motion.tracks(), now, next, t, pose);
                player.sample((static_cast<double>(frame) + t) * motion.frameTime(), sampled);
                toPose(sampled, packed);
                computeModelPose(skeleton, pose, model);
                computeModelPose(skeleton, packed, packed_model);
                for (const JointId j : skeleton.joints()) {
                    const Affine &a = model[j], &b = packed_model[j];
                    const Vec3 off = b.translation() - a.translation();
                    for (std::size_t axis = 0; axis < 3; ++axis)
                        most = std::max(
                            most, length(off + (b.column(axis) - a.column(axis)) * options.reach));
                }
            }
        }
        worst[begin / kFramesPerChunk] = most;
    });
    return worstOf(worst);
}

// The same motion, with quaternions that have the sign of the frame before.
Motion continuous(const Motion& motion) {
    Motion out = motion;
    Pose before = motion.base(), pose = before;
    for (std::size_t frame = 0; frame < motion.frameCount(); ++frame) {
        motion.getPose(frame, pose);
        for (const JointId j : motion.tracks().rotated) {
            Quat& q = pose[j].rotation;
            if (frame > 0 && dot(before[j].rotation, q) < 0.0) q = {-q.x, -q.y, -q.z, -q.w};
        }
        out.setPose(frame, pose);
        std::swap(before, pose);
    }
    return out;
}

PackedMotion readBack(const Skeleton& skeleton, std::string bytes) {
    PackedMotion out;
    out.report.bytes = bytes.size();
    auto owner = std::make_shared<const std::string>(std::move(bytes));
    Result<PackedClip> clip = PackedClip::read(*owner, skeleton, owner);
    ULNA_ASSERT(clip.ok(), "what was packed cannot be read");
    out.clip = *std::move(clip);
    return out;
}

Diagnostic tooSmall(double tolerance) {
    return {.what = "so small a distance cannot be kept in so large a motion",
            .text = std::to_string(tolerance),
            .advice = "allow a larger one"};
}

}  // namespace

Result<PackedMotion> packClip(const Skeleton& skeleton, const Motion& motion,
                              const PackOptions& options, const Progress& progress) {
    ULNA_ASSERT(motion.frameCount() > 0, "the motion has no frames");
    ULNA_ASSERT(motion.jointCount() == skeleton.jointCount(),
                "the motion has other joints than the skeleton");
    ULNA_ASSERT(options.tolerance > 0.0 && options.reach > 0.0,
                "the tolerance and the reach have to be above 0");
    const auto goesOn = [&](double done) { return !progress || progress(done); };
    const Diagnostic cancelled{.what = "packing was cancelled"};
    Result<PackPlan> plan = makePackPlan(skeleton, motion, options);
    if (!plan) return plan.error();
    const bool whole = std::any_of(plan->joints.begin(), plan->joints.end(), [](const auto& joint) {
        return joint.rotation == PackedHow::Whole;
    });
    std::optional<Motion> signs;
    if (whole) signs = continuous(motion);
    const Motion& from = signs ? *signs : motion;
    if (!goesOn(0.1)) return cancelled;

    const std::vector<double> weights = weighTracks(skeleton, from, *plan, options);
    if (!goesOn(0.2)) return cancelled;
    // Between frames the error may be larger than at them, above all where a joint turns by nearly
    // half a revolution from one to the next: the aim at frames is then lowered.
    double share = kFirstShare, aim = kAim, breaks = 0.0;
    std::optional<PackedMotion> best;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
        share = widestShare(skeleton, from, *plan, weights, options, share, aim);
        PackGrid grid;
        RoundedFrames rounded;
        for (int search = 0; search < kMostSearches; ++search) {
            grid = makeGrid(*plan, options.tolerance, share, weights);
            rounded = roundFrames(skeleton, from, *plan, grid, options, 1, true);
            const double error = worstOf(rounded.errors) / (aim * options.tolerance);
            if (error <= 1.0) break;
            share *= 0.99 / error;
        }
        if (!rounded.fits) return tooSmall(options.tolerance);
        if (!goesOn(0.2 + 0.4 * (attempt + 1) / kMostAttempts)) return cancelled;
        std::optional<std::string> bytes =
            writePacked(skeleton, from, *plan, grid, rounded.integers, options);
        if (!bytes) return tooSmall(options.tolerance);
        PackedMotion packed = readBack(skeleton, *std::move(bytes));
        packed.report.worst_error = measure(skeleton, from, packed.clip, options);
        const double ratio = options.tolerance / packed.report.worst_error;
        const bool kept = packed.report.worst_error <= options.tolerance;
        const double now = aim;
        if (kept) {
            if (!best || packed.report.bytes < best->report.bytes) best = std::move(packed);
            if (breaks == 0.0 || ratio < 1.0 / kNearTolerance || aim > kNearTolerance * breaks)
                break;
            aim = std::sqrt(aim * breaks);
        } else {
            if (best) break;
            aim *= 0.99 * ratio;
            breaks = now;
        }
    }
    if (!best) return tooSmall(options.tolerance);
    std::size_t joints = 0;
    for (const JointId j : skeleton.joints()) joints += skeleton.isEndSite(j) ? 0U : 1U;
    best->report.plain_bytes = 40.0 * static_cast<double>(joints * motion.frameCount());
    if (!goesOn(1.0)) return cancelled;
    return *std::move(best);
}

}  // namespace ulna
