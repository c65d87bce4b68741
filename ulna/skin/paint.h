// SPDX-License-Identifier: Apache-2.0

// Painting weights: a brush changes the weights of one joint at some vertices.
//
// Rows stay normalised and non-negative: what the joint gains, the other joints that are not locked
// lose in proportion to their weights, and the reverse.
#pragma once

#include <span>
#include <vector>

#include "ulna/skin/topology.h"

namespace ulna {

/// How a dab changes a joint's weight.
enum class PaintMode : std::uint8_t {
    Add,       ///< adds the strength, at most up to the weight that is not locked
    Subtract,  ///< subtracts the strength, down to 0
    Replace,   ///< moves towards `value` by the strength
    Smooth,    ///< moves towards the mean of the neighbours' weights by the strength
};

/// A vertex under the brush.
struct Dab {
    std::uint32_t vertex = 0;
    float strength = 1.0f;  ///< in [0, 1]
};

struct PaintOptions {
    PaintMode mode = PaintMode::Add;
    float value = 1.0f;                ///< for Replace: the weight at strength 1
    std::vector<JointId> locked = {};  ///< joints that keep their weights
};

/// The vertices within `radius` of `centre`, with a strength that falls smoothly from 1 at the
/// centre to 0 at the radius. The brush spreads over the surface from the point nearest to the
/// centre, so a brush on one finger does not reach the next: points whose path along edges is
/// longer than 1.5 times the radius are left out.
[[nodiscard]] std::vector<Dab> makeBrush(const Mesh& mesh, const MeshTopology& topology,
                                         const Vec3& centre, double radius);
[[nodiscard]] std::vector<Dab> makeBrush(const Mesh& mesh, const Vec3& centre, double radius);

/// Paints a joint's weights. Locked joints keep their weights exactly; a locked joint is not
/// painted, and where all other joints of a row are locked the row does not change. Where the joint
/// is the only one with a weight, what it loses goes to the unlocked joints of the neighbouring
/// points in proportion; if they have none, the row does not change. Adding to an empty row gives
/// the joint the weight 1.
///
/// Vertices at the same position are painted alike, by the strongest dab on any of them. All dabs
/// use the weights from before the call.
/// @pre weights has a row per vertex; dabs are within it.
void paint(const MeshTopology& topology, JointId joint, std::span<const Dab> dabs,
           const PaintOptions& options, SkinWeights& weights);

}  // namespace ulna
