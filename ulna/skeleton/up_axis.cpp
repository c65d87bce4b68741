// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/up_axis.h"

#include "ulna/math/box.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {

UpAxis guessUpAxis(const Skeleton& skeleton) {
    if (skeleton.planar() || skeleton.jointCount() == 0) return UpAxis::Y;
    Box box;
    for (const Affine& a : computeModelPose(skeleton, restPose(skeleton)).model_from_joint)
        box.add(a.translation());
    constexpr double kClearly = 1.2;  // a T-pose may be as deep as it is tall by chance
    return box.size().z > box.size().y * kClearly ? UpAxis::Z : UpAxis::Y;
}

}  // namespace ulna
