// SPDX-License-Identifier: Apache-2.0

// A batch in waves: some attempts of every problem that is not solved yet, then a judgement in
// double.
//
// The first attempt that double accepts is the answer, in the order of the attempts, so that it
// does not matter how many of them a wave makes at once, nor in which order they end. Waves of few
// problems make many attempts at once: otherwise a few hard problems would leave the card idle.
#pragma once

#include "ulna/gpu/detail/kernel/solve.h"

namespace ulna::gpu::kernel {

/// One wave: `width` attempts of each problem of a list.
struct Wave {
    long long problems;
    const int* list;  // the problems; null: all of them, in order
    int width;
    int first_attempt;
    bool last;      // no attempt comes after this wave
    float* states;  // per attempt: the coordinates, then the balls
    Attempt* attempts;
};

/// What becomes of the problems.
struct Answers {
    double* states;
    float* best_cost;
    int* status;  // IkStatus
    int* iterations;
    int* attempts;
    double* error;
};

// In the order of IkStatus.
enum Ending : int { kReached = 0, kStalled = 2, kMaxIterations = 3, kBadGoal = 4 };

// Float must do a little better than asked, so that double agrees; where it has ended this close,
// in tolerances, double goes on.
constexpr float kEnough = 0.9f;
constexpr float kClose = 100.0f;
constexpr int kMendingSteps = 20;

/// A solver that goes from attempt to attempt.
template <class P>
class Worker {
  public:
    ULNA_GPU_FUNCTION Worker(const P& program, const Problems& all, const Wave& wave)
        : solver_(program), all_(all), wave_(wave) {}

    /// Begins an attempt of the wave. False when there is nothing to do: its problem makes no
    /// sense.
    ULNA_GPU_FUNCTION bool begin(long long slot) {
        slot_ = slot;
        const long long place = slot / wave_.width;
        const long long problem = wave_.list != nullptr ? wave_.list[place] : place;
        const int attempt = wave_.first_attempt + static_cast<int>(slot - place * wave_.width);
        if (attempt == 0 && !isSound(solver_.p, all_, problem)) {
            wave_.attempts[slot] = {-1.0f, 0, false, false};
            return false;
        }
        solver_.load(all_, problem);
        solver_.begin(all_, problem, attempt);
        return true;
    }

    /// One step of the attempt; false when it has ended, and its end is noted.
    ULNA_GPU_FUNCTION bool step() {
        if (solver_.step(kEnough)) return true;
        const auto& p = solver_.p;
        float* out = wave_.states + slot_ * (p.columns() + 4 * p.balls());
        p.eachColumn([&](auto c) { out[c] = solver_.value[c]; });
        for (int k = 0; k < 4 * p.balls(); ++k) out[p.columns() + k] = solver_.turn[k];
        wave_.attempts[slot_] = {solver_.cost, solver_.steps, solver_.worst <= kClose,
                                 solver_.steps >= all_.most_steps};
        return false;
    }

  private:
    Solver<P, float> solver_;
    const Problems& all_;
    const Wave& wave_;
    long long slot_ = 0;
};

template <class P>
ULNA_GPU_FUNCTION void copyState(const P& p, const Solver<P, double>& from, double* to) {
    p.eachColumn([&](auto c) { to[c] = from.value[c]; });
    for (int k = 0; k < 4 * p.balls(); ++k) to[p.columns() + k] = from.turn[k];
}

// A state in double, inside its limits.
template <class P, class T>
ULNA_GPU_FUNCTION void takeState(const P& p, const T* from, Solver<P, double>& to) {
    p.eachColumn([&](auto c) {
        const Column column = p.column(c);
        to.tried[c] = most(least(double(from[c]), column.max), column.min);
    });
    for (int b = 0; b < p.balls(); ++b) {
        double* q = to.tried_turn + 4 * b;
        double norm2 = 0.0;
        for (int k = 0; k < 4; ++k) {
            q[k] = double(from[p.columns() + 4 * b + k]);
            norm2 += q[k] * q[k];
        }
        const double inverse = inverseRoot(norm2);
        for (int k = 0; k < 4; ++k) q[k] *= inverse;
    }
    to.restart();
}

/// Judges a wave's attempts at one of its problems, in double, in order. True when there is nothing
/// left to try.
template <class P>
ULNA_GPU_FUNCTION bool settle(const P& p, const Problems& all, const Wave& wave,
                              const Answers& answers, long long place) {
    const long long problem = wave.list != nullptr ? wave.list[place] : place;
    const int numbers = p.columns() + 4 * p.balls();
    double* answer = answers.states + problem * numbers;
    Problems mending = all;
    mending.most_steps = kMendingSteps;
    Solver<P, double> solver(p);
    if (wave.first_attempt == 0) {
        answers.iterations[problem] = 0;
        if (wave.attempts[place * wave.width].cost < 0.0f) {
            for (int k = 0; k < numbers; ++k)
                answer[k] = all.starts[problem * all.start_stride + k];
            answers.status[problem] = kBadGoal;
            answers.attempts[problem] = 1;
            answers.error[problem] = 0.0;
            return true;
        }
    }
    solver.load(mending, problem);
    bool spent = false;
    int best = -1;
    float best_cost = wave.first_attempt == 0 ? 0.0f : answers.best_cost[problem];
    for (int i = 0; i < wave.width; ++i) {
        const Attempt& attempt = wave.attempts[place * wave.width + i];
        const float* state = wave.states + (place * wave.width + i) * numbers;
        answers.iterations[problem] += attempt.steps;
        spent = attempt.spent;
        if (attempt.close) {
            takeState(p, state, solver);
            while (solver.step(1.0)) continue;
            answers.iterations[problem] += solver.steps;
            if (solver.worst <= 1.0) {
                copyState(p, solver, answer);
                answers.status[problem] = kReached;
                answers.attempts[problem] = wave.first_attempt + i + 1;
                answers.error[problem] = solver.worst;
                return true;
            }
        }
        // The very first counts whatever it costs: far targets overflow.
        if ((wave.first_attempt == 0 && i == 0) || attempt.cost < best_cost) {
            best_cost = attempt.cost;
            best = i;
        }
    }
    if (best >= 0) {
        answers.best_cost[problem] = best_cost;
        takeState(p, wave.states + (place * wave.width + best) * numbers, solver);
        p.eachColumn([&](auto c) { answer[c] = solver.tried[c]; });
        for (int k = 0; k < 4 * p.balls(); ++k) answer[p.columns() + k] = solver.tried_turn[k];
    }
    if (!wave.last) return false;
    takeState(p, answer, solver);
    mending.most_steps = 0;
    solver.load(mending, problem);
    solver.step(0.0);
    answers.error[problem] = solver.worst;
    answers.status[problem] = spent ? kMaxIterations : kStalled;
    answers.attempts[problem] = wave.first_attempt + wave.width;
    return true;
}

}  // namespace ulna::gpu::kernel
