// SPDX-License-Identifier: Apache-2.0

// Skeletons: what there is to know about them, and forward kinematics.
#include "bindings/wasm/native/protocol.h"
#include "ulna/motion/mirror.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/hands.h"
#include "ulna/skeleton/size.h"

namespace ulna::engine {
namespace {

JointReply describeJoint(const Skeleton& skeleton, JointId j, HandleRank rank) {
    const JointDef& joint = skeleton.joint(j);
    const bool by_vector = joint.coordinates == BallCoordinates::RotationVector;
    return {.name = joint.name,
            .parent = skeleton.parent(j),
            .kind = joint.kind,
            .rest = joint.rest,
            .axes = {joint.axes.begin(), joint.axes.end()},
            .order = by_vector ? "rotation-vector" : std::string(eulerOrderName(joint.order)),
            .tip = *joint.tip,
            .radius = joint.radius,
            .end_site = joint.end_site,
            .locked = joint.locked,
            .stiffness = joint.stiffness,
            .first_dof = skeleton.firstDof(j),
            .dof_count = skeleton.dofCount(j),
            .cone = joint.cone,
            .rank = rank};
}

DofReply describeDof(const Skeleton& skeleton, std::size_t dof, Movement movement) {
    return {.name = std::string(skeleton.dofName(dof)),
            .joint = skeleton.jointOfDof(dof),
            .is_angle = skeleton.isAngle(dof),
            .movement = movement,
            .min = skeleton.dofLimits()[dof].min,
            .max = skeleton.dofLimits()[dof].max};
}

// The level direction that a body faces at rest; of what is no body, that of its file's viewer.
Vec3 facingOf(const Skeleton& skeleton, UpAxis up) {
    const Vec3 usual = up == UpAxis::Z ? Vec3{0, -1, 0} : Vec3{0, 0, 1};
    const Result<BodyRoles> body = findBodyRoles(skeleton, restPose(skeleton));
    if (!body || body->confidence < kSureBody) return usual;
    const Vec3 forward = body->model_from_body * Vec3{0, 0, 1};
    return normalizedOr(forward - upVector(up) * dot(forward, upVector(up)), usual);
}

Result<Hand> handOf(const SkeletonObject& object, BodySide side) {
    return findHand(*object.skeleton, restPose(*object.skeleton), side);
}

// In object.pose. The thumb of a hand with one curl has half of it.
HandState stateOf(const SkeletonObject& object, const Hand& hand) {
    const HandPose how = readHand(*object.skeleton, hand, object.pose);
    HandState out = {.shape = shapeOf(*object.skeleton, hand, object.pose),
                     .spread = how.spread,
                     .oppose = how.oppose};
    double fingers = 0.0;
    for (std::size_t f = 0; f < kFingers; ++f) {
        for (const FingerJoint& each : hand.fingers[f]) out.joints.push_back(each.joint);
        if (hand.fingers[f].empty() || f == static_cast<std::size_t>(Finger::Thumb)) continue;
        out.curl += how.curl[f];
        fingers += 1.0;
    }
    out.curl = fingers > 0.0 ? out.curl / fingers : 2.0 * how.curl[0];
    return out;
}

}  // namespace

SkeletonObject* makeObject(SharedSkeleton skeleton, bool z_up) {
    auto* object = new SkeletonObject{std::move(skeleton), z_up};
    object->pose = restPose(*object->skeleton);
    object->other_pose = object->pose;
    return object;
}

SkeletonReply skeletonDescribe(SkeletonObject& object) {
    const Skeleton& skeleton = *object.skeleton;
    SkeletonReply out = {.planar = skeleton.planar(),
                         .z_up = object.z_up,
                         .height = bodyHeight(skeleton, upOf(object)),
                         .facing = facingOf(skeleton, upOf(object))};
    const std::vector<HandleRank> ranks = handleRanks(skeleton);
    for (const JointId j : skeleton.joints())
        out.joints.push_back(describeJoint(skeleton, j, ranks[index(j)]));
    const std::vector<Movement> movements = movementsOf(skeleton);
    for (std::size_t i = 0; i < skeleton.dofCount(); ++i)
        out.dofs.push_back(describeDof(skeleton, i, movements[i]));
    return out;
}

void skeletonRest(SkeletonObject& object) {
    writePose(restPose(*object.skeleton), 0);
}

const void* skeletonMatrices(SkeletonObject& object) {
    readPose(0, object.pose);
    computeModelPose(*object.skeleton, object.pose, object.model);
    return object.model.model_from_joint.data();
}

void skeletonOrientations(SkeletonObject& object) {
    readPose(0, object.pose);
    const std::vector<Quat> all = computeOrientations(*object.skeleton, object.pose);
    clearReply();
    putArray(all);
}

/// Behind the pose: the axis in model space, and the angle.
void skeletonTurn(SkeletonObject& object, JointId joint) {
    readPose(0, object.pose);
    Reader in(object.pose.parent_from_joint.size() * kPoseStride);
    const Vec3 axis = normalizedOr(in.vec3(), Vec3{0, 0, 1});
    const double angle = in.number();
    const JointId parent = object.skeleton->parent(joint);
    computeModelPose(*object.skeleton, object.pose, object.model);
    const Quat model_from_parent =
        parent == JointId::None ? Quat{} : rotationOf(object.model[parent]);
    Trs& t = object.pose[joint];
    const Vec3 parent_axis = rotate(conjugate(model_from_parent), axis);
    t.rotation = normalized(quatFromAxisAngle(parent_axis, angle) * t.rotation);
    writePose(object.pose, 0);
}

/// Behind the pose: the angles to be near to; they are replaced by those found.
void skeletonEuler(SkeletonObject& object, JointId joint, EulerOrder order) {
    readPose(0, object.pose);
    const std::size_t after = object.pose.parent_from_joint.size() * kPoseStride;
    const Vec3 near = Reader(after).vec3();
    const Quat beyond_rest =
        conjugate(object.skeleton->rest(joint).rotation) * object.pose[joint].rotation;
    const Vec3 angles = eulerFromQuat(order, beyond_rest, near);
    double* out = inputNumbers(after + 3) + after;
    for (std::size_t i = 0; i < 3; ++i) out[i] = angles[i];
}

void skeletonSetEuler(SkeletonObject& object, JointId joint, EulerOrder order) {
    readPose(0, object.pose);
    const Vec3 angles = Reader(object.pose.parent_from_joint.size() * kPoseStride).vec3();
    object.pose[joint].rotation =
        object.skeleton->rest(joint).rotation * quatFromEuler(order, angles);
    writePose(object.pose, 0);
}

bool skeletonMirror(SkeletonObject& object) {
    const Result<MirrorPairs> pairs = findMirrorPairs(*object.skeleton);
    if (!pairs) {
        fail(pairs.error());
        return false;
    }
    readPose(0, object.pose);
    writePose(mirrored(*object.skeleton, *pairs, object.pose), 0);
    return true;
}

/// In the pose in the input: the other arm or leg as the joint's.
bool skeletonMirrorPart(SkeletonObject& object, JointId joint) {
    const Result<MirrorPairs> pairs = findMirrorPairs(*object.skeleton);
    if (!pairs) {
        fail(pairs.error());
        return false;
    }
    readPose(0, object.pose);
    writePose(withPartMirrored(*object.skeleton, *pairs, object.pose, joint), 0);
    return true;
}

/// Of a body without sides it is all that hangs from the joint.
JointsReply skeletonPart(SkeletonObject& object, JointId joint) {
    const Skeleton& skeleton = *object.skeleton;
    const Result<MirrorPairs> pairs = findMirrorPairs(skeleton);
    if (pairs) return {.joints = bodyPartOf(skeleton, *pairs, joint)};
    const JointRange all = skeleton.subtree(joint);
    return {.joints = {all.begin(), all.end()}};
}

/// In the pose in the input.
PoleReply skeletonPole(SkeletonObject& object, JointId joint) {
    readPose(0, object.pose);
    return {.pole = makePole(*object.skeleton, object.pose, joint, upOf(object))};
}

/// Of the pose in the input.
Result<HandState> skeletonHand(SkeletonObject& object, BodySide side) {
    const Result<Hand> hand = handOf(object, side);
    if (!hand) return hand.error();
    readPose(0, object.pose);
    return stateOf(object, *hand);
}

/// In the pose in the input.
Result<HandState> skeletonPoseHand(SkeletonObject& object, BodySide side,
                                   std::optional<HandShape> shape, double curl, double spread,
                                   double oppose) {
    const Result<Hand> hand = handOf(object, side);
    if (!hand) return hand.error();
    readPose(0, object.pose);
    poseHand(*object.skeleton, *hand,
             shape ? handPose(*shape, *hand) : handPose(curl, spread, oppose), object.pose);
    HandState out = stateOf(object, *hand);
    writePose(object.pose, 0);
    return out;
}

/// Two poses, then the share of the second; the answer is where the first was.
void skeletonBlend(SkeletonObject& object) {
    const std::size_t size = object.pose.parent_from_joint.size() * kPoseStride;
    readPose(0, object.pose);
    readPose(size, object.other_pose);
    const double amount = Reader(2 * size).number();
    for (std::size_t i = 0; i < object.pose.parent_from_joint.size(); ++i) {
        Trs& a = object.pose.parent_from_joint[i];
        const Trs& b = object.other_pose.parent_from_joint[i];
        a = {lerp(a.translation, b.translation, amount), lerp(a.scale, b.scale, amount),
             slerp(a.rotation, b.rotation, amount)};
    }
    writePose(object.pose, 0);
}

}  // namespace ulna::engine
