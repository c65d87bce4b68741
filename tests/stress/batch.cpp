// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "stress/families.h"
#include "stress/problem.h"
#include "ulna/ik/batch.h"

namespace ulna::test::stress {
namespace {

constexpr std::size_t kCount = 21;  // more than the lanes of any vector unit, and not a multiple

struct Batch {
    Problem shared;  ///< its start is not used
    IkBatchProblems problems;

    [[nodiscard]] std::size_t goalCount() const { return shared.goals.size(); }
    [[nodiscard]] std::size_t dofCount() const { return shared.rig.dofCount(); }

    /// The goals of one problem.
    [[nodiscard]] std::vector<IkGoal> goalsOf(std::size_t problem) const {
        std::vector<IkGoal> out = shared.goals;
        for (std::size_t g = 0; g < out.size(); ++g) {
            const std::size_t at = problem * out.size() + g;
            if (auto* goal = std::get_if<PositionGoal>(&out[g].kind))
                goal->target = problems.points[at];
            if (auto* goal = std::get_if<AimGoal>(&out[g].kind)) goal->target = problems.points[at];
            if (auto* goal = std::get_if<PoleGoal>(&out[g].kind)) goal->pole = problems.points[at];
            if (auto* goal = std::get_if<OrientationGoal>(&out[g].kind))
                goal->target = problems.orientations[at];
        }
        return out;
    }

    /// Some of the problems, in this order.
    [[nodiscard]] IkBatchProblems part(std::span<const std::size_t> order) const {
        IkBatchProblems out{.count = order.size()};
        for (const std::size_t i : order) {
            append(out.points, problems.points, i, goalCount());
            append(out.orientations, problems.orientations, i, goalCount());
            append(out.starts, problems.starts, i, dofCount());
        }
        return out;
    }

  private:
    template <class T>
    static void append(std::vector<T>& to, const std::vector<T>& from, std::size_t row,
                       std::size_t size) {
        const std::span<const T> values = std::span(from).subspan(row * size, size);
        to.insert(to.end(), values.begin(), values.end());
    }
};

void addProblem(Random& random, Batch& batch) {
    const Skeleton& rig = batch.shared.rig;
    const std::vector<PlainMatrix> model = plainModel(rig, randomAllowedDofs(random, rig));
    const bool reachable = chance(random, 0.6);
    for (const IkGoal& goal : batch.shared.goals) {
        Vec3 point = inBall(random, 2.0);
        if (rig.planar()) point.z = 0.0;
        Quat rotation =
            rig.planar() ? quatAboutAxis(2, random.between(-kPi, kPi)) : random.rotation();
        if (reachable) {
            if (const auto* g = std::get_if<PositionGoal>(&goal.kind))
                point = model[index(g->joint)].point(g->point);
            if (const auto* g = std::get_if<OrientationGoal>(&goal.kind))
                rotation = plainQuat(model[index(g->joint)]);
        }
        batch.problems.points.push_back(point);
        batch.problems.orientations.push_back(rotation);
    }
    const DofVector start = randomStart(random, rig);
    batch.problems.starts.insert(batch.problems.starts.end(), start.begin(), start.end());
    ++batch.problems.count;
}

Batch randomBatch(Random& random) {
    Batch out;
    out.shared.rig = randomRig(random, randomRigOptions(random));
    out.shared.goals = randomGoals(random, out.shared.rig, {.most = 3});
    // Positions and orientations run in lanes; with another goal among them, one by one.
    if (chance(random, 0.7)) {
        std::erase_if(out.shared.goals, [](const IkGoal& goal) {
            return !std::holds_alternative<PositionGoal>(goal.kind) &&
                   !std::holds_alternative<OrientationGoal>(goal.kind);
        });
        if (out.shared.goals.empty())
            out.shared.goals = {{PositionGoal{randomJoint(random, out.shared.rig)}}};
    }
    if (chance(random, 0.4)) out.shared.options.restarts = 4;
    if (chance(random, 0.3)) out.shared.options.locked = {randomJoint(random, out.shared.rig)};
    // Drawn from a copy, so that the other batches stay as they were.
    Random own = random;
    if (chance(own, 0.1)) out.shared.goals.push_back(randomBalance(own, out.shared.rig));
    while (out.problems.count < kCount) addProblem(random, out);
    return out;
}

std::span<const double> row(std::span<const double> all, std::size_t i, std::size_t size) {
    return all.subspan(i * size, size);
}

bool sameBytes(std::span<const double> a, std::span<const double> b) {
    return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// The largest goal error in units of its tolerance.
double errorOf(const Batch& batch, const IkSolver& solver, std::size_t problem,
               std::span<const double> dofs) {
    const std::vector<PlainMatrix> model = plainModel(batch.shared.rig, dofs);
    double worst = 0.0;
    for (const IkGoal& goal : batch.goalsOf(problem)) {
        const double tolerance = errorIsAngle(goal.kind) ? batch.shared.options.angle_tolerance
                                                         : solver.positionTolerance();
        worst = std::max(worst, plainError(goal.kind, model) / tolerance);
    }
    return worst;
}

// Some of the problems, in this order, have the same answers.
void lookAtPart(const Batch& batch, const IkBatchResult& whole, std::span<const std::size_t> order,
                unsigned threads, const std::string& promise, Ledger& ledger) {
    const auto part = solveIkBatch(batch.shared.rig, batch.shared.goals, batch.shared.options,
                                   batch.part(order), threads);
    bool same = part.ok();
    for (std::size_t k = 0; same && k < order.size(); ++k) {
        same = sameBytes(row(part->dofs, k, batch.dofCount()),
                         row(whole.dofs, order[k], batch.dofCount()));
    }
    ledger.look(promise, same);
}

// One problem is spoiled: it alone is refused, and its start comes back.
void lookAtSpoiled(Random& random, const Batch& batch, const IkBatchResult& whole, bool start,
                   Ledger& ledger) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    Batch spoiled = batch;
    const std::size_t n = batch.dofCount(), bad = random.below(kCount);
    if (start) {
        if (n == 0) return;
        spoiled.problems.starts[bad * n + random.below(n)] = kNan;
    } else {
        const std::size_t at = bad * batch.goalCount();
        if (std::holds_alternative<PositionGoal>(batch.shared.goals[0].kind) ||
            std::holds_alternative<AimGoal>(batch.shared.goals[0].kind))
            spoiled.problems.points[at].x = kNan;
        else if (std::holds_alternative<OrientationGoal>(batch.shared.goals[0].kind))
            spoiled.problems.orientations[at].x = kNan;
        else
            return;  // the target is not the problem's own
    }
    const std::string what = start ? "a start that is not finite" : "a target that is not finite";
    const auto result = solveIkBatch(spoiled.shared.rig, spoiled.shared.goals,
                                     spoiled.shared.options, spoiled.problems, 1);
    ledger.look(what + " is no error of the others", result.ok());
    if (!result) return;
    ledger.look(what + " is a bad goal", result->reports[bad].status == IkStatus::BadGoal);
    ledger.look(what + " leaves the coordinates alone",
                sameBytes(row(result->dofs, bad, n), row(spoiled.problems.starts, bad, n)));
    bool others = true;
    for (std::size_t i = 0; i < kCount; ++i)
        others = others && (i == bad || sameBytes(row(result->dofs, i, n), row(whole.dofs, i, n)));
    ledger.look(what + " changes no other answer", others);

    DofVector single(row(spoiled.problems.starts, bad, n).begin(),
                     row(spoiled.problems.starts, bad, n).end());
    const DofVector before = single;
    Result<IkSolver> solver =
        IkSolver::make(batch.shared.rig, batch.shared.goals, batch.shared.options);
    if (!solver) return;
    std::copy_n(spoiled.goalsOf(bad).begin(), batch.goalCount(), solver->goals().begin());
    ledger.look(what + " is a bad goal, one by one",
                solver->solve(single).status == IkStatus::BadGoal);
    ledger.look(what + " leaves the coordinates alone, one by one", sameBytes(single, before));
}

}  // namespace

void stressBatch(std::uint64_t seed, Ledger& ledger) {
    Random random(seed);
    const Batch batch = randomBatch(random);
    const Problem& shared = batch.shared;
    const std::size_t n = batch.dofCount();
    Result<IkSolver> solver = IkSolver::make(shared.rig, shared.goals, shared.options);
    const auto whole = ledger.time(n, [&] {
        return solveIkBatch(shared.rig, shared.goals, shared.options, batch.problems, 1);
    });
    ledger.look("a batch is accepted as one problem is", whole.ok() == solver.ok());
    if (!whole || !solver) return;
    for (std::size_t i = 0; i < kCount; ++i) {
        const std::span<const double> dofs = row(whole->dofs, i, n);
        const IkBatchReport& report = whole->reports[i];
        ledger.count("status " + std::string(ikStatusName(report.status)));
        ledger.look("limits hold", plainExcess(shared.rig, dofs), 1e-9);
        const double error = errorOf(batch, *solver, i, dofs);
        ledger.look("errors are true", std::abs(error - report.error) / std::max(1.0, error), 1e-6);
        if (report.status == IkStatus::Reached) ledger.look("reached is true", error, 1.0 + 1e-6);
    }
    std::vector<std::size_t> order(kCount);
    std::iota(order.begin(), order.end(), 0);
    lookAtPart(batch, *whole, order, 3, "the same bytes with more threads", ledger);
    for (std::size_t i = kCount; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    const std::span<const std::size_t> shuffled = order;
    lookAtPart(batch, *whole, shuffled, 1, "the same bytes in another order", ledger);
    lookAtPart(batch, *whole, shuffled.first(1), 1, "the same bytes alone", ledger);
    lookAtPart(batch, *whole, shuffled.subspan(3, 9), 2, "the same bytes among fewer", ledger);
    lookAtSpoiled(random, batch, *whole, true, ledger);
    lookAtSpoiled(random, batch, *whole, false, ledger);
}

}  // namespace ulna::test::stress
