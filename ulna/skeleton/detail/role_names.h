// SPDX-License-Identifier: Apache-2.0

// The names of roles, and the parts of a body that they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/skeleton/detail/body_names.h"

namespace ulna::skeleton::detail {

/// Whether a role is a part that joints are labelled with, or one of those that follow from others.
enum class RoleKind : std::uint8_t { Part, Chest, Hand, Foot };

struct Role {
    std::string name = {};
    RoleKind kind = RoleKind::Part;
    NamedPart part = {};  ///< without a meaning but for its side where the role is no part
};

/// Every role, in the order in which they are listed.
[[nodiscard]] const std::vector<Role>& allRoles();

[[nodiscard]] const Role* findRole(std::string_view name);

}  // namespace ulna::skeleton::detail
