// SPDX-License-Identifier: Apache-2.0
#include "support/surfaces.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "support/skeletons.h"
#include "ulna/skin/bones.h"

namespace ulna::test {
namespace {

Vec3f narrowed(const Vec3& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

// One vertex in each cube that the surface crosses, and a quad around each edge it crosses.
class SurfaceNet {
  public:
    SurfaceNet(const std::function<double(const Vec3&)>& inside, const Vec3& low, const Vec3& high,
               double edge)
        : edge_(edge) {
        for (std::size_t k = 0; k < 3; ++k) {
            first_[k] = static_cast<int>(std::floor(low[k] / edge)) - 1;
            count_[k] = static_cast<int>(std::ceil(high[k] / edge)) + 2 - first_[k];
        }
        values_.resize(size());
        vertices_.assign(size(), kNone);
        forAll([&](const Cell& c) { values_[number(c)] = inside(corner(c)); });
        forAll([&](const Cell& c) { makeVertex(c); });
        forAll([&](const Cell& c) { makeQuads(c); });
    }

    Mesh mesh = {};

  private:
    using Cell = std::array<int, 3>;
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    [[nodiscard]] std::size_t size() const {
        return static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) *
               static_cast<std::size_t>(count_[2]);
    }
    [[nodiscard]] std::size_t number(const Cell& c) const {
        return static_cast<std::size_t>((c[2] * count_[1] + c[1]) * count_[0] + c[0]);
    }
    [[nodiscard]] Vec3 corner(const Cell& c) const {
        return Vec3{double(c[0] + first_[0]), double(c[1] + first_[1]), double(c[2] + first_[2])} *
               edge_;
    }
    template <class Body>
    void forAll(Body body) const {
        for (int z = 0; z < count_[2]; ++z)
            for (int y = 0; y < count_[1]; ++y)
                for (int x = 0; x < count_[0]; ++x) body(Cell{x, y, z});
    }

    void makeVertex(const Cell& c) {
        for (std::size_t k = 0; k < 3; ++k)
            if (c[k] + 1 >= count_[k]) return;
        Vec3 sum;
        int crossings = 0;
        for (int a = 0; a < 8; ++a) {
            for (int bit = 1; bit < 8; bit *= 2) {
                if ((a & bit) != 0) continue;
                const Cell from = {c[0] + (a & 1), c[1] + (a >> 1 & 1), c[2] + (a >> 2 & 1)};
                Cell to = from;
                ++to[bit == 1 ? 0 : bit == 2 ? 1 : 2];
                const double f = values_[number(from)], g = values_[number(to)];
                if ((f < 0) == (g < 0)) continue;
                sum += lerp(corner(from), corner(to), f / (f - g));
                ++crossings;
            }
        }
        if (crossings == 0) return;
        vertices_[number(c)] = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.push_back(narrowed(sum / double(crossings)));
    }

    void makeQuads(const Cell& c) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
            Cell to = c;
            ++to[k];
            if (to[k] >= count_[k] || c[u] == 0 || c[v] == 0) continue;
            const bool here = values_[number(c)] < 0, there = values_[number(to)] < 0;
            if (here == there) continue;
            std::array<Cell, 4> around = {c, c, c, c};
            --around[1][u], --around[2][u], --around[2][v], --around[3][v];
            if (!here) std::swap(around[1], around[3]);
            addQuad({vertices_[number(around[0])], vertices_[number(around[1])],
                     vertices_[number(around[2])], vertices_[number(around[3])]});
        }
    }

    void addQuad(const std::array<std::uint32_t, 4>& q) {
        const auto middle = static_cast<std::uint32_t>(mesh.positions.size());
        Vec3 sum;
        for (const std::uint32_t v : q)
            sum += Vec3{mesh.positions[v].x, mesh.positions[v].y, mesh.positions[v].z};
        mesh.positions.push_back(narrowed(sum * 0.25));
        for (std::size_t k = 0; k < 4; ++k)
            mesh.indices.insert(mesh.indices.end(), {q[k], q[(k + 1) % 4], middle});
    }

    double edge_;
    Cell first_ = {}, count_ = {};
    std::vector<double> values_;
    std::vector<std::uint32_t> vertices_;
};

// Rings of vertices closed by a pole at each end: rings[0] next to the first pole.
Mesh ringed(const std::vector<Vec3>& ring_points, std::uint32_t sides, const Vec3& first,
            const Vec3& last) {
    Mesh mesh;
    for (const Vec3& p : ring_points) mesh.positions.push_back(narrowed(p));
    const auto rings = static_cast<std::uint32_t>(ring_points.size()) / sides;
    for (std::uint32_t r = 0; r + 1 < rings; ++r) {
        for (std::uint32_t s = 0; s < sides; ++s) {
            const std::uint32_t a = r * sides + s, b = r * sides + (s + 1) % sides;
            mesh.indices.insert(mesh.indices.end(), {a, b, a + sides, b, b + sides, a + sides});
        }
    }
    const auto pole = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(narrowed(first));
    mesh.positions.push_back(narrowed(last));
    for (std::uint32_t s = 0; s < sides; ++s) {
        const std::uint32_t t = (s + 1) % sides, end = (rings - 1) * sides;
        mesh.indices.insert(mesh.indices.end(), {pole, t, s, pole + 1, end + s, end + t});
    }
    return mesh;
}

constexpr Vec3 kShoulder = {0.05, 1.42, 0}, kArm = {0.16, 1.42, 0}, kElbow = {0.225, 1.14, 0},
               kWrist = {0.225, 0.88, 0}, kFinger = {0.225, 0.80, 0};

}  // namespace

Mesh implicitSurface(const std::function<double(const Vec3&)>& inside, const Vec3& low,
                     const Vec3& high, double edge) {
    return std::move(SurfaceNet(inside, low, high, edge).mesh);
}

double capsule(const Vec3& p, const Vec3& a, const Vec3& b, double radius) {
    return distance(p, closestOnSegment(p, a, b)) - radius;
}

Mesh tube(double from, double to, double radius, std::uint32_t rings, std::uint32_t sides) {
    std::vector<Vec3> points;
    for (std::uint32_t r = 0; r < rings; ++r) {
        for (std::uint32_t s = 0; s < sides; ++s) {
            const double angle = 2 * kPi * s / sides;
            points.push_back({from + (to - from) * r / (rings - 1), radius * std::cos(angle),
                              radius * std::sin(angle)});
        }
    }
    return ringed(points, sides, {from, 0, 0}, {to, 0, 0});
}

Mesh ball(const Vec3& centre, double radius, std::uint32_t rings, std::uint32_t sides) {
    std::vector<Vec3> points;
    for (std::uint32_t r = 1; r <= rings; ++r) {
        const double polar = kPi * r / (rings + 1);
        for (std::uint32_t s = 0; s < sides; ++s) {
            const double angle = 2 * kPi * s / sides;
            points.push_back(centre + Vec3{-std::cos(polar), std::sin(polar) * std::cos(angle),
                                           std::sin(polar) * std::sin(angle)} *
                                          radius);
        }
    }
    return ringed(points, sides, centre - Vec3{radius, 0, 0}, centre + Vec3{radius, 0, 0});
}

Mesh sheet(double size, std::uint32_t n) {
    Mesh mesh;
    for (std::uint32_t y = 0; y < n; ++y)
        for (std::uint32_t x = 0; x < n; ++x)
            mesh.positions.push_back(
                narrowed(Vec3{size * (x / (n - 1.0) - 0.5), size * (y / (n - 1.0) - 0.5), 0}));
    for (std::uint32_t y = 0; y + 1 < n; ++y) {
        for (std::uint32_t x = 0; x + 1 < n; ++x) {
            const std::uint32_t a = y * n + x;
            mesh.indices.insert(mesh.indices.end(), {a, a + 1, a + n, a + 1, a + n + 1, a + n});
        }
    }
    return mesh;
}

void append(const Mesh& more, Mesh& mesh) {
    const auto base = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), more.positions.begin(), more.positions.end());
    for (const std::uint32_t i : more.indices) mesh.indices.push_back(base + i);
}

Skeleton twoBones(double length) {
    JointDef end = joint("upper_end", "upper", JointKind::Fixed, {length, 0, 0});
    end.end_site = true;
    return build({joint("lower", "", JointKind::Free, {-length, 0, 0}),
                  joint("upper", "lower", JointKind::Ball, {length, 0, 0}), end});
}

Skeleton armsDownSkeleton() {
    std::vector<JointDef> joints = {joint("Hips", "", JointKind::Free, {0, 0.9, 0}),
                                    joint("Chest", "Hips", JointKind::Ball, {0, 0.25, 0})};
    for (const double side : {1.0, -1.0}) {
        const std::string name = side > 0 ? "Left" : "Right";
        const auto mirrored = [&](const Vec3& v) { return Vec3{side * v.x, v.y, v.z}; };
        const auto add = [&](const char* part, const std::string& parent, const Vec3& offset) {
            joints.push_back(joint(name + part, parent, JointKind::Ball, mirrored(offset)));
        };
        add("Shoulder", "Chest", kShoulder - Vec3{0, 1.15, 0});
        add("Arm", name + "Shoulder", kArm - kShoulder);
        add("ForeArm", name + "Arm", kElbow - kArm);
        add("Hand", name + "ForeArm", kWrist - kElbow);
        add("Hand_end", name + "Hand", kFinger - kWrist);
        joints.back().kind = JointKind::Fixed;
        joints.back().end_site = true;
    }
    return build(std::move(joints));
}

Mesh armsDownBody(double edge) {
    const auto inside = [](const Vec3& at) {
        const Vec3 p = {std::abs(at.x), at.y, at.z};
        const double torso = capsule(p, {0, 0.95, 0}, {0, 1.38, 0}, 0.14);
        const double arm =
            std::min({capsule(p, kShoulder, kArm, 0.06), capsule(p, kArm, kElbow, 0.045),
                      capsule(p, kElbow, kFinger, 0.04)});
        return std::min(torso, arm);
    };
    return implicitSurface(inside, {-0.3, 0.7, -0.2}, {0.3, 1.6, 0.2}, edge);
}

bool isArm(const Vec3f& p) {
    // Between the torso's side and the arm's, below the armpit.
    return p.y < 1.25f && std::abs(p.x) > 0.1625f;
}

}  // namespace ulna::test
