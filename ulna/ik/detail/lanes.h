// SPDX-License-Identifier: Apache-2.0

// Levenberg-Marquardt on many problems at once: each lane of the vector unit is a problem, in
// float.
//
// The same iteration as detail/least_squares.h, cut to what batches need: position and orientation
// goals of one level, bounds per coordinate, the dual system. Every lane takes every step, whether
// its last one was accepted or not; nothing passes between lanes, so an answer depends on its own
// problem alone.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/core/aligned.h"
#include "ulna/ik/detail/problem.h"

namespace ulna::ik::detail {

/// What all lanes share: the mechanism and the goals, as plain arrays.
struct LanesProgram {
    struct Link {
        std::int32_t parent = -1;
        LinkKind kind = LinkKind::RotateZ;
        bool rotated = false;
        std::uint32_t column = 0;
        std::uint32_t ball = 0;  // index among balls
        float rest[12] = {};     // x, y, z, p
        float axis[3] = {};      // Slide; Slide3: the scale in axis[0]
    };
    struct Row {
        bool point = false;
        std::uint32_t first = 0;   // row
        std::uint32_t target = 0;  // first number of its target: 3 for a point, 9 for a matrix
        std::int32_t link = -1;
        float point_in_link[3] = {};
        std::uint32_t jacobian = 0;  // first row in the Jacobian: three of `length`
        std::uint32_t length = 0;
        std::uint32_t first_range = 0;
        std::uint32_t ranges = 0;
    };
    struct Range {
        std::uint32_t begin = 0, end = 0;
    };
    std::vector<Link> links;
    std::vector<Row> rows;
    std::vector<Range> ranges;
    std::vector<std::uint32_t> shared;   // rows x rows: coordinates above both
    std::vector<float> min, max, scale;  // per column; scale is 1 / sqrt(W)
    std::uint32_t columns = 0;
    std::uint32_t balls = 0;
    std::uint32_t residuals = 0;
    std::uint32_t target_numbers = 0;
    std::uint32_t jacobian_rows = 0;
    float damping_floor = 0.0f;
};

/// Whether lanes can do this problem, and its program when they can.
[[nodiscard]] bool makeLanesProgram(const Problem& problem, LanesProgram& program);

/// The state of a block of lanes; each row has one number per lane.
struct LanesState {
    explicit LanesState(const LanesProgram& program);

    std::size_t lanes = 0;
    // What the driver writes: starts into values and turns, targets, damping; per goal its factor
    // and 1 / tolerance, both 0 for one that is off; and `fresh` for lanes that have just been
    // loaded: their next step is none, it only evaluates.
    AlignedVector<float> values, turns, targets, factors, per_tolerance, lambda, fresh;
    // What a step leaves: the cost and the largest error (in tolerances) of the pose it tried.
    AlignedVector<float> cost, tried_cost, tried_worst;
    // 1 in lanes whose last try is to become their pose; the driver decides.
    AlignedVector<float> accepted;

    // Workspace.
    AlignedVector<float> tried_values, tried_turns, frames, tried_frames, residual, tried_residual,
        twists, jacobian, dual, solution, step, gradient, rows_data, tried_rows_data;
};

/// How many lanes the machine has.
[[nodiscard]] std::size_t lanesCount();

/// Takes up the accepted tries, then makes one step in every lane and evaluates it.
void stepLanes(const LanesProgram& program, LanesState& state);

}  // namespace ulna::ik::detail
