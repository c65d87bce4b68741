// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/skeleton_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/fit/detail/report_start.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::fit::detail {
namespace {

// Robust rounds end when no factor changes by more than this.
constexpr double kSettled = 1e-5;

double sum(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

SkeletonRun::SkeletonRun(std::shared_ptr<const SkeletonSetup> setup, Fitter cold)
    : setup_(std::move(setup)), cold_(std::move(cold)), shape_(*setup_), solver_(*setup_) {
    // Distances below the last argument are the rounding of coordinates.
    robust_.setUp(setup_->options.loss, setup_->options.loss_scale, setup_->skeleton->planar(),
                  1e-12 * setup_->size);
    budget_.set(setup_->options.budget);
    start_model_.resize(setup_->skeleton->jointCount());
    report_.undetermined.reserve(setup_->skeleton->jointCount());
}

// Where pinned joints are to be: as the frame says, or where the start pose has them.
void SkeletonRun::takePins(const FitTargets& targets, const Pose& pose) {
    const std::vector<JointId>& pinned = setup_->options.pinned;
    if (pinned.empty()) return;
    if (targets.driven == nullptr)
        composeModelTransforms<double>(*setup_->skeleton, pose.parent_from_joint, start_model_);
    for (std::size_t i = 0; i < pinned.size(); ++i) {
        const std::size_t j = index(pinned[i]);
        shape_.pins()[i] = (targets.driven == nullptr ? start_model_[j].translation()
                                                      : targets.driven->positions[j]) -
                           setup_->origin;
    }
    shape_.aimPins(*setup_);
}

// The fit of the rig of free joints, brought to what the joints can hold, where that is nearer than
// the pose.
void SkeletonRun::startCold(const FitTargets& targets, const Pose& pose) {
    const SkeletonSetup& s = *setup_;
    cold_pose_ = restControlPose(s.rig);
    for (std::size_t i = 0; i < s.options.pinned.size(); ++i)
        cold_pose_.positions[index(s.options.pinned[i])] = shape_.pins()[i] + s.origin;
    cold_.setBudget(budget_.ofStart());
    const FitReport& report = cold_.fit({.positions = targets.positions, .mask = targets.mask},
                                        FitStart::Cold, cold_pose_);
    if (report.status == FitStatus::BadTarget) return;
    Pose start = makePose(*s.skeleton, s.bind, cold_pose_);
    for (const JointId j : s.skeleton->joints()) {
        start[j].scale = pose[j].scale;
        if (!s.skeleton->translates(j)) start[j].translation = pose[j].translation;
        if (!s.mechanism.moves(j)) start[j] = pose[j];
    }
    shape_.use(s, SkeletonShape::Masses::Own, solver_.system());
    solver_.startFromBetter(s, start);
}

// Iteratively reweighted least squares: see detail/robust.h.
void SkeletonRun::solveRobust(FitStart start) {
    using Masses = SkeletonShape::Masses;
    robust_.restart();
    if (start == FitStart::Cold) {
        shape_.use(*setup_, Masses::Own, solver_.system());
        solvePinned(Masses::Own);
    }
    for (int round = 0; round < kMostRounds; ++round) {
        if (budget_.isSpent()) return;
        static_cast<void>(shape_.measure(*setup_, solver_.now().matrices));
        const double change =
            robust_.weigh(shape_.ownMasses(), shape_.distances(), shape_.robustMasses());
        if (change < kSettled) return;
        shape_.use(*setup_, Masses::Robust, solver_.system());
        solvePinned(Masses::Robust);
    }
    if (!budget_.isSpent()) report_.status = FitStatus::MaxIterations;
}

void SkeletonRun::writeReport() {
    const SkeletonSetup& s = *setup_;
    rank_.find(solver_.matrix(), s.rank_units, solver_.system().mass() > 0.0, report_);
    const Leftover left = shape_.measure(s, solver_.now().matrices);
    const double mass = sum(shape_.ownMasses());
    report_.rms = mass > 0.0 ? std::sqrt(left.sum / mass) : 0.0;
    report_.worst_vertex = left.worst;
    report_.worst_distance = left.worst_distance;
    if (s.options.loss != FitLoss::Squares)
        report_.robust = robust_.examine(shape_.ownMasses(), shape_.distances());
}

const FitReport& SkeletonRun::fit(const FitTargets& targets, FitStart start, Pose& pose) {
    const SkeletonSetup& s = *setup_;
    ULNA_ASSERT(targets.positions.size() == s.vertexCount(), "a fit needs a target per vertex");
    ULNA_ASSERT(targets.mask.empty() || targets.mask.size() == s.vertexCount(),
                "a mask needs a factor per vertex");
    ULNA_ASSERT(pose.parent_from_joint.size() == s.skeleton->jointCount(),
                "the pose needs one transform per joint");
    begin(report_);
    budget_.begin();
    const std::size_t bad = shape_.setTargets(s, targets);
    if (bad < s.vertexCount()) {
        refuse(bad, report_);
        return report_;
    }
    takePins(targets, pose);
    solver_.start(s, pose);
    const bool shown = sum(shape_.ownMasses()) > 0.0;
    if (shown && start == FitStart::Cold) startCold(targets, pose);
    if (!shown && s.options.pinned.empty()) {
        shape_.use(s, SkeletonShape::Masses::Own, solver_.system());
        solver_.linearize(s);
        report_.status = FitStatus::Converged;
    } else if (s.options.loss == FitLoss::Squares) {
        shape_.use(s, SkeletonShape::Masses::Own, solver_.system());
        solvePinned(SkeletonShape::Masses::Own);
    } else {
        solveRobust(start);
    }
    writeReport();
    std::copy(solver_.now().pose.parent_from_joint.begin(),
              solver_.now().pose.parent_from_joint.end(), pose.parent_from_joint.begin());
    return report_;
}

}  // namespace ulna::fit::detail
