// SPDX-License-Identifier: Apache-2.0

// A goal that comes or goes has a target between what it states and what the body does without it.
// That is the answer of a solve of its own, which follows on from frame to frame as the main one
// does. Where two goals come or go at once, each sees the other's target, of the goals behind it in
// the list that of the frame before: so targets depend on their shares smoothly, whatever order
// the shares come in.
#include "ulna/ik/detail/frame_solver.h"

#include <algorithm>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::ik::detail {
namespace {

// Where goals are out of reach, many poses are nearly as good, and the best of them changes from
// frame to frame. So much of a posture keeps the answer near the one that the clip carries on from
// the frame before.
constexpr double kHold = 1e-2;

}  // namespace

Result<FrameSolver> FrameSolver::make(const Skeleton& skeleton, std::span<const IkClipGoal> goals,
                                      const IkOptions& options, double frame_time) {
    FrameSolver out(skeleton, goals, frame_time);
    if (const Status status = out.makeSolvers(options); !status) return status.error();
    // Natural poses start from the clip's own, not from the answer before.
    out.carries_on_ = options.natural == nullptr;
    out.without_.resize(goals.size());
    out.shares_.assign(goals.size(), 0.0);
    out.enabled_.assign(goals.size(), 0);
    out.successors_.resize(goals.size());
    for (std::size_t g = 0; g < goals.size(); ++g) {
        for (std::size_t later = g + 1; later < goals.size(); ++later)
            if (goals[later].span && haveOneSubject(goals[g].goal.kind, goals[later].goal.kind))
                out.successors_[g].push_back(later);
    }
    return out;
}

Status FrameSolver::makeSolvers(const IkOptions& options) {
    std::vector<IkGoal> own;
    for (const IkClipGoal& goal : goals_) own.push_back(goal.goal);
    IkOptions steady = options;
    steady.continuity = true;
    const auto make = [&](const IkOptions& how, std::optional<IkSolver>& solver) -> Status {
        Result<IkSolver> made = IkSolver::make(*skeleton_, own, how);
        if (!made) return made.error();
        solver.emplace(*std::move(made));
        return Done{};
    };
    if (Status status = make(steady, solver_); !status) return status;
    const bool any_span = std::any_of(goals_.begin(), goals_.end(),
                                      [](const IkClipGoal& g) { return g.span.has_value(); });
    if (options.natural != nullptr && any_span) {
        IkOptions plain = steady;
        plain.natural = nullptr;
        if (Status status = make(plain, plain_); !status) return status;
    }
    if (options.method != IkMethod::Auto) return Done{};
    own.push_back({.kind = PostureGoal{}, .weight = kHold});
    return make(steady, holding_);
}

Result<IkReport> FrameSolver::solve(const SourceFrame& now, DofVector& dofs,
                                    std::vector<JointId>& clamped) {
    for (std::optional<IkSolver>* solver : {&solver_, &holding_, &plain_})
        if (*solver)
            if (const Status status = (*solver)->setBase(now.pose); !status) return status.error();
    for (std::size_t g = 0; g < goals_.size(); ++g)
        shares_[g] = shareOf(goals_[g], now.number, frame_time_);
    if (now.number == 0) {
        last_source_ = main_.answer = now.dofs;
        std::fill(without_.begin(), without_.end(), main_);
    }
    inside_ = now.dofs;
    const std::vector<JointId> outside = clampToLimits(*skeleton_, inside_);
    setTargets(now);
    for (std::size_t g = 0; g < goals_.size(); ++g)
        if (goals_[g].span && shares_[g] > 0.0 && canEase(goals_[g].goal.kind)) ease(now, g);
    IkReport report = advance(now, std::nullopt, main_);
    for (std::size_t g = 0; g < goals_.size(); ++g)
        if (shares_[g] == 0.0) without_[g] = main_;
    if (changes()) clamped.insert(clamped.end(), outside.begin(), outside.end());
    last_source_ = now.dofs;
    dofs = main_.answer;
    return report;
}

// The targets that goals state in a frame; one that comes or goes keeps that of the frame before
// until it has its turn.
void FrameSolver::setTargets(const SourceFrame& now) {
    for (std::optional<IkSolver>* solver : {&solver_, &holding_, &plain_}) {
        if (!*solver) continue;
        for (std::size_t g = 0; g < goals_.size(); ++g) {
            IkGoal& goal = (*solver)->goals()[g];
            const bool eases = goals_[g].span && canEase(goal.kind);
            if (eases && shares_[g] > 0.0 && shares_[g] < 1.0) continue;
            setFrameTarget(goals_[g], now.number, now.model, now.dofs, goal.kind);
            if (goals_[g].span && !eases) goal.weight = goals_[g].goal.weight * shares_[g];
        }
    }
}

// Gives a goal the target that it has by now, between what it states and what is without it.
void FrameSolver::ease(const SourceFrame& now, std::size_t g) {
    GoalKind stated = goals_[g].goal.kind;
    setFrameTarget(goals_[g], now.number, now.model, now.dofs, stated);
    (void)advance(now, g, without_[g]);
    if (shares_[g] < 1.0) {
        ModelPose without = now.model;
        if (without_[g].share > 0.0) {
            Pose pose = now.pose;
            applyDofs(*skeleton_, without_[g].answer, pose);
            computeModelPose(*skeleton_, pose, without);
        }
        stated = eased(without, metBy(without, stated), stated, shares_[g]);
    }
    for (std::optional<IkSolver>* solver : {&solver_, &holding_, &plain_})
        if (*solver) (*solver)->goals()[g].kind = stated;
}

// Switches goals on that hold, but for one and those that take over from it. The result is how much
// of them holds.
double FrameSolver::enable(std::optional<std::size_t> without) {
    for (std::size_t g = 0; g < goals_.size(); ++g) enabled_[g] = shares_[g] > 0.0;
    if (without) {
        enabled_[*without] = 0;
        for (const std::size_t later : successors_[*without]) enabled_[later] = 0;
    }
    double share = 0.0;
    for (std::size_t g = 0; g < goals_.size(); ++g) {
        if (enabled_[g]) share = std::max(share, shares_[g]);
        for (const std::size_t later : successors_[g])
            if (enabled_[later]) enabled_[g] = 0;
    }
    for (std::optional<IkSolver>* solver : {&solver_, &holding_, &plain_}) {
        if (!*solver) continue;
        for (std::size_t g = 0; g < goals_.size(); ++g)
            (*solver)->goals()[g].enabled = enabled_[g] != 0;
    }
    return share;
}

// Solves for the goals that hold, but for one, from the answer of the frame before. Where all of
// them come or go, so does what was carried on, and what limits change of the clip.
IkReport FrameSolver::advance(const SourceFrame& now, std::optional<std::size_t> without,
                              Course& course) {
    const double share = enable(without);
    IkReport report;
    DofVector dofs = now.dofs;
    if (share > 0.0) {
        const bool first = now.number == 0;
        const double kept = course.share > share ? share / course.share : 1.0;
        for (std::size_t d = 0; d < dofs.size(); ++d)
            dofs[d] = first || !carries_on_
                          ? inside_[d]
                          : now.dofs[d] + kept * (course.answer[d] - last_source_[d]);
        report = attempt(dofs, !first && carries_on_);
        if (share < 1.0 && !carries_on_) {
            for (std::size_t d = 0; d < dofs.size(); ++d)
                dofs[d] = now.dofs[d] + share * (dofs[d] - now.dofs[d]);
            (void)plain_->solve(dofs);
        }
        for (std::size_t d = 0; d < dofs.size() && share < 1.0; ++d)
            dofs[d] -= (1.0 - share) * (inside_[d] - now.dofs[d]);
    } else {
        report.status = IkStatus::Reached;
        report.goal_errors.assign(goals_.size(), 0.0);
    }
    course = {std::move(dofs), share};
    return report;
}

IkReport FrameSolver::attempt(DofVector& dofs, bool carried_on) {
    const DofVector start = dofs;
    IkReport report = solver_->solve(dofs);
    // What the budget ended has no time for a second solve.
    const bool final = report.status == IkStatus::Reached || report.status == IkStatus::Stopped;
    if (final || !carried_on || !holding_) return report;
    dofs = start;
    std::get<PostureGoal>(holding_->goals().back().kind).rest = start;
    report = holding_->solve(dofs);
    report.goal_errors.pop_back();
    return report;
}

double FrameSolver::targetsMoved() {
    double out = 0.0;
    std::vector<Vec3> points;
    std::vector<Quat> rotations;
    for (IkGoal& goal : solver_->goals()) {
        const GoalTarget target = targetOf(goal.kind);
        points.push_back(target.point == nullptr ? Vec3{} : *target.point);
        rotations.push_back(target.rotation == nullptr ? Quat{} : *target.rotation);
    }
    for (std::size_t g = 0; g < points.size() && g < points_.size(); ++g)
        out = std::max({out, distance(points[g], points_[g]) / solver_->reach(),
                        angleBetween(rotations[g], rotations_[g])});
    points_ = std::move(points);
    rotations_ = std::move(rotations);
    return out;
}

}  // namespace ulna::ik::detail
