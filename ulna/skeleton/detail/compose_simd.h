// SPDX-License-Identifier: Apache-2.0

// The fast path of computeModelPose, chosen at run time for the machine's vector unit.
#pragma once

#include <span>

#include "ulna/skeleton/skeleton.h"

namespace ulna::skeleton::detail {

/// As composeModelTransforms<double>, which it equals to rounding. False, with nothing done, on a
/// machine whose vectors hold two doubles: they do not beat the plain loop.
[[nodiscard]] bool composeModelTransformsSimd(const Skeleton& skeleton,
                                              std::span<const Trs> parent_from_joint,
                                              std::span<Affine> model_from_joint);

}  // namespace ulna::skeleton::detail
