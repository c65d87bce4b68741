// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/auto_method.h"

#include <algorithm>
#include <cmath>

#include "ulna/ik/detail/restart.h"

namespace ulna::ik::detail {
namespace {

// Coming to rest at a minimum is worth more steps than looking for one.
constexpr int kPolishIterations = 300;
constexpr int kSecondIterations = 200;

// The iterations that the caller allows, or as many as are usual.
int allowedIterations(const IkOptions& options, int usual) {
    return options.max_iterations > 0 ? options.max_iterations : usual;
}

}  // namespace

void AutoMethod::build(const Problem& problem) {
    descent_.build(problem);
    polish_.build(problem);
    if (problem.hasLevelTwo()) second_.build(problem);
    fabrik_.build(problem);
    const auto columns = problem.mechanism().columns();
    // FABRIK knows no stiffness.
    const bool plain = std::all_of(columns.begin(), columns.end(),
                                   [](const Mechanism::Column& c) { return c.weight == 1.0; });
    const IkOptions& options = problem.options();
    fabrik_first_ = options.fabrik_first && fabrik_.isPlainChain() && plain && !options.continuity;
    problem.size(best_);
    start_ = best_.at;
    restart_ = best_.at;
    approach_.resize(problem.goalRows().size());
}

// A chain of free balls is FABRIK's own problem; what it leaves is a good start.
Outcome AutoMethod::attempt(Problem& problem, Evaluation& now, const DescentLimits& limits,
                            IkReport& report) {
    DescentLimits left = limits;
    if (fabrik_first_) {
        const int before = report.iterations;
        const Outcome outcome = fabrik_.solve(problem, now, limits.max_iterations, report);
        if (outcome == Outcome::Reached && now.worst <= limits.enough) return outcome;
        if (outcome == Outcome::Stopped) return outcome;
        if (problem.options().max_iterations > 0) left.max_iterations -= report.iterations - before;
    }
    return descent_.descend(problem, now, left, report);
}

// Notes where positions and orientations are; returns in how many moves their targets are brought
// up.
int AutoMethod::beginApproach(const Problem& problem, const Evaluation& now) {
    constexpr double kMove = 0.05;  // of the reach, or radians
    constexpr int kMostMoves = 200;
    const auto rows = problem.goalRows();
    double farthest = 0.0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (rows[r].factor == 0.0) continue;
        Approach& own = approach_[r];
        if (rows[r].point) {
            own.point = problem.goalPoint(rows[r], now.frames);
            own.target = rows[r].target;
            farthest = std::max(farthest, distance(own.point, own.target) / problem.reach());
        } else if (const auto* goal = std::get_if<OrientationGoal>(&rows[r].kind)) {
            const RigidFrame f = problem.mechanism().jointFrame(goal->joint, now.frames);
            own.rotation = quatFromMatrix(Mat3::fromColumns(f.x, f.y, f.z));
            own.target_rotation = goal->target;
            farthest = std::max(farthest, angleBetween(own.rotation, goal->target));
        }
    }
    return static_cast<int>(std::min(std::ceil(farthest / kMove), double{kMostMoves}));
}

void AutoMethod::moveTargets(Problem& problem, int move, int moves) {
    const double t = static_cast<double>(move) / moves;
    const bool last = move == moves;
    const auto rows = problem.goalRows();
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (rows[r].factor == 0.0) continue;
        const Approach& own = approach_[r];
        if (rows[r].point) {
            problem.setTarget(r, last ? own.target : lerp(own.point, own.target, t));
        } else if (std::holds_alternative<OrientationGoal>(rows[r].kind)) {
            problem.setTarget(
                r, last ? own.target_rotation : slerp(own.rotation, own.target_rotation, t));
        }
    }
}

// Brings position and orientation targets up in small moves, so that the answer stays on its
// branch.
void AutoMethod::approach(Problem& problem, Evaluation& now, IkReport& report) {
    constexpr int kStepsPerMove = 4;
    const int moves = beginApproach(problem, now);
    for (int k = 1; k <= moves; ++k) {
        moveTargets(problem, k, moves);
        problem.evaluate(now);
        const int left = problem.options().max_iterations > 0
                             ? problem.options().max_iterations - report.iterations - 1
                             : kStepsPerMove;
        if (k == moves || left <= 0) continue;
        const DescentLimits few{.max_iterations = std::min(left, kStepsPerMove)};
        // Without a budget for the rest, the targets are where they are in the end.
        if (descent_.descend(problem, now, few, report) == Outcome::Stopped) k = moves - 1;
    }
}

// All goals that count, from this start and, where it stalls, from others; then to rest.
Outcome AutoMethod::solveFirst(Problem& problem, std::uint64_t problem_number, double enough,
                               Evaluation& now, IkReport& report) {
    const IkOptions& options = problem.options();
    const bool counted = options.max_iterations > 0;
    const int most = allowedIterations(options, kUsualSteps);
    const int restarts = options.continuity ? 0 : options.restarts;
    const int first = counted ? std::max(0, most - report.iterations) : most;
    Outcome outcome = attempt(problem, now, {.max_iterations = first, .enough = enough}, report);
    const auto met = [&] { return now.worst <= enough; };
    bool moved = report.iterations > iterations_before_;
    if (!met() && restarts > 0 && outcome != Outcome::Stopped) {
        best_ = now;
        bool best_moved = moved;
        moved = true;
        restart_ = start_;
        problem.relaxRevolutions(restart_);
        for (int i = 1; i <= restarts; ++i) {
            ++report.attempts;
            chooseStart(problem.mechanism(), options.seed, problem_number,
                        static_cast<std::uint64_t>(i), restart_, now.at);
            problem.evaluate(now);
            outcome = attempt(problem, now, {.max_iterations = most, .enough = enough}, report);
            if (met()) break;
            // Equal but for rounding is no reason to go elsewhere.
            if (now.total() < (1.0 - 1e-9) * best_.total()) {
                std::swap(now, best_);
                best_moved = true;
            }
            if (outcome == Outcome::Stopped) break;
        }
        if (!met()) {
            std::swap(now, best_);
            moved = best_moved;
        }
    }
    // A caller who counts iterations gets no more of them; others get an answer that has come to
    // rest. Who counts them and goes on from here soon, as a drag does, gets there over several
    // solves: one of Newton's steps takes as long as many others.
    if (outcome != Outcome::Reached && outcome != Outcome::Stopped &&
        (!met() || problem.hasPosture()) &&
        !(counted && (outcome == Outcome::MaxIterations || options.continuity))) {
        const int left = counted ? std::max(1, most - report.iterations) : kPolishIterations;
        outcome = polish_.solve(problem, now, moved, left, descent_, report);
    }
    return now.worst <= 1.0 ? Outcome::Reached : outcome;
}

Outcome AutoMethod::solveSecond(Problem& problem, Evaluation& now, IkReport& report) {
    constexpr int kRounds = 6;
    const bool counted = problem.options().max_iterations > 0;
    const bool first_reached = now.worst <= 1.0;
    Outcome outcome = Outcome::Stalled;
    for (int round = 0; round < kRounds; ++round) {
        problem.setLevels(3);
        problem.evaluate(now);
        outcome =
            second_.descend(problem, now, allowedIterations(problem.options(), kSecondIterations),
                            descent_, report);
        if (first_reached || counted || second_.steps() == 0 || outcome == Outcome::Stopped) break;
        // A level 1 that is out of reach is brought to rest again, so that both are at rest
        // together.
        problem.setLevels(1);
        problem.evaluate(now);
        if (polish_.solve(problem, now, true, kPolishIterations, descent_, report) ==
            Outcome::Stopped) {
            outcome = Outcome::Stopped;
            break;
        }
    }
    problem.setLevels(3);
    problem.evaluate(now);
    return outcome == Outcome::Reached && !first_reached ? Outcome::Stationary : outcome;
}

// Whether costs became lower by a part that is worth a move: level 1's, or those below it.
bool AutoMethod::isBetter(const Problem& problem, const Costs& before, const Costs& after) {
    if (after.met != before.met) return after.met;
    // What level 1 may lose: far below its tolerances.
    const double kept = 1e-9 * before.first + 1e-16 * problem.reach() * problem.reach();
    if (after.first < (1.0 - kWorthARound) * before.first) return true;
    return after.first <= before.first + kept && after.rest < (1.0 - kWorthARound) * before.rest;
}

AutoMethod::Costs AutoMethod::costsOf(const Problem& problem, const Evaluation& e) {
    const bool met = e.worst <= 1.0;
    if (problem.hasLevelTwo()) return {met, e.cost[0], e.cost[1] + e.posture_cost};
    return {met, e.total(), 0.0};
}

// How far the last round moved the answer: the largest angle, or length in reaches.
double AutoMethod::movedBy(const Problem& problem, const Evaluation& now) const {
    const Mechanism& mechanism = problem.mechanism();
    double most = 0.0;
    for (std::size_t c = 0; c < mechanism.columnCount(); ++c) {
        const double move = std::abs(now.at.values[c] - start_.values[c]);
        most = std::max(most, mechanism.columns()[c].angle ? move : move / problem.reach());
    }
    for (const std::uint32_t link : mechanism.ballLinks())
        most = std::max(most, angleBetween(now.at.rotations[link], start_.rotations[link]));
    return most;
}

Outcome AutoMethod::solve(Problem& problem, std::uint64_t problem_number, Evaluation& now,
                          IkReport& report) {
    constexpr int kRounds = 8;
    constexpr int kUnsettledRounds = 3;  // after the first, of what does not come to rest
    constexpr double kStill = 1e-7;
    if (now.worst <= 1.0 && !problem.hasPosture()) return Outcome::Reached;
    const IkOptions& options = problem.options();
    const bool once = options.max_iterations > 0 || options.restarts > 0;
    Outcome outcome = Outcome::Stalled;
    for (int round = 0; round < kRounds; ++round) {
        const Costs before = costsOf(problem, now);
        outcome = solveOnce(problem, problem_number, now, report);
        if (outcome == Outcome::Stopped || options.max_iterations > 0) return outcome;
        if (now.worst <= 1.0 && !problem.hasPosture()) break;
        const bool rests = outcome == Outcome::Stationary || report.gradient < kStationary;
        if (rests && (once || movedBy(problem, now) <= kStill)) break;
        if (rests) continue;
        if (isBetter(problem, before, costsOf(problem, now))) {
            if (round < kUnsettledRounds) continue;
            break;
        }
        now.at = start_;
        problem.evaluate(now);
        break;
    }
    return now.worst <= 1.0 ? Outcome::Reached : outcome;
}

Outcome AutoMethod::solveOnce(Problem& problem, std::uint64_t problem_number, Evaluation& now,
                              IkReport& report) {
    const bool levels = problem.hasLevelTwo();
    start_ = now.at;
    iterations_before_ = report.iterations;
    if (problem.options().continuity && !descent_.isNearlyAtRest(problem, now))
        approach(problem, now, report);
    if (levels) {
        problem.setLevels(1);
        problem.evaluate(now);
    }
    // Level 2 must not gain from slack in level 1, so level 1 is brought far below its tolerance.
    const Outcome outcome = solveFirst(problem, problem_number, levels ? 1e-4 : 1.0, now, report);
    if (!levels) return outcome;
    if (outcome != Outcome::Stopped) return solveSecond(problem, now, report);
    problem.setLevels(3);
    problem.evaluate(now);
    return outcome;
}

}  // namespace ulna::ik::detail
