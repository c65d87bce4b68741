// SPDX-License-Identifier: Apache-2.0

// TriangleTree: the triangles of a surface sorted into boxes, for questions about places in space:
// which point of the surface is nearest, and what does a straight line hit.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "ulna/math/vec.h"

namespace ulna {

/// A point of a surface: the corners of `triangle` weighted by `shares`, which sum to 1.
struct SurfacePoint {
    std::uint32_t triangle = 0;
    std::array<double, 3> shares = {};
    Vec3 position = {};
    double distance = 0.0;  ///< from where it was asked for
};

/// Constant after it is made: several threads may ask at once. Answers do not depend on how the
/// boxes came out.
class TriangleTree {
  public:
    TriangleTree() = default;
    /// Of all triangles. @pre indices are in range and positions finite.
    TriangleTree(std::span<const Vec3f> positions, std::span<const std::uint32_t> indices);
    /// Of some of them, by their numbers.
    TriangleTree(std::span<const Vec3f> positions, std::span<const std::uint32_t> indices,
                 std::vector<std::uint32_t> triangles);

    [[nodiscard]] bool empty() const { return triangles_.empty(); }

    /// The nearest point no farther than `within`; of several triangles as near, the first.
    [[nodiscard]] std::optional<SurfacePoint> nearest(
        const Vec3& p, double within = std::numeric_limits<double>::infinity()) const;

    /// Whether the segment meets a triangle, from either side, edges and ends included. No line
    /// slips through between two triangles of one edge. Triangles without area, and those seen
    /// exactly edge-on, are met by nothing.
    [[nodiscard]] bool blocks(const Vec3& from, const Vec3& to) const;

    /// How far along the segment it first meets a triangle: 0 at `from`, 1 at `to`.
    [[nodiscard]] std::optional<double> firstHit(const Vec3& from, const Vec3& to) const;

  private:
    // The left child of an inner node follows it.
    struct Node {
        Vec3f low, high;
        std::uint32_t first = 0;  // of a leaf's triangles; of an inner node the right child
        std::uint32_t count = 0;  // 0 for an inner node
    };
    struct Sorted;

    void build(Sorted& sorted, std::size_t begin, std::size_t end);
    template <class Visit>
    void alongSegment(const Vec3& from, const Vec3& to, Visit&& visit) const;

    std::vector<Node> nodes_;
    std::vector<std::array<Vec3f, 3>> corners_;  // in the order of the leaves
    std::vector<std::uint32_t> triangles_;       // the numbers they had
};

}  // namespace ulna
