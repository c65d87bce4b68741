// SPDX-License-Identifier: Apache-2.0

// FrameSolver: the frames of a clip solved one after the other, with goals that come and go.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ulna/ik/clip_goal.h"
#include "ulna/ik/solver.h"

namespace ulna::ik::detail {

/// A frame of the clip itself.
struct SourceFrame {
    std::size_t number = 0;
    Pose pose = {};
    ModelPose model = {};
    DofVector dofs = {};  ///< of the pose; may be outside the limits
};

class FrameSolver {
  public:
    /// @pre skeleton and goals outlive the solver.
    [[nodiscard]] static Result<FrameSolver> make(const Skeleton& skeleton,
                                                  std::span<const IkClipGoal> goals,
                                                  const IkOptions& options, double frame_time);

    /// Solves the next frame. An error names a joint whose scale is not uniform.
    /// @param clamped gets the joints that the clip has outside their limits
    [[nodiscard]] Result<IkReport> solve(const SourceFrame& now, DofVector& dofs,
                                         std::vector<JointId>& clamped);

    /// Whether any goal held in the last frame; otherwise the answer is the clip itself.
    [[nodiscard]] bool changes() const { return main_.share > 0.0; }

    /// How far the targets of the goals moved since the frame before, in units of the reach or
    /// radians.
    double targetsMoved();

  private:
    // Answers that follow on from each other, frame by frame.
    struct Course {
        DofVector answer = {};
        double share = 0.0;  // how much of its goals held
    };

    FrameSolver(const Skeleton& skeleton, std::span<const IkClipGoal> goals, double frame_time)
        : skeleton_(&skeleton), goals_(goals), frame_time_(frame_time) {}

    [[nodiscard]] Status makeSolvers(const IkOptions& options);
    void ease(const SourceFrame& now, std::size_t goal);
    IkReport advance(const SourceFrame& now, std::optional<std::size_t> without, Course& course);
    [[nodiscard]] double enable(std::optional<std::size_t> without);
    void setTargets(const SourceFrame& now);
    IkReport attempt(DofVector& dofs, bool carried_on);

    const Skeleton* skeleton_;
    std::span<const IkClipGoal> goals_;
    double frame_time_;
    bool carries_on_ = true;
    std::optional<IkSolver> solver_;
    std::optional<IkSolver> holding_;  // the same with a posture
    std::optional<IkSolver> plain_;    // the same without natural poses, where goals come and go
    Course main_;
    std::vector<Course> without_;  // per goal: what the others make of the clip
    std::vector<double> shares_;   // per goal
    std::vector<char> enabled_;    // likewise
    std::vector<std::vector<std::size_t>>
        successors_;  // goals for the same thing, later in the list
    DofVector last_source_, inside_;
    std::vector<Vec3> points_;  // the targets of the frame before
    std::vector<Quat> rotations_;
};

}  // namespace ulna::ik::detail
