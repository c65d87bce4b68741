// SPDX-License-Identifier: Apache-2.0

// What roles are; how they are found (findBodyRoles) is in skeleton/detail/found_roles.cpp.
#include "ulna/skeleton/body_roles.h"

#include <algorithm>
#include <array>

#include "ulna/skeleton/detail/role_names.h"

namespace ulna {
namespace {

using skeleton::detail::Role;

constexpr std::array<std::string_view, 2> kKindNames = {"human", "quadruped"};

}  // namespace

std::string_view bodyKindName(BodyKind kind) {
    return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<BodyKind> bodyKindFromName(std::string_view name) {
    for (std::size_t i = 0; i < kKindNames.size(); ++i)
        if (kKindNames[i] == name) return static_cast<BodyKind>(i);
    return std::nullopt;
}

std::vector<JointId> BodyRoles::find(std::string_view role) const {
    for (const BodyRole& each : roles)
        if (each.name == role) return each.joints;
    return {};
}

const std::vector<std::string>& bodyRoleNames() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> out;
        for (const Role& role : skeleton::detail::allRoles()) out.push_back(role.name);
        return out;
    }();
    return names;
}

BodyMap mapOf(const BodyRoles& roles) {
    BodyMap out{.kind = roles.kind};
    for (const BodyRole& role : roles.roles) out.entries.push_back({role.name, role.joints});
    return out;
}

}  // namespace ulna
