// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/point_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "ulna/core/text.h"
#include "ulna/retarget/detail/statistics.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/mirror_pairs.h"

namespace ulna::retarget::detail {
namespace {

// Where a landmark is on a usual person in a T-pose: from a joint, in leg lengths, x left (of the
// left side), y up, z forward. For the trunk `y` is the part of the way from hips to shoulders.
enum class Anchor : std::uint8_t { Trunk, Shoulders, Neck, Head, Foot, Toes, Collar, Hand };
struct Usual {
    Landmark landmark;
    Anchor anchor;
    Vec3 offset;
};
constexpr Usual kUsual[] = {
    {Landmark::HipsMiddle, Anchor::Trunk, {0, 0, 0}},
    {Landmark::Pelvis, Anchor::Trunk, {0, 0.18, 0}},
    {Landmark::LowerSpine, Anchor::Trunk, {0, 0.38, 0}},
    {Landmark::MiddleSpine, Anchor::Trunk, {0, 0.58, 0}},
    {Landmark::UpperSpine, Anchor::Trunk, {0, 0.70, 0}},
    {Landmark::ShouldersMiddle, Anchor::Shoulders, {0, 0, 0}},
    {Landmark::Neck, Anchor::Neck, {0, 0, 0}},
    {Landmark::Head, Anchor::Head, {0, 0, 0}},
    {Landmark::HeadTop, Anchor::Head, {0, 0.22, 0.02}},
    {Landmark::Nose, Anchor::Head, {0, 0.06, 0.15}},
    {Landmark::EyeInner, Anchor::Head, {0.02, 0.10, 0.115}},
    {Landmark::Eye, Anchor::Head, {0.038, 0.10, 0.11}},
    {Landmark::EyeOuter, Anchor::Head, {0.055, 0.10, 0.095}},
    {Landmark::Ear, Anchor::Head, {0.09, 0.075, 0.015}},
    {Landmark::Mouth, Anchor::Head, {0.03, 0.0, 0.115}},
    {Landmark::Heel, Anchor::Foot, {0, -0.06, -0.06}},
    {Landmark::Ball, Anchor::Toes, {0, -0.075, 0.15}},
    {Landmark::BigToe, Anchor::Foot, {-0.02, -0.08, 0.22}},
    {Landmark::SmallToe, Anchor::Foot, {0.06, -0.08, 0.16}},
    {Landmark::Collar, Anchor::Collar, {0.09, 0.02, 0}},
    {Landmark::Hand, Anchor::Hand, {0.10, 0, 0}},
    {Landmark::Thumb, Anchor::Hand, {0.08, -0.02, 0.06}},
    {Landmark::Index, Anchor::Hand, {0.11, 0, 0.03}},
    {Landmark::Little, Anchor::Hand, {0.10, 0, -0.04}},
};

// The height of a head's joint above the shoulders where a body has none, in leg lengths.
constexpr double kHeadHeight = 0.25;

class Attacher {
  public:
    Attacher(const Skeleton& skeleton, const Pose& rest, PointBody& body)
        : skeleton_(skeleton), body_(body), model_(computeModelPose(skeleton, rest)) {}

    // Nothing where the body has no such part.
    [[nodiscard]] std::optional<Attachment> attach(std::size_t point, const PointRole& role) const {
        if (role.landmark == Landmark::Joint) {
            return Attachment{
                .point = point, .joint = skeleton_.find(role.joint), .offset = role.offset};
        }
        if (const JointId joint = jointOf(role); joint != JointId::None)
            return Attachment{.point = point, .joint = joint};
        for (const Usual& usual : kUsual)
            if (usual.landmark == role.landmark) return place(point, usual, role.side);
        return std::nullopt;
    }

  private:
    [[nodiscard]] JointId jointOf(const PointRole& role) const {
        const HumanSide& side = body_.human.side(role.side);
        switch (role.landmark) {
            case Landmark::Hip:
                return side.hip;
            case Landmark::Knee:
                return side.knee;
            case Landmark::Ankle:
                return side.ankle;
            case Landmark::Shoulder:
                return side.shoulder;
            case Landmark::Elbow:
                return side.elbow;
            case Landmark::Wrist:
                return side.wrist;
            default:
                return JointId::None;
        }
    }

    // The middle of two joints of both sides; that of one where the other is missing.
    [[nodiscard]] std::optional<Vec3> middle(JointId HumanSide::*which) const {
        const JointId left = body_.human.left.*which, right = body_.human.right.*which;
        if (left == JointId::None || right == JointId::None) return std::nullopt;
        return (model_.position(left) + model_.position(right)) / 2.0;
    }

    [[nodiscard]] Vec3 hips() const {
        return middle(&HumanSide::hip).value_or(model_.position(body_.human.hips));
    }
    [[nodiscard]] JointId chest() const {
        return body_.human.spine.empty() ? body_.human.hips : body_.human.spine.back();
    }
    [[nodiscard]] Vec3 shoulders() const {
        return middle(&HumanSide::shoulder).value_or(model_.position(chest()));
    }

    [[nodiscard]] Attachment fixedTo(JointId joint, const Vec3& at, std::size_t point) const {
        return {
            .point = point, .joint = joint, .offset = inverse(model_[joint]) * at, .exact = false};
    }

    [[nodiscard]] std::optional<Attachment> place(std::size_t point, const Usual& usual,
                                                  BodySide which) const {
        const HumanBody& human = body_.human;
        const HumanSide& side = human.side(which);
        const std::size_t k = which == BodySide::Right ? 1 : 0;
        Vec3 offset = usual.offset;
        if (k == 1) offset.x = -offset.x;
        // In the axes that a segment has in the T-pose.
        const auto beside = [&](JointId joint, const Vec3& from, int segment) {
            const Quat c = segment < 0 ? Quat{}
                                       : body_.segments.segments[static_cast<std::size_t>(segment)]
                                             .body_from_canonical;
            const Vec3 way = rotate(body_.segments.model_from_body * c, offset);
            return fixedTo(joint, from + way * size(), point);
        };
        switch (usual.anchor) {
            case Anchor::Trunk:
                return onTrunk(point, offset.y);
            case Anchor::Shoulders:
                return fixedTo(chest(), shoulders(), point);
            case Anchor::Neck:
                return fixedTo(
                    human.neck.empty() ? chest() : human.neck.front(),
                    human.neck.empty() ? shoulders() : model_.position(human.neck.front()), point);
            case Anchor::Head: {
                if (human.head != JointId::None)
                    return beside(human.head, model_.position(human.head), -1);
                const Vec3 up = rotate(body_.segments.model_from_body, Vec3{0, 1, 0});
                return beside(human.neck.empty() ? chest() : human.neck.back(),
                              shoulders() + up * (kHeadHeight * size()), -1);
            }
            case Anchor::Toes:
                if (side.toes != JointId::None)
                    return fixedTo(side.toes, model_.position(side.toes), point);
                [[fallthrough]];
            case Anchor::Foot:
                if (side.foot == JointId::None) return std::nullopt;
                return beside(side.foot, model_.position(side.ankle),
                              body_.segments.part(Part::Foot, k));
            case Anchor::Collar:
                if (side.collarbone != JointId::None)
                    return fixedTo(side.collarbone, model_.position(side.collarbone), point);
                return beside(chest(), shoulders(), -1);
            case Anchor::Hand:
                return onHand(point, usual.landmark, side, beside, k);
        }
        return std::nullopt;
    }

    [[nodiscard]] Attachment onTrunk(std::size_t point, double height) const {
        const Vec3 low = hips(), way = shoulders() - low;
        const Vec3 at = low + way * height;
        JointId joint = body_.human.hips;
        for (const JointId j : body_.human.spine)
            if (dot(model_.position(j) - at, way) <= 0.0) joint = j;
        return fixedTo(joint, at, point);
    }

    template <class Beside>
    [[nodiscard]] std::optional<Attachment> onHand(std::size_t point, Landmark landmark,
                                                   const HumanSide& side, const Beside& beside,
                                                   std::size_t k) const {
        if (side.hand == JointId::None) return std::nullopt;
        const std::size_t finger = landmark == Landmark::Index ? 1 : 4;
        if ((landmark == Landmark::Index || landmark == Landmark::Little) &&
            !side.fingers[finger].empty())
            return fixedTo(side.hand, model_.position(side.fingers[finger].front()), point);
        return beside(side.hand, model_.position(side.wrist), body_.segments.part(Part::Hand, k));
    }

    // What offsets are in units of.
    [[nodiscard]] double size() const {
        const BodySegments& s = body_.segments;
        return s.leg > 0.0 ? s.leg : s.trunk > 0.0 ? s.trunk * 1.7 : s.arm * 1.5;
    }

    const Skeleton& skeleton_;
    const PointBody& body_;
    ModelPose model_;
};

// Bones at least this long, in leg lengths, tell the noise: across short ones it adds to the
// length.
constexpr double kLongBone = 0.2;
// How much people differ in the proportions of a bone.
constexpr double kProportions = 0.1;

// The length of a bone whose ends are noisy: of the squares of the distances, 3 (2 noise^2) more
// than its own are expected. What noise hides is as long as on the body.
double lengthOf(const std::vector<double>& values, double noise, double rest) {
    std::vector<double> copy = values;
    const double middle = median(copy);
    if (!(noise > 1e-3 * middle)) return middle;
    const double most = 3.0 * middle;  // outliers do not count
    double sum = 0.0, count = 0.0;
    for (const double each : values) {
        if (each > most) continue;
        sum += each * each;
        count += 1.0;
    }
    const double variance = 2.0 * noise * noise;
    // From the median, where noise is small beside the length: it withstands more outliers.
    const double squared =
        middle > 6.0 * noise ? middle * middle - 2.0 * variance : sum / count - 3.0 * variance;
    const double seen = std::sqrt(std::max(squared, 0.0));
    const double error = variance / (count * std::max(seen * seen, 0.01 * variance));
    const double trust = kProportions * kProportions / (kProportions * kProportions + error);
    const bool same_unit = seen < 3.0 * rest && rest < 3.0 * (seen + noise);
    return same_unit ? rest + (seen - rest) * trust : seen;
}

// The distances of two attachments in all frames that have both.
std::vector<double> distances(std::size_t a, std::size_t b, std::size_t width,
                              std::span<const Vec3> positions, std::span<const double> weights) {
    std::vector<double> out;
    out.reserve(positions.size() / width);
    for (std::size_t f = 0; f < positions.size(); f += width)
        if (weights[f + a] > 0.0 && weights[f + b] > 0.0)
            out.push_back(distance(positions[f + a], positions[f + b]));
    return out;
}

}  // namespace

int PointBody::at(JointId joint) const {
    for (std::size_t i = 0; i < attached.size(); ++i)
        if (attached[i].joint == joint && attached[i].exact && length(attached[i].offset) == 0.0)
            return static_cast<int>(i);
    return -1;
}

void refresh(PointBody& body) {
    body.segments = makeSegments(body.skeleton, body.rest, body.human, {});
    const ModelPose model = computeModelPose(body.skeleton, body.rest);
    const Quat body_from_model = conjugate(body.segments.model_from_body);
    body.places.clear();
    for (const Attachment& each : body.attached)
        body.places.push_back(rotate(body_from_model, model[each.joint] * each.offset));
}

Result<PointBody> makePointBody(const Skeleton& skeleton, const Pose& rest,
                                const PointLayout& layout) {
    const Result<HumanBody> human = findHumanBody(skeleton, rest);
    if (!human) return human.error();
    PointBody body{.skeleton = skeleton,
                   .rest = rest,
                   .human = *human,
                   .segments = makeSegments(skeleton, rest, *human, {}),
                   .attached = {},
                   .places = {},
                   .stretch = std::vector<double>(skeleton.jointCount(), 1.0)};
    const Attacher attacher(skeleton, rest, body);
    for (std::size_t p = 0; p < layout.roles.size(); ++p) {
        const PointRole& role = layout.roles[p];
        if (role.landmark == Landmark::None) continue;
        if (role.landmark == Landmark::Joint && skeleton.find(role.joint) == JointId::None)
            return Diagnostic{.what = "the body has no joint '" + excerpt(role.joint) + "'",
                              .advice = suggestNames(role.joint, skeleton.names())};
        if (std::optional<Attachment> each = attacher.attach(p, role))
            body.attached.push_back(*each);
    }
    refresh(body);
    return body;
}

PointBones measureBones(const PointBody& body, std::span<const Vec3> positions,
                        std::span<const double> weights) {
    const Skeleton& skeleton = body.skeleton;
    const std::size_t width = body.attached.size();
    std::vector<int> origin(skeleton.jointCount(), -1);
    for (const JointId j : skeleton.joints()) origin[index(j)] = body.at(j);
    const double size = std::max(body.segments.leg, body.segments.arm);
    PointBones out;
    std::vector<std::vector<double>> all;
    const auto add = [&](std::size_t a, std::size_t b, JointId end) {
        PointBone bone{.a = a, .b = b, .end = end};
        bone.rest = distance(body.places[a], body.places[b]);
        std::vector<double> own = distances(a, b, width, positions, weights);
        if (own.empty() || !(bone.rest > 1e-6 * size)) return;
        std::vector<double> copy = own;
        bone.spread = spreadAbout(median(copy), copy);
        out.bones.push_back(bone);
        all.push_back(std::move(own));
    };
    for (const JointId j : skeleton.joints()) {
        if (origin[index(j)] < 0) continue;
        JointId up = skeleton.parent(j);
        while (up != JointId::None && origin[index(up)] < 0) up = skeleton.parent(up);
        if (up != JointId::None)
            add(static_cast<std::size_t>(origin[index(up)]),
                static_cast<std::size_t>(origin[index(j)]), j);
    }
    std::vector<double> noise;
    for (const bool any : {false, true}) {
        if (!noise.empty()) break;
        for (const PointBone& bone : out.bones)
            if (any || bone.rest > kLongBone * size) noise.push_back(bone.spread / std::sqrt(2.0));
    }
    out.noise = median(noise);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.bones[i].length = lengthOf(all[i], out.noise, out.bones[i].rest);
    // Bones of both sides are equally long.
    const Result<MirrorPairs> pairs = findMirrorPairs(skeleton);
    if (!pairs) return out;
    for (PointBone& bone : out.bones) {
        const JointId other = pairs->other[index(bone.end)];
        if (index(other) <= index(bone.end)) continue;
        for (PointBone& twin : out.bones) {
            if (twin.end != other) continue;
            const double ratio = (bone.length / bone.rest + twin.length / twin.rest) / 2.0;
            bone.length = ratio * bone.rest;
            twin.length = ratio * twin.rest;
        }
    }
    return out;
}

void fitLengths(std::span<const PointBone> bones, std::span<const Vec3> positions,
                std::span<const double> weights, PointBody& body) {
    const Skeleton& skeleton = body.skeleton;
    const HumanBody& human = body.human;
    const std::size_t width = body.attached.size();
    std::vector<double> ratio(skeleton.jointCount(), 0.0);  // 0: not known
    const auto spread = [&](JointId top, JointId end, double r) {
        for (JointId j = end; j != JointId::None && j != top; j = skeleton.parent(j))
            if (ratio[index(j)] == 0.0) ratio[index(j)] = r;
    };
    for (const PointBone& bone : bones)
        spread(body.attached[bone.a].joint, bone.end, bone.length / bone.rest);
    // The widths and the height of a trunk whose own joints are no points.
    const auto pair = [&](JointId HumanSide::*joint) {
        return std::array{body.at(human.left.*joint), body.at(human.right.*joint)};
    };
    const auto hips = pair(&HumanSide::hip), shoulders = pair(&HumanSide::shoulder);
    const auto whole = [](const std::array<int, 2>& both) { return both[0] >= 0 && both[1] >= 0; };
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const auto across = [&](const std::array<int, 2>& both, JointId top, JointId HumanSide::*end) {
        std::vector<double> all = distances(at(both[0]), at(both[1]), width, positions, weights);
        const double rest = distance(body.places[at(both[0])], body.places[at(both[1])]);
        const double middle = median(all);
        if (!(middle > 0.0 && rest > 0.0)) return;
        spread(top, human.left.*end, middle / rest);
        spread(top, human.right.*end, middle / rest);
    };
    const JointId chest = human.spine.empty() ? human.hips : human.spine.back();
    if (whole(hips)) across(hips, human.hips, &HumanSide::hip);
    if (whole(shoulders)) across(shoulders, chest, &HumanSide::shoulder);
    if (whole(hips) && whole(shoulders)) {
        std::vector<double> all;
        for (std::size_t f = 0; f < positions.size(); f += width) {
            const auto seen = [&](int i) { return weights[f + at(i)] > 0.0; };
            if (!(seen(hips[0]) && seen(hips[1]) && seen(shoulders[0]) && seen(shoulders[1])))
                continue;
            all.push_back(
                distance(positions[f + at(hips[0])] + positions[f + at(hips[1])],
                         positions[f + at(shoulders[0])] + positions[f + at(shoulders[1])]) /
                2.0);
        }
        const double rest =
            distance(body.places[at(hips[0])] + body.places[at(hips[1])],
                     body.places[at(shoulders[0])] + body.places[at(shoulders[1])]) /
            2.0;
        const double middle = median(all);
        if (middle > 0.0 && rest > 0.0) spread(human.hips, chest, middle / rest);
    }
    for (const JointId j : skeleton.joints()) {
        double& own = ratio[index(j)];
        const JointId parent = skeleton.parent(j);
        if (own == 0.0) own = parent == JointId::None ? 1.0 : ratio[index(parent)];
        body.stretch[index(j)] = own;
        body.rest[j].translation = body.rest[j].translation * own;
    }
    for (Attachment& each : body.attached)
        if (!each.exact) each.offset = each.offset * body.stretch[index(each.joint)];
    refresh(body);
}

}  // namespace ulna::retarget::detail
