// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/forward_kinematics.h"

#include "ulna/skeleton/detail/compose_simd.h"

namespace ulna {

ModelPose computeModelPose(const Skeleton& skeleton, const Pose& pose) {
    ModelPose model;
    computeModelPose(skeleton, pose, model);
    return model;
}

void computeModelPose(const Skeleton& skeleton, const Pose& pose, ModelPose& model) {
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    model.model_from_joint.resize(skeleton.jointCount());
    if (!skeleton::detail::composeModelTransformsSimd(skeleton, pose.parent_from_joint,
                                                      model.model_from_joint))
        composeModelTransforms<double>(skeleton, pose.parent_from_joint, model.model_from_joint);
}

Vec3 computeModelPoint(const Skeleton& skeleton, const Pose& pose, JointId joint,
                       const Vec3& joint_point) {
    return computePointInAncestor(skeleton, pose, joint, joint_point, JointId::None);
}

Vec3 computePointInAncestor(const Skeleton& skeleton, const Pose& pose, JointId joint,
                            const Vec3& joint_point, JointId ancestor) {
    Vec3 x = joint_point;
    for (JointId j = joint; j != ancestor; j = skeleton.parent(j)) {
        ULNA_ASSERT(j != JointId::None, "the frame asked for is not above the joint");
        x = pose[j] * x;
    }
    return x;
}

std::vector<Quat> computeOrientations(const Skeleton& skeleton, const Pose& pose) {
    std::vector<Quat> out(skeleton.jointCount());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const JointId parent = skeleton.parents()[i];
        const Quat& own = pose.parent_from_joint[i].rotation;
        out[i] = parent == JointId::None ? own : out[index(parent)] * own;
    }
    return out;
}

std::vector<Quat> computeRotations(const Skeleton& skeleton, std::span<const Quat> orientations) {
    ULNA_ASSERT(orientations.size() == skeleton.jointCount(),
                "one orientation per joint is needed");
    std::vector<Quat> out(orientations.begin(), orientations.end());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const JointId parent = skeleton.parents()[i];
        if (parent != JointId::None) {
            out[i] = conjugate(orientations[index(parent)]) * orientations[i];
        }
    }
    return out;
}

Quat relativeRotation(std::span<const Quat> orientations, JointId from, JointId to) {
    return conjugate(orientations[index(from)]) * orientations[index(to)];
}

std::vector<Affine> computePosedFromRest(const Skeleton& skeleton, const ModelPose& model) {
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    std::vector<Affine> out;
    out.reserve(skeleton.jointCount());
    for (const JointId j : skeleton.joints()) {
        out.push_back(model.model_from_joint[index(j)] * inverse(rest.model_from_joint[index(j)]));
    }
    return out;
}

}  // namespace ulna
