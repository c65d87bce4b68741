// SPDX-License-Identifier: Apache-2.0

// What a batch is made of as the GPU's kernels see it: a mechanism's links, coordinates and goals,
// the problems' arrays, and what an attempt ends with.
#pragma once

#include "ulna/gpu/detail/kernel/numbers.h"

namespace ulna::gpu::kernel {

enum class Kind : int { RotateX, RotateY, RotateZ, Slide, Slide3, Ball };

/// What follows is doubles, whatever a problem is solved in.
struct Link {
    bool root;  // its parent is the model's own frame
    // Frames are kept only where a later link or a goal needs them: a chain needs none.
    int from;  // where its parent's frame is kept; -1: the link before it is its parent
    int keep;  // where its own is kept; -1: nowhere
    Kind kind;
    bool rotated;  // its rest rotation is not the identity
    bool cone;     // a ball within a cone limit
    int column;
    int ball;
    double rest[12];  // the images of the axes, and the position, in the parent's frame
    double axis[3];   // Slide: its direction; Slide3: the scale; a cone: its axis
    double swing_max, twist_min, twist_max;
};
struct Column {
    double min, max, scale;
    double low, high;  // where other starts are
    double spread;     // the irrational step between other starts
    bool bounded;
};
struct Row {
    bool point;
    bool enabled;
    int goal;
    int slot;  // where its link's frame is kept
    double point_in_link[3];
    double mount[9];  // orientation: the joint's axes in its link's frame
    double unit;      // what carries the residual to a length
    double per_tolerance;
    double weight;
    double factor;  // the root of the weight, times the unit
};

/// The targets, starts and weights of a batch. Starts and answers are states: the coordinates, then
/// four numbers for each ball.
struct Problems {
    long long count;
    const double* points;        // count x goals x 3, or null
    const double* orientations;  // count x goals x 4, or null
    const double* weights;       // count x goals, or null
    const double* starts;        // rows of states
    long long start_stride;      // 0: one row for all
    int goals;
    unsigned long long seed;
    int restarts;
    int most_steps;  // of an attempt
    double origin[3];
    double damping_floor;
};

/// What an attempt ended with.
struct Attempt {
    float cost = 0.0f;
    int steps = 0;
    bool close = false;  // near enough for double to end it
    bool spent = false;  // it ended because of its steps
};

/// A number of a problem's own targets, weights and start, so that its other starts depend on
/// nothing else.
template <class P>
ULNA_GPU_FUNCTION unsigned long long keyOf(const P& p, const Problems& all, long long problem) {
    unsigned long long key = mixBits(all.seed);
    for (int i = 0; all.points != nullptr && i < 3 * all.goals; ++i)
        key = mixBits(key ^ bitsOf(all.points[problem * 3 * all.goals + i]));
    for (int i = 0; all.orientations != nullptr && i < 4 * all.goals; ++i)
        key = mixBits(key ^ bitsOf(all.orientations[problem * 4 * all.goals + i]));
    for (int i = 0; all.weights != nullptr && i < all.goals; ++i)
        key = mixBits(key ^ bitsOf(all.weights[problem * all.goals + i]));
    const double* start = all.starts + problem * all.start_stride;
    for (int i = 0; i < p.columns() + 4 * p.balls(); ++i) key = mixBits(key ^ bitsOf(start[i]));
    return key;
}

/// What a goal weighs in a problem; 0 where it is off.
ULNA_GPU_FUNCTION double weightOf(const Problems& all, const Row& row, long long at) {
    return all.weights != nullptr && row.enabled ? all.weights[at] : row.weight;
}

/// Whether every number of a problem is finite and its weights are not negative.
template <class P>
ULNA_GPU_FUNCTION bool isSound(const P& p, const Problems& all, long long problem) {
    bool sound = true;
    const double* start = all.starts + problem * all.start_stride;
    for (int i = 0; i < p.columns() + 4 * p.balls(); ++i) sound = sound && start[i] - start[i] == 0;
    p.eachRow([&](auto r) {
        const Row row = p.row(r);
        const long long at = problem * all.goals + row.goal;
        const double weight = weightOf(all, row, at);
        sound = sound && weight >= 0.0 && weight - weight == 0;
        if (weight == 0.0) return;
        double sum = 0.0;
        if (row.point) {
            for (int k = 0; k < 3; ++k) sum += all.points[3 * at + k] * 0.0;
        } else {
            double norm2 = 0.0;
            for (int k = 0; k < 4; ++k) {
                sum += all.orientations[4 * at + k] * 0.0;
                norm2 += all.orientations[4 * at + k] * all.orientations[4 * at + k];
            }
            const double off = norm2 - 1.0;
            sound = sound && off < 2e-6 && off > -2e-6;
        }
        sound = sound && sum == 0.0;
    });
    return sound;
}

}  // namespace ulna::gpu::kernel
