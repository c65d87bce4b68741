// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/found_roles.h"

#include <algorithm>

#include "ulna/skeleton/detail/role_names.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::skeleton::detail {
namespace {

// The parts that a body stands and falls with.
bool isMain(BodyPart part) {
    switch (part) {
        case BodyPart::Hips:
        case BodyPart::Hip:
        case BodyPart::Knee:
        case BodyPart::Shoulder:
        case BodyPart::Elbow:
            return true;
        default:
            return false;
    }
}

BodyRole roleOfPart(const NamedBody& body, const Role& role) {
    BodyRole out{.name = role.name, .joints = body.all(role.part.part, role.part.side)};
    out.confidence = 1.0;
    for (const JointId j : out.joints) {
        const PartReason& each = body.reason(j);
        // The reason of the least certain joint.
        if (out.reason.empty() || each.confidence < out.confidence) out.reason = each.text;
        out.confidence = std::min(out.confidence, each.confidence);
    }
    return out;
}

// Roles that follow from others: said where they are another joint than the one that they are by
// themselves.
BodyRole derivedRole(const Skeleton& skeleton, const NamedBody& body, const Role& role) {
    BodyRole out{.name = role.name};
    const BodySide side = role.part.side;
    JointId joint = JointId::None, given = JointId::None;
    BodyPart from = BodyPart::None;
    if (role.kind == RoleKind::Chest) {
        joint = findChest(skeleton, body);
        given = body.given_chest;
        out.reason = "both arms hang from it";
        from = BodyPart::Shoulder;
        if (!body.hasBoth(BodyPart::Shoulder) && !body.hasBoth(BodyPart::Collarbone)) {
            out.reason = "the last joint of the spine";
            from = BodyPart::Spine;
        }
    } else {
        const bool hand = role.kind == RoleKind::Hand;
        from = hand ? BodyPart::Wrist : BodyPart::Ankle;
        joint = hand ? body.hand(skeleton, side) : body.foot(skeleton, side);
        given = (hand ? body.given_hands : body.given_feet)[side == BodySide::Right ? 1 : 0];
        out.reason = hand ? "the last joint of the wrist" : "the last joint of the ankle";
        if (given == JointId::None && joint == body.find(from, side)) return out;
    }
    if (joint == JointId::None) return out;
    out.joints = {joint};
    out.confidence = 1.0;
    if (given != JointId::None) {
        out.reason = "by the map";
        return out;
    }
    for (const JointId j : body.range)
        if (body.part(j).part == from &&
            (role.kind == RoleKind::Chest || body.part(j).side == side))
            out.confidence = std::min(out.confidence, body.reason(j).confidence);
    return out;
}

}  // namespace

Result<NamedBody> findBody(const Skeleton& skeleton, const Pose& pose, const BodyMap* map) {
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    std::string missing = skeleton.planar() ? "the skeleton is planar" : "no joint at all";
    const ModelPose model = computeModelPose(skeleton, pose);
    for (const JointId root : rootsOfBodies(skeleton, map)) {
        if (skeleton.planar()) break;
        NamedBody body = nameBody(skeleton, model, root, map);
        missing = findAxes(skeleton, model, body);
        if (missing.empty()) return body;
    }
    return Diagnostic{
        .what = "no body is recognised by the names or the shape of the joints: " + missing,
        .advice =
            "hips and both legs or both arms are needed; a map can name them "
            "(--map)"};
}

BodyRoles rolesOf(const Skeleton& skeleton, const NamedBody& body) {
    BodyRoles out{.kind = body.kind,
                  .confidence = 1.0,
                  .model_from_body = body.model_from_body,
                  .warnings = body.warnings};
    for (const Role& role : allRoles()) {
        BodyRole each = role.kind == RoleKind::Part ? roleOfPart(body, role)
                                                    : derivedRole(skeleton, body, role);
        if (each.joints.empty()) continue;
        if (role.kind == RoleKind::Part && isMain(role.part.part))
            out.confidence = std::min(out.confidence, each.confidence);
        out.roles.push_back(std::move(each));
    }
    return out;
}

}  // namespace ulna::skeleton::detail

namespace ulna {

Result<BodyRoles> findBodyRoles(const Skeleton& skeleton, const Pose& pose, const BodyMap* map) {
    Result<skeleton::detail::NamedBody> body = skeleton::detail::findBody(skeleton, pose, map);
    if (!body) return body.error();
    return skeleton::detail::rolesOf(skeleton, *body);
}

}  // namespace ulna
