// SPDX-License-Identifier: Apache-2.0

// Bodies that are no human ones: what two of them have in common, as segments.
//
// Four-legged bodies have roles of their own; bodies of any kind may have joints of the same names.
// Rest poses may differ: a segment of the target is what points as it does in the source.
#pragma once

#include <vector>

#include "ulna/retarget/detail/correspondence.h"
#include "ulna/skeleton/body_roles.h"

namespace ulna::retarget::detail {

struct PairedBodies {
    BodySegments from, to;
    std::vector<SegmentShare> shares;
};

/// By the roles that both have; of chains of different lengths, by where along the chain.
[[nodiscard]] PairedBodies pairByRoles(const Skeleton& source, const Pose& source_rest,
                                       const BodyRoles& source_roles, const Skeleton& target,
                                       const Pose& target_rest, const BodyRoles& target_roles);

/// By names, namespaces ("mixamorig:") left out. Empty where fewer than `kFewestNames` are the
/// same.
[[nodiscard]] PairedBodies pairByNames(const Skeleton& source, const Pose& source_rest,
                                       const Skeleton& target, const Pose& target_rest);

inline constexpr std::size_t kFewestNames = 3;

}  // namespace ulna::retarget::detail
