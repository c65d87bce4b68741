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

/// Towards what a joint's weight goes, by the strength of a dab.
enum class PaintMode : std::uint8_t {
    Add,       ///< more by the strength, at most all that is not locked
    Subtract,  ///< less by the strength, at least 0
    Replace,   ///< towards `value`
    Smooth,    ///< towards the mean of the neighbours' weights
};

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

/// Vertices within `radius` of `centre`, with a strength that falls smoothly from 1 at the centre
/// to 0 at the radius. The brush spreads over the surface from the place nearest to the centre, so
/// a brush on one finger leaves the next alone: places that take a way along edges of more than one
/// and a half times the radius are not under it.
[[nodiscard]] std::vector<Dab> makeBrush(const Mesh& mesh, const MeshTopology& topology,
                                         const Vec3& centre, double radius);
[[nodiscard]] std::vector<Dab> makeBrush(const Mesh& mesh, const Vec3& centre, double radius);

/// Paints a joint's weights. Locked joints keep theirs to the bit, and a locked joint is not
/// painted; where all others are locked nothing changes. Where the joint has all there is, what it
/// loses goes to the unlocked joints of the neighbours in their proportion, or nothing changes
/// where they have none. A row without influences that something is added to goes with the joint.
///
/// Vertices in the same place are painted alike, by the strongest dab on them. All dabs see the
/// weights as they were before.
/// @pre weights has a row per vertex; dabs are within it.
void paint(const MeshTopology& topology, JointId joint, std::span<const Dab> dabs,
           const PaintOptions& options, SkinWeights& weights);

}  // namespace ulna
