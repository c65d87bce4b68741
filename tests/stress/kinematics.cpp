// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "stress/families.h"
#include "stress/problem.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test::stress {
namespace {

PlainMatrix plainAffine(const Affine& affine) {
    PlainMatrix out;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 4; ++k) out.rows[i][k] = affine.columns[k][i];
    return out;
}

void lookAtModel(const Skeleton& rig, const DofVector& dofs, const Pose& pose, Ledger& ledger) {
    const std::vector<PlainMatrix> plain = plainModel(rig, dofs);
    const ModelPose of_pose = computeModelPose(rig, pose);
    const auto of_dofs = computeModelTransforms<double>(rig, dofs);
    double by_pose = 0.0, by_dofs = 0.0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        by_pose =
            std::max(by_pose, plainDifference(plain[i], plainAffine(of_pose.model_from_joint[i])));
        by_dofs = std::max(by_dofs, plainDifference(plain[i], plainAffine(of_dofs[i])));
    }
    ledger.look("forward kinematics of a pose", by_pose, 1e-9);
    ledger.look("forward kinematics of coordinates", by_dofs, 1e-9);
}

void lookAtClamping(Random& random, const Skeleton& rig, const DofVector& inside, Ledger& ledger) {
    ledger.look("allowed coordinates have no excess", limitExcess(rig, inside), 1e-9);
    DofVector again = inside;
    clampToLimits(rig, again);
    ledger.look("clamping leaves what is inside", movedBetween(rig, inside, again, 1.0), 1e-9);
    DofVector wild(inside.size());
    for (double& x : wild) x = random.between(-10.0, 10.0);
    ledger.look("the excess is true", std::abs(limitExcess(rig, wild) - plainExcess(rig, wild)),
                1e-7);
    clampToLimits(rig, wild);
    ledger.look("clamping brings inside", plainExcess(rig, wild), 1e-9);
}

void lookAtRotations(Random& random, const Skeleton& rig, const Pose& pose, Ledger& ledger) {
    ledger.look("allowedRotation leaves what a joint can hold", poseExcess(rig, pose), 1e-8);
    const JointId joint = randomJoint(random, rig);
    const Quat any = rig.planar() ? quatAboutAxis(2, random.between(-kPi, kPi)) : random.rotation();
    Pose allowed = pose;
    allowed[joint].rotation = allowedRotation(rig, joint, any);
    // Its coordinates express it, inside their limits.
    const Quat again = allowedRotation(rig, joint, allowed[joint].rotation);
    ledger.look("allowedRotation of any rotation is one that the joint can hold",
                plainAngle(plainRotation(again), plainRotation(allowed[joint].rotation)), 1e-8);
    DofVector dofs(rig.dofCount());
    const std::span<double> own = jointDofs(rig, joint, std::span<double>(dofs));
    computeJointDofs(rig, joint, allowed[joint], own);
    turnIntoLimits(rig, joint, own);
    DofVector rest(rig.dofCount());
    clampToLimits(rig, rest);
    const std::span<double> clamped = jointDofs(rig, joint, std::span<double>(rest));
    // Angles alone: where the joint slides, the pose's own slide is inside already.
    std::copy(own.begin(), own.end(), clamped.begin());
    ledger.look("allowedRotation is inside the limits", plainExcess(rig, rest), 1e-8,
                jointKindName(rig.kind(joint)));
}

void lookAtRoundTrip(const Skeleton& rig, const DofVector& dofs, const Pose& pose, Ledger& ledger) {
    const DofFit near = computeDofs(rig, pose, dofs);
    ledger.look("coordinates express their pose",
                std::max(near.rotation_residual, near.translation_residual), 1e-7);
    double off = 0.0;
    for (std::size_t d = 0; d < dofs.size(); ++d)
        off = std::max(off, std::abs(near.dofs[d] - dofs[d]));
    ledger.look("a pose gives back the coordinates it was made from", off, 1e-6);
    const DofFit alone = computeDofs(rig, pose);
    ledger.look("a pose gives coordinates of the same pose, without a hint",
                movedBetween(rig, alone.dofs, dofs, 1.0), 1e-6);
}

}  // namespace

void stressKinematics(std::uint64_t seed, Ledger& ledger) {
    Random random(seed);
    const Skeleton rig = randomRig(random, randomRigOptions(random));
    const DofVector dofs = randomAllowedDofs(random, rig);
    ledger.look("clamping brings inside", plainExcess(rig, dofs), 1e-9);
    const Pose pose = computePose(rig, dofs);
    lookAtModel(rig, dofs, pose, ledger);
    lookAtClamping(random, rig, dofs, ledger);
    lookAtRoundTrip(rig, dofs, pose, ledger);
    lookAtRotations(random, rig, pose, ledger);
}

}  // namespace ulna::test::stress
