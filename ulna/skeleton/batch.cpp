// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/batch.h"

#include <algorithm>
#include <utility>

#include "ulna/core/parallel.h"
#include "ulna/skeleton/detail/batch_simd.h"

namespace ulna {
namespace {

static_assert(kBatchLanes == skeleton::detail::kBlockLanes);

std::vector<JointId> movingJoints(const Skeleton& skeleton) {
    std::vector<JointId> out;
    for (const JointId j : skeleton.joints()) {
        if (skeleton.translates(j)) out.push_back(j);
    }
    return out;
}

}  // namespace

PoseBatch::PoseBatch(const Skeleton& skeleton, std::size_t count)
    : PoseBatch(skeleton, count, movingJoints(skeleton)) {}

PoseBatch::PoseBatch(const Skeleton& skeleton, std::size_t count, std::vector<JointId> translated)
    : translated_(std::move(translated)),
      starts_(skeleton.jointCount(), -1),
      count_(count),
      joints_(skeleton.jointCount()) {
    std::size_t at = joints_ * 4 * kBatchLanes;
    for (const JointId j : translated_) {
        starts_[index(j)] = static_cast<std::ptrdiff_t>(at);
        at += 3 * kBatchLanes;
    }
    stride_ = at;
    data_.resize(blockCount() * stride_);
    const Pose rest = restPose(skeleton);
    // The last block's spare lanes hold rest poses too: computed like the others, never read.
    for (std::size_t i = 0; i < blockCount() * kBatchLanes; ++i) set(i, rest);
}

void PoseBatch::set(std::size_t pose_index, const Pose& pose) {
    for (std::size_t i = 0; i < joints_; ++i) {
        const Quat& q = pose.parent_from_joint[i].rotation;
        setRotation(pose_index, jointId(i),
                    {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                     static_cast<float>(q.w)});
    }
    for (const JointId j : translated_)
        setTranslation(pose_index, j, cast<float>(pose[j].translation));
}

void PoseBatch::setRotation(std::size_t pose_index, JointId joint, const Quatf& q) {
    float* out = data_.data() + pose_index / kBatchLanes * stride_ +
                 index(joint) * 4 * kBatchLanes + pose_index % kBatchLanes;
    out[0] = q.x;
    out[kBatchLanes] = q.y;
    out[2 * kBatchLanes] = q.z;
    out[3 * kBatchLanes] = q.w;
}

void PoseBatch::setTranslation(std::size_t pose_index, JointId joint, const Vec3f& t) {
    ULNA_ASSERT(starts_[index(joint)] >= 0, "the batch holds no translation of this joint");
    float* out = data_.data() + pose_index / kBatchLanes * stride_ +
                 static_cast<std::size_t>(starts_[index(joint)]) + pose_index % kBatchLanes;
    out[0] = t.x;
    out[kBatchLanes] = t.y;
    out[2 * kBatchLanes] = t.z;
}

void ModelBatch::resize(std::size_t joints, std::size_t count) {
    joints_ = joints;
    count_ = count;
    data_.resize((count + kBatchLanes - 1) / kBatchLanes * joints * 7 * kBatchLanes);
}

const float* ModelBatch::at(std::size_t pose_index, JointId joint, std::size_t row) const {
    const std::size_t block = pose_index / kBatchLanes;
    const std::size_t rows = (block * joints_ + index(joint)) * 7 + row;
    return data_.data() + rows * kBatchLanes + pose_index % kBatchLanes;
}

Vec3f ModelBatch::position(std::size_t pose_index, JointId joint) const {
    const float* p = at(pose_index, joint, 4);
    return {p[0], p[kBatchLanes], p[2 * kBatchLanes]};
}

Quatf ModelBatch::orientation(std::size_t pose_index, JointId joint) const {
    const float* q = at(pose_index, joint, 0);
    return {q[0], q[kBatchLanes], q[2 * kBatchLanes], q[3 * kBatchLanes]};
}

void computeModelBatch(const Skeleton& skeleton, const PoseBatch& poses, ModelBatch& model,
                       unsigned threads) {
    ULNA_ASSERT(poses.translationStarts().size() == skeleton.jointCount(),
                "the batch was made for another skeleton");
    ULNA_ASSERT(std::all_of(skeleton.definitions().begin(), skeleton.definitions().end(),
                            [](const JointDef& j) {
                                return j.rest.scale == Vec3{1, 1, 1};
                            }),
                "batches hold no scale");
    model.resize(skeleton.jointCount(), poses.count());
    // Enough poses to pay for handing the chunk to a thread.
    constexpr std::size_t kBlocksPerChunk = 8;
    parallelFor(poses.blockCount(), kBlocksPerChunk, threads,
                [&](std::size_t begin, std::size_t end) {
                    for (std::size_t b = begin; b < end; ++b) {
                        skeleton::detail::composeBlockSimd(skeleton, poses.translationStarts(),
                                                           poses.block(b), model.block(b));
                    }
                });
}

}  // namespace ulna
