// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/segments.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "ulna/ik/body_shape.h"
#include "ulna/math/dense.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::retarget::detail {
namespace {

constexpr Vec3 kLeft{1, 0, 0}, kDown{0, -1, 0}, kForward{0, 0, 1};
// Of feet without toes, in leg lengths: where the ball is before the ankle, how high the ankle is
// above the sole, how far the heel is behind it.
constexpr double kBall = 0.14, kAnkleHeight = 0.08, kHeel = 0.06, kToes = 0.07;

// The axis of the file that is nearest to a direction, where one is within this cosine of it.
Vec3 snapped(const Vec3& direction, double cosine) {
    Vec3 out = direction;
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const double along = dot(axis, direction);
        if (std::abs(along) >= cosine) out = along > 0.0 ? axis : -axis;
    }
    return out;
}

Quat facing(const Vec3& up, const Vec3& forward) {
    const Vec3 z = normalizedOr(forward - up * dot(up, forward), forward);
    return quatFromMatrix(Mat3::fromColumns(cross(up, z), up, z));
}

// The nearest segment above a joint.
int segmentAbove(const Skeleton& skeleton, JointId joint, const std::vector<int>& of) {
    JointId up = skeleton.parent(joint);
    while (up != JointId::None && of[index(up)] < 0) up = skeleton.parent(up);
    return up == JointId::None ? -1 : of[index(up)];
}

class Maker {
  public:
    Maker(const Skeleton& skeleton, const Pose& rest, const HumanBody& body)
        : skeleton_(skeleton),
          body_(body),
          model_(computeModelPose(skeleton, rest)),
          orientations_(computeOrientations(skeleton, rest)) {
        out_.of.assign(skeleton.jointCount(), -1);
        constexpr double kUpright = 0.906, kAhead = 0.94;  // within 25 and 20 degrees
        const Mat3& axes = body.model_from_body;
        const Vec3 up = snapped(axes * Vec3{0, 1, 0}, kUpright);
        out_.model_from_body = facing(up, axes * kForward);
        out_.model_from_ground =
            facing(up, snapped(rotate(out_.model_from_body, kForward), kAhead));
        for (auto& side : out_.parts) side.fill(-1);
        // Toes that cannot bend are the tip of a stiff foot: robots mark it so.
        for (HumanSide* side : {&body_.left, &body_.right})
            if (side->toes != JointId::None && skeleton.kind(side->toes) == JointKind::Fixed)
                side->toes = JointId::None;
    }

    [[nodiscard]] BodySegments make(const std::array<std::vector<Vec3>, 2>& soles) && {
        addTrunk();
        for (std::size_t side = 0; side < 2; ++side) addSide(side);
        measure();
        for (std::size_t side = 0; side < 2; ++side) placeFoot(side, soles[side]);
        return std::move(out_);
    }

  private:
    [[nodiscard]] const HumanSide& of(std::size_t side) const {
        return side == 0 ? body_.left : body_.right;
    }
    [[nodiscard]] Vec3 inBody(const Vec3& model) const {
        return rotate(conjugate(out_.model_from_body), model);
    }
    // In body axes: where a joint is; of the hinges of one articulation, where they meet.
    [[nodiscard]] Vec3 at(JointId joint) const {
        const auto met = meeting_points_.find(joint);
        return inBody(met == meeting_points_.end() ? model_.position(joint) : met->second);
    }

    // The point nearest to the axes of an articulation's hinges, which may pass each other by
    // centimetres. What they leave open is nearest to the line between two other joints: where a
    // single hinge has its origin along its axis means nothing. Or else nearest to the first
    // origin.
    void findMeetingPoint(JointId first, JointId next, JointId frame,
                          JointId before = JointId::None) {
        constexpr double kLine = 1e-3, kOpen = 1e-6;
        if (first == JointId::None) return;
        const bool leads = next != JointId::None && skeleton_.isAncestor(first, next);
        if (leads) frame = skeleton_.parent(next);
        if (frame != first && (frame == JointId::None || !skeleton_.isAncestor(first, frame)))
            return;
        const Vec3 origin = model_.position(first);
        std::array<double, 9> matrix = {};
        std::array<double, 3> offset = {};
        const auto addLine = [&](const Vec3& along, const Vec3& through, double weight) {
            for (std::size_t r = 0; r < 3; ++r) {
                offset[r] += weight * through[r];
                for (std::size_t c = 0; c < 3; ++c)
                    matrix[3 * r + c] += weight * ((r == c ? 1.0 : 0.0) - along[r] * along[c]);
            }
        };
        for (const JointId j : skeleton_.chain(first, frame)) {
            if (skeleton_.kind(j) != JointKind::Hinge) continue;
            const Vec3 axis = rotate(orientations_[index(j)], skeleton_.joint(j).axes[0]);
            const Vec3 off = model_.position(j) - origin;
            const Vec3 across = off - axis * dot(axis, off);
            addLine(axis, across, 1.0);
        }
        if (matrix == std::array<double, 9>{}) return;
        if (leads && before != JointId::None) {
            const auto centre = [&](JointId j) {
                const auto met = meeting_points_.find(j);
                return (met == meeting_points_.end() ? model_.position(j) : met->second) - origin;
            };
            const Vec3 line = normalizedOr(centre(next) - centre(before), Vec3{});
            addLine(line, centre(before) - line * dot(line, centre(before)), kLine);
        }
        (void)solveFixed<3>(matrix, kOpen, offset);
        meeting_points_[first] = origin + Vec3{offset[0], offset[1], offset[2]};
    }

    int add(JointId first, JointId frame, const Vec3& direction, const Quat& c,
            bool relative = false) {
        if (frame == JointId::None || (frame != first && !skeleton_.isAncestor(first, frame)))
            frame = first;
        const int number = static_cast<int>(out_.segments.size());
        out_.segments.push_back(
            {.first = first,
             .frame = frame,
             .parent = segmentAbove(skeleton_, first, out_.of),
             .joint_from_canonical =
                 normalized(conjugate(orientations_[index(frame)]) * out_.model_from_body * c),
             .body_from_canonical = c,
             .direction = direction,
             .relative = relative});
        for (const JointId j : skeleton_.chain(first, frame)) out_.of[index(j)] = number;
        return number;
    }

    void addTrunk() {
        out_.parts[0][0] = out_.parts[1][0] = add(body_.hips, body_.hips, {}, {});
        for (const JointId j : body_.spine) out_.spine.push_back(add(j, j, {}, {}));
        // Of a tree that begins at the chest the spine leads down to the hips.
        if (body_.chest != JointId::None && skeleton_.isAncestor(body_.chest, body_.hips))
            std::reverse(out_.spine.begin(), out_.spine.end());
        for (const JointId j : body_.neck) out_.neck.push_back(add(j, j, {}, {}));
        if (body_.head != JointId::None) out_.neck.push_back(add(body_.head, body_.head, {}, {}));
        for (std::size_t side = 0; side < 2; ++side) {
            const auto set = [&](Part part, const std::vector<int>& chain) {
                if (!chain.empty()) out_.parts[side][static_cast<std::size_t>(part)] = chain.back();
            };
            set(Part::Chest, out_.spine);
            set(Part::Head, out_.neck);
        }
    }

    // A limb's segment from one articulation to the next, which may be missing.
    void addLimb(std::size_t side, Part part, JointId first, JointId next, JointId frame,
                 Vec3 direction, bool relative = false) {
        if (first == JointId::None) return;
        const bool leads = next != JointId::None && skeleton_.isAncestor(first, next);
        if (leads) frame = skeleton_.parent(next);
        if (side == 1) direction.x = -direction.x;
        Quat c;
        if (length(direction) > 0.0) {
            const JointId end = leads ? next : farthestBelow(skeleton_, model_, first);
            const Vec3 tip =
                end == JointId::None ? inBody(model_[frame] * skeleton_.tip(frame)) : at(end);
            const Vec3 bone = normalizedOr(tip - at(first), direction);
            const int upper = above(part, side);
            if (upper < 0) {
                c = straightened(direction, bone);
            } else {
                // Elbows and knees that are bent at rest are hinges: straightened, they do not
                // twist.
                const Quat& own =
                    out_.segments[static_cast<std::size_t>(upper)].body_from_canonical;
                c = normalized(quatBetween(rotate(own, direction), bone) * own);
            }
        }
        out_.parts[side][static_cast<std::size_t>(part)] =
            add(first, frame, direction, c, relative);
    }

    // The segment of the same limb that a segment bends against.
    [[nodiscard]] int above(Part part, std::size_t side) const {
        switch (part) {
            case Part::Forearm:
                return out_.part(Part::UpperArm, side);
            case Part::Hand:
                return out_.part(Part::Forearm, side);
            case Part::Shin:
                return out_.part(Part::Thigh, side);
            default:
                return -1;
        }
    }

    void addSide(std::size_t side) {
        const HumanSide& s = of(side);
        findMeetingPoint(s.shoulder, s.elbow, s.shoulder);
        findMeetingPoint(s.wrist, JointId::None, s.hand);
        findMeetingPoint(s.elbow, s.wrist, s.elbow, s.shoulder);
        findMeetingPoint(s.hip, s.knee, s.hip);
        findMeetingPoint(s.ankle, JointId::None, s.foot);
        findMeetingPoint(s.knee, s.ankle, s.knee, s.hip);
        addLimb(side, Part::Collar, s.collarbone, s.shoulder, s.collarbone, {});
        addLimb(side, Part::UpperArm, s.shoulder, s.elbow, s.shoulder, kLeft);
        addLimb(side, Part::Forearm, s.elbow, s.wrist, s.elbow, kLeft);
        addLimb(side, Part::Hand, s.wrist, JointId::None, s.hand, kLeft);
        addLimb(side, Part::Thigh, s.hip, s.knee, s.hip, kDown);
        addLimb(side, Part::Shin, s.knee, s.ankle, s.knee, kDown);
        addLimb(side, Part::Foot, s.ankle, JointId::None, s.foot, {});
        addLimb(side, Part::Toes, s.toes, JointId::None, s.toes, {}, true);
        turnFoot(side);
        const Vec3 direction = side == 0 ? kLeft : -kLeft;
        for (std::size_t f = 0; f < 5; ++f) {
            const std::vector<JointId>& finger = s.fingers[f];
            for (std::size_t k = 0; k < finger.size(); ++k) {
                const Vec3 tip = k + 1 < finger.size()
                                     ? at(finger[k + 1])
                                     : inBody(model_[finger[k]] * skeleton_.tip(finger[k]));
                const Quat c =
                    straightened(direction, normalizedOr(tip - at(finger[k]), direction));
                out_.fingers[side][f].push_back(add(finger[k], finger[k], direction, c, true));
            }
        }
    }

    // A foot points forward in the T-pose, however far it is turned out in the rest pose. How steep
    // it is differs by how high ankles are, so that its slope stays: the sole is flat.
    void turnFoot(std::size_t side) {
        const HumanSide& s = of(side);
        const int foot = out_.part(Part::Foot, side);
        if (foot < 0) return;
        const JointId end =
            s.toes != JointId::None ? s.toes : farthestBelow(skeleton_, model_, s.ankle);
        if (end == JointId::None) return;
        const Vec3 bone = at(end) - at(s.ankle);
        const double flat = std::hypot(bone.x, bone.z);
        if (!(flat > 0.2 * length(bone))) return;
        const Quat c = quatFromAxisAngle(Vec3{0, 1, 0}, std::atan2(bone.x, bone.z));
        for (const int number : {foot, out_.part(Part::Toes, side)}) {
            if (number < 0) continue;
            Segment& segment = out_.segments[static_cast<std::size_t>(number)];
            segment.joint_from_canonical = normalized(segment.joint_from_canonical * c);
            segment.body_from_canonical = normalized(segment.body_from_canonical * c);
        }
    }

    void measure() {
        const auto both = [&](JointId HumanSide::*joint) {
            return body_.left.*joint != JointId::None && body_.right.*joint != JointId::None;
        };
        const auto middle = [&](JointId HumanSide::*joint) {
            return (at(body_.left.*joint) + at(body_.right.*joint)) / 2.0;
        };
        const Vec3 hips = at(body_.hips);
        if (both(&HumanSide::hip)) out_.centre = middle(&HumanSide::hip) - hips;
        double legs = 0.0, arms = 0.0;
        for (std::size_t side = 0; side < 2; ++side) {
            const HumanSide& s = of(side);
            if (out_.hasLeg(side)) {
                out_.hip[side] = at(s.hip) - hips;
                out_.thigh[side] = distance(at(s.hip), at(s.knee));
                out_.shin[side] = distance(at(s.knee), at(s.ankle));
                out_.leg += out_.thigh[side] + out_.shin[side];
                legs += 1.0;
            }
            if (s.shoulder != JointId::None && s.elbow != JointId::None &&
                s.wrist != JointId::None) {
                out_.upper_arm[side] = distance(at(s.shoulder), at(s.elbow));
                out_.forearm[side] = distance(at(s.elbow), at(s.wrist));
                out_.arm += out_.upper_arm[side] + out_.forearm[side];
                arms += 1.0;
            }
        }
        if (legs > 0.0) out_.leg /= legs;
        if (arms > 0.0) out_.arm /= arms;
        const Vec3 low = hips + out_.centre;
        if (both(&HumanSide::shoulder)) out_.trunk = distance(middle(&HumanSide::shoulder), low);
        if (out_.trunk <= 0.0 && body_.head != JointId::None)
            out_.trunk = distance(at(body_.head), low);
    }

    void placeFoot(std::size_t side, const std::vector<Vec3>& soles) {
        if (!out_.hasLeg(side)) return;
        const HumanSide& s = of(side);
        const Segment& foot = out_.segments[static_cast<std::size_t>(out_.part(Part::Foot, side))];
        const int toes = out_.part(Part::Toes, side);
        const Vec3 ankle = at(s.ankle);
        const Quat body_from_foot = conjugate(out_.model_from_body) *
                                    orientations_[index(foot.frame)] * foot.joint_from_canonical;
        const Vec3 forward = rotate(body_from_foot, kForward);
        const JointId below = farthestBelow(skeleton_, model_, s.ankle);
        Vec3 ball = ankle + forward * (kBall * out_.leg),
             heel = ankle - forward * (kHeel * out_.leg);
        Vec3 tip = ball + forward * (kToes * out_.leg);
        double floor = ankle.y - kAnkleHeight * out_.leg;
        if (s.toes != JointId::None) ball = at(s.toes);
        if (below != JointId::None && below != foot.frame && below != s.toes) tip = at(below);
        if (s.toes != JointId::None || below != JointId::None)
            floor = std::min({ankle.y, ball.y, tip.y});
        if (s.toes == JointId::None && below != JointId::None && dot(tip - ankle, forward) > 0.0)
            ball = tip;
        if (!soles.empty()) {
            floor = inBody(soles.front()).y;
            double back = dot(inBody(soles.front()), forward), front = back;
            for (const Vec3& each : soles) {
                const Vec3 point = inBody(each);
                floor = std::min(floor, point.y);
                back = std::min(back, dot(point, forward));
                front = std::max(front, dot(point, forward));
            }
            const double here = dot(ankle, forward);
            heel = ankle + forward * (back - here);
            tip = ankle + forward * (front - here);
            if (s.toes == JointId::None) ball = tip;  // a stiff sole rolls over its front edge
        }
        FootPoints& points = out_.feet[side];
        if (s.toes != JointId::None) points.lift = std::max(ball.y - floor, 0.0);
        heel.y = tip.y = floor;
        ball.y = floor + points.lift;
        out_.ankle += (ankle.y - floor) / (out_.hasLeg(1 - side) ? 2.0 : 1.0);
        const Quat back = conjugate(body_from_foot);
        points.outline =
            outlineOf(soles, ankle, forward, toes >= 0 ? dot(ball - ankle, forward) : 1e300);
        for (Vec3& point : points.outline) point = rotate(back, point);
        points.ankle = rotate(back, ankle - inBody(model_.position(foot.frame)));
        points.heel = rotate(back, heel - ankle);
        points.ball = rotate(back, ball - ankle);
        points.tip = rotate(back, tip - ankle);
        if (toes < 0) return;
        points.toes = true;
        points.tip = rotate(back, tip - at(s.toes));
    }

    // The corners of a sole from its ankle, in body axes: what is farthest in eight directions, up
    // to where the toes bend.
    [[nodiscard]] std::vector<Vec3> outlineOf(const std::vector<Vec3>& soles, const Vec3& ankle,
                                              const Vec3& forward, double toes) const {
        std::vector<Vec3> out;
        if (soles.empty()) return out;
        for (int k = 0; k < 8; ++k) {
            const double angle = kPi / 4.0 * k;
            const Vec3 to{std::sin(angle), 0.0, std::cos(angle)};
            std::optional<Vec3> best;
            for (const Vec3& each : soles) {
                const Vec3 point = inBody(each) - ankle;
                if (dot(point, forward) > toes) continue;
                if (!best || dot(point, to) > dot(*best, to)) best = point;
            }
            if (best && std::find(out.begin(), out.end(), *best) == out.end()) out.push_back(*best);
        }
        return out;
    }

    const Skeleton& skeleton_;
    HumanBody body_;
    ModelPose model_;
    std::vector<Quat> orientations_;
    std::map<JointId, Vec3> meeting_points_;  // in model space
    BodySegments out_;
};

}  // namespace

Quat straightened(const Vec3& direction, const Vec3& bone) {
    const bool leg = direction.y != 0.0;
    // The angle in the plane of left and up, then the one out of it.
    const double sign = leg ? direction.y : direction.x;
    const double along = (leg ? bone.y : bone.x) * sign;
    const double across = (leg ? -bone.x : bone.y) * sign;
    const double flat = std::hypot(along, across);
    const double raise = flat > 0.0 ? std::atan2(across, along) : 0.0;
    const double out = std::atan2(bone.z * sign, flat);
    return quatFromAxisAngle(Vec3{0, 0, 1}, raise) *
           (leg ? quatFromAxisAngle(Vec3{1, 0, 0}, out) : quatFromAxisAngle(Vec3{0, 1, 0}, -out));
}

BodySegments makeSegments(const Skeleton& skeleton, const Pose& rest, const HumanBody& body,
                          const std::array<std::vector<Vec3>, 2>& soles) {
    return Maker(skeleton, rest, body).make(soles);
}

bool canAddJoint(const Skeleton& skeleton, JointId joint, const BodySegments& body) {
    return segmentAbove(skeleton, joint, body.of) >= 0;
}

int addJoint(const Skeleton& skeleton, const Pose& rest, JointId joint, BodySegments& body) {
    const int parent = segmentAbove(skeleton, joint, body.of);
    // Where it lies in the T-pose is where the segment above lies.
    const Quat c = body.segments[static_cast<std::size_t>(parent)].body_from_canonical;
    const int number = static_cast<int>(body.segments.size());
    body.segments.push_back({.first = joint,
                             .frame = joint,
                             .parent = parent,
                             .joint_from_canonical = normalized(
                                 conjugate(computeOrientations(skeleton, rest)[index(joint)]) *
                                 body.model_from_body * c),
                             .body_from_canonical = c,
                             .relative = true});
    body.of[index(joint)] = number;
    return number;
}

void computeSegmentRotations(const BodySegments& body, std::span<const Quat> orientations,
                             std::span<Quat> d) {
    const Quat ground_from_model = conjugate(body.model_from_ground);
    for (std::size_t i = 0; i < body.segments.size(); ++i) {
        const Segment& segment = body.segments[i];
        d[i] =
            ground_from_model * orientations[index(segment.frame)] * segment.joint_from_canonical;
    }
}

}  // namespace ulna::retarget::detail
