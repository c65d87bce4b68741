// SPDX-License-Identifier: Apache-2.0

// LegSolver: bends a leg of a given pose so that its foot is where a plan has it.
//
// The leg stays in the plane that it is bent in, carried along by the smallest rotation; what it
// bends more than before, it bends forward, so that a straight leg knows where to. As a goal comes
// to where the foot already is, the pose comes to what it was: nothing snaps where a plan begins.
#pragma once

#include "ulna/retarget/detail/chain_solver.h"
#include "ulna/retarget/detail/foot_plan.h"

namespace ulna::retarget::detail {

/// Keeps its memory between frames: for one thread at a time.
class LegSolver {
  public:
    /// @pre skeleton and body outlive the solver, and the body has this leg.
    LegSolver(const Skeleton& skeleton, const BodySegments& body, std::size_t side);

    /// Rotates thigh, shin, foot and toes of a pose; no other joint. Joints with limits stay in
    /// them, and come as near as they can. A joint that need not rotate keeps its bits.
    void solve(const FootGoal& goal, Pose& pose);

  private:
    // Model orientations of the segments' frames that meet the goal by free rotations.
    struct Wanted {
        Quat thigh = {}, shin = {}, foot = {};
    };

    [[nodiscard]] Wanted bend(const FootGoal& goal) const;
    void rotateFreely(const Wanted& wanted, Pose& pose) const;
    [[nodiscard]] bool staysInside(Pose& pose);
    void solveInside(const Wanted& wanted, const FootGoal& goal, Pose& pose);
    void bendToes(const FootGoal& goal, Pose& pose) const;
    void turn(const Segment& segment, const Quat& orientation, Pose& pose) const;
    [[nodiscard]] Quat axesOf(const Segment& segment) const;

    const Skeleton& skeleton_;
    const BodySegments& body_;
    const Segment& thigh_;
    const Segment& shin_;
    const Segment& foot_;
    const Segment* toes_;
    ChainSolver chain_;
    DofVector dofs_;
    ModelPose model_;                 // of the pose as it came
    std::vector<Quat> orientations_;  // likewise
};

}  // namespace ulna::retarget::detail
