// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/clip.h"

#include <algorithm>
#include <optional>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// "the position goal of 'LeftHand'"
std::string nameOf(const Skeleton& skeleton, const IkClipGoal& goal) {
    const GoalBodies held = bodiesOf(goal.goal.kind);
    std::string out = "the " + std::string(goalKindName(goal.goal.kind)) + " goal";
    if (held.count > 0 && index(held.joint[0]) < skeleton.jointCount())
        out += " of '" + skeleton.name(held.joint[0]) + "'";
    return out;
}

Status checkTimes(const Skeleton& skeleton, const IkClipGoal& goal, const Motion& source) {
    const std::size_t frames = source.frameCount();
    for (const std::size_t size : {goal.points.size(), goal.orientations.size()}) {
        if (size == 0 || size == frames) continue;
        return Diagnostic{nameOf(skeleton, goal) + " has " + std::to_string(size) +
                              " targets for " + std::to_string(frames) + " frames",
                          {},
                          {},
                          "give one target, or one per frame"};
    }
    if (!goal.span) return Done{};
    const Status status = checkSpan(*goal.span, frames, source.frameTime());
    if (status) return Done{};
    Diagnostic error = status.error();
    error.what = nameOf(skeleton, goal) + ": " + error.what;
    return error;
}

// Whether two goals are for one thing, so that a joint can go from the one to the other.
bool haveOneSubject(GoalKind a, GoalKind b) {
    if (a.index() != b.index()) return false;
    const GoalTarget target = targetOf(a);
    if (target.point == nullptr && target.rotation == nullptr) return false;
    const GoalBodies held = bodiesOf(a), other = bodiesOf(b);
    for (std::size_t i = 0; i < held.count; ++i)
        if (held.joint[i] != other.joint[i]) return false;
    const std::vector<GoalMember> members = membersOf(a), others = membersOf(b);
    for (std::size_t m = 0; m < members.size(); ++m) {
        if (const auto* points = std::get_if<GoalPoints>(&members[m].value)) {
            const auto& same = std::get<GoalPoints>(others[m].value);
            for (std::size_t i = 0; i < points->values.size(); ++i)
                if (*points->values[i] != *same.values[i]) return false;
        }
        if (const auto* direction = std::get_if<GoalDirection>(&members[m].value))
            if (*direction->value != *std::get<GoalDirection>(others[m].value).value) return false;
    }
    return true;
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
        const bool comes_and_goes = std::any_of(
            goals.begin(), goals.end(), [](const IkClipGoal& g) { return g.span.has_value(); });
        if (options.natural != nullptr && comes_and_goes) {
            IkOptions without = steady;
            without.natural = nullptr;
            Result<IkSolver> plain = IkSolver::make(skeleton, own, std::move(without));
            if (!plain) return plain.error();
            plain_.emplace(*std::move(plain));
        }
        if (options.method != IkMethod::Auto) return Done{};
        own.push_back({.kind = PostureGoal{}, .weight = kHold});
        Result<IkSolver> holding = IkSolver::make(skeleton, std::move(own), std::move(steady));
        if (!holding) return holding.error();
        holding_.emplace(*std::move(holding));
        return Done{};
    }

    /// Takes up a frame: its stretch and scale, and the targets of its goals.
    /// The result is how much of the goals holds.
    [[nodiscard]] Result<double> begin(std::span<const IkClipGoal> goals, std::size_t frame,
                                       double frame_time, const Pose& pose, const ModelPose& model,
                                       std::span<const double> source) {
        double share = 0.0;
        for (std::optional<IkSolver>* solver : {&solver_, &holding_, &plain_}) {
            if (!*solver) continue;
            if (const Status status = (*solver)->setBase(pose); !status) return status.error();
            share = setFrameGoals(goals, frame, frame_time, model, source,
                                  (*solver)->goals().first(goals.size()));
        }
        return share;
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

    /// Solves again from an answer that met the goals once, and stays near it.
    void meetAgain(DofVector& dofs) { (void)(plain_ ? *plain_ : *solver_).solve(dofs); }

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
    std::optional<IkSolver> plain_;  // without natural poses, where goals come and go
    std::vector<Vec3> points_;       // the targets of the frame before
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

// The report of a frame in which no goal holds.
IkReport atEase(std::size_t goals) {
    IkReport out;
    out.status = IkStatus::Reached;
    out.goal_errors.assign(goals, 0.0);
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

double setFrameGoals(std::span<const IkClipGoal> goals, std::size_t frame, double frame_time,
                     const ModelPose& source, std::span<const double> source_dofs,
                     std::span<IkGoal> out) {
    double most = 0.0;
    for (std::size_t g = 0; g < goals.size(); ++g) {
        const IkClipGoal& goal = goals[g];
        setFrameTarget(goal, frame, source, source_dofs, out[g].kind);
        out[g].enabled = goal.goal.enabled;
        if (!goal.goal.enabled) continue;
        if (!goal.span) {
            most = 1.0;
            continue;
        }
        const double share = shareAt(*goal.span, frame, frame_time);
        out[g].enabled = share > 0.0;
        if (!out[g].enabled) continue;
        most = std::max(most, share);
        if (!canEase(out[g].kind)) {
            out[g].weight = goal.goal.weight * share;
            continue;
        }
        // What an eased target does not say is what the goal states.
        GoalKind stated = goal.goal.kind;
        setFrameTarget(goal, frame, source, source_dofs, stated);
        std::optional<GoalKind> from;
        for (std::size_t h = 0; h < g; ++h) {
            if (!out[h].enabled || !haveOneSubject(out[h].kind, stated)) continue;
            from = out[h].kind;
            out[h].enabled = false;
        }
        if (!from) from = metBy(source, stated);
        out[g].kind = share < 1.0 ? eased(source, *from, stated, share) : stated;
    }
    return most;
}

Result<IkClipResult> solveIkClip(const Skeleton& skeleton, const Motion& source,
                                 std::span<const IkClipGoal> goals, const IkOptions& options,
                                 const Progress& progress) {
    const std::size_t frames = source.frameCount();
    for (const IkClipGoal& goal : goals) {
        if (const Status status = checkTimes(skeleton, goal, source); !status)
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
    double last_share = 0.0;
    Pose last_source_pose, last_pose;
    ModelPose model;
    for (std::size_t f = 0; f < frames; ++f) {
        const Pose source_pose = source.pose(f);
        Pose pose = source_pose;
        computeModelPose(skeleton, pose, model);
        DofVector now = computeDofs(skeleton, pose, last_source).dofs;
        const Result<double> share = solver.begin(goals, f, source.frameTime(), pose, model, now);
        if (!share) return share.error();
        DofVector dofs = now;
        if (*share > 0.0) {
            DofVector inside = now;
            for (const JointId j : clampToLimits(skeleton, inside)) out.clamped.push_back(j);
            const double kept = last_share > *share ? *share / last_share : 1.0;
            for (std::size_t d = 0; d < dofs.size(); ++d)
                dofs[d] = f > 0 && carries_on ? now[d] + kept * (last_answer[d] - last_source[d])
                                              : inside[d];
            out.reports.push_back(solver.solve(dofs, f > 0 && carries_on));
            if (*share < 1.0) {
                if (!carries_on) {
                    for (std::size_t d = 0; d < dofs.size(); ++d)
                        dofs[d] = now[d] + *share * (dofs[d] - now[d]);
                    solver.meetAgain(dofs);
                }
                for (std::size_t d = 0; d < dofs.size(); ++d)
                    dofs[d] -= (1.0 - *share) * (inside[d] - now[d]);
            }
            applyDofs(skeleton, dofs, pose);
        } else {
            out.reports.push_back(atEase(goals.size()));
        }
        last_share = *share;
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
