// SPDX-License-Identifier: Apache-2.0

// The angle about the line is a dihedral angle; its gradients are those of Blondel & Karplus,
// "New formulation for derivatives of torsion angles and improper torsion angles" (1996).
#include "ulna/ik/goals/pole.h"

#include <algorithm>

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {
namespace {

// Poles within this part of the line's length from it fade out.
constexpr double kSoft = 0.1;

}  // namespace

template <>
struct GoalRules<PoleGoal> : GoalDefaults {
    static constexpr std::string_view kName = "pole";
    static constexpr std::string_view kMeasured = "position";

    static auto joints(auto& goal) { return std::array{&goal.start, &goal.mid, &goal.end}; }
    static GoalTarget target(PoleGoal& goal) { return {.point = &goal.pole}; }
    static Vec3 measure(const PoleGoal&, std::span<const BodyFrame> bodies) {
        return bodies[1].position;
    }
    static std::string_view fault(const Skeleton& skeleton, const PoleGoal& goal) {
        if (!isNearEnough(goal.pole)) return kNotFinite;
        return skeleton.isAncestor(goal.start, goal.mid) && skeleton.isAncestor(goal.mid, goal.end)
                   ? ""
                   : "start, mid and end are not above one another";
    }
    static void shift(PoleGoal& goal, const Vec3& origin) { goal.pole -= origin; }
    static void evaluate(const PoleGoal& goal, std::span<const BodyFrame> bodies, bool planar,
                         GoalRows& rows) {
        rows.count = planar ? 0 : 1;
        rows.residual = {};
        rows.wrench = {};
        rows.error = 0.0;
        if (planar) return;
        const Vec3 start = bodies[0].position;
        const Vec3 mid = bodies[1].position;
        const Vec3 end = bodies[2].position;
        const Vec3 line = end - start;
        const Vec3 bend = mid - start;
        const Vec3 pole = goal.pole - start;
        const double line2 = dot(line, line);
        const Vec3 bend_normal = cross(line, bend);
        const Vec3 pole_normal = cross(line, pole);
        const double bend2 = dot(bend_normal, bend_normal);
        const double pole2 = dot(pole_normal, pole_normal);
        // Squared areas below these are rounding: a straight limb, a pole on the line.
        constexpr double kTiny = 1e-24;
        if (!(line2 > 0.0) || !(bend2 > kTiny * line2 * (line2 + dot(bend, bend))) ||
            !(pole2 > kTiny * line2 * (line2 + dot(pole, pole)))) {
            return;
        }
        const double line_length = std::sqrt(line2);
        const double off_line = std::sqrt(bend2) / line_length;
        // Positive when the bend is counter-clockwise of the pole, seen against the line.
        const double angle = std::atan2(dot(cross(pole_normal, bend_normal), line) / line_length,
                                        dot(pole_normal, bend_normal));
        // Directions in which the angle grows as a point moves, per length.
        const Vec3 by_mid = bend_normal * (line_length / bend2);
        const Vec3 by_pole = pole_normal * (-line_length / pole2);
        const double mid_along = dot(bend, line) / line2;
        const double pole_along = dot(pole, line) / line2;
        const Vec3 by_end = -(by_mid * mid_along) - by_pole * pole_along;
        const Vec3 by_start = -by_mid - by_pole - by_end;
        const Vec3 outward = normalizedOr(bend - line * mid_along, Vec3{});
        // A pole nearly on the line means little as a direction, and counts little.
        const Vec3 pole_outward = normalizedOr(pole - line * pole_along, Vec3{});
        const double near = kSoft * line_length;
        const double x = std::min(1.0, std::sqrt(pole2) / (line_length * near));
        const double fade = x * x * (3.0 - 2.0 * x);
        const double fade_slope = 6.0 * x * (1.0 - x) / near;
        const Vec3 along = line / line_length;
        const Vec3 fade_by_end = (pole_outward * -pole_along - along * (x * kSoft)) * fade_slope;
        const Vec3 fade_by_start =
            (pole_outward * (pole_along - 1.0) + along * (x * kSoft)) * fade_slope;
        const double off = angle * off_line;
        rows.residual[0] = off * fade;
        rows.error = std::abs(rows.residual[0]);
        const Vec3 pull_start = by_start * off_line - outward * (angle * (1.0 - mid_along));
        const Vec3 pull_mid = by_mid * off_line + outward * angle;
        const Vec3 pull_end = by_end * off_line - outward * (angle * mid_along);
        rows.wrench[0][0] = forceAt(start, pull_start * fade + fade_by_start * off);
        rows.wrench[1][0] = forceAt(mid, pull_mid * fade);
        rows.wrench[2][0] = forceAt(end, pull_end * fade + fade_by_end * off);
    }
};

template struct GoalInterface<PoleGoal>;

}  // namespace ulna::ik::detail
