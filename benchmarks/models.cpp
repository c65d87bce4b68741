// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/models.h"

#include <cstdlib>

namespace ulna::bench {
Skeleton build(std::vector<JointDef> joints) {
    Result<Skeleton> made = makeSkeleton(std::move(joints));
    if (!made) std::abort();
    return *std::move(made);
}

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
        joint.limits[0] = {kArm[i].low, kArm[i].high};
        if (i == 6) joint.tip = Vec3{0, 0, kArmFlange};
        joints.push_back(std::move(joint));
    }
    return build(std::move(joints));
}

Skeleton humanoid65() {
    std::vector<JointDef> joints;
    const auto add = [&](const std::string& name, const std::string& parent, const Vec3& offset) {
        JointDef joint;
        joint.name = name;
        joint.parent = parent;
        joint.kind = parent.empty() ? JointKind::Free : JointKind::Ball;
        joint.order = EulerOrder::Zyx;
        joint.rest.translation = offset;
        joints.push_back(std::move(joint));
    };
    add("Hips", "", {0, 1, 0});
    add("Spine", "Hips", {0, 0.10, 0});
    add("Spine1", "Spine", {0, 0.12, 0});
    add("Spine2", "Spine1", {0, 0.13, 0});
    add("Neck", "Spine2", {0, 0.15, 0});
    add("Head", "Neck", {0, 0.10, 0});
    add("HeadTop", "Head", {0, 0.18, 0});
    struct Finger {
        const char* name;
        double x, z, slope;
    };
    constexpr Finger kFingers[] = {{"Thumb", 0.03, 0.03, 0.02},
                                   {"Index", 0.09, 0.03, 0},
                                   {"Middle", 0.095, 0.01, 0},
                                   {"Ring", 0.09, -0.01, 0},
                                   {"Pinky", 0.08, -0.03, 0}};
    constexpr double kBones[] = {0.025, 0.02, 0.015};
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "Left" : "Right";
        add(s + "Shoulder", "Spine2", {side * 0.06, 0.1, 0});
        add(s + "Arm", s + "Shoulder", {side * 0.13, 0, 0});
        add(s + "ForeArm", s + "Arm", {side * 0.28, 0, 0});
        add(s + "Hand", s + "ForeArm", {side * 0.26, 0, 0});
        for (const Finger& finger : kFingers) {
            const std::string name = s + "Hand" + finger.name;
            add(name + "1", s + "Hand", {side * finger.x, 0, finger.z});
            for (int bone = 0; bone < 3; ++bone) {
                add(name + std::to_string(bone + 2), name + std::to_string(bone + 1),
                    {side * kBones[bone], 0, finger.slope});
            }
        }
    }
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "Left" : "Right";
        add(s + "UpLeg", "Hips", {side * 0.09, -0.06, 0});
        add(s + "Leg", s + "UpLeg", {0, -0.43, 0});
        add(s + "Foot", s + "Leg", {0, -0.43, 0});
        add(s + "ToeBase", s + "Foot", {0, -0.06, 0.13});
        add(s + "ToeEnd", s + "ToeBase", {0, 0, 0.07});
    }
    return build(std::move(joints));
}

Skeleton humanoid69() {
    std::vector<JointDef> joints;
    const auto add = [&](const std::string& name, const std::string& parent, const Vec3& offset) {
        JointDef joint;
        joint.name = name;
        joint.parent = parent;
        joint.kind = parent.empty() ? JointKind::Free : JointKind::Ball;
        joint.order = EulerOrder::Xyz;
        joint.rest.translation = offset;
        if (parent.empty()) {
            for (std::size_t i = 0; i < 3; ++i) joint.limits[i] = {-2, 2};
            for (std::size_t i = 3; i < 6; ++i) joint.limits[i] = {-kPi, kPi};
        } else {
            for (std::size_t i = 0; i < 3; ++i) joint.limits[i] = {-1.2, 1.2};
        }
        joints.push_back(std::move(joint));
    };
    add("Hips", "", {});
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "Left" : "Right";
        add(s + "UpLeg", "Hips", {side * 0.09, -0.08, 0});
        add(s + "Leg", s + "UpLeg", {side * 0.03, -0.39, 0});
        add(s + "Foot", s + "Leg", {side * -0.01, -0.40, -0.03});
        add(s + "Toe", s + "Foot", {side * 0.03, -0.06, 0.12});
    }
    add("Spine", "Hips", {0, 0.12, -0.03});
    add("Spine1", "Spine", {0, 0.14, 0.02});
    add("Spine2", "Spine1", {0, 0.05, 0});
    add("Neck", "Spine2", {0, 0.21, -0.03});
    add("Head", "Neck", {0, 0.09, 0.05});
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "Left" : "Right";
        add(s + "Shoulder", "Spine2", {side * 0.08, 0.12, -0.02});
        add(s + "Arm", s + "Shoulder", {side * 0.11, 0.04, -0.01});
        add(s + "ForeArm", s + "Arm", {side * 0.26, -0.01, -0.02});
        add(s + "Hand", s + "ForeArm", {side * 0.25, 0.01, 0});
    }
    return build(std::move(joints));
}

Skeleton ballChain(int bones) {
    std::vector<JointDef> joints;
    for (int i = 0; i <= bones; ++i) {
        JointDef joint;
        joint.name = i == bones ? "End" : "B" + std::to_string(i);
        joint.parent = i == 0 ? "" : "B" + std::to_string(i - 1);
        joint.kind = i == bones ? JointKind::Fixed : JointKind::Ball;
        if (i > 0) joint.rest.translation = {0, 1.0 / bones, 0};
        joints.push_back(std::move(joint));
    }
    return build(std::move(joints));
}

}  // namespace ulna::bench
