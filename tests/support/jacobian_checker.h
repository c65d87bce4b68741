// SPDX-License-Identifier: Apache-2.0

// The one checker of derivatives: every Jacobian of the project is compared here with another way
// of finding it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>

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

}  // namespace ulna::test
