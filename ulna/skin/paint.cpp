// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/paint.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/skin/detail/points.h"
#include "ulna/skin/detail/rows.h"

namespace ulna {
namespace {

using skin::detail::Share;
using skin::detail::Shares;
using skin::detail::widened;

// Ways along edges of a grid are up to the root of 2 longer than straight ones.
constexpr double kLongestWay = 1.5;

Vec3 positionOf(const Mesh& mesh, const MeshTopology& topology, std::size_t point) {
    return widened(mesh.positions[topology.vertex_of_point[point]]);
}

// 1 at the centre, 0 at the radius, without a kink at either.
float falloff(double distance, double radius) {
    const double t = distance / radius;
    return distance < radius ? static_cast<float>((1.0 - t * t) * (1.0 - t * t)) : 0.0f;
}

// Strengths by point: a shortest-way search (Dijkstra) that stays under the brush.
std::vector<float> spreadBrush(const Mesh& mesh, const MeshTopology& topology, const Vec3& centre,
                               double radius) {
    std::vector<float> strengths(topology.pointCount(), 0.0f);
    std::size_t start = 0;
    double nearest = skin::detail::kInfinity;
    for (std::size_t point = 0; point < topology.pointCount(); ++point) {
        const double here = distance(centre, positionOf(mesh, topology, point));
        if (here < nearest) {
            nearest = here;
            start = point;
        }
    }
    if (!(nearest < radius)) return strengths;
    using Step = std::pair<double, std::size_t>;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
    std::vector<double> ways(topology.pointCount(), skin::detail::kInfinity);
    ways[start] = nearest;
    open.emplace(nearest, start);
    while (!open.empty()) {
        const auto [way, point] = open.top();
        open.pop();
        if (way > ways[point]) continue;
        const Vec3 at = positionOf(mesh, topology, point);
        strengths[point] = falloff(distance(centre, at), radius);
        for (const std::uint32_t n : topology.neighboursOf(point)) {
            const Vec3 there = positionOf(mesh, topology, n);
            const double longer = way + distance(at, there);
            if (longer > kLongestWay * radius || !(longer < ways[n])) continue;
            ways[n] = longer;
            open.emplace(longer, n);
        }
    }
    return strengths;
}

class Painter {
  public:
    Painter(const MeshTopology& topology, JointId joint, const PaintOptions& options,
            const SkinWeights& weights)
        : topology_(topology), joint_(joint), options_(options), weights_(weights) {}

    // The point's row after a dab of this strength; the rows as they were are read.
    [[nodiscard]] Shares painted(std::size_t point, double strength) const;

  private:
    [[nodiscard]] bool isLocked(JointId joint) const {
        return std::find(options_.locked.begin(), options_.locked.end(), joint) !=
               options_.locked.end();
    }
    [[nodiscard]] std::span<const Influence> rowOf(std::size_t point) const {
        return weights_[topology_.vertex_of_point[point]];
    }
    [[nodiscard]] double wanted(std::size_t point, double now, double strength) const;
    [[nodiscard]] Shares takers(std::size_t point) const;

    const MeshTopology& topology_;
    JointId joint_;
    const PaintOptions& options_;
    const SkinWeights& weights_;
};

double Painter::wanted(std::size_t point, double now, double strength) const {
    switch (options_.mode) {
        case PaintMode::Add:
            return now + strength;
        case PaintMode::Subtract:
            return now - strength;
        case PaintMode::Replace:
            return now + strength * (static_cast<double>(options_.value) - now);
        case PaintMode::Smooth:
            break;
    }
    double sum = 0.0, count = 0.0;
    for (const std::uint32_t n : topology_.neighboursOf(point)) {
        if (rowOf(n).empty()) continue;
        sum += static_cast<double>(weightOf(rowOf(n), joint_));
        count += 1.0;
    }
    return count > 0.0 ? now + strength * (sum / count - now) : now;
}

// Who gets what the joint loses where it has all: in proportion, summing to 1, or nobody.
Shares Painter::takers(std::size_t point) const {
    Shares out;
    for (const std::uint32_t n : topology_.neighboursOf(point))
        for (const Influence& i : rowOf(n))
            if (i.joint != joint_ && !isLocked(i.joint))
                out.push_back({i.joint, static_cast<double>(i.weight)});
    skin::detail::tidy(out);
    skin::detail::normalize(out);
    return out;
}

Shares Painter::painted(std::size_t point, double strength) const {
    Shares row = skin::detail::sharesOf(rowOf(point));
    const bool adds = options_.mode == PaintMode::Add || options_.mode == PaintMode::Replace;
    if (row.empty()) {
        if (adds && wanted(point, 0.0, strength) > 0.0) row.push_back({joint_, 1.0});
        return row;
    }
    double now = 0.0, locked = 0.0, others = 0.0;
    for (const Share& s : row)
        (s.joint == joint_ ? now : isLocked(s.joint) ? locked : others) += s.weight;
    const double free = std::max(0.0, 1.0 - locked);
    const double target = std::clamp(wanted(point, now, strength), 0.0, free);
    if (target == now) return row;
    if (!(others > 0.0)) {
        const Shares given = takers(point);
        if (given.empty() || target > now) return row;
        skin::detail::addShares(given, free - target, row);
        others = free - target;
    }
    std::erase_if(row, [&](const Share& s) { return s.joint == joint_; });
    for (Share& s : row)
        if (!isLocked(s.joint)) s.weight *= (free - target) / others;
    row.push_back({joint_, target});
    skin::detail::tidy(row);
    return row;
}

}  // namespace

std::vector<Dab> makeBrush(const Mesh& mesh, const MeshTopology& topology, const Vec3& centre,
                           double radius) {
    const std::vector<float> strengths = spreadBrush(mesh, topology, centre, radius);
    std::vector<Dab> out;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const float strength = strengths[topology.point_of_vertex[v]];
        if (strength > 0.0f) out.push_back({v, strength});
    }
    return out;
}

std::vector<Dab> makeBrush(const Mesh& mesh, const Vec3& centre, double radius) {
    return makeBrush(mesh, computeTopology(mesh), centre, radius);
}

void paint(const MeshTopology& topology, JointId joint, std::span<const Dab> dabs,
           const PaintOptions& options, SkinWeights& weights) {
    ULNA_ASSERT(weights.rowCount() == topology.point_of_vertex.size(),
                "painting needs a row of weights per vertex");
    ULNA_ASSERT(joint != JointId::None, "painting is for a joint");
    if (std::find(options.locked.begin(), options.locked.end(), joint) != options.locked.end())
        return;
    std::vector<float> strengths(topology.pointCount(), 0.0f);
    for (const Dab& dab : dabs) {
        ULNA_ASSERT(dab.vertex < weights.rowCount(), "a dab is on a vertex of the mesh");
        float& strength = strengths[topology.point_of_vertex[dab.vertex]];
        strength = std::max(strength, std::min(dab.strength, 1.0f));
    }
    const Painter painter(topology, joint, options, weights);
    std::vector<Shares> rows(topology.pointCount());
    for (std::size_t point = 0; point < rows.size(); ++point)
        if (strengths[point] > 0.0f)
            rows[point] = painter.painted(point, static_cast<double>(strengths[point]));
    SkinWeights out;
    out.first.reserve(weights.first.size());
    out.influences.reserve(weights.influences.size());
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        const std::uint32_t point = topology.point_of_vertex[v];
        if (strengths[point] > 0.0f)
            skin::detail::append(rows[point], out);
        else
            out.addRow(std::as_const(weights)[v]);
    }
    weights = std::move(out);
}

}  // namespace ulna
