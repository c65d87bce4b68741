// SPDX-License-Identifier: Apache-2.0

// What every row of weights promises, and rows by chance.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "ulna/math/random.h"
#include "ulna/skin/weights.h"

namespace ulna::test {

/// One influence per joint, positive, largest first, summing to 1.
inline void expectSoundRow(std::span<const Influence> row, const char* where = "") {
    double sum = 0.0;
    std::set<JointId> joints;
    for (std::size_t i = 0; i < row.size(); ++i) {
        ASSERT_GT(row[i].weight, 0.0f) << where;
        ASSERT_GE(row[i > 0 ? i - 1 : 0].weight, row[i].weight) << where;
        ASSERT_TRUE(joints.insert(row[i].joint).second) << where;
        sum += static_cast<double>(row[i].weight);
    }
    ASSERT_NEAR(sum, 1.0, 1e-6) << where;
}

/// Between 1 and `most` influences of the first `joints` joints, normalised, largest first.
inline std::vector<Influence> randomRow(Random& random, std::size_t joints, std::size_t most) {
    std::vector<Influence> row;
    double sum = 0.0;
    const std::size_t count = 1 + random.below(most);
    std::set<std::size_t> used;
    while (used.size() < count) {
        const std::size_t joint = random.below(joints);
        if (!used.insert(joint).second) continue;
        const double weight = random.between(0.01, 1.0);
        sum += weight;
        row.push_back({jointId(joint), static_cast<float>(weight)});
    }
    for (Influence& i : row) i.weight /= static_cast<float>(sum);
    std::sort(row.begin(), row.end(),
              [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    return row;
}

}  // namespace ulna::test
