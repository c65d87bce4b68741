// SPDX-License-Identifier: Apache-2.0
#include "tools/character/polygonize.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace ulna::maker {
namespace {

using EdgeKey = std::uint64_t;
constexpr int kBlock = 8;  // cells of a block that is skipped as a whole

class Marcher {
  public:
    Marcher(const std::function<double(const Vec3&)>& distance, const GridBox& box)
        : distance_(distance), box_(box) {}

    Surface march() {
        for (int z = 0; z < box_.cells[2]; z += kBlock) {
            for (int y = 0; y < box_.cells[1]; y += kBlock) {
                for (int x = 0; x < box_.cells[0]; x += kBlock) marchBlock({x, y, z});
            }
        }
        return std::move(out_);
    }

  private:
    using Node = std::array<int, 3>;

    [[nodiscard]] Vec3 place(const Node& n) const {
        return box_.low + Vec3{n[0] * box_.step, n[1] * box_.step, n[2] * box_.step};
    }
    [[nodiscard]] EdgeKey keyOf(const Node& n) const {
        EdgeKey key = 0;
        for (std::size_t i = 3; i-- > 0;)
            key = key * static_cast<EdgeKey>(box_.cells[i] + 1) + static_cast<EdgeKey>(n[i]);
        return key;
    }

    void marchBlock(const Node& first) {
        // Half the diagonal, twice over: distances are only roughly right far away.
        const double half = 0.5 * kBlock * box_.step;
        if (std::abs(distance_(place(first) + Vec3{half, half, half})) > 3.5 * half) return;
        Node last;
        for (std::size_t i = 0; i < 3; ++i) last[i] = std::min(first[i] + kBlock, box_.cells[i]);
        std::vector<double> values;
        for (int z = first[2]; z <= last[2]; ++z) {
            for (int y = first[1]; y <= last[1]; ++y) {
                for (int x = first[0]; x <= last[0]; ++x) {
                    const double d = distance_(place({x, y, z}));
                    values.push_back(d == 0.0 ? 1e-12 : d);  // no corner is on the surface itself
                }
            }
        }
        const auto value = [&](const Node& n) {
            const int wide = last[0] - first[0] + 1, high = last[1] - first[1] + 1;
            return values[static_cast<std::size_t>(
                ((n[2] - first[2]) * high + n[1] - first[1]) * wide + n[0] - first[0])];
        };
        for (int z = first[2]; z < last[2]; ++z) {
            for (int y = first[1]; y < last[1]; ++y) {
                for (int x = first[0]; x < last[0]; ++x) marchCell({x, y, z}, value);
            }
        }
    }

    // Six tetrahedra around the diagonal, each a way from one corner to the opposite one.
    template <class Value>
    void marchCell(const Node& cell, const Value& value) {
        static constexpr int kWays[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                            {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        for (const auto& way : kWays) {
            std::array<Node, 4> corners{cell, cell, cell, cell};
            for (std::size_t i = 1; i < 4; ++i) {
                corners[i] = corners[i - 1];
                ++corners[i][static_cast<std::size_t>(way[i - 1])];
            }
            marchTetrahedron(corners, {value(corners[0]), value(corners[1]), value(corners[2]),
                                       value(corners[3])});
        }
    }

    void marchTetrahedron(const std::array<Node, 4>& corners, const std::array<double, 4>& values) {
        std::array<std::size_t, 4> inside{}, outside{};
        std::size_t in = 0, out = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            if (values[i] < 0.0)
                inside[in++] = i;
            else
                outside[out++] = i;
        }
        if (in == 0 || out == 0) return;
        const auto cut = [&](std::size_t a, std::size_t b) {
            return crossing(corners[a], values[a], corners[b], values[b]);
        };
        const Vec3 from = place(corners[inside[0]]), to = place(corners[outside[0]]);
        if (in == 1) {
            add(cut(inside[0], outside[0]), cut(inside[0], outside[1]), cut(inside[0], outside[2]),
                to - from);
        } else if (out == 1) {
            add(cut(inside[0], outside[0]), cut(inside[1], outside[0]), cut(inside[2], outside[0]),
                to - from);
        } else {
            const std::uint32_t a = cut(inside[0], outside[0]), b = cut(inside[0], outside[1]),
                                c = cut(inside[1], outside[1]), d = cut(inside[1], outside[0]);
            const Vec3 way = to - from + place(corners[outside[1]]) - place(corners[inside[1]]);
            add(a, b, c, way);
            add(a, c, d, way);
        }
    }

    void add(std::uint32_t a, std::uint32_t b, std::uint32_t c, const Vec3& outwards) {
        const Vec3 normal = cross(out_.points[b] - out_.points[a], out_.points[c] - out_.points[a]);
        if (dot(normal, outwards) < 0.0) std::swap(b, c);
        out_.triangles.push_back({a, b, c});
    }

    std::uint32_t crossing(const Node& a, double value_a, const Node& b, double value_b) {
        std::pair<EdgeKey, EdgeKey> key{keyOf(a), keyOf(b)};
        if (key.first > key.second) std::swap(key.first, key.second);
        const auto [found, fresh] =
            crossings_.try_emplace(key, static_cast<std::uint32_t>(out_.points.size()));
        if (fresh) {
            // Kept off the corners, where triangles would have no area.
            const double t = std::clamp(value_a / (value_a - value_b), 0.05, 0.95);
            out_.points.push_back(place(a) + (place(b) - place(a)) * t);
        }
        return found->second;
    }

    struct HashPair {
        std::size_t operator()(const std::pair<EdgeKey, EdgeKey>& key) const {
            return static_cast<std::size_t>((key.first * 0x9E3779B97F4A7C15ULL) ^ key.second);
        }
    };

    const std::function<double(const Vec3&)>& distance_;
    const GridBox& box_;
    std::unordered_map<std::pair<EdgeKey, EdgeKey>, std::uint32_t, HashPair> crossings_;
    Surface out_;
};

}  // namespace

Surface polygonize(const std::function<double(const Vec3&)>& distance, const GridBox& box) {
    return Marcher(distance, box).march();
}

}  // namespace ulna::maker
