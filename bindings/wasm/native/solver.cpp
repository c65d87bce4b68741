// SPDX-License-Identifier: Apache-2.0

// Solvers: inverse kinematics set up once and solved many times.
#include <algorithm>
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/masses.h"
#include "ulna/skeleton/state.h"

namespace ulna::engine {
namespace {

GoalKind toKind(const Stage& stage, const ModelPose&, const PostureRequest& request) {
    PostureGoal goal;
    if (request.pose) {
        Pose pose = *request.pose;
        stage.enter(pose);
        goal.rest = computeDofs(stage.skeleton, pose).dofs;
    }
    goal.joints = request.joints;
    return goal;
}

GoalKind toKind(const Stage&, const ModelPose& model, const PinRequest& pin) {
    return PositionGoal{.joint = pin.joint,
                        .point = pin.point,
                        .target = pin.target ? *pin.target : model[pin.joint] * pin.point};
}

GoalKind toKind(const Stage&, const ModelPose& model, const OrientationRequest& request) {
    return OrientationGoal{
        .joint = request.joint,
        .target = request.target ? *request.target : rotationOf(model[request.joint])};
}

template <class Goal>
GoalKind toKind(const Stage&, const ModelPose&, const Goal& goal) {
    return goal;
}

bool isPin(const GoalRequest& request) {
    return std::holds_alternative<PinRequest>(request.kind);
}

// A balance without masses has those of a human body. Where none is recognised the solver says that
// masses are missing.
void giveMasses(const Stage& stage, GoalKind& kind) {
    auto* balance = std::get_if<BalanceGoal>(&kind);
    if (balance == nullptr || !balance->masses.empty()) return;
    if (Result<std::vector<JointMass>> masses = humanMasses(stage.skeleton))
        balance->masses = *std::move(masses);
}

// What holds a joint holds it where it is in `model`, unless the request says where.
IkGoal toGoal(const Stage& stage, const ModelPose& model, const GoalRequest& request) {
    IkGoal goal = {.kind = std::visit([&](const auto& kind) { return toKind(stage, model, kind); },
                                      request.kind),
                   .weight = request.weight.value_or(isPin(request) ? kPinWeight : 1.0),
                   .level = request.level,
                   .enabled = request.enabled};
    goal.kind = stage.toStage(std::move(goal.kind));
    giveMasses(stage, goal.kind);
    return goal;
}

Diagnostic withGoalNumber(Diagnostic error, std::size_t goal) {
    error.location.json_path = "goals[" + std::to_string(goal) + "]";
    return error;
}

}  // namespace

/// In the input: the pose in which pins hold, the options and the goals.
SolverObject* solverMake(StageObject& stage, std::size_t count) {
    const Skeleton& skeleton = stage.stage->skeleton;
    readPose(0, stage.pose);
    computeModelPose(skeleton, stage.pose, stage.model);
    Reader in(numbersOf(stage.pose));
    SolverRequest request;
    read(in, request);
    std::vector<GoalRequest> requests(count);
    for (GoalRequest& each : requests) read(in, each);
    IkOptions options = std::move(request.options);
    const bool pinned = std::any_of(requests.begin(), requests.end(), isPin);
    if (!request.free_root.value_or(pinned)) {
        const std::vector<JointId> held = heldRoots(skeleton);
        options.locked.insert(options.locked.end(), held.begin(), held.end());
    }
    std::vector<IkGoal> goals;
    for (const GoalRequest& each : requests) {
        goals.push_back(toGoal(*stage.stage, stage.model, each));
        if (const Status status = checkGoal(skeleton, goals.back()); !status) {
            fail(withGoalNumber(status.error(), goals.size() - 1));
            return nullptr;
        }
    }
    Result<IkSolver> solver = IkSolver::make(skeleton, std::move(goals), options);
    if (!solver) {
        fail(solver.error());
        return nullptr;
    }
    SolverReply reply{.position_tolerance = solver->positionTolerance(), .reach = solver->reach()};
    for (IkGoal& goal : solver->goals()) {
        const GoalTarget target = targetOf(goal.kind);
        reply.target_sizes.push_back(target.rotation != nullptr ? 4.0
                                     : target.point != nullptr  ? 3.0
                                                                : 0.0);
    }
    clearReply();
    put(reply);
    return new SolverObject{stage.stage, std::move(options), *std::move(solver),
                            restPose(skeleton)};
}

void solverTarget(SolverObject& object, std::size_t goal, double x, double y, double z, double w) {
    GoalKind& kind = object.solver.goals()[goal].kind;
    const GoalTarget target = targetOf(kind);
    if (target.point != nullptr) *target.point = object.stage->toStage(kind, Vec3{x, y, z});
    if (target.rotation != nullptr)
        *target.rotation = object.stage->toStage(kind, Quat{x, y, z, w});
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
    readPose(0, object.pose);
    return traceSolver(*object.stage, std::as_const(object.solver).goals(), object.options,
                       object.pose, static_cast<int>(iterations));
}

}  // namespace ulna::engine
