// SPDX-License-Identifier: Apache-2.0

// Forward kinematics: one pose in double, batches in float, and a robot arm beside Orocos KDL.
#include <kdl/chainfksolverpos_recursive.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "benchmarks/harness.h"
#include "benchmarks/kdl_arm.h"
#include "benchmarks/models.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/batch.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::bench {
namespace {

Pose randomPose(const Skeleton& skeleton, Random& random) {
    Pose pose = restPose(skeleton);
    for (Trs& t : pose.parent_from_joint) t.rotation = random.rotation();
    return pose;
}

void onePose(const Skeleton& skeleton) {
    Random random(1);
    const Pose pose = randomPose(skeleton, random);
    ModelPose model = computeModelPose(skeleton, pose);
    std::vector<Affine> plain(skeleton.jointCount());
    const double joints = static_cast<double>(skeleton.jointCount());
    std::vector<Candidate> candidates = {{"ulna, vector unit by dispatch",
                                          [&] {
                                              computeModelPose(skeleton, pose, model);
                                              keep(model.model_from_joint[0]);
                                          },
                                          joints},
                                         {"the plain loop it is tested against",
                                          [&] {
                                              composeModelTransforms<double>(
                                                  skeleton, pose.parent_from_joint, plain);
                                              keep(plain[0]);
                                          },
                                          joints}};
    compete(candidates);
    printNanoseconds("One pose of 65 joints, from joint quaternions, double (aim: 7 ns per joint)",
                     "joint", candidates);
}

void batchOfPoses(const Skeleton& skeleton) {
    Random random(2);
    constexpr std::size_t kPoses = 256;  // fits the second-level cache
    PoseBatch batch(skeleton, kPoses);
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < kPoses; ++i) {
        poses.push_back(randomPose(skeleton, random));
        batch.set(i, poses.back());
    }
    ModelBatch model;
    ModelPose single;
    std::vector<Candidate> candidates = {{"ulna batch, float lanes",
                                          [&] {
                                              computeModelBatch(skeleton, batch, model, 1);
                                              keep(model);
                                          },
                                          kPoses},
                                         {"ulna one by one, double",
                                          [&] {
                                              for (const Pose& pose : poses)
                                                  computeModelPose(skeleton, pose, single);
                                              keep(single);
                                          },
                                          kPoses}};
    compete(candidates);
    printNanoseconds("256 poses of 65 joints (aim: 80 ns per pose)", "pose", candidates);
}

void robotArm() {
    const Skeleton skeleton = arm7();
    const KDL::Chain chain = kdlArm7();
    KDL::ChainFkSolverPos_recursive solver(chain);
    Random random(3);
    DofVector dofs(7);
    KDL::JntArray q(7);
    for (unsigned i = 0; i < 7; ++i) q(i) = dofs[i] = random.between(-1.5, 1.5);
    Pose pose = restPose(skeleton);
    ModelPose model;
    KDL::Frame frame;
    const auto ours = [&] {
        applyDofs(skeleton, dofs, pose);
        computeModelPose(skeleton, pose, model);
        keep(model.model_from_joint[6]);
    };
    const auto theirs = [&] {
        solver.JntToCart(q, frame);
        keep(frame);
    };
    ours();
    theirs();
    const Vec3 flange = model[jointId(6)] * Vec3{0, 0, kArmFlange};
    const Vec3 kdl{frame.p.x(), frame.p.y(), frame.p.z()};
    std::vector<Candidate> candidates = {{"ulna, all joints", ours, 1.0},
                                         {"Orocos KDL, end effector only", theirs, 1.0}};
    compete(candidates);
    printNanoseconds("7-DoF arm, from angles, double", "solve", candidates);
    std::printf("  the two agree to %.1e m\n", distance(flange, kdl));
    if (distance(flange, kdl) > 1e-12) std::abort();
}

}  // namespace

void benchKinematics() {
    const Skeleton skeleton = humanoid65();
    onePose(skeleton);
    batchOfPoses(skeleton);
    robotArm();
}

}  // namespace ulna::bench
