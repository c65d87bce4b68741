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

std::vector<JointId> NamedBody::all(BodyPart part, BodySide side) const {
    std::vector<JointId> out;
    for (const JointId j : range)
        if (this->part(j) == NamedPart{part, side}) out.push_back(j);
    return out;
}

JointId NamedBody::lastOf(const Skeleton& skeleton, BodyPart part, BodySide side) const {
    JointId out = JointId::None;
    for (const JointId j : all(part, side))
        if (out == JointId::None || skeleton.isAncestor(out, j)) out = j;
    return out;
}

JointId findChest(const Skeleton& skeleton, const NamedBody& body) {
    const auto arm = [&](BodySide side) {
        const JointId collarbone = body.find(BodyPart::Collarbone, side);
        return collarbone != JointId::None ? collarbone : body.find(BodyPart::Shoulder, side);
    };
    JointId out = commonAncestor(skeleton, arm(BodySide::Left), arm(BodySide::Right));
    // Some rigs hang the arms from the neck.
    while (out != JointId::None && body.range.contains(out) &&
           body.part(out).part == BodyPart::Neck)
        out = skeleton.parent(out);
    if (out != JointId::None) return out;
    const std::vector<JointId> spine = body.all(BodyPart::Spine, BodySide::Centre);
    return spine.empty() ? JointId::None : spine.back();
}

namespace {

// Files call it "root", or by no name we know.
void findHips(const Skeleton& skeleton, NamedBody& body) {
    if (body.has(BodyPart::Hips, BodySide::Centre)) return;
    const JointId base = commonAncestor(skeleton, body.find(BodyPart::Hip, BodySide::Left),
                                        body.find(BodyPart::Hip, BodySide::Right));
    if (base != JointId::None) body.set(base, {BodyPart::Hips, BodySide::Centre});
}

// What is known by where it is among the others: the chest, whatever it is called; and, where a
// spine is numbered up to the head or necks are hinges in series, neck and head.
void nameTrunk(const Skeleton& skeleton, NamedBody& body) {
    const JointId chest = findChest(skeleton, body);
    if (chest == JointId::None) return;
    if (body.part(chest).part == BodyPart::None)
        body.set(chest, {BodyPart::Spine, BodySide::Centre});
    // Towards the head: neither the legs, where a robot's tree begins at the chest, nor the arms.
    const JointId hips = body.find(BodyPart::Hips, BodySide::Centre);
    std::vector<JointId> spines, heads;
    for (const JointId j : skeleton.subtree(chest)) {
        if (j == chest || body.part(j).side != BodySide::Centre) continue;
        const bool to_hips = hips != JointId::None && (j == hips || skeleton.isAncestor(j, hips) ||
                                                       skeleton.isAncestor(hips, j));
        if (to_hips && !skeleton.isAncestor(hips, chest)) continue;
        if (body.part(j).part == BodyPart::Spine) spines.push_back(j);
        if (body.part(j).part == BodyPart::Head) heads.push_back(j);
    }
    if (!spines.empty() && heads.empty() && !body.has(BodyPart::Neck, BodySide::Centre)) {
        body.set(spines.back(), {BodyPart::Head, BodySide::Centre});
        spines.pop_back();
    }
    for (const JointId j : spines) body.set(j, {BodyPart::Neck, BodySide::Centre});
    // Of hinges in series the last one carries the head.
    const auto isHinge = [&](JointId j) { return skeleton.kind(j) == JointKind::Hinge; };
    for (std::size_t i = 0; i + 1 < heads.size(); ++i)
        if (isHinge(heads[i]) && skeleton.isAncestor(heads[i], heads[i + 1]))
            body.set(heads[i], {BodyPart::Neck, BodySide::Centre});
    const std::vector<JointId> necks = body.all(BodyPart::Neck, BodySide::Centre);
    if (heads.empty() && necks.size() > 1 && isHinge(necks.back()))
        body.set(necks.back(), {BodyPart::Head, BodySide::Centre});
}

}  // namespace

NamedBody nameBody(const Skeleton& skeleton, JointId root) {
    NamedBody body;
    body.range = skeleton.subtree(root);
    body.parts = recogniseBody(skeleton, body.range);
    findHips(skeleton, body);
    nameTrunk(skeleton, body);
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
