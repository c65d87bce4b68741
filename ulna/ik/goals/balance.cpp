// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/goals/balance.h"

#include <algorithm>

#include "ulna/ik/detail/goal_rules.h"
#include "ulna/ik/detail/support_polygon.h"

namespace ulna::ik::detail {
namespace {

// Two unit vectors across `up`; in the plane the first is in it.
std::array<Vec3, 2> groundAxes(const Vec3& up, bool planar) {
    if (planar) return {normalizedOr(Vec3{up.y, -up.x, 0}, Vec3{1, 0, 0}), Vec3{0, 0, 1}};
    const bool least_x = std::abs(up.x) <= std::abs(up.y) && std::abs(up.x) <= std::abs(up.z);
    const bool least_z = std::abs(up.z) <= std::abs(up.y);
    const Vec3 axis = least_x ? Vec3{1, 0, 0} : least_z ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
    const Vec3 y = normalizedOr(cross(up, axis), Vec3{1, 0, 0});
    return {normalizedOr(cross(y, up), Vec3{0, 0, 1}), y};
}

double massOf(const BalanceGoal& goal) {
    double sum = 0.0;
    for (const JointMass& each : goal.masses) sum += each.mass;
    return sum;
}

// Bodies are those of the contacts, then those of the masses.
Vec3 centreOf(const BalanceGoal& goal, std::span<const BodyFrame> bodies) {
    Vec3 sum;
    for (std::size_t i = 0; i < goal.masses.size(); ++i)
        sum +=
            pointOn(bodies[goal.contacts.size() + i], goal.masses[i].centre) * goal.masses[i].mass;
    return sum / massOf(goal);
}

}  // namespace

template <>
struct GoalRules<BalanceGoal> : GoalDefaults {
    static constexpr std::string_view kName = "balance";
    static constexpr bool kWholeBody = true;
    static constexpr std::string_view kMeasured = "centre";

    static std::array<JointId*, 0> joints(const BalanceGoal&) { return {}; }
    static std::vector<JointId> allBodies(const BalanceGoal& goal) {
        std::vector<JointId> out;
        for (const ContactPoint& contact : goal.contacts) out.push_back(contact.joint);
        for (const JointMass& each : goal.masses) out.push_back(each.joint);
        return out;
    }
    static std::vector<GoalMember> members(BalanceGoal& goal) {
        return {{"contacts", GoalContacts{&goal.contacts}},
                {"masses", GoalMasses{&goal.masses}},
                {"up", GoalDirection{&goal.up}},
                {"margin", GoalLengths{{&goal.margin}}}};
    }
    static Vec3 measure(const BalanceGoal& goal, std::span<const BodyFrame> bodies) {
        return goal.masses.empty() ? Vec3{} : centreOf(goal, bodies);
    }
    static std::string_view fault(const Skeleton& skeleton, const BalanceGoal& goal) {
        if (goal.contacts.empty()) return "there is no contact point";
        if (goal.contacts.size() > kMaxContacts) return "there are more than 32 contact points";
        for (const ContactPoint& contact : goal.contacts) {
            if (index(contact.joint) >= skeleton.jointCount()) return "a joint does not exist";
            if (!isNearEnough(contact.point)) return kNotFinite;
        }
        for (const JointMass& each : goal.masses) {
            if (index(each.joint) >= skeleton.jointCount()) return "a joint does not exist";
            if (!(each.mass >= 0.0)) return "a mass is not zero or more";
            if (!isNearEnough(each.centre)) return kNotFinite;
        }
        const double mass = massOf(goal);
        if (!(mass > 0.0) || !std::isfinite(mass)) return "the masses have no sum above zero";
        if (!isUnitVector(goal.up)) return "the up axis is not a unit vector";
        if (skeleton.planar() && std::abs(goal.up.z) > 1e-6)
            return "the up axis is not in the plane";
        if (!(goal.margin >= 0.0)) return "the margin is not zero or more";
        return std::isfinite(goal.margin) ? "" : kNotFinite;
    }
    static void toAnatomical(const AnatomicalRig& rig, BalanceGoal& goal) {
        for (ContactPoint& contact : goal.contacts) restate(rig, contact.joint, contact.point);
        for (JointMass& each : goal.masses) restate(rig, each.joint, each.centre);
    }
    static void evaluateAll(const BalanceGoal& goal, std::span<const BodyFrame> bodies, bool planar,
                            GoalRows& rows, std::span<BodyWrenches> wrenches) {
        const std::array<Vec3, 2> axes = groundAxes(goal.up, planar);
        const auto onGround = [&](const Vec3& p) { return Vec2{dot(p, axes[0]), dot(p, axes[1])}; };
        const std::size_t contacts = goal.contacts.size();
        ULNA_ASSERT(bodies.size() == contacts + goal.masses.size(),
                    "a balance must keep the contacts and masses that the solver was made with");
        std::array<Vec2, kMaxContacts> points;
        for (std::size_t i = 0; i < contacts; ++i)
            points[i] = onGround(pointOn(bodies[i], goal.contacts[i].point));
        const Vec2 centre = onGround(centreOf(goal, bodies));
        SupportOffset at;
        const std::span<const Vec2> spanned(points.data(), contacts);
        if (planar)
            computeSupportOnLine(spanned, centre, goal.margin, at);
        else
            computeSupport(spanned, centre, goal.margin, at);
        rows.count = planar ? 1 : 2;
        rows.residual = {at.offset.x, at.offset.y, 0.0};
        rows.error = std::sqrt(at.offset.x * at.offset.x + at.offset.y * at.offset.y);
        const auto forces = [&](const Matrix2& by) {
            return std::array{axes[0] * by.x.x + axes[1] * by.x.y,
                              axes[0] * by.y.x + axes[1] * by.y.y};
        };
        for (std::size_t i = 0; i < contacts; ++i) {
            const Vec3 p = pointOn(bodies[i], goal.contacts[i].point);
            const auto force = forces(at.by_contact[i]);
            wrenches[i] = {forceAt(p, force[0]), forceAt(p, force[1]), {}};
        }
        const auto pull = forces(at.by_point);
        const double mass = massOf(goal);
        for (std::size_t i = 0; i < goal.masses.size(); ++i) {
            const Vec3 p = pointOn(bodies[contacts + i], goal.masses[i].centre);
            const double share = goal.masses[i].mass / mass;
            wrenches[contacts + i] = {forceAt(p, pull[0] * share), forceAt(p, pull[1] * share), {}};
        }
    }
};

template struct GoalInterface<BalanceGoal>;

}  // namespace ulna::ik::detail
