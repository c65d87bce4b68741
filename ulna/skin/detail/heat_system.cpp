// SPDX-License-Identifier: Apache-2.0

// L is the cotangent Laplacian (Pinkall and Polthier 1993), M the lumped mass. The factors are
// Eigen's; the solves are written out here because several columns at a time read them once.
#include "ulna/skin/detail/heat_system.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>

#include "ulna/skin/detail/points.h"

namespace ulna::skin::detail {
namespace {

// A triangle whose height is less than this share of its longest edge is flat: floats say no more
// about its angles.
constexpr double kFlat = 1e-6;
// Angles below a hundredth of a degree tell of the rounding of positions, not of the surface.
constexpr double kMostCotangent = 1e4;
constexpr double kLeastWeight = 1e-6;

void addWeight(const MeshTopology& topology, std::uint32_t from, std::uint32_t to, double weight,
               SurfaceOperator& out) {
    const auto others = topology.neighboursOf(from);
    const auto at = std::lower_bound(others.begin(), others.end(), to) - others.begin();
    out.weights[topology.first_neighbour[from] + static_cast<std::size_t>(at)] += weight;
}

}  // namespace

SurfaceOperator makeSurfaceOperator(const Mesh& mesh, const MeshTopology& topology) {
    SurfaceOperator out;
    out.weights.assign(topology.neighbours.size(), 0.0);
    out.areas.assign(topology.pointCount(), 0.0);
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        std::array<std::uint32_t, 3> point = {};
        std::array<Vec3, 3> at = {};
        for (std::size_t k = 0; k < 3; ++k) {
            point[k] = topology.point_of_vertex[mesh.indices[i + k]];
            at[k] = widened(mesh.positions[mesh.indices[i + k]]);
        }
        const double twice_area = length(cross(at[1] - at[0], at[2] - at[0]));
        double longest = 0.0;
        for (std::size_t k = 0; k < 3; ++k)
            longest = std::max(longest, dot(at[k] - at[(k + 1) % 3], at[k] - at[(k + 1) % 3]));
        if (!(twice_area > kFlat * longest)) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t b = (k + 1) % 3, c = (k + 2) % 3;
            const double cotangent = std::clamp(dot(at[b] - at[k], at[c] - at[k]) / twice_area,
                                                -kMostCotangent, kMostCotangent);
            addWeight(topology, point[b], point[c], 0.5 * cotangent, out);
            addWeight(topology, point[c], point[b], 0.5 * cotangent, out);
            out.areas[point[k]] += twice_area / 6.0;
        }
    }
    for (double& weight : out.weights) weight = std::max(weight, kLeastWeight);
    return out;
}

struct HeatSystem::Factors {
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt;
};

HeatSystem::HeatSystem(const MeshTopology& topology, const SurfaceOperator& surface,
                       std::span<const double> heat)
    : factors_(std::make_unique<Factors>()) {
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> unknown(topology.pointCount(), kNone);
    for (std::uint32_t point = 0; point < topology.pointCount(); ++point) {
        if (heat[point] < 0.0) continue;
        unknown[point] = static_cast<std::uint32_t>(points_.size());
        points_.push_back(point);
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (std::uint32_t u = 0; u < points_.size(); ++u) {
        const std::uint32_t point = points_[u];
        double diagonal = heat[point];
        for (std::size_t n = topology.first_neighbour[point];
             n < topology.first_neighbour[point + 1]; ++n) {
            diagonal += surface.weights[n];
            const std::uint32_t other = unknown[topology.neighbours[n]];
            if (other > u) entries.emplace_back(other, u, -surface.weights[n]);
        }
        entries.emplace_back(u, u, diagonal);
    }
    const auto size = static_cast<Eigen::Index>(points_.size());
    Eigen::SparseMatrix<double> matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    factors_->ldlt.compute(matrix);
}

HeatSystem::~HeatSystem() = default;

bool HeatSystem::ok() const {
    return factors_->ldlt.info() == Eigen::Success;
}

void HeatSystem::solve(std::span<double> columns) const {
    using Row = std::array<double, kColumns>;
    const auto& lower = factors_->ldlt.matrixL().nestedExpression();
    const auto diagonal = factors_->ldlt.vectorD();
    const auto& order = factors_->ldlt.permutationP().indices();
    const std::size_t size = points_.size();
    std::vector<Row> rows(size);
    const auto rowOf = [&](std::size_t u) -> Row& {
        return rows[static_cast<std::size_t>(order[static_cast<Eigen::Index>(u)])];
    };
    for (std::size_t u = 0; u < size; ++u)
        std::copy_n(&columns[points_[u] * kColumns], kColumns, rowOf(u).begin());

    const int* first = lower.outerIndexPtr();
    const int* inner = lower.innerIndexPtr();
    const double* value = lower.valuePtr();
    for (std::size_t j = 0; j < size; ++j) {
        const Row here = rows[j];
        for (int e = first[j]; e < first[j + 1]; ++e) {
            Row& row = rows[static_cast<std::size_t>(inner[e])];
            for (std::size_t k = 0; k < kColumns; ++k) row[k] -= value[e] * here[k];
        }
    }
    for (std::size_t j = size; j-- > 0;) {
        Row here = rows[j];
        for (double& number : here) number /= diagonal[static_cast<Eigen::Index>(j)];
        for (int e = first[j]; e < first[j + 1]; ++e) {
            const Row& row = rows[static_cast<std::size_t>(inner[e])];
            for (std::size_t k = 0; k < kColumns; ++k) here[k] -= value[e] * row[k];
        }
        rows[j] = here;
    }
    for (std::size_t u = 0; u < size; ++u)
        std::copy_n(rowOf(u).begin(), kColumns, &columns[points_[u] * kColumns]);
}

}  // namespace ulna::skin::detail
