// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/size.h"

#include <algorithm>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {

Box boneBox(const Skeleton& skeleton, const ModelPose& model) {
    Box box;
    for (const JointId j : skeleton.joints()) {
        box.add(model.position(j));
        box.add(model[j] * skeleton.tip(j));
    }
    return box;
}

double largestExtent(const Box& box) {
    const Vec3 size = box.size();
    return std::max({size.x, size.y, size.z});
}

double bodySize(const Skeleton& skeleton) {
    const double size =
        largestExtent(boneBox(skeleton, computeModelPose(skeleton, restPose(skeleton))));
    return size > 0.0 ? size : 1.0;
}

double bodyHeight(const Skeleton& skeleton, UpAxis up) {
    const Box box = boneBox(skeleton, computeModelPose(skeleton, restPose(skeleton)));
    return box.size()[upIndex(up)];
}

}  // namespace ulna
