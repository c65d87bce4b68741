// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/check_goal.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/ik/detail/goal_kind.h"
#include "ulna/math/random.h"

namespace ulna {
namespace {

// A body somewhere, rotated and scaled somehow; in the plane z = 0 if told so.
BodyFrame randomFrame(Random& random, const WrenchCheckOptions& options) {
    BodyFrame body;
    if (options.planar) {
        body.orientation = toMatrix(quatAboutAxis(2, random.between(-kPi, kPi)));
        const double x = random.between(-1.0, 1.0);
        body.position = Vec3{x, random.between(-1.0, 1.0), 0} * options.size;
    } else {
        body.orientation = toMatrix(random.rotation());
        const Vec3 direction = random.direction();
        body.position = direction * (random.between(0.1, 2.0) * options.size);
    }
    body.scale = random.between(0.5, 2.0);
    return body;
}

// The body after a rotation about an axis through the origin, or a translation.
BodyFrame movedBy(BodyFrame body, bool rotation, const Vec3& by) {
    if (!rotation) {
        body.position += by;
        return body;
    }
    const Mat3 turn = toMatrix(quatExp(by));
    body.orientation = turn * body.orientation;
    body.position = turn * body.position;
    return body;
}

double largestOf(std::span<const BodyWrenches> wrenches, std::size_t rows) {
    double largest = 1.0;
    for (const BodyWrenches& body : wrenches) {
        for (std::size_t r = 0; r < rows; ++r)
            largest = std::max({largest, length(body[r].moment), length(body[r].force)});
    }
    return largest;
}

}  // namespace

std::string describe(const WrenchFault& fault) {
    return "sample " + std::to_string(fault.sample) + ": body " + std::to_string(fault.body) +
           ", row " + std::to_string(fault.row) + ", " + (fault.rotation ? "moment " : "force ") +
           "xyz"[fault.axis] + " is " + std::to_string(fault.stated) +
           " but the residual changes by " + std::to_string(fault.measured);
}

std::vector<WrenchFault> checkWrenchesAt(const GoalKind& goal, std::span<const BodyFrame> bodies,
                                         const WrenchCheckOptions& options) {
    ULNA_ASSERT(bodies.size() == jointsOf(goal).size(),
                "one frame per joint of the goal is needed");
    // Truncation goes with the square of this, rounding with its inverse: both end below 1e-9.
    constexpr double kStep = 1e-5;
    std::vector<BodyFrame> at(bodies.begin(), bodies.end());
    std::vector<BodyWrenches> wrenches(bodies.size()), unused(bodies.size());
    GoalRows rows;
    ik::detail::evaluateAll(goal, at, options.planar, rows, wrenches);
    const double allowed = options.tolerance * largestOf(wrenches, rows.count);
    std::vector<WrenchFault> out;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        for (std::size_t direction = 0; direction < 6; ++direction) {
            const std::size_t axis = direction % 3;
            const bool rotation = direction < 3;
            if (options.planar && rotation != (axis == 2)) continue;
            const double step = rotation ? kStep : kStep * options.size;
            std::array<GoalRows, 2> sides;
            for (std::size_t side = 0; side < 2; ++side) {
                Vec3 by;
                by[axis] = side == 0 ? step : -step;
                at[b] = movedBy(bodies[b], rotation, by);
                ik::detail::evaluateAll(goal, at, options.planar, sides[side], unused);
            }
            at[b] = bodies[b];
            for (std::size_t r = 0; r < rows.count; ++r) {
                const Wrench& wrench = wrenches[b][r];
                const double stated = rotation ? wrench.moment[axis] : wrench.force[axis];
                const double measured =
                    (sides[0].residual[r] - sides[1].residual[r]) / (2.0 * step);
                // What is not a number is at fault too.
                if (!(std::abs(stated - measured) <= allowed))
                    out.push_back({0, b, r, rotation, axis, stated, measured});
            }
        }
    }
    return out;
}

std::vector<WrenchFault> checkWrenches(const GoalKind& goal, const WrenchCheckOptions& options) {
    Random random(options.seed);
    std::vector<WrenchFault> out;
    std::vector<BodyFrame> bodies(jointsOf(goal).size());
    for (int i = 0; i < options.samples; ++i) {
        for (BodyFrame& body : bodies) body = randomFrame(random, options);
        for (WrenchFault fault : checkWrenchesAt(goal, bodies, options)) {
            fault.sample = static_cast<std::size_t>(i);
            out.push_back(fault);
        }
    }
    return out;
}

}  // namespace ulna
