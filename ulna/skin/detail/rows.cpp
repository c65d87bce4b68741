// SPDX-License-Identifier: Apache-2.0

// Pruning. For a given number of entries the largest are the ones to keep: exchanging a kept entry
// for a larger one that was dropped never adds to the squares. What is kept then goes to the
// nearest point of the simplex {x >= least, sum = 1} (Held, Wolfe and Crowder 1974), and the best
// of all numbers up to `most` counts.
#include "ulna/skin/detail/rows.h"

#include <algorithm>
#include <cmath>

namespace ulna::skin::detail {
namespace {

// The nearest point of {x >= least, sum = 1} to the first `count` entries.
std::vector<double> projected(const Shares& row, std::size_t count, double least) {
    const double radius = 1.0 - static_cast<double>(count) * least;
    double sum = 0.0, shift = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        sum += row[i].weight - least;
        const double candidate = (sum - radius) / static_cast<double>(i + 1);
        if (row[i].weight - least > candidate) shift = candidate;
    }
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(std::max(row[i].weight - shift, least));
    return out;
}

}  // namespace

void tidy(Shares& row) {
    std::erase_if(row, [](const Share& s) { return !(s.weight > 0.0); });
    std::stable_sort(row.begin(), row.end(),
                     [](const Share& a, const Share& b) { return a.joint < b.joint; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (kept > 0 && row[kept - 1].joint == row[i].joint)
            row[kept - 1].weight += row[i].weight;
        else
            row[kept++] = row[i];
    }
    row.resize(kept);
    std::stable_sort(row.begin(), row.end(),
                     [](const Share& a, const Share& b) { return a.weight > b.weight; });
}

void normalize(Shares& row) {
    double sum = 0.0;
    for (const Share& s : row) sum += s.weight;
    for (Share& s : row) s.weight /= sum;
}

void prune(Shares& row, std::size_t most, double least) {
    double dropped_squares = 0.0;
    for (const Share& s : row) dropped_squares += s.weight * s.weight;
    double best_squares = 0.0;
    std::vector<double> best;
    for (std::size_t count = 1; count <= std::min(most, row.size()); ++count) {
        dropped_squares -= row[count - 1].weight * row[count - 1].weight;
        if (static_cast<double>(count) * least > 1.0) break;
        std::vector<double> candidate = projected(row, count, least);
        double squares = dropped_squares;
        for (std::size_t i = 0; i < count; ++i)
            squares += (candidate[i] - row[i].weight) * (candidate[i] - row[i].weight);
        // Without a least weight the squares only fall with the count, but for rounding.
        const bool better = best.empty() || squares < best_squares || least == 0.0;
        if (!better) continue;
        best_squares = squares;
        best = std::move(candidate);
    }
    row.resize(best.size());
    for (std::size_t i = 0; i < best.size(); ++i) row[i].weight = best[i];
}

void pruneSmoothly(Shares& row, std::size_t most, double least) {
    const double taken = std::max(least, row.size() > most ? row[most].weight : 0.0);
    if (!(row[0].weight > taken)) {
        row = {{row[0].joint, 1.0}};
        return;
    }
    for (Share& s : row) s.weight -= taken;
    std::erase_if(row, [](const Share& s) { return !(s.weight > 0.0); });
    normalize(row);
}

void append(const Shares& row, SkinWeights& out) {
    if (out.first.empty()) out.first.push_back(0);
    for (const Share& s : row) {
        const auto weight = static_cast<float>(s.weight);
        if (weight > 0.0f) out.influences.push_back({s.joint, weight});
    }
    out.first.push_back(static_cast<std::uint32_t>(out.influences.size()));
}

Shares sharesOf(std::span<const Influence> row) {
    Shares out;
    out.reserve(row.size());
    for (const Influence& i : row) out.push_back({i.joint, static_cast<double>(i.weight)});
    return out;
}

void addShares(const Shares& row, double factor, Shares& sum) {
    for (const Share& s : row) sum.push_back({s.joint, factor * s.weight});
}

std::vector<Shares> rowsOfPoints(const SkinWeights& weights, const MeshTopology& topology) {
    std::vector<Shares> out(topology.pointCount());
    for (std::size_t v = 0; v < weights.rowCount(); ++v)
        addShares(sharesOf(weights[v]), 1.0, out[topology.point_of_vertex[v]]);
    for (Shares& row : out) {
        tidy(row);
        normalize(row);
    }
    return out;
}

}  // namespace ulna::skin::detail
