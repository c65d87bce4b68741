// SPDX-License-Identifier: Apache-2.0

// Skeletons: what there is to know about them, and forward kinematics.
#include <algorithm>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"
#include "ulna/motion/mirror.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::engine {
namespace {

double heightOf(const SkeletonObject& object) {
    const ModelPose rest = computeModelPose(*object.skeleton, restPose(*object.skeleton));
    double low = 0.0, high = 0.0;
    for (std::size_t i = 0; i < rest.model_from_joint.size(); ++i) {
        const double value = rest.position(jointId(i))[object.z_up ? 2 : 1];
        low = i == 0 ? value : std::min(low, value);
        high = i == 0 ? value : std::max(high, value);
    }
    return high - low;
}

void putJoint(const Skeleton& skeleton, JointId j) {
    const JointDef& joint = skeleton.joint(j);
    put(std::string_view(joint.name));
    put(static_cast<double>(skeleton.parent(j)));
    put(jointKindName(joint.kind));
    put(joint.rest.translation);
    put(joint.rest.rotation);
    put(joint.rest.scale);
    for (const Vec3& axis : joint.axes) put(axis);
    put(joint.coordinates == BallCoordinates::RotationVector ? std::string_view("rotation-vector")
                                                             : eulerOrderName(joint.order));
    put(*joint.tip);
    put(joint.radius);
    put(joint.end_site ? 1.0 : 0.0);
    put(joint.locked ? 1.0 : 0.0);
    put(joint.stiffness);
    put(static_cast<double>(skeleton.firstDof(j)));
    put(static_cast<double>(skeleton.dofCount(j)));
    put(joint.cone ? 1.0 : 0.0);
    const ConeLimit cone = joint.cone.value_or(ConeLimit{});
    put(cone.axis);
    put(cone.swing_max);
    put(cone.twist_min);
    put(cone.twist_max);
}

void putDof(const Skeleton& skeleton, std::size_t dof) {
    put(std::string_view(skeleton.dofName(dof)));
    put(static_cast<double>(skeleton.jointOfDof(dof)));
    put(skeleton.isAngle(dof) ? 1.0 : 0.0);
    put(skeleton.dofLimits()[dof].min);
    put(skeleton.dofLimits()[dof].max);
}

}  // namespace

SkeletonObject* makeObject(Skeleton skeleton, bool z_up) {
    auto* object = new SkeletonObject{std::make_shared<const Skeleton>(std::move(skeleton)), z_up};
    object->pose = restPose(*object->skeleton);
    object->other_pose = object->pose;
    return object;
}

ULNA_EXPORT(void, skeletonFree)(SkeletonObject* object) {
    delete object;
}

ULNA_EXPORT(void, skeletonDescribe)(const SkeletonObject* object) {
    const Skeleton& skeleton = *object->skeleton;
    clearReply();
    put(static_cast<double>(skeleton.jointCount()));
    put(static_cast<double>(skeleton.dofCount()));
    put(skeleton.planar() ? 1.0 : 0.0);
    put(object->z_up ? 1.0 : 0.0);
    put(heightOf(*object));
    for (const JointId j : skeleton.joints()) putJoint(skeleton, j);
    for (std::size_t i = 0; i < skeleton.dofCount(); ++i) putDof(skeleton, i);
}

ULNA_EXPORT(void, skeletonRest)(const SkeletonObject* object) {
    writePose(restPose(*object->skeleton), 0);
}

ULNA_EXPORT(const Affine*, skeletonMatrices)(SkeletonObject* object) {
    readPose(0, object->pose);
    computeModelPose(*object->skeleton, object->pose, object->model);
    return object->model.model_from_joint.data();
}

ULNA_EXPORT(void, skeletonOrientations)(SkeletonObject* object) {
    readPose(0, object->pose);
    const std::vector<Quat> all = computeOrientations(*object->skeleton, object->pose);
    clearReply();
    putArray(all);
}

/// Behind the pose: the axis in model space, and the angle.
ULNA_EXPORT(void, skeletonTurn)(SkeletonObject* object, JointId joint) {
    readPose(0, object->pose);
    Reader in(object->pose.parent_from_joint.size() * kPoseStride);
    const Vec3 axis = normalizedOr(in.vec3(), Vec3{0, 0, 1});
    const double angle = in.number();
    const JointId parent = object->skeleton->parent(joint);
    computeModelPose(*object->skeleton, object->pose, object->model);
    const Quat model_from_parent =
        parent == JointId::None ? Quat{} : rotationOf(object->model[parent]);
    Trs& t = object->pose[joint];
    const Vec3 parent_axis = rotate(conjugate(model_from_parent), axis);
    t.rotation = normalized(quatFromAxisAngle(parent_axis, angle) * t.rotation);
    writePose(object->pose, 0);
}

/// Behind the pose: the angles to be near to; they are replaced by those found.
ULNA_EXPORT(void, skeletonEuler)(SkeletonObject* object, JointId joint, int order) {
    readPose(0, object->pose);
    const std::size_t after = object->pose.parent_from_joint.size() * kPoseStride;
    const Vec3 near = Reader(after).vec3();
    const Quat beyond_rest =
        conjugate(object->skeleton->rest(joint).rotation) * object->pose[joint].rotation;
    const Vec3 angles = eulerFromQuat(static_cast<EulerOrder>(order), beyond_rest, near);
    double* out = inputNumbers(after + 3) + after;
    for (std::size_t i = 0; i < 3; ++i) out[i] = angles[i];
}

ULNA_EXPORT(void, skeletonSetEuler)(SkeletonObject* object, JointId joint, int order) {
    readPose(0, object->pose);
    const Vec3 angles = Reader(object->pose.parent_from_joint.size() * kPoseStride).vec3();
    object->pose[joint].rotation = object->skeleton->rest(joint).rotation *
                                   quatFromEuler(static_cast<EulerOrder>(order), angles);
    writePose(object->pose, 0);
}

ULNA_EXPORT(bool, skeletonMirror)(SkeletonObject* object) {
    const Result<MirrorPairs> pairs = findMirrorPairs(*object->skeleton);
    if (!pairs) {
        fail(pairs.error());
        return false;
    }
    readPose(0, object->pose);
    writePose(mirrored(*object->skeleton, *pairs, object->pose), 0);
    return true;
}

/// Two poses, then the share of the second; the answer is where the first was.
ULNA_EXPORT(void, skeletonBlend)(SkeletonObject* object) {
    const std::size_t size = object->pose.parent_from_joint.size() * kPoseStride;
    readPose(0, object->pose);
    readPose(size, object->other_pose);
    const double amount = Reader(2 * size).number();
    for (std::size_t i = 0; i < object->pose.parent_from_joint.size(); ++i) {
        Trs& a = object->pose.parent_from_joint[i];
        const Trs& b = object->other_pose.parent_from_joint[i];
        a = {lerp(a.translation, b.translation, amount), lerp(a.scale, b.scale, amount),
             slerp(a.rotation, b.rotation, amount)};
    }
    writePose(object->pose, 0);
}

}  // namespace ulna::engine
