// SPDX-License-Identifier: Apache-2.0

// The damped Newton iteration, with its state in plain sight.
//
// Gauss-Newton with Levenberg's damping (Levenberg 1944, Marquardt 1963): a step that raises the
// cost is tried again with more damping; once one is accepted full steps are tried again, unless
// they keep failing. Where small steps shrink slowly, the residual bends the cost, and the full
// second derivatives of Newton's method take over. The iteration ends when what
// is left to move, judged by the rate at which steps shrink, is below the tolerance. For a step
// that respects limits see solve/bounded_step.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ulna {

/// Damping that only settles what nothing determines: in units of the diagonal, well above rounding
/// and far below what slows a determined step.
inline constexpr double kSettlingDamping = 1e-9;

/// A step that is shorter than this, in units of the size, changes nothing but rounding: it is as
/// good as any.
inline constexpr double kRoundingStep = 1e-13;

/// Which second derivatives a step uses.
enum class Curvature : std::uint8_t { GaussNewton, Newton };

/// The state of an iteration between its steps.
struct NewtonPace {
    double damping = kSettlingDamping;
    double last_length = 0.0;  // of the accepted step before; 0: there was none
    Curvature curvature = Curvature::GaussNewton;
    bool rejected = false;         // whether a step was, since the last accepted one
    bool rejected_before = false;  // whether one was, between the two accepted before
    /// Full steps overshoot again and again, as in a narrow valley: the damping is lowered and
    /// raised by tens, until full steps are accepted.
    bool careful = false;

    /// Whether another try of a rejected step is worth making.
    [[nodiscard]] bool maySolve() const;
    /// After a step that was rejected, or a matrix that was not positive definite.
    void reject();
    /// After an accepted step of this length.
    void accept(double length);
    /// What is left to move after an accepted step of this length, if steps go on shrinking as they
    /// have since the step before. To be asked before accept().
    [[nodiscard]] double remaining(double length) const;
};

/// A step that was tried: how far it moves the vertices, as root mean square in units of the size,
/// and by how much it changes the cost.
struct TriedStep {
    double length = 0.0;
    double cost_change = 0.0;
};

enum class NewtonOutcome : std::uint8_t { Converged, NoStepDescends, MaxIterations, Stopped };

/// Iterates until at most `tolerance` is left to move, or for `max_iterations`. A Problem has
///   std::optional<TriedStep> tryStep(Curvature, double damping): nothing where the matrix is not
///       positive definite;
///   void acceptStep(): moves to where the last step that was tried leads;
///   bool mayEnd(): whether anything besides the remaining motion asks for more iterations;
///   bool mayGoOn(): asked before every iteration; where it says no, the outcome is Stopped;
///   void watch(): called before every iteration and at the end.
/// `iterations` is counted up.
template <class Problem>
NewtonOutcome runDampedNewton(Problem& problem, double tolerance, int max_iterations,
                              int& iterations) {
    NewtonPace pace;
    NewtonOutcome outcome = NewtonOutcome::MaxIterations;
    for (int left = max_iterations; left > 0; --left) {
        if (!problem.mayGoOn()) {
            outcome = NewtonOutcome::Stopped;
            break;
        }
        problem.watch();
        ++iterations;
        std::optional<TriedStep> step;
        bool accepted = false;
        while (!accepted && pace.maySolve()) {
            step = problem.tryStep(pace.curvature, pace.damping);
            accepted = step && (step->cost_change <= 0.0 || step->length < kRoundingStep);
            if (!accepted) pace.reject();
        }
        if (!accepted) {
            outcome = NewtonOutcome::NoStepDescends;
            break;
        }
        problem.acceptStep();
        if (pace.remaining(step->length) <= tolerance && problem.mayEnd()) {
            outcome = NewtonOutcome::Converged;
            break;
        }
        pace.accept(step->length);
    }
    problem.watch();
    return outcome;
}

}  // namespace ulna
