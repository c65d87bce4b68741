// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/poser.h"

#include <algorithm>
#include <cmath>

#include "ulna/skeleton/state.h"

namespace ulna::retarget::detail {
namespace {

// Weights of what limits and hinges cannot follow exactly: the direction of a limb counts 1.
constexpr double kTwist = 0.02, kHand = 0.3, kHandTwist = 0.1, kBetween = 0.05;
constexpr double kPelvis = 4.0, kFoot = 0.3, kStandingFoot = 30.0;
// Of the squared distance of a position in leg lengths. A foot in the air is one of several aims,
// and one that stands is exact to about a ten-thousandth.
constexpr double kCentre = 200.0, kFreeFoot = 10.0, kHeldFoot = 1e5, kWrist = 20.0;
// Limbs stay this short of straight: straight ones do not know where to bend.
constexpr double kStraight = 0.9999;

bool isLimited(const Skeleton& skeleton, JointId j) {
    const JointDef& def = skeleton.joint(j);
    bool any = def.cone.has_value();
    for (std::size_t k = 0; k < skeleton.dofCount(j); ++k) any = any || def.limits[k].bounded();
    return any;
}

bool isBall(JointKind kind) {
    return kind == JointKind::Ball || kind == JointKind::Free;
}

// Two bones of lengths a and b that point along `direction` of their canonical axes.
struct BentLimb {
    Quat& upper;
    Quat& lower;
    Vec3 direction = {};
    Vec3 bends_to = {};  // where the joint between goes, in canonical axes, if nothing else says it
    double a = 0.0, b = 0.0;
};

// Bends a limb so that its end is at `to` from its start. The plane that it is bent in goes along
// with the line between both; where it is straight, `bends_to` decides, the more so the farther the
// end has to move: a limb that is where it should be stays as it is.
void bend(const BentLimb& limb, const Vec3& to) {
    // Of how far a knee is off the line from the hip to the ankle; of how far the end moves.
    constexpr double kHint = 0.1, kFar = 0.01;
    const double reach =
        std::clamp(length(to), std::abs(limb.a - limb.b) + 1e-6 * (limb.a + limb.b),
                   kStraight * (limb.a + limb.b));
    const Vec3 upper = rotate(limb.upper, limb.direction) * limb.a;
    const Vec3 end = upper + rotate(limb.lower, limb.direction) * limb.b;
    const Vec3 was = normalizedOr(end, rotate(limb.upper, limb.direction));
    const double moved = std::min(distance(end, to) / (kFar * (limb.a + limb.b)), 1.0);
    const Vec3 line = normalizedOr(to, was);
    const Vec3 hint = rotate(limb.upper, limb.bends_to) + rotate(limb.lower, limb.bends_to);
    Vec3 off = upper + hint * (0.5 * kHint * moved * limb.a);
    off = rotate(quatBetween(was, line), off - was * dot(off, was));
    const Vec3 side = normalizedOr(off - line * dot(off, line), anyPerpendicular(line));
    const double along = (limb.a * limb.a + reach * reach - limb.b * limb.b) / (2.0 * reach);
    const double across = std::sqrt(std::max(limb.a * limb.a - along * along, 0.0));
    const Vec3 middle = line * along + side * across;
    const Vec3 rest = line * reach - middle;
    const auto onto = [&](Quat& d, const Vec3& direction) {
        d = normalized(quatBetween(rotate(d, limb.direction), direction) * d);
    };
    onto(limb.upper, middle / limb.a);
    onto(limb.lower, rest / limb.b);
}

}  // namespace

std::array<Vec3, 2> placeWrists(const HandGoals& goals, const std::array<Vec3, 2>& shoulders,
                                std::array<Vec3, 2> wrists) {
    const Vec3 middle = (shoulders[0] + shoulders[1]) / 2.0;
    for (std::size_t side = 0; side < 2; ++side)
        wrists[side] += (middle + goals.from_shoulders[side] - wrists[side]) * goals.body_share;
    const Vec3 off = goals.right_to_left - (wrists[0] - wrists[1]);
    wrists[0] += off * (0.5 * goals.pair_share);
    wrists[1] -= off * (0.5 * goals.pair_share);
    for (std::size_t side = 0; side < 2; ++side)
        wrists[side].y += (goals.height[side] - wrists[side].y) * goals.floor_share[side];
    return wrists;
}

Poser::Poser(const Skeleton& skeleton, const Pose& rest, const BodySegments& body)
    : skeleton_(skeleton), body_(body), rest_(rest), ideal_(rest) {
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
    sortSegments();
    findSolver();
}

// The trunk from the base down to the hips, then what hangs from it, arms last: where wrists are is
// known once their shoulders are.
void Poser::sortSegments() {
    const JointId hips = body_.segments.front().first;
    const auto isArm = [&](int i) {
        for (std::size_t side = 0; side < 2; ++side)
            for (const Part part : {Part::UpperArm, Part::Forearm, Part::Hand})
                if (body_.part(part, side) == i) return true;
        return false;
    };
    for (int i = 0; i < static_cast<int>(body_.segments.size()); ++i) {
        const Segment& segment = at(i);
        const bool above = segment.first == hips || skeleton_.isAncestor(segment.first, hips);
        if (segment.relative) {
            if (isBall(skeleton_.kind(segment.first))) relative_.push_back(i);
        } else {
            (above ? path_ : isArm(i) ? arms_ : others_).push_back(i);
        }
    }
    for (std::vector<int>* each : {&path_, &others_, &arms_, &relative_}) {
        std::sort(each->begin(), each->end(),
                  [&](int a, int b) { return index(at(a).first) < index(at(b).first); });
    }
    base_ = at(path_.front()).first;
    // Of bodies that are no human ones.
    std::vector<char> named(body_.segments.size(), 0);
    named[0] = 1;
    const auto mark = [&](int i) {
        if (i >= 0) named[static_cast<std::size_t>(i)] = 1;
    };
    for (const auto& side : body_.parts) std::for_each(side.begin(), side.end(), mark);
    for (const auto* chain : {&body_.spine, &body_.neck})
        std::for_each(chain->begin(), chain->end(), mark);
    for (std::size_t i = 0; i < named.size(); ++i)
        if (!named[i] && !body_.segments[i].relative) unnamed_.push_back(static_cast<int>(i));
}

// Joints that are no free balls are solved for, all together.
void Poser::findSolver() {
    std::vector<JointId> frames, locked;
    movable_.assign(body_.segments.size(), 0);
    for (const std::vector<int>* each : {&path_, &others_, &arms_}) {
        for (const int i : *each) {
            frames.push_back(at(i).frame);
            char& movable = movable_[static_cast<std::size_t>(i)];
            for (const JointId j : skeleton_.chain(at(i).first, at(i).frame)) {
                if (skeleton_.kind(j) != JointKind::Fixed && !skeleton_.joint(j).locked)
                    movable = 1;
                if (j == base_ || skeleton_.kind(j) == JointKind::Fixed) continue;
                if (!isBall(skeleton_.kind(j))) balls_ = false;
                if (isLimited(skeleton_, j)) limited_.push_back(j);
            }
        }
    }
    movable_[0] = 1;
    if (balls_ && limited_.empty()) return;
    // What carries a base that is not the root stays, and the base with it: the root goes in their
    // place, and is put back.
    if (isBall(skeleton_.kind(base_)))
        for (JointId j = base_; skeleton_.parent(j) != JointId::None; j = skeleton_.parent(j))
            locked.push_back(j);
    solver_.emplace(skeleton_, ideal_, frames, locked);
}

MotionTracks Poser::tracks() const {
    MotionTracks out;
    for (const JointId j : skeleton_.joints()) {
        const int i = body_.of[index(j)];
        const bool first = i >= 0 && at(i).first == j && skeleton_.kind(j) != JointKind::Fixed;
        const bool solved = solver_ && solver_->moves(j) && skeleton_.parent(j) != JointId::None;
        const bool own = !solver_ && first && !at(i).relative;
        const bool relative = first && at(i).relative && isBall(skeleton_.kind(j));
        if (j == base_ || solved || own || relative) out.rotated.push_back(j);
        if (j == base_ || (solved && slides(skeleton_.kind(j)))) out.translated.push_back(j);
    }
    return out;
}

// Q of a segment's frame in model space.
Quat Poser::wanted(const Segment& segment, const Quat& d) const {
    return body_.model_from_ground * d * conjugate(segment.joint_from_canonical);
}

Vec3 Poser::hipsAt(const PlannedFrame& frame) const {
    return rotate(body_.model_from_ground, frame.centre - rotate(frame.d[0], body_.centre));
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

// Rotates the first joint of a segment so that its frame has an orientation; the joints between
// stay as they are at rest.
void Poser::rotateSegment(int i, const PlannedFrame& frame, Pose& out) {
    const Segment& segment = at(i);
    placeAbove(segment.first, out);
    const JointId parent = skeleton_.parent(segment.first);
    const Quat above = parent == JointId::None ? Quat{} : orientations_[index(parent)];
    out[segment.first].rotation =
        normalized(conjugate(above) * wanted(segment, frame.d[static_cast<std::size_t>(i)]) *
                   frame_from_first_[static_cast<std::size_t>(i)]);
    for (const JointId j : skeleton_.chain(segment.first, segment.frame)) place(j, out);
}

// Moves the base so that the hips are somewhere.
void Poser::moveBase(const Vec3& hips, Pose& out) {
    const Vec3 by = hips - positions_[index(at(path_.back()).first)];
    const JointId parent = skeleton_.parent(base_);
    if (parent == JointId::None) {
        out[base_].translation += by;
    } else {
        const std::size_t p = index(parent);
        out[base_].translation += rotate(conjugate(orientations_[p]), by) / scales_[p];
    }
    for (const int i : path_)
        for (const JointId j : skeleton_.chain(at(i).first, at(i).frame))
            positions_[index(j)] += by;
}

void Poser::pose(const PlannedFrame& frame, Pose& out) {
    for (std::size_t side = 0; side < 2; ++side) bendLeg(side, frame);
    follow(frame, ideal_);
    if (!solver_ || (balls_ && isInside(ideal_))) {
        out = ideal_;
    } else {
        solve(frame, out);
    }
    for (const int i : relative_) followRelative(i, frame, out);
}

// Every segment has what is asked of it, as if all joints were balls without limits.
void Poser::follow(const PlannedFrame& frame, Pose& out) {
    std::fill(placed_.begin(), placed_.end(), 0);
    for (const int i : path_) rotateSegment(i, frame, out);
    moveBase(hipsAt(frame), out);
    for (const int i : others_) rotateSegment(i, frame, out);
    wrist_shares_ = {};
    if (frame.hands != nullptr) bendArms(frame, out);
    for (const int i : arms_) rotateSegment(i, frame, out);
}

// Bends a leg so that its ankle is where it should be.
void Poser::bendLeg(std::size_t side, const PlannedFrame& frame) const {
    const FootGoal* goal = frame.feet[side];
    if (goal == nullptr) return;
    const auto d = [&](Part part) -> Quat& {
        return frame.d[static_cast<std::size_t>(body_.part(part, side))];
    };
    d(Part::Foot) = goal->rotation;
    if (body_.feet[side].toes) d(Part::Toes) = goal->toes;
    if (!goal->changed) return;
    const Vec3 hip = frame.centre + rotate(frame.d[0], body_.hip[side] - body_.centre);
    bend({d(Part::Thigh), d(Part::Shin), Vec3{0, -1, 0}, Vec3{0, 0, 1}, body_.thigh[side],
          body_.shin[side]},
         goal->ankle - hip);
}

// Bends both arms so that their wrists are where they should be.
void Poser::bendArms(const PlannedFrame& frame, const Pose& pose) {
    const HandGoals& goals = *frame.hands;
    for (std::size_t side = 0; side < 2; ++side) wrist_shares_[side] = goals.share(side);
    if (!(wrist_shares_[0] > 0.0 || wrist_shares_[1] > 0.0)) return;
    const Quat ground_from_model = conjugate(body_.model_from_ground);
    std::array<Vec3, 2> shoulder, wrist;
    for (std::size_t side = 0; side < 2; ++side) {
        if (!body_.hasArm(side)) continue;
        const auto upper = static_cast<std::size_t>(body_.part(Part::UpperArm, side));
        const auto fore = static_cast<std::size_t>(body_.part(Part::Forearm, side));
        placeAbove(body_.segments[upper].first, pose);
        place(body_.segments[upper].first, pose);
        shoulder[side] = rotate(ground_from_model, positions_[index(body_.segments[upper].first)]);
        wrist[side] =
            shoulder[side] +
            rotate(frame.d[upper], body_.segments[upper].direction) * body_.upper_arm[side] +
            rotate(frame.d[fore], body_.segments[fore].direction) * body_.forearm[side];
    }
    const std::array<Vec3, 2> to = placeWrists(goals, shoulder, wrist);
    for (std::size_t side = 0; side < 2; ++side) {
        if (!body_.hasArm(side) || to[side] == wrist[side]) continue;
        const auto upper = static_cast<std::size_t>(body_.part(Part::UpperArm, side));
        const auto fore = static_cast<std::size_t>(body_.part(Part::Forearm, side));
        bend({frame.d[upper], frame.d[fore], body_.segments[upper].direction, Vec3{0, 0, -1},
              body_.upper_arm[side], body_.forearm[side]},
             to[side] - shoulder[side]);
        wrists_[side] = rotate(body_.model_from_ground, to[side]);
    }
}

bool Poser::isInside(const Pose& pose) {
    angles_.resize(skeleton_.dofCount());
    for (const JointId j : limited_) {
        const std::span<double> own = jointDofs(skeleton_, j, std::span(angles_));
        computeJointDofs(skeleton_, j, pose[j], own);
        turnIntoLimits(skeleton_, j, own);
        if (clampJointToLimits(skeleton_, j, angles_)) return false;
    }
    return true;
}

// The root such that the hips come to where they should be, with the joints between as they are.
Trs Poser::rootFor(const PlannedFrame& frame, const Pose& pose) const {
    const Segment& pelvis = body_.segments.front();
    JointId j = pelvis.frame;
    Quat rotation;
    Vec3 position;
    for (; skeleton_.parent(j) != JointId::None; j = skeleton_.parent(j)) {
        const Trs& t = pose[j];
        position = t.translation + rotate(t.rotation, position) * t.scale.x;
        rotation = t.rotation * rotation;
    }
    Trs out = pose[j];
    out.rotation = normalized(wanted(pelvis, frame.d[0]) * conjugate(rotation));
    out.translation = hipsAt(frame) - rotate(out.rotation, position) * out.scale.x;
    return out;
}

void Poser::solve(const PlannedFrame& frame, Pose& out) {
    const bool carried = skeleton_.parent(base_) != JointId::None;
    const auto placeRoot = [&](const Pose& from) {
        solver_->placeRoot(rootFor(frame, carried ? rest_ : from));
    };
    addTargets(frame);
    if (balls_) {
        // Balls tell by themselves where to begin.
        solver_->begin(ideal_);
        placeRoot(ideal_);
        solver_->solve(orientation_targets_, position_targets_);
    } else if (frame.fresh) {
        solver_->begin(rest_);
        placeRoot(rest_);
        solver_->solveAfresh(orientation_targets_, position_targets_);
    } else {
        placeRoot(out);
        solver_->solve(orientation_targets_, position_targets_, frame.largest_move);
    }
    solver_->store(out);
    if (carried) putRootBack(out);
    for (const JointId j : skeleton_.joints()) place(j, out);
}

// What moved as the root belongs to the base.
void Poser::putRootBack(Pose& out) {
    const JointId root = solver_->joints().front();
    const auto placed = [&] {
        std::fill(placed_.begin(), placed_.end(), 0);
        placeAbove(base_, out);
    };
    out[base_] = rest_[base_];
    placed();
    place(base_, out);
    const Quat rotation = orientations_[index(base_)];
    const Vec3 position = positions_[index(base_)];
    out[root] = rest_[root];
    placed();
    const std::size_t p = index(skeleton_.parent(base_));
    const Quat back = conjugate(orientations_[p]);
    out[base_].rotation = normalized(back * rotation);
    out[base_].translation = rotate(back, position - positions_[p]) / scales_[p];
}

void Poser::addOrientation(int i, const PlannedFrame& frame, const Vec3& axis, double axis_weight,
                           double twist_weight) {
    if (i < 0 || !movable_[static_cast<std::size_t>(i)]) return;
    const Segment& segment = at(i);
    orientation_targets_.push_back(
        {.joint = segment.frame,
         .orientation = wanted(segment, frame.d[static_cast<std::size_t>(i)]),
         .axis = rotate(segment.joint_from_canonical, axis),
         .axis_weight = axis_weight,
         .twist_weight = twist_weight});
}

void Poser::addPosition(JointId joint, const Vec3& point, const Vec3& target, double weight) {
    const double size = body_.size();
    position_targets_.push_back(
        {.joint = joint, .point = point, .target = target, .weight = weight / (size * size)});
}

void Poser::addTargets(const PlannedFrame& frame) {
    orientation_targets_.clear();
    position_targets_.clear();
    addTrunk(frame);
    for (std::size_t side = 0; side < 2; ++side) addLimbs(side, frame);
    for (const int i : unnamed_) {
        const bool points = length(at(i).direction) > 0.0;
        addOrientation(i, frame, points ? at(i).direction : Vec3{0, 1, 0}, 1.0,
                       points ? kTwist : 1.0);
    }
}

void Poser::addTrunk(const PlannedFrame& frame) {
    const Vec3 up{0, 1, 0};
    const Segment& pelvis = body_.segments.front();
    addOrientation(0, frame, up, kPelvis, kPelvis);
    addPosition(pelvis.frame, rotate(pelvis.joint_from_canonical, body_.centre),
                rotate(body_.model_from_ground, frame.centre), kCentre);
    // Of a chain only the end counts; what is between shares the way.
    for (const std::vector<int>* chain : {&body_.spine, &body_.neck}) {
        for (const int i : *chain) {
            const double weight = i == chain->back() ? 1.0 : kBetween;
            addOrientation(i, frame, up, weight, weight);
        }
    }
}

void Poser::addLimbs(std::size_t side, const PlannedFrame& frame) {
    addOrientation(body_.part(Part::Collar, side), frame, Vec3{0, 1, 0}, kHand, kHand);
    for (const Part part : {Part::UpperArm, Part::Forearm, Part::Thigh, Part::Shin}) {
        const int i = body_.part(part, side);
        if (i >= 0) addOrientation(i, frame, at(i).direction, 1.0, kTwist);
    }
    const int hand = body_.part(Part::Hand, side), foot = body_.part(Part::Foot, side);
    if (hand >= 0) {
        addOrientation(hand, frame, at(hand).direction, kHand, kHandTwist);
        if (wrist_shares_[side] > 0.0)
            addPosition(at(hand).first, {}, wrists_[side], kWrist * wrist_shares_[side]);
    }
    const FootGoal* goal = frame.feet[side];
    const double standing = goal != nullptr ? goal->hold : 0.0;
    const double weight = kFoot + (kStandingFoot - kFoot) * standing;
    addOrientation(foot, frame, Vec3{0, 0, 1}, weight, weight);
    if (goal == nullptr) return;
    // The points that stand, and not the ankle above them, which need not get the rotation that the
    // plan has.
    const FootPoints& points = body_.feet[side];
    const auto hold = [&](const Vec3& point, double share) {
        addPosition(at(foot).frame, rotate(at(foot).joint_from_canonical, points.ankle + point),
                    rotate(body_.model_from_ground, goal->ankle + rotate(goal->rotation, point)),
                    0.5 * kFreeFoot * std::pow(kHeldFoot / kFreeFoot, share));
    };
    hold(points.heel, goal->heel);
    hold(points.ball, goal->ball);
}

// Fingers and toes are rotated from what their parent is, not from what it should be.
void Poser::followRelative(int i, const PlannedFrame& frame, Pose& out) {
    const Segment& segment = at(i);
    placeAbove(segment.first, out);
    const auto parent = static_cast<std::size_t>(segment.parent);
    const Segment& above = body_.segments[parent];
    const Quat really = conjugate(body_.model_from_ground) * orientations_[index(above.frame)] *
                        above.joint_from_canonical;
    const Quat d = really * conjugate(frame.d[parent]) * frame.d[static_cast<std::size_t>(i)];
    out[segment.first].rotation = normalized(
        conjugate(orientations_[index(skeleton_.parent(segment.first))]) * wanted(segment, d));
    place(segment.first, out);
}

}  // namespace ulna::retarget::detail
