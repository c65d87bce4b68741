// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/poser.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna::retarget::detail {
namespace {

constexpr double kNoBound = 1e6;
// Weights of chains that cannot follow exactly: directions of limbs count 1.
constexpr double kTwist = 0.02, kHand = 0.3, kHandTwist = 0.1;
constexpr double kFoot = 0.3, kStandingFoot = 30.0;
// A foot's position in leg lengths: in the air it is one wish among others, in contact it is exact
// to about a ten-thousandth.
constexpr double kFreeFoot = 10.0, kHeldFoot = 1e5;
// Legs stay this short of straight where a foot is held: straight knees do not know where to bend.
constexpr double kStraight = 0.9999;

}  // namespace

Poser::Poser(const Skeleton& skeleton, const Pose& rest, const BodySegments& body)
    : skeleton_(skeleton), body_(body), rest_(rest), dofs_(skeleton.dofCount(), 0.0) {
    clampToLimits(skeleton, dofs_);
    const std::size_t n = skeleton.jointCount();
    orientations_.resize(n);
    positions_.resize(n);
    scales_.assign(n, 1.0);
    placed_.assign(n, 0);
    for (const Segment& segment : body.segments) {
        Quat q;
        for (JointId j = segment.frame; j != segment.first; j = skeleton.parent(j))
            q = rest[j].rotation * q;
        frame_from_first_.push_back(conjugate(q));
    }
    addGroup(body.spine);
    addGroup(body.neck);
    for (std::size_t side = 0; side < 2; ++side) {
        const auto chain = [&](std::initializer_list<Part> parts) {
            std::vector<int> out;
            for (const Part part : parts)
                if (body.part(part, side) >= 0) out.push_back(body.part(part, side));
            return out;
        };
        addGroup(chain({Part::Collar, Part::UpperArm, Part::Forearm, Part::Hand}));
        addGroup(chain({Part::Thigh, Part::Shin, Part::Foot}),
                 body.hasLeg(side) ? static_cast<int>(side) : -1);
    }
    for (std::size_t i = 0; i < body.segments.size(); ++i)
        if (body.segments[i].relative && skeleton.kind(body.segments[i].first) == JointKind::Ball)
            relative_.push_back(static_cast<int>(i));
    std::sort(relative_.begin(), relative_.end(), [&](int a, int b) {
        return index(body.segments[static_cast<std::size_t>(a)].first) <
               index(body.segments[static_cast<std::size_t>(b)].first);
    });
}

void Poser::addGroup(std::vector<int> segments, int foot) {
    if (segments.empty()) return;
    const auto at = [&](int i) -> const Segment& {
        return body_.segments[static_cast<std::size_t>(i)];
    };
    // A chain that is not one in the tree falls apart into its segments.
    for (std::size_t k = 1; k < segments.size(); ++k) {
        if (skeleton_.isAncestor(at(segments[k - 1]).frame, at(segments[k]).first)) continue;
        addGroup({segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(k)});
        addGroup({segments.begin() + static_cast<std::ptrdiff_t>(k), segments.end()});
        return;
    }
    ChainSolver solver(skeleton_, at(segments.front()).first, at(segments.back()).frame);
    groups_.push_back({std::move(segments), std::move(solver), foot});
}

MotionTracks Poser::tracks() const {
    MotionTracks out;
    std::vector<char> turned(skeleton_.jointCount(), 0), moved(skeleton_.jointCount(), 0);
    const JointId hips = body_.segments.front().first;
    turned[index(hips)] = moved[index(hips)] = 1;
    for (const Group& group : groups_) {
        for (const JointId j : group.solver.joints()) {
            if (skeleton_.dofCount(j) == 0) continue;
            turned[index(j)] = 1;
            if (slides(skeleton_.kind(j))) moved[index(j)] = 1;
        }
    }
    for (const int i : relative_)
        turned[index(body_.segments[static_cast<std::size_t>(i)].first)] = 1;
    for (const JointId j : skeleton_.joints()) {
        if (turned[index(j)]) out.rotated.push_back(j);
        if (moved[index(j)]) out.translated.push_back(j);
    }
    return out;
}

// Q of a segment's frame in model space.
Quat Poser::wanted(const Segment& segment, const Quat& d) const {
    return body_.model_from_ground * d * conjugate(segment.canonical_from_joint);
}

void Poser::place(JointId j, const Pose& pose) {
    const std::size_t i = index(j);
    const Trs& t = pose.parent_from_joint[i];
    const JointId parent = skeleton_.parent(j);
    if (parent == JointId::None) {
        orientations_[i] = t.rotation;
        positions_[i] = t.translation;
        scales_[i] = t.scale.x;
    } else {
        const std::size_t p = index(parent);
        orientations_[i] = orientations_[p] * t.rotation;
        positions_[i] = positions_[p] + rotate(orientations_[p], t.translation) * scales_[p];
        scales_[i] = scales_[p] * t.scale.x;
    }
    placed_[i] = 1;
}

void Poser::placeAbove(JointId j, const Pose& pose) {
    const JointId parent = skeleton_.parent(j);
    if (parent == JointId::None || placed_[index(parent)]) return;
    placeAbove(parent, pose);
    place(parent, pose);
}

Affine Poser::base(JointId first) const {
    const JointId parent = skeleton_.parent(first);
    if (parent == JointId::None) return {};
    const std::size_t p = index(parent);
    return toAffine(Trs{.translation = positions_[p],
                        .scale = Vec3{1, 1, 1} * scales_[p],
                        .rotation = orientations_[p]});
}

// Rotates the first joint of a segment so that its frame has an orientation; the joints between
// stay as they are at rest.
void Poser::turn(const Segment& segment, const Quat& orientation, Pose& out) {
    const auto i = static_cast<std::size_t>(&segment - body_.segments.data());
    placeAbove(segment.first, out);
    const JointId parent = skeleton_.parent(segment.first);
    const Quat above = parent == JointId::None ? Quat{} : orientations_[index(parent)];
    out[segment.first].rotation = normalized(conjugate(above) * orientation * frame_from_first_[i]);
    for (const JointId j : skeleton_.chain(segment.first, segment.frame)) place(j, out);
}

void Poser::pose(const PlannedFrame& frame, Pose& out) {
    std::fill(placed_.begin(), placed_.end(), 0);
    const Segment& pelvis = body_.segments.front();
    turn(pelvis, wanted(pelvis, frame.d[0]), out);
    const Vec3 hips =
        rotate(body_.model_from_ground, frame.centre - rotate(frame.d[0], body_.centre));
    out[pelvis.first].translation = inverse(base(pelvis.first)) * hips;
    place(pelvis.first, out);
    for (Group& group : groups_) {
        placeAbove(body_.segments[static_cast<std::size_t>(group.segments.front())].first, out);
        if (group.foot >= 0) bendLeg(static_cast<std::size_t>(group.foot), frame);
        if (group.solver.free())
            follow(group, frame, out);
        else if (!followInside(group, frame, out))
            solveGroup(group, frame, out);
    }
    for (const int i : relative_) {
        const auto k = static_cast<std::size_t>(i);
        followRelative(body_.segments[k], k, frame, out);
    }
    begun_ = true;
}

// Bends a leg so that its ankle is where it should be, in the plane that it is bent in.
void Poser::bendLeg(std::size_t side, const PlannedFrame& frame) const {
    const FootGoal* goal = frame.feet[side];
    if (goal == nullptr) return;
    const auto number = [&](Part part) { return static_cast<std::size_t>(body_.part(part, side)); };
    frame.d[number(Part::Foot)] = goal->rotation;
    if (body_.feet[side].toes) frame.d[number(Part::Toes)] = goal->toes;
    if (!goal->changed) return;
    Quat& thigh = frame.d[number(Part::Thigh)];
    Quat& shin = frame.d[number(Part::Shin)];
    const Vec3 down{0, -1, 0};
    const double a = body_.thigh[side], b = body_.shin[side];
    const Vec3 hip = frame.centre + rotate(frame.d[0], body_.hip[side] - body_.centre);
    const Vec3 knee = hip + rotate(thigh, down) * a;
    const Vec3 to = goal->ankle - hip;
    const double reach =
        std::clamp(length(to), std::abs(a - b) + 1e-6 * (a + b), kStraight * (a + b));
    const Vec3 line = normalizedOr(to, down);
    // Knees bend forward where the leg does not say.
    const Vec3 forward = rotate(thigh, Vec3{0, 0, 1}) + rotate(shin, Vec3{0, 0, 1});
    Vec3 bend = knee - hip + forward * (0.02 * a);
    bend -= line * dot(bend, line);
    const Vec3 side_axis = normalizedOr(bend, normalizedOr(forward, Vec3{0, 0, 1}));
    const double along = (a * a + reach * reach - b * b) / (2.0 * reach);
    const double across = std::sqrt(std::max(a * a - along * along, 0.0));
    const Vec3 new_knee = line * along + side_axis * across;
    const Vec3 new_shin = line * reach - new_knee;
    const auto onto = [&](Quat& d, const Vec3& direction) {
        d = normalized(quatBetween(rotate(d, down), direction) * d);
    };
    onto(thigh, new_knee / a);
    onto(shin, new_shin / b);
}

void Poser::follow(const Group& group, const PlannedFrame& frame, Pose& out) {
    for (const int i : group.segments) {
        const Segment& segment = body_.segments[static_cast<std::size_t>(i)];
        turn(segment, wanted(segment, frame.d[static_cast<std::size_t>(i)]), out);
    }
}

// Balls with limits, where what is asked of them is inside.
bool Poser::followInside(Group& group, const PlannedFrame& frame, Pose& out) {
    for (const JointId j : group.solver.joints()) {
        const JointKind kind = skeleton_.kind(j);
        if (kind != JointKind::Ball && kind != JointKind::Fixed) return false;
    }
    follow(group, frame, out);
    for (const JointId j : group.solver.joints()) {
        const std::span<double> dofs = jointDofs(skeleton_, j, std::span(dofs_));
        computeJointDofs(skeleton_, j, out[j], dofs);
        turnIntoLimits(skeleton_, j, dofs);
    }
    bool inside = true;
    for (const JointId j : group.solver.joints())
        inside =
            !clampJointToLimits(skeleton_, j, jointDofs(skeleton_, j, std::span(dofs_))) && inside;
    return inside;
}

void Poser::solveGroup(Group& group, const PlannedFrame& frame, Pose& out) {
    targets_.clear();
    const auto side = static_cast<std::size_t>(std::max(group.foot, 0));
    const FootGoal* goal = group.foot >= 0 ? frame.feet[side] : nullptr;
    const bool trunk =
        body_.segments[static_cast<std::size_t>(group.segments.front())].direction == Vec3{} &&
        group.foot < 0;
    for (const int i : group.segments) {
        const auto k = static_cast<std::size_t>(i);
        const Segment& segment = body_.segments[k];
        SegmentTarget target{.joint = segment.frame,
                             .orientation = wanted(segment, frame.d[k]),
                             .axis_weight = 1.0,
                             .twist_weight = kTwist};
        const bool last = i == group.segments.back();
        Vec3 axis = segment.direction;
        if (length(axis) == 0.0) {
            axis = group.foot >= 0 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
            target.twist_weight = 1.0;
            // Of a trunk only the end counts; what is between shares the way.
            if (trunk && !last) target.axis_weight = target.twist_weight = 0.05;
        }
        if (group.foot >= 0 && last) {
            target.axis_weight = target.twist_weight =
                goal ? kFoot + (kStandingFoot - kFoot) * goal->hold : kFoot;
        } else if (last && !trunk) {
            target.axis_weight = kHand;
            target.twist_weight = kHandTwist;
        }
        target.axis = rotate(segment.canonical_from_joint, axis);
        targets_.push_back(target);
    }
    PointTarget point;
    if (goal != nullptr) {
        point.joint = targets_.back().joint;
        point.target = rotate(body_.model_from_ground, goal->ankle);
        point.weight = kFreeFoot * std::pow(kHeldFoot / kFreeFoot, goal->hold);
        point.unit = body_.leg;
    }
    const JointId first = body_.segments[static_cast<std::size_t>(group.segments.front())].first;
    const Affine above = base(first);
    (void)group.solver.solve(above, targets_, point, begun_ ? frame.largest_move : kNoBound, dofs_);
    if (!begun_)  // far from the start, one round of steps may not arrive
        (void)group.solver.solve(above, targets_, point, kNoBound, dofs_);
    for (const JointId j : group.solver.joints()) {
        const Trs t =
            computeJointTransform(skeleton_, j, jointDofs(skeleton_, j, std::span(dofs_)));
        out[j].rotation = t.rotation;
        if (slides(skeleton_.kind(j))) out[j].translation = t.translation;
        place(j, out);
    }
}

// Fingers and toes are rotated from what their parent is, not from what it should be.
void Poser::followRelative(const Segment& segment, std::size_t i, const PlannedFrame& frame,
                           Pose& out) {
    placeAbove(segment.first, out);
    const auto parent = static_cast<std::size_t>(segment.parent);
    const Segment& up = body_.segments[parent];
    const Quat really = conjugate(body_.model_from_ground) * orientations_[index(up.frame)] *
                        up.canonical_from_joint;
    const Quat d = really * conjugate(frame.d[parent]) * frame.d[i];
    out[segment.first].rotation = normalized(
        conjugate(orientations_[index(skeleton_.parent(segment.first))]) * wanted(segment, d));
    place(segment.first, out);
}

}  // namespace ulna::retarget::detail
