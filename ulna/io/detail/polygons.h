// SPDX-License-Identifier: Apache-2.0

// Faces with any number of corners, on their way to triangles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ulna/math/vec.h"

namespace ulna::io::detail {

/// The corners of polygons, one after the other, by vertex.
struct Polygons {
    std::vector<std::uint32_t> corners = {};
    std::vector<std::uint32_t> first = {0};  ///< of each polygon, then the end

    [[nodiscard]] std::size_t size() const { return first.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t i) const {
        return std::span(corners).subspan(first[i], first[i + 1] - first[i]);
    }
    /// Ends the polygon whose corners have been added.
    void close() { first.push_back(static_cast<std::uint32_t>(corners.size())); }
    /// Takes its corners back.
    void drop() { corners.resize(first.back()); }
};

/// Cuts polygons into triangles, each as many as it has corners less two, all of its way round.
///
/// Polygons that are convex become a fan of their first corner, others ears in the plane that fits
/// them best; what has no plane, crosses itself or has over kMostEars corners ends as a fan.
class Triangulator {
  public:
    static constexpr std::size_t kMostEars = 256;  ///< ears take quadratic time

    /// Adds the triangles of a polygon to `out`, as indices into `polygon`.
    /// @pre at least three corners.
    void cut(std::span<const Vec3f> polygon, std::vector<std::uint32_t>& out);

  private:
    void flatten(std::span<const Vec3f> polygon);
    [[nodiscard]] double turn(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;
    [[nodiscard]] bool isConvex() const;
    [[nodiscard]] bool isEar(std::uint32_t corner) const;
    void clip(std::uint32_t corner, std::vector<std::uint32_t>& out);

    std::vector<Vec2> points_;  // counter-clockwise in their plane
    std::vector<std::uint32_t> before_, after_;
};

/// The triangles of all polygons, by vertex.
[[nodiscard]] std::vector<std::uint32_t> triangulate(const Polygons& polygons,
                                                     std::span<const Vec3f> positions);

}  // namespace ulna::io::detail
