// SPDX-License-Identifier: Apache-2.0

// Stages: a skeleton with the limits one works with, and its degrees of freedom.
#include <algorithm>
#include <cmath>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"
#include "ulna/skeleton/limits.h"
#include "ulna/skeleton/state.h"

namespace ulna::engine {
namespace {

// Which limits a stage has; engine.js numbers them likewise.
enum class Limits : int { Own, None, Anatomical, Borrowed };

struct Staged {
    StageObject stage;
    Warnings warnings = {};
};

Result<Staged> makeStage(const SkeletonObject& object, Limits limits, const Skeleton* other) {
    Staged out;
    out.stage.z_up = object.z_up;
    if (limits == Limits::Own) {
        out.stage.skeleton = object.skeleton;
    } else if (limits == Limits::None) {
        out.stage.skeleton = std::make_shared<const Skeleton>(withoutLimits(*object.skeleton));
    } else if (limits == Limits::Anatomical) {
        Result<AnatomicalRig> rig = makeAnatomicalRig(*object.skeleton, object.pose);
        if (!rig) return rig.error();
        out.warnings = rig->warnings;
        out.stage.skeleton = std::make_shared<const Skeleton>(rig->skeleton);
        out.stage.anatomy = *std::move(rig);
    } else {
        Result<BorrowedLimits> borrowed = withLimitsOf(*object.skeleton, *other);
        if (!borrowed) return borrowed.error();
        out.warnings = std::move(borrowed->warnings);
        out.stage.skeleton = std::make_shared<const Skeleton>(std::move(borrowed->skeleton));
    }
    out.stage.pose = restPose(*object.skeleton);
    out.stage.dofs.resize(out.stage.skeleton->dofCount());
    return out;
}

// A joint's own numbers for the stage's pose, near to those of stage.dofs.
double* jointDofs(StageObject& stage, JointId joint) {
    double* dofs = stage.dofs.data() + stage.skeleton->firstDof(joint);
    computeJointDofs(*stage.skeleton, joint, stage.pose[joint], dofs);
    return dofs;
}

void readStagePose(StageObject& stage) {
    readPose(0, stage.pose);
    stage.enter(stage.pose);
}

void writeStagePose(StageObject& stage) {
    stage.leave(stage.pose);
    writePose(stage.pose, 0);
}

// What the joint's numbers govern of its transform; stretch and scale stay.
void applyJoint(StageObject& stage, JointId joint, const double* dofs) {
    const Trs made = computeJointTransform(*stage.skeleton, joint, dofs);
    Trs& t = stage.pose[joint];
    t.rotation = made.rotation;
    if (slides(stage.skeleton->kind(joint))) t.translation = made.translation;
}

std::size_t poseSize(const StageObject& stage) {
    return stage.pose.parent_from_joint.size() * kPoseStride;
}

// Behind the pose: whether there are numbers to be near to, then those.
void readNear(std::size_t first, StageObject& stage) {
    Reader in(first);
    if (in.flag()) {
        const std::span<const double> near = in.numbers(stage.dofs.size());
        std::copy(near.begin(), near.end(), stage.dofs.begin());
    } else {
        std::fill(stage.dofs.begin(), stage.dofs.end(), 0.0);
    }
}

}  // namespace

void StageObject::enter(Pose& original) const {
    if (anatomy) turnToAnatomical(*anatomy, original);
}

void StageObject::leave(Pose& staged) const {
    if (anatomy) turnFromAnatomical(*anatomy, staged);
}

// A stage is shared with its solvers, so its handle is a pointer to a shared one.
using StageHandle = std::shared_ptr<StageObject>;

/// The T-pose of human limits is in the input.
ULNA_EXPORT(StageHandle*, stageMake)
(SkeletonObject* object, int limits, const SkeletonObject* other) {
    readPose(0, object->pose);
    Result<Staged> staged = makeStage(*object, static_cast<Limits>(limits),
                                      other == nullptr ? nullptr : other->skeleton.get());
    if (!staged) {
        fail(staged.error());
        return nullptr;
    }
    clearReply();
    put(staged->warnings);
    const std::optional<AnatomicalRig>& anatomy = staged->stage.anatomy;
    put(anatomy ? static_cast<double>(anatomy->recognised.size()) : 0.0);
    if (anatomy) {
        for (const RecognisedJoint& each : anatomy->recognised) {
            put(static_cast<double>(each.joint));
            put(each.part);
        }
    }
    return new StageHandle(std::make_shared<StageObject>(std::move(staged->stage)));
}

ULNA_EXPORT(void, stageFree)(StageHandle* stage) {
    delete stage;
}

ULNA_EXPORT(SkeletonObject*, stageSkeleton)(const StageHandle* stage) {
    auto* object = new SkeletonObject{(*stage)->skeleton, (*stage)->z_up};
    object->pose = restPose(*object->skeleton);
    object->other_pose = object->pose;
    return object;
}

/// The answer is where the input began.
ULNA_EXPORT(void, stageDofs)(StageHandle* handle) {
    StageObject& stage = **handle;
    readStagePose(stage);
    readNear(poseSize(stage), stage);
    for (const JointId j : stage.skeleton->joints()) jointDofs(stage, j);
    std::copy(stage.dofs.begin(), stage.dofs.end(), inputNumbers(stage.dofs.size()));
}

ULNA_EXPORT(void, stageApply)(StageHandle* handle) {
    StageObject& stage = **handle;
    readStagePose(stage);
    const auto dofs = Reader(poseSize(stage)).numbers(stage.dofs.size());
    applyDofs(*stage.skeleton, dofs, stage.pose);
    writeStagePose(stage);
}

/// Behind the pose: the value, whether limits are left aside, then what to be near to.
ULNA_EXPORT(double, stageSetDof)(StageHandle* handle, std::size_t dof) {
    StageObject& stage = **handle;
    readStagePose(stage);
    Reader in(poseSize(stage));
    const double value = in.number();
    const bool free = in.flag();
    readNear(poseSize(stage) + 2, stage);
    const JointId joint = stage.skeleton->jointOfDof(dof);
    double* own = jointDofs(stage, joint);
    stage.dofs[dof] = value;
    if (!free) clampJointToLimits(*stage.skeleton, joint, stage.dofs);
    applyJoint(stage, joint, own);
    writeStagePose(stage);
    return stage.dofs[dof];
}

/// The reply has the joints that were outside.
ULNA_EXPORT(void, stageClamp)(StageHandle* handle) {
    StageObject& stage = **handle;
    readStagePose(stage);
    clearReply();
    for (std::size_t i = 0; i < stage.skeleton->jointCount(); ++i) {
        const Quat before = stage.pose[jointId(i)].rotation;
        const Quat allowed = allowedRotation(*stage.skeleton, jointId(i), before);
        // Radians; above the rounding of angles in files, which is no fault of anyone's.
        constexpr double kNoticeable = 1e-6;
        bool changed = angleBetween(before, allowed) > kNoticeable;
        if (changed) stage.pose[jointId(i)].rotation = allowed;
        if (slides(stage.skeleton->kind(jointId(i)))) {
            double* own = jointDofs(stage, jointId(i));
            if (clampJointToLimits(*stage.skeleton, jointId(i), stage.dofs)) {
                applyJoint(stage, jointId(i), own);
                changed = true;
            }
        }
        if (changed) put(static_cast<double>(i));
    }
    writeStagePose(stage);
}

ULNA_EXPORT(double, stageExcess)(StageHandle* handle) {
    StageObject& stage = **handle;
    readStagePose(stage);
    const DofVector dofs = computeDofs(*stage.skeleton, stage.pose).dofs;
    return limitExcess(*stage.skeleton, dofs);
}

}  // namespace ulna::engine
