// SPDX-License-Identifier: Apache-2.0

// Uniform scale: the only one under which joints can rotate without shearing what they carry.
#pragma once

#include <cmath>

#include "ulna/math/vec.h"

namespace ulna {

/// Whether a scale is the same in all directions, and above zero. Components may differ by a
/// billionth: by what files that say 0.01 three times differ after a few products.
[[nodiscard]] inline bool isUniformScale(const Vec3& scale) {
    const double slack = 1e-9 * std::abs(scale.x);
    return scale.x > 0.0 && std::abs(scale.y - scale.x) <= slack &&
           std::abs(scale.z - scale.x) <= slack;
}

}  // namespace ulna
