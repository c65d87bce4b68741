// SPDX-License-Identifier: Apache-2.0

// LegSolver: bends a leg of a given pose so that its foot is where a plan has it.
//
// The leg stays in the plane that it is bent in, carried along by the smallest rotation; what it
// bends more than before, it bends forward, so that a straight leg knows where to. As a goal comes
// to where the foot already is, the pose comes to what it was: nothing snaps where a plan begins.
// Legs of hinges, and legs that would leave their limits, are solved for (ik/solver.h).
#pragma once

#include <optional>

#include "ulna/ik/solver.h"
#include "ulna/retarget/detail/foot_plan.h"

namespace ulna::retarget::detail {

/// Keeps its memory between frames: for one thread at a time.
class LegSolver {
  public:
    /// The error names a joint whose scale is not uniform.
    /// @pre skeleton and body outlive the solver, and the body has this leg.
    [[nodiscard]] static Result<LegSolver> make(const Skeleton& skeleton, const BodySegments& body,
                                                std::size_t side);

    /// Rotates thigh, shin, foot and toes of a pose; no other joint. Joints with limits stay in
    /// them, and come as near as they can. A joint that need not rotate keeps its bits.
    void solve(const FootGoal& goal, Pose& pose);

  private:
    // Model orientations of the segments' frames that meet the goal by free rotations.
    struct Wanted {
        Quat thigh = {}, shin = {}, foot = {};
    };

    LegSolver(const Skeleton& skeleton, const BodySegments& body, std::size_t side);

    [[nodiscard]] Wanted bend(const FootGoal& goal) const;
    void rotateFreely(const Wanted& wanted, Pose& pose) const;
    [[nodiscard]] bool staysInside(const Pose& pose);
    void solveInside(const FootGoal& goal, Pose& pose);
    void bendToes(const FootGoal& goal, Pose& pose) const;
    void turn(const Segment& segment, const Quat& orientation, Pose& pose) const;
    [[nodiscard]] Quat axesOf(const Segment& segment) const;

    const Skeleton* skeleton_;
    const BodySegments* body_;
    const FootPoints* points_;
    const Segment *thigh_, *shin_, *foot_, *toes_;
    std::vector<JointId> joints_;     // from the thigh to the foot
    bool balls_ = true;               // whether all of them are balls, or do not move
    std::optional<IkSolver> solver_;  // of heel, ball and ankle, where there are limits
    DofVector dofs_;
    ModelPose model_;                 // of the pose as it came
    std::vector<Quat> orientations_;  // likewise
};

}  // namespace ulna::retarget::detail
