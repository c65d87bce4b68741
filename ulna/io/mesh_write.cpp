// SPDX-License-Identifier: Apache-2.0

// OBJ and PLY out. Numbers are the shortest texts that read back as the same float.
#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "ulna/core/text.h"
#include "ulna/io/detail/mesh_numbers.h"
#include "ulna/io/mesh_files.h"

namespace ulna::io {
namespace {

void checkCounts([[maybe_unused]] const Mesh& mesh) {
    [[maybe_unused]] const auto fits = [&](std::size_t count) {
        return count == 0 || count == mesh.positions.size();
    };
    ULNA_ASSERT(
        fits(mesh.normals.size()) && fits(mesh.texcoords.size()) && fits(mesh.colors.size()),
        "attributes are as many as positions, or none");
}

// A name that stays on its line.
std::string lineText(std::string_view name) {
    std::string out = readableText(name);
    if (!out.empty() && out.back() == '\\') out.back() = '_';
    return out;
}

std::string writeObj(const Mesh& mesh) {
    fmt::memory_buffer buffer;
    const auto out = std::back_inserter(buffer);
    if (const std::string name = lineText(mesh.name); !name.empty())
        fmt::format_to(out, "o {}\n", name);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        fmt::format_to(out, "v {} {} {}", p.x, p.y, p.z);
        if (!mesh.colors.empty()) {
            const Color& c = mesh.colors[v];
            constexpr float kFull = 255.0f;
            fmt::format_to(out, " {} {} {}", static_cast<float>(c.r) / kFull,
                           static_cast<float>(c.g) / kFull, static_cast<float>(c.b) / kFull);
        }
        buffer.push_back('\n');
    }
    for (const Vec2f& t : mesh.texcoords)
        fmt::format_to(out, "vt {} {}\n", t.x, detail::flippedV(static_cast<double>(t.y)));
    for (const Vec3f& n : mesh.normals) fmt::format_to(out, "vn {} {} {}\n", n.x, n.y, n.z);
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
        const std::uint64_t corner = std::uint64_t{mesh.indices[i]} + 1;
        fmt::format_to(out, "{}{}", i % 3 == 0 ? "f " : " ", corner);
        if (!mesh.texcoords.empty()) fmt::format_to(out, "/{}", corner);
        if (!mesh.normals.empty())
            fmt::format_to(out, "{}{}", mesh.texcoords.empty() ? "//" : "/", corner);
        if (i % 3 == 2) buffer.push_back('\n');
    }
    return fmt::to_string(buffer);
}

std::string plyHeader(const Mesh& mesh, bool text) {
    std::string out = text ? "ply\nformat ascii 1.0\n" : "ply\nformat binary_little_endian 1.0\n";
    out += fmt::format("element vertex {}\n", mesh.positions.size());
    out += "property float x\nproperty float y\nproperty float z\n";
    if (!mesh.normals.empty()) out += "property float nx\nproperty float ny\nproperty float nz\n";
    // Flipped, as PLY has them, floats would lose digits.
    if (!mesh.texcoords.empty()) out += "property double s\nproperty double t\n";
    if (!mesh.colors.empty()) {
        out +=
            "property uchar red\nproperty uchar green\nproperty uchar blue\n"
            "property uchar alpha\n";
    }
    // Programs expect `int`; `uint` is for what it cannot count.
    constexpr std::size_t kMostInt = 0x7fffffff;
    out += fmt::format("element face {}\nproperty list uchar {} vertex_indices\nend_header\n",
                       mesh.indices.size() / 3, mesh.positions.size() > kMostInt ? "uint" : "int");
    return out;
}

std::string writePlyText(const Mesh& mesh) {
    fmt::memory_buffer buffer;
    const auto out = std::back_inserter(buffer);
    fmt::format_to(out, "{}", plyHeader(mesh, true));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        fmt::format_to(out, "{} {} {}", p.x, p.y, p.z);
        if (!mesh.normals.empty()) {
            const Vec3f& n = mesh.normals[v];
            fmt::format_to(out, " {} {} {}", n.x, n.y, n.z);
        }
        if (!mesh.texcoords.empty()) {
            const Vec2f& t = mesh.texcoords[v];
            fmt::format_to(out, " {} {}", static_cast<double>(t.x),
                           detail::flippedV(static_cast<double>(t.y)));
        }
        if (!mesh.colors.empty()) {
            const Color& c = mesh.colors[v];
            fmt::format_to(out, " {} {} {} {}", c.r, c.g, c.b, c.a);
        }
        buffer.push_back('\n');
    }
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
        fmt::format_to(out, "3 {} {} {}\n", mesh.indices[i], mesh.indices[i + 1],
                       mesh.indices[i + 2]);
    return fmt::to_string(buffer);
}

// PLY binary is little-endian here, as are all our machines.
template <class... T>
void append(std::string& out, const T&... values) {
    const auto one = [&](const auto& value) {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        out.append(raw, sizeof value);
    };
    (one(values), ...);
}

std::string writePlyBinary(const Mesh& mesh) {
    std::string out = plyHeader(mesh, false);
    const std::size_t vertex = 12 + (mesh.normals.empty() ? 0 : 12) +
                               (mesh.texcoords.empty() ? 0 : 16) + (mesh.colors.empty() ? 0 : 4);
    out.reserve(out.size() + vertex * mesh.positions.size() + 13 * (mesh.indices.size() / 3));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        append(out, p.x, p.y, p.z);
        if (!mesh.normals.empty())
            append(out, mesh.normals[v].x, mesh.normals[v].y, mesh.normals[v].z);
        if (!mesh.texcoords.empty()) {
            const Vec2f& t = mesh.texcoords[v];
            append(out, static_cast<double>(t.x), detail::flippedV(static_cast<double>(t.y)));
        }
        if (!mesh.colors.empty()) {
            const Color& c = mesh.colors[v];
            append(out, c.r, c.g, c.b, c.a);
        }
    }
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
        append(out, std::uint8_t{3}, mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]);
    return out;
}

}  // namespace

std::string writeMesh(const Mesh& mesh, MeshFormat format) {
    checkCounts(mesh);
    switch (format) {
        case MeshFormat::Obj:
            return writeObj(mesh);
        case MeshFormat::PlyText:
            return writePlyText(mesh);
        case MeshFormat::PlyBinary:
            break;
    }
    return writePlyBinary(mesh);
}

}  // namespace ulna::io
