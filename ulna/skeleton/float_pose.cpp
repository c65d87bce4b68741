// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/float_pose.h"

#include <algorithm>

#include "ulna/core/assert.h"

namespace ulna {

FloatPose::FloatPose(std::size_t joints) : joints_(joints), data_(kRows * stride(), 0.0f) {
    std::fill_n(row(kRotationRow + 3), stride(), 1.0f);
    std::fill_n(row(kScaleRow), 3 * stride(), 1.0f);
}

FloatPose::FloatPose(const Pose& pose) : FloatPose(pose.parent_from_joint.size()) {
    set(pose);
}

Quatf FloatPose::rotation(JointId joint) const {
    const float* at = row(kRotationRow) + index(joint);
    return {at[0], at[stride()], at[2 * stride()], at[3 * stride()]};
}

void FloatPose::setRotation(JointId joint, const Quatf& q) {
    float* at = row(kRotationRow) + index(joint);
    at[0] = q.x;
    at[stride()] = q.y;
    at[2 * stride()] = q.z;
    at[3 * stride()] = q.w;
}

void FloatPose::set(const Pose& pose) {
    ULNA_ASSERT(pose.parent_from_joint.size() == joints_, "the pose has other joints");
    for (std::size_t i = 0; i < joints_; ++i) {
        const Trs& trs = pose.parent_from_joint[i];
        const Quat q = normalized(trs.rotation);
        setRotation(jointId(i), {static_cast<float>(q.x), static_cast<float>(q.y),
                                 static_cast<float>(q.z), static_cast<float>(q.w)});
        setTranslation(jointId(i), cast<float>(trs.translation));
        setScale(jointId(i), cast<float>(trs.scale));
    }
}

Vec3f FloatPose::vector(std::size_t first_row, JointId joint) const {
    const float* at = row(first_row) + index(joint);
    return {at[0], at[stride()], at[2 * stride()]};
}

void FloatPose::setVector(std::size_t first_row, JointId joint, const Vec3f& v) {
    float* at = row(first_row) + index(joint);
    at[0] = v.x;
    at[stride()] = v.y;
    at[2 * stride()] = v.z;
}

Pose toPose(const FloatPose& pose) {
    Pose out;
    toPose(pose, out);
    return out;
}

void toPose(const FloatPose& pose, Pose& out) {
    out.parent_from_joint.resize(pose.jointCount());
    for (const JointId j : JointRange(0, pose.jointCount())) {
        const Quatf q = pose.rotation(j);
        const Vec3f t = pose.translation(j);
        const Vec3f s = pose.scale(j);
        out.parent_from_joint[index(j)] = {
            {t.x, t.y, t.z}, {s.x, s.y, s.z}, normalized(Quat{q.x, q.y, q.z, q.w})};
    }
}

}  // namespace ulna
