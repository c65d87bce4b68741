// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/named_body.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ulna::skeleton::detail {
namespace {

// The nearest joint above two.
JointId commonAncestor(const Skeleton& skeleton, JointId a, JointId b) {
    if (a == JointId::None || b == JointId::None) return JointId::None;
    JointId up = skeleton.parent(a);
    while (up != JointId::None && !skeleton.isAncestor(up, b)) up = skeleton.parent(up);
    return up;
}

// Where a T-pose has parts of a body.
class Places {
  public:
    Places(const NamedBody& body, const ModelPose& model) : body_(body), model_(model) {}

    [[nodiscard]] Vec3 at(BodyPart part, BodySide side) const {
        return model_.position(body_.find(part, side));
    }
    [[nodiscard]] Vec3 middle(BodyPart part) const {
        return (at(part, BodySide::Left) + at(part, BodySide::Right)) / 2.0;
    }
    // The middle of the first of these pairs that the body has.
    [[nodiscard]] std::optional<Vec3> firstMiddle(std::initializer_list<BodyPart> pairs) const {
        for (const BodyPart part : pairs) {
            if (body_.hasBoth(part)) return middle(part);
        }
        return std::nullopt;
    }

  private:
    const NamedBody& body_;
    const ModelPose& model_;
};

// The next joint along the limb, which says where the bone points better than a mean of children.
std::array<BodyPart, 3> nextParts(BodyPart part) {
    switch (part) {
        case BodyPart::Hip:
            return {BodyPart::Knee, BodyPart::Ankle};
        case BodyPart::Knee:
            return {BodyPart::Ankle};
        case BodyPart::Ankle:
            return {BodyPart::Toes};
        case BodyPart::Collarbone:
            return {BodyPart::Shoulder};
        case BodyPart::Shoulder:
            return {BodyPart::Elbow, BodyPart::Wrist};
        case BodyPart::Elbow:
            return {BodyPart::Wrist};
        case BodyPart::Wrist:
            return {BodyPart::MiddleFinger, BodyPart::Fingers, BodyPart::IndexFinger};
        default:
            return {};
    }
}

}  // namespace

JointId NamedBody::find(BodyPart part, BodySide side) const {
    const auto at = std::find(parts.begin(), parts.end(), NamedPart{part, side});
    if (at == parts.end()) return JointId::None;
    return jointId(range.firstIndex() + static_cast<std::size_t>(at - parts.begin()));
}

std::size_t NamedBody::count(BodyPart part) const {
    return static_cast<std::size_t>(std::count_if(
        parts.begin(), parts.end(), [&](const NamedPart& each) { return each.part == part; }));
}

NamedBody nameBody(const Skeleton& skeleton, JointId root) {
    NamedBody body;
    body.range = skeleton.subtree(root);
    body.parts = recogniseBody(skeleton, body.range);
    if (body.has(BodyPart::Hips, BodySide::Centre)) return body;
    // Files call it "root", or by no name we know.
    const JointId base = commonAncestor(skeleton, body.find(BodyPart::Hip, BodySide::Left),
                                        body.find(BodyPart::Hip, BodySide::Right));
    if (base != JointId::None)
        body.parts[index(base) - body.range.firstIndex()] = {BodyPart::Hips, BodySide::Centre};
    return body;
}

// The longest line through the body tells up best, since no spine is straight: from the ankles to
// the neck.
std::string findAxes(const ModelPose& t_pose, NamedBody& body) {
    const Places places(body, t_pose);
    if (!body.has(BodyPart::Hips, BodySide::Centre)) return "no hips";
    const bool arms = body.hasBoth(BodyPart::Shoulder) || body.hasBoth(BodyPart::Collarbone);
    const bool legs = body.hasBoth(BodyPart::Hip);
    if (!legs && !arms) return "neither both legs nor both arms";

    std::optional<Vec3> top, bottom;
    for (const BodyPart part : {BodyPart::Neck, BodyPart::Head}) {
        if (!top && body.has(part, BodySide::Centre)) top = places.at(part, BodySide::Centre);
    }
    if (!top) top = places.firstMiddle({BodyPart::Shoulder, BodyPart::Collarbone});
    const Vec3 hips =
        places.firstMiddle({BodyPart::Hip}).value_or(places.at(BodyPart::Hips, BodySide::Centre));
    bottom = places.firstMiddle({BodyPart::Ankle, BodyPart::Knee});
    if (!top && !bottom) return "nothing above the hips and nothing below the thighs";
    const Vec3 up = top.value_or(hips) - bottom.value_or(hips);

    Vec3 left;
    for (const BodyPart part : {BodyPart::Hip, BodyPart::Shoulder, BodyPart::Collarbone}) {
        if (!body.hasBoth(part)) continue;
        left += places.at(part, BodySide::Left) - places.at(part, BodySide::Right);
    }
    // Against a body's height, a thousandth is no width: all joints in one place.
    body.height = length(up);
    const Vec3 y = normalizedOr(up, Vec3{});
    left -= y * dot(y, left);
    if (!(length(left) > 1e-3 * body.height)) return "left and right in the same place";
    const Vec3 x = normalizedOr(left, Vec3{});
    if (!(length(cross(x, y)) > 0.5)) return "hips, head and feet in the same place";
    body.model_from_body = Mat3::fromColumns(x, y, cross(x, y));
    return {};
}

Vec3 boneOf(const Skeleton& skeleton, const ModelPose& t_pose, const NamedBody& body,
            JointId joint) {
    const NamedPart own = body.part(joint);
    Vec3 far = t_pose[joint] * skeleton.tip(joint);
    for (const BodyPart part : nextParts(own.part)) {
        const JointId next = part == BodyPart::None ? JointId::None : body.find(part, own.side);
        if (next == JointId::None || !skeleton.isAncestor(joint, next)) continue;
        far = t_pose.position(next);
        break;
    }
    const Vec3 bone = transpose(body.model_from_body) * (far - t_pose.position(joint));
    return length(bone) > 1e-4 * body.height ? bone : Vec3{};
}

}  // namespace ulna::skeleton::detail
