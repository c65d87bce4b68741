// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/transfer_weights.h"

#include "ulna/core/assert.h"
#include "ulna/skin/detail/points.h"
#include "ulna/skin/detail/surface_reader.h"

namespace ulna {

SkinWeights transferredWeights(const Mesh& from, const Mesh& to) {
    ULNA_ASSERT(!from.positions.empty(), "weights cannot be taken from a mesh without vertices");
    const skin::detail::SurfaceReader reader(from);
    SkinWeights out;
    out.first.push_back(0);
    for (const Vec3f& p : to.positions)
        skin::detail::append(reader.atSurface(skin::detail::widened(p)), out);
    return out;
}

}  // namespace ulna
