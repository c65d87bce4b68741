// SPDX-License-Identifier: Apache-2.0

// Ear clipping: Meisters, "Polygons have ears", 1975. The plane is Newell's.
#include "ulna/io/detail/polygons.h"

#include <algorithm>
#include <cmath>

namespace ulna::io::detail {
namespace {

using Index = std::uint32_t;

void addFan(Index count, std::vector<Index>& out) {
    for (Index i = 1; i + 1 < count; ++i) out.insert(out.end(), {0, i, i + 1});
}

}  // namespace

// Seen along the axis that is closest to the polygon's own, so that it runs counter-clockwise.
void Triangulator::flatten(std::span<const Vec3f> polygon) {
    const auto at = [&](std::size_t i) {
        // From the first corner, so that polygons far away keep their digits.
        const Vec3f& p = polygon[i % polygon.size()];
        const Vec3f& o = polygon[0];
        return Vec3{static_cast<double>(p.x) - static_cast<double>(o.x),
                    static_cast<double>(p.y) - static_cast<double>(o.y),
                    static_cast<double>(p.z) - static_cast<double>(o.z)};
    };
    Vec3 normal;
    for (std::size_t i = 0; i < polygon.size(); ++i) normal += cross(at(i), at(i + 1));
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (std::abs(normal[k]) > std::abs(normal[axis])) axis = k;
    const bool back = normal[axis] < 0.0;
    points_.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 p = at(i);
        const Vec2 q = {p[(axis + 1) % 3], p[(axis + 2) % 3]};
        points_.push_back(back ? Vec2{q.y, q.x} : q);
    }
}

// Positive where the way from a over b to c bends to the left.
double Triangulator::turn(Index a, Index b, Index c) const {
    return cross(points_[b] - points_[a], points_[c] - points_[a]);
}

bool Triangulator::isConvex() const {
    const auto count = static_cast<Index>(points_.size());
    for (Index i = 0; i < count; ++i)
        if (!(turn(i, (i + 1) % count, (i + 2) % count) > 0.0)) return false;
    return true;
}

bool Triangulator::isEar(Index corner) const {
    const Index a = before_[corner];
    const Index c = after_[corner];
    if (!(turn(a, corner, c) > 0.0)) return false;
    for (Index i = after_[c]; i != a; i = after_[i]) {
        // Corners at the same position as one of the ear's touch it without being inside.
        if (points_[i] == points_[a] || points_[i] == points_[corner] || points_[i] == points_[c])
            continue;
        if (turn(a, corner, i) >= 0.0 && turn(corner, c, i) >= 0.0 && turn(c, a, i) >= 0.0)
            return false;
    }
    return true;
}

void Triangulator::clip(Index corner, std::vector<Index>& out) {
    const Index a = before_[corner];
    const Index c = after_[corner];
    out.insert(out.end(), {a, corner, c});
    after_[a] = c;
    before_[c] = a;
}

void Triangulator::cut(std::span<const Vec3f> polygon, std::vector<Index>& out) {
    const auto count = static_cast<Index>(polygon.size());
    if (count == 3 || count > kMostEars) return addFan(count, out);
    flatten(polygon);
    if (isConvex()) return addFan(count, out);
    before_.resize(count);
    after_.resize(count);
    for (Index i = 0; i < count; ++i) {
        before_[i] = (i + count - 1) % count;
        after_[i] = (i + 1) % count;
    }
    Index corner = 0;
    Index left = count;
    // A whole round without an ear means that there is none: the rest has no area or crosses
    // itself. Polygons that people draw need few looks at an ear; hostile ones get no more.
    Index looks = 8 * count;
    for (Index misses = 0; left > 3 && misses < left && looks > 0; --looks) {
        if (isEar(corner)) {
            const Index next = before_[corner];
            clip(corner, out);
            --left;
            misses = 0;
            corner = next;
        } else {
            ++misses;
            corner = after_[corner];
        }
    }
    for (; left > 2; --left) clip(after_[corner], out);
}

std::vector<Index> triangulate(const Polygons& polygons, std::span<const Vec3f> positions) {
    std::vector<Index> out;
    out.reserve(polygons.corners.size());
    Triangulator triangulator;
    std::vector<Vec3f> points;
    std::vector<Index> triangles;
    for (std::size_t i = 0; i < polygons.size(); ++i) {
        const std::span<const Index> polygon = polygons[i];
        if (polygon.size() == 3) {
            out.insert(out.end(), polygon.begin(), polygon.end());
            continue;
        }
        points.clear();
        for (const Index corner : polygon) points.push_back(positions[corner]);
        triangles.clear();
        triangulator.cut(points, triangles);
        for (const Index corner : triangles) out.push_back(polygon[corner]);
    }
    return out;
}

}  // namespace ulna::io::detail
