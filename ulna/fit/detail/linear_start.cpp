// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/linear_start.h"

#include <algorithm>
#include <optional>

#include "ulna/math/polar.h"

namespace ulna::fit::detail {
namespace {

// The ridge of the linear problem, in units of its diagonal: it pulls matrices that nothing
// determines towards the identity, and moves determined ones by less than the iteration corrects.
constexpr double kRidge = 1e-7;

}  // namespace

// Unknowns are the rows of all rotations as free matrices, and the positions that are kept. One
// matrix serves all three axes of space.
void LinearStart::fillMatrix(const Moments& moments, std::size_t translations) {
    const std::size_t rotations = moments.unknowns().rotations.size();
    const std::size_t n = rows_;
    const RotationBlocks& blocks = moments.blocks();
    const auto put = [&](std::size_t a, std::size_t b, const Mat3& m) {
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c) {
                matrix_[(3 * a + r) * n + 3 * b + c] = m.rows[r][c];
                matrix_[(3 * b + c) * n + 3 * a + r] = m.rows[r][c];
            }
        }
    };
    for (std::size_t a = 0; a < rotations; ++a) put(a, a, blocks.own(a));
    for (std::size_t i = 0; i < blocks.pairs().size(); ++i)
        put(blocks.pairs()[i].a, blocks.pairs()[i].b, blocks.pair(i));
    for (std::size_t t = 0; t < translations; ++t) {
        const std::size_t row = 3 * rotations + t;
        for (std::size_t a = 0; a < rotations; ++a) {
            for (std::size_t k = 0; k < 3; ++k) {
                const double value = moments.cross(a, t)[k];
                matrix_[row * n + 3 * a + k] = matrix_[(3 * a + k) * n + row] = value;
            }
        }
        for (std::size_t s = 0; s < translations; ++s)
            matrix_[row * n + 3 * rotations + s] = moments.translationPair(t, s);
    }
}

void LinearStart::build(const Moments& moments) {
    const std::size_t translations =
        moments.eliminated() ? 0 : moments.unknowns().translations.size();
    rows_ = 3 * moments.unknowns().rotations.size() + translations;
    const std::size_t n = rows_;
    matrix_.assign(n * n, 0.0);
    ridge_.assign(n, 0.0);
    sides_.assign(3 * n, 0.0);
    fillMatrix(moments, translations);
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, matrix_[i * n + i]);
    for (std::size_t i = 0; i < n; ++i) {
        // In the plane, and where nothing is weighted, a diagonal is zero.
        const double own = matrix_[i * n + i];
        ridge_[i] = kRidge * std::max(own, 1e-4 * largest) + 1e-300;
        matrix_[i * n + i] += ridge_[i];
    }
    state_ = cholesky_.factor(matrix_, n) ? State::Ready : State::Singular;
}

bool LinearStart::compute(const Moments& moments, bool planar, FitValues& values) {
    const std::vector<std::uint32_t>& rotations = moments.unknowns().rotations;
    if (!(moments.mass() > 0.0) || rotations.empty()) return false;
    if (state_ == State::Outdated) build(moments);
    if (state_ == State::Singular) return false;
    const std::size_t count = rotations.size(), n = rows_;
    for (std::size_t r = 0; r < 3; ++r) {
        double* side = sides_.data() + r * n;
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t k = 0; k < 3; ++k) {
                const double rest = r == k ? ridge_[3 * a + k] : 0.0;
                side[3 * a + k] = moments.frame().rotation(a).rows[r][k] + rest;
            }
        }
        for (std::size_t t = 0; 3 * count + t < n; ++t)
            side[3 * count + t] = moments.frame().translation(t)[r];
    }
    cholesky_.solve(sides_, 3);
    for (std::size_t a = 0; a < count; ++a) {
        Mat3 free;
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t k = 0; k < 3; ++k) free.rows[r][k] = sides_[r * n + 3 * a + k];
        const std::optional<Quat> nearest =
            planar ? nearestPlanarRotation(free) : nearestRotation(free);
        values.quats[rotations[a]] = nearest.value_or(Quat{});
        values.rotations[rotations[a]] = toMatrix(values.quats[rotations[a]]);
    }
    return true;
}

}  // namespace ulna::fit::detail
