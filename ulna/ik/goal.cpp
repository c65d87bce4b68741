// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goal.h"

#include <cmath>

namespace ulna {
namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

// Squares of what is farther away would overflow.
bool isPlace(const Vec3& v) {
    constexpr double kFarthest = 1e75;
    return std::abs(v.x) <= kFarthest && std::abs(v.y) <= kFarthest && std::abs(v.z) <= kFarthest;
}

bool isDirection(const Vec3& v) {
    return isFinite(v) && std::abs(length(v) - 1.0) < 1e-6;
}

bool isRotation(const Quat& q) {
    return std::abs(std::sqrt(dot(q, q)) - 1.0) < 1e-6;
}

// What is wrong with the numbers of a wish, or empty.
std::string_view wrongWith(const Skeleton& skeleton, const GoalKind& wish) {
    return std::visit(
        Overloaded{[](const PositionGoal& g) -> std::string_view {
                       return isPlace(g.point) && isPlace(g.target)
                                  ? ""
                                  : "a number is not finite, or too far away";
                   },
                   [](const OrientationGoal& g) -> std::string_view {
                       return isRotation(g.target) ? "" : "the target is no unit quaternion";
                   },
                   [](const AimGoal& g) -> std::string_view {
                       if (!isDirection(g.axis)) return "the axis is no unit vector";
                       return isPlace(g.eye) && isPlace(g.target)
                                  ? ""
                                  : "a number is not finite, or too far away";
                   },
                   [&](const PoleGoal& g) -> std::string_view {
                       if (!isPlace(g.pole)) return "a number is not finite, or too far away";
                       return skeleton.isAncestor(g.start, g.mid) &&
                                      skeleton.isAncestor(g.mid, g.end)
                                  ? ""
                                  : "start, mid and end are not above one another";
                   },
                   [](const PlaneGoal& g) -> std::string_view {
                       if (!isDirection(g.normal)) return "the normal is no unit vector";
                       return isPlace(g.point) && std::isfinite(g.offset)
                                  ? ""
                                  : "a number is not finite, or too far away";
                   },
                   [](const DistanceGoal& g) -> std::string_view {
                       if (g.joint_a == g.joint_b) return "both points are fixed to one joint";
                       if (!(g.distance >= 0.0)) return "the distance is not zero or more";
                       return isPlace(g.point_a) && isPlace(g.point_b) && std::isfinite(g.distance)
                                  ? ""
                                  : "a number is not finite, or too far away";
                   },
                   [&](const PostureGoal& g) -> std::string_view {
                       if (!g.rest.empty() && g.rest.size() != skeleton.dofCount())
                           return "the rest pose needs one number per degree of freedom";
                       for (const double x : g.rest) {
                           if (!std::isfinite(x)) return "a number is not finite, or too far away";
                       }
                       for (const JointId j : g.joints) {
                           if (index(j) >= skeleton.jointCount()) return "a joint does not exist";
                       }
                       return "";
                   }},
        wish);
}

}  // namespace

std::string_view goalKindName(const GoalKind& wish) {
    constexpr std::string_view kNames[] = {"position", "orientation", "aim",    "pole",
                                           "plane",    "distance",    "posture"};
    return kNames[wish.index()];
}

GoalBodies bodiesOf(const GoalKind& wish) {
    return std::visit(Overloaded{[](const auto& g) { return bodiesOf(g); },
                                 [](const PostureGoal&) { return GoalBodies{}; }},
                      wish);
}

bool errorIsAngle(const GoalKind& wish) {
    return std::holds_alternative<OrientationGoal>(wish) || std::holds_alternative<AimGoal>(wish) ||
           std::holds_alternative<PostureGoal>(wish);
}

void evaluate(const GoalKind& wish, std::span<const BodyFrame> bodies, bool planar,
              GoalRows& rows) {
    std::visit(Overloaded{[&](const auto& g) { evaluate(g, bodies, planar, rows); },
                          [&](const PostureGoal&) { rows = {}; }},
               wish);
}

bool isSound(const Skeleton& skeleton, const GoalKind& wish) {
    return wrongWith(skeleton, wish).empty();
}

Status checkGoal(const Skeleton& skeleton, const IkGoal& goal) {
    const std::string kind(goalKindName(goal.kind));
    const GoalBodies bodies = bodiesOf(goal.kind);
    std::string of;
    for (std::size_t i = 0; i < bodies.count; ++i) {
        if (index(bodies.joint[i]) >= skeleton.jointCount())
            return Diagnostic{"a " + kind + " goal has a joint that does not exist", {}, {}, {}};
        of += (i == 0 ? " of '" : "', '") + skeleton.name(bodies.joint[i]);
    }
    if (!of.empty()) of += "'";
    const auto error = [&](std::string_view what) {
        return Diagnostic{"the " + kind + " goal" + of + ": " + std::string(what), {}, {}, {}};
    };
    if (!(goal.weight >= 0.0) || !std::isfinite(goal.weight))
        return error("the weight is not zero or more");
    if (goal.level != 1 && goal.level != 2) return error("the level is neither 1 nor 2");
    if (const std::string_view wrong = wrongWith(skeleton, goal.kind); !wrong.empty())
        return error(wrong);
    return Done{};
}

GoalKind toAnatomical(const AnatomicalRig& rig, GoalKind kind) {
    const auto axes = [&](JointId j) { return rig.joint_from_anatomical[index(j)]; };
    const auto restate = [&](JointId j, Vec3& v) { v = rotate(conjugate(axes(j)), v); };
    if (auto* position = std::get_if<PositionGoal>(&kind))
        restate(position->joint, position->point);
    if (auto* plane = std::get_if<PlaneGoal>(&kind)) restate(plane->joint, plane->point);
    if (auto* aim = std::get_if<AimGoal>(&kind)) {
        restate(aim->joint, aim->axis);
        restate(aim->joint, aim->eye);
    }
    if (auto* distance = std::get_if<DistanceGoal>(&kind)) {
        restate(distance->joint_a, distance->point_a);
        restate(distance->joint_b, distance->point_b);
    }
    if (auto* orientation = std::get_if<OrientationGoal>(&kind))
        orientation->target = orientation->target * axes(orientation->joint);
    return kind;
}

}  // namespace ulna
