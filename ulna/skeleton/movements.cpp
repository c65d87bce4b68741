// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/movements.h"

#include <array>
#include <cmath>

#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/up_axis.h"

namespace ulna {
namespace {

struct Body {
    Vec3 left, up;
};

Body bodyOf(const Skeleton& skeleton) {
    const Vec3 up = upVector(guessUpAxis(skeleton));
    if (skeleton.planar()) return {{0, 0, 1}, {0, 1, 0}};
    const Result<BodyRoles> roles = findBodyRoles(skeleton, restPose(skeleton));
    if (!roles) return {{1, 0, 0}, up};
    const Mat3& axes = roles->model_from_body;
    return {axes * Vec3{1, 0, 0}, axes * Vec3{0, 1, 0}};
}

// The axes of a joint's rotations in its own frame at rest, in the order of its coordinates.
std::vector<Vec3> rotationAxes(const JointDef& joint, bool planar) {
    std::vector<Vec3> out;
    const auto add_ball = [&] {
        const bool vector = joint.coordinates == BallCoordinates::RotationVector;
        for (const int axis : vector ? std::array<int, 3>{0, 1, 2} : eulerAxes(joint.order))
            out.push_back(unitAxis<double>(axis));
    };
    if (joint.kind == JointKind::Hinge || joint.kind == JointKind::Universal)
        out.push_back(joint.axes[0]);
    if (joint.kind == JointKind::Universal) out.push_back(joint.axes[1]);
    if (joint.kind == JointKind::Ball) add_ball();
    if (joint.kind == JointKind::Free && planar) out.push_back({0, 0, 1});
    if (joint.kind == JointKind::Free && !planar) add_ball();
    return out;
}

// The axes of bending, of going to the side and of twisting; unit vectors at right angles.
std::array<Vec3, 3> movementAxes(const Body& body, const Vec3& bone) {
    // Arms that are held out lie along the axis that the rest of the body bends about: they bend
    // forwards, about the vertical.
    constexpr double kAlong = 0.7;
    const Vec3 about = std::abs(dot(bone, body.left)) > kAlong ? body.up : body.left;
    const Vec3 bend = normalizedOr(about - bone * dot(about, bone), anyPerpendicular(bone));
    return {bend, cross(bone, bend), bone};
}

// Each rotation gets the movement whose axis is nearest to its own, the surest first.
void assign(std::vector<Vec3> own, const std::array<Vec3, 3>& axes, Movement* out) {
    constexpr std::array kWords = {Movement::Bend, Movement::Side, Movement::Twist};
    constexpr double kSameAxis = 0.999;
    std::array<bool, 3> taken = {};
    std::vector<bool> done(own.size(), false);
    for (std::size_t round = 0; round < own.size(); ++round) {
        std::size_t best = own.size(), word = 0;
        double most = -1.0;
        for (std::size_t i = 0; i < own.size(); ++i) {
            for (std::size_t w = 0; w < axes.size(); ++w) {
                const double along = std::abs(dot(own[i], axes[w]));
                if (!done[i] && !taken[w] && along > most) {
                    best = i;
                    word = w;
                    most = along;
                }
            }
        }
        done[best] = taken[word] = true;
        out[best] = kWords[word];
        // Orders such as zxz have an axis twice.
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (done[i] || std::abs(dot(own[i], own[best])) < kSameAxis) continue;
            done[i] = true;
            out[i] = kWords[word];
            ++round;
        }
    }
}

}  // namespace

std::vector<Movement> movementsOf(const Skeleton& skeleton) {
    std::vector<Movement> out(skeleton.dofCount(), Movement::Slide);
    const Body body = bodyOf(skeleton);
    const ModelPose model = computeModelPose(skeleton, restPose(skeleton));
    for (const JointId j : skeleton.joints()) {
        const Quat model_from_joint = rotationOf(model[j]);
        std::vector<Vec3> own = rotationAxes(skeleton.joint(j), skeleton.planar());
        if (own.empty()) continue;
        for (Vec3& axis : own) axis = normalizedOr(rotate(model_from_joint, axis), {1, 0, 0});
        const bool root = skeleton.parent(j) == JointId::None;
        const Vec3 bone =
            root ? body.up : normalizedOr(rotate(model_from_joint, skeleton.tip(j)), body.up);
        const std::size_t rotations = own.size();
        const std::size_t first = skeleton.firstDof(j) + skeleton.dofCount(j) - rotations;
        assign(std::move(own), movementAxes(body, bone), out.data() + first);
    }
    return out;
}

}  // namespace ulna
