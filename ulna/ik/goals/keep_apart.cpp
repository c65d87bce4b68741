// SPDX-License-Identifier: Apache-2.0

// The closest points of two segments are those of their lines where both are inside, else an end of
// one of them and the point of the other nearest to it.
#include "ulna/ik/goals/keep_apart.h"

#include <algorithm>

#include "ulna/ik/detail/goal_rules.h"

namespace ulna::ik::detail {
namespace {

// Segments rotated by less are parallel: over their length the distance changes by rounding.
constexpr double kParallel = 1e-12;
// Points nearer than this, relative to their coordinates, are one: their difference is rounding.
constexpr double kTouching = 1e-14;

struct Segment {
    Vec3 start, end;

    [[nodiscard]] Vec3 along() const { return end - start; }
    [[nodiscard]] Vec3 at(double t) const { return start + along() * t; }
    [[nodiscard]] Vec3 nearest(const Vec3& p) const {
        const double size2 = dot(along(), along());
        return size2 > 0.0 ? at(std::clamp(dot(p - start, along()) / size2, 0.0, 1.0)) : start;
    }
};

// A point of each segment, and how they move apart: the distance grows as b moves along `away`.
struct Contact {
    Vec3 a, b;
    Vec3 away;
    double distance = 0.0;  // below zero where segments of the plane cross
};

// A unit vector across `v`, the same for the same `v`; in the plane, that of the plane.
Vec3 acrossOf(const Vec3& v, bool planar) {
    if (planar) return normalizedOr(Vec3{-v.y, v.x, 0}, Vec3{1, 0, 0});
    const bool least_x = std::abs(v.x) <= std::abs(v.y) && std::abs(v.x) <= std::abs(v.z);
    const bool least_y = std::abs(v.y) <= std::abs(v.z);
    const Vec3 axis = least_x ? Vec3{1, 0, 0} : least_y ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    return normalizedOr(cross(v, axis), Vec3{1, 0, 0});
}

bool isParallel(const Segment& a, const Segment& b) {
    const Vec3 u = a.along(), v = b.along();
    return !(length(cross(u, v)) > kParallel * length(u) * length(v));
}

// Points inside both segments, or an end of one and the nearest point of the other: of all pairs
// the closest, of equals the first.
Contact closestPoints(const Segment& a, const Segment& b, bool parallel) {
    const Vec3 u = a.along(), v = b.along();
    Contact best;
    best.distance = -1.0;
    const auto offer = [&](const Vec3& on_a, const Vec3& on_b) {
        const double apart = distance(on_a, on_b);
        if (best.distance < 0.0 || apart < best.distance) best = {on_a, on_b, {}, apart};
    };
    if (parallel) {
        // The middle of what they have beside one another.
        const double size2 = dot(u, u);
        if (size2 > 0.0 && dot(v, v) > 0.0) {
            const double from = dot(b.start - a.start, u) / size2;
            const double to = dot(b.end - a.start, u) / size2;
            const double low = std::max(0.0, std::min(from, to));
            const double high = std::min(1.0, std::max(from, to));
            if (low < high) {
                const Vec3 middle = a.at(0.5 * (low + high));
                return {middle, b.nearest(middle), {}, distance(middle, b.nearest(middle))};
            }
        }
    } else {
        const Vec3 normal = cross(u, v);
        const double size2 = dot(normal, normal);
        const double s = dot(cross(b.start - a.start, v), normal) / size2;
        const double t = dot(cross(b.start - a.start, u), normal) / size2;
        // Of lines that are nearly parallel, s and t are each inexact; its foot belongs to s.
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) offer(a.at(s), b.nearest(a.at(s)));
    }
    offer(a.start, b.nearest(a.start));
    offer(a.end, b.nearest(a.end));
    offer(a.nearest(b.start), b.start);
    offer(a.nearest(b.end), b.end);
    return best;
}

// Segments of the plane that cross: the end that is nearest to the other's line leaves first.
Contact leaveInPlane(const Segment& a, const Segment& b) {
    Contact best;
    bool found = false;
    const auto offer = [&](const Vec3& end, const Vec3& other_end, const Segment& line, bool of_a) {
        Vec3 across = acrossOf(line.along(), true);
        // On the side of the rest of its segment, which it leaves by following that.
        if (dot(other_end - line.start, across) < 0.0) across = -across;
        const double depth = std::max(0.0, -dot(end - line.start, across));
        if (found && !(depth < -best.distance)) return;
        found = true;
        const Vec3 foot = end + across * depth;
        if (of_a)
            best = {end, foot, -across, -depth};
        else
            best = {foot, end, across, -depth};
    };
    offer(a.start, a.end, b, true);
    offer(a.end, a.start, b, true);
    offer(b.start, b.end, a, false);
    offer(b.end, b.start, a, false);
    return best;
}

Contact contactOf(const Segment& a, const Segment& b, bool planar) {
    const bool parallel = isParallel(a, b);
    Contact out = closestPoints(a, b, parallel);
    const bool touch = !(out.distance > kTouching * (length(out.a) + length(out.b)));
    if (!touch) {
        out.away = (out.b - out.a) / out.distance;
        return out;
    }
    if (planar && !parallel) return leaveInPlane(a, b);
    const Vec3 longer = length(a.along()) >= length(b.along()) ? a.along() : b.along();
    out.away = parallel ? acrossOf(longer, planar)
                        : normalizedOr(cross(a.along(), b.along()), Vec3{1, 0, 0});
    return out;
}

Segment segmentOf(const Capsule& capsule, const BodyFrame& body, bool planar) {
    Segment out{pointOn(body, capsule.start), pointOn(body, capsule.end)};
    if (planar) out.start.z = out.end.z = 0.0;
    return out;
}

}  // namespace

template <>
struct GoalRules<KeepApartGoal> : GoalDefaults {
    static constexpr std::string_view kName = "keep_apart";
    static constexpr std::string_view kMeasured = "measured";

    static auto joints(auto& goal) { return std::array{&goal.a.joint, &goal.b.joint}; }
    static std::vector<GoalMember> members(KeepApartGoal& goal) {
        return {{"starts", GoalPoints{{&goal.a.start, &goal.b.start}}},
                {"ends", GoalPoints{{&goal.a.end, &goal.b.end}}},
                {"radii", GoalLengths{{&goal.a.radius, &goal.b.radius}}},
                {"margin", GoalLengths{{&goal.margin}}}};
    }
    /// Between the surfaces; below zero where they overlap. Segments of the plane that cross are
    /// zero apart here: a measure does not know of the plane.
    static double measure(const KeepApartGoal& goal, std::span<const BodyFrame> bodies) {
        return contact(goal, bodies, false).distance - radii(goal, bodies);
    }
    static std::string_view fault(const Skeleton&, const KeepApartGoal& goal) {
        if (goal.a.joint == goal.b.joint) return "both capsules are fixed to one joint";
        for (const double x : {goal.a.radius, goal.b.radius, goal.margin}) {
            if (!(x >= 0.0)) return "a radius or the margin is not zero or more";
            if (!std::isfinite(x)) return kNotFinite;
        }
        for (const Vec3& point : {goal.a.start, goal.a.end, goal.b.start, goal.b.end}) {
            if (!isNearEnough(point)) return kNotFinite;
        }
        return "";
    }
    static void toAnatomical(const AnatomicalRig& rig, KeepApartGoal& goal) {
        for (Capsule* capsule : {&goal.a, &goal.b}) {
            restate(rig, capsule->joint, capsule->start);
            restate(rig, capsule->joint, capsule->end);
        }
    }
    static void evaluate(const KeepApartGoal& goal, std::span<const BodyFrame> bodies, bool planar,
                         GoalRows& rows) {
        const Contact at = contact(goal, bodies, planar);
        const double off = at.distance - radii(goal, bodies) - goal.margin;
        const bool met = off >= 0.0;
        rows.count = 1;
        rows.residual = {met ? 0.0 : off, 0.0, 0.0};
        rows.error = met ? 0.0 : -off;
        rows.wrench[0][0] = met ? Wrench{} : forceAt(at.a, -at.away);
        rows.wrench[1][0] = met ? Wrench{} : forceAt(at.b, at.away);
    }

  private:
    static Contact contact(const KeepApartGoal& goal, std::span<const BodyFrame> bodies,
                           bool planar) {
        return contactOf(segmentOf(goal.a, bodies[0], planar), segmentOf(goal.b, bodies[1], planar),
                         planar);
    }
    static double radii(const KeepApartGoal& goal, std::span<const BodyFrame> bodies) {
        return goal.a.radius * bodies[0].scale + goal.b.radius * bodies[1].scale;
    }
};

template struct GoalInterface<KeepApartGoal>;

}  // namespace ulna::ik::detail
