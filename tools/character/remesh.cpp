// SPDX-License-Identifier: Apache-2.0
#include "tools/character/remesh.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ulna::maker {
namespace {

using Index = std::uint32_t;
using Triangle = std::array<Index, 3>;

class Remesher {
  public:
    Remesher(const Surface& surface, const RemeshField& field)
        : field_(field), points_(surface.points), around_(surface.points.size()) {
        for (const Triangle& t : surface.triangles) addTriangle(t);
    }

    void round(bool relax) {
        splitLongEdges();
        collapseShortEdges();
        flipEdges();
        if (relax) relaxPoints();
    }

    Surface take() {
        Surface out;
        std::vector<Index> number(points_.size(), kNone);
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            if (!alive_[t]) continue;
            Triangle mapped;
            for (std::size_t k = 0; k < 3; ++k) {
                Index& n = number[triangles_[t][k]];
                if (n == kNone) {
                    n = static_cast<Index>(out.points.size());
                    out.points.push_back(points_[triangles_[t][k]]);
                }
                mapped[k] = n;
            }
            out.triangles.push_back(mapped);
        }
        return out;
    }

  private:
    static constexpr Index kNone = ~Index{0};
    // Shorter than the one and longer than the other, an edge is changed.
    static constexpr double kShort = 0.8, kLong = 4.0 / 3.0;

    [[nodiscard]] bool inPlane(Index v) const { return points_[v].x == 0.0; }

    Index addTriangle(const Triangle& t) {
        const auto id = static_cast<Index>(triangles_.size());
        triangles_.push_back(t);
        alive_.push_back(true);
        for (const Index v : t) around_[v].push_back(id);
        return id;
    }
    void removeTriangle(Index id) {
        alive_[id] = false;
        for (const Index v : triangles_[id]) std::erase(around_[v], id);
    }

    [[nodiscard]] Vec3 normalOf(const Triangle& t) const {
        return cross(points_[t[1]] - points_[t[0]], points_[t[2]] - points_[t[0]]);
    }
    [[nodiscard]] double target(Index a, Index b) const {
        return field_.edge_length((points_[a] + points_[b]) * 0.5);
    }

    // The triangles on both sides of an edge; false where it is none or has more than two.
    bool sides(Index a, Index b, std::array<Index, 2>& out, std::size_t& count) const {
        count = 0;
        for (const Index t : around_[a]) {
            const Triangle& corners = triangles_[t];
            if (corners[0] != b && corners[1] != b && corners[2] != b) continue;
            if (count == 2) return false;
            out[count++] = t;
        }
        return count > 0;
    }
    [[nodiscard]] Index opposite(Index t, Index a, Index b) const {
        for (const Index v : triangles_[t])
            if (v != a && v != b) return v;
        return kNone;
    }
    void neighbours(Index v, std::vector<Index>& out) const {
        out.clear();
        for (const Index t : around_[v])
            for (const Index other : triangles_[t])
                if (other != v) out.push_back(other);
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
    }

    void splitLongEdges() {
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            for (std::size_t k = 0; k < 3 && alive_[t]; ++k) {
                const Index a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
                if (length(points_[a] - points_[b]) > kLong * target(a, b)) split(a, b);
            }
        }
    }
    void split(Index a, Index b) {
        std::array<Index, 2> both{};
        std::size_t count = 0;
        if (!sides(a, b, both, count)) return;
        const auto middle = static_cast<Index>(points_.size());
        points_.push_back((points_[a] + points_[b]) * 0.5);
        if (count == 2 && inPlane(middle)) points_[middle].x = 1e-6;
        around_.emplace_back();
        for (std::size_t i = 0; i < count; ++i) {
            const Triangle old = triangles_[both[i]];
            removeTriangle(both[i]);
            Triangle first = old, second = old;
            std::replace(first.begin(), first.end(), a, middle);
            std::replace(second.begin(), second.end(), b, middle);
            addTriangle(first);
            addTriangle(second);
        }
    }

    void collapseShortEdges() {
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            for (std::size_t k = 0; k < 3 && alive_[t]; ++k) {
                const Index a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
                if (length(points_[a] - points_[b]) < kShort * target(a, b)) collapse(a, b);
            }
        }
    }
    void collapse(Index keep, Index drop) {
        std::array<Index, 2> both{};
        std::size_t count = 0;
        if (!sides(keep, drop, both, count)) return;
        if (inPlane(drop) && !inPlane(keep)) std::swap(keep, drop);
        if (inPlane(keep) && inPlane(drop) && count == 2) return;  // it would close the border
        neighbours(keep, near_a_);
        neighbours(drop, near_b_);
        std::vector<Index> common;
        std::set_intersection(near_a_.begin(), near_a_.end(), near_b_.begin(), near_b_.end(),
                              std::back_inserter(common));
        if (common.size() != count) return;  // the surface would be pinched
        const Vec3 place =
            inPlane(keep) && !inPlane(drop) ? points_[keep] : (points_[keep] + points_[drop]) * 0.5;
        if (!staysGood(keep, drop, place) || !staysGood(drop, keep, place)) return;
        for (std::size_t i = 0; i < count; ++i) removeTriangle(both[i]);
        const std::vector<Index> moved = around_[drop];
        for (const Index t : moved) {
            std::replace(triangles_[t].begin(), triangles_[t].end(), drop, keep);
            around_[keep].push_back(t);
        }
        around_[drop].clear();
        points_[keep] = place;
    }
    // Whether the triangles around v keep their side and no edge gets long when v moves.
    [[nodiscard]] bool staysGood(Index v, Index partner, const Vec3& place) const {
        for (const Index t : around_[v]) {
            const Triangle& corners = triangles_[t];
            if (std::find(corners.begin(), corners.end(), partner) != corners.end()) continue;
            std::array<Vec3, 3> now, then;
            for (std::size_t k = 0; k < 3; ++k) {
                now[k] = then[k] = points_[corners[k]];
                if (corners[k] == v)
                    then[k] = place;
                else if (length(now[k] - place) > kLong * field_.edge_length(now[k]))
                    return false;
            }
            const Vec3 before = cross(now[1] - now[0], now[2] - now[0]);
            const Vec3 after = cross(then[1] - then[0], then[2] - then[0]);
            if (!(dot(before, after) > 0.5 * length(before) * length(after))) return false;
            // No needles: the area must not vanish beside the edges.
            const double longest = std::max(
                {length(then[1] - then[0]), length(then[2] - then[1]), length(then[0] - then[2])});
            if (length(after) < 0.08 * longest * longest) return false;
        }
        return true;
    }

    [[nodiscard]] double angleAt(Index v, Index a, Index b) const {
        const Vec3 u = points_[a] - points_[v], w = points_[b] - points_[v];
        return std::atan2(length(cross(u, w)), dot(u, w));
    }
    void flipEdges() {
        for (int pass = 0; pass < 3; ++pass) {
            // On a curved surface flips can go round in a circle, so new triangles wait.
            const std::size_t count = triangles_.size();
            for (std::size_t t = 0; t < count; ++t) {
                for (std::size_t k = 0; k < 3 && alive_[t]; ++k)
                    flip(triangles_[t][k], triangles_[t][(k + 1) % 3]);
            }
        }
    }
    void flip(Index a, Index b) {
        std::array<Index, 2> both{};
        std::size_t count = 0;
        if (!sides(a, b, both, count) || count != 2) return;
        const Index c = opposite(both[0], a, b), d = opposite(both[1], a, b);
        if (c == d || angleAt(c, a, b) + angleAt(d, a, b) < 3.1415 + 0.02) return;
        std::array<Index, 2> there{};
        std::size_t already = 0;
        if (sides(c, d, there, already)) return;
        Triangle first = triangles_[both[0]], second = triangles_[both[1]];
        std::replace(first.begin(), first.end(), b, d);
        std::replace(second.begin(), second.end(), a, c);
        // first is a, c, d and second b, c, d in the order that keeps their side.
        const Vec3 before = normalizedOr(normalOf(triangles_[both[0]]), Vec3{}) +
                            normalizedOr(normalOf(triangles_[both[1]]), Vec3{});
        for (const Triangle& corners : {first, second}) {
            const Vec3 normal = normalOf(corners);
            if (!(dot(normal, before) > 0.8 * length(normal) * length(before))) return;
        }
        removeTriangle(both[0]);
        removeTriangle(both[1]);
        addTriangle(first);
        addTriangle(second);
    }

    void relaxPoints() {
        std::vector<Vec3> moved = points_;
        for (Index v = 0; v < points_.size(); ++v) {
            if (around_[v].empty()) continue;
            neighbours(v, near_a_);
            Vec3 mean;
            double count = 0.0;
            for (const Index other : near_a_) {
                if (inPlane(v) && !inPlane(other)) continue;
                mean += points_[other];
                count += 1.0;
            }
            if (count < 2.0) continue;
            Vec3 normal;
            for (const Index t : around_[v]) normal += normalOf(triangles_[t]);
            normal = normalizedOr(normal, Vec3{0, 1, 0});
            Vec3 step = mean / count - points_[v];
            step -= normal * dot(step, normal);
            Vec3 place = field_.projected(points_[v] + step * 0.6);
            if (inPlane(v))
                place.x = 0.0;
            else
                place.x = std::max(place.x, 1e-5);
            moved[v] = place;
        }
        points_ = std::move(moved);
    }

    const RemeshField& field_;
    std::vector<Vec3> points_;
    std::vector<Triangle> triangles_;
    std::vector<bool> alive_;
    std::vector<std::vector<Index>> around_;
    mutable std::vector<Index> near_a_, near_b_;
};

}  // namespace

Surface remeshed(const Surface& surface, const RemeshField& field, int rounds) {
    Remesher remesher(surface, field);
    for (int i = 0; i < rounds; ++i) remesher.round(i > 2);
    return remesher.take();
}

}  // namespace ulna::maker
