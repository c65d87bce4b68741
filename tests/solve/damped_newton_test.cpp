// SPDX-License-Identifier: Apache-2.0

#include "ulna/solve/damped_newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace ulna {
namespace {

// A cost of one variable with a chosen Gauss-Newton curvature beside the true one.
struct OneVariable {
    std::function<double(double)> cost, slope, gauss_newton, newton;
    double x = 0.0, trial = 0.0;
    int watched = 0, newton_steps = 0, tries = 0, stop_after = 1000;
    bool may_end = true;

    std::optional<TriedStep> tryStep(Curvature curvature, double damping) {
        ++tries;
        const double own = curvature == Curvature::Newton ? newton(x) : gauss_newton(x);
        if (!(own > 0.0)) return std::nullopt;
        newton_steps += curvature == Curvature::Newton ? 1 : 0;
        const double step = -slope(x) / (own * (1.0 + damping));
        trial = x + step;
        return TriedStep{std::abs(step), cost(trial) - cost(x)};
    }
    void acceptStep() { x = trial; }
    [[nodiscard]] bool mayEnd() const { return may_end; }
    [[nodiscard]] bool mayGoOn() const { return watched < stop_after; }
    void watch() { ++watched; }
};

// (r(x))^2 / 2 with r = exp(x) - target.
OneVariable exponential(double target) {
    return {.cost = [=](double x) { return 0.5 * std::pow(std::exp(x) - target, 2); },
            .slope = [=](double x) { return (std::exp(x) - target) * std::exp(x); },
            .gauss_newton = [](double x) { return std::exp(2.0 * x); },
            .newton = [=](double x) { return std::exp(x) * (2.0 * std::exp(x) - target); }};
}

// Two residuals that cannot both vanish: x^2 - 1 and c (x - 3). At the minimum Gauss-Newton is
// slow, because the first one's second derivative counts.
OneVariable bent() {
    constexpr double c = 0.5;
    return {
        .cost =
            [](double x) { return 0.5 * (std::pow(x * x - 1.0, 2) + c * std::pow(x - 3.0, 2)); },
        .slope = [](double x) { return 2.0 * x * (x * x - 1.0) + c * (x - 3.0); },
        .gauss_newton = [](double x) { return 4.0 * x * x + c; },
        .newton = [](double x) { return 6.0 * x * x - 2.0 + c; },
        .x = 2.0};
}

TEST(DampedNewton, ConvergesToTheMinimum) {
    OneVariable problem = exponential(2.0);
    int iterations = 0;
    EXPECT_EQ(runDampedNewton(problem, 1e-12, 50, iterations), NewtonOutcome::Converged);
    EXPECT_NEAR(problem.x, std::log(2.0), 1e-12);
    EXPECT_LT(iterations, 10);
    EXPECT_EQ(problem.watched, iterations + 1);
}

TEST(DampedNewton, DampsStepsThatWouldRaiseTheCost) {
    OneVariable problem = exponential(2.0);
    problem.x = -3.0;  // from here the full step goes to e^36
    int iterations = 0;
    EXPECT_EQ(runDampedNewton(problem, 1e-12, 100, iterations), NewtonOutcome::Converged);
    EXPECT_NEAR(problem.x, std::log(2.0), 1e-12);
    EXPECT_GT(problem.tries, iterations);
}

TEST(DampedNewton, TurnsToSecondDerivativesWhereGaussNewtonIsSlow) {
    OneVariable problem = bent();
    int iterations = 0;
    EXPECT_EQ(runDampedNewton(problem, 1e-13, 50, iterations), NewtonOutcome::Converged);
    EXPECT_NEAR(problem.slope(problem.x), 0.0, 1e-12);
    EXPECT_GT(problem.newton_steps, 0);
    // Gauss-Newton alone needs more.
    OneVariable slow = bent();
    slow.newton = [](double) { return -1.0; };
    int slow_iterations = 0;
    EXPECT_EQ(runDampedNewton(slow, 1e-13, 500, slow_iterations), NewtonOutcome::Converged);
    EXPECT_NEAR(slow.x, problem.x, 1e-12);
    EXPECT_GT(slow_iterations, iterations);
}

TEST(DampedNewton, SaysWhereNoStepDescendsAndWhereIterationsEnd) {
    OneVariable uphill = exponential(2.0);
    uphill.slope = [](double) { return -1.0; };
    uphill.cost = [](double x) { return std::abs(x); };  // the slope lies: every step raises it
    int iterations = 0;
    EXPECT_EQ(runDampedNewton(uphill, 1e-12, 50, iterations), NewtonOutcome::NoStepDescends);
    EXPECT_EQ(uphill.x, 0.0);

    OneVariable cut = exponential(2.0);
    iterations = 7;  // counted on
    EXPECT_EQ(runDampedNewton(cut, 1e-12, 2, iterations), NewtonOutcome::MaxIterations);
    EXPECT_EQ(iterations, 9);
}

TEST(DampedNewton, StopsBeforeTheIterationThatTheProblemDoesNotAllow) {
    OneVariable problem = exponential(2.0), cut = exponential(2.0);
    problem.stop_after = 3;
    int iterations = 0;
    EXPECT_EQ(runDampedNewton(problem, 1e-12, 50, iterations), NewtonOutcome::Stopped);
    EXPECT_EQ(iterations, 3);
    EXPECT_EQ(problem.watched, 4);  // before each, and at the end
    int cut_iterations = 0;
    EXPECT_EQ(runDampedNewton(cut, 1e-12, 3, cut_iterations), NewtonOutcome::MaxIterations);
    EXPECT_EQ(problem.x, cut.x);
}

TEST(DampedNewton, GoesOnWhileTheProblemAsksForMore) {
    OneVariable problem = exponential(2.0);
    problem.may_end = false;
    int iterations = 0;
    EXPECT_EQ(runDampedNewton(problem, 1e-12, 20, iterations), NewtonOutcome::MaxIterations);
    EXPECT_EQ(iterations, 20);
}

TEST(NewtonPace, JudgesWhatIsLeftByTheRate) {
    NewtonPace pace;
    EXPECT_DOUBLE_EQ(pace.remaining(0.1), 0.1);  // nothing to compare with yet
    pace.accept(0.1);
    // Steps of 0.01 that go on shrinking to a tenth: 0.001 + 0.0001 + ... are left.
    EXPECT_NEAR(pace.remaining(0.01), 0.01 / 9.0, 1e-15);
    EXPECT_DOUBLE_EQ(pace.remaining(0.099), 0.099);  // too slow to tell
}

// A valley in which the full step overshoots again and again: the damping that fits is approached
// by tens, from above and from below.
TEST(NewtonPace, LowersItsDampingByTensWhereFullStepsOvershootAgain) {
    NewtonPace pace;
    const auto overshoot = [&] {
        while (pace.damping < 0.9e-3) pace.reject();
        pace.accept(1e-3);
    };
    overshoot();
    EXPECT_EQ(pace.damping, kSettlingDamping);  // once is chance
    overshoot();
    EXPECT_NEAR(pace.damping, 1e-4, 1e-12);
    pace.accept(1e-3);
    EXPECT_NEAR(pace.damping, 1e-5, 1e-13);
    pace.reject();  // Newton's step
    pace.reject();
    EXPECT_NEAR(pace.damping, 1e-4, 1e-12);
    for (int i = 0; i < 6; ++i) pace.accept(1e-3);
    EXPECT_EQ(pace.damping, kSettlingDamping);
    pace.accept(1e-3);
    pace.reject();
    pace.reject();
    EXPECT_NEAR(pace.damping, 1e-3, 1e-12);  // full steps were good: the first damping again
}

}  // namespace
}  // namespace ulna
