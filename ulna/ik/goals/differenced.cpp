// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/differenced.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ulna/math/quat.h"

namespace ulna {
namespace {

// The error of a central difference is about the square of the step, and the rounding of residuals
// divided by it: both are 1e-10 here.
constexpr double kDifferenceStep = 1e-5;

struct DifferencedRows {
    std::size_t rows;
    ResidualFunction residuals;

    void operator()(std::span<const BodyFrame> bodies, bool, GoalRows& out) const {
        residuals(bodies, std::span(out.residual).first(rows));
        std::array<BodyFrame, kMaxGoalBodies> moved;
        std::copy(bodies.begin(), bodies.end(), moved.begin());
        const std::span<const BodyFrame> seen(moved.data(), bodies.size());
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            // A length of the goal's own unit.
            const double step = kDifferenceStep * std::max(length(bodies[b].position), 1e-3);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                Vec3 unit = {};
                unit[axis] = 1.0;
                const auto difference = [&](double by, const auto& move) {
                    std::array<double, kMaxGoalRows> ahead = {}, back = {};
                    move(by);
                    residuals(seen, std::span(ahead).first(rows));
                    move(-by);
                    residuals(seen, std::span(back).first(rows));
                    moved[b] = bodies[b];
                    for (std::size_t r = 0; r < rows; ++r)
                        ahead[r] = (ahead[r] - back[r]) / (2.0 * by);
                    return ahead;
                };
                const auto force = difference(
                    step, [&](double by) { moved[b].position = bodies[b].position + unit * by; });
                const auto moment = difference(kDifferenceStep, [&](double by) {
                    moved[b].orientation =
                        toMatrix(quatFromAxisAngle(unit, by)) * bodies[b].orientation;
                });
                for (std::size_t r = 0; r < rows; ++r) {
                    out.wrench[b][r].force[axis] = force[r];
                    out.wrench[b][r].moment[axis] = moment[r];
                }
            }
            // So far about the body itself; wrenches are about the model's origin.
            for (std::size_t r = 0; r < rows; ++r) {
                Wrench& wrench = out.wrench[b][r];
                wrench.moment = wrench.moment + cross(bodies[b].position, wrench.force);
            }
        }
        out.error = 0.0;
        for (std::size_t r = 0; r < rows; ++r) out.error += out.residual[r] * out.residual[r];
        out.error = std::sqrt(out.error);
    }
};

}  // namespace

CustomGoal makeDifferencedGoal(std::string name, std::vector<JointId> joints, std::size_t rows,
                               ResidualFunction residuals) {
    return makeCustomGoal(std::move(name), std::move(joints), rows,
                          DifferencedRows{rows, std::move(residuals)});
}

}  // namespace ulna
