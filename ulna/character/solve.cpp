// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/solve.h"

#include <algorithm>
#include <utility>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// One problem as it is solved, on the stage.
struct StagedProblem {
    Pose base;
    DofVector start;
    std::vector<IkGoal> goals;
};

Result<SolvedPose> attempt(const Skeleton& skeleton, const Stage& stage,
                           const StagedProblem& problem, const std::vector<IkGoal>& goals,
                           const IkOptions& options) {
    Result<IkSolver> solver = IkSolver::make(stage.skeleton, problem.goals, options);
    if (!solver) return solver.error();
    if (const Status status = solver->setBase(problem.base); !status) return status.error();
    SolvedPose out;
    out.dofs = problem.start;
    out.report = solver->solve(out.dofs);
    Pose pose = problem.base;
    applyDofs(stage.skeleton, out.dofs, pose);
    out.pose = stage.fromStage(std::move(pose));
    out.position_tolerance = solver->positionTolerance();
    out.judged =
        judgeGoals(skeleton, out.pose, goals, out.position_tolerance, options.angle_tolerance);
    return out;
}

// Without goals of level 1, level 2 stands in for it.
bool levelOneMet(const std::vector<IkGoal>& goals, const JudgedGoals& judged) {
    const bool ranked =
        std::any_of(goals.begin(), goals.end(), [](const IkGoal& goal) { return goal.level == 1; });
    for (std::size_t g = 0; g < goals.size(); ++g)
        if ((!ranked || goals[g].level == 1) && !judged.met[g]) return false;
    return true;
}

}  // namespace

void holdRoots(const Skeleton& skeleton, std::span<const IkClipGoal> goals, IkOptions& options) {
    if (std::any_of(goals.begin(), goals.end(), keepsInPlace)) return;
    for (const JointId root : heldRoots(skeleton)) options.locked.push_back(root);
}

bool mayBeNatural(const IkOptions& options, std::span<const IkClipGoal> goals) {
    return options.method == IkMethod::Auto && !options.continuity &&
           options.chain == JointId::None && options.stiffness.empty() &&
           std::none_of(goals.begin(), goals.end(), [](const IkClipGoal& goal) {
               return std::holds_alternative<PostureGoal>(goal.goal.kind);
           });
}

JudgedGoals judgeGoals(const Skeleton& skeleton, const Pose& pose, std::span<const IkGoal> goals,
                       double position_tolerance, double angle_tolerance) {
    const ModelPose model = computeModelPose(skeleton, pose);
    const std::vector<Quat> orientations = computeOrientations(skeleton, pose);
    std::vector<BodyFrame> bodies(skeleton.jointCount());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Affine& a = model.model_from_joint[i];
        bodies[i] = {toMatrix(orientations[i]), a.translation(), length(a.column(0))};
    }
    JudgedGoals out;
    for (const IkGoal& goal : goals) {
        const double error = goalError(goal.kind, bodies, skeleton.planar());
        const double tolerance = errorIsAngle(goal.kind) ? angle_tolerance : position_tolerance;
        out.errors.push_back(error);
        out.met.push_back(!goal.enabled || error <= tolerance * (1.0 + 1e-6));
    }
    return out;
}

Result<SolvedPose> solvePose(const Skeleton& skeleton, const Stage& stage, const Pose& pose,
                             std::span<const IkClipGoal> goals, const SolvePoseOptions& options) {
    std::vector<IkGoal> here;
    for (const IkClipGoal& goal : goals) here.push_back(goal.goal);
    setFrameGoals(goals, options.frame, options.frame_time, computeModelPose(skeleton, pose), {},
                  here);
    StagedProblem problem{.base = stage.toStage(pose), .start = {}, .goals = {}};
    const DofVector as_is = computeDofs(stage.skeleton, problem.base, options.near).dofs;
    StageStart start = startInside(stage.skeleton, problem.base, options.near);
    problem.start = std::move(start.dofs);
    for (std::size_t g = 0; g < goals.size(); ++g) {
        auto* posture = std::get_if<PostureGoal>(&here[g].kind);
        if (posture != nullptr && goals[g].pinned) posture->rest = as_is;
        IkClipGoal goal;
        goal.goal = here[g];
        problem.goals.push_back(stage.toStage(std::move(goal)).goal);
    }
    IkOptions how = options.ik;
    how.restarts = 0;
    Result<SolvedPose> first = attempt(skeleton, stage, problem, here, how);
    if (!first) return first;
    if (how.method == IkMethod::Auto && !how.continuity && options.restarts > 0 &&
        !levelOneMet(here, first->judged)) {
        how.restarts = options.restarts;
        Result<SolvedPose> second = attempt(skeleton, stage, problem, here, how);
        if (!second) return second;
        if (second->report.status == IkStatus::Reached) {
            first = std::move(second);
        } else {
            first->report.attempts = second->report.attempts;
            first->report.iterations += second->report.iterations;
        }
    }
    first->goals = std::move(here);
    first->clamped = std::move(start.clamped);
    return first;
}

}  // namespace ulna
