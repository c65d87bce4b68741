// SPDX-License-Identifier: Apache-2.0

// Solvers: inverse kinematics set up once and solved many times.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"

namespace ulna::engine {
namespace {

// Kinds of goals as engine.js numbers them: the order of GoalKind.
enum class Kind : int { Position, Orientation, Aim, Pole, Plane, Distance, Posture };

PostureGoal readPosture(const StageObject& stage, Reader& in) {
    PostureGoal goal;
    if (in.flag()) {
        Pose pose = stage.pose;
        readPose(in, pose);
        stage.enter(pose);
        goal.rest = computeDofs(*stage.skeleton, pose).dofs;
    }
    const std::size_t count = in.size();
    for (std::size_t i = 0; i < count; ++i) goal.joints.push_back(in.joint());
    return goal;
}

GoalKind readWish(const StageObject& stage, Reader& in) {
    // One field at a time: the order in which an argument list is read is the compiler's.
    switch (static_cast<Kind>(in.integer())) {
        case Kind::Position: {
            PositionGoal goal;
            goal.joint = in.joint();
            goal.target = in.vec3();
            goal.point = in.vec3();
            return goal;
        }
        case Kind::Orientation: {
            OrientationGoal goal;
            goal.joint = in.joint();
            goal.target = in.quat();
            return goal;
        }
        case Kind::Aim: {
            AimGoal goal;
            goal.joint = in.joint();
            goal.target = in.vec3();
            goal.axis = in.vec3();
            goal.eye = in.vec3();
            return goal;
        }
        case Kind::Pole: {
            PoleGoal goal;
            goal.start = in.joint();
            goal.mid = in.joint();
            goal.end = in.joint();
            goal.pole = in.vec3();
            return goal;
        }
        case Kind::Plane: {
            PlaneGoal goal;
            goal.joint = in.joint();
            goal.normal = in.vec3();
            goal.offset = in.number();
            goal.side = in.flag() ? PlaneSide::Above : PlaneSide::On;
            goal.point = in.vec3();
            return goal;
        }
        case Kind::Distance: {
            DistanceGoal goal;
            goal.joint_a = in.joint();
            goal.joint_b = in.joint();
            goal.distance = in.number();
            goal.bound = static_cast<DistanceBound>(in.integer());
            goal.point_a = in.vec3();
            goal.point_b = in.vec3();
            return goal;
        }
        case Kind::Posture:
            return readPosture(stage, in);
    }
    return PositionGoal{};
}

IkGoal readGoal(const StageObject& stage, Reader& in) {
    IkGoal goal;
    goal.weight = in.number();
    goal.level = in.integer();
    goal.enabled = in.flag();
    goal.kind = readWish(stage, in);
    if (stage.anatomy) goal.kind = toAnatomical(*stage.anatomy, std::move(goal.kind));
    return goal;
}

IkOptions readOptions(Reader& in) {
    IkOptions out;
    out.method = kAllIkMethods[in.size()];
    out.position_tolerance = in.number();
    out.angle_tolerance = in.number();
    out.max_iterations = in.integer();
    out.restarts = in.integer();
    out.seed = static_cast<std::uint64_t>(in.number());
    out.continuity = in.flag();
    out.record_history = in.flag();
    out.fabrik_first = in.flag();
    out.chain = in.joint();
    out.step = in.number();
    out.damping = in.number();
    out.joint_damping = in.number();
    out.line_search = in.flag();
    out.ccd_direction = in.flag() ? CcdDirection::RootToEnd : CcdDirection::EndToRoot;
    const std::size_t locked = in.size();
    for (std::size_t i = 0; i < locked; ++i) out.locked.push_back(in.joint());
    const std::size_t stiff = in.size();
    for (std::size_t i = 0; i < stiff; ++i) {
        JointStiffness each;
        each.joint = in.joint();
        each.stiffness = in.number();
        out.stiffness.push_back(each);
    }
    return out;
}

Diagnostic withGoalNumber(Diagnostic error, std::size_t goal) {
    error.location.json_path = "goals[" + std::to_string(goal) + "]";
    return error;
}

void summarise(const IkReport& report, std::vector<double>& out) {
    out.clear();
    out.push_back(static_cast<double>(report.status));
    out.push_back(report.iterations);
    out.push_back(report.attempts);
    out.push_back(report.cost);
    out.push_back(report.gradient);
    out.push_back(static_cast<double>(report.goal_errors.size()));
    out.insert(out.end(), report.goal_errors.begin(), report.goal_errors.end());
    out.push_back(static_cast<double>(report.history.size()));
    out.insert(out.end(), report.history.begin(), report.history.end());
}

}  // namespace

ULNA_EXPORT(SolverObject*, solverMake)
(const std::shared_ptr<StageObject>* stage, std::size_t goal_count) {
    Reader in;
    IkOptions options = readOptions(in);
    std::vector<IkGoal> goals;
    for (std::size_t i = 0; i < goal_count; ++i) {
        goals.push_back(readGoal(**stage, in));
        const Status status = checkGoal(*(*stage)->skeleton, goals.back());
        if (!status) {
            fail(withGoalNumber(status.error(), i));
            return nullptr;
        }
    }
    Result<IkSolver> solver = IkSolver::make(*(*stage)->skeleton, std::move(goals), options);
    if (!solver) {
        fail(solver.error());
        return nullptr;
    }
    clearReply();
    put(solver->positionTolerance());
    put(solver->reach());
    return new SolverObject{*stage, std::move(options), *std::move(solver),
                            restPose(*(*stage)->skeleton)};
}

ULNA_EXPORT(void, solverFree)(SolverObject* object) {
    delete object;
}

ULNA_EXPORT(void, solverTarget)
(SolverObject* object, std::size_t goal, double x, double y, double z, double w) {
    GoalKind& wish = object->solver.goals()[goal].kind;
    const Vec3 place{x, y, z};
    if (auto* position = std::get_if<PositionGoal>(&wish)) position->target = place;
    if (auto* aim = std::get_if<AimGoal>(&wish)) aim->target = place;
    if (auto* pole = std::get_if<PoleGoal>(&wish)) pole->pole = place;
    if (auto* orientation = std::get_if<OrientationGoal>(&wish)) {
        orientation->target = {x, y, z, w};
        if (object->stage->anatomy) wish = toAnatomical(*object->stage->anatomy, wish);
    }
}

ULNA_EXPORT(void, solverWeight)(SolverObject* object, std::size_t goal, double weight) {
    object->solver.goals()[goal].weight = weight;
}

ULNA_EXPORT(void, solverEnable)(SolverObject* object, std::size_t goal, bool enabled) {
    object->solver.goals()[goal].enabled = enabled;
}

/// From the pose in the input, which becomes the answer.
ULNA_EXPORT(const double*, solverSolve)(SolverObject* object) {
    readPose(0, object->pose);
    object->stage->enter(object->pose);
    summarise(object->solver.solve(object->pose), object->summary);
    object->stage->leave(object->pose);
    writePose(object->pose, 0);
    return object->summary.data();
}

/// The pose in the input stays; the reply has those after 1, 2, ... iterations, then the status.
ULNA_EXPORT(void, solverTrace)(SolverObject* object, int iterations) {
    const StageObject& stage = *object->stage;
    readPose(0, object->pose);
    stage.enter(object->pose);
    clearReply();
    IkOptions options = object->options;
    options.record_history = true;
    IkStatus status = IkStatus::MaxIterations;
    for (int i = 1; i <= iterations; ++i) {
        options.max_iterations = i;
        const std::span<const IkGoal> goals = std::as_const(object->solver).goals();
        Result<IkSolver> solver = IkSolver::make(
            *stage.skeleton, std::vector<IkGoal>(goals.begin(), goals.end()), options);
        if (!solver) break;
        Pose pose = object->pose;
        const IkReport& report = solver->solve(pose);
        status = report.status;
        const bool ended = report.iterations < i;
        if (ended && i > 1) break;
        put(report.cost);
        put(report.history.empty() ? 0.0 : report.history.front());
        put(report.history.empty() ? 0.0 : report.history.back());
        stage.leave(pose);
        writePose(pose, 0);
        putBytes(inputNumbers(0), pose.parent_from_joint.size() * kPoseStride * sizeof(double));
        if (ended) break;
    }
    put(static_cast<double>(status));
}

}  // namespace ulna::engine
