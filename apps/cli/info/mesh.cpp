// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/info/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "ulna/core/number_text.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::cli {
namespace {

std::vector<std::string> attributesOf(const Mesh& mesh) {
    std::vector<std::string> out;
    if (!mesh.normals.empty()) out.emplace_back("normals");
    if (!mesh.tangents.empty()) out.emplace_back("tangents");
    if (!mesh.texcoords.empty()) out.emplace_back("texture coordinates");
    if (!mesh.colors.empty()) out.emplace_back("colours");
    return out;
}

std::size_t mostInfluences(const Mesh& mesh) {
    std::size_t most = 0;
    for (std::size_t v = 0; v < mesh.weights.rowCount(); ++v)
        most = std::max(most, mesh.weights[v].size());
    return most;
}

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i)
        out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return out.empty() ? "nothing" : out;
}

std::string weightsText(const Mesh& mesh) {
    if (mesh.weights.influences.empty()) return "not skinned";
    const std::size_t most = mostInfluences(mesh);
    return fmt::format("up to {} {} a vertex", most, most == 1 ? "joint" : "joints");
}

std::string reportText(const Mesh& mesh, const MeshReport& report) {
    std::string out;
    auto to = std::back_inserter(out);
    const Vec3 size = report.high - report.low;
    fmt::format_to(to, "  surface   {}, {}\n",
                   report.parts == 1 ? "one part" : fmt::format("{} parts", report.parts),
                   report.watertight() ? "watertight" : "not watertight");
    fmt::format_to(to, "  size      {} x {} x {}\n", shortNumber(size.x), shortNumber(size.y),
                   shortNumber(size.z));
    for (const Diagnostic& oddity : describeOddities(report, mesh))
        fmt::format_to(to, "  odd       {} ({})\n", oddity.what, oddity.advice);
    return out;
}

}  // namespace

std::string meshText(const Mesh& mesh) {
    std::string out =
        fmt::format("  mesh      {}{} vertices, {} triangles; {}\n",
                    mesh.name.empty() ? "" : "'" + mesh.name + "', ", mesh.positions.size(),
                    mesh.indices.size() / 3, weightsText(mesh));
    if (const std::vector<std::string> with = attributesOf(mesh); !with.empty())
        out += "  with      " + listed(with) + "\n";
    const Result<MeshReport> report = checkMesh(mesh);
    return out + (report ? reportText(mesh, *report) : "  wrong     " + report.error().what + "\n");
}

void writeMesh(const Mesh& mesh, JsonWriter& json) {
    json.beginObject()
        .member("name", mesh.name)
        .member("vertices", mesh.positions.size())
        .member("triangles", mesh.indices.size() / 3)
        .member("skinned", !mesh.weights.influences.empty())
        .member("most_influences", mostInfluences(mesh))
        .member("attributes", attributesOf(mesh));
    const Result<MeshReport> report = checkMesh(mesh);
    if (!report) {
        json.member("wrong", report.error().what).endObject();
        return;
    }
    const MeshReport& r = *report;
    json.member("places", r.points)
        .member("parts", r.parts)
        .member("watertight", r.watertight())
        .member("inside_out", r.inside_out)
        .member("flat_triangles", r.flat_triangles)
        .member("doubled_triangles", r.doubled_triangles)
        .member("crowded_edges", r.crowded_edges)
        .member("turned_edges", r.flipped_edges)
        .member("boundary_edges", r.boundary_edges)
        .member("pinched_places", r.pinched_points)
        .member("loose_vertices", r.loose_vertices)
        .member("low", r.low)
        .member("high", r.high)
        .endObject();
}

}  // namespace ulna::cli
