// SPDX-License-Identifier: Apache-2.0

// The equations of heat on a surface, (L + M H) w = M H p, factored once for all right-hand sides.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ulna/skin/topology.h"

namespace ulna::skin::detail {

/// The surface as heat sees it: what joins neighbours, and the area around each point.
struct SurfaceOperator {
    std::vector<double> weights = {};  ///< as MeshTopology::neighbours: half the sum of cotangents
    std::vector<double> areas = {};    ///< by point: a third of the triangles around
};

/// Triangles without area take no part. Weights of edges are clamped from below to a little above
/// zero, so that the matrix of the heat is an M-matrix (heat between 0 and 1 stays there, and heat
/// 1 everywhere stays 1) and that no point is cut off.
[[nodiscard]] SurfaceOperator makeSurfaceOperator(const Mesh& mesh, const MeshTopology& topology);

class HeatSystem {
  public:
    /// How many right-hand sides are solved at once.
    static constexpr std::size_t kColumns = 8;

    /// `heat` is M H by point. Points where it is negative have no unknown.
    /// @pre in every part with unknowns some point has heat.
    HeatSystem(const MeshTopology& topology, const SurfaceOperator& surface,
               std::span<const double> heat);
    ~HeatSystem();
    HeatSystem(const HeatSystem&) = delete;
    HeatSystem& operator=(const HeatSystem&) = delete;

    /// False where the factorisation broke down: numbers beyond what doubles can hold.
    [[nodiscard]] bool ok() const;

    /// Replaces right-hand sides, kColumns numbers for each point, by solutions. Several threads
    /// may solve at once.
    void solve(std::span<double> columns) const;

  private:
    struct Factors;
    std::unique_ptr<Factors> factors_;
    std::vector<std::uint32_t> points_;  // of the unknowns
};

}  // namespace ulna::skin::detail
