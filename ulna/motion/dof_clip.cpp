// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/dof_clip.h"

#include <utility>

namespace ulna {

Motion computeMotion(const Skeleton& skeleton, const DofClip& clip) {
    Motion motion(restPose(skeleton), clip.frames.size(), clip.frame_time, usualTracks(skeleton));
    motion.name = clip.name;
    for (std::size_t i = 0; i < clip.frames.size(); ++i) {
        motion.setPose(i, computePose(skeleton, clip.frames[i]));
    }
    return motion;
}

DofClipFit computeDofClip(const Skeleton& skeleton, const Motion& motion,
                          std::span<const double> start, const Progress& progress) {
    DofClipFit out;
    out.clip.name = motion.name;
    out.clip.frame_time = motion.frameTime();
    DofVector near(start.begin(), start.end());
    near.resize(skeleton.dofCount(), 0.0);
    Pose pose;
    for (std::size_t i = 0; i < motion.frameCount(); ++i) {
        if (progress &&
            !progress(static_cast<double>(i) / static_cast<double>(motion.frameCount())))
            break;
        motion.getPose(i, pose);
        DofFit fit = computeDofs(skeleton, pose, near);
        near = std::move(fit.dofs);
        out.clip.frames.push_back(near);
        if (fit.rotation_residual > out.worst.rotation_residual) {
            out.worst.rotation_residual = fit.rotation_residual;
            out.worst.rotation_joint = fit.rotation_joint;
        }
        if (fit.translation_residual > out.worst.translation_residual) {
            out.worst.translation_residual = fit.translation_residual;
            out.worst.translation_joint = fit.translation_joint;
        }
        if (fit.scale_residual > out.worst.scale_residual) {
            out.worst.scale_residual = fit.scale_residual;
            out.worst.scale_joint = fit.scale_joint;
        }
    }
    return out;
}

}  // namespace ulna
