// SPDX-License-Identifier: Apache-2.0

// The least-squares system of a skeleton's coordinates, on moments alone.
//
// Vertices are linear in the joints' matrices. A coordinate moves all joints below its own by one
// twist, so gradients are sums of wrenches over subtrees, and the Gauss-Newton matrix comes from
// sums over pairs of subtrees (the skeleton's form: what is below a joint rotates rigidly with it).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/detail/pair_moments.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::fit::detail {

/// What a coordinate does at its joint: changes an angle about an axis that the angles before it
/// carry along, slides, or is one of three small rotations of a ball.
enum class ColumnKind : std::uint8_t { Angle, Slide, Ball };

/// One coordinate. Coordinates are in the order of their joints.
struct SystemColumn {
    std::uint32_t joint = 0;
    ColumnKind kind = ColumnKind::Angle;
};

/// What a coordinate does to all below its joint: y moves with angular x y + linear.
struct Twist {
    Vec3 angular, linear;
};

class SkeletonSystem {
  public:
    void build(const Skeleton& skeleton, const VertexPack& pack);
    void weigh(const VertexPack& pack, std::span<const double> masses);
    void setFrame(std::span<const Rows4> joint_moments);

    /// What is left at these matrices (by columns): C = sum m w r [x;1]^T per joint.
    void computeResidual(std::span<const Columns4> matrices, std::span<Columns4> residual) const;
    /// Minus the gradient by each coordinate.
    void computeDescent(std::span<const Columns4> matrices, std::span<const Columns4> residual,
                        std::span<const SystemColumn> columns, std::span<const Twist> twists,
                        std::span<double> descent);
    /// The lower triangle, by rows, of the Gauss-Newton matrix.
    void computeMatrix(std::span<const Columns4> matrices, std::span<const SystemColumn> columns,
                       std::span<const Twist> twists, std::span<double> matrix);

    /// Of a motion of all below a joint that is no coordinate: as computeDescent, from what that
    /// found last.
    [[nodiscard]] double descentAlong(std::size_t joint, const Twist& twist) const;

    /// Adds the curvature of the coordinates under what computeDescent found left: then the matrix
    /// is Newton's, and may be indefinite. How paths of coordinates bend that are neither angles
    /// nor the exponential of a ball is not in it: see Mechanism::coneBend.
    void addCurvature(const Skeleton& skeleton, std::span<const SystemColumn> columns,
                      std::span<const Twist> twists, std::span<double> matrix) const;

    [[nodiscard]] double mass() const { return points_.mass(); }

  private:
    // Of two sets of weighted positions y and z: sums of y z^T, y, z and 1.
    struct PairSum {
        Mat3 products;
        Vec3 first, second;
        double count = 0.0;
    };

    void findRelated();
    void sumPairs(std::span<const Columns4> matrices);
    void sumSubtrees();
    [[nodiscard]] std::span<const std::uint32_t> relatedTo(std::size_t joint) const {
        return std::span(related_).subspan(first_related_[joint],
                                           first_related_[joint + 1] - first_related_[joint]);
    }

    std::size_t joints_ = 0;
    std::vector<std::int32_t> parents_;
    PairMoments points_;
    std::vector<std::uint32_t> related_, first_related_;
    std::vector<Columns4> frame_;  // B per joint
    std::vector<PairSum> sums_;    // joints x joints
    std::vector<Mat3> pull_;       // per joint: the sum of m w r y^T over all below
    std::vector<Vec3> force_;
};

}  // namespace ulna::fit::detail
