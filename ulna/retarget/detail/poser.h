// SPDX-License-Identifier: Apache-2.0

// Poser: a pose of a body from the rotations of its segments and the goals of its feet and hands.
//
// Balls without limits are given their rotations. Where joints are hinges, or what is asked of
// balls is outside their limits, the whole body is solved for (retarget/detail/body_solver.h).
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "ulna/retarget/detail/body_solver.h"
#include "ulna/retarget/detail/foot_plan.h"
#include "ulna/retarget/detail/segments.h"

namespace ulna::retarget::detail {

/// What is asked of hands besides the directions of their arms, in the axes of the ground. A share
/// of 0 asks nothing, and 1 counts in full; between them, wrists are between both.
struct HandGoals {
    std::array<double, 2> floor_share = {}, height = {};  ///< the height of wrists
    double pair_share = 0.0;
    Vec3 right_to_left = {};  ///< from one wrist to the other
    double body_share = 0.0;
    std::array<Vec3, 2> from_shoulders = {};  ///< to the wrists, from the middle of the shoulders

    /// The largest share that counts for a hand.
    [[nodiscard]] double share(std::size_t side) const {
        return std::max({floor_share[side], pair_share, body_share});
    }
};

/// Where wrists come to that would be at `wrists` by the directions of their arms.
[[nodiscard]] std::array<Vec3, 2> placeWrists(const HandGoals& goals,
                                              const std::array<Vec3, 2>& shoulders,
                                              std::array<Vec3, 2> wrists);

/// What a frame should be, in the axes of the ground.
struct PlannedFrame {
    std::span<Quat> d;  ///< of every segment; of relative ones as if their parents were followed
    Vec3 centre = {};   ///< the middle of the thighs' joints
    std::array<const FootGoal*, 2> feet = {};  ///< null: the leg points as its segments do
    const HandGoals* hands = nullptr;          ///< null: arms point as their segments do
    double largest_move = 0.0;                 ///< of an angle of a hinge, from the frame before
    bool fresh = false;                        ///< whether the frame before tells nothing
};

/// For one clip, frame after frame.
class Poser {
  public:
    /// @pre skeleton and body outlive the poser.
    Poser(const Skeleton& skeleton, const Pose& rest, const BodySegments& body);

    /// The tracks that poses change.
    [[nodiscard]] MotionTracks tracks() const;

    /// The pose of a frame. Limbs in `frame.d` become what the goals of feet and hands need.
    void pose(const PlannedFrame& frame, Pose& out);

    /// Where the last pose has everything.
    [[nodiscard]] std::span<const Quat> orientations() const { return orientations_; }
    [[nodiscard]] const Vec3& position(JointId j) const { return positions_[index(j)]; }

  private:
    void sortSegments();
    void findSolver();
    void bendLeg(std::size_t side, const PlannedFrame& frame) const;
    void bendArms(const PlannedFrame& frame, const Pose& pose);
    void follow(const PlannedFrame& frame, Pose& out);
    [[nodiscard]] bool isInside(const Pose& pose);
    void solve(const PlannedFrame& frame, Pose& out);
    [[nodiscard]] Trs rootFor(const PlannedFrame& frame, const Pose& pose) const;
    void putRootBack(Pose& out);
    void addTargets(const PlannedFrame& frame);
    void addTrunk(const PlannedFrame& frame);
    void addLimbs(std::size_t side, const PlannedFrame& frame);
    void addOrientation(int i, const PlannedFrame& frame, const Vec3& axis, double axis_weight,
                        double twist_weight);
    void addPosition(JointId joint, const Vec3& point, const Vec3& target, double weight);
    void followRelative(int i, const PlannedFrame& frame, Pose& out);
    [[nodiscard]] Quat wanted(const Segment& segment, const Quat& d) const;
    [[nodiscard]] Vec3 hipsAt(const PlannedFrame& frame) const;
    [[nodiscard]] const Segment& at(int i) const {
        return body_.segments[static_cast<std::size_t>(i)];
    }
    void rotateSegment(int i, const PlannedFrame& frame, Pose& out);
    void moveBase(const Vec3& hips, Pose& out);
    void place(JointId j, const Pose& pose);
    void placeAbove(JointId j, const Pose& pose);

    const Skeleton& skeleton_;
    const BodySegments& body_;
    Pose rest_, ideal_;
    std::vector<Quat> frame_from_first_;  // per segment, at rest, inverse: first from frame
    // Segments, parents first: from the base to the hips, arms, fingers and toes, all others. And
    // those that are no part of a human body.
    std::vector<int> path_, arms_, relative_, others_, unnamed_;
    JointId base_ = JointId::None;      // what carries the body, hips and all
    std::optional<BodySolver> solver_;  // where joints have limits, or are no balls
    bool balls_ = true;                 // whether what moves is balls, which can follow exactly
    std::vector<JointId> limited_;
    std::vector<char> movable_;                // per segment: what is fixed to another asks nothing
    std::array<Vec3, 2> wrists_ = {};          // in model space,
    std::array<double, 2> wrist_shares_ = {};  // and how much they count
    std::vector<double> angles_;
    std::vector<Quat> orientations_;
    std::vector<Vec3> positions_;
    std::vector<double> scales_;
    std::vector<char> placed_;
    std::vector<OrientationTarget> orientation_targets_;
    std::vector<PositionTarget> position_targets_;
};

}  // namespace ulna::retarget::detail
