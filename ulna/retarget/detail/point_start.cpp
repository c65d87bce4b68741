// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/point_start.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ulna/math/polar.h"
#include "ulna/retarget/detail/point_filter.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::retarget::detail {
namespace {

constexpr Vec3 kLeftAxis{1, 0, 0}, kUp{0, 1, 0}, kForwardAxis{0, 0, 1};
// What decides a rotation that points leave open, relative to the points.
constexpr double kNearPoint = 0.02;
// Hinges bent by less than this (the sine) may be overextended, which is no reason to flip.
constexpr double kNearlyStraight = 0.35;
// How fast limbs rotate about themselves ever faster, in radians per second squared.
constexpr double kTwistAcceleration = 30.0;
// A limb of which nothing is known is not twisted, to about a radian.
constexpr double kUntwisted = 0.02;
// How much short bones usually bend from their rest pose, in radians (standard deviation).
constexpr double kUsualBend = 0.35;

void addPair(const Vec3& canonical, const Vec3& seen, double weight, Mat3& sum) {
    for (std::size_t r = 0; r < 3; ++r) sum.rows[r] += canonical * (seen[r] * weight);
}

Mat3 zero() {
    return Mat3::fromColumns({}, {}, {});
}

std::size_t at_(int i) {
    return static_cast<std::size_t>(i);
}

Vec3 middle(std::span<const Vec3> points, std::span<const int> some) {
    Vec3 sum;
    for (const int i : some) sum += points[at_(i)];
    return some.empty() ? sum : sum / static_cast<double>(some.size());
}

Quat onto(const Vec3& from, const Vec3& to, const Quat& d) {
    return normalized(quatBetween(rotate(d, from), to) * d);
}

}  // namespace

double trustOfBone(double length, double noise) {
    const double bend = kUsualBend * length;
    return noise > 0.0 ? bend * bend / (bend * bend + noise * noise) : 1.0;
}

PointStart::PointStart(const PointBody& body, std::vector<char> used, double noise)
    : body_(body), used_(std::move(used)), noise_(noise) {
    const BodySegments& s = body.segments;
    const HumanBody& human = body.human;
    const std::vector<Quat> orientations = computeOrientations(body.skeleton, body.rest);
    for (const Segment& segment : s.segments) {
        const Quat up =
            segment.parent < 0 ? Quat{} : s.segments[at_(segment.parent)].body_from_canonical;
        parent_from_rest_.push_back(conjugate(up) * segment.body_from_canonical);
        Quat q;
        for (JointId j = segment.frame; j != segment.first; j = body.skeleton.parent(j))
            q = body.rest[j].rotation * q;
        frame_from_first_.push_back(conjugate(q));
    }
    hips_ = {seen(human.left.hip), seen(human.right.hip)};
    shoulders_ = {seen(human.left.shoulder), seen(human.right.shoulder)};
    addTies();
    for (std::size_t side = 0; side < 2; ++side) {
        addLimb(side, false);
        addLimb(side, true);
    }
    const JointId parent = body.skeleton.parent(human.hips);
    if (parent != JointId::None)
        model_from_parent_ = computeModelPose(body.skeleton, body.rest)[parent];
}

int PointStart::seen(JointId joint) const {
    const int i = joint == JointId::None ? -1 : body_.at(joint);
    return i >= 0 && used_[at_(i)] ? i : -1;
}

void PointStart::addTies() {
    const BodySegments& s = body_.segments;
    const std::size_t count = s.segments.size();
    ties_.resize(count);
    directions_.assign(count, {-1, -1});
    for (std::size_t i = 0; i < body_.attached.size(); ++i) {
        const Attachment& each = body_.attached[i];
        if (!used_[i]) continue;
        JointId j = each.joint;
        while (j != JointId::None && s.of[index(j)] < 0) j = body_.skeleton.parent(j);
        if (j == JointId::None) continue;
        const int own = s.of[index(j)];
        const auto tie = [&](int segment) {
            const Quat c = s.segments[at_(segment)].body_from_canonical;
            ties_[at_(segment)].push_back({i, rotate(conjugate(c), body_.places[i])});
        };
        tie(own);
        const bool origin = s.segments[at_(own)].first == each.joint && length(each.offset) == 0.0;
        const int parent = s.segments[at_(own)].parent;
        if (origin) {
            directions_[at_(own)][0] = static_cast<int>(i);
            if (parent >= 0) tie(parent);
        }
        int top = own;
        while (s.segments[at_(top)].direction != Vec3{} && s.segments[at_(top)].parent >= 0)
            top = s.segments[at_(top)].parent;
        const bool trunk = top == own || (origin && parent == top);
        if (!trunk) continue;
        const bool pelvis = top == 0;
        const bool chest = std::find(s.neck.begin(), s.neck.end(), top) != s.neck.end() ||
                           (!s.spine.empty() && top == s.spine.back()) ||
                           top == s.part(Part::Collar, 0) || top == s.part(Part::Collar, 1);
        if (pelvis)
            low_.push_back(static_cast<int>(i));
        else if (chest)
            high_.push_back(static_cast<int>(i));
    }
    if (hips_[0] >= 0 && hips_[1] >= 0) low_.assign(hips_.begin(), hips_.end());
    if (shoulders_[0] >= 0 && shoulders_[1] >= 0)
        high_.assign(shoulders_.begin(), shoulders_.end());
    if (!low_.empty() && !high_.empty())
        up_ = middle(body_.places, high_) - middle(body_.places, low_);
    // Where a segment points: to the origin of a child that is alone, or first of several.
    for (std::size_t k = 0; k < count; ++k) {
        const int parent = s.segments[k].parent;
        if (parent >= 0 && directions_[k][0] >= 0 && directions_[at_(parent)][1] < 0)
            directions_[at_(parent)][1] = directions_[k][0];
    }
}

void PointStart::addLimb(std::size_t side, bool leg) {
    const HumanSide& joints = side == 0 ? body_.human.left : body_.human.right;
    const BodySegments& s = body_.segments;
    Limb& limb = limbs_[side * 2 + (leg ? 1 : 0)];
    limb.upper = s.part(leg ? Part::Thigh : Part::UpperArm, side);
    limb.lower = s.part(leg ? Part::Shin : Part::Forearm, side);
    limb.top = seen(leg ? joints.hip : joints.shoulder);
    limb.hinge = seen(leg ? joints.knee : joints.elbow);
    limb.end = seen(leg ? joints.ankle : joints.wrist);
    // Shins bend backward, forearms forward.
    limb.direction = leg ? -kUp : side == 0 ? kLeftAxis : -kLeftAxis;
    limb.axis = cross(limb.direction, leg ? -kForwardAxis : kForwardAxis);
}

Quat PointStart::fallback(std::size_t segment, std::span<const Quat> d) const {
    const int parent = body_.segments.segments[segment].parent;
    return parent < 0 ? Quat{} : normalized(d[at_(parent)] * parent_from_rest_[segment]);
}

// The rotation of what several points are fixed to.
Quat PointStart::fitted(std::size_t segment, const Quat& near, std::span<const Vec3> at) const {
    const std::vector<Tie>& ties = ties_[segment];
    if (ties.size() < 2) return near;
    Vec3 place, seen;
    for (const Tie& tie : ties) {
        place += tie.place;
        seen += at[tie.attachment];
    }
    const double n = static_cast<double>(ties.size());
    place *= 1.0 / n;
    seen *= 1.0 / n;
    Mat3 sum = zero();
    double size = 0.0;
    for (const Tie& tie : ties) {
        const Vec3 from = tie.place - place;
        size += dot(from, from);
        addPair(from, at[tie.attachment] - seen, 1.0, sum);
    }
    if (!(size > 0.0)) return near;
    for (const Vec3& axis : {kLeftAxis, kUp, kForwardAxis})
        addPair(axis, rotate(near, axis),
                kNearPoint * size + noise_ * noise_ / (kUsualBend * kUsualBend), sum);
    return nearestRotation(sum).value_or(near);
}

// A rotation from what is left and what is up: `first` and `second` are pairs of a left and a right
// point, of which the first that is seen says it.
Quat PointStart::upright(std::span<const Vec3> at, const std::array<int, 2>& first,
                         const std::array<int, 2>& second) const {
    Mat3 sum = zero();
    for (const std::array<int, 2>& pair : {first, second}) {
        if (pair[0] < 0 || pair[1] < 0) continue;
        const Vec3 rest = body_.places[at_(pair[0])] - body_.places[at_(pair[1])];
        const Vec3 now = at[at_(pair[0])] - at[at_(pair[1])];
        addPair(normalizedOr(rest, kLeftAxis), normalizedOr(now, kLeftAxis), 1.0, sum);
        break;
    }
    if (!low_.empty() && !high_.empty()) {
        const Vec3 way = middle(at, high_) - middle(at, low_);
        addPair(normalizedOr(up_, kUp), normalizedOr(way, kUp), 0.5, sum);
    } else {
        addPair(kUp, kUp, 0.01, sum);
    }
    return nearestRotation(sum).value_or(Quat{});
}

// A rotation as it is, but for where its segment points.
Quat PointStart::along(std::size_t segment, const Quat& d, std::span<const Vec3> at) const {
    const auto& [from, to] = directions_[segment];
    if (from < 0 || to < 0) return d;
    const Quat c = body_.segments.segments[segment].body_from_canonical;
    const Vec3 rest = rotate(conjugate(c), body_.places[at_(to)] - body_.places[at_(from)]);
    const Vec3 now = at[at_(to)] - at[at_(from)];
    if (!(length(rest) > 0.0 && length(now) > 0.0)) return d;
    const Quat whole = onto(rest / length(rest), now / length(now), d);
    return slerp(d, whole, trustOfBone(length(rest), noise_));
}

void PointStart::pointChain(const std::vector<int>& chain, const Quat& base, const Quat& end,
                            std::span<const Vec3> at, std::span<Quat> d) const {
    for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
        const double share = static_cast<double>(k + 1) / static_cast<double>(chain.size());
        d[at_(chain[k])] = along(at_(chain[k]), slerp(base, end, share), at);
    }
    if (!chain.empty()) d[at_(chain.back())] = end;
}

void PointStart::orientTrunk(std::span<const Vec3> at, std::span<Quat> d) const {
    const BodySegments& s = body_.segments;
    d[0] = fitted(0, upright(at, hips_, shoulders_), at);
    Quat chest = d[0];
    if (!s.spine.empty()) {
        const auto top = at_(s.spine.back());
        chest = fitted(top, upright(at, shoulders_, hips_), at);
        pointChain(s.spine, d[0], chest, at, d);
    }
    if (s.neck.empty()) return;
    Quat neck = chest;
    if (s.neck.size() > 1) neck = along(at_(s.neck.front()), chest, at);
    const Quat head = fitted(at_(s.neck.back()), neck, at);
    pointChain(s.neck, chest, head, at, d);
}

std::vector<Quat> PointStart::orient(std::span<const Vec3> at, const LimbTwists* twists,
                                     LimbTwists* seen) const {
    const BodySegments& s = body_.segments;
    std::vector<Quat> d(s.segments.size());
    std::vector<char> done(d.size(), 0);
    orientTrunk(at, d);
    done[0] = 1;
    for (const int i : s.spine) done[at_(i)] = 1;
    for (const int i : s.neck) done[at_(i)] = 1;
    for (std::size_t k = 0; k < d.size(); ++k) {
        if (done[k]) continue;
        d[k] = fallback(k, d);
        const auto is = [&](Part part) {
            return s.part(part, 0) == static_cast<int>(k) || s.part(part, 1) == static_cast<int>(k);
        };
        if (is(Part::Hand) || is(Part::Foot)) {
            d[k] = fitted(k, d[k], at);
            continue;
        }
        const auto limb = std::find_if(limbs_.begin(), limbs_.end(), [&](const Limb& each) {
            return each.upper == static_cast<int>(k);
        });
        const auto lower = std::find_if(limbs_.begin(), limbs_.end(), [&](const Limb& each) {
            return each.lower == static_cast<int>(k);
        });
        if (lower != limbs_.end() && lower->hinge >= 0 && lower->end >= 0) {
            const Vec3 way = at[at_(lower->end)] - at[at_(lower->hinge)];
            const Quat& upper = d[at_(lower->upper)];
            d[k] =
                onto(lower->direction, normalizedOr(way, rotate(upper, lower->direction)), upper);
        } else if (limb != limbs_.end() && limb->top >= 0 && limb->hinge >= 0) {
            const int parent = s.segments[k].parent;
            const Quat& above = parent < 0 ? d[0] : d[at_(parent)];
            const Vec3 way = at[at_(limb->hinge)] - at[at_(limb->top)];
            const Vec3 u = normalizedOr(way, rotate(above, limb->direction));
            d[k] = onto(limb->direction, u, above);
            const auto which = static_cast<std::size_t>(limb - limbs_.begin());
            if (seen != nullptr && limb->end >= 0) {
                const Vec3 low = at[at_(limb->end)] - at[at_(limb->hinge)];
                const Vec3 across = cross(u, normalizedOr(low, u));
                const double sine = length(across);
                const Vec3 axis = rotate(d[k], limb->axis);
                LimbTwist& out = (*seen)[which];
                out = {dot(axis, across), dot(cross(axis, across), u), sine * sine};
                if (sine > 0.0) {
                    out.cosine /= sine;
                    out.sine /= sine;
                }
                if (sine < kNearlyStraight && out.cosine < 0.0) {
                    out.cosine = -out.cosine;
                    out.sine = -out.sine;
                }
            }
            if (twists != nullptr) {
                const LimbTwist& twist = (*twists)[which];
                d[k] =
                    normalized(quatFromAxisAngle(u, std::atan2(twist.sine, twist.cosine)) * d[k]);
            }
        } else {
            d[k] = along(k, d[k], at);
        }
    }
    return d;
}

LimbTwists PointStart::observe(std::span<const Vec3> at) const {
    std::vector<Vec3> ground(at.begin(), at.end());
    for (Vec3& each : ground) each = rotate(conjugate(body_.segments.model_from_ground), each);
    LimbTwists out;
    (void)orient(ground, nullptr, &out);
    return out;
}

void PointStart::pose(std::span<const Vec3> at, const LimbTwists& twists, Pose& pose) const {
    const BodySegments& s = body_.segments;
    const Skeleton& skeleton = body_.skeleton;
    const Quat ground_from_model = conjugate(s.model_from_ground);
    std::vector<Vec3> ground(at.begin(), at.end());
    for (Vec3& each : ground) each = rotate(ground_from_model, each);
    const std::vector<Quat> d = orient(ground, &twists, nullptr);
    std::vector<Quat> orientations(skeleton.jointCount());
    for (const JointId j : skeleton.joints()) {
        const JointId parent = skeleton.parent(j);
        const Quat above = parent == JointId::None ? Quat{} : orientations[index(parent)];
        Quat own = body_.rest[j].rotation;
        if (const int k = s.of[index(j)]; k >= 0 && s.segments[at_(k)].first == j) {
            const Segment& segment = s.segments[at_(k)];
            const Quat frame =
                s.model_from_ground * d[at_(k)] * conjugate(segment.joint_from_canonical);
            own = normalized(conjugate(above) * frame * frame_from_first_[at_(k)]);
        }
        pose[j].rotation = own;
        orientations[index(j)] = above * own;
    }
    // The hips are where the points of the pelvis say, or those of the chest.
    const bool low = !low_.empty();
    const std::vector<int>& some = low ? low_ : high_;
    const Vec3 hips_at_rest = rotate(conjugate(s.model_from_body),
                                     model_from_parent_ * body_.rest[body_.human.hips].translation);
    const Vec3 hips =
        middle(ground, some) - rotate(d[0], middle(body_.places, some) - hips_at_rest);
    pose[body_.human.hips].translation =
        inverse(model_from_parent_) * rotate(s.model_from_ground, hips);
}

void smoothTwists(double frame_time, double deviation, std::span<LimbTwists> twists) {
    const std::size_t frames = twists.size();
    std::vector<double> w(frames);
    std::vector<Vec3> y(frames);
    const double step = kTwistAcceleration * frame_time * frame_time;
    const double bend = 1.0 / (step * step), pull = bend * frame_time * frame_time;
    for (std::size_t limb = 0; limb < 4; ++limb) {
        for (std::size_t f = 0; f < frames; ++f) {
            const LimbTwist& each = twists[f][limb];
            const double seen = each.weight / (deviation * deviation);
            w[f] = seen + kUntwisted;
            y[f] = Vec3{seen * each.cosine + kUntwisted, seen * each.sine, 0.0} / w[f];
        }
        smoothPath(w, bend, pull, y);
        for (std::size_t f = 0; f < frames; ++f) {
            twists[f][limb].cosine = y[f].x;
            twists[f][limb].sine = y[f].y;
        }
    }
}

}  // namespace ulna::retarget::detail
