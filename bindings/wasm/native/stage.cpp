// SPDX-License-Identifier: Apache-2.0

// Stages: a skeleton with the limits one works with, and its degrees of freedom.
#include <algorithm>
#include <cmath>

#include "bindings/wasm/native/protocol.h"
#include "ulna/skeleton/limits.h"
#include "ulna/skeleton/state.h"

namespace ulna::engine {
namespace {

// A joint's own coordinates for the stage's pose, near to those of object.dofs.
std::span<double> poseDofs(StageObject& object, JointId joint) {
    const std::span<double> dofs = jointDofs(object.stage->skeleton, joint, std::span(object.dofs));
    computeJointDofs(object.stage->skeleton, joint, object.pose[joint], dofs);
    return dofs;
}

void readStagePose(StageObject& object) {
    readPose(0, object.pose);
    object.stage->enter(object.pose);
}

void writeStagePose(StageObject& object) {
    object.stage->leave(object.pose);
    writePose(object.pose, 0);
}

// What the joint's coordinates govern of its transform; stretch and scale stay.
void applyJoint(StageObject& object, JointId joint, std::span<const double> dofs) {
    const Trs made = computeJointTransform(object.stage->skeleton, joint, dofs);
    Trs& t = object.pose[joint];
    t.rotation = made.rotation;
    if (slides(object.stage->skeleton.kind(joint))) t.translation = made.translation;
}

// Behind the pose: whether there are coordinates to be near to, then those.
void readNear(std::size_t first, StageObject& object) {
    Reader in(first);
    if (in.flag()) {
        const std::span<const double> near = in.numbers(object.dofs.size());
        std::copy(near.begin(), near.end(), object.dofs.begin());
    } else {
        std::fill(object.dofs.begin(), object.dofs.end(), 0.0);
    }
}

// The object of a stage; the reply says what there is to know about it.
StageObject* answer(const SkeletonObject& skeleton, Stage stage) {
    clearReply();
    put(StageReply{.limits = stage.limits,
                   .warnings = stage.warnings,
                   .recognised = {stage.recognised().begin(), stage.recognised().end()},
                   .feet = feetOf(stage)});
    auto* object = new StageObject{std::make_shared<const Stage>(std::move(stage)), skeleton.z_up};
    object->pose = restPose(*skeleton.skeleton);
    object->dofs.resize(object->stage->skeleton.dofCount());
    return object;
}

}  // namespace

/// The input has the T-pose of human limits, and pointers to `meshes` skins of the skeleton.
StageObject* stageMake(SkeletonObject& skeleton, LimitSource limits, SkeletonObject* other,
                       std::size_t meshes) {
    readPose(0, skeleton.pose);
    Reader in(numbersOf(skeleton.pose));
    const std::vector<const Mesh*> skins = readMeshes(in, meshes);
    Result<Stage> made =
        makeStage(*skeleton.skeleton, {.limits = limits,
                                       .t_pose = &skeleton.pose,
                                       .other = other == nullptr ? nullptr : other->skeleton.get(),
                                       .skins = skins});
    if (!made) {
        fail(made.error());
        return nullptr;
    }
    return answer(skeleton, *std::move(made));
}

/// The input has pointers to `meshes` skins of the skeleton.
StageObject* stageMakeUsual(SkeletonObject& skeleton, std::size_t meshes) {
    Reader in;
    const std::vector<const Mesh*> skins = readMeshes(in, meshes);
    return answer(skeleton, makeUsualStage(*skeleton.skeleton, nullptr, skins));
}

SkeletonObject* stageSkeleton(StageObject& object) {
    return makeObject(SharedSkeleton(object.stage, &object.stage->skeleton), object.z_up);
}

/// The answer is where the input began.
void stageDofs(StageObject& object) {
    readStagePose(object);
    readNear(numbersOf(object.pose), object);
    for (const JointId j : object.stage->skeleton.joints()) poseDofs(object, j);
    std::copy(object.dofs.begin(), object.dofs.end(), inputNumbers(object.dofs.size()));
}

void stageApply(StageObject& object) {
    readStagePose(object);
    const auto dofs = Reader(numbersOf(object.pose)).numbers(object.dofs.size());
    applyDofs(object.stage->skeleton, dofs, object.pose);
    writeStagePose(object);
}

/// Behind the pose: the value, whether limits are left aside, then what to be near to.
double stageSetDof(StageObject& object, std::size_t dof) {
    readStagePose(object);
    Reader in(numbersOf(object.pose));
    const double value = in.number();
    const bool free = in.flag();
    readNear(numbersOf(object.pose) + 2, object);
    const JointId joint = object.stage->skeleton.jointOfDof(dof);
    const std::span<double> own = poseDofs(object, joint);
    object.dofs[dof] = value;
    if (!free) clampJointToLimits(object.stage->skeleton, joint, object.dofs);
    applyJoint(object, joint, own);
    if (!free && !coupleJoints(object.stage->skeleton, object.pose).empty())
        poseDofs(object, joint);
    writeStagePose(object);
    return object.dofs[dof];
}

/// The pose in the input is brought inside its limits; the answer has the joints that were outside.
ClampReply stageClamp(StageObject& object) {
    readStagePose(object);
    ClampReply out = {.joints = clampToStage(object.stage->skeleton, object.pose)};
    writeStagePose(object);
    return out;
}

/// In the pose in the input.
JointHandles stageHandles(StageObject& object, JointId joint) {
    readPose(0, object.pose);
    return makeHandles(*object.stage, object.pose, joint);
}

double stageExcess(StageObject& object) {
    readStagePose(object);
    const DofVector dofs = computeDofs(object.stage->skeleton, object.pose).dofs;
    return limitExcess(object.stage->skeleton, dofs);
}

}  // namespace ulna::engine
