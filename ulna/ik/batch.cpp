// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/batch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "ulna/core/parallel.h"
#include "ulna/ik/detail/auto_method.h"
#include "ulna/ik/detail/compile_batch.h"
#include "ulna/ik/detail/damping.h"
#include "ulna/ik/detail/lanes.h"
#include "ulna/ik/detail/least_squares.h"
#include "ulna/ik/detail/restart.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

using ik::detail::LanesProgram;
using ik::detail::LanesState;
using ik::detail::Outcome;

constexpr float kStartDamping = static_cast<float>(ik::detail::kStartDamping);
constexpr float kLeastMultiple = static_cast<float>(ik::detail::kLeastMultiple);
constexpr float kGood = static_cast<float>(ik::detail::kGood);
constexpr float kBad = static_cast<float>(ik::detail::kBad);
constexpr float kSlowProgress = static_cast<float>(ik::detail::kSlowProgress);
// Beyond this a lane is rejecting steps that no longer move it.
constexpr float kMostDamping = 1e7f;
// Float must do a little better than asked, so that double agrees.
constexpr float kEnough = 0.9f;
// Where float has stalled this close, in tolerances, double goes on.
constexpr float kClose = 100.0f;
constexpr int kMendingSteps = 20;

// What every problem of the batch shares, and which problems these are: joints that do not move
// are alike in all of them.
struct Batch {
    const Skeleton* skeleton = nullptr;
    std::span<const IkGoal> goals;
    const IkOptions* options = nullptr;
    const IkBatchProblems* problems = nullptr;
    ik::detail::Problem problem;  // begun with the pose of the joints that do not move
    LanesProgram program;
    bool lanes = false;
    DofVector middle;
    std::vector<std::size_t> members;
    IkBatchResult* result = nullptr;

    [[nodiscard]] std::span<const double> startOf(std::size_t i) const {
        const std::vector<double>& starts = problems->starts;
        const std::size_t n = skeleton->dofCount();
        if (starts.empty()) return middle;
        return {starts.data() + (starts.size() == n ? 0 : i * n), n};
    }
    [[nodiscard]] std::span<double> answerOf(std::size_t i) const {
        const std::size_t n = skeleton->dofCount();
        return {result->dofs.data() + i * n, n};
    }
    // What a goal weighs in problem `i`.
    [[nodiscard]] double weightOf(std::size_t i, std::size_t goal) const {
        return problems->weights.empty() ? goals[goal].weight
                                         : problems->weights[i * goals.size() + goal];
    }
    // Whether a goal counts in problem `i`. What the problem switches off has any target.
    [[nodiscard]] bool isOn(std::size_t i, std::size_t goal) const {
        return goals[goal].enabled && (problems->weights.empty() || weightOf(i, goal) != 0.0);
    }
    [[nodiscard]] Vec3 pointOf(std::size_t i, std::size_t goal) const {
        return isOn(i, goal) ? problems->points[i * goals.size() + goal] : Vec3{};
    }
    [[nodiscard]] Quat orientationOf(std::size_t i, std::size_t goal) const {
        return isOn(i, goal) ? problems->orientations[i * goals.size() + goal] : Quat{};
    }
    // A goal with the targets of problem `i`.
    void setTarget(std::size_t i, std::size_t goal, GoalKind& kind) const {
        const GoalTarget target = targetOf(kind);
        if (target.point != nullptr) *target.point = pointOf(i, goal);
        if (target.rotation != nullptr) *target.rotation = orientationOf(i, goal);
    }
};

// A number made of a problem's own targets, weights and start: what its restarts are keyed by, so
// that they do not depend on its place in the batch.
std::uint64_t keyOf(const Batch& batch, std::size_t i) {
    std::uint64_t key = 0;
    const auto mix = [&key](double x) {
        std::uint64_t bits = 0;
        static_assert(sizeof bits == sizeof x);
        std::memcpy(&bits, &x, sizeof x);
        key = Random(key ^ bits).bits();
    };
    const std::size_t goals = batch.goals.size();
    for (std::size_t g = i * goals; g < (i + 1) * goals; ++g) {
        if (!batch.problems->points.empty()) {
            const Vec3& p = batch.problems->points[g];
            mix(p.x), mix(p.y), mix(p.z);
        }
        if (!batch.problems->orientations.empty()) {
            const Quat& q = batch.problems->orientations[g];
            mix(q.x), mix(q.y), mix(q.z), mix(q.w);
        }
        if (!batch.problems->weights.empty()) mix(batch.problems->weights[g]);
    }
    for (const double x : batch.startOf(i)) mix(x);
    return key;
}

// One lane's problem and how far it is.
struct Lane {
    std::size_t problem = 0;
    std::uint64_t key = 0;  // of its restarts
    bool busy = false;
    int attempt = 0;
    int steps = 0;  // of this attempt
    int iterations = 0;
    int slow = 0;
    float best = 0.0f;  // cost of the best pose of the attempts so far; the pose is in best_at
    MechanismState first, best_at;
};

// Solves a range of problems in the lanes of one thread.
class Worker {
  public:
    explicit Worker(const Batch& batch)
        : batch_(batch), problem_(batch.problem), state_(batch.program), lanes_(state_.lanes) {
        least_squares_.build(problem_);
        method_.build(problem_);
        most_ = batch.options->max_iterations > 0 ? batch.options->max_iterations
                                                  : ik::detail::kUsualSteps;
    }

    void run(std::size_t begin, std::size_t end) {
        next_ = begin;
        end_ = end;
        for (std::size_t l = 0; l < lanes_.size(); ++l) refill(l);
        while (std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& x) { return x.busy; })) {
            ik::detail::stepLanes(batch_.program, state_);
            for (std::size_t l = 0; l < lanes_.size(); ++l) judge(l);
        }
    }

  private:
    // Decides what becomes of a lane's last try.
    void judge(std::size_t l) {
        Lane& lane = lanes_[l];
        state_.accepted[l] = 0.0f;
        if (!lane.busy) return;
        const float tried = state_.tried_cost[l];
        const bool fresh = state_.fresh[l] != 0.0f;
        if (fresh) {
            state_.fresh[l] = 0.0f;
            state_.lambda[l] = kStartDamping;
            state_.accepted[l] = 1.0f;
        } else {
            ++lane.iterations;
            ++lane.steps;
            const float cost = state_.cost[l];
            float& lambda = state_.lambda[l];
            if (tried < cost) {
                state_.accepted[l] = 1.0f;
                lambda = std::max(lambda * kGood, kLeastMultiple);
                lane.slow = tried > (1.0f - kSlowProgress) * cost ? lane.slow + 1 : 0;
            } else {
                lambda *= kBad;
                if (lambda > kMostDamping) lane.slow = ik::detail::kSlowSteps;
            }
        }
        const bool reached = state_.accepted[l] != 0.0f && state_.tried_worst[l] <= kEnough;
        const bool spent = batch_.options->budget.isSpent(
            {.iterations = lane.iterations, .cost = static_cast<double>(tried)});
        if (!reached && !spent && lane.slow < ik::detail::kSlowSteps && lane.steps < most_) return;
        endAttempt(l, spent);
    }

    void endAttempt(std::size_t l, bool spent) {
        Lane& lane = lanes_[l];
        const bool from_try = state_.accepted[l] != 0.0f;
        const float worst = state_.tried_worst[l];
        const bool close = from_try && worst <= kClose;
        fetch(l, from_try);
        if (close) {
            setTargets(lane.problem);
            problem_.evaluate(now_);
            if (now_.worst > 1.0) {
                report_.iterations = lane.iterations;
                report_.history.clear();
                least_squares_.descend(problem_, now_, {.max_iterations = kMendingSteps}, report_);
                lane.iterations = report_.iterations;
            }
            if (now_.worst <= 1.0) {
                finish(l, IkStatus::Reached);
                return;
            }
        }
        const float cost = from_try ? state_.tried_cost[l] : state_.cost[l];
        if (lane.attempt == 0 || cost < lane.best) {
            lane.best = cost;
            std::swap(lane.best_at, now_.at);
        }
        const int restarts = batch_.options->continuity ? 0 : batch_.options->restarts;
        if (lane.attempt < restarts && !spent) {
            ++lane.attempt;
            if (lane.attempt == 1) lane.key = keyOf(batch_, lane.problem);
            ik::detail::chooseStart(problem_.mechanism(), batch_.options->seed, lane.key,
                                    static_cast<std::uint64_t>(lane.attempt), lane.first, now_.at);
            loadStart(l, now_.at);
            return;
        }
        setTargets(lane.problem);
        const Outcome outcome = spent ? Outcome::Stopped : solveInDouble(lane);
        if (outcome == Outcome::Reached) {
            finish(l, IkStatus::Reached);
            return;
        }
        now_.at = lane.best_at;
        problem_.evaluate(now_);
        finish(l, outcome == Outcome::Stopped ? IkStatus::Stopped
                  : lane.steps >= most_       ? IkStatus::MaxIterations
                                              : IkStatus::Stalled);
    }

    // What lanes miss, an attempt of a single solve may still reach: its steps are finer, and
    // chains of free balls have a method of their own.
    Outcome solveInDouble(Lane& lane) {
        now_.at = lane.first;
        problem_.evaluate(now_);
        report_.iterations = lane.iterations;
        report_.history.clear();
        const Outcome outcome = method_.attempt(problem_, now_, {.max_iterations = most_}, report_);
        lane.iterations = report_.iterations;
        return now_.worst <= 1.0 ? Outcome::Reached : outcome;
    }

    // The lane's pose, tried or last accepted, into now_.at: in double and within its bounds.
    void fetch(std::size_t l, bool from_try) {
        const AlignedVector<float>& values = from_try ? state_.tried_values : state_.values;
        const AlignedVector<float>& turns = from_try ? state_.tried_turns : state_.turns;
        const std::size_t n = state_.lanes;
        now_.at = lanes_[l].first;
        for (std::size_t c = 0; c < batch_.program.columns; ++c)
            now_.at.values[c] = static_cast<double>(values[c * n + l]);
        std::size_t b = 0;
        for (const std::uint32_t i : problem_.mechanism().ballLinks()) {
            const auto at = [&](std::size_t k) {
                return static_cast<double>(turns[(b * 4 + k) * n + l]);
            };
            now_.at.rotations[i] = normalized(Quat{at(0), at(1), at(2), at(3)});
            ++b;
        }
        problem_.mechanism().clamp(now_.at);
    }

    void finish(std::size_t l, IkStatus status) {
        Lane& lane = lanes_[l];
        problem_.mechanism().store(now_.at, batch_.answerOf(lane.problem));
        batch_.result->reports[lane.problem] = {status, lane.iterations, lane.attempt + 1,
                                                now_.worst};
        refill(l);
    }

    // Gives the lane the next problem that makes sense, or lets it rest.
    void refill(std::size_t l) {
        Lane& lane = lanes_[l];
        lane.busy = false;
        for (; next_ < end_; ++next_) {
            const std::size_t i = batch_.members[next_];
            const std::span<double> answer = batch_.answerOf(i);
            const std::span<const double> start = batch_.startOf(i);
            std::copy(start.begin(), start.end(), answer.begin());
            if (isSound(i)) break;
            batch_.result->reports[i] = {IkStatus::BadGoal, 0, 1, 0.0};
        }
        if (next_ == end_) return;
        lane.busy = true;
        lane.problem = batch_.members[next_++];
        lane.attempt = 0;
        lane.iterations = 0;
        const std::span<double> answer = batch_.answerOf(lane.problem);
        clampToLimits(*batch_.skeleton, answer);
        problem_.mechanism().load(answer, lane.first);
        loadTargets(l);
        loadStart(l, lane.first);
    }

    [[nodiscard]] bool isSound(std::size_t i) {
        for (const double x : batch_.startOf(i)) {
            if (!std::isfinite(x)) return false;
        }
        for (std::size_t g = 0; g < batch_.goals.size(); ++g) {
            GoalKind& kind = problem_.goals()[g].kind;
            batch_.setTarget(i, g, kind);
            if (!batch_.isOn(i, g)) continue;
            const double weight = batch_.weightOf(i, g);
            if (!(weight >= 0.0) || !std::isfinite(weight) ||
                !ik::detail::faultOf(*batch_.skeleton, kind).empty())
                return false;
        }
        return true;
    }

    void loadStart(std::size_t l, const MechanismState& at) {
        const std::size_t n = state_.lanes;
        for (std::size_t c = 0; c < batch_.program.columns; ++c)
            state_.values[c * n + l] = static_cast<float>(at.values[c]);
        std::size_t b = 0;
        for (const std::uint32_t i : problem_.mechanism().ballLinks()) {
            const Quat& q = at.rotations[i];
            const double parts[4] = {q.x, q.y, q.z, q.w};
            for (std::size_t k = 0; k < 4; ++k)
                state_.turns[(b * 4 + k) * n + l] = static_cast<float>(parts[k]);
            ++b;
        }
        state_.fresh[l] = 1.0f;
        state_.accepted[l] = 0.0f;
        lanes_[l].steps = 0;
        lanes_[l].slow = 0;
    }

    void loadTargets(std::size_t l) {
        const std::size_t n = state_.lanes;
        const Mechanism& mechanism = problem_.mechanism();
        for (std::size_t r = 0; r < batch_.program.rows.size(); ++r) {
            const LanesProgram::Row& row = batch_.program.rows[r];
            const std::size_t goal = problem_.goalRows()[r].goal;
            const std::size_t i = lanes_[l].problem;
            problem_.setWeight(r, batch_.weightOf(i, goal));
            const ik::detail::Problem::Row& weighed = problem_.goalRows()[r];
            state_.factors[r * n + l] = static_cast<float>(weighed.factor);
            state_.per_tolerance[r * n + l] =
                weighed.factor > 0.0 ? static_cast<float>(1.0 / weighed.tolerance) : 0.0f;
            const auto put = [&](std::size_t k, double x) {
                state_.targets[(row.target + k) * n + l] = static_cast<float>(x);
            };
            if (row.point) {
                const Vec3 target = batch_.pointOf(i, goal) - mechanism.origin();
                for (std::size_t k = 0; k < 3; ++k) put(k, target[k]);
            } else {
                // The link's target orientation: the joint's, seen through how it is mounted.
                const auto& turn = std::get<OrientationGoal>(problem_.goals()[goal].kind);
                const RigidFrame& f = mechanism.mount(turn.joint).link_from_joint;
                const Mat3 axes = toMatrix(batch_.orientationOf(i, goal)) *
                                  transpose(Mat3::fromColumns(f.x, f.y, f.z));
                for (std::size_t c = 0; c < 3; ++c) {
                    const Vec3 column = axes.column(c);
                    for (std::size_t k = 0; k < 3; ++k) put(3 * c + k, column[k]);
                }
            }
        }
    }

    // The targets and weights of a problem for the check in double.
    void setTargets(std::size_t i) {
        problem_.renewBudget();
        for (std::size_t r = 0; r < problem_.goalRows().size(); ++r) {
            const ik::detail::Problem::Row& row = problem_.goalRows()[r];
            problem_.setWeight(r, batch_.weightOf(i, row.goal));
            if (row.point)
                problem_.setTarget(r, batch_.pointOf(i, row.goal) - problem_.mechanism().origin());
            else
                problem_.setTarget(r, batch_.orientationOf(i, row.goal));
        }
    }

    const Batch& batch_;
    ik::detail::Problem problem_;
    ik::detail::LeastSquares least_squares_;
    ik::detail::AutoMethod method_;
    ik::detail::Evaluation now_;
    IkReport report_;
    LanesState state_;
    std::vector<Lane> lanes_;
    std::size_t next_ = 0, end_ = 0;
    int most_ = 100;
};

// Problems that lanes cannot do, one by one in double.
void solveOneByOne(const Batch& batch, std::size_t begin, std::size_t end) {
    Result<IkSolver> solver =
        IkSolver::make(*batch.skeleton, std::vector<IkGoal>(batch.goals.begin(), batch.goals.end()),
                       *batch.options);
    for (std::size_t k = begin; k < end; ++k) {
        const std::size_t i = batch.members[k];
        const std::span<const double> start = batch.startOf(i);
        const std::span<double> answer = batch.answerOf(i);
        std::copy(start.begin(), start.end(), answer.begin());
        for (std::size_t g = 0; g < batch.goals.size(); ++g) {
            IkGoal& goal = solver->goals()[g];
            batch.setTarget(i, g, goal.kind);
            goal.weight = batch.weightOf(i, g);
            goal.enabled = batch.isOn(i, g);
        }
        solver->setProblemNumber(keyOf(batch, i));
        const IkReport& report = solver->solve(answer);
        double worst = 0.0;
        for (std::size_t g = 0; g < batch.goals.size(); ++g) {
            const double tolerance = errorIsAngle(batch.goals[g].kind)
                                         ? batch.options->angle_tolerance
                                         : solver->positionTolerance();
            worst = std::max(worst, report.goal_errors[g] / tolerance);
        }
        batch.result->reports[i] = {report.status, report.iterations, report.attempts, worst};
    }
}

// The degrees of freedom of joints above the goals that do not move.
std::vector<std::size_t> heldDofs(const Skeleton& skeleton, const Mechanism& mechanism) {
    std::vector<std::size_t> out;
    for (const JointId j : mechanism.active()) {
        for (std::size_t d = 0; d < skeleton.dofCount(j) && !mechanism.moves(j); ++d)
            out.push_back(skeleton.firstDof(j) + d);
    }
    return out;
}

// Problems in groups whose joints that do not move are alike, in the order of their first members.
std::vector<std::vector<std::size_t>> groupProblems(const Batch& batch) {
    const std::vector<std::size_t> held = heldDofs(*batch.skeleton, batch.problem.mechanism());
    std::vector<std::vector<std::size_t>> out;
    std::map<std::vector<double>, std::size_t> known;
    std::vector<double> key(held.size());
    for (std::size_t i = 0; i < batch.problems->count; ++i) {
        const std::span<const double> start = batch.startOf(i);
        for (std::size_t k = 0; k < held.size(); ++k)
            key[k] = std::isfinite(start[held[k]]) ? start[held[k]] : 0.0;
        const auto [group, fresh] = known.try_emplace(key, out.size());
        if (fresh) out.emplace_back();
        out[group->second].push_back(i);
    }
    return out;
}

// Takes up a group: its joints that do not move, and the lanes for the others.
void beginGroup(std::vector<std::size_t> members, Batch& batch) {
    ik::detail::beginBatch(batch.problem, batch.startOf(members.front()));
    batch.members = std::move(members);
    batch.lanes = batch.options->method == IkMethod::Auto &&
                  ik::detail::makeLanesProgram(batch.problem, batch.program);
}

}  // namespace

Result<BatchProgram> makeBatchProgram(const Skeleton& skeleton, std::span<const IkGoal> goals,
                                      const IkOptions& options, std::span<const double> start) {
    ULNA_ASSERT(start.size() == skeleton.dofCount(),
                "a start has one number per degree of freedom");
    if (options.method != IkMethod::Auto)
        return Diagnostic{.what = "a batch program is for the method 'auto'"};
    ik::detail::Problem problem;
    if (const Status status =
            problem.build(skeleton, std::vector<IkGoal>(goals.begin(), goals.end()), options);
        !status)
        return status.error();
    ik::detail::beginBatch(problem, start);
    return ik::detail::compileBatch(problem);
}

DofVector middleOfLimits(const Skeleton& skeleton) {
    DofVector out;
    for (const DofLimit& limit : skeleton.dofLimits()) {
        const bool both = std::isfinite(limit.min) && std::isfinite(limit.max);
        out.push_back(both ? 0.5 * (limit.min + limit.max) : std::clamp(0.0, limit.min, limit.max));
    }
    return out;
}

Status checkBatchSizes(std::span<const IkGoal> goals, const IkBatchProblems& problems) {
    const std::size_t count = problems.count * goals.size();
    for (const IkGoal& goal : goals) {
        GoalKind kind = goal.kind;
        const GoalTarget target = targetOf(kind);
        if ((target.point != nullptr && problems.points.size() != count) ||
            (target.rotation != nullptr && problems.orientations.size() != count))
            return Diagnostic{.what = "a batch needs one target per problem and goal"};
    }
    if (!problems.weights.empty() && problems.weights.size() != count)
        return Diagnostic{.what = "a batch needs one weight per problem and goal, or none"};
    return Done{};
}

Result<IkBatchResult> solveIkBatch(const Skeleton& skeleton, std::span<const IkGoal> goals,
                                   const IkOptions& options, const IkBatchProblems& problems,
                                   unsigned threads) {
    const std::size_t n = skeleton.dofCount();
    ULNA_ASSERT(problems.starts.empty() || problems.starts.size() == n ||
                    problems.starts.size() == n * problems.count,
                "starts need one row, or one row per problem");
    // Sound targets for the set-up, whatever those of the problems are.
    Batch batch;
    std::vector<IkGoal> plain(goals.begin(), goals.end());
    if (const Status sized = checkBatchSizes(goals, problems); !sized) return sized.error();
    for (IkGoal& goal : plain) {
        const GoalTarget target = targetOf(goal.kind);
        if (target.point != nullptr) *target.point = {};
        if (target.rotation != nullptr) *target.rotation = {};
    }
    const Result<IkSolver> checked = IkSolver::make(skeleton, plain, options);
    if (!checked) return checked.error();
    if (const Status status = batch.problem.build(skeleton, plain, options); !status)
        return status.error();
    IkBatchResult result;
    result.dofs.resize(problems.count * n);
    result.reports.resize(problems.count);
    batch.skeleton = &skeleton;
    batch.goals = plain;
    batch.options = &options;
    batch.problems = &problems;
    batch.result = &result;
    batch.middle = middleOfLimits(skeleton);
    std::vector<std::vector<std::size_t>> groups = groupProblems(batch);
    const auto solveGroup = [&](std::vector<std::size_t> members, Batch& group,
                                unsigned group_threads) {
        beginGroup(std::move(members), group);
        // Long ranges keep the lanes full; their bounds do not change any answer.
        constexpr std::size_t kShortest = 256;
        const std::size_t count = group.members.size();
        const std::size_t parts = group_threads == 1 ? 1 : 16;
        const std::size_t chunk =
            group.lanes ? std::max(kShortest, (count + parts - 1) / parts) : std::size_t{16};
        parallelFor(count, chunk, group_threads, [&](std::size_t begin, std::size_t end) {
            if (group.lanes)
                Worker(group).run(begin, end);
            else
                solveOneByOne(group, begin, end);
        });
    };
    if (groups.size() == 1) {
        solveGroup(std::move(groups.front()), batch, threads);
    } else {
        parallelFor(groups.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                Batch own = batch;
                solveGroup(std::move(groups[g]), own, 1);
            }
        });
    }
    return result;
}

}  // namespace ulna
