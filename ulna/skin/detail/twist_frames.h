// SPDX-License-Identifier: Apache-2.0

// The frames that twist bones add to a palette: cross-sections of each bone at even distances, with
// the share of its twists that they have. To the loops they are joints after the skeleton's own.
#pragma once

#include <span>
#include <vector>

#include "ulna/skin/mesh.h"
#include "ulna/skin/twist.h"

namespace ulna::skin::detail {

class TwistFrames {
  public:
    /// Bones without a length are left out.
    /// @pre joints are of the skeleton, `end` is below `start`, and no two bones start alike.
    TwistFrames(const Skeleton& skeleton, std::span<const Affine> joint_from_bind,
                std::span<const TwistBone> bones);

    [[nodiscard]] bool empty() const { return bones_.empty(); }

    /// The weights with what a bone's start has shared between the two frames around each vertex.
    [[nodiscard]] SkinWeights spread(const Mesh& mesh) const;

    /// What to deform with: the bind matrices of the joints, then of the frames.
    [[nodiscard]] std::vector<Affine> withFrames(std::vector<Affine> joint_from_bind) const;
    /// Likewise the joints of a pose, into `out`, which may not be the span itself.
    void addFrames(std::span<const Affine> model_from_joint, std::vector<Affine>& out) const;

  private:
    struct Bone {
        std::size_t parent = 0, start = 0, end = 0;
        bool at_start = false, at_end = false;
        Vec3 axis = {};       // from start to end, in the coordinates of the start
        double length = 0.0;  // in the same
        Affine start_from_bind = {};
        Quat parent_from_start = {}, start_from_end = {};  // in the bind pose
    };

    std::size_t joints_ = 0;
    std::vector<Bone> bones_;
};

}  // namespace ulna::skin::detail
