// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/chunks.h"
#include "ulna/fit/skeleton_fit.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// The pose after `last` where each joint goes on as it came from `before`.
Pose carriedOn(const Pose& before, const Pose& last) {
    Pose out = last;
    for (std::size_t j = 0; j < out.parent_from_joint.size(); ++j) {
        const Trs &a = before.parent_from_joint[j], &b = last.parent_from_joint[j];
        out.parent_from_joint[j].rotation =
            normalized(b.rotation * conjugate(a.rotation) * b.rotation);
        out.parent_from_joint[j].translation = b.translation * 2.0 - a.translation;
    }
    return out;
}

}  // namespace

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
    const std::size_t done = fit::detail::runChunks(
        frames.size(), alone ? 0 : options.chunk, alone ? 1 : options.threads, progress,
        [&](std::size_t begin, std::size_t end, const auto& goesOn) {
            SkeletonFitter own = fitter;
            Pose pose = restPose(skeleton);
            bool warm = false;
            std::size_t fitted = 0;  // frames in a row behind this one
            for (std::size_t frame = begin; frame < end; ++frame) {
                if (!goesOn(frame)) return;
                FitTargets targets = frames[frame];
                if (targets.driven == nullptr) targets.driven = &rest;
                if (alone && fitted > 1) pose = carriedOn(poses[frame - 2], poses[frame - 1]);
                const FitReport& report =
                    own.fit(targets, warm ? FitStart::Warm : FitStart::Cold, pose);
                out.reports[frame] = report;
                const bool bad = report.status == FitStatus::BadTarget;
                if (bad && fitted > 0) pose = poses[frame - 1];
                fitted = bad ? 0 : fitted + 1;
                // Where a frame led astray is no place to start from.
                if (!bad) warm = report.status != FitStatus::Stalled;
                poses[frame] = pose;
            }
        });
    out.cancelled = done < frames.size();
    out.reports.resize(done);
    MotionTracks roots;
    roots.rotated = roots.translated = skeleton.roots();
    Motion motion(done > 0 ? poses[0] : restPose(skeleton), done, options.frame_time,
                  united(usualTracks(skeleton), roots));
    for (std::size_t frame = 0; frame < done; ++frame) motion.setPose(frame, poses[frame]);
    out.motion = std::move(motion);
    return out;
}

}  // namespace ulna
