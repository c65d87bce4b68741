// SPDX-License-Identifier: Apache-2.0

// Boxes are halved at the median triangle, so the depth is bounded whatever the mesh. Triangles are
// tested as by Woop, Benthin and Wald, "Watertight ray/triangle intersection", 2013: the line is
// sheared onto an axis, and the sign on each side of an edge is one number for both its triangles.
#include "ulna/skin/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ulna/skin/detail/points.h"

namespace ulna {
namespace {

using skin::detail::kInfinity;
using skin::detail::widened;

constexpr std::size_t kLeafSize = 4;
constexpr std::size_t kDeepest = 64;  // halving 2^32 triangles takes 32

struct Corners {
    Vec3 a, b, c;
};

Corners widened(const std::array<Vec3f, 3>& t) {
    return {widened(t[0]), widened(t[1]), widened(t[2])};
}

// A segment sheared so that it runs along one axis.
class Probe {
  public:
    Probe(const Vec3& from, const Vec3& to) : from_(from), along_(to - from) {
        for (std::size_t k = 1; k < 3; ++k)
            if (std::abs(along_[k]) > std::abs(along_[z_])) z_ = k;
        x_ = (z_ + 1) % 3;
        y_ = (z_ + 2) % 3;
        if (along_[z_] < 0.0) std::swap(x_, y_);
        shear_x_ = along_[x_] / along_[z_];
        shear_y_ = along_[y_] / along_[z_];
        for (std::size_t k = 0; k < 3; ++k) inverse_[k] = 1.0 / along_[k];
    }

    [[nodiscard]] bool hasLength() const { return along_[z_] != 0.0; }

    // Where the segment enters the box, at most `until`; infinity where it does not.
    [[nodiscard]] double enters(const Vec3f& low, const Vec3f& high, double until) const {
        // A box is never missed by rounding: a few units in the last place more.
        constexpr double kWider = 1.0 + 8 * std::numeric_limits<double>::epsilon();
        double enter = 0.0, leave = until;
        for (std::size_t k = 0; k < 3; ++k) {
            if (along_[k] == 0.0) {
                if (from_[k] < low[k] || from_[k] > high[k]) return kInfinity;
                continue;
            }
            double near = (low[k] - from_[k]) * inverse_[k];
            double far = (high[k] - from_[k]) * inverse_[k];
            if (near > far) std::swap(near, far);
            enter = std::max(enter, near);
            leave = std::min(leave, far * kWider);
        }
        return enter <= leave ? enter : kInfinity;
    }

    // Where the segment meets the triangle; infinity where it does not.
    [[nodiscard]] double meets(const std::array<Vec3f, 3>& triangle) const {
        const Vec3 a = sheared(triangle[0]), b = sheared(triangle[1]), c = sheared(triangle[2]);
        const double u = c.x * b.y - c.y * b.x;
        const double v = a.x * c.y - a.y * c.x;
        const double w = b.x * a.y - b.y * a.x;
        if ((u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0)) return kInfinity;
        const double sum = u + v + w;
        if (sum == 0.0) return kInfinity;
        const double t = (u * a.z + v * b.z + w * c.z) / (sum * along_[z_]);
        return t >= 0.0 && t <= 1.0 ? t : kInfinity;
    }

  private:
    [[nodiscard]] Vec3 sheared(const Vec3f& corner) const {
        const Vec3 p = widened(corner) - from_;
        return {p[x_] - shear_x_ * p[z_], p[y_] - shear_y_ * p[z_], p[z_]};
    }

    Vec3 from_, along_, inverse_;
    std::size_t x_ = 0, y_ = 0, z_ = 0;
    double shear_x_ = 0.0, shear_y_ = 0.0;
};

double boxDistanceSquared(const Vec3& p, const Vec3f& low, const Vec3f& high) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double off = std::max({low[k] - p[k], 0.0, p[k] - high[k]});
        sum += off * off;
    }
    return sum;
}

using Shares = std::array<double, 3>;

Vec3 pointAt(const Corners& t, const Shares& shares) {
    return t.a * shares[0] + t.b * shares[1] + t.c * shares[2];
}

// The nearest point of the edge from corner i to corner k.
Shares nearestOnEdge(const Vec3& p, const Vec3& from, const Vec3& to, std::size_t i,
                     std::size_t k) {
    const Vec3 along = to - from;
    const double squared = dot(along, along);
    const double s = squared > 0.0 ? std::clamp(dot(p - from, along) / squared, 0.0, 1.0) : 0.0;
    Shares out = {};
    out[i] = 1.0 - s;
    out[k] += s;
    return out;
}

// The foot of the perpendicular where it falls inside, else the nearest of the three edges.
Shares nearestOnTriangle(const Vec3& p, const Corners& t) {
    const Vec3 normal = cross(t.b - t.a, t.c - t.a);
    const double squared = dot(normal, normal);
    if (squared > 0.0) {
        const double in_b = dot(cross(p - t.a, t.c - t.a), normal) / squared;
        const double in_c = dot(cross(t.b - t.a, p - t.a), normal) / squared;
        if (in_b >= 0.0 && in_c >= 0.0 && in_b + in_c <= 1.0)
            return {1.0 - in_b - in_c, in_b, in_c};
    }
    const std::array<Shares, 3> edges = {nearestOnEdge(p, t.a, t.b, 0, 1),
                                         nearestOnEdge(p, t.b, t.c, 1, 2),
                                         nearestOnEdge(p, t.c, t.a, 2, 0)};
    std::size_t best = 0;
    for (std::size_t e = 1; e < 3; ++e)
        if (distance(p, pointAt(t, edges[e])) < distance(p, pointAt(t, edges[best]))) best = e;
    return edges[best];
}

}  // namespace

struct TriangleTree::Sorted {
    std::vector<std::array<Vec3f, 3>> corners;
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint32_t> order;

    // Three times the middle: only the order counts.
    [[nodiscard]] float middle(std::uint32_t i, std::size_t axis) const {
        return corners[i][0][axis] + corners[i][1][axis] + corners[i][2][axis];
    }
};

TriangleTree::TriangleTree(std::span<const Vec3f> positions, std::span<const std::uint32_t> indices)
    : TriangleTree(positions, indices, [&] {
          std::vector<std::uint32_t> all(indices.size() / 3);
          std::iota(all.begin(), all.end(), std::uint32_t{0});
          return all;
      }()) {}

TriangleTree::TriangleTree(std::span<const Vec3f> positions, std::span<const std::uint32_t> indices,
                           std::vector<std::uint32_t> triangles) {
    if (triangles.empty()) return;
    Sorted sorted;
    sorted.order.resize(triangles.size());
    std::iota(sorted.order.begin(), sorted.order.end(), std::uint32_t{0});
    for (const std::uint32_t t : triangles) {
        const std::uint32_t* corner = &indices[3 * std::size_t{t}];
        sorted.corners.push_back(
            {positions[corner[0]], positions[corner[1]], positions[corner[2]]});
    }
    sorted.numbers = std::move(triangles);
    nodes_.reserve(sorted.order.size());
    build(sorted, 0, sorted.order.size());
    for (const std::uint32_t i : sorted.order) {
        corners_.push_back(sorted.corners[i]);
        triangles_.push_back(sorted.numbers[i]);
    }
}

void TriangleTree::build(Sorted& sorted, std::size_t begin, std::size_t end) {
    Node node;
    node.low = node.high = sorted.corners[sorted.order[begin]][0];
    for (std::size_t i = begin; i < end; ++i) {
        for (const Vec3f& p : sorted.corners[sorted.order[i]]) {
            for (std::size_t k = 0; k < 3; ++k) {
                node.low[k] = std::min(node.low[k], p[k]);
                node.high[k] = std::max(node.high[k], p[k]);
            }
        }
    }
    const std::size_t self = nodes_.size();
    nodes_.push_back(node);
    if (end - begin <= kLeafSize) {
        nodes_[self].first = static_cast<std::uint32_t>(begin);
        nodes_[self].count = static_cast<std::uint32_t>(end - begin);
        return;
    }
    std::size_t axis = 0;
    const Vec3f size = node.high - node.low;
    for (std::size_t k = 1; k < 3; ++k)
        if (size[k] > size[axis]) axis = k;
    const std::size_t half = begin + (end - begin) / 2;
    const auto at = [&](std::size_t i) {
        return sorted.order.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::nth_element(at(begin), at(half), at(end), [&](std::uint32_t a, std::uint32_t b) {
        const float of_a = sorted.middle(a, axis), of_b = sorted.middle(b, axis);
        return of_a < of_b || (of_a == of_b && a < b);
    });
    build(sorted, begin, half);
    nodes_[self].first = static_cast<std::uint32_t>(nodes_.size());
    build(sorted, half, end);
}

std::optional<SurfacePoint> TriangleTree::nearest(const Vec3& p, double within) const {
    std::optional<SurfacePoint> best;
    if (empty()) return best;
    double limit = within * within;
    std::array<std::uint32_t, kDeepest> open = {0};
    std::size_t count = 1;
    while (count > 0) {
        const std::uint32_t at = open[--count];
        const Node& node = nodes_[at];
        if (boxDistanceSquared(p, node.low, node.high) > limit) continue;
        if (node.count == 0) {
            // The nearer child first, so that the farther is often not looked at.
            const Node &left = nodes_[at + 1], &right = nodes_[node.first];
            const bool left_first = boxDistanceSquared(p, left.low, left.high) <=
                                    boxDistanceSquared(p, right.low, right.high);
            open[count++] = left_first ? node.first : at + 1;
            open[count++] = left_first ? at + 1 : node.first;
            continue;
        }
        for (std::size_t i = node.first; i < node.first + node.count; ++i) {
            const Corners corners = widened(corners_[i]);
            const Shares shares = nearestOnTriangle(p, corners);
            const Vec3 point = pointAt(corners, shares);
            const double squared = dot(point - p, point - p);
            const bool tie = best && squared == limit && triangles_[i] > best->triangle;
            if (squared > limit || tie) continue;
            limit = squared;
            best = SurfacePoint{triangles_[i], shares, point, std::sqrt(squared)};
        }
    }
    return best;
}

// Calls visit(t) for meetings at most as far as the last one's answer. False where it needed more
// than `boxes`.
template <class Visit>
bool TriangleTree::alongSegment(const Vec3& from, const Vec3& to, std::size_t& boxes,
                                Visit&& visit) const {
    const Probe probe(from, to);
    if (empty() || !probe.hasLength()) return true;
    double until = 1.0;
    std::array<std::uint32_t, kDeepest> open = {0};
    std::size_t count = 1;
    while (count > 0) {
        if (boxes == 0) return false;
        --boxes;
        const std::uint32_t at = open[--count];
        const Node& node = nodes_[at];
        if (probe.enters(node.low, node.high, until) == kInfinity) continue;
        if (node.count == 0) {
            open[count++] = node.first;
            open[count++] = at + 1;
            continue;
        }
        for (std::size_t i = node.first; i < node.first + node.count; ++i) {
            const double t = probe.meets(corners_[i]);
            if (t > until) continue;
            until = visit(t);
            if (until < 0.0) return true;
        }
    }
    return true;
}

bool TriangleTree::blocks(const Vec3& from, const Vec3& to) const {
    std::size_t all = nodes_.size();
    return blocks(from, to, all);
}

bool TriangleTree::blocks(const Vec3& from, const Vec3& to, std::size_t& boxes) const {
    bool found = false;
    const bool enough = alongSegment(from, to, boxes, [&](double) {
        found = true;
        return -1.0;
    });
    return found || !enough;
}

std::optional<double> TriangleTree::firstHit(const Vec3& from, const Vec3& to) const {
    std::optional<double> out;
    std::size_t all = nodes_.size();
    alongSegment(from, to, all, [&](double t) {
        out = t;
        return t;
    });
    return out;
}

}  // namespace ulna
