// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/motion/blend.h"
#include "ulna/motion/detail/changed.h"
#include "ulna/motion/root_motion.h"

namespace ulna {
namespace {

// From 0 to 1 with no slope at either end.
double smoothStep(double u) {
    u = std::clamp(u, 0.0, 1.0);
    return u * u * (3.0 - 2.0 * u);
}

// How long two clips that are joined play at once, in seconds.
double overlapOf(const Motion& first, const Motion& second, const JoinOptions& options) {
    return std::min({options.blend, first.duration(), second.duration()});
}

// When the second clip begins: on a frame unless the overlap says otherwise.
double startOfSecond(const Motion& first, double overlap) {
    return overlap > 0.0 ? first.duration() - overlap : first.duration() + first.frameTime();
}

// A step over the ground: from one ground frame to another, as seen from the first.
Rigid groundStep(const Rigid& from, const Rigid& to) {
    return inverse(from) * to;
}

}  // namespace

Result<Motion> trimmed(const Motion& motion, double from, double to, double frame_time) {
    if (!(from <= to)) {
        return Diagnostic{.what = fmt::format("a clip cannot be trimmed to {} to {} s", from, to),
                          .advice = "the first time must not be after the second"};
    }
    if (motion.frameCount() == 0) return motion;
    from = std::clamp(from, 0.0, motion.duration());
    to = std::clamp(to, 0.0, motion.duration());
    // A time within a millionth of a step of a frame is that frame.
    const double frame = std::round(from / motion.frameTime());
    const bool on_frame = std::abs(from / motion.frameTime() - frame) < 1e-6;
    if (on_frame) from = frame * motion.frameTime();
    const bool own_rate = !(frame_time > 0.0) || frame_time == motion.frameTime();
    if (own_rate) frame_time = motion.frameTime();
    const Result<std::size_t> frames = motion::detail::frameCountFor(
        std::max(0.0, to - from), frame_time, motion::detail::kRoundedFrame);
    if (!frames) return frames.error();
    return motion::detail::makeMotion(
        motion, *frames, frame_time, motion.tracks(), [&](std::size_t i, Pose& pose) {
            if (on_frame && own_rate)
                motion.getPose(static_cast<std::size_t>(frame) + i, pose);
            else
                pose = samplePose(motion, from + static_cast<double>(i) * frame_time);
        });
}

Motion reversed(const Motion& motion) {
    return motion::detail::makeMotion(motion, motion.frameCount(), motion.frameTime(),
                                      motion.tracks(), [&](std::size_t frame, Pose& pose) {
                                          motion.getPose(motion.frameCount() - 1 - frame, pose);
                                      });
}

Result<Motion> atSpeed(const Motion& motion, double speed) {
    ULNA_ASSERT(speed > 0.0, "a speed is positive");
    if (motion.frameCount() == 0) return motion;
    const Result<std::size_t> frames = motion::detail::frameCountFor(
        motion.duration() / speed, motion.frameTime(), motion::detail::kRoundedFrame);
    if (!frames) return frames.error();
    return motion::detail::makeMotion(motion, *frames, motion.frameTime(), motion.tracks(),
                                      [&](std::size_t frame, Pose& pose) {
                                          pose = samplePose(motion, motion.timeOf(frame) * speed);
                                      });
}

double joinedDuration(const Motion& first, const Motion& second, const JoinOptions& options) {
    if (first.frameCount() == 0) return second.duration();
    if (second.frameCount() == 0) return first.duration();
    return startOfSecond(first, overlapOf(first, second, options)) + second.duration();
}

Result<Motion> joined(const Skeleton& skeleton, const Motion& first, const Motion& second,
                      const JoinOptions& options) {
    ULNA_ASSERT(options.blend >= 0.0, "a time to blend is not negative");
    if (first.frameCount() == 0) return second;
    if (second.frameCount() == 0) return first;
    if (first.jointCount() != skeleton.jointCount() || second.jointCount() != first.jointCount())
        return Diagnostic{.what = "the clips are of different skeletons"};
    const double step = first.frameTime();
    const double overlap = overlapOf(first, second, options);
    const double start = startOfSecond(first, overlap);
    const Result<std::size_t> frames =
        motion::detail::frameCountFor(start + second.duration(), step);
    if (!frames) return frames.error();
    Rigid carry;
    if (options.carry_root) {
        const auto ground = [&](double time) {
            return groundFrame(skeleton, samplePose(first, time), options.up);
        };
        Rigid reached = ground(start);
        // Beyond the first clip's end the root goes on at its last speed.
        if (overlap == 0.0)
            reached = reached * groundStep(ground(first.duration() - step), reached);
        carry = reached * inverse(groundFrame(skeleton, second.pose(0), options.up));
    }
    const Motion follow = options.carry_root ? movedMotion(skeleton, carry, second) : second;
    return motion::detail::makeMotion(
        first, *frames, step, motion::detail::commonTracks(first, follow),
        [&](std::size_t frame, Pose& pose) {
            const double time = first.timeOf(frame);
            const bool after = frame >= first.frameCount();
            if (!after) first.getPose(frame, pose);
            if (!after && time <= start) return;
            const Pose next = samplePose(follow, time - start);
            if (after) {
                pose = next;
                return;
            }
            const double share = smoothStep((time - start) / overlap);
            const PoseLayer layers[] = {{&pose, 1.0 - share}, {&next, share}};
            pose = blendPoses(layers);
        });
}

Motion looped(const Skeleton& skeleton, const Motion& motion, const LoopOptions& options) {
    ULNA_ASSERT(options.blend >= 0.0, "a time to blend is not negative");
    if (motion.frameCount() < 2) return motion;
    RootMotion split = splitRootMotion(skeleton, motion, options.up);
    const Motion source = split.in_place;
    const Pose first = source.pose(0), last = source.pose(source.frameCount() - 1);
    const Pose missing = poseDifference(last, first);  // what the end lacks to be the start
    const double half = std::min(0.5 * options.blend, 0.5 * source.duration());
    split.in_place = motion::detail::makeMotion(
        source, source.frameCount(), source.frameTime(), source.tracks(),
        [&](std::size_t frame, Pose& pose) {
            source.getPose(frame, pose);
            const double since = source.timeOf(frame);
            const double until = source.duration() - since;
            // Half of what is missing on either side; together the seam's two poses are one.
            const auto fade = [&](double away) {
                return half > 0.0 ? smoothStep(1.0 - away / half) : away > 0.0 ? 0.0 : 1.0;
            };
            addDifference(missing, 0.5 * (fade(until) - fade(since)), {}, pose);
        });
    // To the bit: adding half and taking off half differ in the last bit.
    split.in_place.setPose(source.frameCount() - 1, split.in_place.pose(0));
    return withRootMotion(skeleton, split);
}

Result<Motion> repeated(const Skeleton& skeleton, const Motion& motion, std::size_t times,
                        const Vec3& up) {
    ULNA_ASSERT(times > 0, "a clip plays at least once");
    if (motion.frameCount() < 2 || times == 1) return motion;
    const std::size_t period = motion.frameCount() - 1;
    const Result<std::size_t> frames = motion::detail::frameCountFor(
        motion.duration() * static_cast<double>(times), motion.frameTime());
    if (!frames) return frames.error();
    const Rigid start = groundFrame(skeleton, motion.pose(0), up);
    const Rigid cycle = groundStep(start, groundFrame(skeleton, motion.pose(period), up));
    Rigid travelled = start;  // where this time's ground frame begins
    std::size_t done = 0;
    const std::vector<JointId> roots = skeleton.roots();
    return motion::detail::makeMotion(
        motion, period * times + 1, motion.frameTime(), united(motion.tracks(), {roots, roots, {}}),
        [&](std::size_t frame, Pose& pose) {
            const std::size_t round = std::min(frame / period, times - 1);
            for (; done < round; ++done) travelled = travelled * cycle;
            motion.getPose(frame - round * period, pose);
            if (round > 0) movePose(skeleton, travelled * inverse(start), pose);
        });
}

}  // namespace ulna
