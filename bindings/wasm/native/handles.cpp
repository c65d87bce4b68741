// SPDX-License-Identifier: Apache-2.0

// Handles: a joint's degrees of freedom and limits as they lie in the model, to be drawn.
#include <cmath>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna::engine {
namespace {

// One degree of freedom of a joint: a turn about `axis`, or a slide along it, in the frame that the
// turns before it leave.
struct Step {
    Vec3 axis;
    bool turns = true;
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
    // A bone within 3 degrees of the axis swings too little to be seen turning.
    constexpr double kSeen = 0.05;
    if (length(flat(pointer)) > kSeen) return normalizedOr(flat(pointer), axis);
    Vec3 best;
    for (int i = 0; i < 3; ++i) {
        const Vec3 candidate = flat(rotate(model_from_joint, unitAxis<double>(i)));
        if (length(candidate) > length(best) + kSeen) best = candidate;
    }
    return normalizedOr(best, anyPerpendicular(axis));
}

void putCone(const ConeLimit& cone, const Quat& model_from_rest, const Quat& turned) {
    const SwingTwist split = splitSwingTwist(turned, cone.axis);
    put(rotate(model_from_rest, cone.axis));
    put(rotate(model_from_rest * turned, cone.axis));
    put(rotationAngle(split.swing));
    put(cone.swing_max);
    put(rotate(model_from_rest * split.swing, anyPerpendicular(cone.axis)));
    put(split.twist_angle);
    put(cone.twist_min);
    put(cone.twist_max);
}

}  // namespace

/// The pose is in the input.
ULNA_EXPORT(void, stageHandles)(std::shared_ptr<StageObject>* handle, JointId joint) {
    StageObject& stage = **handle;
    const Skeleton& skeleton = *stage.skeleton;
    readPose(0, stage.pose);
    stage.enter(stage.pose);
    computeModelPose(skeleton, stage.pose, stage.model);
    const JointDef& def = skeleton.joint(joint);
    const JointId parent = skeleton.parent(joint);
    const Quat model_from_rest =
        (parent == JointId::None ? Quat{} : rotationOf(stage.model[parent])) * def.rest.rotation;
    const Quat turned = conjugate(def.rest.rotation) * stage.pose[joint].rotation;
    const Vec3 pointer = normalizedOr(
        rotate(model_from_rest * turned, scaled(stage.pose[joint].scale, *def.tip)), Vec3{});

    const std::size_t first = skeleton.firstDof(joint);
    std::fill(stage.dofs.begin(), stage.dofs.end(), 0.0);
    computeJointDofs(skeleton, joint, stage.pose[joint], stage.dofs.data() + first);

    clearReply();
    put(stage.model.position(joint));
    Quat frame = model_from_rest;
    const std::vector<Step> steps = stepsOf(def, skeleton.planar());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const double value = stage.dofs[first + i];
        const Vec3 axis = rotate(step.from_rest ? model_from_rest : frame, step.axis);
        const Vec3 now = across(axis, pointer, model_from_rest * turned);
        put(axis);
        put(step.turns ? rotate(quatFromAxisAngle(axis, -value), now) : now);
        put(value);
        if (step.turns && !step.from_rest) frame = frame * quatFromAxisAngle(step.axis, value);
    }
    put(def.cone ? 1.0 : 0.0);
    if (def.cone) putCone(*def.cone, model_from_rest, turned);
}

}  // namespace ulna::engine
