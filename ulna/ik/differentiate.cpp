// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/differentiate.h"

#include <algorithm>
#include <cmath>

#include "ulna/ik/detail/cost_hessian.h"
#include "ulna/math/dense.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

using ik::detail::BoundedGradient;
using ik::detail::CostHessian;
using ik::detail::Evaluation;
using ik::detail::kNewtonColumns;
using ik::detail::Problem;

// An answer, and how it follows targets in the coordinates of its mechanism.
class Answer {
  public:
    Answer(Problem& problem, std::span<const double> dofs) : problem_(problem) {
        const Mechanism& mechanism = problem.mechanism();
        const Skeleton& skeleton = mechanism.skeleton();
        base_ = computePose(skeleton, dofs);
        problem.begin(base_);
        problem.size(now_);
        problem.size(moved_);
        mechanism.load(dofs, now_.at);
        problem.evaluate(now_);
        at_.build(problem);
        gradient_.resize(problem.columnCount());
        factor();
    }

    // How the coordinates follow one component of a target, which `move` moves by what it is given.
    template <class Move>
    void follow(Move&& move, std::vector<double>& out) {
        constexpr double kStep = 1e-6;
        out.assign(problem_.columnCount(), 0.0);
        change_.assign(hessian_.free().size(), 0.0);
        for (const double side : {1.0, -1.0}) {
            move(side * kStep);
            problem_.begin(base_);
            moved_.at = now_.at;
            problem_.evaluate(moved_);
            problem_.linearize(moved_);
            problem_.computeGradient(moved_, 3, gradient_);
            for (std::size_t i = 0; i < change_.size(); ++i)
                change_[i] -= side * gradient_[hessian_.free()[i]] / (2.0 * kStep);
        }
        move(0.0);
        solution_.resize(change_.size());
        eigen_.applyPseudoInverse(change_, cutoff_, solution_);
        const auto scale = problem_.columnScale();
        for (std::size_t i = 0; i < change_.size(); ++i) {
            const std::size_t c = hessian_.free()[i];
            out[c] = solution_[i] * scale[c];
        }
    }

    // The same as rates of degrees of freedom.
    void toDofs(std::span<const double> rates, std::span<const double> dofs,
                std::vector<double>& out) {
        constexpr double kStep = 1e-6;
        const Mechanism& mechanism = problem_.mechanism();
        out.assign(dofs.size(), 0.0);
        double longest = 0.0;
        for (const double rate : rates) longest = std::max(longest, std::abs(rate));
        if (longest == 0.0) return;
        step_.resize(rates.size());
        for (const double side : {1.0, -1.0}) {
            for (std::size_t c = 0; c < rates.size(); ++c)
                step_[c] = side * kStep / longest * rates[c];
            mechanism.retract(now_.at, step_, moved_.at);
            stored_.assign(dofs.begin(), dofs.end());
            mechanism.store(moved_.at, stored_);
            for (std::size_t d = 0; d < dofs.size(); ++d)
                out[d] += side * stored_[d] * longest / (2.0 * kStep);
        }
    }

  private:
    // The second derivatives over the coordinates that are free, decomposed.
    void factor() {
        const Mechanism& mechanism = problem_.mechanism();
        problem_.linearize(now_);
        problem_.computeGradient(now_, 3, at_.value);
        if (mechanism.bounded()) mechanism.computeRoom(now_.at, at_.down, at_.up);
        hessian_.build(problem_);
        for (std::size_t c = 0; c < at_.value.size(); ++c)
            if (at_.up[c] > 0.0 && at_.down[c] < 0.0) hessian_.free().push_back(c);
        // Goals that are met have no pull, and nothing bends: their first derivatives are all.
        // Otherwise differences of the gradient have everything in them.
        if (now_.worst <= 1.0 && !problem_.hasPosture() && !mechanism.hasVectors()) {
            const std::vector<std::uint8_t> straight(problem_.goalRows().size(), 1);
            std::fill(gradient_.begin(), gradient_.end(), 0.0);
            hessian_.compute(problem_, now_, gradient_, straight);
        } else {
            hessian_.estimate(problem_, now_, at_);
            cutoff_ = 1e-8;
        }
        eigen_.compute(hessian_.matrix(), hessian_.free().size());
    }

    Problem& problem_;
    Pose base_;
    Evaluation now_, moved_;
    BoundedGradient at_;
    CostHessian hessian_;
    SymmetricEigen eigen_;
    double cutoff_ = 1e-10;  // what is below this part of the largest curvature is free
    std::vector<double> gradient_, change_, solution_, step_, stored_;
};

}  // namespace

std::vector<double> IkDerivatives::pullBack(std::span<const double> gradient) const {
    ULNA_ASSERT(gradient.size() == dofs, "one number per degree of freedom is needed");
    std::vector<double> out(targets, 0.0);
    for (std::size_t d = 0; d < dofs; ++d) {
        for (std::size_t t = 0; t < targets; ++t)
            out[t] += gradient[d] * by_target[d * targets + t];
    }
    return out;
}

Result<IkDerivatives> differentiateIk(const Skeleton& skeleton, std::span<const IkGoal> goals,
                                      std::span<const double> dofs, const IkOptions& options) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    Problem problem;
    if (const Status status = problem.build(skeleton, {goals.begin(), goals.end()}, options);
        !status)
        return status.error();
    if (problem.hasLevelTwo())
        return Diagnostic{.what = "an answer of two levels has no derivative",
                          .advice = "use weights instead of levels"};
    if (problem.columnCount() > kNewtonColumns)
        return Diagnostic{.what = "the answer has " + std::to_string(problem.columnCount()) +
                                  " coordinates that move; derivatives are for 300 or fewer",
                          .advice = "lock joints, or name a chain"};
    if (!problem.isSound() ||
        !std::all_of(dofs.begin(), dofs.end(), [](double x) { return std::isfinite(x); }))
        return Diagnostic{.what = "a target or a coordinate is not a finite number"};

    IkDerivatives out{.dofs = dofs.size(), .targets = 3 * goals.size(), .by_target = {}};
    out.by_target.assign(out.dofs * out.targets, 0.0);
    Answer answer(problem, dofs);
    std::vector<double> rates, by_dof;
    for (std::size_t g = 0; g < goals.size(); ++g) {
        const GoalTarget target = targetOf(problem.goals()[g].kind);
        if (!goals[g].enabled || (target.point == nullptr && target.rotation == nullptr)) continue;
        const Vec3 point = target.point != nullptr ? *target.point : Vec3{};
        const Quat rotation = target.rotation != nullptr ? *target.rotation : Quat{};
        for (std::size_t k = 0; k < 3; ++k) {
            answer.follow(
                [&](double by) {
                    Vec3 move;
                    move[k] = by;
                    if (target.point != nullptr) *target.point = point + move;
                    if (target.rotation != nullptr) *target.rotation = quatExp(move) * rotation;
                },
                rates);
            answer.toDofs(rates, dofs, by_dof);
            for (std::size_t d = 0; d < out.dofs; ++d)
                out.by_target[d * out.targets + 3 * g + k] = by_dof[d];
        }
    }
    return out;
}

}  // namespace ulna
