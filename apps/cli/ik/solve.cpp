// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ik/solve.h"

#include <algorithm>
#include <iterator>

#include "apps/cli/output.h"
#include "ulna/ik/solver.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

// The goals of one frame: pins where that frame has them, moving targets where they are, and those
// that hold then.
std::vector<IkGoal> goalsAt(const std::vector<IkClipGoal>& goals, std::size_t frame,
                            double frame_time, const Skeleton& skeleton, const Pose& pose) {
    std::vector<IkGoal> out;
    for (const IkClipGoal& goal : goals) out.push_back(goal.goal);
    setFrameGoals(goals, frame, frame_time, computeModelPose(skeleton, pose), {}, out);
    return out;
}

// What one frame's problem is made of, on the file's skeleton and on the one solved on.
struct Frame {
    Moment moment;
    Pose pose;
    std::vector<IkGoal> goals, stage_goals;
    std::vector<bool> pinned;
    DofVector start;
};

Frame makeFrame(const IkProblem& problem, const Moment& moment, IkRun& run) {
    const auto& [input, motion, goals, stage, how, hands] = problem;
    Frame out;
    out.moment = moment;
    out.pose = poseAt(input, motion, moment);
    poseHands(input.skeleton, hands, out.pose);
    out.goals =
        goalsAt(goals, moment.frame.value_or(0), motion.frameTime(), input.skeleton, out.pose);
    for (const IkClipGoal& goal : goals) out.pinned.push_back(goal.pinned);
    // A rig's own coordinates know how many full rotations an angle has made.
    DofVector near;
    if (input.rig && moment.frame && stage.limits != LimitSource::Anatomical &&
        stage.limits != LimitSource::Borrowed) {
        for (const DofClip& clip : input.rig->clips) {
            if (clip.name == motion.name && *moment.frame < clip.frames.size())
                near = clip.frames[*moment.frame];
        }
    }
    const Pose start_pose = stage.toStage(out.pose);
    const DofVector as_is = computeDofs(stage.skeleton, start_pose, near).dofs;
    StageStart start = startInside(stage.skeleton, start_pose, near);
    run.clamped = std::move(start.clamped);
    out.start = std::move(start.dofs);
    for (std::size_t g = 0; g < goals.size(); ++g) {
        auto* posture = std::get_if<PostureGoal>(&out.goals[g].kind);
        if (posture != nullptr && goals[g].pinned) posture->rest = as_is;
        IkClipGoal goal;
        goal.goal = out.goals[g];
        out.stage_goals.push_back(stage.toStage(std::move(goal)).goal);
    }
    return out;
}

struct Solved {
    IkAnswer answer;
    DofVector dofs;
};

// Other starts are tried only where level 1 is missed, and their answer is taken only when it
// reaches: what is out of reach stays as near to the start as the first attempt left it.
Result<Solved> solveFrame(const Input& input, const IkStage& stage, const Frame& frame,
                          const IkOptions& options, int restarts) {
    const Pose base = stage.toStage(frame.pose);
    const auto attempt = [&](const IkOptions& how) -> Result<Solved> {
        Result<IkSolver> solver = IkSolver::make(stage.skeleton, frame.stage_goals, how);
        if (!solver) return solver.error();
        if (const Status status = solver->setBase(base); !status) fail(kFailed, status.error());
        Solved out;
        out.dofs = frame.start;
        out.answer.report = solver->solve(out.dofs);
        Pose pose = base;
        applyDofs(stage.skeleton, out.dofs, pose);
        out.answer.method = how.method;
        out.answer.moment = frame.moment;
        out.answer.pose = stage.fromStage(pose);
        out.answer.goals = frame.goals;
        out.answer.pinned = frame.pinned;
        out.answer.position_tolerance = solver->positionTolerance();
        out.answer.angle_tolerance = how.angle_tolerance;
        judge(input.skeleton, out.answer);
        return out;
    };
    Result<Solved> first = attempt(options);
    if (!first || options.method != IkMethod::Auto || options.continuity || restarts == 0)
        return first;
    // Without goals of level 1, level 2 stands in for it.
    const bool ranked = std::any_of(frame.goals.begin(), frame.goals.end(),
                                    [](const IkGoal& goal) { return goal.level == 1; });
    bool level_one_met = true;
    for (std::size_t g = 0; g < frame.goals.size(); ++g) {
        const bool counts = !ranked || frame.goals[g].level == 1;
        level_one_met = level_one_met && (!counts || first->answer.outcomes[g].met);
    }
    if (level_one_met) return first;
    IkOptions again = options;
    again.restarts = restarts;
    Result<Solved> second = attempt(again);
    if (second->answer.report.status == IkStatus::Reached) return second;
    first->answer.report.attempts = second->answer.report.attempts;
    first->answer.report.iterations += second->answer.report.iterations;
    return first;
}

}  // namespace

void solveOneFrame(const IkProblem& problem, const Moment& moment, int restarts, IkRun& run) {
    const auto& [input, motion, goals, stage, how, hands] = problem;
    const Frame frame = makeFrame(problem, moment, run);
    std::vector<IkMethod> methods = {how.method};
    if (run.all_methods) methods.assign(std::begin(kAllIkMethods), std::end(kAllIkMethods));
    DofVector dofs;
    for (const IkMethod method : methods) {
        IkOptions each = how;
        each.method = method;
        each.fabrik_first = !run.all_methods;  // so that every method goes its own way
        Result<Solved> solved = solveFrame(input, stage, frame, each, restarts);
        if (!solved) {
            if (!run.all_methods || method == IkMethod::Auto) fail(kUsage, solved.error());
            run.refusals.push_back({method, solved.error().what});
            continue;
        }
        if (run.answers.empty()) dofs = std::move(solved->dofs);
        run.answers.push_back(std::move(solved->answer));
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
