// SPDX-License-Identifier: Apache-2.0

// Forward kinematics: one pose in double, batches in float, and a robot arm beside Orocos KDL.
#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "benchmarks/harness.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/batch.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::bench {
namespace {

Skeleton build(std::vector<JointDef> joints) {
    Result<Skeleton> made = makeSkeleton(std::move(joints));
    if (!made) std::abort();
    return *std::move(made);
}

// A T-pose of 65 joints: spine, arms with five fingers of four joints, legs.
Skeleton humanoid65() {
    std::vector<JointDef> joints;
    const auto add = [&](const std::string& name, const std::string& parent, const Vec3& offset) {
        JointDef joint;
        joint.name = name;
        joint.parent = parent;
        joint.kind = parent.empty() ? JointKind::Free : JointKind::Ball;
        joint.rest.translation = offset;
        joints.push_back(std::move(joint));
    };
    add("Hips", "", {0, 1, 0});
    std::string last = "Hips";
    for (const char* name : {"Spine", "Spine1", "Spine2", "Neck", "Head", "HeadTop"}) {
        add(name, last, {0, 0.12, 0});
        last = name;
    }
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "Left" : "Right";
        add(s + "Shoulder", "Spine2", {side * 0.06, 0.1, 0});
        add(s + "Arm", s + "Shoulder", {side * 0.13, 0, 0});
        add(s + "ForeArm", s + "Arm", {side * 0.28, 0, 0});
        add(s + "Hand", s + "ForeArm", {side * 0.26, 0, 0});
        for (int finger = 0; finger < 5; ++finger) {
            std::string parent = s + "Hand";
            for (int bone = 1; bone <= 4; ++bone) {
                const std::string name =
                    s + "Finger" + std::to_string(finger) + std::to_string(bone);
                add(name, parent,
                    {side * (bone == 1 ? 0.09 : 0.025), 0, bone == 1 ? 0.03 - 0.02 * finger : 0.0});
                parent = name;
            }
        }
    }
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "Left" : "Right";
        add(s + "UpLeg", "Hips", {side * 0.09, -0.06, 0});
        add(s + "Leg", s + "UpLeg", {0, -0.42, 0});
        add(s + "Foot", s + "Leg", {0, -0.42, 0});
        add(s + "Toe", s + "Foot", {0, -0.06, 0.12});
        add(s + "ToeEnd", s + "Toe", {0, 0, 0.06});
    }
    return build(std::move(joints));
}

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

// The Franka arm by its published modified Denavit-Hartenberg parameters.
struct ArmLink {
    double a, d, alpha;
};
constexpr double kRight = kPi / 2;
constexpr ArmLink kArm[7] = {{0, 0.333, 0},       {0, 0, -kRight},           {0, 0.316, kRight},
                             {0.0825, 0, kRight}, {-0.0825, 0.384, -kRight}, {0, 0, kRight},
                             {0.088, 0, kRight}};
constexpr double kFlange = 0.107;

Skeleton arm7() {
    std::vector<JointDef> joints;
    for (std::size_t i = 0; i < 7; ++i) {
        JointDef joint;
        joint.name = "A" + std::to_string(i);
        joint.parent = i == 0 ? "" : "A" + std::to_string(i - 1);
        joint.kind = JointKind::Hinge;
        joint.axes[0] = {0, 0, 1};
        joint.rest.rotation = quatAboutAxis(0, kArm[i].alpha);
        joint.rest.translation =
            Vec3{kArm[i].a, 0, 0} + rotate(joint.rest.rotation, Vec3{0, 0, kArm[i].d});
        joints.push_back(std::move(joint));
    }
    return build(std::move(joints));
}

KDL::Chain kdlArm() {
    KDL::Chain chain;
    // A segment's tip frame is the next joint's: KDL turns first and moves then.
    KDL::Frame start = KDL::Frame::DH_Craig1989(kArm[0].a, kArm[0].alpha, kArm[0].d, 0);
    chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::None), start));
    for (std::size_t i = 0; i < 7; ++i) {
        const KDL::Frame next =
            i + 1 < 7 ? KDL::Frame::DH_Craig1989(kArm[i + 1].a, kArm[i + 1].alpha, kArm[i + 1].d, 0)
                      : KDL::Frame(KDL::Vector(0, 0, kFlange));
        chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::RotZ), next));
    }
    return chain;
}

void robotArm() {
    const Skeleton skeleton = arm7();
    const KDL::Chain chain = kdlArm();
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
    const Vec3 flange = model[jointId(6)] * Vec3{0, 0, kFlange};
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
