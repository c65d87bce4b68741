// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/check_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>

#include "ulna/skin/topology.h"

namespace ulna {
namespace {

using Index = std::uint32_t;
using MaybeError = std::optional<Diagnostic>;

// Rows of floats that were made to sum to 1 miss it by less than this, whatever their number.
constexpr double kSumTolerance = 1e-4;

bool finite(const Vec3f& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

Vec3 widened(const Vec3f& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

Diagnostic wrong(const Mesh& mesh, std::string what, std::string advice = {}) {
    return {.what = std::move(what), .text = mesh.name, .advice = std::move(advice)};
}

std::string vertexIs(std::size_t vertex, const char* what) {
    return "vertex " + std::to_string(vertex) + " " + what;
}

MaybeError checkVertices(const Mesh& mesh) {
    const std::size_t count = mesh.positions.size();
    if (count >= std::numeric_limits<Index>::max())
        return wrong(mesh, "the mesh has over four thousand million vertices");
    for (std::size_t v = 0; v < count; ++v)
        if (!finite(mesh.positions[v])) return wrong(mesh, vertexIs(v, "has no finite position"));
    const auto miscounted = [&](std::size_t attributes, const char* name) -> MaybeError {
        if (attributes == 0 || attributes == count) return std::nullopt;
        return wrong(mesh, "there are " + std::to_string(attributes) + " " + name + " for " +
                               std::to_string(count) + " positions");
    };
    if (MaybeError error = miscounted(mesh.normals.size(), "normals")) return error;
    if (MaybeError error = miscounted(mesh.tangents.size(), "tangents")) return error;
    if (MaybeError error = miscounted(mesh.texcoords.size(), "texture coordinates")) return error;
    if (MaybeError error = miscounted(mesh.colors.size(), "colours")) return error;
    for (std::size_t v = 0; v < mesh.normals.size(); ++v)
        if (!finite(mesh.normals[v])) return wrong(mesh, vertexIs(v, "has no finite normal"));
    for (std::size_t v = 0; v < mesh.tangents.size(); ++v) {
        const Tangent& tangent = mesh.tangents[v];
        if (!finite(tangent.direction)) return wrong(mesh, vertexIs(v, "has no finite tangent"));
        if (std::abs(tangent.handedness) != 1.0f)
            return wrong(mesh, vertexIs(v, "has a tangent whose handedness is not 1 or -1"));
    }
    for (std::size_t v = 0; v < mesh.texcoords.size(); ++v)
        if (!std::isfinite(mesh.texcoords[v].x) || !std::isfinite(mesh.texcoords[v].y))
            return wrong(mesh, vertexIs(v, "has no finite texture coordinate"));
    return std::nullopt;
}

MaybeError checkTriangles(const Mesh& mesh) {
    if (mesh.indices.empty()) return wrong(mesh, "the mesh has no triangles");
    if (mesh.indices.size() % 3 != 0) {
        return wrong(mesh, std::to_string(mesh.indices.size()) +
                               " indices are not a whole number of triangles");
    }
    if (mesh.indices.size() > std::numeric_limits<Index>::max())
        return wrong(mesh, "the mesh has over four thousand million corners of triangles");
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
        if (mesh.indices[i] < mesh.positions.size()) continue;
        return wrong(mesh, "triangle " + std::to_string(i / 3) + " has vertex " +
                               std::to_string(mesh.indices[i]) + ", but there are " +
                               std::to_string(mesh.positions.size()));
    }
    std::size_t in_parts = 0;
    for (const MeshPart& part : mesh.parts) in_parts += part.triangles;
    if (mesh.parts.empty() || in_parts == mesh.indices.size() / 3) return std::nullopt;
    return wrong(mesh, "the parts have " + std::to_string(in_parts) + " triangles, the mesh " +
                           std::to_string(mesh.indices.size() / 3));
}

MaybeError checkRows(const Mesh& mesh) {
    const SkinWeights& weights = mesh.weights;
    if (weights.empty()) {
        if (weights.influences.empty()) return std::nullopt;
        return wrong(mesh, "there are weights, but no rows of them");
    }
    if (weights.rowCount() != mesh.positions.size()) {
        return wrong(mesh, "there are " + std::to_string(weights.rowCount()) +
                               " rows of weights for " + std::to_string(mesh.positions.size()) +
                               " positions");
    }
    if (weights.first.front() != 0 || weights.first.back() != weights.influences.size() ||
        !std::is_sorted(weights.first.begin(), weights.first.end()))
        return wrong(mesh, "the rows of weights are not in ascending order");
    return std::nullopt;
}

MaybeError checkWeights(const Mesh& mesh) {
    if (MaybeError error = checkRows(mesh)) return error;
    const std::size_t joints = mesh.joint_from_bind.size();
    for (std::size_t v = 0; v < mesh.weights.rowCount(); ++v) {
        double sum = 0.0;
        for (const Influence& influence : mesh.weights[v]) {
            if (influence.joint == JointId::None)
                return wrong(mesh, vertexIs(v, "has an influence without a joint"));
            if (joints > 0 && index(influence.joint) >= joints) {
                return wrong(mesh, vertexIs(v, "has a weight for joint ") +
                                       std::to_string(index(influence.joint)) +
                                       ", but the number of bind matrices is " +
                                       std::to_string(joints));
            }
            if (!std::isfinite(influence.weight) || influence.weight < 0.0f) {
                return wrong(mesh,
                             vertexIs(v, "has a weight of ") + std::to_string(influence.weight),
                             "weights must not be negative");
            }
            sum += static_cast<double>(influence.weight);
        }
        if (!mesh.weights[v].empty() && std::abs(sum - 1.0) > kSumTolerance)
            return wrong(mesh, vertexIs(v, "has weights that sum to ") + std::to_string(sum),
                         "they must sum to 1");
    }
    for (std::size_t j = 0; j < joints; ++j)
        for (const auto& column : mesh.joint_from_bind[j].columns)
            for (const double value : column)
                if (!std::isfinite(value))
                    return wrong(
                        mesh, "the bind matrix of joint " + std::to_string(j) + " is not finite");
    return std::nullopt;
}

// Thinner than positions rounded to floats can tell from a line.
bool isFlat(const Vec3& a, const Vec3& b, const Vec3& c) {
    double largest = 0.0;
    for (const Vec3& p : {a, b, c})
        largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    const double longest = std::max({distance(a, b), distance(b, c), distance(c, a)});
    constexpr double kRounding = 0x1p-24;
    return !(length(cross(b - a, c - a)) > kRounding * largest * longest);
}

// A side of a triangle, by its two points.
struct Side {
    Index low, high;
    bool forward;        // the triangle runs from low to high
    Index corner, next;  // where it starts and ends, of all the triangles' corners
};

// Sets of corners that are one fan.
class Fans {
  public:
    explicit Fans(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), Index{0});
    }
    Index find(Index i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(Index a, Index b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<Index> parent_;
};

// Triangles by their points, those with a point twice left out: they have no sides to share.
std::vector<std::array<Index, 3>> pointTriangles(const Mesh& mesh, const MeshTopology& topology) {
    std::vector<std::array<Index, 3>> out;
    out.reserve(mesh.indices.size() / 3);
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const std::array<Index, 3> t = {topology.point_of_vertex[mesh.indices[i]],
                                        topology.point_of_vertex[mesh.indices[i + 1]],
                                        topology.point_of_vertex[mesh.indices[i + 2]]};
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) out.push_back(t);
    }
    return out;
}

std::size_t countDoubled(std::vector<std::array<Index, 3>> triangles) {
    for (auto& t : triangles) std::sort(t.begin(), t.end());
    std::sort(triangles.begin(), triangles.end());
    const auto end = std::unique(triangles.begin(), triangles.end());
    return static_cast<std::size_t>(triangles.end() - end);
}

std::vector<Side> sortedSides(const std::vector<std::array<Index, 3>>& triangles) {
    std::vector<Side> out;
    out.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Index a = triangles[t][k];
            const Index b = triangles[t][(k + 1) % 3];
            out.push_back({std::min(a, b), std::max(a, b), a < b, static_cast<Index>(3 * t + k),
                           static_cast<Index>(3 * t + (k + 1) % 3)});
        }
    }
    std::sort(out.begin(), out.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.corner) < std::tie(b.low, b.high, b.corner);
    });
    return out;
}

// Counts edges by their triangles, and points by their fans: the corners of a point are one fan
// where edges join their triangles.
void countEdges(const std::vector<std::array<Index, 3>>& triangles, std::size_t point_count,
                MeshReport& report) {
    const std::vector<Side> sides = sortedSides(triangles);
    Fans fans(3 * triangles.size());
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].low == sides[i].low &&
               sides[end].high == sides[i].high)
            ++end;
        if (end - i == 1) ++report.boundary_edges;
        if (end - i == 2 && sides[i].forward == sides[i + 1].forward) ++report.flipped_edges;
        if (end - i > 2) ++report.crowded_edges;
        const auto cornerAt = [](const Side& side, bool low) {
            return side.forward == low ? side.corner : side.next;
        };
        for (std::size_t k = i + 1; k < end; ++k) {
            fans.join(cornerAt(sides[i], true), cornerAt(sides[k], true));
            fans.join(cornerAt(sides[i], false), cornerAt(sides[k], false));
        }
        i = end;
    }
    std::vector<Index> fan_count(point_count, 0);
    for (Index corner = 0; corner < 3 * triangles.size(); ++corner)
        if (fans.find(corner) == corner) ++fan_count[triangles[corner / 3][corner % 3]];
    for (const Index count : fan_count) report.pinched_points += count > 1 ? 1U : 0U;
}

// Six times the volume inside, as seen from a point near.
double volume(const Mesh& mesh, const Vec3& from) {
    double sum = 0.0;
    const auto at = [&](std::size_t i) { return widened(mesh.positions[mesh.indices[i]]) - from; };
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
        sum += dot(at(i), cross(at(i + 1), at(i + 2)));
    return sum;
}

void countLoose(const Mesh& mesh, const MeshTopology& topology, MeshReport& report) {
    std::vector<bool> used(mesh.positions.size(), false), part(topology.part_count, false);
    for (const Index v : mesh.indices) {
        used[v] = true;
        part[topology.part_of_point[topology.point_of_vertex[v]]] = true;
    }
    report.loose_vertices = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
    report.parts = static_cast<std::size_t>(std::count(part.begin(), part.end(), true));
}

}  // namespace

std::optional<Diagnostic> findFault(const Mesh& mesh) {
    MaybeError error = checkVertices(mesh);
    if (!error) error = checkTriangles(mesh);
    if (!error) error = checkWeights(mesh);
    return error;
}

Result<MeshReport> checkMesh(const Mesh& mesh) {
    if (std::optional<Diagnostic> fault = findFault(mesh)) return *std::move(fault);
    const MeshTopology topology = computeTopology(mesh);
    MeshReport report;
    report.vertices = mesh.positions.size();
    report.points = topology.pointCount();
    report.triangles = mesh.indices.size() / 3;
    report.low = report.high = widened(mesh.positions.front());
    for (const Vec3f& p : mesh.positions) {
        for (std::size_t k = 0; k < 3; ++k) {
            report.low[k] = std::min(report.low[k], static_cast<double>(p[k]));
            report.high[k] = std::max(report.high[k], static_cast<double>(p[k]));
        }
    }
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const auto at = [&](std::size_t k) { return widened(mesh.positions[mesh.indices[i + k]]); };
        report.flat_triangles += isFlat(at(0), at(1), at(2)) ? 1U : 0U;
    }
    const std::vector<std::array<Index, 3>> triangles = pointTriangles(mesh, topology);
    report.doubled_triangles = countDoubled(triangles);
    countEdges(triangles, topology.pointCount(), report);
    countLoose(mesh, topology, report);
    report.inside_out = report.watertight() && volume(mesh, (report.low + report.high) * 0.5) < 0.0;
    return report;
}

Warnings describeOddities(const MeshReport& report, const Mesh& mesh) {
    Warnings out;
    const auto say = [&](std::size_t count, const char* one, const char* many, const char* advice) {
        if (count == 0) return;
        out.push_back({.what = count == 1 ? std::string(one) : std::to_string(count) + many,
                       .text = mesh.name,
                       .advice = advice});
    };
    say(report.flat_triangles, "a triangle has no area", " triangles have no area",
        "they are kept, but have no normal");
    say(report.doubled_triangles, "a triangle is duplicated", " triangles are duplicated",
        "one of each can be removed");
    say(report.crowded_edges, "an edge has more than two triangles",
        " edges have more than two triangles", "the surface is not manifold there");
    say(report.flipped_edges, "two triangles at an edge face opposite sides",
        " edges have two triangles that face opposite sides", "flip the triangles on one side");
    say(report.pinched_points, "a point is the only contact of two surfaces",
        " points are the only contact of two surfaces", "the surface is not manifold there");
    say(report.boundary_edges, "the surface is open along an edge",
        " edges are open: the surface has holes", "the mesh encloses no volume");
    say(report.loose_vertices, "a vertex belongs to no triangle", " vertices belong to no triangle",
        "they are kept in their order");
    if (report.inside_out)
        out.push_back({.what = "the surface is inside out",
                       .text = mesh.name,
                       .advice = "flip all triangles"});
    return out;
}

}  // namespace ulna
