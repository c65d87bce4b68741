// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/human_body.h"

#include "ulna/skeleton/detail/found_roles.h"

namespace ulna {
namespace {

using skeleton::detail::BodyPart;
using skeleton::detail::NamedBody;

constexpr std::array kFingerParts = {BodyPart::Thumb, BodyPart::IndexFinger, BodyPart::MiddleFinger,
                                     BodyPart::RingFinger, BodyPart::LittleFinger};

HumanSide sideOf(const Skeleton& skeleton, const NamedBody& body, BodySide side) {
    const auto find = [&](BodyPart part) { return body.find(part, side); };
    HumanSide out = {.collarbone = find(BodyPart::Collarbone),
                     .shoulder = find(BodyPart::Shoulder),
                     .elbow = find(BodyPart::Elbow),
                     .wrist = find(BodyPart::Wrist),
                     .hip = find(BodyPart::Hip),
                     .knee = find(BodyPart::Knee),
                     .ankle = find(BodyPart::Ankle),
                     .toes = find(BodyPart::Toes),
                     .hand = body.hand(skeleton, side),
                     .foot = body.foot(skeleton, side)};
    for (std::size_t f = 0; f < kFingerParts.size(); ++f)
        out.fingers[f] = body.all(kFingerParts[f], side);
    return out;
}

}  // namespace

Result<HumanBody> findHumanBody(const Skeleton& skeleton, const Pose& t_pose, const BodyMap* map) {
    const Result<NamedBody> found = skeleton::detail::findBody(skeleton, t_pose, map);
    if (!found) {
        Diagnostic error = found.error();
        error.what.replace(0, std::string_view("no body").size(), "no human body");
        return error;
    }
    const NamedBody& body = *found;
    if (body.kind != BodyKind::Human)
        return Diagnostic{.what = "no human body is recognised: the body stands on four legs",
                          .advice = "a map with \"kind\": \"human\" says otherwise (--map)"};
    HumanBody out{.hips = body.find(BodyPart::Hips, BodySide::Centre),
                  .spine = body.all(BodyPart::Spine, BodySide::Centre),
                  .chest = skeleton::detail::findChest(skeleton, body),
                  .neck = body.all(BodyPart::Neck, BodySide::Centre),
                  .head = body.find(BodyPart::Head, BodySide::Centre),
                  .left = sideOf(skeleton, body, BodySide::Left),
                  .right = sideOf(skeleton, body, BodySide::Right),
                  .model_from_body = body.model_from_body};
    out.roles = skeleton::detail::rolesOf(skeleton, body);
    return out;
}

}  // namespace ulna
