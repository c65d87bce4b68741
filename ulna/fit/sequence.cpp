// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/sequence.h"

#include "ulna/core/assert.h"
#include "ulna/fit/detail/chunks.h"

namespace ulna {
namespace {

class ChunkFit {
  public:
    ChunkFit(const Fitter& fitter, const ControlPose& start, bool extrapolate)
        : fitter_(fitter),
          start_(start),
          pose_(start),
          extrapolate_(extrapolate),
          pulls_(fitter.options().smoothness > 0.0) {}

    const FitReport& fit(FitTargets targets) {
        if (targets.driven == nullptr) targets.driven = &start_;
        if (pulls_ && targets.reference == nullptr && fitted_ > 0) {
            reference_ = last_;
            if (extrapolate_ && fitted_ > 1) carryOn();
            targets.reference = &reference_;
        }
        const FitReport& report =
            fitter_.fit(targets, fitted_ > 0 ? FitStart::Warm : FitStart::Cold, pose_);
        // After a frame that cannot be used the next one goes on from the one before.
        if (report.status == FitStatus::BadTarget) return report;
        ++fitted_;
        if (pulls_) {
            before_ = last_;
            last_ = pose_;
        }
        return report;
    }
    [[nodiscard]] const ControlPose& pose() const { return pose_; }

  private:
    void carryOn() {
        for (std::size_t j = 0; j < last_.positions.size(); ++j) {
            const Quat turn = last_.rotations[j] * conjugate(before_.rotations[j]);
            reference_.rotations[j] = normalized(turn * last_.rotations[j]);
            reference_.positions[j] = last_.positions[j] * 2.0 - before_.positions[j];
        }
    }

    Fitter fitter_;
    const ControlPose& start_;
    ControlPose pose_, last_, before_, reference_;
    bool extrapolate_ = false, pulls_ = false;
    std::size_t fitted_ = 0;
};

}  // namespace

FitSequence fitSequence(const Fitter& fitter, std::span<const FitTargets> frames,
                        const ControlPose& start, const FitSequenceOptions& options,
                        const Progress& progress) {
    FitSequence out;
    out.poses.assign(frames.size(), start);
    out.reports.resize(frames.size());
    const bool alone = fitter.options().smoothness > 0.0;
    const std::size_t done = fit::detail::runChunks(
        frames.size(), alone ? 0 : options.chunk, alone ? 1 : options.threads, progress,
        [&](std::size_t begin, std::size_t end, const auto& goesOn) {
            ChunkFit chunk(fitter, start, options.extrapolate);
            for (std::size_t frame = begin; frame < end; ++frame) {
                if (!goesOn(frame)) return;
                out.reports[frame] = chunk.fit(frames[frame]);
                out.poses[frame] = chunk.pose();
            }
        });
    out.cancelled = done < frames.size();
    out.poses.resize(done);
    out.reports.resize(done);
    return out;
}

Motion makeMotion(const Skeleton& skeleton, const Mesh& mesh, std::span<const ControlPose> poses,
                  double frame_time) {
    ULNA_ASSERT(frame_time > 0.0, "a motion needs a frame time above zero");
    MotionTracks tracks;
    for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
        tracks.rotated.push_back(jointId(j));
        if (skeleton.parent(jointId(j)) == JointId::None) tracks.translated.push_back(jointId(j));
    }
    Pose base = poses.empty() ? restPose(skeleton) : makePose(skeleton, mesh, poses[0]);
    Motion motion(base, poses.size(), frame_time, tracks);
    for (std::size_t frame = 0; frame < poses.size(); ++frame)
        motion.setPose(frame, makePose(skeleton, mesh, poses[frame]));
    return motion;
}

}  // namespace ulna
