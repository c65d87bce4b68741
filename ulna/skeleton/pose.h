// SPDX-License-Identifier: Apache-2.0

// Pose and ModelPose: a skeleton's joints as transforms.
//
// Pose is what files, blending and people hold: parent_from_joint for each joint, rest rotation
// included, with stretch (translation and scale may differ from rest). ModelPose is derived from it
// by forward kinematics (skeleton/forward_kinematics.h) and never stored beside it.
#pragma once

#include <vector>

#include "ulna/skeleton/skeleton.h"

namespace ulna {

struct Pose {
    std::vector<Trs> parent_from_joint;

    [[nodiscard]] Trs& operator[](JointId j) {
        ULNA_ASSERT(index(j) < parent_from_joint.size(), "the pose has no such joint");
        return parent_from_joint[index(j)];
    }
    [[nodiscard]] const Trs& operator[](JointId j) const {
        ULNA_ASSERT(index(j) < parent_from_joint.size(), "the pose has no such joint");
        return parent_from_joint[index(j)];
    }
    friend bool operator==(const Pose&, const Pose&) = default;
};

struct ModelPose {
    std::vector<Affine> model_from_joint;

    [[nodiscard]] const Affine& operator[](JointId j) const {
        ULNA_ASSERT(index(j) < model_from_joint.size(), "the pose has no such joint");
        return model_from_joint[index(j)];
    }
    [[nodiscard]] Vec3 position(JointId j) const { return (*this)[j].translation(); }
};

/// Every joint at rest.
[[nodiscard]] inline Pose restPose(const Skeleton& skeleton) {
    Pose pose;
    pose.parent_from_joint.reserve(skeleton.jointCount());
    for (const JointDef& j : skeleton.definitions()) pose.parent_from_joint.push_back(j.rest);
    return pose;
}

}  // namespace ulna
