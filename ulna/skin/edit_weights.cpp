// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/edit_weights.h"

#include <algorithm>

#include "ulna/core/assert.h"
#include "ulna/skin/detail/points.h"
#include "ulna/skin/detail/rows.h"
#include "ulna/skin/triangle_tree.h"

namespace ulna {
namespace {

using detail::Shares;
using detail::widened;

// Each vertex as a triangle of no size: the tree then finds nearest vertices.
TriangleTree treeOfVertices(const std::vector<Vec3f>& positions) {
    std::vector<std::uint32_t> indices;
    indices.reserve(3 * positions.size());
    for (std::uint32_t v = 0; v < positions.size(); ++v) indices.insert(indices.end(), {v, v, v});
    return {positions, indices};
}

// Reads weights on the other side of the mirror.
class MirrorReader {
  public:
    MirrorReader(const Mesh& mesh, const MirrorPairs& pairs, double tolerance)
        : mesh_(mesh),
          pairs_(pairs),
          tolerance_(tolerance),
          vertices_(treeOfVertices(mesh.positions)),
          surface_(mesh.positions, mesh.indices) {}

    struct Reading {
        Shares row = {};
        bool matched = false;
    };
    [[nodiscard]] Reading read(const Vec3& p) const {
        const Vec3 there = p - pairs_.normal * (2.0 * dot(p, pairs_.normal));
        Reading out;
        if (const auto vertex = vertices_.nearest(there, tolerance_)) {
            out.matched = true;
            addOther(vertex->triangle, 1.0, out.row);
        } else if (const auto point = surface_.nearest(there)) {
            for (std::size_t k = 0; k < 3; ++k)
                addOther(mesh_.indices[3 * point->triangle + k], point->shares[k], out.row);
        } else {
            addOther(vertices_.nearest(there)->triangle, 1.0, out.row);
        }
        detail::tidy(out.row);
        detail::normalize(out.row);
        return out;
    }

  private:
    void addOther(std::uint32_t vertex, double factor, Shares& sum) const {
        for (const Influence& i : mesh_.weights[vertex])
            sum.push_back({pairs_.other[index(i.joint)], factor * static_cast<double>(i.weight)});
    }

    const Mesh& mesh_;
    const MirrorPairs& pairs_;
    double tolerance_;
    TriangleTree vertices_;
    TriangleTree surface_;
};

}  // namespace

SkinWeights normalized(const SkinWeights& weights) {
    SkinWeights out;
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        detail::Shares row = detail::sharesOf(weights[v]);
        detail::tidy(row);
        detail::normalize(row);
        detail::append(row, out);
    }
    return out;
}

SkinWeights pruned(const SkinWeights& weights, std::size_t most, float least, PruneLoss* loss) {
    ULNA_ASSERT(most > 0, "pruning keeps at least one influence");
    ULNA_ASSERT(least >= 0.0f && least < 1.0f, "the least weight to keep is in [0, 1)");
    SkinWeights out;
    PruneLoss taken;
    double sum = 0.0;
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        detail::Shares row = detail::sharesOf(weights[v]);
        detail::tidy(row);
        detail::normalize(row);
        const std::size_t before = row.size();
        const double lost = detail::prune(row, most, static_cast<double>(least));
        taken.worst = std::max(taken.worst, lost);
        taken.vertices += row.size() < before ? 1 : 0;
        sum += lost;
        detail::append(row, out);
    }
    if (weights.rowCount() > 0) taken.mean = sum / static_cast<double>(weights.rowCount());
    if (loss != nullptr) *loss = taken;
    return out;
}

SkinWeights smoothed(const SkinWeights& weights, const MeshTopology& topology, double amount,
                     int rounds) {
    ULNA_ASSERT(weights.rowCount() == topology.place_of_vertex.size(),
                "smoothing needs a row of weights per vertex");
    ULNA_ASSERT(amount >= 0.0 && amount <= 1.0, "the amount of smoothing is in [0, 1]");
    std::vector<Shares> rows = detail::rowsOfPlaces(weights, topology);
    std::vector<Shares> next(rows.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t place = 0; place < rows.size(); ++place) {
            Shares mean;
            for (const std::uint32_t n : topology.neighboursOf(place))
                detail::add(rows[n], 1.0, mean);
            detail::tidy(mean);
            detail::normalize(mean);
            next[place] = rows[place];
            if (mean.empty() || rows[place].empty()) continue;
            for (detail::Share& s : next[place]) s.weight *= 1.0 - amount;
            detail::add(mean, amount, next[place]);
            detail::tidy(next[place]);
            detail::normalize(next[place]);
        }
        std::swap(rows, next);
    }
    SkinWeights out;
    for (std::size_t v = 0; v < weights.rowCount(); ++v)
        detail::append(rows[topology.place_of_vertex[v]], out);
    return out;
}

MirroredWeights mirroredWeights(const Mesh& mesh, const MirrorPairs& pairs, MirrorSide side,
                                double tolerance) {
    ULNA_ASSERT(mesh.weights.rowCount() == mesh.positions.size(),
                "mirroring needs a row of weights per vertex");
    const MirrorReader reader(mesh, pairs, tolerance);
    const double to_written = side == MirrorSide::LeftToRight ? -1.0 : 1.0;
    MirroredWeights out;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3 p = widened(mesh.positions[v]);
        const double across = to_written * dot(p, pairs.normal);
        if (across < -tolerance) {
            out.weights.addRow(mesh.weights[v]);
            continue;
        }
        MirrorReader::Reading reading = reader.read(p);
        if (across > tolerance) {
            if (!reading.matched) out.unmatched.push_back(v);
        } else {
            detail::add(detail::sharesOf(mesh.weights[v]), 1.0, reading.row);
            detail::tidy(reading.row);
            detail::normalize(reading.row);
        }
        detail::append(reading.row, out.weights);
    }
    return out;
}

}  // namespace ulna
