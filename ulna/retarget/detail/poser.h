// SPDX-License-Identifier: Apache-2.0

// Poser: a pose of a body from the rotations of its segments and the goals of its feet.
//
// Balls without limits are given their rotations; chains with hinges or limits are solved
// (retarget/detail/chain_solver.h), following on from the frame before.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ulna/retarget/detail/chain_solver.h"
#include "ulna/retarget/detail/foot_plan.h"
#include "ulna/retarget/detail/segments.h"

namespace ulna::retarget::detail {

/// What a frame should be, in the axes of the ground.
struct PlannedFrame {
    std::span<Quat> d;  ///< of every segment; of relative ones as if their parents were followed
    Vec3 centre = {};   ///< the middle of the thighs' joints
    std::array<const FootGoal*, 2> feet = {};  ///< null: the leg points as its segments do
    double largest_move = 0.0;                 ///< of a coordinate, from the frame before
};

/// For one clip, frame after frame.
class Poser {
  public:
    /// @pre skeleton and body outlive the poser.
    Poser(const Skeleton& skeleton, const Pose& rest, const BodySegments& body);

    /// The tracks that poses change.
    [[nodiscard]] MotionTracks tracks() const;

    /// The pose of a frame. Thighs and shins of `frame.d` become what the feet's goals need.
    void pose(const PlannedFrame& frame, Pose& out);

    /// Where the last pose has everything.
    [[nodiscard]] std::span<const Quat> orientations() const { return orientations_; }
    [[nodiscard]] const Vec3& position(JointId j) const { return positions_[index(j)]; }

  private:
    // Segments in a row whose joints are posed together.
    struct Group {
        std::vector<int> segments;
        ChainSolver solver;
        int foot = -1;  // of a leg: which side
    };

    void addGroup(std::vector<int> segments, int foot = -1);
    void bendLeg(std::size_t side, const PlannedFrame& frame) const;
    void follow(const Group& group, const PlannedFrame& frame, Pose& out);
    bool followInside(Group& group, const PlannedFrame& frame, Pose& out);
    void solveGroup(Group& group, const PlannedFrame& frame, Pose& out);
    void followRelative(const Segment& segment, std::size_t i, const PlannedFrame& frame,
                        Pose& out);
    [[nodiscard]] Quat wanted(const Segment& segment, const Quat& d) const;
    void turn(const Segment& segment, const Quat& orientation, Pose& out);
    void place(JointId j, const Pose& pose);
    void placeAbove(JointId j, const Pose& pose);
    [[nodiscard]] Affine base(JointId first) const;

    const Skeleton& skeleton_;
    const BodySegments& body_;
    Pose rest_;
    std::vector<Quat> frame_from_first_;  // per segment, at rest, inverse: first from frame
    std::vector<Group> groups_;
    std::vector<int> relative_;
    DofVector dofs_;
    bool begun_ = false;
    std::vector<Quat> orientations_;
    std::vector<Vec3> positions_;
    std::vector<double> scales_;
    std::vector<char> placed_;
    std::vector<SegmentTarget> targets_;
};

}  // namespace ulna::retarget::detail
