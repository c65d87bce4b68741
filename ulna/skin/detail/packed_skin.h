// SPDX-License-Identifier: Apache-2.0

// A mesh as the deforming loops read it: vertices in the mesh's order, cut into runs that take the
// same number of influences each.
//
// Influences are factors to multiply with and offsets to read from: where a joint's matrix starts
// in the palette, counted so that the processor's own addressing does the rest. Dual quaternions
// have a palette of pairs of joints: whether a motion is to be negated depends on the vertex's
// first joint and the influence's own alone, and meshes have few such pairs. So signs are settled
// once a frame for each pair, and the loop over vertices knows nothing of them.
#pragma once

#include <cstdint>
#include <vector>

#include "ulna/core/aligned.h"
#include "ulna/skin/mesh.h"

namespace ulna::skin::detail {

/// Runs are made of blocks of so many vertices.
inline constexpr std::size_t kSkinBlock = 16;
/// What one thread does at a time; no run crosses it.
inline constexpr std::size_t kSkinChunk = 2048;
/// Up to so many influences have loops of their own, for 1, 2, 4 and 8.
inline constexpr std::size_t kMostFixed = 8;
/// How offsets count: a matrix of 16 floats is so many away from the next, and so is a motion of 8.
inline constexpr std::size_t kOffsetStep = 8;

/// Influences of vertices side by side.
template <class Offset>
struct SkinSlots {
    AlignedVector<float> weights;
    AlignedVector<Offset> matrices;  ///< pairs of floats into the palette of joints
    AlignedVector<Offset> motions;   ///< floats into the palette of pairs
};

struct SkinRun {
    std::uint32_t vertex = 0;
    std::uint32_t count = 0;
    std::uint32_t influences = 0;
    bool wide = false;     ///< any number of influences, and offsets of 32 bits
    std::size_t slot = 0;  ///< of the first vertex's first influence
};

/// A vertex's first joint and another of its own; both may be the one past the last, which stands
/// for nothing that moves.
struct JointPair {
    std::uint32_t first = 0;
    std::uint32_t own = 0;

    friend bool operator==(const JointPair&, const JointPair&) = default;
};

struct PackedSkin {
    // Block by block: the x of all its vertices, then y, z and, with tangents, the handedness.
    AlignedVector<float> positions, normals, tangents;
    std::size_t vertices = 0;

    SkinSlots<std::uint16_t> slots;
    SkinSlots<std::uint32_t> wide_slots;
    std::vector<SkinRun> runs;
    std::vector<std::size_t> first_run;  ///< of each chunk, then the end
    std::vector<JointPair> pairs;
};

/// @pre mesh.weights has a row per vertex, or none.
/// Vertices without influences are put where they stay, by `rest`.
[[nodiscard]] PackedSkin packSkin(const Mesh& mesh, std::size_t joints, const Affine& rest);

}  // namespace ulna::skin::detail
