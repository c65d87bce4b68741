// SPDX-License-Identifier: Apache-2.0

// BodySolver: a body of hinges, or of joints with limits, that comes as near to segments and points
// as it can.
//
// A least-squares problem over all joints at once, on the substrate that inverse kinematics stands
// on (solve/mechanism.h, solve/bounded_step.h): what a leg cannot reach moves the pelvis. Each
// frame starts from the one before.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ulna/skeleton/skeleton.h"
#include "ulna/solve/bounded_step.h"
#include "ulna/solve/damped_newton.h"
#include "ulna/solve/mechanism.h"

namespace ulna::retarget::detail {

/// What the frame of a joint should be like.
struct OrientationTarget {
    JointId joint = JointId::None;
    Quat orientation = {};       ///< in model space
    Vec3 axis = {0, 1, 0};       ///< of the joint's frame: the direction that matters first
    double axis_weight = 1.0;    ///< of the difference of directions
    double twist_weight = 0.03;  ///< of what is left: the rotation about the axis
};

/// Where a point of a joint should be.
struct PositionTarget {
    JointId joint = JointId::None;
    Vec3 point = {};      ///< in the joint's coordinates
    Vec3 target = {};     ///< in model space
    double weight = 1.0;  ///< of the squared distance
};

/// Keeps its memory between frames: for one thread at a time.
class BodySolver {
  public:
    /// Moves what is between the skeleton's root and the bodies. The root is free; what is locked,
    /// and what has no limits because `rest` has it elsewhere, stays as it is in `rest`.
    /// @pre skeleton outlives the solver; the bodies have one root.
    BodySolver(const Skeleton& skeleton, const Pose& rest, std::span<const JointId> bodies,
               std::span<const JointId> locked);

    [[nodiscard]] bool moves(JointId joint) const { return mechanism_.moves(joint); }
    [[nodiscard]] std::span<const JointId> joints() const { return mechanism_.active(); }

    /// Continues from a pose instead of from the last answer.
    void begin(const Pose& pose);
    /// Where the next solve has the root when it starts.
    void placeRoot(const Trs& model_from_root);
    /// @param largest_move how far the angle of a hinge may go from where it is
    void solve(std::span<const OrientationTarget> orientations,
               std::span<const PositionTarget> positions, double largest_move = kNoBound);
    /// The best answer of several starts: from where it is, and from angles at random.
    void solveAfresh(std::span<const OrientationTarget> orientations,
                     std::span<const PositionTarget> positions);
    /// Writes the answer into the joints that move.
    void store(Pose& pose) const { mechanism_.store(now_, pose); }

    // What the damped Newton iteration asks of its problem (solve/damped_newton.h).
    [[nodiscard]] std::optional<TriedStep> tryStep(Curvature curvature, double damping);
    void acceptStep();
    [[nodiscard]] static bool mayEnd() { return true; }
    [[nodiscard]] static bool mayGoOn() { return true; }
    static void watch() {}

    static constexpr double kNoBound = 1e6;

  private:
    // A coordinate that moves a body, and how much of it, where it follows another.
    struct Above {
        std::uint32_t column = 0, variable = 0, link = 0;
        double factor = 1.0;
    };
    // How a coordinate moves a target, and how it bends what others do to it.
    struct Bent {
        Vec3 rate = {}, lower = {}, upper = {};
    };

    [[nodiscard]] const std::vector<Above>& above(JointId joint);
    double evaluate(const MechanismState& state);
    void linearize(Curvature curvature);
    void addOrientation(const OrientationTarget& target, Curvature curvature);
    void addPosition(const PositionTarget& target, Curvature curvature);
    void addProducts(const std::vector<Above>& columns, double weight);
    void narrowRoom();

    const Skeleton* skeleton_;
    JointId root_ = JointId::None;
    Mechanism mechanism_;
    BoundedStep bounded_;
    MechanismState now_, trial_, before_;
    std::vector<RigidFrame> frames_;
    Mechanism::Twists twists_;
    std::vector<std::vector<Above>> above_;  // per joint; made when first asked for
    std::vector<char> known_;
    std::vector<Bent> bent_;
    std::vector<double> matrix_, descent_;
    std::span<const OrientationTarget> orientations_;
    std::span<const PositionTarget> positions_;
    double largest_move_ = 0.0, cost_ = 0.0, trial_cost_ = 0.0;
    std::optional<Curvature> linear_;  // what the matrix is of; none: it is of another state
};

}  // namespace ulna::retarget::detail
