// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/chunks.h"
#include "ulna/fit/skeleton_fit.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {

MotionFit fitMotion(const SkeletonFitter& fitter, std::span<const FitTargets> frames,
                    const MotionFitOptions& options, const Progress& progress) {
    const Skeleton& skeleton = fitter.skeleton();
    MotionFit out;
    std::vector<Pose> poses(frames.size());
    ControlPose rest;  // where pinned joints are, unless a frame says so
    for (const Affine& a : computeModelPose(skeleton, restPose(skeleton)).model_from_joint)
        rest.positions.push_back(a.translation());
    // With smoothness every frame hangs on the one before.
    const bool alone = fitter.options().smoothness > 0.0;
    out.reports.resize(frames.size());
    const std::size_t done = detail::runChunks(
        frames.size(), alone ? 0 : options.chunk, alone ? 1 : options.threads, progress,
        [&](std::size_t begin, std::size_t end, const auto& goesOn) {
            SkeletonFitter own = fitter;
            Pose pose = restPose(skeleton);
            bool warm = false;
            for (std::size_t frame = begin; frame < end; ++frame) {
                if (!goesOn(frame)) return;
                FitTargets targets = frames[frame];
                if (targets.driven == nullptr) targets.driven = &rest;
                out.reports[frame] = own.fit(targets, warm ? FitStart::Warm : FitStart::Cold, pose);
                warm = warm || out.reports[frame].status != FitStatus::BadTarget;
                poses[frame] = pose;
            }
        });
    out.cancelled = done < frames.size();
    out.reports.resize(done);
    MotionTracks tracks = usualTracks(skeleton);
    Motion motion(done > 0 ? poses[0] : restPose(skeleton), done, options.frame_time, tracks);
    for (std::size_t frame = 0; frame < done; ++frame) motion.setPose(frame, poses[frame]);
    out.motion = std::move(motion);
    return out;
}

}  // namespace ulna
