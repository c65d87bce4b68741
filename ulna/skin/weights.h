// SPDX-License-Identifier: Apache-2.0

// SkinWeights: how much each joint influences each vertex of a mesh. A plain value.
//
// skin/bone_heat.h and skin/distance_weights.h make weights, files hold them, skin/edit_weights.h
// and skin/paint.h change them, and skin/deform.h uses them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// The weight of one joint at a vertex.
struct Influence {
    JointId joint = JointId::None;
    float weight = 0.0f;

    friend bool operator==(const Influence&, const Influence&) = default;
};

/// One row per vertex, with any number of influences. Weights are positive, and each row sums to 1.
/// A row without influences belongs to a vertex that no joint moves. A mesh without rows is not
/// attached to a skeleton.
struct SkinWeights {
    std::vector<Influence> influences = {};
    std::vector<std::uint32_t> first =
        {};  ///< the start of each row, then the end; empty without rows

    [[nodiscard]] bool empty() const { return first.empty(); }
    [[nodiscard]] std::size_t rowCount() const { return first.empty() ? 0 : first.size() - 1; }
    [[nodiscard]] std::span<const Influence> operator[](std::size_t row) const {
        return std::span(influences).subspan(first[row], first[row + 1] - first[row]);
    }
    [[nodiscard]] std::span<Influence> operator[](std::size_t row) {
        return std::span(influences).subspan(first[row], first[row + 1] - first[row]);
    }
    void addRow(std::span<const Influence> row) {
        if (first.empty()) first.push_back(0);
        influences.insert(influences.end(), row.begin(), row.end());
        first.push_back(static_cast<std::uint32_t>(influences.size()));
    }

    friend bool operator==(const SkinWeights&, const SkinWeights&) = default;
};

/// The weight of a joint in a row; 0 if the joint is not in it.
[[nodiscard]] inline float weightOf(std::span<const Influence> row, JointId joint) {
    float sum = 0.0f;
    for (const Influence& influence : row)
        sum += influence.joint == joint ? influence.weight : 0.0f;
    return sum;
}

}  // namespace ulna
