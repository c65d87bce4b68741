// SPDX-License-Identifier: Apache-2.0

// After the spread of twist in Jacobson and Sorkine, "Stretchable and twistable bones for skeletal
// shape deformation", 2011, with the distance along the bone as their endpoint weight.
#include "ulna/skin/detail/twist_frames.h"

#include <algorithm>
#include <cmath>

#include "ulna/core/assert.h"
#include "ulna/skin/detail/points.h"

namespace ulna::skin::detail {
namespace {

// Segments of a bone. Between two frames of a twist by 90 degrees, linear blend narrows a limb by
// 1 - cos(90 / 2 / 4 degrees): two per cent.
constexpr std::size_t kSegments = 4;
constexpr std::size_t kFrames = kSegments + 1;

Quat between(const Affine& a, const Affine& b) {
    return conjugate(rotationOf(a)) * rotationOf(b);
}

double twistAbout(const Vec3& axis, const Quat& q) {
    const double angle = 2.0 * std::atan2(dot(q.vector(), axis), q.w);
    return angle - 2.0 * kPi * std::round(angle / (2.0 * kPi));
}

}  // namespace

TwistFrames::TwistFrames(const Skeleton& skeleton, std::span<const Affine> joint_from_bind,
                         std::span<const TwistBone> bones)
    : joints_(skeleton.jointCount()) {
    std::vector<bool> taken(joints_, false);
    for (const TwistBone& given : bones) {
        ULNA_ASSERT(index(given.start) < joints_ && index(given.end) < joints_,
                    "a twist bone needs two joints of the skeleton");
        ULNA_ASSERT(skeleton.isAncestor(given.start, given.end),
                    "the end of a twist bone is below its start");
        ULNA_ASSERT(!taken[index(given.start)], "two twist bones start at one joint");
        taken[index(given.start)] = true;
        const JointId parent = skeleton.parent(given.start);
        Bone bone;
        bone.start = index(given.start);
        bone.end = index(given.end);
        bone.parent = parent == JointId::None ? bone.start : index(parent);
        bone.at_start = given.at_start && parent != JointId::None;
        bone.at_end = given.at_end;
        bone.start_from_bind = joint_from_bind[bone.start];
        const Affine bind_from_start = inverse(bone.start_from_bind);
        const Affine bind_from_end = inverse(joint_from_bind[bone.end]);
        const Vec3 along = bone.start_from_bind * bind_from_end.translation();
        bone.length = length(along);
        if (!(bone.length > 0.0)) continue;
        bone.axis = along / bone.length;
        bone.parent_from_start = between(inverse(joint_from_bind[bone.parent]), bind_from_start);
        bone.start_from_end = between(bind_from_start, bind_from_end);
        bones_.push_back(bone);
    }
}

SkinWeights TwistFrames::spread(const Mesh& mesh) const {
    std::vector<std::size_t> bone_of(joints_, bones_.size());
    for (std::size_t i = 0; i < bones_.size(); ++i) bone_of[bones_[i].start] = i;
    SkinWeights out;
    std::vector<Influence> row;
    for (std::size_t v = 0; v < mesh.weights.rowCount(); ++v) {
        row.clear();
        for (const Influence& influence : mesh.weights[v]) {
            const std::size_t i = bone_of[index(influence.joint)];
            if (i == bones_.size()) {
                row.push_back(influence);
                continue;
            }
            const Bone& bone = bones_[i];
            const double along =
                dot(bone.start_from_bind * widened(mesh.positions[v]), bone.axis) / bone.length;
            const double at = std::clamp(along, 0.0, 1.0) * kSegments;
            const std::size_t frame = std::min(static_cast<std::size_t>(at), kSegments - 1);
            const auto far = static_cast<float>(at - static_cast<double>(frame));
            const std::size_t first = joints_ + i * kFrames + frame;
            if (far < 1.0f) row.push_back({jointId(first), influence.weight * (1.0f - far)});
            if (far > 0.0f) row.push_back({jointId(first + 1), influence.weight * far});
        }
        std::stable_sort(row.begin(), row.end(), [](const Influence& a, const Influence& b) {
            return a.weight > b.weight;
        });
        out.addRow(row);
    }
    return out;
}

std::vector<Affine> TwistFrames::withFrames(std::vector<Affine> joint_from_bind) const {
    for (const Bone& bone : bones_)
        joint_from_bind.insert(joint_from_bind.end(), kFrames, bone.start_from_bind);
    return joint_from_bind;
}

void TwistFrames::addFrames(std::span<const Affine> model_from_joint,
                            std::vector<Affine>& out) const {
    out.assign(model_from_joint.begin(), model_from_joint.end());
    for (const Bone& bone : bones_) {
        const Affine& start = model_from_joint[bone.start];
        const double own =
            bone.at_start ? twistAbout(bone.axis, conjugate(bone.parent_from_start) *
                                                      between(model_from_joint[bone.parent], start))
                          : 0.0;
        const double next = bone.at_end
                                ? twistAbout(bone.axis, between(start, model_from_joint[bone.end]) *
                                                            conjugate(bone.start_from_end))
                                : 0.0;
        for (std::size_t k = 0; k < kFrames; ++k) {
            const double along = static_cast<double>(k) / kSegments;
            const Quat rotation = quatFromAxisAngle(bone.axis, along * next - (1.0 - along) * own);
            out.push_back(start * makeAffine(toMatrix(rotation), Vec3{}));
        }
    }
}

}  // namespace ulna::skin::detail
