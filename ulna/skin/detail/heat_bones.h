// SPDX-License-Identifier: Apache-2.0

// The bones that heat a surface: those of the skeleton, with two corrections.
#pragma once

#include <span>
#include <vector>

#include "ulna/skin/bones.h"
#include "ulna/skin/triangle_tree.h"

namespace ulna::skin::detail {

/// Bones by joint; of `joints` alone, or where that is empty of all that do not only position the
/// character. A leaf of no length (files without End Sites end in these) goes on in its
/// parent's direction to just below the surface, at most as far as its parent was long: otherwise
/// all beyond it would be as near to the parent's bone. Joints at the top with one bone heat
/// nothing where they only position the character: fixed ones and those above fixed ones, those at
/// the position of their child, and those whose bone lies mostly outside above bones that do not.
[[nodiscard]] std::vector<BoneSegment> makeHeatBones(const Skeleton& skeleton, const Mesh& mesh,
                                                     const TriangleTree& surface,
                                                     std::span<const JointId> joints);

}  // namespace ulna::skin::detail
