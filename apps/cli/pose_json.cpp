// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/pose_json.h"

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {

std::vector<Quat> printedOrientations(const Skeleton& skeleton, const Pose& pose) {
    std::vector<Quat> out = computeOrientations(skeleton, pose);
    for (Quat& q : out) {
        if (q.w < 0.0) q = -q;
    }
    return out;
}

void writePose(const Skeleton& skeleton, const Pose& pose, JsonWriter& json) {
    const ModelPose model = computeModelPose(skeleton, pose);
    json.beginArray("positions");
    for (const JointId j : skeleton.joints()) json.value(model.position(j));
    json.endArray().member("rotations", printedOrientations(skeleton, pose));
}

}  // namespace ulna::cli
