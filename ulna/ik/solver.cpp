// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/solver.h"

#include <algorithm>
#include <cmath>

#include "ulna/ik/detail/ccd.h"
#include "ulna/ik/detail/classic.h"
#include "ulna/ik/detail/fabrik.h"
#include "ulna/ik/detail/least_squares.h"
#include "ulna/ik/detail/problem.h"
#include "ulna/ik/detail/restart.h"
#include "ulna/ik/two_bone.h"

namespace ulna {

namespace {

// Coming to rest at a minimum is worth more steps than looking for one.
constexpr int kPolishIterations = 1000;
constexpr int kSecondIterations = 200;

// Whether the method can do such goals at all; the error says what it can.
Status checkMethod(const ik::detail::Problem& problem) {
    const IkMethod method = problem.options().method;
    const std::string name(ikMethodName(method));
    if (method != IkMethod::Auto && problem.hasLevelTwo())
        return Diagnostic{name + " has no priorities", {}, {}, "use auto for goals of level 2"};
    if (method != IkMethod::Ccd && method != IkMethod::Fabrik && method != IkMethod::TwoBone)
        return Done{};
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

// The limb that a two-bone problem is about: given by its pole goal, or the two moving joints above
// the goal's joint.
Result<TwoBoneChain> findLimb(const ik::detail::Problem& problem) {
    const Skeleton& skeleton = problem.mechanism().skeleton();
    const auto error = [](const std::string& what) { return Diagnostic{what, {}, {}, {}}; };
    const PositionGoal* position = nullptr;
    const PoleGoal* pole = nullptr;
    for (const IkGoal& goal : problem.goals()) {
        if (const auto* p = std::get_if<PositionGoal>(&goal.kind)) {
            if (position != nullptr) return error("two-bone has one position goal, not several");
            position = p;
        } else {
            if (pole != nullptr) return error("two-bone has one pole, not several");
            pole = &std::get<PoleGoal>(goal.kind);
        }
    }
    if (position == nullptr) return error("two-bone needs a position goal");
    if (position->point != Vec3{})
        return error("two-bone moves a joint, not a point beside it: '" +
                     skeleton.name(position->joint) + "'");
    if (pole != nullptr) {
        if (pole->end != position->joint)
            return error("the pole's limb does not end at the goal's joint '" +
                         skeleton.name(position->joint) + "'");
        return TwoBoneChain{pole->start, pole->mid, pole->end};
    }
    const auto movingAbove = [&](JointId j) {
        do {
            j = skeleton.parent(j);
        } while (j != JointId::None && !problem.mechanism().moves(j));
        return j;
    };
    TwoBoneChain limb;
    limb.end = position->joint;
    limb.mid = movingAbove(limb.end);
    limb.start = limb.mid == JointId::None ? JointId::None : movingAbove(limb.mid);
    if (limb.start == JointId::None)
        return error("there are no two joints above '" + skeleton.name(limb.end) +
                     "' that may move");
    return limb;
}

}  // namespace

struct IkSolver::State {
    ik::detail::Problem problem;
    ik::detail::LeastSquares least_squares;
    ik::detail::Classic classic;
    ik::detail::Ccd ccd;
    ik::detail::Fabrik fabrik;
    ik::detail::Evaluation now, best;
    MechanismState start;
    Pose base;
    IkReport report;
    std::uint64_t problem_number = 0;

    std::vector<Vec3> goal_points, goal_targets;
    std::vector<Quat> goal_turns, goal_turn_targets;
    std::vector<JointId> limited;  // the skeleton's joints with limits
    bool plain_weights = true;     // no joint is stiffer than another

    TwoBoneChain limb;
    Pose limb_pose;
    const Pose* base_in_use = nullptr;

    void begin();
    void clamp(std::span<double> dofs) const;
    void run();
    void approach();
    ik::detail::Outcome attempt(int most, double enough);
    ik::detail::Outcome solveAuto();
    ik::detail::Outcome solveLimb();
};

IkSolver::IkSolver(std::unique_ptr<State> state) : state_(std::move(state)) {}
IkSolver::IkSolver(IkSolver&&) noexcept = default;
IkSolver& IkSolver::operator=(IkSolver&&) noexcept = default;
IkSolver::~IkSolver() = default;

Result<IkSolver> IkSolver::make(const Skeleton& skeleton, std::vector<IkGoal> goals,
                                IkOptions options) {
    auto state = std::make_unique<State>();
    if (const Status status = state->problem.build(skeleton, std::move(goals), std::move(options));
        !status)
        return status.error();
    const ik::detail::Problem& problem = state->problem;
    if (const Status status = checkMethod(problem); !status) return status.error();
    switch (problem.options().method) {
        case IkMethod::Auto:
            state->least_squares.build(problem);
            state->least_squares.recordHistory(problem.options().record_history);
            state->fabrik.build(problem);
            break;
        case IkMethod::Ccd:
            state->ccd.build(problem);
            break;
        case IkMethod::Fabrik:
            state->fabrik.build(problem);
            break;
        case IkMethod::TwoBone: {
            const Result<TwoBoneChain> limb = findLimb(problem);
            if (!limb) return limb.error();
            state->limb = *limb;
            break;
        }
        default:
            state->classic.build(problem);
            break;
    }
    state->base = restPose(skeleton);
    for (const Mechanism::Column& column : problem.mechanism().columns())
        state->plain_weights = state->plain_weights && column.weight == 1.0;
    for (const JointId j : skeleton.joints()) {
        bool limited = skeleton.joint(j).cone.has_value();
        for (std::size_t d = 0; d < skeleton.dofCount(j); ++d)
            limited = limited || skeleton.dofLimits()[skeleton.firstDof(j) + d].bounded();
        if (limited) state->limited.push_back(j);
    }
    state->limb_pose = restPose(skeleton);
    problem.size(state->now);
    problem.size(state->best);
    problem.mechanism().load(DofVector(skeleton.dofCount(), 0.0), state->start);
    return IkSolver(std::move(state));
}

std::span<IkGoal> IkSolver::goals() {
    return state_->problem.goals();
}
std::span<const IkGoal> IkSolver::goals() const {
    return state_->problem.goals();
}
void IkSolver::setProblemNumber(std::uint64_t number) {
    state_->problem_number = number;
}
double IkSolver::positionTolerance() const {
    return state_->problem.positionTolerance();
}
double IkSolver::reach() const {
    return state_->problem.reach();
}

ik::detail::Outcome IkSolver::State::attempt(int most, double enough) {
    // A chain of free balls is FABRIK's own problem; what it leaves is a good start.
    const IkOptions& options = problem.options();
    int left = most;
    if (options.fabrik_first && fabrik.isPlainChain() && plain_weights && !options.continuity) {
        const int before = report.iterations;
        const ik::detail::Outcome outcome = fabrik.solve(problem, now, most, report);
        if (outcome == ik::detail::Outcome::Reached && now.worst <= enough) return outcome;
        if (options.max_iterations > 0) left = most - (report.iterations - before);
    }
    return least_squares.descend(problem, now, left, report, enough);
}

// Brings position and orientation targets up in small moves, so that the answer stays on its
// branch.
void IkSolver::State::approach() {
    constexpr double kMove = 0.05;  // of the reach, or radians
    constexpr int kMostMoves = 200;
    constexpr int kStepsPerMove = 4;
    const auto rows = problem.goalRows();
    goal_points.resize(rows.size());
    goal_targets.resize(rows.size());
    goal_turns.resize(rows.size());
    goal_turn_targets.resize(rows.size());
    double farthest = 0.0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (rows[r].factor == 0.0) continue;
        if (rows[r].point) {
            goal_points[r] = problem.goalPoint(rows[r], now.frames);
            goal_targets[r] = rows[r].target;
            farthest =
                std::max(farthest, distance(goal_points[r], goal_targets[r]) / problem.reach());
        } else if (const auto* turn = std::get_if<OrientationGoal>(&rows[r].kind)) {
            const RigidFrame f = problem.mechanism().jointFrame(turn->joint, now.frames);
            goal_turns[r] = quatFromMatrix(Mat3::fromColumns(f.x, f.y, f.z));
            goal_turn_targets[r] = turn->target;
            farthest = std::max(farthest, angleBetween(goal_turns[r], turn->target));
        }
    }
    const int moves = static_cast<int>(std::min(std::ceil(farthest / kMove), double{kMostMoves}));
    for (int k = 1; k <= moves; ++k) {
        const double t = static_cast<double>(k) / moves;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (rows[r].factor == 0.0) continue;
            if (rows[r].point) {
                problem.setTarget(
                    r, k == moves ? goal_targets[r] : lerp(goal_points[r], goal_targets[r], t));
            } else if (std::holds_alternative<OrientationGoal>(rows[r].kind)) {
                problem.setTarget(r, k == moves ? goal_turn_targets[r]
                                                : slerp(goal_turns[r], goal_turn_targets[r], t));
            }
        }
        problem.evaluate(now);
        const int left = problem.options().max_iterations > 0
                             ? problem.options().max_iterations - report.iterations - 1
                             : kStepsPerMove;
        if (k < moves && left > 0)
            least_squares.descend(problem, now, std::min(left, kStepsPerMove), report);
    }
}

ik::detail::Outcome IkSolver::State::solveAuto() {
    using ik::detail::Outcome;
    const IkOptions& options = problem.options();
    const bool counted = options.max_iterations > 0;
    const int most = counted ? options.max_iterations : ik::detail::kUsualSteps;
    const int restarts = options.continuity ? 0 : options.restarts;
    const bool levels = problem.hasLevelTwo();
    // Level 2 must not gain from slack in level 1, so level 1 is brought far below its tolerance.
    const double enough = levels ? 1e-4 : 1.0;
    if (options.continuity) approach();
    if (levels) {
        problem.setLevels(1);
        problem.evaluate(now);
    }
    Outcome outcome = attempt(counted ? std::max(0, most - report.iterations) : most, enough);
    if (outcome != Outcome::Reached && restarts > 0) {
        best = now;
        for (int i = 1; i <= restarts; ++i) {
            ++report.attempts;
            ik::detail::chooseStart(problem.mechanism(), options.seed, problem_number,
                                    static_cast<std::uint64_t>(i), start, now.at);
            problem.evaluate(now);
            outcome = attempt(most, enough);
            if (outcome == Outcome::Reached) break;
            if (now.total() < best.total()) std::swap(now, best);
        }
        if (outcome != Outcome::Reached) std::swap(now, best);
    }
    // Who counts iterations gets no more of them; others get an answer that has come to rest. Who
    // counts them and goes on from here soon, as a drag does, gets there over several solves: a
    // step of Newton's takes as long as many others.
    if (outcome != Outcome::Reached && now.worst > enough &&
        !(counted && (outcome == Outcome::MaxIterations || options.continuity))) {
        const int left = counted ? std::max(1, most - report.iterations) : kPolishIterations;
        outcome = least_squares.polish(problem, now, left, report);
    }
    report.gradient = least_squares.gradient();
    if (levels) {
        const bool first_reached = now.worst <= 1.0;
        constexpr int kRounds = 6;
        for (int round = 0; round < kRounds; ++round) {
            problem.setLevels(3);
            problem.evaluate(now);
            outcome = least_squares.descendSecond(problem, now, counted ? most : kSecondIterations,
                                                  report);
            if (first_reached || counted || least_squares.secondSteps() == 0) break;
            // A level 1 that is out of reach is brought to rest again, so that both are at rest
            // together.
            problem.setLevels(1);
            problem.evaluate(now);
            least_squares.polish(problem, now, kPolishIterations, report);
        }
        problem.setLevels(3);
        problem.evaluate(now);
        report.gradient = least_squares.gradient();
        if (outcome == Outcome::Reached && !first_reached) outcome = Outcome::Stationary;
    }
    return outcome;
}

ik::detail::Outcome IkSolver::State::solveLimb() {
    const Mechanism& mechanism = problem.mechanism();
    TwoBoneGoal wish;
    for (const IkGoal& goal : problem.goals()) {
        if (const auto* position = std::get_if<PositionGoal>(&goal.kind)) {
            if (!goal.enabled) return ik::detail::Outcome::Reached;
            wish.target = position->target;
        }
        if (const auto* pole = std::get_if<PoleGoal>(&goal.kind); pole != nullptr && goal.enabled)
            wish.pole = pole->pole;
    }
    limb_pose = *base_in_use;
    mechanism.store(now.at, limb_pose);
    static_cast<void>(solveTwoBone(mechanism.skeleton(), limb, wish, limb_pose));
    mechanism.load(limb_pose, now.at);
    mechanism.clamp(now.at);
    problem.evaluate(now);
    report.iterations = 1;
    if (problem.options().record_history) report.history.push_back(now.worst);
    return now.worst <= 1.0 ? ik::detail::Outcome::Reached : ik::detail::Outcome::Stationary;
}

void IkSolver::State::run() {
    const IkOptions& options = problem.options();
    const auto most = [&](int usual) {
        return options.max_iterations > 0 ? options.max_iterations : usual;
    };
    now.at = start;
    problem.evaluate(now);
    if (options.record_history) report.history.push_back(now.worst);
    ik::detail::Outcome outcome = ik::detail::Outcome::Stalled;
    switch (options.method) {
        case IkMethod::Auto:
            outcome = solveAuto();
            break;
        case IkMethod::Ccd:
            outcome = ccd.solve(problem, now, most(500), report);
            break;
        case IkMethod::Fabrik:
            outcome = fabrik.solve(problem, now, most(1000), report);
            break;
        case IkMethod::TwoBone:
            outcome = solveLimb();
            break;
        default:
            outcome = classic.solve(problem, now, most(1000), report);
            report.gradient = classic.gradient();
            break;
    }
    report.status = outcome == ik::detail::Outcome::Reached      ? IkStatus::Reached
                    : outcome == ik::detail::Outcome::Stationary ? IkStatus::OutOfReach
                    : outcome == ik::detail::Outcome::Stalled    ? IkStatus::Stalled
                                                                 : IkStatus::MaxIterations;
    report.cost = now.cost[0] + now.cost[1];
    report.goal_errors = now.errors;
}

Status IkSolver::setBase(const Pose& pose) {
    const Skeleton& skeleton = state_->problem.mechanism().skeleton();
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    for (const JointId j : state_->problem.mechanism().active()) {
        if (!ik::detail::isUniform(pose[j].scale)) return ik::detail::scaleError(skeleton, j);
    }
    state_->base = pose;
    return Done{};
}

void IkSolver::State::clamp(std::span<double> dofs) const {
    const Skeleton& skeleton = problem.mechanism().skeleton();
    for (const JointId j : limited) clampJointToLimits(skeleton, j, dofs);
}

void IkSolver::State::begin() {
    report.iterations = 0;
    report.attempts = 1;
    report.history.clear();
    report.gradient = 0.0;
    least_squares.forget();
    report.cost = 0.0;
    report.goal_errors.assign(problem.goals().size(), 0.0);
}

const IkReport& IkSolver::solve(std::span<double> dofs) {
    State& s = *state_;
    const Mechanism& mechanism = s.problem.mechanism();
    const Skeleton& skeleton = mechanism.skeleton();
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    s.begin();
    s.base_in_use = &s.base;
    bool sound = s.problem.isSound();
    for (const double x : dofs) sound = sound && std::isfinite(x);
    if (!sound) {
        s.report.status = IkStatus::BadGoal;
        return s.report;
    }
    // Joints outside the mechanism keep their limits too.
    s.clamp(dofs);
    for (const JointId j : mechanism.active()) {
        const Trs t = computeJointTransform(skeleton, j, dofs.data() + skeleton.firstDof(j));
        s.base[j].rotation = t.rotation;
        if (slides(skeleton.kind(j))) s.base[j].translation = t.translation;
    }
    s.problem.begin(s.base);
    mechanism.load(dofs, s.start);
    s.run();
    mechanism.store(s.now.at, dofs);
    s.clamp(dofs);
    return s.report;
}

const IkReport& IkSolver::solve(Pose& pose) {
    State& s = *state_;
    const Mechanism& mechanism = s.problem.mechanism();
    ULNA_ASSERT(pose.parent_from_joint.size() == mechanism.skeleton().jointCount(),
                "the pose needs one transform per joint");
    s.begin();
    s.base_in_use = &pose;
    bool sound = s.problem.isSound();
    for (const JointId j : mechanism.active()) {
        const Trs& t = pose[j];
        sound = sound && isFinite(t.translation) && ik::detail::isUniform(t.scale) &&
                std::isfinite(t.rotation.x + t.rotation.y + t.rotation.z + t.rotation.w);
    }
    if (!sound) {
        s.report.status = IkStatus::BadGoal;
        return s.report;
    }
    s.problem.begin(pose);
    mechanism.load(pose, s.start);
    mechanism.clamp(s.start);
    s.run();
    mechanism.store(s.now.at, pose);
    return s.report;
}

Result<IkReport> solveIk(const Skeleton& skeleton, std::span<const IkGoal> goals,
                         const IkOptions& options, DofVector& dofs) {
    Result<IkSolver> solver =
        IkSolver::make(skeleton, std::vector<IkGoal>(goals.begin(), goals.end()), options);
    if (!solver) return solver.error();
    return solver->solve(dofs);
}

}  // namespace ulna
