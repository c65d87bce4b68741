// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "ulna/math/random.h"
#include "ulna/skeleton/batch.h"
#include "ulna/skeleton/forward_kinematics.h"

int main() {
    using namespace ulna;
    // 1. A chain of 20 balls, each 5 cm on from the last.
    std::vector<JointDef> joints;
    for (int i = 0; i < 20; ++i) {
        JointDef joint{.name = "j" + std::to_string(i),
                       .parent = i == 0 ? "" : "j" + std::to_string(i - 1)};
        joint.rest.translation = {0, i == 0 ? 0.0 : 0.05, 0};
        joints.push_back(joint);
    }
    const Result<Skeleton> skeleton = makeSkeleton(joints);
    if (!skeleton) return 1;

    // 2. A thousand poses, packed for the vector unit.
    constexpr std::size_t kCount = 1000;
    Random random(7);
    PoseBatch batch(*skeleton, kCount);
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < kCount; ++i) {
        Pose pose = restPose(*skeleton);
        for (Trs& t : pose.parent_from_joint) t.rotation = random.rotation();
        batch.set(i, pose);
        poses.push_back(pose);
    }

    // 3. All of them at once, on all cores; 4. the same as one by one, to float's precision.
    ModelBatch model;
    computeModelBatch(*skeleton, batch, model);
    double largest = 0.0;
    for (std::size_t i = 0; i < kCount; ++i) {
        const ModelPose exact = computeModelPose(*skeleton, poses[i]);
        for (std::size_t j = 0; j < skeleton->jointCount(); ++j) {
            const Vec3f p = model.position(i, jointId(j));
            largest = std::max(largest, distance(Vec3{p.x, p.y, p.z}, exact.position(jointId(j))));
        }
    }
    std::printf("%zu poses, largest difference from double: %.1e\n", model.count(), largest);
    return 0;
}
