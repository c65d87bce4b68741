// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/handles.h"

#include <array>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// One degree of freedom of a joint: a rotation about `axis`, or a slide along it, in the frame that
// the rotations before it leave.
struct Step {
    Vec3 axis;
    bool rotates = true;
    bool from_rest = false;  ///< the axis is fixed in the rest frame, not carried by other steps
};

std::vector<Step> stepsOf(const JointDef& joint, bool planar) {
    std::vector<Step> out;
    const auto slide = [&](const Vec3& axis) { out.push_back({axis, false, true}); };
    const auto addBall = [&] {
        const bool vector = joint.coordinates == BallCoordinates::RotationVector;
        const std::array<int, 3> axes =
            vector ? std::array<int, 3>{0, 1, 2} : eulerAxes(joint.order);
        for (const int axis : axes) out.push_back({unitAxis<double>(axis), true, vector});
    };
    switch (joint.kind) {
        case JointKind::Fixed:
            break;
        case JointKind::Hinge:
            out.push_back({joint.axes[0]});
            break;
        case JointKind::Universal:
            out.push_back({joint.axes[0]});
            out.push_back({joint.axes[1]});
            break;
        case JointKind::Ball:
            addBall();
            break;
        case JointKind::Free:
            for (int axis = 0; axis < (planar ? 2 : 3); ++axis) slide(unitAxis<double>(axis));
            if (planar) {
                out.push_back({{0, 0, 1}});
            } else {
                addBall();
            }
            break;
        case JointKind::Prismatic:
            slide(joint.axes[0]);
            break;
    }
    return out;
}

// `pointer` made perpendicular to `axis`, or where it lies along it, one of the joint's own axes.
Vec3 across(const Vec3& axis, const Vec3& pointer, const Quat& model_from_joint) {
    const auto flat = [&](const Vec3& v) { return v - axis * dot(v, axis); };
    // A bone within 3 degrees of the axis swings too little to be seen rotating.
    constexpr double kSeen = 0.05;
    if (length(flat(pointer)) > kSeen) return normalizedOr(flat(pointer), axis);
    Vec3 best;
    for (int i = 0; i < 3; ++i) {
        const Vec3 candidate = flat(rotate(model_from_joint, unitAxis<double>(i)));
        if (length(candidate) > length(best) + kSeen) best = candidate;
    }
    return normalizedOr(best, anyPerpendicular(axis));
}

ConeHandle coneHandle(const ConeLimit& cone, const Quat& model_from_rest,
                      const Quat& rest_from_joint) {
    const SwingTwist split = splitSwingTwist(rest_from_joint, cone.axis);
    return {.axis = rotate(model_from_rest, cone.axis),
            .pointer = rotate(model_from_rest * rest_from_joint, cone.axis),
            .swing = rotationAngle(split.swing),
            .zero = rotate(model_from_rest * split.swing, anyPerpendicular(cone.axis)),
            .twist = split.twist_angle,
            .limit = cone};
}

}  // namespace

JointHandles makeHandles(const Stage& stage, const Pose& pose, JointId joint) {
    const Skeleton& skeleton = stage.skeleton;
    const Pose staged = stage.toStage(pose);
    const ModelPose model = computeModelPose(skeleton, staged);
    const JointDef& def = skeleton.joint(joint);
    const JointId parent = skeleton.parent(joint);
    const Quat model_from_rest =
        (parent == JointId::None ? Quat{} : rotationOf(model[parent])) * def.rest.rotation;
    const Quat rest_from_joint = conjugate(def.rest.rotation) * staged[joint].rotation;
    const Quat model_from_joint = model_from_rest * rest_from_joint;
    const Vec3 pointer =
        normalizedOr(rotate(model_from_joint, scaled(staged[joint].scale, *def.tip)), Vec3{});

    DofVector dofs(skeleton.dofCount(joint));
    computeJointDofs(skeleton, joint, staged[joint], dofs);
    JointHandles out = {.origin = model.position(joint)};
    Quat frame = model_from_rest;
    const std::vector<Step> steps = stepsOf(def, skeleton.planar());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const std::size_t dof = skeleton.firstDof(joint) + i;
        const Vec3 axis = rotate(step.from_rest ? model_from_rest : frame, step.axis);
        const Vec3 now = across(axis, pointer, model_from_joint);
        out.arcs.push_back(
            {.dof = dof,
             .is_angle = skeleton.isAngle(dof),
             .axis = axis,
             .zero = step.rotates ? rotate(quatFromAxisAngle(axis, -dofs[i]), now) : now,
             .value = dofs[i],
             .limit = skeleton.dofLimits()[dof]});
        if (step.rotates && !step.from_rest) frame = frame * quatFromAxisAngle(step.axis, dofs[i]);
    }
    if (def.cone) out.cone = coneHandle(*def.cone, model_from_rest, rest_from_joint);
    return out;
}

}  // namespace ulna
