// SPDX-License-Identifier: Apache-2.0

// How a skeleton may move in a fit: coordinates with bounds, and what each does to what is below
// it.
//
// A ball without bounds on its angles is a quaternion with three small turns as coordinates; one
// in a cone has them along its swing, along its cone and about its axis, so that each has bounds
// of its own. Other joints have their degrees of freedom.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/state.h"

namespace ulna::fit::detail {

enum class MoveKind : std::uint8_t { Turn, Slide, BallTurn };

/// One coordinate.
struct Move {
    std::uint32_t joint = 0;
    MoveKind kind = MoveKind::Turn;
    std::uint8_t part = 0;  // which of its joint's turns or slides
    double min = 0.0, max = 0.0;
};

/// What a coordinate does to all below its joint: y moves with angular x y + linear.
struct Twist {
    Vec3 angular, linear;
};

/// The state: a pose, and the numbers that it cannot tell (angles of bounded joints).
struct MoveState {
    std::vector<Trs> parent_from_joint;
    std::vector<Vec3> angles;  // per joint: of those that turn by numbers
    std::vector<Vec3> slides;  // per joint: displacements in the frame of its rest rotation
};

class SkeletonMoves {
  public:
    struct Options {
        bool limits = true;
        bool move_roots = true;
    };
    void build(const Skeleton& skeleton, std::span<const JointId> locked, Options options);

    /// The state nearest to a pose within kinds and bounds.
    void load(const Pose& pose, MoveState& out) const;
    void retract(const MoveState& from, std::span<const double> step, MoveState& to) const;
    /// How far each coordinate may go down (0 or less) and up.
    void computeRoom(const MoveState& state, std::span<double> down, std::span<double> up) const;
    /// Twists in a frame whose origin is at `origin` in model space.
    void computeTwists(const MoveState& state, std::span<const Affine> model_from_joint,
                       std::span<const Quat> orientations, const Vec3& origin,
                       std::span<Twist> out) const;
    /// How far coordinates are from where they were: numbers whose squares sum to the squared
    /// angles and lengths, or half the slopes of that sum by the coordinates at `to`.
    enum class WayAs : std::uint8_t { Parts, Slopes };
    void computeWay(const MoveState& from, const MoveState& to, WayAs as,
                    std::span<double> out) const;
    /// What holding a swing at its cone against a push adds to the curvature of coordinates: the
    /// way along the cone bends.
    void computeConeBends(const MoveState& state, std::span<const std::uint8_t> held,
                          std::span<const double> descent, std::span<double> out) const;
    /// Gives the three turns of a ball their mean.
    void evenBalls(std::span<double> values) const;

    [[nodiscard]] std::span<const Move> moves() const { return moves_; }

  private:
    enum class Turning : std::uint8_t { None, Numbers, Ball };
    struct JointMoves {
        Turning turning = Turning::None;
        std::uint8_t turns = 0;
        std::uint8_t slides = 0;  // of a sliding joint along axes[0], or 2 or 3 along the frame's
        bool along_axis = false;
        bool cone = false;
        std::uint32_t first = 0;  // its turns, then its slides
    };
    struct ConeFrame {
        Vec3 axes[3];
        double swing = 0.0, twist = 0.0;
    };

    void addJoint(JointId joint, const Options& options);
    [[nodiscard]] Quat numbersRotation(const JointDef& def, const Vec3& angles) const;
    [[nodiscard]] ConeFrame coneFrame(const ConeLimit& cone, const Quat& turn) const;
    [[nodiscard]] Vec3 slideAxis(const JointDef& def, const JointMoves& own, std::size_t k) const;
    void place(std::size_t joint, MoveState& state) const;

    const Skeleton* skeleton_ = nullptr;
    std::vector<JointMoves> joints_;
    std::vector<Move> moves_;
};

}  // namespace ulna::fit::detail
