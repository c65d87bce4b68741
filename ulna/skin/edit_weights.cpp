// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/edit_weights.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"
#include "ulna/skin/detail/points.h"
#include "ulna/skin/detail/rows.h"
#include "ulna/skin/detail/surface_reader.h"

namespace ulna {
namespace {

using skin::detail::Shares;
using skin::detail::widened;

// What the mirror image of `p` has, joints exchanged. `matched` tells whether a vertex is there.
Shares readAcross(const skin::detail::SurfaceReader& reader, const MirrorPairs& pairs,
                  const Vec3& p, double tolerance, bool& matched) {
    const Vec3 there = p - pairs.normal * (2.0 * dot(p, pairs.normal));
    std::optional<Shares> of_vertex = reader.atVertex(there, tolerance);
    matched = of_vertex.has_value();
    Shares row = matched ? *std::move(of_vertex) : reader.atSurface(there);
    for (skin::detail::Share& s : row) s.joint = pairs.other[index(s.joint)];
    skin::detail::tidy(row);
    skin::detail::normalize(row);
    return row;
}

}  // namespace

SkinWeights normalized(const SkinWeights& weights) {
    SkinWeights out;
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        skin::detail::Shares row = skin::detail::sharesOf(weights[v]);
        skin::detail::tidy(row);
        skin::detail::normalize(row);
        skin::detail::append(row, out);
    }
    return out;
}

namespace {

void checkPruning([[maybe_unused]] std::size_t most, [[maybe_unused]] float least) {
    ULNA_ASSERT(most > 0, "pruning keeps at least one influence");
    ULNA_ASSERT(least >= 0.0f && least < 1.0f, "the least weight to keep is in [0, 1)");
}

// `prune` shortens a row that is tidy and sums to 1.
template <class Prune>
PrunedWeights prunedBy(const SkinWeights& weights, const Prune& prune) {
    PrunedWeights out;
    double sum = 0.0;
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        skin::detail::Shares row = skin::detail::sharesOf(weights[v]);
        skin::detail::tidy(row);
        skin::detail::normalize(row);
        const Shares before = row;
        if (!row.empty()) prune(row);
        double lost = 0.0;
        for (std::size_t i = row.size(); i < before.size(); ++i) lost += before[i].weight;
        out.loss.worst = std::max(out.loss.worst, lost);
        out.loss.vertices += row.size() < before.size() ? 1 : 0;
        sum += lost;
        skin::detail::append(row, out.weights);
    }
    if (weights.rowCount() > 0) out.loss.mean = sum / static_cast<double>(weights.rowCount());
    return out;
}

}  // namespace

PrunedWeights pruned(const SkinWeights& weights, std::size_t most, float least) {
    checkPruning(most, least);
    return prunedBy(
        weights, [&](Shares& row) { skin::detail::prune(row, most, static_cast<double>(least)); });
}

PrunedWeights prunedSmoothly(const SkinWeights& weights, std::size_t most, float least) {
    checkPruning(most, least);
    return prunedBy(weights, [&](Shares& row) {
        skin::detail::pruneSmoothly(row, most, static_cast<double>(least));
    });
}

SkinWeights smoothed(const SkinWeights& weights, const MeshTopology& topology, double amount,
                     int rounds) {
    ULNA_ASSERT(weights.rowCount() == topology.point_of_vertex.size(),
                "smoothing needs a row of weights per vertex");
    ULNA_ASSERT(amount >= 0.0 && amount <= 1.0, "the amount of smoothing is in [0, 1]");
    std::vector<Shares> rows = skin::detail::rowsOfPoints(weights, topology);
    std::vector<Shares> next(rows.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t point = 0; point < rows.size(); ++point) {
            Shares mean;
            for (const std::uint32_t n : topology.neighboursOf(point))
                skin::detail::addShares(rows[n], 1.0, mean);
            skin::detail::tidy(mean);
            skin::detail::normalize(mean);
            next[point] = rows[point];
            if (mean.empty() || rows[point].empty()) continue;
            for (skin::detail::Share& s : next[point]) s.weight *= 1.0 - amount;
            skin::detail::addShares(mean, amount, next[point]);
            skin::detail::tidy(next[point]);
            skin::detail::normalize(next[point]);
        }
        std::swap(rows, next);
    }
    SkinWeights out;
    for (std::size_t v = 0; v < weights.rowCount(); ++v)
        skin::detail::append(rows[topology.point_of_vertex[v]], out);
    return out;
}

MirroredWeights mirroredWeights(const Mesh& mesh, const MirrorPairs& pairs, MirrorSide side,
                                double tolerance) {
    const skin::detail::SurfaceReader reader(mesh);
    const double to_written = side == MirrorSide::LeftToRight ? -1.0 : 1.0;
    MirroredWeights out;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3 p = widened(mesh.positions[v]);
        const double across = to_written * dot(p, pairs.normal);
        if (across < -tolerance) {
            out.weights.addRow(mesh.weights[v]);
            continue;
        }
        bool matched = false;
        Shares row = readAcross(reader, pairs, p, tolerance, matched);
        if (across > tolerance) {
            if (!matched) out.unmatched.push_back(v);
        } else {
            skin::detail::addShares(skin::detail::sharesOf(mesh.weights[v]), 1.0, row);
            skin::detail::tidy(row);
            skin::detail::normalize(row);
        }
        skin::detail::append(row, out.weights);
    }
    return out;
}

MirroredWeights mirroredWeights(const Skeleton& skeleton, const Mesh& mesh,
                                const MirrorPairs& pairs, MirrorSide side, double tolerance) {
    Mesh rest = posedMesh(skeleton, mesh, computeModelPose(skeleton, restPose(skeleton)));
    rest.weights = mesh.weights;
    return mirroredWeights(rest, pairs, side, tolerance);
}

}  // namespace ulna
