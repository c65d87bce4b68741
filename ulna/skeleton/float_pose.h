// SPDX-License-Identifier: Apache-2.0

// FloatPose: a pose as rows of floats: what is played and blended every frame.
//
// Pose (skeleton/pose.h) is for people and files; this is for motion/player.h and
// motion/float_blend.h, which work on several joints at a time.
#pragma once

#include <cstddef>

#include "ulna/core/aligned.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

/// parent_from_joint of every joint, in the skeleton's order. Ten rows of values: x, y, z, w of
/// the rotations, x, y, z of the translations, x, y, z of the scales; each row has a number per
/// joint. The layout is the same on every machine. Threads may read one at once; one that changes
/// belongs to one thread.
class FloatPose {
  public:
    /// Rows are padded to a multiple of this, with joints that neither rotate, move nor scale.
    static constexpr std::size_t kLanes = 8;
    static constexpr std::size_t kRotationRow = 0;
    static constexpr std::size_t kTranslationRow = 4;
    static constexpr std::size_t kScaleRow = 7;
    static constexpr std::size_t kRows = 10;

    FloatPose() = default;
    /// Joints that neither rotate, move nor scale.
    explicit FloatPose(std::size_t joints);
    /// Rotations are normalised before they are rounded.
    explicit FloatPose(const Pose& pose);

    [[nodiscard]] std::size_t jointCount() const { return joints_; }
    /// The length of a row.
    [[nodiscard]] std::size_t stride() const { return (joints_ + kLanes - 1) / kLanes * kLanes; }
    [[nodiscard]] float* row(std::size_t row_index) { return data_.data() + row_index * stride(); }
    [[nodiscard]] const float* row(std::size_t row_index) const {
        return data_.data() + row_index * stride();
    }

    [[nodiscard]] Quatf rotation(JointId joint) const;
    [[nodiscard]] Vec3f translation(JointId joint) const { return vector(kTranslationRow, joint); }
    [[nodiscard]] Vec3f scale(JointId joint) const { return vector(kScaleRow, joint); }
    void setRotation(JointId joint, const Quatf& rotation);
    void setTranslation(JointId joint, const Vec3f& v) { setVector(kTranslationRow, joint, v); }
    void setScale(JointId joint, const Vec3f& v) { setVector(kScaleRow, joint, v); }
    /// Takes a pose over; allocates nothing. @pre pose has jointCount() joints.
    void set(const Pose& pose);

    friend bool operator==(const FloatPose&, const FloatPose&) = default;

  private:
    [[nodiscard]] Vec3f vector(std::size_t first_row, JointId joint) const;
    void setVector(std::size_t first_row, JointId joint, const Vec3f& v);

    std::size_t joints_ = 0;
    AlignedVector<float> data_;
};

/// The same pose in double, its rotations normalised there.
[[nodiscard]] Pose toPose(const FloatPose& pose);
/// Allocates nothing when `out` has the size.
void toPose(const FloatPose& pose, Pose& out);

}  // namespace ulna
