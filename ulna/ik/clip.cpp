// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/clip.h"

#include <algorithm>
#include "ulna/ik/detail/frame_solver.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using ik::detail::FrameSolver;
using ik::detail::SourceFrame;

// "the position goal of 'LeftHand'"
std::string nameOf(const Skeleton& skeleton, const IkClipGoal& goal) {
    const GoalBodies held = bodiesOf(goal.goal.kind);
    std::string out = "the " + std::string(goalKindName(goal.goal.kind)) + " goal";
    if (held.count > 0 && index(held.joint[0]) < skeleton.jointCount())
        out += " of '" + skeleton.name(held.joint[0]) + "'";
    return out;
}

Status checkTimes(const Skeleton& skeleton, const IkClipGoal& goal, const Motion& source) {
    const std::size_t frames = source.frameCount();
    for (const std::size_t size : {goal.points.size(), goal.orientations.size()}) {
        if (size == 0 || size == frames) continue;
        return Diagnostic{nameOf(skeleton, goal) + " has " + std::to_string(size) +
                              " targets for " + std::to_string(frames) + " frames",
                          {},
                          {},
                          "give one target, or one per frame"};
    }
    if (!goal.span) return Done{};
    const Status status = checkSpan(*goal.span, frames, source.frameTime());
    if (status) return Done{};
    Diagnostic error = status.error();
    error.what = nameOf(skeleton, goal) + ": " + error.what;
    return error;
}

// An answer that moves by so much more than its clip and its targets, in radians, jumps.
constexpr double kJump = 0.5;

// By how much more a joint rotated from one pose to the next than in the clip itself.
double strayed(const Pose& from, const Pose& to, const Pose& source_from, const Pose& source_to) {
    double out = 0.0;
    for (std::size_t i = 0; i < from.parent_from_joint.size(); ++i) {
        const JointId j = jointId(i);
        out = std::max(out, angleBetween(from[j].rotation, to[j].rotation) -
                                angleBetween(source_from[j].rotation, source_to[j].rotation));
    }
    return out;
}

}  // namespace

Result<IkClipResult> solveIkClip(const Skeleton& skeleton, const Motion& source,
                                 std::span<const IkClipGoal> goals, const IkOptions& options,
                                 const Progress& progress) {
    const std::size_t frames = source.frameCount();
    for (const IkClipGoal& goal : goals) {
        if (const Status status = checkTimes(skeleton, goal, source); !status)
            return status.error();
    }
    // A body that moves is not at rest on its feet, and they leave the floor between two frames.
    IkOptions usual = options;
    usual.natural_rules.balance = usual.natural_rules.floor = false;
    Result<FrameSolver> solver = FrameSolver::make(skeleton, goals, usual, source.frameTime());
    if (!solver) return solver.error();

    IkClipResult out;
    out.motion = Motion(source.base(), frames, source.frameTime(),
                        united(source.tracks(), usualTracks(skeleton)));
    out.motion.name = source.name;
    out.clip.name = source.name;
    out.clip.frame_time = source.frameTime();
    SourceFrame now;
    Pose last_source_pose, last_pose;
    for (std::size_t f = 0; f < frames; ++f) {
        now.number = f;
        source.getPose(f, now.pose);
        computeModelPose(skeleton, now.pose, now.model);
        now.dofs = computeDofs(skeleton, now.pose, now.dofs).dofs;
        DofVector dofs;
        Result<IkReport> report = solver->solve(now, dofs, out.clamped);
        if (!report) return report.error();
        out.reports.push_back(*std::move(report));
        Pose pose = now.pose;
        if (solver->changes()) applyDofs(skeleton, dofs, pose);
        out.motion.setPose(f, pose);
        const double asked = solver->targetsMoved();
        if (f > 0 && strayed(last_pose, pose, last_source_pose, now.pose) > kJump + 4.0 * asked)
            out.jumps.push_back(f);
        last_source_pose = now.pose;
        last_pose = std::move(pose);
        out.clip.frames.push_back(std::move(dofs));
        if (progress && !progress(static_cast<double>(f + 1) / static_cast<double>(frames))) break;
    }
    std::sort(out.clamped.begin(), out.clamped.end());
    out.clamped.erase(std::unique(out.clamped.begin(), out.clamped.end()), out.clamped.end());
    return out;
}

}  // namespace ulna
