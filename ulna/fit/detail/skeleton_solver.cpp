// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/skeleton_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::fit::detail {
namespace {

// Where no step lowers the cost, a gradient below these has come to rest in rounding: of its own,
// and, since a step's share of a large cost is lost long before the gradient is, of the cost's (the
// root of 1e-16, with room).
constexpr double kRounding = 1e-10;
constexpr double kRoundingOfCost = 1e-7;

// So often the iteration goes on in other coordinates of the pose that it has come to.
constexpr int kMostChanges = 8;

}  // namespace

SkeletonSolver::SkeletonSolver(const SkeletonSetup& setup)
    : mechanism_(setup.mechanism),
      smoothness_(setup.options.smoothness),
      bounded_(setup.columns.size()),
      twists_(setup.columns.size()),
      descent_(setup.columns.size()),
      matrix_(setup.columns.size() * setup.columns.size()),
      bent_(matrix_.size()) {
    const std::size_t joints = setup.skeleton->jointCount();
    system_.build(*setup.skeleton, setup.pack);
    mechanism_twists_.resize(setup.columns.size());
    for (PlacedSkeleton* placed : {&now_, &trial_}) {
        placed->pose.parent_from_joint.resize(joints);
        placed->model.resize(joints);
        placed->matrices.resize(joints);
        placed->residual.resize(joints);
    }
}

void SkeletonSolver::start(const SkeletonSetup& setup, const Pose& pose) {
    for (std::size_t j = 0; j < pose.parent_from_joint.size(); ++j) {
        Trs& own = now_.pose.parent_from_joint[j];
        own = pose.parent_from_joint[j];
        own.rotation = normalized(own.rotation);
    }
    trial_.pose.parent_from_joint = now_.pose.parent_from_joint;
    mechanism_.refresh(now_.pose);
    mechanism_.load(now_.pose, now_.state);
    mechanism_.clamp(now_.state);
    trial_.state = now_.state;
    smoothness_.begin(now_.state);
    place(setup, now_);
}

void SkeletonSolver::startFromBetter(const SkeletonSetup& setup, const Pose& pose) {
    mechanism_.load(pose, trial_.state);
    mechanism_.clamp(trial_.state);
    evaluate(setup, now_);
    evaluate(setup, trial_);
    if (dataChange(now_, trial_) < 0.0) std::swap(now_, trial_);
    smoothness_.begin(now_.state);
}

void SkeletonSolver::swapState(const SkeletonSetup& setup, MechanismState& other) {
    std::swap(now_.state, other);
    place(setup, now_);
}

void SkeletonSolver::place(const SkeletonSetup& setup, PlacedSkeleton& at) const {
    mechanism_.store(at.state, at.pose);
    composeModelTransforms<double>(*setup.skeleton, at.pose.parent_from_joint, at.model);
    for (std::size_t j = 0; j < at.model.size(); ++j) {
        const Affine posed_from_bind = at.model[j] * setup.joint_from_bind[j];
        const Vec3 moved = posed_from_bind * setup.origin - setup.origin;
        for (std::size_t c = 0; c < 3; ++c) {
            const Vec3 column = posed_from_bind.column(c);
            at.matrices[j][c] = {column.x, column.y, column.z, 0.0};
        }
        at.matrices[j][3] = {moved.x, moved.y, moved.z, 0.0};
    }
}

void SkeletonSolver::evaluate(const SkeletonSetup& setup, PlacedSkeleton& at) {
    place(setup, at);
    system_.computeResidual(at.matrices, at.residual);
}

// By how much the cost of the vertices changes, as a product that does not cancel.
double SkeletonSolver::dataChange(const PlacedSkeleton& from, const PlacedSkeleton& to) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < from.matrices.size(); ++j) {
        for (std::size_t c = 0; c < 4; ++c) {
            for (std::size_t r = 0; r < 3; ++r) {
                sum -= 0.5 * (to.matrices[j][c][r] - from.matrices[j][c][r]) *
                       (to.residual[j][c][r] + from.residual[j][c][r]);
            }
        }
    }
    return sum;
}

// Those of the mechanism, whose origin is its first root, about the middle of the vertices.
void SkeletonSolver::computeTwists(const SkeletonSetup& setup) {
    mechanism_.computeFrames(now_.state, frames_);
    mechanism_.computeTwists(now_.state, frames_, mechanism_twists_);
    const Mechanism::Twists& t = mechanism_twists_;
    const Vec3 shift = setup.origin - mechanism_.origin();
    for (std::size_t c = 0; c < twists_.size(); ++c) {
        const Vec3 angular{t.ax[c], t.ay[c], t.az[c]};
        twists_[c] = {angular, Vec3{t.bx[c], t.by[c], t.bz[c]} + cross(angular, shift)};
    }
}

void SkeletonSolver::linearize(const SkeletonSetup& setup) {
    system_.computeResidual(now_.matrices, now_.residual);
    linearizeEvaluated(setup);
}

void SkeletonSolver::linearizeEvaluated(const SkeletonSetup& setup) {
    computeTwists(setup);
    system_.computeDescent(now_.matrices, now_.residual, setup.columns, twists_, descent_);
    system_.computeMatrix(now_.matrices, setup.columns, twists_, matrix_);
    smoothness_.add(mechanism_, now_.state, matrix_, descent_);
    mechanism_.computeRoom(now_.state, bounded_.down(), bounded_.up());
}

// The matrix of a step: Newton's, or Gauss-Newton's. A swing that is held at its cone bends the way
// along the cone, which Gauss-Newton would not see.
std::span<const double> SkeletonSolver::stepMatrix(const SkeletonSetup& setup,
                                                   Curvature curvature) {
    const bool newton = curvature == Curvature::Newton;
    if (!newton && !mechanism_.hasCones()) return matrix_;
    const std::size_t n = setup.columns.size();
    std::copy(matrix_.begin(), matrix_.end(), bent_.begin());
    if (newton) system_.addCurvature(*setup.skeleton, setup.columns, twists_, bent_);
    for (const std::uint32_t i : mechanism_.coneLinks()) {
        const std::size_t c = mechanism_.links()[i].column;
        const Mechanism::ConeBend bend = mechanism_.coneBend(
            mechanism_.links()[i], now_.state.rotations[i], std::span(descent_).subspan(c, 3));
        if (newton) {
            bent_[(c + 1) * n + c] += bend.swing_around;
            bent_[(c + 1) * n + c + 1] += bend.around_around;
            bent_[(c + 2) * n + c] += bend.swing_twist;
            bent_[(c + 2) * n + c + 1] += bend.around_twist;
        } else if (bounded_.isPushed(c, descent_[c])) {
            bent_[(c + 1) * n + c + 1] += bend.around_around;
        }
    }
    return bent_;
}

// How far the step moves the vertices, to first order: the sum of masses times squared distances.
// Where no limit stops it that is the work of the descent along it.
double SkeletonSolver::squaredMotion() const {
    const std::span<const double> step = bounded_.step();
    const std::size_t n = step.size();
    double sum = 0.0;
    if (!bounded_.isStopped()) {
        for (std::size_t i = 0; i < n; ++i) sum += step[i] * descent_[i];
        return std::abs(sum);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double* row = matrix_.data() + i * n;
        double twice = 0.0;
        for (std::size_t k = 0; k < i; ++k) twice += row[k] * step[k];
        sum += step[i] * (2.0 * twice + row[i] * step[i]);
    }
    return std::abs(sum);
}

// What runDampedNewton asks of a skeleton and a shape.
class SkeletonSolver::NewtonProblem {
  public:
    NewtonProblem(SkeletonSolver& solver, const SkeletonSetup& setup, SkeletonShape& shape,
                  double tolerance, FrameBudget& budget, FitReport& report)
        : solver_(solver),
          setup_(setup),
          shape_(shape),
          tolerance_(tolerance),
          budget_(budget),
          report_(report) {}

    std::optional<TriedStep> tryStep(Curvature curvature, double damping) {
        SkeletonSolver& s = solver_;
        if (!s.bounded_.compute(s.stepMatrix(setup_, curvature), s.descent_, damping))
            return std::nullopt;
        const std::span<const double> step = s.bounded_.step();
        s.mechanism_.retract(s.now_.state, step, s.trial_.state);
        s.evaluate(setup_, s.trial_);
        const double change = s.dataChange(s.now_, s.trial_) +
                              s.smoothness_.costChange(s.mechanism_, s.now_.state, s.trial_.state);
        return TriedStep{rmsOf(s.squaredMotion()), change};
    }
    void acceptStep() {
        std::swap(solver_.now_, solver_.trial_);
        solver_.linearizeEvaluated(setup_);
        noteGradient();
    }
    // Not while a coordinate that was held at its limit asks to leave it.
    [[nodiscard]] bool mayEnd() const {
        const SkeletonSolver& s = solver_;
        const std::size_t n = s.descent_.size();
        for (std::size_t i = 0; i < n; ++i) {
            if (!s.bounded_.isHeld(i) || s.bounded_.isPushed(i, s.descent_[i])) continue;
            const double own = s.descent_[i] * s.descent_[i];
            if (rmsOf(own / s.matrix_[i * n + i]) > tolerance_) return false;
        }
        return true;
    }
    [[nodiscard]] bool mayGoOn() {
        return budget_.mayGoOn(report_.iterations, [&] {
            return 0.5 * shape_.measure(setup_, solver_.now_.matrices).sum;
        });
    }
    void watch() {
        if (setup_.options.record_history) report_.history.push_back({rms(), report_.gradient});
    }

    void noteGradient() {
        report_.gradient = solver_.bounded_.gradientInside(solver_.descent_) /
                           (shape_.mass() * setup_.size * setup_.size);
    }
    [[nodiscard]] double rms() {
        return std::sqrt(shape_.measure(setup_, solver_.now_.matrices).sum / shape_.mass());
    }

  private:
    // The root mean square over the vertices, in units of the size.
    [[nodiscard]] double rmsOf(double squares) const {
        return std::sqrt(squares / shape_.mass()) / setup_.size;
    }

    SkeletonSolver& solver_;
    const SkeletonSetup& setup_;
    SkeletonShape& shape_;
    double tolerance_;
    FrameBudget& budget_;
    FitReport& report_;
};

void SkeletonSolver::solve(const SkeletonSetup& setup, SkeletonShape& shape, double tolerance,
                           FrameBudget& budget, FitReport& report) {
    NewtonProblem problem(*this, setup, shape, tolerance, budget, report);
    const int most = report.iterations + setup.options.max_iterations;
    NewtonOutcome outcome = NewtonOutcome::Converged;
    for (int changes = 0; changes <= kMostChanges; ++changes) {
        linearize(setup);
        problem.noteGradient();
        outcome = runDampedNewton(problem, tolerance, most - report.iterations, report.iterations);
        const bool ended =
            outcome == NewtonOutcome::Converged || outcome == NewtonOutcome::NoStepDescends;
        if (!ended || !changeCoordinates(setup)) break;
    }
    switch (outcome) {
        case NewtonOutcome::Converged:
            report.status = FitStatus::Converged;
            break;
        case NewtonOutcome::NoStepDescends: {
            const double left = problem.rms() / setup.size;
            const bool rounding = report.gradient < kRounding + kRoundingOfCost * left;
            report.status = rounding ? FitStatus::Converged : FitStatus::Stalled;
            break;
        }
        case NewtonOutcome::MaxIterations:
            report.status = FitStatus::MaxIterations;
            break;
        case NewtonOutcome::Stopped:
            report.status = FitStatus::Stopped;
            break;
    }
}

}  // namespace ulna::fit::detail
