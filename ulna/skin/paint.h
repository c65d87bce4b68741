// SPDX-License-Identifier: Apache-2.0

// Painting weights: what a brush does to a joint's weights at some vertices.
//
// Whatever is done, rows stay normalised and non-negative: what one joint gains the others that are
// not locked lose in proportion, and the other way round.
#pragma once

#include <span>
#include <vector>

#include "ulna/skin/topology.h"

namespace ulna {

enum class PaintMode : std::uint8_t { Add, Subtract, Replace, Smooth };

/// A vertex under the brush.
struct Dab {
    std::uint32_t vertex = 0;
    float strength = 1.0f;  ///< in [0, 1]
};

struct PaintOptions {
    PaintMode mode = PaintMode::Add;
    float value = 1.0f;                ///< of Replace: the weight to reach at full strength
    std::vector<JointId> locked = {};  ///< joints that keep their weights
};

/// Vertices within `radius` of `centre` on the surface's places, with a strength that falls
/// smoothly from 1 at the centre to 0 at the radius.
[[nodiscard]] std::vector<Dab> makeBrush(const Mesh& mesh, const Vec3& centre, double radius);

/// Paints a joint's weights. A locked joint is not painted; where all others are locked nothing
/// changes; a row's only joint loses nothing to nobody: subtracting from it gives what it loses to
/// the nearest unlocked joints of its neighbours, or does nothing where they have none.
/// Vertices in the same place are painted alike.
/// @pre weights has a row per vertex.
void paint(const MeshTopology& topology, JointId joint, std::span<const Dab> dabs,
           const PaintOptions& options, SkinWeights& weights);

}  // namespace ulna
