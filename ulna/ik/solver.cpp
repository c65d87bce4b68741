// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/solver.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "ulna/ik/body_rules.h"
#include "ulna/ik/detail/auto_method.h"
#include "ulna/ik/detail/ccd.h"
#include "ulna/ik/detail/classic.h"
#include "ulna/ik/detail/fabrik.h"
#include "ulna/ik/detail/overloaded.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/ik/detail/two_bone_method.h"
#include "ulna/ik/natural.h"
#include "ulna/ik/natural_suggestion.h"
#include "ulna/skeleton/scale.h"

namespace ulna {
namespace {

using ik::detail::AutoMethod;
using ik::detail::Ccd;
using ik::detail::Classic;
using ik::detail::Evaluation;
using ik::detail::Fabrik;
using ik::detail::Outcome;
using ik::detail::Overloaded;
using ik::detail::Problem;
using ik::detail::scaleError;
using ik::detail::TwoBoneMethod;

// Whether the method can do such goals at all; the error says what it can.
Status checkMethod(const Problem& problem) {
    const IkMethod method = problem.options().method;
    const std::string name(ikMethodName(method));
    if (method != IkMethod::Auto && problem.hasLevelTwo())
        return Diagnostic{name + " has no priorities", {}, {}, "use auto for goals of level 2"};
    if (method != IkMethod::Ccd && method != IkMethod::Fabrik && method != IkMethod::TwoBone)
        return Done{};
    if (problem.isCoupled())
        return Diagnostic{.what = name + " moves joints one by one, and some here follow others",
                          .advice = "use auto for coupled joints"};
    for (const IkGoal& goal : problem.goals()) {
        if (std::holds_alternative<PositionGoal>(goal.kind)) continue;
        if (method == IkMethod::TwoBone && std::holds_alternative<PoleGoal>(goal.kind)) continue;
        return Diagnostic{name + " can only do positions, not a goal of kind " +
                              std::string(goalKindName(goal.kind)),
                          {},
                          {},
                          "use auto for other goals"};
    }
    return Done{};
}

// Gives every joint that the caller says nothing of the stiffness that people have there.
Status prepareNatural(const Skeleton& skeleton, IkOptions& options) {
    if (options.method != IkMethod::Auto)
        return Diagnostic{
            .what = std::string(ikMethodName(options.method)) + " knows no natural poses",
            .advice = "use auto, or leave IkOptions::natural empty"};
    if (options.natural->skeleton().jointCount() != skeleton.jointCount())
        return Diagnostic{.what = "natural poses were prepared for another skeleton",
                          .advice = "make the NaturalBody from the skeleton that is solved"};
    for (const JointStiffness& usual : options.natural->stiffness()) {
        const bool said = std::any_of(options.stiffness.begin(), options.stiffness.end(),
                                      [&](const auto& own) { return own.joint == usual.joint; });
        if (!said) options.stiffness.push_back(usual);
    }
    return Done{};
}

// Whether two states of one pose have the same angles; a revolution more or less where revolutions
// do not count.
bool haveSameAngles(const Mechanism& mechanism, const MechanismState& a, const MechanismState& b) {
    constexpr double kRounding = 1e-6;
    for (std::size_t c = 0; c < mechanism.columnCount(); ++c) {
        if (!mechanism.columns()[c].angle) continue;
        const double other =
            mechanism.isCircular(c) ? unwrapAngle(b.values[c], a.values[c]) : b.values[c];
        if (std::abs(other - a.values[c]) > kRounding) return false;
    }
    return true;
}

}  // namespace

struct IkSolver::State {
    Problem problem;
    std::variant<AutoMethod, Ccd, Fabrik, TwoBoneMethod, Classic> method;
    Evaluation now;
    MechanismState start;
    Pose base;
    IkReport report;
    std::uint64_t problem_number = 0;
    std::vector<JointId> limited;  // the skeleton's joints with limits that follow no other

    [[nodiscard]] Status buildMethod();
    void begin();
    [[nodiscard]] bool takeNaturalPose(Pose& pose);
    void clamp(std::span<double> dofs) const;
    void run(const Pose& base_in_use);
    void runFrom(std::span<double> dofs);
    void runFrom(Pose& pose);
    template <class Run>
    [[nodiscard]] bool runNaturally(const Pose& given, Pose& pose, const Run& run_from);
};

Status IkSolver::State::buildMethod() {
    switch (problem.options().method) {
        case IkMethod::Auto:
            method.emplace<AutoMethod>().build(problem);
            break;
        case IkMethod::Ccd:
            method.emplace<Ccd>().build(problem);
            break;
        case IkMethod::Fabrik:
            method.emplace<Fabrik>().build(problem);
            break;
        case IkMethod::TwoBone:
            return method.emplace<TwoBoneMethod>().build(problem);
        default:
            method.emplace<Classic>().build(problem);
            break;
    }
    return Done{};
}

IkSolver::IkSolver(std::unique_ptr<State> state) : state_(std::move(state)) {}
IkSolver::IkSolver(const IkSolver& other) : state_(std::make_unique<State>(*other.state_)) {}
IkSolver& IkSolver::operator=(const IkSolver& other) {
    if (this != &other) state_ = std::make_unique<State>(*other.state_);
    return *this;
}
IkSolver::IkSolver(IkSolver&&) noexcept = default;
IkSolver& IkSolver::operator=(IkSolver&&) noexcept = default;
IkSolver::~IkSolver() = default;

Result<IkSolver> IkSolver::make(const Skeleton& skeleton, std::vector<IkGoal> goals,
                                IkOptions options) {
    if (options.natural) {
        if (const Status status = prepareNatural(skeleton, options); !status) return status.error();
    }
    auto state = std::make_unique<State>();
    if (const Status status = state->problem.build(skeleton, std::move(goals), std::move(options));
        !status)
        return status.error();
    const Problem& problem = state->problem;
    if (const Status status = checkMethod(problem); !status) return status.error();
    if (const Status status = state->buildMethod(); !status) return status.error();
    state->base = restPose(skeleton);
    for (const JointId j : skeleton.joints()) {
        bool limited = skeleton.joint(j).cone.has_value();
        for (std::size_t d = 0; d < skeleton.dofCount(j); ++d)
            limited = limited || skeleton.dofLimits()[skeleton.firstDof(j) + d].bounded();
        if (limited && !skeleton.joint(j).coupling) state->limited.push_back(j);
    }
    problem.size(state->now);
    problem.mechanism().load(DofVector(skeleton.dofCount(), 0.0), state->start);
    return IkSolver(std::move(state));
}

std::span<IkGoal> IkSolver::goals() {
    return state_->problem.goals();
}
std::span<const IkGoal> IkSolver::goals() const {
    return state_->problem.goals();
}
void IkSolver::setBudget(Budget budget) {
    state_->problem.setBudget(std::move(budget));
}
void IkSolver::setProblemNumber(std::uint64_t number) {
    state_->problem_number = number;
}
const IkReport& IkSolver::report() const {
    return state_->report;
}
double IkSolver::positionTolerance() const {
    return state_->problem.positionTolerance();
}
double IkSolver::reach() const {
    return state_->problem.reach();
}

void IkSolver::State::run(const Pose& base_in_use) {
    // Iterations of the classical methods, where nobody says how many.
    constexpr int kSweeps = 500;
    constexpr int kSteps = 1000;
    const IkOptions& options = problem.options();
    const auto most = [&](int usual) {
        return options.max_iterations > 0 ? options.max_iterations : usual;
    };
    now.at = start;
    problem.evaluate(now);
    if (options.record_history) report.history.push_back(now.worst);
    const Outcome outcome = std::visit(
        Overloaded{[&](AutoMethod& m) { return m.solve(problem, problem_number, now, report); },
                   [&](Ccd& m) { return m.solve(problem, now, most(kSweeps), report); },
                   [&](TwoBoneMethod& m) { return m.solve(problem, base_in_use, now, report); },
                   [&](auto& m) { return m.solve(problem, now, most(kSteps), report); }},
        method);
    report.status = outcome == Outcome::Reached      ? IkStatus::Reached
                    : outcome == Outcome::Stationary ? IkStatus::OutOfReach
                    : outcome == Outcome::Stalled    ? IkStatus::Stalled
                    : outcome == Outcome::Stopped    ? IkStatus::Stopped
                                                     : IkStatus::MaxIterations;
    report.cost = now.cost[0] + now.cost[1];
    report.goal_errors = now.errors;
}

Status IkSolver::setBase(const Pose& pose) {
    const Skeleton& skeleton = state_->problem.mechanism().skeleton();
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    for (const JointId j : state_->problem.mechanism().active()) {
        if (!isUniformScale(pose[j].scale)) return scaleError(skeleton, j);
    }
    state_->base = pose;
    return Done{};
}

void IkSolver::State::clamp(std::span<double> dofs) const {
    const Skeleton& skeleton = problem.mechanism().skeleton();
    for (const JointId j : limited) clampJointToLimits(skeleton, j, dofs);
    applyCouplings(skeleton, dofs);
}

// What meets its goals stays as it is; false then.
bool IkSolver::State::takeNaturalPose(Pose& pose) {
    const IkOptions& options = problem.options();
    if (options.natural_start == NaturalStart::Pose) {
        problem.begin(pose);
        problem.mechanism().load(pose, now.at);
        problem.evaluate(now);
        if (now.worst <= 1.0) return false;
    }
    const NaturalSuggestion natural(options.natural, problem.goals(), options.locked, pose,
                                    options.natural_start);
    natural.suggest(problem.goals(), pose);
    return true;
}

// From a natural pose to the goals, and once more where what a body keeps beside them was broken.
// Whether the last run is the answer; otherwise the one before it.
template <class Run>
bool IkSolver::State::runNaturally(const Pose& given, Pose& pose, const Run& run_from) {
    const IkOptions& options = problem.options();
    const bool taken = takeNaturalPose(pose);
    run_from(pose);
    if (!taken || options.natural_start != NaturalStart::Pose || report.status == IkStatus::Stopped)
        return true;
    BodyRules rules(options.natural, problem.goals(), options.locked, given, options.natural_rules);
    Pose mended = pose;
    if (!rules.mend(problem.goals(), options, mended)) return true;
    const IkReport before = report;
    run_from(mended);
    // Goals come first.
    if (before.status == IkStatus::Reached && report.status != IkStatus::Reached) {
        report = before;
        return false;
    }
    pose = std::move(mended);
    return true;
}

void IkSolver::State::begin() {
    report.iterations = 0;
    report.attempts = 1;
    report.history.clear();
    report.gradient = 0.0;
    report.cost = 0.0;
    report.goal_errors.assign(problem.goals().size(), 0.0);
}

const IkReport& IkSolver::solve(std::span<double> dofs) {
    State& s = *state_;
    const Mechanism& mechanism = s.problem.mechanism();
    const Skeleton& skeleton = mechanism.skeleton();
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    s.begin();
    bool sound = s.problem.isSound();
    for (const double x : dofs) sound = sound && std::isfinite(x);
    if (!sound) {
        s.report.status = IkStatus::BadGoal;
        return s.report;
    }
    if (!s.problem.options().natural) {
        s.runFrom(dofs);
        return s.report;
    }
    Pose pose = s.base;
    applyDofs(skeleton, dofs, pose);
    const Pose start = pose;
    DofVector answer, before;
    const bool last = s.runNaturally(start, pose, [&](Pose& from) {
        before = std::exchange(answer, computeDofs(skeleton, from, dofs).dofs);
        s.runFrom(answer);
        applyDofs(skeleton, answer, from);
    });
    std::copy_n((last ? answer : before).begin(), dofs.size(), dofs.begin());
    return s.report;
}

// Joints outside the mechanism keep their limits too.
void IkSolver::State::runFrom(std::span<double> dofs) {
    const Mechanism& mechanism = problem.mechanism();
    const Skeleton& skeleton = mechanism.skeleton();
    clamp(dofs);
    for (const JointId j : mechanism.active()) {
        const Trs t = computeJointTransform(skeleton, j, jointDofs(skeleton, j, dofs));
        base[j].rotation = t.rotation;
        if (slides(skeleton.kind(j))) base[j].translation = t.translation;
    }
    problem.countRevolutions(true);
    problem.begin(base);
    mechanism.load(dofs, start);
    run(base);
    mechanism.store(now.at, dofs);
    clamp(dofs);
}

const IkReport& IkSolver::solve(Pose& pose) {
    State& s = *state_;
    const Mechanism& mechanism = s.problem.mechanism();
    ULNA_ASSERT(pose.parent_from_joint.size() == mechanism.skeleton().jointCount(),
                "the pose needs one transform per joint");
    s.begin();
    bool sound = s.problem.isSound();
    for (const JointId j : mechanism.active()) {
        const Trs& t = pose[j];
        sound = sound && isFinite(t.translation) && isUniformScale(t.scale) &&
                std::isfinite(t.rotation.x + t.rotation.y + t.rotation.z + t.rotation.w);
    }
    if (!sound) {
        s.report.status = IkStatus::BadGoal;
        return s.report;
    }
    if (!s.problem.options().natural) {
        s.runFrom(pose);
        return s.report;
    }
    const Pose start = pose;
    (void)s.runNaturally(start, pose, [&](Pose& from) { s.runFrom(from); });
    return s.report;
}

void IkSolver::State::runFrom(Pose& pose) {
    const Mechanism& mechanism = problem.mechanism();
    const IkOptions& options = problem.options();
    problem.countRevolutions(false);
    problem.begin(pose);
    mechanism.load(pose, start);
    mechanism.clamp(start);
    // A pose may be read back as other angles than those that were solved for, with other room to
    // their limits. An answer is one that rests as it is read.
    constexpr int kReadings = 3;
    for (int reading = 0; reading < kReadings; ++reading) {
        run(pose);
        mechanism.store(now.at, pose);
        const bool reached = report.status == IkStatus::Reached && !problem.hasPosture();
        if (reached || report.status == IkStatus::Stopped || options.max_iterations > 0) break;
        mechanism.load(pose, start);
        mechanism.clamp(start);
        if (haveSameAngles(mechanism, start, now.at)) break;
    }
}

Result<IkReport> solveIk(const Skeleton& skeleton, std::span<const IkGoal> goals,
                         const IkOptions& options, DofVector& dofs) {
    Result<IkSolver> solver =
        IkSolver::make(skeleton, std::vector<IkGoal>(goals.begin(), goals.end()), options);
    if (!solver) return solver.error();
    return solver->solve(dofs);
}

}  // namespace ulna
