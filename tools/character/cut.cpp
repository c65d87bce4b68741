// SPDX-License-Identifier: Apache-2.0
#include "tools/character/cut.h"

#include <array>
#include <map>
#include <utility>

namespace ulna::maker {
namespace {

using Index = std::uint32_t;
using Triangle = std::array<Index, 3>;

class Cutter {
  public:
    Cutter(const std::function<double(const Vec3&)>& side, Surface& surface,
           std::vector<bool>& held)
        : side_(side), surface_(surface), held_(held) {
        for (const Vec3& p : surface.points) signs_.push_back(side(p) > 0.0 ? 1 : -1);
    }

    void cut() {
        snapPoints();
        std::vector<Triangle> out;
        for (const Triangle& t : surface_.triangles) cutTriangle(t, out);
        surface_.triangles = std::move(out);
    }

  private:
    // How far along from a to b the line is.
    [[nodiscard]] double crossing(Index a, Index b) const {
        const Vec3 from = surface_.points[a], way = surface_.points[b] - from;
        double low = 0.0, high = 1.0;
        for (int i = 0; i < 30; ++i) {
            const double middle = 0.5 * (low + high);
            const int sign = side_(from + way * middle) > 0.0 ? 1 : -1;
            (sign == signs_[a] ? low : high) = middle;
        }
        return 0.5 * (low + high);
    }

    void snapPoints() {
        constexpr double kNear = 0.3;  // of an edge
        for (const Triangle& t : surface_.triangles) {
            for (std::size_t k = 0; k < 6; ++k) {
                const Index a = t[k % 3], b = t[(k + (k < 3 ? 1 : 2)) % 3];
                if (signs_[a] * signs_[b] >= 0 || held_[a]) continue;
                if (surface_.points[a].x == 0.0 && surface_.points[b].x != 0.0) continue;
                const double along = crossing(a, b);
                if (along > kNear) continue;
                surface_.points[a] += (surface_.points[b] - surface_.points[a]) * along;
                signs_[a] = 0;
                held_[a] = true;
            }
        }
    }

    Index middle(Index a, Index b) {
        const auto key = std::minmax(a, b);
        const auto found = middles_.find(key);
        if (found != middles_.end()) return found->second;
        const auto fresh = static_cast<Index>(surface_.points.size());
        const Vec3 way = surface_.points[b] - surface_.points[a];
        surface_.points.push_back(surface_.points[a] + way * crossing(a, b));
        signs_.push_back(0);
        held_.push_back(true);
        middles_.emplace(key, fresh);
        return fresh;
    }

    void cutTriangle(Triangle t, std::vector<Triangle>& out) {
        // Turned so that the first corner is alone on its side.
        for (std::size_t k = 0; k < 3; ++k) {
            const Index a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
            if (signs_[a] * signs_[b] < 0 && signs_[a] * signs_[c] < 0) {
                const Index ab = middle(a, b), ac = middle(a, c);
                out.push_back({a, ab, ac});
                // Of the two ways to halve the rest, the shorter diagonal.
                const auto far = [&](Index u, Index v) {
                    return length(surface_.points[u] - surface_.points[v]);
                };
                if (far(ab, c) < far(ac, b)) {
                    out.push_back({ab, b, c});
                    out.push_back({ab, c, ac});
                } else {
                    out.push_back({ab, b, ac});
                    out.push_back({ac, b, c});
                }
                return;
            }
            if (signs_[a] == 0 && signs_[b] * signs_[c] < 0) {
                const Index bc = middle(b, c);
                out.push_back({a, b, bc});
                out.push_back({a, bc, c});
                return;
            }
        }
        out.push_back(t);
    }

    const std::function<double(const Vec3&)>& side_;
    Surface& surface_;
    std::vector<bool>& held_;
    std::vector<int> signs_;  // of each point; 0 on the line
    std::map<std::pair<Index, Index>, Index> middles_;
};

}  // namespace

void cutAlong(const std::function<double(const Vec3&)>& side, Surface& surface,
              std::vector<bool>& held) {
    Cutter(side, surface, held).cut();
}

}  // namespace ulna::maker
