// SPDX-License-Identifier: Apache-2.0

// ChainSolver: a limb of hinges, or of joints with limits, that follows segments as far as it can.
//
// The directions of its segments, their twist, and a point of its end are residuals of a small
// least-squares problem, solved by damped Gauss-Newton steps inside the joint limits and inside
// what the joints can move in a frame. It starts from the frame before.
#pragma once

#include <span>
#include <vector>

#include "ulna/skeleton/skeleton.h"
#include "ulna/skeleton/state.h"

namespace ulna::retarget::detail {

/// What the frame of a joint should be like.
struct SegmentTarget {
    JointId joint = JointId::None;
    Quat orientation = {};       ///< in model space
    Vec3 axis = {0, 1, 0};       ///< of the joint's frame: the direction that matters first
    double axis_weight = 1.0;    ///< of the difference of directions
    double twist_weight = 0.03;  ///< of what is left: the rotation about the axis
};

/// Where a point of the chain's end should be.
struct PointTarget {
    JointId joint = JointId::None;
    Vec3 point = {};      ///< in the joint's coordinates
    Vec3 target = {};     ///< in model space
    double weight = 0.0;  ///< of the distance in units of `unit`; 0: none
    double unit = 1.0;
};

/// Keeps its memory between solves: for one thread at a time.
class ChainSolver {
  public:
    /// A chain from `first` down to `last`. @pre skeleton outlives the solver.
    ChainSolver(const Skeleton& skeleton, JointId first, JointId last);

    [[nodiscard]] std::span<const JointId> joints() const { return joints_; }
    /// Whether every joint is a ball without limits, so that any rotations can be taken.
    [[nodiscard]] bool free() const { return free_; }

    /// Solves from the coordinates in `dofs` (of the whole skeleton), and leaves the answer there.
    /// @param base model_from_parent of the first joint; uniformly scaled
    /// @param largest_move how far each coordinate may go from where it is
    /// @return the cost of the answer
    double solve(const Affine& base, std::span<const SegmentTarget> targets,
                 const PointTarget& point, double largest_move, std::span<double> dofs);

  private:
    struct Column {
        Vec3 axis = {}, origin = {};  // in model space
        bool slides = false;
        std::size_t joint = 0;     // along the chain
        std::size_t variable = 0;  // which unknown moves it
        double factor = 1.0;
    };

    void addVariables();
    double evaluate(const Affine& base, std::span<const SegmentTarget> targets,
                    const PointTarget& point, std::span<const double> dofs, bool derivatives);
    void addRow(const Vec3& residual, const Vec3& arm, std::size_t joint, bool position,
                double weight);
    [[nodiscard]] bool step(double damping, std::span<const double> dofs);
    void spread(std::span<double> dofs) const;

    const Skeleton& skeleton_;
    std::vector<JointId> joints_;
    std::vector<std::size_t> variables_;       // the coordinate of each
    std::vector<std::ptrdiff_t> variable_of_;  // per coordinate of the skeleton; -1: none
    std::vector<double> low_, high_;
    std::vector<Column> columns_;
    std::vector<Vec3> origins_;
    std::vector<Quat> orientations_;
    std::vector<double> matrix_, gradient_, factor_, step_, trial_, row_, start_;
    std::vector<char> fixed_;
    bool free_ = true, cones_ = false;
};

}  // namespace ulna::retarget::detail
