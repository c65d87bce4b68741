// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goal_span.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "ulna/core/number_text.h"
#include "ulna/ik/detail/overloaded.h"

namespace ulna {
namespace {

using ik::detail::Overloaded;

constexpr double kUsualEase = 0.25;  // seconds

BodyFrame frameOf(const ModelPose& source, JointId joint) {
    const Affine& at = source[joint];
    return {toMatrix(rotationOf(at)), at.translation(), length(at.column(0))};
}

Vec3 pointAt(const ModelPose& source, JointId joint, const Vec3& point) {
    return source[joint] * point;
}

// A unit vector on the way from one to another; opposite ones go by some way round.
Vec3 between(const Vec3& from, const Vec3& to, double share) {
    return rotate(slerp(Quat{}, quatBetween(from, to), share), from);
}

// A point around an origin, by direction and distance.
Vec3 around(const Vec3& origin, const Vec3& from, const Vec3& to, double share) {
    const double a = distance(origin, from), b = distance(origin, to);
    if (!(a > 0.0 && b > 0.0)) return lerp(from, to, share);
    return origin + between((from - origin) / a, (to - origin) / b, share) * (a + (b - a) * share);
}

// Where a limb bends now: from the line between its ends to its middle.
struct TargetBend {
    Vec3 foot = {};       // the point of the line that is nearest to the middle
    Vec3 direction = {};  // a unit vector; zero where the limb is straight
};
TargetBend bendOf(const ModelPose& source, const PoleGoal& goal) {
    const Vec3 start = source.position(goal.start), mid = source.position(goal.mid);
    const Vec3 line = source.position(goal.end) - start;
    const double squared = dot(line, line);
    TargetBend out;
    if (!(squared > 0.0)) return out;
    out.foot = start + line * (dot(mid - start, line) / squared);
    // Less is rounding.
    constexpr double kStraight = 1e-9;
    const Vec3 off = mid - out.foot;
    if (length(off) > kStraight * std::sqrt(squared)) out.direction = off / length(off);
    return out;
}

// A pole on its way from one position to another: about the line between the ends of the limb,
// since in between it must not come near that line.
Vec3 turnedPole(const ModelPose& source, const PoleGoal& goal, const Vec3& from, const Vec3& to,
                double share) {
    const Vec3 start = source.position(goal.start);
    const Vec3 axis = normalizedOr(source.position(goal.end) - start, Vec3{});
    const auto across = [&](const Vec3& pole) {
        return pole - start - axis * dot(pole - start, axis);
    };
    const Vec3 a = across(from), b = across(to);
    if (axis == Vec3{} || !(length(a) > 0.0 && length(b) > 0.0)) return lerp(from, to, share);
    const double angle = std::atan2(dot(cross(a, b), axis), dot(a, b));
    const double radius = length(a) + (length(b) - length(a)) * share;
    const double along = dot(lerp(from, to, share) - start, axis);
    return start + axis * along +
           rotate(quatFromAxisAngle(axis, share * angle), a / length(a)) * radius;
}

double heightOf(const ModelPose& source, const PlaneGoal& goal) {
    return dot(goal.normal, pointAt(source, goal.joint, goal.point));
}

double apart(const ModelPose& source, const DistanceGoal& goal) {
    return distance(pointAt(source, goal.joint_a, goal.point_a),
                    pointAt(source, goal.joint_b, goal.point_b));
}

// How far two capsules are short of their margin.
double tooNear(const ModelPose& source, const KeepApartGoal& goal) {
    std::vector<BodyFrame> frames(source.model_from_joint.size());
    for (const JointId j : {goal.a.joint, goal.b.joint}) frames[index(j)] = frameOf(source, j);
    return goalError(goal, frames, false);
}

std::string textOf(const GoalSpan& span) {
    return shortNumber(span.first) + " to " + shortNumber(span.last) +
           (span.frames ? " frames" : " s");
}

}  // namespace

double usualEase(const GoalSpan& span, double frame_time) {
    const double most = span.frames ? kUsualEase / frame_time : kUsualEase;
    return std::min(most, (span.last - span.first) / 4.0);
}

Status checkSpan(const GoalSpan& span) {
    const double ease = span.ease.value_or(0.0);
    if (!std::isfinite(span.first) || !std::isfinite(span.last) || !std::isfinite(ease))
        return Diagnostic{.what = "the range of a goal is not finite"};
    if (span.last < span.first)
        return Diagnostic{.what = "the range from " + textOf(span) + " ends before it begins",
                          .advice = "write the earlier end first"};
    if (ease < 0.0) return Diagnostic{.what = "the ease of a range cannot be negative"};
    if (ease > (span.last - span.first) / 2.0 * (1.0 + 1e-12))
        return Diagnostic{.what = "an ease of " + shortNumber(ease) +
                                  " is longer than half of the range from " + textOf(span),
                          .advice = "easing in and easing out need the range between them"};
    return Done{};
}

Status checkSpan(const GoalSpan& span, std::size_t frames, double frame_time) {
    if (Status status = checkSpan(span); !status) return status;
    const double unit = span.frames ? 1.0 : frame_time;
    const double end = frames > 0 ? static_cast<double>(frames - 1) * unit : 0.0;
    if (frames > 0 && span.first >= -0.5 * unit && span.last <= end + 0.5 * unit) return Done{};
    return Diagnostic{
        .what = "the range from " + textOf(span) + " is not inside the clip",
        .advice = "the clip is from " + textOf({.first = 0.0, .last = end, .frames = span.frames})};
}

double shareAt(const GoalSpan& span, std::size_t frame, double frame_time) {
    const double unit = span.frames ? 1.0 : frame_time;
    const double at = static_cast<double>(frame) * unit;
    // Ends that fall on a frame are that frame's, whatever the rounding of its time.
    constexpr double kOnFrame = 1e-6;
    if (at < span.first - kOnFrame * unit || at > span.last + kOnFrame * unit) return 0.0;
    const double ease = span.ease.value_or(usualEase(span, frame_time));
    if (!(ease > 0.0)) return 1.0;
    const double u = std::clamp(std::min(at - span.first, span.last - at) / ease, 0.0, 1.0);
    if (u <= kOnFrame || u >= 1.0 - kOnFrame) return std::round(u);
    return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

bool canEase(const GoalKind& kind) {
    return !std::holds_alternative<PostureGoal>(kind) &&
           !std::holds_alternative<BalanceGoal>(kind) && !std::holds_alternative<CustomGoal>(kind);
}

GoalKind metBy(const ModelPose& source, GoalKind kind) {
    if (canPin(kind)) {
        pinTo(source, {}, kind);
        return kind;
    }
    std::visit(
        Overloaded{[&](AimGoal& goal) {
                       const Vec3 eye = pointAt(source, goal.joint, goal.eye);
                       goal.target = eye + rotate(rotationOf(source[goal.joint]), goal.axis) *
                                               distance(eye, goal.target);
                   },
                   [&](PoleGoal& goal) {
                       const TargetBend bend = bendOf(source, goal);
                       if (bend.direction == Vec3{}) return;
                       goal.pole = bend.foot + bend.direction * distance(bend.foot, goal.pole);
                   },
                   [&](PlaneGoal& goal) {
                       const double own = heightOf(source, goal);
                       goal.offset = goal.side == PlaneSide::On ? own : std::min(own, goal.offset);
                   },
                   [&](DistanceGoal& goal) {
                       const double own = apart(source, goal);
                       if (goal.bound == DistanceBound::AtLeast)
                           goal.distance = std::min(own, goal.distance);
                       else if (goal.bound == DistanceBound::AtMost)
                           goal.distance = std::max(own, goal.distance);
                       else
                           goal.distance = own;
                   },
                   [&](KeepApartGoal& goal) { goal.margin -= tooNear(source, goal); },
                   [](auto&) {}},
        kind);
    return kind;
}

GoalKind eased(const ModelPose& source, const GoalKind& from, const GoalKind& to, double share) {
    GoalKind out = to;
    const auto number = [&](double a, double b) { return a + (b - a) * share; };
    std::visit(
        Overloaded{
            [&](PositionGoal& goal) {
                goal.target = lerp(std::get<PositionGoal>(from).target, goal.target, share);
            },
            [&](RelativePositionGoal& goal) {
                goal.target = lerp(std::get<RelativePositionGoal>(from).target, goal.target, share);
            },
            [&](OrientationGoal& goal) {
                goal.target = slerp(std::get<OrientationGoal>(from).target, goal.target, share);
            },
            [&](RelativeOrientationGoal& goal) {
                goal.target =
                    slerp(std::get<RelativeOrientationGoal>(from).target, goal.target, share);
            },
            [&](AimGoal& goal) {
                goal.target = around(pointAt(source, goal.joint, goal.eye),
                                     std::get<AimGoal>(from).target, goal.target, share);
            },
            [&](PoleGoal& goal) {
                goal.pole =
                    turnedPole(source, goal, std::get<PoleGoal>(from).pole, goal.pole, share);
            },
            [&](PlaneGoal& goal) {
                goal.offset = number(std::get<PlaneGoal>(from).offset, goal.offset);
            },
            [&](DistanceGoal& goal) {
                goal.distance = number(std::get<DistanceGoal>(from).distance, goal.distance);
            },
            [&](KeepApartGoal& goal) {
                goal.margin = number(std::get<KeepApartGoal>(from).margin, goal.margin);
            },
            [](auto&) {}},
        out);
    return out;
}

}  // namespace ulna
