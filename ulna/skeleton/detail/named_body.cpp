// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/named_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace ulna::skeleton::detail {
namespace {

// The nearest joint above two.
JointId commonAncestor(const Skeleton& skeleton, JointId a, JointId b) {
    if (a == JointId::None || b == JointId::None) return JointId::None;
    JointId up = skeleton.parent(a);
    while (up != JointId::None && !skeleton.isAncestor(up, b)) up = skeleton.parent(up);
    return up;
}

// The last of a series of joints that are one articulation: those of a part that each hang,
// directly or not, from the first.
JointId lastOf(const Skeleton& skeleton, const NamedBody& body, BodyPart part, BodySide side) {
    JointId out = JointId::None;
    for (const JointId j : body.all(part, side))
        if (out == JointId::None || skeleton.isAncestor(out, j)) out = j;
    return out;
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

JointId NamedBody::hand(const Skeleton& skeleton, BodySide side) const {
    const JointId given = given_hands[side == BodySide::Right ? 1 : 0];
    return given != JointId::None ? given : lastOf(skeleton, *this, BodyPart::Wrist, side);
}

JointId NamedBody::foot(const Skeleton& skeleton, BodySide side) const {
    const JointId given = given_feet[side == BodySide::Right ? 1 : 0];
    return given != JointId::None ? given : lastOf(skeleton, *this, BodyPart::Ankle, side);
}

bool NamedBody::isAbsent(NamedPart part) const {
    return std::find(absent.begin(), absent.end(), part) != absent.end();
}

void NamedBody::set(JointId j, NamedPart part, PartReason reason) {
    parts[index(j) - range.firstIndex()] = part;
    reasons[index(j) - range.firstIndex()] = std::move(reason);
}

JointId findChest(const Skeleton& skeleton, const NamedBody& body) {
    if (body.given_chest != JointId::None) return body.given_chest;
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

// Toes of people who stand point forward. Where they clearly point back, the sides are exchanged.
void checkSides(const Skeleton& skeleton, const ModelPose& t_pose, NamedBody& body) {
    constexpr double kClearly = 0.03;  // of the height
    double ahead = 0.0, feet = 0.0;
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
        const JointId ankle = body.find(BodyPart::Ankle, side);
        if (ankle == JointId::None) return;
        // Heels are behind an ankle, and toes farther before it.
        double farthest = 0.0;
        for (const JointId j : skeleton.subtree(ankle)) {
            const Vec3 foot = t_pose.position(j) - t_pose.position(ankle);
            const double z = dot(foot, body.model_from_body * Vec3{0, 0, 1});
            if (std::abs(z) > std::abs(farthest)) farthest = z;
        }
        ahead += farthest;
        feet += 1.0;
    }
    if (!(ahead < -kClearly * feet * body.height)) return;
    body.warnings.push_back(
        {.what = "the toes point backwards: what is called left is on the right of the body",
         .text = skeleton.name(body.find(BodyPart::Ankle, BodySide::Left)),
         .advice = "the names are followed; a map can exchange the sides (--map)"});
}

// Of a four-legged body: it stands on legs that point down, and its trunk lies along forward.
std::string findQuadrupedAxes(const Places& places, NamedBody& body) {
    const auto hips = places.firstMiddle({BodyPart::Hip});
    const auto shoulders = places.firstMiddle({BodyPart::Shoulder});
    const auto hind = places.firstMiddle({BodyPart::Ankle, BodyPart::Knee});
    const auto fore = places.firstMiddle({BodyPart::Wrist, BodyPart::Elbow});
    if (!hips || !shoulders || !hind || !fore) return "not all of four legs";
    const Vec3 up = (*hips - *hind) + (*shoulders - *fore);
    const Vec3 trunk = *shoulders - *hips;
    const Vec3 y = normalizedOr(up, Vec3{});
    const Vec3 ahead = trunk - y * dot(trunk, y);
    const Vec3 z = normalizedOr(ahead, Vec3{});
    body.height = length(up) / 2.0;
    if (!(length(cross(y, z)) > 0.5)) return "shoulders and hips in the same place";
    body.model_from_body = Mat3::fromColumns(cross(y, z), y, z);
    return {};
}

}  // namespace

// The longest line through the body tells up best, since no spine is straight: from the ankles to
// the neck.
std::string findAxes(const Skeleton& skeleton, const ModelPose& t_pose, NamedBody& body) {
    const Places places(body, t_pose);
    if (!body.has(BodyPart::Hips, BodySide::Centre)) return "no hips";
    const bool arms = body.hasBoth(BodyPart::Shoulder) || body.hasBoth(BodyPart::Collarbone);
    const bool legs = body.hasBoth(BodyPart::Hip);
    if (!legs && !arms) return "neither both legs nor both arms";
    if (body.kind == BodyKind::Quadruped) return findQuadrupedAxes(places, body);

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
    checkSides(skeleton, t_pose, body);
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
