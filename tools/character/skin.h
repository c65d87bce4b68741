// SPDX-License-Identifier: Apache-2.0

// The skin of the bundled character: its surface in triangles, coloured and weighted.
#pragma once

#include "ulna/skin/mesh.h"

namespace ulna::maker {

/// A closed surface with two eyeballs, exactly its own mirror image, with weights (weights.h).
Mesh makeSkin(const Skeleton& skeleton);

}  // namespace ulna::maker
