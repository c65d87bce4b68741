// SPDX-License-Identifier: Apache-2.0

// Contests: candidates take turns within one run, and the best round of each counts, so that a
// noisy machine disturbs all of them alike. Time is this thread's CPU time.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ulna::bench {

struct Candidate {
    std::string name;
    std::function<void()> work;
    double items = 1.0;  ///< what one call of `work` does, in the contest's unit
    double best = 0.0;   ///< filled in: seconds per item
};

/// Runs the candidates in turn for `rounds` rounds of about `round_seconds` each.
void compete(std::vector<Candidate>& candidates, int rounds = 15, double round_seconds = 0.05);

/// Seconds of CPU time this thread has used.
[[nodiscard]] double threadSeconds();

/// Keeps the compiler from dropping a computation.
template <class T>
void keep(const T& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

/// Prints a table: name, nanoseconds per item, and the ratio to the first candidate.
void printNanoseconds(const std::string& title, const std::string& item,
                      const std::vector<Candidate>& candidates);

void benchKinematics();
void benchBvh();
void benchIk();
void benchMotion();
void benchSkin();
void benchWeights();
void benchFit();
void benchRetarget();

}  // namespace ulna::bench
