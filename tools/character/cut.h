// SPDX-License-Identifier: Apache-2.0

// Cutting triangles along a line on the surface, so that each lies on one side of it.
#pragma once

#include <functional>
#include <vector>

#include "tools/character/polygonize.h"

namespace ulna::maker {

/// Cuts where `side` changes its sign. Points close to the line move onto it, unless an earlier cut
/// `held` them; points on the line are held from then on. Points in the plane x = 0 stay there.
void cutAlong(const std::function<double(const Vec3&)>& side, Surface& surface,
              std::vector<bool>& held);

}  // namespace ulna::maker
