// SPDX-License-Identifier: Apache-2.0

// The roles of a body that `ulna info` prints, and writes as a map for --map-out.
#pragma once

#include <string>

#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "ulna/skeleton/body_roles.h"

namespace ulna::cli {

/// One line of what body it is and how sure that is, for the head of the text.
[[nodiscard]] std::string bodyText(const Result<BodyRoles>& body);

/// A table: role, joints, confidence, reason; empty where there is no body.
[[nodiscard]] std::string rolesText(const Skeleton& skeleton, const Result<BodyRoles>& body);

/// The member `body`; null where there is none.
void writeBody(const Skeleton& skeleton, const Result<BodyRoles>& body, JsonWriter& json);

}  // namespace ulna::cli
