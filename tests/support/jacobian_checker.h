// SPDX-License-Identifier: Apache-2.0

// The one checker of derivatives: every Jacobian of the project is compared here with another way
// of finding it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "ulna/ik/check_goal.h"
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
inline void expectWrenchesAreDerivatives(const GoalKind& goal, const std::vector<BodyFrame>& bodies,
                                         bool planar, const std::string& what) {
    ASSERT_EQ(jointsOf(goal).size(), bodies.size()) << what;
    for (const WrenchFault& fault : checkWrenchesAt(goal, bodies, {.planar = planar}))
        ADD_FAILURE() << what << ": " << describe(fault);
}

}  // namespace ulna::test
