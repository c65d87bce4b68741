// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/body_curvature.h"

namespace ulna::ik::detail {
namespace {

using Wrenches = std::array<Wrench, kMaxGoalBodies>;

Wrenches wrenchesAt(const Problem& problem, const Problem::Row& row,
                    const Problem::Bodies& bodies) {
    GoalRows rows;
    problem.evaluateAt(row, bodies, rows);
    Wrenches out = {};
    for (std::size_t b = 0; b < kMaxGoalBodies; ++b) {
        for (std::size_t k = 0; k < row.count; ++k) {
            const double pull = row.factor * row.factor * rows.residual[k];
            out[b].moment += rows.wrench[b][k].moment * pull;
            out[b].force += rows.wrench[b][k].force * pull;
        }
    }
    return out;
}

}  // namespace

void BodyCurvature::compute(const Problem& problem, const Evaluation& now,
                            const Problem::Row& row) {
    constexpr double kStep = 1e-5;  // radians, and of the reach
    Problem::Bodies bodies;
    const std::size_t count = problem.bodiesOf(row, now.frames, bodies);
    wrenches_ = wrenchesAt(problem, row, bodies);
    for (std::size_t other = 0; other < count; ++other) {
        for (std::size_t k = 0; k < 6; ++k) {
            const double step = k < 3 ? kStep : kStep * problem.reach();
            Vec3 along;
            along[k % 3] = step;
            std::array<Wrenches, 2> sides;
            for (std::size_t side = 0; side < 2; ++side) {
                const Vec3 move = side == 0 ? along : -along;
                Problem::Bodies moved = bodies;
                BodyFrame& body = moved[other];
                if (k < 3) {
                    const Quat turn = quatExp(move);
                    body.orientation = toMatrix(turn) * body.orientation;
                    body.position = rotate(turn, body.position);
                } else {
                    body.position += move;
                }
                sides[side] = wrenchesAt(problem, row, moved);
            }
            for (std::size_t b = 0; b < count; ++b) {
                changes_[b][other][k] = {(sides[0][b].moment - sides[1][b].moment) / (2.0 * step),
                                         (sides[0][b].force - sides[1][b].force) / (2.0 * step)};
            }
        }
    }
}

Wrench BodyCurvature::change(std::size_t body, std::size_t other, const Wrench& twist) const {
    Wrench out;
    for (std::size_t k = 0; k < 3; ++k) {
        const Wrench& by_rotation = changes_[body][other][k];
        const Wrench& by_translation = changes_[body][other][3 + k];
        out.moment += by_rotation.moment * twist.moment[k] + by_translation.moment * twist.force[k];
        out.force += by_rotation.force * twist.moment[k] + by_translation.force * twist.force[k];
    }
    return out;
}

}  // namespace ulna::ik::detail
