// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/evaluate.h"

#include <algorithm>
#include <cmath>

#include "ulna/ik/detail/problem.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/jacobian.h"
#include "ulna/skeleton/scale.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

using ik::detail::evaluatePosture;
using ik::detail::preparePosture;
using ik::detail::Problem;
using ik::detail::scaleError;

// A problem at one pose. Rows and wrenches come from forward kinematics of the pose; the problem
// says what counts, and how much.
class PoseEvaluation {
  public:
    PoseEvaluation(const Problem& problem, const Pose& pose)
        : problem_(problem),
          skeleton_(problem.mechanism().skeleton()),
          model_(computeModelPose(skeleton_, pose)) {
        out_.reach = problem.reach();
        out_.goals.resize(problem.goals().size());
    }

    // Where there are motions, also the derivatives that have room.
    void addGoals(std::span<const DofMotion> motions) {
        for (std::size_t g = 0; g < out_.goals.size(); ++g) {
            const IkGoal& goal = problem_.goals()[g];
            EvaluatedGoal& own = out_.goals[g];
            own.first_row = out_.row_count;
            GoalRows rows;
            findBodies(goal.kind);
            ik::detail::evaluateAll(goal.kind, bodies_, skeleton_.planar(), rows, wrenches_);
            own.rows = rows.count;
            out_.row_count += rows.count;
            if (!goal.enabled) continue;
            const double unit = errorIsAngle(goal.kind) ? out_.reach : 1.0;
            const double weight = goal.weight * unit * unit;
            own.error = rows.error;
            for (std::size_t k = 0; k < rows.count; ++k) {
                own.residual[k] = rows.residual[k];
                own.cost += 0.5 * weight * rows.residual[k] * rows.residual[k];
            }
            out_.cost += own.cost;
            if (!motions.empty()) addDerivatives(rows, weight, own.first_row, motions);
        }
    }

    // `dofs` are the coordinates nearest to the rest values of the goal.
    void addPosture(std::size_t g, std::span<const double> dofs) {
        const IkGoal& goal = problem_.goals()[g];
        if (!goal.enabled) return;
        const auto& posture = std::get<PostureGoal>(goal.kind);
        constexpr std::array<double, 6> kZero = {};
        JointId last = JointId::None;
        for (const Mechanism::Link& link : problem_.mechanism().links()) {
            const JointId joint = link.joint;
            const auto& listed = posture.joints;
            const bool counts =
                listed.empty() || std::find(listed.begin(), listed.end(), joint) != listed.end();
            if (joint == last || !counts) continue;
            last = joint;
            const std::size_t first = skeleton_.firstDof(joint);
            std::array<double, 6> off = {}, slope = {};
            evaluatePosture(
                skeleton_, joint, dofs.data() + first,
                preparePosture(skeleton_, joint,
                               posture.rest.empty() ? kZero.data() : posture.rest.data() + first),
                off.data(), slope.data());
            for (std::size_t k = 0; k < skeleton_.dofCount(joint); ++k) {
                const double unit = skeleton_.isAngle(first + k) ? out_.reach : 1.0;
                const double weight = goal.weight * unit * unit;
                out_.goals[g].cost += 0.5 * weight * off[k] * off[k];
                if (!out_.gradient.empty()) out_.gradient[first + k] += weight * slope[k];
            }
        }
        out_.posture_cost += out_.goals[g].cost;
    }

    [[nodiscard]] const ModelPose& model() const { return model_; }
    [[nodiscard]] IkEvaluation& out() { return out_; }

  private:
    void findBodies(const GoalKind& kind) {
        joints_ = jointsOf(kind);
        bodies_.clear();
        for (const JointId joint : joints_) {
            const Affine& m = model_[joint];
            bodies_.push_back({toMatrix(rotationOf(m)), m.translation(), length(m.column(0))});
        }
        wrenches_.assign(joints_.size(), {});
    }

    // Every degree of freedom above a body moves it as a twist, against which its wrenches work.
    void addDerivatives(const GoalRows& rows, double weight, std::size_t first_row,
                        std::span<const DofMotion> motions) {
        for (std::size_t b = 0; b < joints_.size(); ++b) {
            for (JointId j = joints_[b]; j != JointId::None; j = skeleton_.parent(j)) {
                const std::size_t first = skeleton_.firstDof(j);
                for (std::size_t d = first; d < first + skeleton_.dofCount(j); ++d) {
                    const DofMotion& motion = motions[d];
                    const Vec3 at_origin = motion.linear - cross(motion.angular, motion.origin);
                    for (std::size_t k = 0; k < rows.count; ++k) {
                        const Wrench& wrench = wrenches_[b][k];
                        const double rate =
                            dot(wrench.moment, motion.angular) + dot(wrench.force, at_origin);
                        if (!out_.gradient.empty())
                            out_.gradient[d] += weight * rows.residual[k] * rate;
                        if (!out_.jacobian.empty())
                            out_.jacobian[(first_row + k) * motions.size() + d] += rate;
                    }
                }
            }
        }
    }

    const Problem& problem_;
    const Skeleton& skeleton_;
    ModelPose model_;
    IkEvaluation out_;
    std::vector<JointId> joints_;  // of the goal at hand
    std::vector<BodyFrame> bodies_;
    std::vector<BodyWrenches> wrenches_;
};

Status build(const Skeleton& skeleton, std::span<const IkGoal> goals, const IkOptions& options,
             const Pose& pose, Problem& problem) {
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    if (const Status status =
            problem.build(skeleton, std::vector<IkGoal>(goals.begin(), goals.end()), options);
        !status)
        return status.error();
    for (const JointId j : problem.mechanism().active()) {
        const Trs& t = pose[j];
        if (!isFinite(t.translation) ||
            !std::isfinite(t.rotation.x + t.rotation.y + t.rotation.z + t.rotation.w))
            return Diagnostic{.what = "joint '" + skeleton.name(j) + "': its pose is not finite"};
        if (!isUniformScale(t.scale)) return scaleError(skeleton, j);
    }
    return Done{};
}

}  // namespace

Result<IkEvaluation> evaluateGoals(const Skeleton& skeleton, std::span<const IkGoal> goals,
                                   std::span<const double> dofs, const EvaluateOptions& wanted,
                                   const IkOptions& options) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    for (const double x : dofs) {
        if (!std::isfinite(x)) return Diagnostic{.what = "a coordinate is not finite"};
    }
    Pose pose = wanted.base != nullptr ? *wanted.base : restPose(skeleton);
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    applyDofs(skeleton, dofs, pose);
    Problem problem;
    if (const Status status = build(skeleton, goals, options, pose, problem); !status)
        return status.error();
    PoseEvaluation evaluation(problem, pose);
    std::vector<DofMotion> motions;
    if (wanted.gradient || wanted.jacobian)
        motions = computeDofMotions(skeleton, dofs, evaluation.model());
    if (wanted.gradient) evaluation.out().gradient.assign(dofs.size(), 0.0);
    if (wanted.jacobian) evaluation.out().jacobian.assign(problem.rowCount() * dofs.size(), 0.0);
    evaluation.addGoals(motions);
    for (std::size_t g = 0; g < goals.size(); ++g) {
        if (std::holds_alternative<PostureGoal>(goals[g].kind)) evaluation.addPosture(g, dofs);
    }
    return std::move(evaluation.out());
}

Result<IkEvaluation> evaluateGoals(const Skeleton& skeleton, std::span<const IkGoal> goals,
                                   const Pose& pose, const IkOptions& options) {
    Problem problem;
    if (const Status status = build(skeleton, goals, options, pose, problem); !status)
        return status.error();
    PoseEvaluation evaluation(problem, pose);
    evaluation.addGoals({});
    for (std::size_t g = 0; g < goals.size(); ++g) {
        if (const auto* posture = std::get_if<PostureGoal>(&goals[g].kind))
            evaluation.addPosture(g, computeDofs(skeleton, pose, posture->rest).dofs);
    }
    return std::move(evaluation.out());
}

}  // namespace ulna
