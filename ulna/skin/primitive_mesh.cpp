// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/primitive_mesh.h"

#include <algorithm>
#include <cmath>

#include "ulna/core/assert.h"

namespace ulna {
namespace {

class Surface {
  public:
    std::uint32_t add(const Vec3& position, const Vec3& normal) {
        mesh.positions.push_back(cast<float>(position));
        mesh.normals.push_back(cast<float>(normalizedOr(normal, Vec3{0, 0, 1})));
        return static_cast<std::uint32_t>(mesh.positions.size() - 1);
    }
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        mesh.indices.insert(mesh.indices.end(), {a, b, c});
    }
    Mesh mesh;
};

// The direction of the i-th of n vertices around z. Quarters are exact, so that a wheel on the
// floor touches it.
Vec3 around(std::size_t i, std::size_t n) {
    if (4 * i % n == 0) {
        constexpr Vec3 kQuarters[] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
        return kQuarters[4 * i / n % 4];
    }
    const double angle = kTwoPi * static_cast<double>(i) / static_cast<double>(n);
    return {std::cos(angle), std::sin(angle), 0.0};
}

Mesh boxMesh(const Vec3& half) {
    Surface out;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const double side : {1.0, -1.0}) {
            Vec3 normal, u, v;
            normal[axis] = side;
            u[(axis + 1) % 3] = 1.0;
            v[(axis + 2) % 3] = side;  // so that u, v, normal are right-handed
            std::uint32_t first = 0;
            for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
                const Vec3 corner =
                    normal + u * static_cast<double>(a) + v * static_cast<double>(b);
                first = out.add(scaled(corner, half), normal);
            }
            out.triangle(first - 3, first - 2, first - 1);
            out.triangle(first - 3, first - 1, first);
        }
    }
    return std::move(out.mesh);
}

// A ring of the surface around z, or a pole where its radius is zero.
struct Ring {
    double radius, z;
    double normal_radius, normal_z;
};

// Rings from the lowest up, each joined to the next where `joined`. Poles are single vertices.
void addRings(Surface& out, const std::vector<Ring>& rings, std::size_t segments) {
    std::vector<std::uint32_t> below;
    for (const Ring& ring : rings) {
        std::vector<std::uint32_t> here;
        const std::size_t count = ring.radius == 0.0 ? 1 : segments;
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3 direction = around(i, segments);
            const Vec3 normal = direction * ring.normal_radius + Vec3{0, 0, ring.normal_z};
            here.push_back(out.add(direction * ring.radius + Vec3{0, 0, ring.z}, normal));
        }
        for (std::size_t i = 0; i < segments && !below.empty(); ++i) {
            const std::size_t next = (i + 1) % segments;
            if (below.size() > 1)
                out.triangle(below[i], below[next], here[here.size() > 1 ? next : 0]);
            if (here.size() > 1) out.triangle(below[below.size() > 1 ? i : 0], here[next], here[i]);
        }
        below = here;
    }
}

// Half a sphere of radius 1 in rings, from the lower pole up to the equator, both included.
std::vector<Ring> lowerHalf(std::size_t segments) {
    const std::size_t steps = std::max<std::size_t>(2, segments / 4);
    std::vector<Ring> out = {{0, -1, 0, -1}};
    for (std::size_t i = 1; i < steps; ++i) {
        const double angle = kPi / 2.0 * static_cast<double>(i) / static_cast<double>(steps);
        const double r = std::sin(angle), z = -std::cos(angle);
        out.push_back({r, z, r, z});
    }
    out.push_back({1, 0, 1, 0});
    return out;
}

std::vector<Ring> mirroredUp(std::vector<Ring> rings) {
    std::reverse(rings.begin(), rings.end());
    for (Ring& ring : rings) {
        ring.z = -ring.z;
        ring.normal_z = -ring.normal_z;
    }
    return rings;
}

Mesh capsuleMesh(double radius, double half_length, std::size_t segments) {
    std::vector<Ring> rings = lowerHalf(segments);
    for (Ring& ring : rings) {
        ring.radius *= radius;
        ring.z = ring.z * radius - half_length;
    }
    const std::vector<Ring> upper = mirroredUp(rings);
    rings.insert(rings.end(), upper.begin(), upper.end());
    Surface out;
    addRings(out, rings, segments);
    return std::move(out.mesh);
}

Mesh cylinderMesh(double radius, double half_length, std::size_t segments) {
    Surface out;
    addRings(out, {{0, -half_length, 0, -1}, {radius, -half_length, 0, -1}}, segments);
    addRings(out, {{radius, -half_length, 1, 0}, {radius, half_length, 1, 0}}, segments);
    addRings(out, {{radius, half_length, 0, 1}, {0, half_length, 0, 1}}, segments);
    return std::move(out.mesh);
}

Mesh ellipsoidMesh(const Vec3& radii, std::size_t segments) {
    std::vector<Ring> rings = lowerHalf(segments);
    const std::vector<Ring> upper = mirroredUp(rings);
    rings.insert(rings.end(), upper.begin() + 1, upper.end());
    Surface unit;
    addRings(unit, rings, segments);
    Mesh out = std::move(unit.mesh);
    const auto narrow = cast<float>(radii);
    for (Vec3f& p : out.positions) p = scaled(p, narrow);
    // A normal scales with the product of the other two radii.
    const Vec3 others = {radii.y * radii.z, radii.z * radii.x, radii.x * radii.y};
    for (Vec3f& n : out.normals) {
        const Vec3 wide = {static_cast<double>(n.x), static_cast<double>(n.y),
                           static_cast<double>(n.z)};
        n = cast<float>(normalizedOr(scaled(wide, others), wide));
    }
    return out;
}

}  // namespace

Mesh makePrimitiveMesh(const Primitive& primitive, const PrimitiveMeshOptions& options) {
    ULNA_ASSERT(options.segments >= 3, "a circle has at least three segments");
    const Vec3& size = primitive.size;
    switch (primitive.kind) {
        case PrimitiveKind::Box:
            return boxMesh(size);
        case PrimitiveKind::Ellipsoid:
            return ellipsoidMesh(size, options.segments);
        case PrimitiveKind::Capsule:
            return capsuleMesh(size.x, size.z, options.segments);
        case PrimitiveKind::Cylinder:
            return cylinderMesh(size.x, size.z, options.segments);
    }
    return {};
}

}  // namespace ulna
