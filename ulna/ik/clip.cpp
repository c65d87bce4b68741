// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/clip.h"

#include <algorithm>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

Status checkTrack(const Skeleton& skeleton, const IkClipGoal& goal, std::size_t frames) {
    const std::string kind(goalKindName(goal.goal.kind));
    for (const std::size_t size : {goal.points.size(), goal.orientations.size()}) {
        if (size == 0 || size == frames) continue;
        const GoalBodies held = bodiesOf(goal.goal.kind);
        const std::string of = held.count > 0 && index(held.joint[0]) < skeleton.jointCount()
                                   ? " of '" + skeleton.name(held.joint[0]) + "'"
                                   : std::string();
        return Diagnostic{"the " + kind + " goal" + of + " has " + std::to_string(size) +
                              " targets for " + std::to_string(frames) + " frames",
                          {},
                          {},
                          "give one target, or one per frame"};
    }
    return Done{};
}

}  // namespace

void setFrameTarget(const IkClipGoal& goal, std::size_t frame, const ModelPose& source,
                    std::span<const double> source_dofs, GoalKind& kind) {
    if (goal.pinned) pinTo(source, source_dofs, kind);
    const GoalTarget target = targetOf(kind);
    if (target.point != nullptr && !goal.points.empty()) *target.point = goal.points[frame];
    if (target.rotation != nullptr && !goal.orientations.empty())
        *target.rotation = goal.orientations[frame];
}

Result<IkClipResult> solveIkClip(const Skeleton& skeleton, const Motion& source,
                                 std::span<const IkClipGoal> goals, const IkOptions& options,
                                 const Progress& progress) {
    const std::size_t frames = source.frameCount();
    std::vector<IkGoal> own;
    for (const IkClipGoal& goal : goals) {
        if (const Status status = checkTrack(skeleton, goal, frames); !status)
            return status.error();
        own.push_back(goal.goal);
    }
    IkOptions steady = options;
    steady.continuity = true;
    Result<IkSolver> solver = IkSolver::make(skeleton, std::move(own), std::move(steady));
    if (!solver) return solver.error();

    IkClipResult out;
    out.motion = Motion(source.base(), frames, source.frameTime(),
                        united(source.tracks(), usualTracks(skeleton)));
    out.motion.name = source.name;
    out.clip.name = source.name;
    out.clip.frame_time = source.frameTime();
    DofVector last_source, last_answer;
    ModelPose model;
    for (std::size_t f = 0; f < frames; ++f) {
        Pose pose = source.pose(f);
        computeModelPose(skeleton, pose, model);
        if (const Status status = solver->setBase(pose); !status) return status.error();
        DofVector now = computeDofs(skeleton, pose, last_source).dofs;
        for (std::size_t g = 0; g < goals.size(); ++g)
            setFrameTarget(goals[g], f, model, now, solver->goals()[g].kind);
        DofVector dofs = now;
        for (const JointId j : clampToLimits(skeleton, dofs)) out.clamped.push_back(j);
        for (std::size_t d = 0; d < dofs.size() && f > 0; ++d)
            dofs[d] = now[d] + (last_answer[d] - last_source[d]);
        out.reports.push_back(solver->solve(dofs));
        applyDofs(skeleton, dofs, pose);
        out.motion.setPose(f, pose);
        last_source = std::move(now);
        last_answer = dofs;
        out.clip.frames.push_back(std::move(dofs));
        if (progress && !progress(static_cast<double>(f + 1) / static_cast<double>(frames))) break;
    }
    std::sort(out.clamped.begin(), out.clamped.end());
    out.clamped.erase(std::unique(out.clamped.begin(), out.clamped.end()), out.clamped.end());
    return out;
}

}  // namespace ulna
