// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/clip.h"

#include <algorithm>
#include <optional>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

Status checkTrack(const Skeleton& skeleton, const IkClipGoal& goal, std::size_t frames) {
    const std::string kind(goalKindName(goal.goal.kind));
    for (const std::size_t size : {goal.points.size(), goal.orientations.size()}) {
        if (size == 0 || size == frames) continue;
        const GoalBodies held = bodiesOf(goal.goal.kind);
        const std::string of = held.count > 0 && index(held.joint[0]) < skeleton.jointCount()
                                   ? " of '" + skeleton.name(held.joint[0]) + "'"
                                   : std::string();
        return Diagnostic{"the " + kind + " goal" + of + " has " + std::to_string(size) +
                              " targets for " + std::to_string(frames) + " frames",
                          {},
                          {},
                          "give one target, or one per frame"};
    }
    return Done{};
}

// Where goals are out of reach, many poses are nearly as good, and the best of them changes from
// frame to frame. So much of a posture keeps the answer near the one that the clip carries on from
// the frame before.
constexpr double kHold = 1e-2;

// An answer that moves by so much more than its clip and its targets, in radians, jumps.
constexpr double kJump = 0.5;

// Solves a clip's frames, one after the other.
class FrameSolver {
  public:
    [[nodiscard]] Status make(const Skeleton& skeleton, std::span<const IkClipGoal> goals,
                              const IkOptions& options) {
        std::vector<IkGoal> own;
        for (const IkClipGoal& goal : goals) own.push_back(goal.goal);
        IkOptions steady = options;
        steady.continuity = true;
        Result<IkSolver> solver = IkSolver::make(skeleton, own, steady);
        if (!solver) return solver.error();
        solver_.emplace(*std::move(solver));
        if (options.method != IkMethod::Auto) return Done{};
        own.push_back({.kind = PostureGoal{}, .weight = kHold});
        Result<IkSolver> holding = IkSolver::make(skeleton, std::move(own), std::move(steady));
        if (!holding) return holding.error();
        holding_.emplace(*std::move(holding));
        return Done{};
    }

    /// Takes up a frame: its stretch and scale, and the targets of its goals.
    [[nodiscard]] Status begin(std::span<const IkClipGoal> goals, std::size_t frame,
                               const Pose& pose, const ModelPose& model,
                               std::span<const double> source) {
        for (IkSolver* solver : {&*solver_, holding_ ? &*holding_ : nullptr}) {
            if (solver == nullptr) continue;
            if (const Status status = solver->setBase(pose); !status) return status.error();
            for (std::size_t g = 0; g < goals.size(); ++g)
                setFrameTarget(goals[g], frame, model, source, solver->goals()[g].kind);
        }
        return Done{};
    }

    IkReport solve(DofVector& dofs, bool carried_on) {
        const DofVector start = dofs;
        IkReport report = solver_->solve(dofs);
        // What the budget ended has no time for a second solve.
        const bool final = report.status == IkStatus::Reached || report.status == IkStatus::Stopped;
        if (final || !carried_on || !holding_) return report;
        dofs = start;
        std::get<PostureGoal>(holding_->goals().back().kind).rest = start;
        report = holding_->solve(dofs);
        report.goal_errors.pop_back();
        return report;
    }

    /// How far the targets of the goals moved since the frame before, in units of the reach or
    /// radians.
    double targetsMoved() {
        double out = 0.0;
        std::vector<Vec3> points;
        std::vector<Quat> rotations;
        for (IkGoal& goal : solver_->goals()) {
            const GoalTarget target = targetOf(goal.kind);
            points.push_back(target.point == nullptr ? Vec3{} : *target.point);
            rotations.push_back(target.rotation == nullptr ? Quat{} : *target.rotation);
        }
        for (std::size_t g = 0; g < points.size() && g < points_.size(); ++g)
            out = std::max({out, distance(points[g], points_[g]) / solver_->reach(),
                            angleBetween(rotations[g], rotations_[g])});
        points_ = std::move(points);
        rotations_ = std::move(rotations);
        return out;
    }

  private:
    std::optional<IkSolver> solver_, holding_;
    std::vector<Vec3> points_;  // the targets of the frame before
    std::vector<Quat> rotations_;
};

// By how much more a joint rotated from one pose to the next than in the clip itself.
double strayed(const Pose& from, const Pose& to, const Pose& source_from, const Pose& source_to) {
    double out = 0.0;
    for (std::size_t i = 0; i < from.parent_from_joint.size(); ++i) {
        const JointId j = jointId(i);
        out = std::max(out, angleBetween(from[j].rotation, to[j].rotation) -
                                angleBetween(source_from[j].rotation, source_to[j].rotation));
    }
    return out;
}

}  // namespace

void setFrameTarget(const IkClipGoal& goal, std::size_t frame, const ModelPose& source,
                    std::span<const double> source_dofs, GoalKind& kind) {
    if (goal.pinned) pinTo(source, source_dofs, kind);
    const GoalTarget target = targetOf(kind);
    if (target.point != nullptr && !goal.points.empty()) *target.point = goal.points[frame];
    if (target.rotation != nullptr && !goal.orientations.empty())
        *target.rotation = goal.orientations[frame];
}

Result<IkClipResult> solveIkClip(const Skeleton& skeleton, const Motion& source,
                                 std::span<const IkClipGoal> goals, const IkOptions& options,
                                 const Progress& progress) {
    const std::size_t frames = source.frameCount();
    for (const IkClipGoal& goal : goals) {
        if (const Status status = checkTrack(skeleton, goal, frames); !status)
            return status.error();
    }
    // A body that moves is not at rest on its feet, and they leave the floor between two frames.
    IkOptions usual = options;
    usual.natural_rules.balance = usual.natural_rules.floor = false;
    FrameSolver solver;
    if (const Status status = solver.make(skeleton, goals, usual); !status) return status.error();

    IkClipResult out;
    out.motion = Motion(source.base(), frames, source.frameTime(),
                        united(source.tracks(), usualTracks(skeleton)));
    out.motion.name = source.name;
    out.clip.name = source.name;
    out.clip.frame_time = source.frameTime();
    // Natural poses start from the clip's own, not from the answer before.
    const bool carries_on = options.natural == nullptr;
    DofVector last_source, last_answer;
    Pose last_source_pose, last_pose;
    ModelPose model;
    for (std::size_t f = 0; f < frames; ++f) {
        const Pose source_pose = source.pose(f);
        Pose pose = source_pose;
        computeModelPose(skeleton, pose, model);
        DofVector now = computeDofs(skeleton, pose, last_source).dofs;
        if (const Status status = solver.begin(goals, f, pose, model, now); !status)
            return status.error();
        DofVector dofs = now;
        for (const JointId j : clampToLimits(skeleton, dofs)) out.clamped.push_back(j);
        for (std::size_t d = 0; d < dofs.size() && f > 0 && carries_on; ++d)
            dofs[d] = now[d] + (last_answer[d] - last_source[d]);
        out.reports.push_back(solver.solve(dofs, f > 0 && carries_on));
        applyDofs(skeleton, dofs, pose);
        out.motion.setPose(f, pose);
        const double asked = solver.targetsMoved();
        if (f > 0 && strayed(last_pose, pose, last_source_pose, source_pose) > kJump + 4.0 * asked)
            out.jumps.push_back(f);
        last_source_pose = source_pose;
        last_pose = std::move(pose);
        last_source = std::move(now);
        last_answer = dofs;
        out.clip.frames.push_back(std::move(dofs));
        if (progress && !progress(static_cast<double>(f + 1) / static_cast<double>(frames))) break;
    }
    std::sort(out.clamped.begin(), out.clamped.end());
    out.clamped.erase(std::unique(out.clamped.begin(), out.clamped.end()), out.clamped.end());
    return out;
}

}  // namespace ulna
