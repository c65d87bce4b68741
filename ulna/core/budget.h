// SPDX-License-Identifier: Apache-2.0

// Budget: when an iterative solve must end, whatever it has found by then.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>

namespace ulna {

/// Where an iteration is.
struct SolveProgress {
    int iterations = 0;  ///< of all attempts so far
    double cost = 0.0;   ///< what the solve lowers
};

/// Bounds of a solve besides its own. When one is met, the solve ends with its best answer so far,
/// which is as valid as any (inside its limits, with a true report), and says so by its status. An
/// empty budget lets the solve end by itself.
struct Budget {
    int iterations = 0;  ///< of all attempts together; 0: no bound
    std::optional<std::chrono::steady_clock::time_point> deadline = {};
    /// Another thread may set it to end the solve. It must outlive the solve.
    const std::atomic<bool>* stop = nullptr;
    /// Called before every iteration, in the thread that solves; returning false ends the solve.
    /// Where a batch or a sequence uses several threads, they call it at once.
    std::function<bool(const SolveProgress&)> observer = {};

    /// Whether the solve must end now; calls the observer.
    [[nodiscard]] bool isSpent(const SolveProgress& progress) const {
        if (iterations > 0 && progress.iterations >= iterations) return true;
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) return true;
        if (deadline && std::chrono::steady_clock::now() >= *deadline) return true;
        return observer && !observer(progress);
    }
};

}  // namespace ulna
