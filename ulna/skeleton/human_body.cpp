// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/human_body.h"

#include "ulna/skeleton/detail/named_body.h"
#include "ulna/skeleton/forward_kinematics.h"

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
                     .hand = body.lastOf(skeleton, BodyPart::Wrist, side),
                     .foot = body.lastOf(skeleton, BodyPart::Ankle, side)};
    for (std::size_t f = 0; f < kFingerParts.size(); ++f)
        out.fingers[f] = body.all(kFingerParts[f], side);
    return out;
}

}  // namespace

Result<HumanBody> findHumanBody(const Skeleton& skeleton, const Pose& t_pose) {
    ULNA_ASSERT(t_pose.parent_from_joint.size() == skeleton.jointCount(),
                "the T-pose needs one transform per joint");
    std::string missing = skeleton.planar() ? "the skeleton is planar" : "no joint at all";
    const ModelPose model = computeModelPose(skeleton, t_pose);
    for (const JointId root : skeleton.roots()) {
        if (skeleton.planar()) break;
        NamedBody body = skeleton::detail::nameBody(skeleton, root);
        missing = skeleton::detail::findAxes(model, body);
        if (!missing.empty()) continue;
        HumanBody out{.hips = body.find(BodyPart::Hips, BodySide::Centre),
                      .chest = skeleton::detail::findChest(skeleton, body),
                      .head = body.find(BodyPart::Head, BodySide::Centre),
                      .left = sideOf(skeleton, body, BodySide::Left),
                      .right = sideOf(skeleton, body, BodySide::Right),
                      .model_from_body = body.model_from_body};
        for (const JointId j : body.range) {
            if (body.part(j).part == BodyPart::Spine) out.spine.push_back(j);
            if (body.part(j).part == BodyPart::Neck) out.neck.push_back(j);
        }
        return out;
    }
    return Diagnostic{.what = "no human body is recognised by the names of the joints: " + missing,
                      .advice = "hips and both legs or both arms are needed"};
}

}  // namespace ulna
