// SPDX-License-Identifier: Apache-2.0

// Solvers: inverse kinematics set up once and solved many times.
#include <type_traits>
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/skeleton/state.h"

namespace ulna::engine {
namespace {

GoalKind toKind(const Stage& stage, const PostureRequest& request) {
    PostureGoal goal;
    if (request.pose) {
        Pose pose = *request.pose;
        stage.enter(pose);
        goal.rest = computeDofs(stage.skeleton, pose).dofs;
    }
    goal.joints = request.joints;
    return goal;
}

template <class Goal>
GoalKind toKind(const Stage&, const Goal& goal) {
    return goal;
}

IkGoal toGoal(const Stage& stage, const GoalRequest& request) {
    IkGoal goal = {
        .kind = std::visit([&](const auto& kind) { return toKind(stage, kind); }, request.kind),
        .weight = request.weight,
        .level = request.level,
        .enabled = request.enabled};
    goal.kind = stage.toStage(std::move(goal.kind));
    return goal;
}

Diagnostic withGoalNumber(Diagnostic error, std::size_t goal) {
    error.location.json_path = "goals[" + std::to_string(goal) + "]";
    return error;
}

}  // namespace

/// The options and the goals are in the input.
SolverObject* solverMake(StageObject& stage, std::size_t count, bool free_root) {
    const Skeleton& skeleton = stage.stage->skeleton;
    Reader in;
    IkOptions options;
    read(in, options);
    if (!free_root) {
        const std::vector<JointId> held = heldRoots(skeleton);
        options.locked.insert(options.locked.end(), held.begin(), held.end());
    }
    std::vector<IkGoal> goals;
    for (std::size_t i = 0; i < count; ++i) {
        GoalRequest request;
        read(in, request);
        goals.push_back(toGoal(*stage.stage, request));
        if (const Status status = checkGoal(skeleton, goals.back()); !status) {
            fail(withGoalNumber(status.error(), i));
            return nullptr;
        }
    }
    Result<IkSolver> solver = IkSolver::make(skeleton, std::move(goals), options);
    if (!solver) {
        fail(solver.error());
        return nullptr;
    }
    clearReply();
    put(SolverReply{.position_tolerance = solver->positionTolerance(), .reach = solver->reach()});
    return new SolverObject{stage.stage, std::move(options), *std::move(solver),
                            restPose(skeleton)};
}

void solverTarget(SolverObject& object, std::size_t goal, double x, double y, double z, double w) {
    GoalKind& kind = object.solver.goals()[goal].kind;
    const Vec3 position{x, y, z};
    if (auto* of_position = std::get_if<PositionGoal>(&kind)) of_position->target = position;
    if (auto* aim = std::get_if<AimGoal>(&kind)) aim->target = position;
    if (auto* pole = std::get_if<PoleGoal>(&kind)) pole->pole = position;
    if (auto* orientation = std::get_if<OrientationGoal>(&kind)) {
        orientation->target = {x, y, z, w};
        kind = object.stage->toStage(kind);
    }
}

void solverWeight(SolverObject& object, std::size_t goal, double weight) {
    object.solver.goals()[goal].weight = weight;
}

void solverEnable(SolverObject& object, std::size_t goal, bool enabled) {
    object.solver.goals()[goal].enabled = enabled;
}

/// From the pose in the input, which becomes the answer; the reply is the report.
void solverSolve(SolverObject& object) {
    readPose(0, object.pose);
    object.stage->enter(object.pose);
    const IkReport& report = object.solver.solve(object.pose);
    object.stage->leave(object.pose);
    writePose(object.pose, 0);
    clearReply();
    put(report);
}

/// The pose in the input stays.
DragTrace solverTrace(SolverObject& object, std::size_t iterations) {
    const Stage& stage = *object.stage;
    readPose(0, object.pose);
    DragTrace out = {.poses = {object.pose}, .status = IkStatus::MaxIterations};
    stage.enter(object.pose);
    IkOptions options = object.options;
    options.record_history = true;
    for (int i = 1; i <= static_cast<int>(iterations); ++i) {
        options.max_iterations = i;
        const std::span<const IkGoal> goals = std::as_const(object.solver).goals();
        Result<IkSolver> solver = IkSolver::make(
            stage.skeleton, std::vector<IkGoal>(goals.begin(), goals.end()), options);
        if (!solver) break;
        Pose pose = object.pose;
        const IkReport& report = solver->solve(pose);
        out.status = report.status;
        const bool ended = report.iterations < i;
        if (ended && i > 1) break;
        const auto& history = report.history;
        if (i == 1) out.errors.push_back(history.empty() ? 0.0 : history.front());
        out.errors.push_back(history.empty() ? 0.0 : history.back());
        out.costs.push_back(report.cost);
        stage.leave(pose);
        out.poses.push_back(std::move(pose));
        if (ended) break;
    }
    return out;
}

}  // namespace ulna::engine
