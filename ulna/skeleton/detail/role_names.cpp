// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/role_names.h"

#include <algorithm>

namespace ulna::skeleton::detail {
namespace {

struct Row {
    std::string_view name;
    BodyPart part = BodyPart::None;
    RoleKind kind = RoleKind::Part;
};

constexpr Row kCentreRoles[] = {
    {"hips", BodyPart::Hips},
    {"spine", BodyPart::Spine},
    {"chest", BodyPart::None, RoleKind::Chest},
    {"neck", BodyPart::Neck},
    {"head", BodyPart::Head},
    {"tail", BodyPart::Tail},
};

constexpr Row kSidedRoles[] = {
    {"collarbone", BodyPart::Collarbone},
    {"shoulder", BodyPart::Shoulder},
    {"elbow", BodyPart::Elbow},
    {"wrist", BodyPart::Wrist},
    {"hand", BodyPart::None, RoleKind::Hand},
    {"fingers.thumb", BodyPart::Thumb},
    {"fingers.index", BodyPart::IndexFinger},
    {"fingers.middle", BodyPart::MiddleFinger},
    {"fingers.ring", BodyPart::RingFinger},
    {"fingers.little", BodyPart::LittleFinger},
    {"fingers.several", BodyPart::Fingers},
    {"pelvis", BodyPart::Pelvis},
    {"hip", BodyPart::Hip},
    {"knee", BodyPart::Knee},
    {"ankle", BodyPart::Ankle},
    {"foot", BodyPart::None, RoleKind::Foot},
    {"toes", BodyPart::Toes},
};

}  // namespace

const std::vector<Role>& allRoles() {
    static const std::vector<Role> all = [] {
        std::vector<Role> out;
        for (const Row& row : kCentreRoles)
            out.push_back({std::string(row.name), row.kind, {row.part, BodySide::Centre}});
        for (const BodySide side : {BodySide::Left, BodySide::Right}) {
            const std::string prefix = side == BodySide::Left ? "left." : "right.";
            for (const Row& row : kSidedRoles)
                out.push_back({prefix + std::string(row.name), row.kind, {row.part, side}});
        }
        return out;
    }();
    return all;
}

const Role* findRole(std::string_view name) {
    const std::vector<Role>& all = allRoles();
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Role& role) { return role.name == name; });
    return at == all.end() ? nullptr : &*at;
}

}  // namespace ulna::skeleton::detail
