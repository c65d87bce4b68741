// SPDX-License-Identifier: Apache-2.0

// TriangleTree: a bounding volume hierarchy of triangles. It answers which point of a surface is
// nearest to a position, and where a line segment hits the surface.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "ulna/math/vec.h"

namespace ulna {

/// A point of a surface.
struct SurfacePoint {
    std::uint32_t triangle = 0;
    std::array<double, 3> barycentric = {};  ///< weights of the corners; they sum to 1
    Vec3 position = {};
    double distance = 0.0;  ///< from the position asked about
};

/// Never changes: several threads may use one. Answers do not depend on how triangles are grouped
/// into boxes.
class TriangleTree {
  public:
    TriangleTree() = default;
    /// Of all triangles. @pre indices are in range and positions finite.
    TriangleTree(std::span<const Vec3f> positions, std::span<const std::uint32_t> indices);
    /// Of the triangles with these indices.
    TriangleTree(std::span<const Vec3f> positions, std::span<const std::uint32_t> indices,
                 std::vector<std::uint32_t> triangles);

    [[nodiscard]] bool empty() const { return triangles_.empty(); }

    /// The nearest point at distance `within` or less; of equally near triangles, the first one's.
    [[nodiscard]] std::optional<SurfacePoint> nearest(
        const Vec3& p, double within = std::numeric_limits<double>::infinity()) const;

    /// Whether the segment hits a triangle, from either side; edges and both ends are included. A
    /// segment never passes between two triangles that share an edge. Triangles without area, and
    /// those parallel to the segment, are never hit.
    [[nodiscard]] bool blocks(const Vec3& from, const Vec3& to) const;
    /// The same with a limit on the time: each box looked at is taken from `boxes`, and a segment
    /// for which too few are left counts as blocked. Where thousands of triangles share an edge,
    /// every segment to this edge passes all their boxes.
    [[nodiscard]] bool blocks(const Vec3& from, const Vec3& to, std::size_t& boxes) const;

    /// The fraction of the segment at which it first hits a triangle: 0 at `from`, 1 at `to`.
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
    bool alongSegment(const Vec3& from, const Vec3& to, std::size_t& boxes, Visit&& visit) const;

    std::vector<Node> nodes_;
    std::vector<std::array<Vec3f, 3>> corners_;  // in the order of the leaves
    std::vector<std::uint32_t> triangles_;       // their indices in the mesh
};

}  // namespace ulna
