// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/native/ik_arguments.h"

#include <cmath>
#include <limits>

#include "ulna/ik/goals/differenced.h"
#include "ulna/ik/solver.h"
#include "ulna/io/goals_json.h"

namespace ulna::python {
namespace {

// A joint as a function of Python's sees it.
struct Body {
    BodyFrame frame;
};

// A goal whose residuals a function of Python computes.
struct PythonGoal {
    std::string name;
    py::object joints;
    py::function residuals;
    int rows = 1;
    double weight = 1.0;
    int level = 1;
};

PythonGoal makeGoal(const JointRefs& joints, const Residuals& residuals, int rows, double weight,
                    int level, const std::string& name) {
    if (PyCallable_Check(residuals.ptr()) == 0) raiseType("residuals is a function");
    if (rows < 1 || rows > static_cast<int>(kMaxGoalRows)) raiseValue("rows are 1 to 3");
    if (!(weight >= 0.0 && std::isfinite(weight))) raiseValue("weight is 0 or more");
    if (level != 1 && level != 2) raiseValue("level is 1 or 2");
    return {name, joints, py::reinterpret_borrow<py::function>(residuals), rows, weight, level};
}

// Calls the function with the GIL. What it raises is kept, and the residuals are no numbers: a step
// that leads there is not taken.
struct PythonResiduals {
    std::shared_ptr<py::function> function;
    std::shared_ptr<std::exception_ptr> failure;

    void operator()(std::span<const BodyFrame> bodies, std::span<double> out) const {
        const py::gil_scoped_acquire gil;
        try {
            if (*failure) throw py::value_error("the goal has failed before");
            py::list seen;
            for (const BodyFrame& frame : bodies) seen.append(Body{frame});
            const py::object answer = (*function)(seen);
            const py::array flat = py::array::ensure(answer);
            if (!flat) throw py::error_already_set();
            const DoubleArray values =
                doublesOf(flat.attr("reshape")(-1), "residuals", {asSsize(out.size())}, false);
            std::copy(values.values().begin(), values.values().end(), out.begin());
        } catch (...) {
            if (!*failure) *failure = std::current_exception();
            std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
        }
    }
};

// A function is let go where the GIL is held, whoever is the last to hold it.
std::shared_ptr<py::function> shared(const py::function& function) {
    return {new py::function(function), [](py::function* last) {
                const py::gil_scoped_acquire gil;
                delete last;
            }};
}

IkClipGoal goalOf(const Skeleton& skeleton, const PythonGoal& goal, const CustomFailure& failure) {
    const std::vector<JointId> joints = jointsOf(skeleton, goal.joints);
    if (joints.empty() || joints.size() > kMaxGoalBodies)
        raiseValue("a goal of your own has one to three joints");
    IkClipGoal out;
    out.goal.kind = makeDifferencedGoal(goal.name, joints, static_cast<std::size_t>(goal.rows),
                                        PythonResiduals{shared(goal.residuals), failure.place()});
    out.goal.weight = goal.weight;
    out.goal.level = goal.level;
    return out;
}

}  // namespace

Interrupt::Interrupt(IkOptions& options) {
    options.budget.observer = [this](const SolveProgress&) {
        const auto now = std::chrono::steady_clock::now();
        if (now - looked_ < std::chrono::milliseconds(50)) return true;
        looked_ = now;
        const py::gil_scoped_acquire gil;
        try {
            LongCall::handleSignals();
        } catch (...) {
            failure_ = std::current_exception();
            return false;
        }
        return true;
    };
}

void Interrupt::finish() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

std::vector<IkClipGoal> goalsOf(const Skeleton& skeleton, const Vec3& forward, const Goals& goals,
                                const CustomFailure& failure) {
    if (py::isinstance<py::str>(goals) || py::isinstance<py::dict>(goals) ||
        !py::isinstance<py::iterable>(goals))
        raiseType("goals are a sequence");
    // Goals in words go through the reader of goals files, and have its messages.
    py::list words;
    std::vector<std::optional<IkClipGoal>> own;
    for (const py::handle goal : py::iter(goals)) {
        if (py::isinstance<PythonGoal>(goal)) {
            own.emplace_back(goalOf(skeleton, goal.cast<const PythonGoal&>(), failure));
        } else {
            own.emplace_back(std::nullopt);
            words.append(goal);
        }
    }
    std::vector<IkClipGoal> read;
    if (!words.empty())
        read = take(io::bindGoals(take(io::readGoals(jsonOf(words), "")), skeleton, forward));
    std::vector<IkClipGoal> out;
    std::size_t next = 0;
    for (std::optional<IkClipGoal>& each : own)
        out.push_back(each ? *std::move(each) : std::move(read[next++]));
    for (const IkClipGoal& goal : out) check(checkGoal(skeleton, goal.goal));
    return out;
}

std::vector<IkClipGoal> goalsOf(const Character& character, const Goals& goals,
                                const CustomFailure& failure) {
    const bool planar = character.skeleton.planar();
    const bool z_up = !planar && upAxisOf(character) == UpAxis::Z;
    const Vec3 forward = planar ? Vec3{1, 0, 0} : z_up ? Vec3{0, -1, 0} : Vec3{0, 0, 1};
    return goalsOf(character.skeleton, forward, goals, failure);
}

IkOptions solverOptions(const Skeleton& skeleton, const SolverWords& words) {
    IkOptions out;
    const std::optional<IkMethod> method = ikMethodFromName(words.method);
    if (!method) {
        std::vector<std::string> names;
        for (const IkMethod each : kAllIkMethods) names.emplace_back(ikMethodName(each));
        raiseWord(words.method, "method", names);
    }
    out.method = *method;
    if (!(words.tolerance >= 0.0 && words.tolerance <= 1e100))
        raiseValue("tolerance is a length above 0");
    out.position_tolerance = words.tolerance;
    out.angle_tolerance = positive(words.angle_tolerance, "angle_tolerance");
    if (words.max_iterations < 0) raiseValue("max_iterations is at least 1");
    out.max_iterations = words.max_iterations;
    out.seed = words.seed;
    out.continuity = words.continuity;
    out.record_history = words.history;
    out.locked = jointsOf(skeleton, words.locked);
    if (!words.stiffness.is_none()) {
        for (const auto& item : py::dict(words.stiffness)) {
            const auto value = item.second.cast<double>();
            if (!(value >= 0.0 && std::isfinite(value))) raiseValue("stiffness is 0 or more");
            out.stiffness.push_back(
                {jointOf(skeleton, py::reinterpret_borrow<py::object>(item.first)), value});
        }
    }
    if (!words.chain.is_none()) out.chain = jointOf(skeleton, words.chain);
    return out;
}

void bindIkArguments(py::module_& m) {
    py::class_<Body>(m, "Body", R"(Where a joint is, as a goal of your own sees it.

    >>> goal = ulna.CustomGoal(["Head"], lambda bodies: bodies[0].position[1] - 1.2)
    )")
        .def_property_readonly(
            "position",
            [](const Body& b) { return Floats(py::array_t<double>(3, &b.frame.position.x)); },
            "The position in the model.")
        .def_property_readonly(
            "orientation",
            [](const Body& b) {
                py::array_t<double> out = newDoubles({3, 3});
                for (std::size_t i = 0; i < 9; ++i)
                    out.mutable_data()[i] = b.frame.orientation.rows[i / 3][i % 3];
                return Floats(out);
            },
            "The rotation in the model, 3 x 3.")
        .def_property_readonly(
            "scale", [](const Body& b) { return b.frame.scale; }, "The uniform scale.");
    py::class_<PythonGoal>(
        m, "CustomGoal",
        R"(A goal of your own: a function from one to three joints to one to three residuals, zero where it is met.

    Derivatives are found by differences, and every one of these calls goes through Python: such goals are slow, about
    a thousand times slower than the library's own.

    >>> level = ulna.CustomGoal(["LeftHand", "RightHand"], lambda hands: hands[0].position[1] - hands[1].position[1])
    >>> answer = ulna.solve_ik(c, [level, ulna.goals.position("LeftHand", [0.4, 1.2, 0.3])])
    >>> answer.met
    [True, True]
    )")
        .def(py::init(&makeGoal), py::arg("joints"), py::arg("residuals"), py::kw_only(),
             py::arg("rows") = 1, py::arg("weight") = 1.0, py::arg("level") = 1,
             py::arg("name") = "custom", "A goal from a function of a list of bodies.")
        .def_property_readonly(
            "name", [](const PythonGoal& g) { return g.name; }, "What messages call it.");
    py::class_<IkReport>(m, "IkReport",
                         R"(How a solver went. An unreachable target is an answer, not an error.

    >>> ulna.solve_ik(c, [ulna.goals.position("LeftHand", [9, 9, 9])]).report.status
    'out_of_reach'
    )")
        .def_property_readonly(
            "status", [](const IkReport& r) { return std::string(ikStatusName(r.status)); },
            "reached, out_of_reach, stalled, max_iterations, bad_goal or stopped.")
        .def_property_readonly(
            "reached", [](const IkReport& r) { return r.status == IkStatus::Reached; },
            "Whether every goal is within its tolerance.")
        .def_property_readonly(
            "iterations", [](const IkReport& r) { return r.iterations; },
            "Iterations of all attempts together.")
        .def_property_readonly(
            "attempts", [](const IkReport& r) { return r.attempts; },
            "1 means that no restart was needed.")
        .def_property_readonly(
            "cost", [](const IkReport& r) { return r.cost; },
            "Half the weighted sum of squared residuals.")
        .def_property_readonly(
            "gradient", [](const IkReport& r) { return r.gradient; },
            "How far from stationary the answer is.")
        .def_property_readonly(
            "errors", [](const IkReport& r) { return r.goal_errors; },
            "The error of each goal: a length, or an angle in radians.")
        .def_property_readonly(
            "history", [](const IkReport& r) { return r.history; },
            "The largest error at the start and after each iteration, in units of its tolerance.")
        .def("__repr__", [](const IkReport& r) {
            return "<ulna.IkReport: " + std::string(ikStatusName(r.status)) + " after " +
                   std::to_string(r.iterations) + " iterations>";
        });
}

}  // namespace ulna::python
