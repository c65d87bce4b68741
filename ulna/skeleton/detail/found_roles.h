// SPDX-License-Identifier: Apache-2.0

// The first body of a skeleton, and its roles as a list.
#pragma once

#include "ulna/core/result.h"
#include "ulna/skeleton/detail/named_body.h"

namespace ulna::skeleton::detail {

/// The first body with axes. The error says what is missing.
/// @pre pose has one transform per joint; map may be null.
[[nodiscard]] Result<NamedBody> findBody(const Skeleton& skeleton, const Pose& pose,
                                         const BodyMap* map);

/// @pre the body has axes.
[[nodiscard]] BodyRoles rolesOf(const Skeleton& skeleton, const NamedBody& body);

}  // namespace ulna::skeleton::detail
