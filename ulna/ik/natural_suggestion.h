// SPDX-License-Identifier: Apache-2.0

// NaturalSuggestion: the pose that a human body would take for some goals, to solve from.
//
// The prior of human poses (ik/natural.h) is asked for the points that goals hold, and its answer
// is put on the skeleton. IkOptions::natural and drags (character/drag.h) do this by themselves.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ulna/ik/goal.h"
#include "ulna/ik/natural.h"
#include "ulna/ik/options.h"
#include "ulna/skeleton/pose.h"

namespace ulna {

/// Suggestions for goals whose targets move while everything else stays: one drag, one problem.
class NaturalSuggestion {
  public:
    /// @param goals positions count, of any joint at or below one that the prior knows.
    /// @param held joints that stay as `pose` has them. Where a root is held, so do the joints that
    /// no goal needs: a hand that is pulled leaves the other where it is.
    /// @pre pose has one transform per joint.
    NaturalSuggestion(std::shared_ptr<const NaturalBody> body, std::span<const IkGoal> goals,
                      std::span<const JointId> held, const Pose& pose, NaturalStart start);

    /// The pose to solve from, inside the joint limits; the pose itself where no goal tells the
    /// prior anything.
    /// @pre the goals are those of the constructor but for their targets, weights and switches.
    void suggest(std::span<const IkGoal> goals, Pose& pose) const;

  private:
    // A goal that says where a point of the prior is.
    struct Source {
        std::size_t goal = 0;
        std::size_t point = 0;
        Vec3 offset = {};  // of the point from the goal's target, in model space
    };
    [[nodiscard]] double hipsNeeded(const PosePoints& points) const;
    [[nodiscard]] PosePoints pointsFor(std::span<const IkGoal> goals) const;
    void placeRoot(const Vec3& wanted, Pose& pose) const;
    void placeLimbs(std::span<const IkGoal> goals, Pose& pose) const;

    std::shared_ptr<const NaturalBody> body_;
    Pose pose_;
    std::vector<std::uint8_t> held_, needed_;  // per joint; above a goal
    bool root_moves_ = false;
    bool hips_given_ = false;  // they are held, so their position is known
    Vec3 hips_ = {};           // in leg lengths and body axes
    Vec3 forward_ = {0, 0, 1};
    std::vector<Source> sources_;
    std::vector<Quat> own_;            // per link: its rotation from its parent link in the pose
    std::optional<Vec3> hips_before_;  // where the prior would have free hips then
    std::optional<RolePose> before_;   // what the prior makes of the points where the pose has them
};

}  // namespace ulna
