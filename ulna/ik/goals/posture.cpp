// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/posture.h"

#include <algorithm>

#include "ulna/ik/detail/goal_rules.h"
#include "ulna/ik/detail/posture.h"
#include "ulna/skeleton/jacobian.h"

namespace ulna::ik::detail {

namespace {

bool rotatesFreely(const Skeleton& skeleton, JointId joint) {
    const JointKind kind = skeleton.kind(joint);
    return !skeleton.planar() && (kind == JointKind::Ball || kind == JointKind::Free);
}

// Where a ball's three values begin among the joint's own.
std::size_t firstAngle(const Skeleton& skeleton, JointId joint) {
    return skeleton.kind(joint) == JointKind::Free ? 3 : 0;
}

Vec3 angles(const double* values) {
    return {values[0], values[1], values[2]};
}

}  // namespace

PostureRest preparePosture(const Skeleton& skeleton, JointId joint, const double* rest) {
    PostureRest out;
    std::copy_n(rest, skeleton.dofCount(joint), out.values.begin());
    if (rotatesFreely(skeleton, joint))
        out.rotation =
            computeBallRotation(skeleton.joint(joint), angles(rest + firstAngle(skeleton, joint)));
    return out;
}

void evaluatePosture(const Skeleton& skeleton, JointId joint, const double* dofs,
                     const PostureRest& rest, double* out, double* gradient) {
    const std::size_t count = skeleton.dofCount(joint);
    for (std::size_t i = 0; i < count; ++i) out[i] = dofs[i] - rest.values[i];
    if (gradient != nullptr) std::copy_n(out, count, gradient);
    if (!rotatesFreely(skeleton, joint)) return;
    const std::size_t first = firstAngle(skeleton, joint);
    const JointDef& def = skeleton.joint(joint);
    const Quat now = computeBallRotation(def, angles(dofs + first));
    const Vec3 off = quatLog(conjugate(rest.rotation) * now);
    for (std::size_t k = 0; k < 3; ++k) out[first + k] = off[k];
    if (gradient == nullptr) return;
    // Rotating on by a small rotation vector d in the joint's own frame changes half the squared
    // length of the logarithm by off . d, because the logarithm is its own eigenvector.
    const std::array<Vec3, 3> axes = ballAxes(def, angles(dofs + first));
    const Quat back = conjugate(now);
    for (std::size_t k = 0; k < 3; ++k) gradient[first + k] = dot(off, rotate(back, axes[k]));
}

template <>
struct GoalRules<PostureGoal> : GoalDefaults {
    static constexpr std::string_view kName = "posture";
    static constexpr bool kErrorIsAngle = true;
    static constexpr bool kCanPin = true;
    static constexpr std::string_view kMeasured = "";

    static std::array<JointId*, 0> joints(const PostureGoal&) { return {}; }
    static std::vector<GoalMember> members(PostureGoal& goal) {
        return {{"joints", GoalJointList{&goal.joints}}};
    }
    static void pin(const ModelPose&, std::span<const double> dofs, PostureGoal& goal) {
        if (!dofs.empty()) goal.rest.assign(dofs.begin(), dofs.end());
    }
    static std::monostate measure(const PostureGoal&, std::span<const BodyFrame>) { return {}; }
    static std::string_view fault(const Skeleton& skeleton, const PostureGoal& goal) {
        if (!goal.rest.empty() && goal.rest.size() != skeleton.dofCount())
            return "the rest pose needs one number per degree of freedom";
        for (const double x : goal.rest) {
            if (!std::isfinite(x)) return kNotFinite;
        }
        for (const JointId j : goal.joints) {
            if (index(j) >= skeleton.jointCount()) return "a joint does not exist";
        }
        return "";
    }
    static void evaluate(const PostureGoal&, std::span<const BodyFrame>, bool, GoalRows& rows) {
        rows = {};
    }
};

template struct GoalInterface<PostureGoal>;

}  // namespace ulna::ik::detail
