// SPDX-License-Identifier: Apache-2.0
#include "support/meshes.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "ulna/math/quat.h"

namespace ulna::test {

Mesh square() {
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.indices = {0, 1, 2, 0, 2, 3};
    return mesh;
}

Mesh box(const Vec3f& size) {
    Mesh mesh;
    for (const float z : {0.0f, size.z})
        for (const float y : {0.0f, size.y})
            for (const float x : {0.0f, size.x}) mesh.positions.push_back({x, y, z});
    mesh.indices = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                    2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    return mesh;
}

Mesh decoratedBox() {
    const Mesh plain = box({1.1f, 2.3f, 0.7f});
    Mesh mesh;
    mesh.name = "a box";
    for (std::size_t i = 0; i < plain.indices.size(); ++i) {
        const auto n = static_cast<float>(i);
        const Vec3f* corners[3];
        for (std::size_t k = 0; k < 3; ++k)
            corners[k] = &plain.positions[plain.indices[i / 3 * 3 + k]];
        mesh.indices.push_back(static_cast<std::uint32_t>(i));
        mesh.positions.push_back(*corners[i % 3]);
        mesh.normals.push_back(
            normalizedOr(cross(*corners[1] - *corners[0], *corners[2] - *corners[0]), Vec3f{}));
        mesh.texcoords.push_back({n / 7.0f, 1.0f - n * 0.013f});
        const auto octet = [&](std::size_t by) { return static_cast<std::uint8_t>(i * by % 256); };
        mesh.colors.push_back({octet(7), octet(31), octet(101), 255});
    }
    return mesh;
}

Mesh globe(double radius, std::size_t rings, std::size_t sides) {
    Mesh mesh;
    const auto add = [&](double latitude, double longitude) {
        const double r = radius * std::cos(latitude);
        mesh.positions.push_back({static_cast<float>(r * std::sin(longitude)),
                                  static_cast<float>(radius * std::sin(latitude)),
                                  static_cast<float>(r * std::cos(longitude))});
        mesh.tangents.push_back({{static_cast<float>(std::cos(longitude)), 0.0f,
                                  static_cast<float>(-std::sin(longitude))},
                                 1.0f});
    };
    const auto at = [&](std::size_t ring, std::size_t side) {
        return static_cast<std::uint32_t>(1 + ring * sides + side % sides);
    };
    add(-kPi / 2, 0.0);
    for (std::size_t ring = 0; ring < rings; ++ring)
        for (std::size_t side = 0; side < sides; ++side)
            add(kPi * (static_cast<double>(ring + 1) / static_cast<double>(rings + 1) - 0.5),
                2.0 * kPi * static_cast<double>(side) / static_cast<double>(sides));
    add(kPi / 2, 0.0);
    const auto top = static_cast<std::uint32_t>(mesh.positions.size() - 1);
    for (std::size_t side = 0; side < sides; ++side) {
        mesh.indices.insert(mesh.indices.end(), {0, at(0, side + 1), at(0, side)});
        for (std::size_t ring = 0; ring + 1 < rings; ++ring) {
            mesh.indices.insert(mesh.indices.end(),
                                {at(ring, side), at(ring, side + 1), at(ring + 1, side + 1),
                                 at(ring, side), at(ring + 1, side + 1), at(ring + 1, side)});
        }
        mesh.indices.insert(mesh.indices.end(),
                            {at(rings - 1, side), at(rings - 1, side + 1), top});
    }
    return mesh;
}

std::string difference(const Mesh& a, const Mesh& b) {
    std::ostringstream out;
    const auto look = [&](const auto& x, const auto& y, const char* what) {
        if (x.size() != y.size()) out << x.size() << " and " << y.size() << ' ' << what << "; ";
        for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
            if (x[i] == y[i]) continue;
            out << what << ' ' << i << "; ";
            return;
        }
    };
    if (a.name != b.name) out << "names '" << a.name << "' and '" << b.name << "'; ";
    look(a.positions, b.positions, "positions");
    look(a.normals, b.normals, "normals");
    look(a.tangents, b.tangents, "tangents");
    look(a.texcoords, b.texcoords, "texture coordinates");
    look(a.colors, b.colors, "colours");
    look(a.indices, b.indices, "indices");
    return out.str();
}

}  // namespace ulna::test
