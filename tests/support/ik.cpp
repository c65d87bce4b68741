// SPDX-License-Identifier: Apache-2.0
#include "support/ik.h"

#include <algorithm>
#include <cmath>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {

Skeleton ballChain(int bones) {
    std::vector<JointDef> joints;
    for (int i = 0; i <= bones; ++i) {
        const std::string parent = i == 0 ? "" : "B" + std::to_string(i - 1);
        joints.push_back(joint(i == bones ? "End" : "B" + std::to_string(i), parent,
                               i == bones ? JointKind::Fixed : JointKind::Ball,
                               i == 0 ? Vec3{} : Vec3{0, 1.0 / bones, 0}));
    }
    return build(std::move(joints));
}

Skeleton limitedPerson() {
    std::vector<JointDef> joints;
    const auto add = [&](const std::string& name, const std::string& parent, JointKind kind,
                         Vec3 offset) -> JointDef& {
        joints.push_back(joint(name, parent, kind, offset));
        return joints.back();
    };
    add("Hips", "", JointKind::Free, {0, 1, 0});
    for (const char* name : {"Spine", "Chest"}) {
        JointDef& spine = add(name, joints.back().name, JointKind::Ball, {0, 0.2, 0});
        for (std::size_t i = 0; i < 3; ++i) spine.limits[i] = {-0.5, 0.5};
    }
    JointDef& head = add("Head", "Chest", JointKind::Ball, {0, 0.2, 0});
    head.cone = ConeLimit{{0, 1, 0}, 0.8, -1.0, 1.0};
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "Left" : "Right";
        JointDef& arm = add(s + "Arm", "Chest", JointKind::Ball, {side * 0.2, 0.15, 0});
        arm.cone = ConeLimit{{side, 0, 0}, 1.6, -1.2, 1.2};
        JointDef& elbow = add(s + "Elbow", s + "Arm", JointKind::Hinge, {side * 0.3, 0, 0});
        elbow.axes[0] = {0, side, 0};
        elbow.limits[0] = {-2.5, 0.0};
        add(s + "Hand", s + "Elbow", JointKind::Fixed, {side * 0.25, 0, 0});
        JointDef& hip = add(s + "Leg", "Hips", JointKind::Ball, {side * 0.1, 0, 0});
        hip.order = EulerOrder::Zxy;
        hip.limits = {DofLimit{-0.5, 0.5}, DofLimit{-1.8, 0.6}, DofLimit{-0.6, 0.6}};
        JointDef& knee = add(s + "Knee", s + "Leg", JointKind::Hinge, {0, -0.45, 0});
        knee.limits[0] = {0.0, 2.4};
        add(s + "Foot", s + "Knee", JointKind::Fixed, {0, -0.45, 0});
    }
    return build(std::move(joints));
}

DofVector allowedDofs(const Skeleton& skeleton, Random& random) {
    DofVector dofs(skeleton.dofCount());
    for (std::size_t d = 0; d < dofs.size(); ++d) {
        const DofLimit& limit = skeleton.dofLimits()[d];
        dofs[d] = limit.bounded()
                      ? random.between(std::max(limit.min, -3.0), std::min(limit.max, 3.0))
                      : random.between(-0.5, 0.5);
    }
    clampToLimits(skeleton, dofs);
    return dofs;
}

double errorByFk(const Skeleton& skeleton, std::span<const double> dofs, const PositionGoal& goal) {
    return distance(
        computeModelPoint(skeleton, computePose(skeleton, dofs), goal.joint, goal.point),
        goal.target);
}

double errorByFk(const Skeleton& skeleton, std::span<const double> dofs,
                 const OrientationGoal& goal) {
    const std::vector<Quat> turned = computeOrientations(skeleton, computePose(skeleton, dofs));
    return angleBetween(turned[index(goal.joint)], goal.target);
}

double largestDifference(std::span<const double> a, std::span<const double> b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

IkReport mustSolve(const Skeleton& skeleton, const std::vector<IkGoal>& goals,
                   const IkOptions& options, DofVector& dofs) {
    Result<IkReport> report = solveIk(skeleton, goals, options, dofs);
    if (report) return *report;
    ADD_FAILURE() << describe(report.error());
    return {};
}

IkGoal reachFor(const Skeleton& skeleton, const char* joint, const Vec3& target, int level) {
    return {.kind = PositionGoal{skeleton.find(joint), {}, target}, .level = level};
}

}  // namespace ulna::test
