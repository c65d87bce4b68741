// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ik/solve.h"

#include <algorithm>
#include <iterator>

#include "apps/cli/output.h"
#include "ulna/character/solve.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

// A rig's own coordinates know how many full rotations an angle has made.
DofVector nearOf(const IkProblem& problem, const Moment& moment) {
    const auto& [input, motion, goals, stage, how, hands] = problem;
    if (!input.rig || !moment.frame || stage.limits == LimitSource::Anatomical ||
        stage.limits == LimitSource::Borrowed)
        return {};
    DofVector near;
    for (const DofClip& clip : input.rig->clips) {
        if (clip.name == motion.name && *moment.frame < clip.frames.size())
            near = clip.frames[*moment.frame];
    }
    return near;
}

IkAnswer answerOf(const IkProblem& problem, const Moment& moment, const IkOptions& options,
                  SolvedPose& solved) {
    IkAnswer out;
    out.method = options.method;
    out.moment = moment;
    out.report = std::move(solved.report);
    out.pose = std::move(solved.pose);
    out.goals = std::move(solved.goals);
    for (const IkClipGoal& goal : problem.goals) out.pinned.push_back(goal.pinned);
    out.position_tolerance = solved.position_tolerance;
    out.angle_tolerance = options.angle_tolerance;
    judge(problem.input.skeleton, out);
    return out;
}

}  // namespace

std::vector<IkGoal> goalsAt(const std::vector<IkClipGoal>& goals, std::size_t frame,
                            double frame_time, const Skeleton& skeleton, const Pose& pose) {
    std::vector<IkGoal> out;
    for (const IkClipGoal& goal : goals) out.push_back(goal.goal);
    setFrameGoals(goals, frame, frame_time, computeModelPose(skeleton, pose), {}, out);
    return out;
}

void solveOneFrame(const IkProblem& problem, const Moment& moment, int restarts, IkRun& run) {
    const auto& [input, motion, goals, stage, how, hands] = problem;
    Pose pose = poseAt(input, motion, moment);
    poseHands(input.skeleton, hands, pose);
    SolvePoseOptions options{.restarts = restarts,
                             .frame = moment.frame.value_or(0),
                             .frame_time = motion.frameTime(),
                             .near = nearOf(problem, moment)};
    std::vector<IkMethod> methods = {how.method};
    if (run.all_methods) methods.assign(std::begin(kAllIkMethods), std::end(kAllIkMethods));
    DofVector dofs;
    for (const IkMethod method : methods) {
        options.ik = how;
        options.ik.method = method;
        options.ik.fabrik_first = !run.all_methods;  // so that every method goes its own way
        Result<SolvedPose> solved = solvePose(input.skeleton, stage, pose, goals, options);
        if (!solved) {
            if (!run.all_methods || method == IkMethod::Auto) fail(kUsage, solved.error());
            run.refusals.push_back({method, solved.error().what});
            continue;
        }
        run.clamped = std::move(solved->clamped);
        if (run.answers.empty()) dofs = std::move(solved->dofs);
        run.answers.push_back(answerOf(problem, moment, options.ik, *solved));
    }
    const double frame_time = motion.frameCount() > 0 ? motion.frameTime() : 1.0 / 30.0;
    run.motion = Motion(run.answers.front().pose, 1, frame_time,
                        united(usualTracks(input.skeleton), motion.tracks()));
    run.motion.name = motion.name.empty() ? "ik" : motion.name;
    run.clip = {run.motion.name, frame_time, {std::move(dofs)}};
}

void solveClip(const IkProblem& problem, IkRun& run) {
    const auto& [input, motion, goals, stage, how, hands] = problem;
    std::vector<IkClipGoal> stage_goals;
    std::vector<IkGoal> plain;
    for (const IkClipGoal& goal : goals) {
        stage_goals.push_back(stage.toStage(goal));
        plain.push_back(stage_goals.back().goal);
    }
    const Motion source = stage.toStage(motion);
    DofVector near;
    for (std::size_t f = 0; f < source.frameCount(); ++f) {
        const StageStart start = startInside(stage.skeleton, source.pose(f), near);
        run.clamped.insert(run.clamped.end(), start.clamped.begin(), start.clamped.end());
        near = start.dofs;
    }
    std::sort(run.clamped.begin(), run.clamped.end());
    run.clamped.erase(std::unique(run.clamped.begin(), run.clamped.end()), run.clamped.end());
    ProgressBar progress("ik");
    Result<IkClipResult> solved =
        solveIkClip(stage.skeleton, source, stage_goals, how, progress.callback());
    if (!solved) fail(kUsage, solved.error());
    const Result<IkSolver> solver = IkSolver::make(stage.skeleton, plain, how);
    run.motion = stage.fromStage(solved->motion);
    run.clip = std::move(solved->clip);
    run.jumps = std::move(solved->jumps);
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        IkAnswer answer;
        answer.method = how.method;
        answer.moment = {f, motion.timeOf(f), false};
        answer.report = std::move(solved->reports[f]);
        answer.pose = run.motion.pose(f);
        answer.goals = goalsAt(goals, f, motion.frameTime(), input.skeleton, motion.pose(f));
        for (const IkClipGoal& goal : goals) answer.pinned.push_back(goal.pinned);
        answer.position_tolerance = solver->positionTolerance();
        answer.angle_tolerance = how.angle_tolerance;
        judge(input.skeleton, answer);
        run.answers.push_back(std::move(answer));
    }
}

}  // namespace ulna::cli
