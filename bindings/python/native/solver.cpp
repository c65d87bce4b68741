// SPDX-License-Identifier: Apache-2.0

// Solvers that are set up once, and batches.
#include "ulna/ik/solver.h"

#include <cmath>
#include <mutex>

#include "bindings/python/native/gpu.h"
#include "bindings/python/native/ik_arguments.h"
#include "ulna/gpu/batch.h"
#include "ulna/skeleton/state.h"

namespace ulna::python {
namespace {

// One solve at a time: others that come meanwhile are refused, since they would wait without the
// GIL for what they should not share.
class SolverObject {
  public:
    SolverObject(std::shared_ptr<const Skeleton> skeleton, IkSolver solver, CustomFailure failure)
        : skeleton_(std::move(skeleton)),
          solver_(std::move(solver)),
          failure_(std::move(failure)) {}

    IkReport solve(const Floats& dofs) {
        if (!py::isinstance<py::array>(dofs))
            raiseType("dofs is an array of NumPy, which is changed");
        auto array = py::reinterpret_borrow<py::array>(dofs);
        if (array.dtype().num() != py::detail::npy_api::NPY_DOUBLE_)
            raiseType("dofs is an array of float64, which is changed");
        if (array.ndim() != 1 || asSize(array.shape(0)) != skeleton_->dofCount())
            raiseValue("dofs has one value per degree of freedom, " +
                       std::to_string(skeleton_->dofCount()));
        constexpr int kAligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
        if ((array.flags() & py::array::c_style) == 0 || (array.flags() & kAligned) == 0)
            raiseValue("dofs is contiguous");
        if (!array.writeable()) raiseValue("dofs cannot be written");
        const std::span<double> values(static_cast<double*>(array.mutable_data()),
                                       skeleton_->dofCount());
        for (const double value : values)
            if (!std::isfinite(value)) raiseValue("dofs must be finite numbers");
        const Use use(*this);
        const IkReport* report = withoutGil([&] { return &solver_.solve(values); });
        failure_.finish();
        return *report;
    }

    PoseAndReport solvePose(const PoseObject& start) {
        checkSameJoints(*skeleton_, *start.skeleton, "the pose");
        Pose pose = *start.pose;
        const Use use(*this);
        const IkReport* report = withoutGil([&] { return &solver_.solve(pose); });
        failure_.finish();
        return py::make_tuple(makePose(start.skeleton, std::move(pose)), *report);
    }

    void setTarget(std::size_t goal, const Numbers& target) {
        const Use use(*this);
        IkGoal& each = goalAt(goal);
        const GoalTarget to = targetOf(each.kind);
        IkGoal changed = each;
        const GoalTarget checked = targetOf(changed.kind);
        if (to.point != nullptr) {
            *checked.point = vec3Of(target, "target");
        } else if (to.rotation != nullptr) {
            const DoubleArray q = doublesOf(target, "target", {4});
            const Quat rotation{q.values()[0], q.values()[1], q.values()[2], q.values()[3]};
            if (!(dot(rotation, rotation) > 0.0)) raiseValue("a quaternion is not zero");
            *checked.rotation = normalized(rotation);
        } else {
            raiseValue("a goal of the kind '" + std::string(goalKindName(each.kind)) +
                       "' has no target");
        }
        ulna::python::check(checkGoal(*skeleton_, changed));
        if (to.point != nullptr) *to.point = *checked.point;
        if (to.rotation != nullptr) *to.rotation = *checked.rotation;
    }

    void setWeight(std::size_t goal, double weight) {
        if (!(weight >= 0.0 && std::isfinite(weight))) raiseValue("weight is 0 or more");
        const Use use(*this);
        goalAt(goal).weight = weight;
    }

    void setEnabled(std::size_t goal, bool enabled) {
        const Use use(*this);
        goalAt(goal).enabled = enabled;
    }

    [[nodiscard]] double reach() const { return solver_.reach(); }
    [[nodiscard]] double tolerance() const { return solver_.positionTolerance(); }
    [[nodiscard]] std::size_t goalCount() { return solver_.goals().size(); }
    [[nodiscard]] SkeletonObject skeleton() const { return {skeleton_}; }

  private:
    class Use {
      public:
        explicit Use(SolverObject& object) : object_(object) {
            if (object_.in_use_.test_and_set())
                throw std::runtime_error("this solver is in use by another thread");
        }
        ~Use() { object_.in_use_.clear(); }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        SolverObject& object_;
    };

    IkGoal& goalAt(std::size_t goal) {
        if (goal >= solver_.goals().size())
            raiseIndex("there is no goal " + std::to_string(goal) + "; there are " +
                       std::to_string(solver_.goals().size()));
        return solver_.goals()[goal];
    }

    std::shared_ptr<const Skeleton> skeleton_;
    IkSolver solver_;
    CustomFailure failure_;
    std::atomic_flag in_use_ = ATOMIC_FLAG_INIT;
};

std::vector<IkGoal> plainGoals(const Skeleton& skeleton, const Goals& goals,
                               const CustomFailure& failure) {
    std::vector<IkGoal> out;
    for (IkClipGoal& goal : goalsOf(skeleton, {0, 0, 1}, goals, failure)) {
        if (goal.pinned || goal.span || !goal.points.empty() || !goal.orientations.empty())
            raiseValue("a solver has goals with one target, that hold always");
        out.push_back(std::move(goal.goal));
    }
    return out;
}

std::unique_ptr<SolverObject> makeSolver(const SkeletonObject& s, const Goals& goals,
                                         const std::string& method, const MaybeJointRefs& locked,
                                         const Stiffness& stiffness, const MaybeJointRef& chain,
                                         double tolerance, double angle_tolerance,
                                         int max_iterations, int restarts, std::uint64_t seed,
                                         bool continuity, bool history) {
    const CustomFailure failure;
    IkOptions options =
        solverOptions(*s, {method, locked, stiffness, chain, tolerance, angle_tolerance,
                           max_iterations, seed, continuity, history});
    if (restarts < 0 || restarts > 100000) raiseValue("restarts are 0 to 100000");
    options.restarts = restarts;
    return std::make_unique<SolverObject>(
        s.skeleton, take(IkSolver::make(*s, plainGoals(*s, goals, failure), options)), failure);
}

// Arrays of NumPy, or of a GPU where the targets are there.
struct BatchResult {
    py::object dofs, reached, errors, iterations;
};

// What a GPU keeps between calls: compiling the kernels of a batch takes longer than solving it.
struct KeptBatch {
    std::string key;
    std::shared_ptr<const Skeleton> skeleton;
    std::unique_ptr<GpuBatch> batch;
};

// The batches of the last calls. A call takes its own out while it uses it, so that no two threads
// have one. Never freed: the driver may end before this.
class KeptBatches {
  public:
    [[nodiscard]] static KeptBatches& all() {
        static auto* const one = new KeptBatches;
        return *one;
    }
    [[nodiscard]] std::optional<KeptBatch> take(const std::string& key) {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            if (kept_[i].key != key) continue;
            std::optional<KeptBatch> out = std::move(kept_[i]);
            kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
            return out;
        }
        return std::nullopt;
    }
    void keep(KeptBatch batch) {
        constexpr std::size_t kMost = 4;
        const std::lock_guard lock(mutex_);
        if (kept_.size() == kMost) kept_.erase(kept_.begin());
        kept_.push_back(std::move(batch));
    }

  private:
    std::mutex mutex_;
    std::vector<KeptBatch> kept_;
};

// A batch on a device: made, or taken from an earlier call with the same words, and kept for later
// ones.
class BorrowedBatch {
  public:
    /// @param words everything that the batch depends on, but for the skeleton and `base`.
    BorrowedBatch(const SkeletonObject& skeleton, const std::vector<IkGoal>& goals,
                  const IkOptions& options, int device, std::vector<double> base,
                  const py::tuple& words) {
        std::string key =
            py::cast<std::string>(py::bytes(py::module_::import("pickle").attr("dumps")(words)));
        key += std::to_string(reinterpret_cast<std::uintptr_t>(skeleton.skeleton.get())) + ' ' +
               std::to_string(device) + ' ';
        key.append(reinterpret_cast<const char*>(base.data()), base.size() * sizeof(double));
        if (std::optional<KeptBatch> before = KeptBatches::all().take(key)) {
            own_ = *std::move(before);
            return;
        }
        Result<GpuBatch> made = withoutGil([&] {
            return GpuBatch::make(*skeleton, goals, options,
                                  {.device = device, .base = std::move(base)});
        });
        if (!made) {
            Diagnostic error = made.error();
            error.advice = "device=\"cpu\" solves the same problems on the processor";
            raise(error);
        }
        own_ = {std::move(key), skeleton.skeleton, std::make_unique<GpuBatch>(*std::move(made))};
    }
    BorrowedBatch(const BorrowedBatch&) = delete;
    BorrowedBatch& operator=(const BorrowedBatch&) = delete;
    ~BorrowedBatch() { KeptBatches::all().keep(std::move(own_)); }
    GpuBatch* operator->() const { return own_.batch.get(); }

  private:
    KeptBatch own_;
};

// Arrays of a device in, arrays of that device out.
BatchResult solveOnDevice(const SkeletonObject& s, const BorrowedBatch& batch, int device,
                          py::ssize_t goals, const py::object& targets,
                          const py::object& orientations, const py::object& starts,
                          const py::object& weights) {
    py::ssize_t count = kAny;
    const auto given = [&](const py::object& value, const char* name, py::ssize_t numbers) {
        if (value.is_none()) return DeviceDoubles{};
        std::vector<std::vector<py::ssize_t>> shapes = {{count, goals, numbers}};
        if (goals == 1) shapes.push_back({count, numbers});
        DeviceDoubles out = doublesOnDevice(value, name, device, shapes);
        count = out.shape[0];
        return out;
    };
    const DeviceDoubles points = given(targets, "targets", 3);
    const DeviceDoubles rotations = given(orientations, "orientations", 4);
    if (count == kAny) raiseValue("targets or orientations are given");
    const auto n = asSsize(s->dofCount());
    DeviceDoubles start, factors;
    if (!starts.is_none()) start = doublesOnDevice(starts, "starts", device, {{count, n}});
    if (!weights.is_none()) factors = doublesOnDevice(weights, "weights", device, {{count, goals}});
    const std::size_t total = asSize(count), size = batch->stateSize();
    const auto states = newOnDevice<double>(device, start.data != nullptr ? total * size : 0);
    const auto answers = newOnDevice<double>(device, total * size);
    const auto dofs = newOnDevice<double>(device, total * s->dofCount());
    const auto status = newOnDevice<std::int32_t>(device, total);
    const auto iterations = newOnDevice<std::int32_t>(device, total);
    const auto errors = newOnDevice<double>(device, total);
    const auto reached = newOnDevice<bool>(device, total);
    const auto doubles = [](const auto& memory) {
        return reinterpret_cast<double*>(memory->address());
    };
    const auto ints = [](const auto& memory) { return reinterpret_cast<int*>(memory->address()); };
    check(withoutGil([&]() -> Status {
        if (start.data != nullptr) {
            if (const Status made = batch->computeStates(total, start.data, doubles(states)); !made)
                return made;
        }
        const Status solved =
            batch->solve({.count = total,
                          .points = points.data,
                          .orientations = rotations.data,
                          .weights = factors.data,
                          .starts = start.data != nullptr ? doubles(states) : nullptr},
                         {.states = doubles(answers),
                          .status = ints(status),
                          .iterations = ints(iterations),
                          .errors = doubles(errors)});
        if (!solved) return solved;
        if (const Status made = batch->computeDofs(total, doubles(answers), doubles(dofs)); !made)
            return made;
        std::vector<std::int32_t> ended(total);
        if (const Status read = status->read(ended.data()); !read) return read;
        std::vector<unsigned char> truths(total);
        for (std::size_t i = 0; i < total; ++i)
            truths[i] = ended[i] == static_cast<int>(IkStatus::Reached) ? 1 : 0;
        return reached->write(truths.data());
    }));
    return {arrayOnDevice<double>(dofs, {count, n}), arrayOnDevice<bool>(reached, {count}),
            arrayOnDevice<double>(errors, {count}),
            arrayOnDevice<std::int32_t>(iterations, {count})};
}

// Positions are (problems, goals, 3), quaternions (problems, goals, 4).
BatchResult solveBatch(const SkeletonObject& s, const Goals& goals, const MaybeNumbers& targets,
                       const MaybeNumbers& orientations, const MaybeNumbers& starts,
                       const MaybeNumbers& weights, const std::string& method,
                       const MaybeJointRefs& locked, const Stiffness& stiffness,
                       const MaybeJointRef& chain, double tolerance, double angle_tolerance,
                       int max_iterations, int restarts, std::uint64_t seed, int threads,
                       const MaybeProgress& progress, const std::optional<std::string>& device) {
    constexpr int kProcessor = -1;
    int on = device ? deviceOf(*device).value_or(kProcessor) : kProcessor;
    bool lies_there = false;
    for (const py::object& value :
         {py::object(targets), py::object(orientations), py::object(starts), py::object(weights)}) {
        const std::optional<int> at = deviceOf(value);
        if (at && device == "cpu") raiseValue("an array lies on a GPU, and device is 'cpu'");
        lies_there = lies_there || at.has_value();
        if (at && on == kProcessor) on = *at;
    }
    const py::tuple words = py::make_tuple(goals, method, locked, stiffness, chain, tolerance,
                                           angle_tolerance, max_iterations, restarts, seed);
    const CustomFailure failure;
    const std::vector<IkGoal> all = plainGoals(*s, goals, failure);
    IkOptions options = solverOptions(*s, {method, locked, stiffness, chain, tolerance,
                                           angle_tolerance, max_iterations, seed, false, false});
    if (restarts < 0 || restarts > 100000) raiseValue("restarts are 0 to 100000");
    options.restarts = restarts;
    const unsigned most = threadsOf(threads);
    const auto width = asSsize(all.size());
    if (lies_there)
        return solveOnDevice(s, BorrowedBatch(s, all, options, on, {}, words), on, width, targets,
                             orientations, starts, weights);
    const auto dof_count = asSsize(s->dofCount());
    std::optional<DoubleArray> points, rotations, start, factors;
    py::ssize_t count = kAny;
    const auto given = [&](const py::object& value, const char* name, py::ssize_t numbers,
                           std::optional<DoubleArray>& to) {
        if (value.is_none()) return;
        const py::array array = py::array::ensure(value);
        // One goal may leave out its axis.
        const bool flat = array && width == 1 && array.ndim() == 2;
        to = flat ? doublesOf(value, name, {count, numbers})
                  : doublesOf(value, name, {count, width, numbers});
        count = to->array.shape(0);
    };
    given(targets, "targets", 3, points);
    given(orientations, "orientations", 4, rotations);
    if (count == kAny) raiseValue("targets or orientations are given");
    if (!weights.is_none()) factors = doublesOf(weights, "weights", {count, width});
    if (factors)
        for (const double weight : factors->values())
            if (!(weight >= 0.0)) raiseValue("weights are 0 or more");
    bool one_start = false;
    if (!starts.is_none()) {
        const py::array array = py::array::ensure(starts);
        one_start = array && array.ndim() == 1;
        start = one_start ? doublesOf(starts, "starts", {dof_count})
                          : doublesOf(starts, "starts", {count, dof_count});
    }
    if (rotations)
        for (std::size_t i = 0; i + 3 < rotations->values().size(); i += 4) {
            const auto q = rotations->values().subspan(i, 4);
            if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0))
                raiseValue("a quaternion of orientations is zero");
        }
    for (const IkGoal& goal : all) {
        GoalKind kind = goal.kind;
        const GoalTarget to = targetOf(kind);
        if (to.rotation != nullptr && !rotations)
            raiseValue("a goal has a rotation for a target: orientations are needed");
        if (to.point != nullptr && !points)
            raiseValue("a goal has a position for a target: targets are needed");
    }

    std::optional<BorrowedBatch> gpu;
    if (on != kProcessor) {
        // Joints that do not move are where the first start has them.
        std::vector<double> base;
        if (start && start->values().size() >= s->dofCount())
            base.assign(start->values().begin(),
                        start->values().begin() + static_cast<std::ptrdiff_t>(s->dofCount()));
        gpu.emplace(s, all, options, on, std::move(base), words);
    }
    auto dofs_out = newDoubles({count, dof_count});
    auto reached_out = py::array_t<bool>(count);
    auto errors_out = newDoubles({count});
    auto iterations_out = py::array_t<std::int32_t>(count);
    LongCall call(progress);
    const Progress told = call.progress();
    double* dofs = dofs_out.mutable_data();
    bool* reached = reached_out.mutable_data();
    double* errors = errors_out.mutable_data();
    std::int32_t* iterations = iterations_out.mutable_data();
    // A problem's answer does not depend on the others, so the batch is solved in parts of about a
    // twentieth of a second: between them signals are handled.
    const Status status = call.run([&]() -> Status {
        const std::size_t total = asSize(count), goal_count = all.size(), d = s->dofCount();
        std::size_t part = gpu ? std::size_t{1} << 20U : 1024;  // a GPU is idle with little
        for (std::size_t begin = 0; begin < total;) {
            const auto clock = std::chrono::steady_clock::now();
            const std::size_t n = std::min(part, total - begin);
            IkBatchProblems problems{.count = n};
            problems.points.resize(n * goal_count);
            for (std::size_t i = 0; points && i < n * goal_count; ++i) {
                const double* p = points->array.data() + (begin * goal_count + i) * 3;
                problems.points[i] = {p[0], p[1], p[2]};
            }
            for (std::size_t i = 0; rotations && i < n * goal_count; ++i) {
                const double* q = rotations->array.data() + (begin * goal_count + i) * 4;
                problems.orientations.push_back(normalized(Quat{q[0], q[1], q[2], q[3]}));
            }
            if (start) {
                const double* row = start->array.data() + (one_start ? 0 : begin * d);
                problems.starts.assign(row, row + (one_start ? d : n * d));
            }
            if (factors) {
                const double* row = factors->array.data() + begin * goal_count;
                problems.weights.assign(row, row + n * goal_count);
            }
            const Result<IkBatchResult> solved =
                gpu ? (*gpu)->solve(problems) : solveIkBatch(*s, all, options, problems, most);
            if (!solved) return solved.error();
            std::copy(solved->dofs.begin(), solved->dofs.end(), dofs + begin * d);
            for (std::size_t i = 0; i < n; ++i) {
                const IkBatchReport& report = solved->reports[i];
                reached[begin + i] = report.status == IkStatus::Reached;
                errors[begin + i] = report.error;
                iterations[begin + i] = report.iterations;
            }
            begin += n;
            if (!told(static_cast<double>(begin) / static_cast<double>(total)))
                return Diagnostic{.what = "the work was cancelled"};
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - clock;
            constexpr double kPart = 0.05;
            if (gpu) continue;
            if (took.count() < kPart / 2.0) part *= 4;
            if (took.count() > kPart * 2.0 && part > 64) part /= 2;
        }
        return Done{};
    });
    failure.finish();
    check(status);
    return {dofs_out, reached_out, errors_out, iterations_out};
}

}  // namespace

void bindSolver(py::module_& m) {
    py::class_<SolverObject>(
        m, "IkSolver",
        R"(A problem of inverse kinematics that is set up once and solved many times, for one thread at a time.

    It works on the skeleton as it is, with its own limits, in coordinates; `solve_ik` works on characters.

    >>> arm = ulna.Skeleton([{"name": "a", "kind": "hinge", "axis": [0, 0, 1]},
    ...     {"name": "b", "parent": "a", "kind": "hinge", "axis": [0, 0, 1], "offset": [1, 0, 0]},
    ...     {"name": "tip", "parent": "b", "kind": "fixed", "offset": [1, 0, 0]}])
    >>> solver = ulna.IkSolver(arm, [ulna.goals.position("tip", [1, 1, 0])], tolerance=1e-9)
    >>> dofs = np.array([0.1, 0.1])
    >>> solver.solve(dofs).reached
    True
    >>> np.round(np.sort(np.abs(dofs)), 6)
    array([0.      , 1.570796])
    )")
        .def(py::init(&makeSolver), py::arg("skeleton"), py::arg("goals"), py::kw_only(),
             py::arg("method") = "auto", py::arg("locked") = py::none(),
             py::arg("stiffness") = py::none(), py::arg("chain") = py::none(),
             py::arg("tolerance") = 0.0, py::arg("angle_tolerance") = 1e-4,
             py::arg("max_iterations") = 0, py::arg("restarts") = 0, py::arg("seed") = 1,
             py::arg("continuity") = false, py::arg("history") = false,
             "Sets a problem up; errors name the goal or the joint.")
        .def("solve", &SolverObject::solve, py::arg("dofs"),
             R"(Solves from the coordinates in an array of float64 and leaves the answer there.

    >>> solver = ulna.IkSolver(c.skeleton, [ulna.goals.position("LeftHand", [0.3, 1.2, 0.4])], locked=["Hips"])
    >>> dofs = np.zeros(c.skeleton.dof_count)
    >>> solver.solve(dofs)
    <ulna.IkReport: reached after ... iterations>
    )")
        .def("solve_pose", &SolverObject::solvePose, py::arg("pose"),
             R"(Solves from a pose: the answer and the report.

    >>> solver = ulna.IkSolver(c.skeleton, [ulna.goals.position("LeftHand", [0.3, 1.2, 0.4])], locked=["Hips"])
    >>> pose, report = solver.solve_pose(c.skeleton.rest_pose())
    >>> report.reached
    True
    )")
        .def("set_target", &SolverObject::setTarget, py::arg("goal"), py::arg("target"),
             R"(Gives a goal, by its index, another target: a position or a quaternion.

    >>> solver = ulna.IkSolver(c.skeleton, [ulna.goals.position("LeftHand", [0, 0, 0])])
    >>> solver.set_target(0, [0.3, 1.2, 0.4])
    )")
        .def("set_weight", &SolverObject::setWeight, py::arg("goal"), py::arg("weight"),
             R"(Gives a goal, by its index, another weight.

    >>> ulna.IkSolver(c.skeleton, [ulna.goals.position("LeftHand", [0, 0, 0])]).set_weight(0, 2.0)
    )")
        .def("set_enabled", &SolverObject::setEnabled, py::arg("goal"), py::arg("enabled"),
             R"(Switches a goal, by its index, on or off.

    >>> ulna.IkSolver(c.skeleton, [ulna.goals.position("LeftHand", [0, 0, 0])]).set_enabled(0, False)
    )")
        .def_property_readonly("skeleton", &SolverObject::skeleton, "What it solves on.")
        .def_property_readonly("goal_count", &SolverObject::goalCount, "How many goals there are.")
        .def_property_readonly("reach", &SolverObject::reach,
                               "The longest way from a root to a goal's joint.")
        .def_property_readonly("tolerance", &SolverObject::tolerance,
                               "The tolerance of positions in use.");
    py::class_<BatchResult>(m, "IkBatch", R"(The answers to many problems.

    >>> hands = np.random.default_rng(1).uniform([0.2, 1.0, 0.2], [0.4, 1.4, 0.4], (100, 3))
    >>> batch = ulna.solve_ik_batch(c.skeleton, [ulna.goals.position("LeftHand", [0, 0, 0])], hands)
    >>> batch.dofs.shape == (100, c.skeleton.dof_count)
    True
    )")
        .def_property_readonly(
            "dofs", [](const BatchResult& r) { return FloatsAnywhere(r.dofs); },
            "The coordinates of each answer, inside their limits: (problems, dofs).")
        .def_property_readonly(
            "reached", [](const BatchResult& r) { return BoolsAnywhere(r.reached); },
            "Whether each problem's goals are within their tolerances.")
        .def_property_readonly(
            "errors", [](const BatchResult& r) { return FloatsAnywhere(r.errors); },
            "The largest error of each problem, in units of its tolerance.")
        .def_property_readonly(
            "iterations", [](const BatchResult& r) { return Int32sAnywhere(r.iterations); },
            "The iterations of each problem.");
    m.def("solve_ik_batch", &solveBatch, py::arg("skeleton"), py::arg("goals"),
          py::arg("targets") = py::none(), py::kw_only(), py::arg("orientations") = py::none(),
          py::arg("starts") = py::none(), py::arg("weights") = py::none(),
          py::arg("method") = "auto", py::arg("locked") = py::none(),
          py::arg("stiffness") = py::none(), py::arg("chain") = py::none(),
          py::arg("tolerance") = 0.0, py::arg("angle_tolerance") = 1e-4,
          py::arg("max_iterations") = 0, py::arg("restarts") = 0, py::arg("seed") = 1,
          py::arg("threads") = 0, py::arg("progress") = py::none(), py::arg("device") = py::none(),
          R"(Solves many problems on one skeleton: the same goals, each with targets of its own.

    Targets are (problems, goals, 3), or (problems, 3) of one goal; orientations likewise with quaternions. Starts are
    coordinates, one row for all or one per problem; by default the middle of the limits. The answers do not depend on
    the number of threads.

    With `device="cuda"` (or `"cuda:1"`) an NVIDIA GPU solves them; the first call for a skeleton compiles for a few
    seconds, and the last four are kept. Where targets are arrays of a GPU's (PyTorch, CuPy, JAX, or `GpuArray`: float64,
    contiguous, with unit quaternions), they stay there, and so do the answers: each is a `GpuArray`, which those
    libraries take without a copy. Joints that no goal moves are then in the middle of their limits. Without a GPU,
    `device="cuda"` raises InputError, and `device="cpu"`, the default, solves the same problems.

    >>> goals = [ulna.goals.position("LeftHand", [0, 0, 0])]
    >>> ulna.solve_ik_batch(c.skeleton, goals, [[0.3, 1.2, 0.4], [0.4, 1.3, 0.3]], locked=["Hips"]).reached
    array([ True,  True])
    )");
}

}  // namespace ulna::python
