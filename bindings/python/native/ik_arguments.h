// SPDX-License-Identifier: Apache-2.0

// Goals and options of inverse kinematics as Python hands them over.
#pragma once

#include "bindings/python/native/common.h"
#include "ulna/ik/clip_goal.h"
#include "ulna/ik/options.h"
#include "ulna/ik/report.h"

namespace ulna::python {

/// What a goal's Python function raised while solvers called it.
class CustomFailure {
  public:
    CustomFailure() : failure_(std::make_shared<std::exception_ptr>()) {}
    [[nodiscard]] std::shared_ptr<std::exception_ptr> place() const { return failure_; }
    /// Raises it.
    void finish() const {
        if (*failure_) std::rethrow_exception(std::exchange(*failure_, nullptr));
    }

  private:
    std::shared_ptr<std::exception_ptr> failure_;
};

/// Ctrl-C ends a solve: the budget's observer looks for signals, at most twenty times a second.
class Interrupt {
  public:
    explicit Interrupt(IkOptions& options);
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    /// Raises what a signal raised.
    void finish();

  private:
    std::exception_ptr failure_;
    std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
};

/// Goals in the words of goals files (docs/ik/goals-file.md), and those with functions.
[[nodiscard]] std::vector<IkClipGoal> goalsOf(const Skeleton& skeleton, const Vec3& forward,
                                              const Goals& goals, const CustomFailure& failure);
[[nodiscard]] std::vector<IkClipGoal> goalsOf(const Character& character, const Goals& goals,
                                              const CustomFailure& failure);

/// Options that all functions share.
struct SolverWords {
    std::string method;
    MaybeJointRefs locked;
    Stiffness stiffness;
    MaybeJointRef chain;
    double tolerance = 0.0;
    double angle_tolerance = 1e-4;
    int max_iterations = 0;
    std::uint64_t seed = 1;
    bool continuity = false;
    bool history = false;
};
[[nodiscard]] IkOptions solverOptions(const Skeleton& skeleton, const SolverWords& words);

void bindIkArguments(py::module_& m);

}  // namespace ulna::python
