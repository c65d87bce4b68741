// SPDX-License-Identifier: Apache-2.0

// The weights of the bundled character's body.
#pragma once

#include "ulna/skeleton/skeleton.h"
#include "ulna/skin/mesh.h"

namespace ulna::maker {

/// By bone heat, but for the eyes, which rotate in their sockets and take no lid along; mended at
/// the shoulders and the hips for poses far from the T-pose.
SkinWeights makeWeights(const Skeleton& skeleton, const Mesh& body);

}  // namespace ulna::maker
