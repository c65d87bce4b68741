// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/vertex_pack.h"

#include <cmath>

namespace ulna::fit::detail {

VertexPack makeVertexPack(std::span<const Vec3> vertices, const SkinWeights& weights,
                          std::size_t points, const Vec3& origin,
                          std::span<const double> exact_weights) {
    VertexPack pack;
    pack.origin = origin;
    pack.points = points;
    pack.first.push_back(0);
    std::vector<std::uint32_t> counts(points + 1, 0);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const Vec3 place = vertices[i] - origin;
        pack.rest.push_back({place.x, place.y, place.z, 1.0});
        const std::size_t begin = pack.point.size();
        double sum = 0.0;
        for (std::uint32_t k = weights.first[i]; k < weights.first[i + 1]; ++k) {
            const Influence& influence = weights.influences[k];
            const auto j = static_cast<std::uint32_t>(index(influence.joint));
            const double w =
                exact_weights.empty() ? static_cast<double>(influence.weight) : exact_weights[k];
            sum += w;
            std::size_t at = begin;
            while (at < pack.point.size() && pack.point[at] != j) ++at;
            if (at < pack.point.size()) {
                pack.weight[at] += w;
                continue;
            }
            pack.point.push_back(j);
            pack.weight.push_back(w);
            ++counts[j + 1];
        }
        pack.row_sums.push_back(sum);
        pack.first.push_back(static_cast<std::uint32_t>(pack.point.size()));
    }
    for (std::size_t j = 0; j < points; ++j) counts[j + 1] += counts[j];
    pack.first_of_point = counts;
    pack.vertex.resize(pack.point.size());
    pack.influence.resize(pack.point.size());
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        for (std::uint32_t k = pack.first[i]; k < pack.first[i + 1]; ++k) {
            const std::uint32_t at = counts[pack.point[k]]++;
            pack.vertex[at] = i;
            pack.influence[at] = k;
        }
    }
    return pack;
}

std::size_t centreTargets(const VertexPack& pack, std::span<const Vec3> targets,
                          std::span<const double> masses, std::span<Row4> out) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (!(masses[i] > 0.0)) {
            out[i] = {};
            continue;
        }
        const Vec3& target = targets[i];
        // A sum is finite where its parts are, or overflows, which is as bad.
        if (!std::isfinite(target.x + target.y + target.z)) return i;
        const Vec3 x = target - pack.origin * pack.row_sums[i];
        out[i] = {x.x, x.y, x.z, 0.0};
    }
    return targets.size();
}

void weighPoints(const VertexPack& pack, std::span<const double> masses, std::span<double> out) {
    for (std::size_t k = 0; k < pack.vertex.size(); ++k)
        out[k] = masses[pack.vertex[k]] * pack.weight[pack.influence[k]];
}

void computePointMoments(const VertexPack& pack, std::span<const double> point_masses,
                         std::span<const Row4> targets, std::span<Rows4> out) {
    for (std::size_t j = 0; j < pack.points; ++j) {
        Rows4 sum = {};
        for (std::uint32_t k = pack.first_of_point[j]; k < pack.first_of_point[j + 1]; ++k) {
            const Row4& target = targets[pack.vertex[k]];
            const Row4& rest = pack.rest[pack.vertex[k]];
            const double mass = point_masses[k];
            for (std::size_t r = 0; r < 3; ++r) {
                const double factor = mass * target[r];
                for (std::size_t c = 0; c < 4; ++c) sum[r][c] += factor * rest[c];
            }
        }
        out[j] = sum;
    }
}

Row4 leftOfIdle(const VertexPack& pack, const Row4& target, std::size_t vertex) {
    // It is where it was at rest, and without weights its target was not brought to the origin.
    Row4 left = target;
    for (std::size_t r = 0; r < 3; ++r) left[r] -= pack.rest[vertex][r] + pack.origin[r];
    return left;
}

Leftover computeLeftover(const VertexPack& pack, std::span<const double> masses,
                         std::span<const Columns4> matrices, std::span<const Row4> targets,
                         std::span<double> distances) {
    Leftover out;
    double worst2 = -1.0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (!(masses[i] > 0.0)) continue;
        Columns4 blend = {};
        for (std::uint32_t k = pack.first[i]; k < pack.first[i + 1]; ++k) {
            const Columns4& matrix = matrices[pack.point[k]];
            const double weight = pack.weight[k];
            for (std::size_t c = 0; c < 4; ++c)
                for (std::size_t r = 0; r < 4; ++r) blend[c][r] += weight * matrix[c][r];
        }
        const Row4& rest = pack.rest[i];
        Row4 left = targets[i];
        for (std::size_t r = 0; r < 4; ++r) {
            left[r] -=
                blend[0][r] * rest[0] + blend[1][r] * rest[1] + blend[2][r] * rest[2] + blend[3][r];
        }
        if (pack.first[i] == pack.first[i + 1]) left = leftOfIdle(pack, targets[i], i);
        const double distance2 = left[0] * left[0] + left[1] * left[1] + left[2] * left[2];
        out.sum += masses[i] * distance2;
        if (distance2 > worst2) {
            worst2 = distance2;
            out.worst = i;
        }
        if (!distances.empty()) distances[i] = std::sqrt(distance2);
    }
    out.worst_distance = worst2 > 0.0 ? std::sqrt(worst2) : 0.0;
    return out;
}

}  // namespace ulna::fit::detail
