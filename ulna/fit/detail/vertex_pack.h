// SPDX-License-Identifier: Apache-2.0

// The vertices of a rig packed for the two passes a frame makes over them: one for the moments of
// its targets, one for what is left of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ulna/fit/rig.h"

namespace ulna::fit::detail {

/// Three coordinates and one more value: a position and 1, or padding.
using Row4 = std::array<double, 4>;
/// A 3x4 matrix by columns, the fourth value of each unused.
using Columns4 = std::array<Row4, 4>;
/// A 3x4 matrix by rows.
using Rows4 = std::array<Row4, 3>;

struct VertexPack {
    Vec3 origin;  // positions in here are relative to it
    std::size_t points = 0;

    std::vector<Row4> rest;            // per vertex: its position and 1
    std::vector<double> row_sums;      // per vertex
    std::vector<std::uint32_t> first;  // per vertex, then the end
    std::vector<std::uint32_t> point;  // per influence, each point once a row
    std::vector<double> weight;

    // The same by point.
    std::vector<std::uint32_t> first_of_point;
    std::vector<std::uint32_t> vertex;
    std::vector<std::uint32_t> influence;

    [[nodiscard]] std::size_t vertexCount() const { return rest.size(); }
};

/// @param exact_weights as FitRig has them.
[[nodiscard]] VertexPack makeVertexPack(std::span<const Vec3> vertices, const SkinWeights& weights,
                                        std::size_t points, const Vec3& origin,
                                        std::span<const double> exact_weights = {});

/// Targets relative to the origin, as the sums of weights have it: x - sum(w) * origin; zero where
/// the mass is. Returns the first target with mass that is not finite, or the number of vertices.
std::size_t centreTargets(const VertexPack& pack, std::span<const Vec3> targets,
                          std::span<const double> masses, std::span<Row4> out);

/// The masses on each point's vertices times its weights, by point.
void weighPoints(const VertexPack& pack, std::span<const double> masses, std::span<double> out);

/// Per point the sum of m w x [rest; 1]^T over its vertices.
void computePointMoments(const VertexPack& pack, std::span<const double> point_masses,
                         std::span<const Row4> targets, std::span<Rows4> out);

struct Leftover {
    double sum = 0.0;  // of m r^2
    std::size_t worst = 0;
    double worst_distance = 0.0;
};

/// What is left of a target whose vertex nothing moves.
[[nodiscard]] Row4 leftOfIdle(const VertexPack& pack, const Row4& target, std::size_t vertex);

/// What is left between the targets and the vertices that points' matrices make; distances of
/// single vertices into `distances` where it is not empty.
Leftover computeLeftover(const VertexPack& pack, std::span<const double> masses,
                         std::span<const Columns4> matrices, std::span<const Row4> targets,
                         std::span<double> distances);

}  // namespace ulna::fit::detail
