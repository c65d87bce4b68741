// SPDX-License-Identifier: Apache-2.0

// The gradient of a cost at a pose, the room of each coordinate within its limits, and which
// coordinates may move: what every kind of step starts from.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/ik/detail/problem.h"

namespace ulna::ik::detail {

// A pose is stationary when the gradient is below this part of what the residual could exert.
inline constexpr double kStationary = 1e-7;
// Where steps no longer lower the cost, rounding has the last word on the gradient.
inline constexpr double kNearlyStationary = 1e-4;

struct BoundedGradient {
    /// A coordinate that is not free is held where it is (Blocked), or moves to its limit and stays
    /// there for this step (Fixed).
    enum State : std::uint8_t { Free, Blocked, Fixed };

    std::vector<double> value;     // the gradient, per scaled coordinate
    std::vector<double> down, up;  // room per coordinate: down <= 0 <= up
    std::vector<std::uint8_t> state;
    double stationarity = 0.0;  // see Problem::stationarity

    void build(const Problem& problem);

    /// Takes room and stationarity at `now` for the gradient in `value`, and blocks coordinates
    /// that are pushed against their limits. With `freeze`, blocked ones also leave the Jacobian.
    void bound(Problem& problem, const Evaluation& now, bool freeze);
    /// The gradient and the Jacobian at `now`, then bound().
    void linearize(Problem& problem, const Evaluation& now);

    [[nodiscard]] bool isFree(std::size_t c) const { return state[c] == Free; }
    /// Whether the gradient pushes a coordinate against a limit it stands at.
    [[nodiscard]] bool isBlocked(std::size_t c) const {
        return value[c] < 0.0 ? up[c] <= 0.0 : value[c] > 0.0 ? down[c] >= 0.0 : up[c] <= down[c];
    }
    /// How far a coordinate may go the way the gradient pushes it: positive up, negative down.
    [[nodiscard]] double roomAgainst(std::size_t c) const {
        return value[c] < 0.0 ? up[c] : down[c];
    }
    /// Whether a coordinate is so close to a limit that even the shortest sensible step goes past
    /// it. It then goes there, and is left out of the system: projected Newton (Bertsekas 1982).
    [[nodiscard]] bool isPushed(const Problem& problem, std::size_t c, double stiffest) const;
    /// The move of a coordinate, clipped to its room, per scaled coordinate.
    [[nodiscard]] double toLimit(std::size_t c, double move, double scale) const {
        return (move > up[c] ? up[c] : down[c]) / scale;
    }
};

/// A bound of how fast the gradient can change along one coordinate.
[[nodiscard]] double stiffestCurvature(const Problem& problem, const Evaluation& now);

}  // namespace ulna::ik::detail
