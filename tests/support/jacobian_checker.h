// SPDX-License-Identifier: Apache-2.0

// The one checker of derivatives: every Jacobian of the project is compared here with another way
// of finding it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "ulna/ik/detail/goal_interface.h"
#include "ulna/math/quat.h"
#include "ulna/math/random.h"
#include "ulna/math/vec.h"

namespace ulna::test {

/// Expects two Jacobians to agree to `tolerance`, relative to the largest entry of either (at
/// least 1).
inline void expectSameJacobian(std::span<const Vec3> a, std::span<const Vec3> b, double tolerance,
                               const std::string& what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    double largest = 1.0;
    for (const Vec3& column : a) largest = std::max(largest, length(column));
    for (const Vec3& column : b) largest = std::max(largest, length(column));
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_LE(distance(a[i], b[i]), tolerance * largest) << what << ", column " << i;
    }
}

/// A body somewhere, rotated and scaled somehow; in the plane z = 0 if told so.
inline BodyFrame randomBody(Random& random, bool planar = false) {
    BodyFrame body;
    if (planar) {
        body.orientation = toMatrix(quatFromAxisAngle(Vec3{0, 0, 1}, random.between(-kPi, kPi)));
        body.position = {random.between(-1, 1), random.between(-1, 1), 0};
    } else {
        body.orientation = toMatrix(random.rotation());
        body.position = random.direction() * random.between(0.1, 2.0);
    }
    body.scale = random.between(0.5, 2.0);
    return body;
}

/// The body after it moved for one unit of time with angular velocity w, its material point at the
/// model's origin starting with velocity v.
inline BodyFrame moved(BodyFrame body, const Vec3& w, const Vec3& v) {
    const Mat3 turn = toMatrix(quatExp(w));
    body.orientation = turn * body.orientation;
    body.position = turn * body.position + v;
    return body;
}

/// Expects the wrenches of a goal to be the central differences of its residuals as each of its
/// bodies turns and slides, to 1e-6 of the largest entry (at least 1). In the plane, of the motions
/// that stay there.
template <class Goal>
void expectWrenchesAreDerivatives(const Goal& goal, const std::vector<BodyFrame>& bodies,
                                  bool planar, const std::string& what) {
    ik::detail::GoalRows rows;
    evaluate(goal, std::span<const BodyFrame>(bodies), planar, rows);
    const std::size_t count = ik::detail::bodiesOf(goal).count;
    ASSERT_EQ(count, bodies.size()) << what;
    double largest = 1.0;
    for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t r = 0; r < rows.count; ++r) {
            largest = std::max(
                {largest, length(rows.wrench[b][r].moment), length(rows.wrench[b][r].force)});
        }
    }
    // Truncation goes with the square of this, rounding with its inverse: both end below 1e-9.
    constexpr double kStep = 1e-5;
    for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t direction = 0; direction < 6; ++direction) {
            const std::size_t k = direction % 3;
            const bool turns = direction < 3;
            if (planar && turns != (k == 2)) continue;
            Vec3 step;
            step[k] = kStep;
            std::array<ik::detail::GoalRows, 2> around;
            for (std::size_t side = 0; side < 2; ++side) {
                const Vec3 by = side == 0 ? step : -step;
                std::vector<BodyFrame> at = bodies;
                at[b] = turns ? moved(at[b], by, {}) : moved(at[b], {}, by);
                evaluate(goal, std::span<const BodyFrame>(at), planar, around[side]);
            }
            for (std::size_t r = 0; r < rows.count; ++r) {
                const ik::detail::Wrench& wrench = rows.wrench[b][r];
                const double slope =
                    (around[0].residual[r] - around[1].residual[r]) / (2.0 * kStep);
                EXPECT_NEAR(turns ? wrench.moment[k] : wrench.force[k], slope, 1e-6 * largest)
                    << what << ": body " << b << ", row " << r << (turns ? ", turn " : ", slide ")
                    << k;
            }
        }
    }
}

}  // namespace ulna::test
