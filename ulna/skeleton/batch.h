// SPDX-License-Identifier: Apache-2.0

// Forward kinematics of many poses of one skeleton at once, in float: lanes of a vector unit are
// poses, blocks of poses are spread over threads.
//
// The layout does not depend on the machine, and a pose's result depends neither on its neighbours
// nor on the threads. For one pose in double see skeleton/forward_kinematics.h.
#pragma once

#include <cstddef>
#include <vector>

#include "ulna/core/aligned.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

/// Poses per block: the widest vector unit the library uses holds this many floats.
inline constexpr std::size_t kBatchLanes = 16;

/// Rotations of all joints, and translations of the joints that move (roots and sliding joints
/// unless told otherwise), for `count` poses. Starts as `count` rest poses. Stretch of other joints
/// and scale are not held. Threads may read one at once; one that changes belongs to one thread.
class PoseBatch {
  public:
    PoseBatch(const Skeleton& skeleton, std::size_t count);
    /// With translations of exactly these joints.
    PoseBatch(const Skeleton& skeleton, std::size_t count, std::vector<JointId> translated);

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t blockCount() const {
        return (count_ + kBatchLanes - 1) / kBatchLanes;
    }
    void set(std::size_t pose_index, const Pose& pose);
    void setRotation(std::size_t pose_index, JointId joint, const Quatf& rotation);
    /// @pre the batch holds translations of `joint`.
    void setTranslation(std::size_t pose_index, JointId joint, const Vec3f& translation);

    /// The values of one block: for each joint x, y, z, w of its rotation, then for each
    /// translated joint x, y, z, each for kBatchLanes poses.
    [[nodiscard]] const float* block(std::size_t block_index) const {
        return data_.data() + block_index * stride_;
    }
    /// Where a joint's translation starts within a block, or -1 when it keeps its rest offset.
    [[nodiscard]] const std::vector<std::ptrdiff_t>& translationStarts() const { return starts_; }

  private:
    AlignedVector<float> data_;
    std::vector<JointId> translated_;
    std::vector<std::ptrdiff_t> starts_;
    std::size_t count_ = 0;
    std::size_t joints_ = 0;
    std::size_t stride_ = 0;
};

/// Model positions and orientations of all joints for many poses. Threads may read one at once; one
/// that changes belongs to one thread.
class ModelBatch {
  public:
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] Vec3f position(std::size_t pose_index, JointId joint) const;
    [[nodiscard]] Quatf orientation(std::size_t pose_index, JointId joint) const;

    /// Makes room; the values are undefined.
    void resize(std::size_t joints, std::size_t count);
    /// The values of one block: for each joint its orientation x, y, z, w and position x, y, z,
    /// each for kBatchLanes poses.
    [[nodiscard]] float* block(std::size_t block_index) {
        return data_.data() + block_index * joints_ * 7 * kBatchLanes;
    }

  private:
    [[nodiscard]] const float* at(std::size_t pose_index, JointId joint, std::size_t row) const;

    AlignedVector<float> data_;
    std::size_t joints_ = 0;
    std::size_t count_ = 0;
};

/// Forward kinematics of every pose of the batch. Allocates nothing when `model` has the size.
///
/// @param threads 0 means one per core; the result is the same for any number.
/// @pre the batch was made for this skeleton, and its rest scales are all 1.
void computeModelBatch(const Skeleton& skeleton, const PoseBatch& poses, ModelBatch& model,
                       unsigned threads = 0);

}  // namespace ulna
