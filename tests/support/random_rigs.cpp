// SPDX-License-Identifier: Apache-2.0
#include "support/random_rigs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "support/skeletons.h"

namespace ulna::test {

bool chance(Random& random, double probability) {
    return random.unit() < probability;
}

Vec3 inBall(Random& random, double radius) {
    const Vec3 direction = random.direction();
    return direction * (radius * std::cbrt(random.unit()));
}

namespace {

Vec3 inPlane(Random& random) {
    const double angle = random.between(-kPi, kPi);
    return {std::cos(angle), std::sin(angle), 0};
}

JointKind randomKind(Random& random, const RandomRigOptions& options, bool root) {
    const std::uint64_t roll = random.below(20);
    const bool planar = options.planar;
    if (root && roll < 7) return JointKind::Free;
    if (options.every_joint && chance(random, 0.03)) return JointKind::Free;
    if (planar)
        return roll < 15 ? JointKind::Hinge : roll < 18 ? JointKind::Prismatic : JointKind::Fixed;
    return roll < 8    ? JointKind::Ball
           : roll < 14 ? JointKind::Hinge
           : roll < 17 ? JointKind::Universal
           : roll < 19 ? JointKind::Prismatic
                       : JointKind::Fixed;
}

DofLimit randomLimit(Random& random, bool angle, bool wide) {
    const double size = angle ? 1.0 : 0.3;
    switch (random.below(wide ? 7 : 5)) {
        case 0:
            return {};
        case 1: {
            const double low = random.between(0.1, 2.8);
            return {-low * size, random.between(0.1, 2.8) * size};
        }
        case 2:
            return {0.0, random.between(0.1, 2.6) * size};
        case 3: {  // the rest pose is outside
            const double low = random.between(0.1, 0.8) * size;
            return {low, low + random.between(0.1, 1.5) * size};
        }
        case 4: {  // one value alone
            const double only = random.between(-0.7, 0.7) * size;
            return {only, only};
        }
        case 5:
            return {random.between(-1.0, 0.0) * size, DofLimit{}.max};
        default: {
            const double low = random.between(3.5, 9.0);
            return {-low * size, random.between(3.5, 9.0) * size};
        }
    }
}

ConeLimit randomCone(Random& random, bool half_revolutions) {
    ConeLimit cone{.axis = random.direction()};
    cone.swing_max = random.between(0.05, 2.6);
    if (half_revolutions && chance(random, 0.2)) cone.swing_max = kPi;
    if (chance(random, 0.7)) {
        cone.twist_min = -random.between(0.05, 2.5);
        cone.twist_max = random.between(0.05, 2.5);
    }
    return cone;
}

void addLimits(Random& random, const RandomRigOptions& options, JointDef& joint) {
    const std::size_t count = dofCountOf(joint.kind, options.planar);
    const bool ball =
        !options.planar && (joint.kind == JointKind::Ball || joint.kind == JointKind::Free);
    const bool cone =
        ball && (joint.coordinates == BallCoordinates::RotationVector || chance(random, 0.5));
    for (std::size_t d = 0; d < count; ++d) {
        const bool angle = isAngle(joint.kind, options.planar, d);
        if (cone && angle) continue;
        joint.limits[d] = randomLimit(random, angle, options.wide_limits);
    }
    if (cone) joint.cone = randomCone(random, options.every_joint);
}

}  // namespace

Skeleton randomRig(Random& random, const RandomRigOptions& options) {
    const std::size_t count =
        options.least_joints + random.below(options.most_joints - options.least_joints + 1);
    const double branching = random.between(0.0, 0.4);
    const double limited = chance(random, 0.3) ? 0.3 : 0.9;
    std::vector<JointDef> joints;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t parent = i > 0 && chance(random, branching) ? random.below(i) : i - 1;
        const double bone = chance(random, 0.05) ? 0.0 : random.between(0.05, 0.5);
        JointDef joint;
        joint.name = "j" + std::to_string(i);
        if (i > 0) joint.parent = "j" + std::to_string(parent);
        joint.kind = randomKind(random, options, i == 0);
        joint.rest.translation = (options.planar ? inPlane(random) : random.direction()) * bone;
        if (chance(random, 0.5)) {
            joint.rest.rotation =
                options.planar ? quatAboutAxis(2, random.between(-kPi, kPi)) : random.rotation();
        }
        for (Vec3& axis : joint.axes) axis = random.direction();
        if (options.planar)
            joint.axes[0] = joint.kind == JointKind::Hinge ? Vec3{0, 0, 1} : inPlane(random);
        if (options.scales && !options.planar && chance(random, 0.05)) {
            const double scale = random.between(0.5, 2.0);
            joint.rest.scale = {scale, scale, scale};
        }
        joint.order = kAllEulerOrders[random.below(kAllEulerOrders.size())];
        if (chance(random, 0.3)) joint.coordinates = BallCoordinates::RotationVector;
        if (options.limits && chance(random, limited)) addLimits(random, options, joint);
        if (options.every_joint) {
            joint.locked = chance(random, 0.05);
            if (chance(random, 0.1)) joint.stiffness = std::pow(10.0, random.between(-1.0, 2.0));
        }
        joints.push_back(std::move(joint));
    }
    return build(std::move(joints), {.planar = options.planar});
}

RandomRigOptions randomRigOptions(Random& random) {
    const std::uint64_t size = random.below(20);
    return {.most_joints = size < 12U   ? 8U
                           : size < 19U ? 25U
                                        : 60U,
            .planar = random.below(7) == 0,
            .wide_limits = true,
            .every_joint = true};
}

DofVector randomAllowedDofs(Random& random, const Skeleton& skeleton) {
    DofVector dofs(skeleton.dofCount());
    for (std::size_t d = 0; d < dofs.size(); ++d) {
        const DofLimit& limit = skeleton.dofLimits()[d];
        const double size = skeleton.isAngle(d) ? kPi : 0.5;
        const double low = std::max(limit.min, std::min(-size, limit.max));
        const double high = std::min(limit.max, std::max(size, limit.min));
        dofs[d] = random.between(low, high);
    }
    clampToLimits(skeleton, dofs);
    return dofs;
}

namespace {

double toSegment(const Vec3& p, const Vec3& start, const Vec3& along) {
    const double size2 = dot(along, along);
    const double t = size2 > 0.0 ? dot(p - start, along) / size2 : 0.0;
    return distance(p, start + along * std::min(1.0, std::max(0.0, t)));
}

// The distance between two segments: the least over the ends, and over the points where the
// derivative by both parameters is zero.
double plainSegmentDistance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
    const Vec3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
    double least = std::min(
        {toSegment(a0, b0, v), toSegment(a1, b0, v), toSegment(b0, a0, u), toSegment(b1, a0, u)});
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
    const double determinant = uu * vv - uv * uv;
    if (!(determinant > 1e-10 * uu * vv)) return least;
    const double s = (uv * dot(v, w) - vv * dot(u, w)) / determinant;
    const double t = (uu * dot(v, w) - uv * dot(u, w)) / determinant;
    if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)
        least = std::min(least, length(w + u * s - v * t));
    return least;
}

// Between the surfaces of two capsules.
double plainBetween(const KeepApartGoal& goal, std::span<const PlainMatrix> model) {
    const PlainMatrix& a = model[index(goal.a.joint)];
    const PlainMatrix& b = model[index(goal.b.joint)];
    const auto scaleOf = [](const PlainMatrix& m) { return length(m.direction({1, 0, 0})); };
    return plainSegmentDistance(a.point(goal.a.start), a.point(goal.a.end), b.point(goal.b.start),
                                b.point(goal.b.end)) -
           goal.a.radius * scaleOf(a) - goal.b.radius * scaleOf(b);
}

// A side of a convex polygon: the points y of it have n . y <= offset.
struct PlainSide {
    Vec3 normal;
    double offset = 0.0;
};

// By all pairs: those with every contact on one side.
std::vector<PlainSide> plainSides(std::span<const Vec3> contacts) {
    std::vector<PlainSide> out;
    for (const Vec3& a : contacts) {
        for (const Vec3& b : contacts) {
            const double size = distance(a, b);
            if (size == 0.0) continue;
            const Vec3 normal = Vec3{b.y - a.y, a.x - b.x, 0} / size;
            const bool all = std::all_of(contacts.begin(), contacts.end(), [&](const Vec3& c) {
                return dot(normal, c - a) <= 1e-12 * size;
            });
            if (all) out.push_back({normal, dot(normal, a)});
        }
    }
    return out;
}

// The radius of the largest circle inside: of all circles that touch three sides the one that
// crosses none.
double plainInnerRadius(std::span<const PlainSide> sides) {
    double radius = 0.0;
    for (const PlainSide& a : sides) {
        for (const PlainSide& b : sides) {
            for (const PlainSide& c : sides) {
                const Vec3 u = b.normal - a.normal, v = c.normal - a.normal;
                const double p = b.offset - a.offset, q = c.offset - a.offset;
                const double det = u.x * v.y - u.y * v.x;
                if (std::abs(det) < 1e-12) continue;
                const Vec3 centre{(p * v.y - q * u.y) / det, (q * u.x - p * v.x) / det, 0};
                const double r = a.offset - dot(a.normal, centre);
                const bool inside = std::all_of(sides.begin(), sides.end(), [&](const auto& s) {
                    return s.offset - dot(s.normal, centre) >= r - 1e-12;
                });
                if (inside) radius = std::max(radius, r);
            }
        }
    }
    return radius;
}

// Of the feet on all sides and all corners, the nearest that is in the polygon.
double plainPolygonDistance(std::vector<PlainSide> sides, const Vec3& p, double margin) {
    margin = std::min(margin, 0.9 * plainInnerRadius(sides));
    for (PlainSide& side : sides) side.offset -= margin;
    double least = std::numeric_limits<double>::infinity();
    const auto offer = [&](const Vec3& y) {
        for (const PlainSide& side : sides)
            if (dot(side.normal, y) > side.offset + 1e-10) return;
        least = std::min(least, distance(p, y));
    };
    offer(p);
    for (const PlainSide& a : sides) {
        offer(p - a.normal * (dot(a.normal, p) - a.offset));
        for (const PlainSide& b : sides) {
            const double det = a.normal.x * b.normal.y - a.normal.y * b.normal.x;
            if (std::abs(det) < 1e-12) continue;
            offer({(a.offset * b.normal.y - b.offset * a.normal.y) / det,
                   (b.offset * a.normal.x - a.offset * b.normal.x) / det, 0});
        }
    }
    return least;
}

// How far the centre of mass is from being over the contacts. Up is y, in the plane too.
// In the plane everything has z zero, and the polygon is an interval.
double plainBalance(const BalanceGoal& goal, std::span<const PlainMatrix> model) {
    const bool planar = std::all_of(model.begin(), model.end(), [](const PlainMatrix& m) {
        return m.origin().z == 0.0 && m.direction({1, 0, 0}).z == 0.0 &&
               m.direction({0, 1, 0}).z == 0.0;
    });
    const auto flat = [&](const Vec3& v) { return Vec3{v.x, planar ? 0.0 : v.z, 0}; };
    Vec3 centre;
    double mass = 0.0;
    for (const JointMass& each : goal.masses) {
        centre += flat(model[index(each.joint)].point(each.centre)) * each.mass;
        mass += each.mass;
    }
    centre = centre / mass;
    std::vector<Vec3> contacts;
    for (const ContactPoint& each : goal.contacts)
        contacts.push_back(flat(model[index(each.joint)].point(each.point)));
    if (planar) {
        const auto [low, high] =
            std::minmax_element(contacts.begin(), contacts.end(),
                                [](const Vec3& a, const Vec3& b) { return a.x < b.x; });
        const double margin = std::min(goal.margin, 0.45 * (high->x - low->x));
        return std::max({0.0, low->x + margin - centre.x, centre.x - high->x + margin});
    }
    if (contacts.size() == 1) return distance(centre, contacts[0]);
    if (contacts.size() == 2) return toSegment(centre, contacts[0], contacts[1] - contacts[0]);
    return plainPolygonDistance(plainSides(contacts), centre, goal.margin);
}

// Targets of one allowed pose, or anywhere.
class GoalMaker {
  public:
    GoalMaker(Random& random, const Skeleton& skeleton, const RandomGoalOptions& options)
        : random_(random),
          skeleton_(skeleton),
          options_(options),
          model_(plainModel(skeleton, randomAllowedDofs(random, skeleton))) {}

    // Nothing where the joints drawn do not suit the kind.
    std::optional<GoalKind> make() {
        const JointId joint = pick();
        const PlainMatrix at = model_[index(joint)];
        const Vec3 point = chance(random_, 0.5) ? Vec3{} : flat(inBall(random_, 0.3));
        const Vec3 anywhere = flat(inBall(random_, 2.0));
        const Vec3 there = at.point(point);
        const bool reachable = options_.reachable;
        const std::uint64_t kinds = !options_.every_goal ? 8 : options_.capsules ? 13 : 12;
        switch (options_.positions_only ? 0 : random_.below(kinds)) {
            case 4: {
                const Quat q = anyRotation();
                return OrientationGoal{joint, reachable ? plainQuat(at) : q};
            }
            case 5: {
                const Vec3 axis = unit();
                const double ahead = random_.between(0.2, 4.0);
                const Vec3 along = withoutScale(at).direction(axis);
                return AimGoal{joint, axis, point, reachable ? there + along * ahead : anywhere};
            }
            case 6: {
                const Vec3 normal = unit();
                const double offset = random_.between(-2.0, 2.0);
                const PlaneSide side = chance(random_, 0.5) ? PlaneSide::On : PlaneSide::Above;
                return PlaneGoal{joint, point, normal, reachable ? dot(normal, there) : offset,
                                 side};
            }
            case 7:
                return makeDistance(joint, point, there);
            case 8:
                return makePole(joint, anywhere);
            case 9:
                return makePosture();
            case 10:
            case 11:
                return makeRelative(joint, point, anywhere);
            case 12:
                return makeKeepApart(joint, point);
            default:
                return PositionGoal{joint, point, reachable ? there : anywhere};
        }
    }

  private:
    [[nodiscard]] Vec3 flat(const Vec3& v) const {
        return skeleton_.planar() ? Vec3{v.x, v.y, 0} : v;
    }
    JointId pick() { return jointId(random_.below(skeleton_.jointCount())); }
    Quat anyRotation() {
        return skeleton_.planar() ? quatAboutAxis(2, random_.between(-kPi, kPi))
                                  : random_.rotation();
    }
    Vec3 unit() { return skeleton_.planar() ? inPlane(random_) : random_.direction(); }

    std::optional<GoalKind> makeDistance(JointId joint, const Vec3& point, const Vec3& there) {
        const JointId other = pick();
        const Vec3 point_b = flat(inBall(random_, 0.3));
        const double wanted = random_.between(0.0, 2.0);
        const double apart = distance(there, model_[index(other)].point(point_b));
        const auto bound = static_cast<DistanceBound>(random_.below(3));
        if (other == joint) return {};
        return DistanceGoal{joint, other, point, point_b, options_.reachable ? apart : wanted,
                            bound};
    }

    std::optional<GoalKind> makePole(JointId end, const Vec3& anywhere) {
        const std::vector<JointId> above = skeleton_.ancestors(end);
        if (skeleton_.planar() || above.size() < 2) return {};
        const std::size_t mid = random_.below(above.size() - 1);
        const std::size_t start = mid + 1 + random_.below(above.size() - mid - 1);
        PoleGoal goal{above[start], above[mid], end, anywhere};
        // A bend points at its own pole.
        if (options_.reachable) {
            const Vec3 from = model_[index(goal.start)].origin();
            const Vec3 line = model_[index(goal.end)].origin() - from;
            const Vec3 bend = model_[index(goal.mid)].origin() - from;
            const double along = dot(line, line) > 0.0 ? dot(bend, line) / dot(line, line) : 0.0;
            goal.pole = from + bend + (bend - line * along) * random_.between(0.5, 3.0);
        }
        return goal;
    }

    std::optional<GoalKind> makeRelative(JointId joint, const Vec3& point, const Vec3& anywhere) {
        const JointId base = pick();
        const Quat rotation = anyRotation();
        const bool position = chance(random_, 0.5);
        if (base == joint) return {};
        const PlainMatrix& at = model_[index(joint)];
        const PlainMatrix& from = model_[index(base)];
        const PlainMatrix base_from_model = plainInverse(withoutScale(from));
        if (!position) {
            const PlainMatrix there = base_from_model * withoutScale(at);
            return RelativeOrientationGoal{joint, base,
                                           options_.reachable ? plainQuat(there) : rotation};
        }
        const double scale = length(from.direction({1, 0, 0}));
        const Vec3 there = base_from_model.point(at.point(point)) / scale;
        return RelativePositionGoal{joint, base, point, options_.reachable ? there : anywhere};
    }

    std::optional<GoalKind> makeKeepApart(JointId joint, const Vec3& point) {
        const JointId other = pick();
        KeepApartGoal goal{.a = {.joint = joint, .start = point}, .b = {.joint = other}};
        goal.a.end = inBall(random_, 0.4);
        goal.b.start = inBall(random_, 0.4);
        goal.b.end = inBall(random_, 0.4);
        goal.a.radius = random_.between(0.0, 0.2);
        goal.b.radius = random_.between(0.0, 0.2);
        const double wanted = random_.between(0.0, 2.0);
        if (other == joint || skeleton_.planar()) return {};
        const double between = plainBetween(goal, model_);
        if (options_.reachable && between < 0.0) return {};
        goal.margin = options_.reachable ? between : wanted;
        return goal;
    }

    GoalKind makePosture() {
        PostureGoal goal;
        if (chance(random_, 0.7)) goal.rest = randomAllowedDofs(random_, skeleton_);
        if (chance(random_, 0.3)) goal.joints.push_back(pick());
        return goal;
    }

    Random& random_;
    const Skeleton& skeleton_;
    const RandomGoalOptions& options_;
    std::vector<PlainMatrix> model_;
};

}  // namespace

Quat plainQuat(const PlainMatrix& m) {
    const PlainMatrix r = withoutScale(m);
    return quatFromMatrix(
        Mat3::fromColumns(r.direction({1, 0, 0}), r.direction({0, 1, 0}), r.direction({0, 0, 1})));
}

IkGoal randomBalance(Random& random, const Skeleton& skeleton) {
    BalanceGoal goal;
    const auto pick = [&] { return jointId(random.below(skeleton.jointCount())); };
    const auto point = [&] {
        const Vec3 p = inBall(random, 0.3);
        return skeleton.planar() ? Vec3{p.x, p.y, 0} : p;
    };
    const std::size_t contacts = 1 + random.below(4), masses = 1 + random.below(4);
    for (std::size_t i = 0; i < contacts; ++i) {
        const JointId joint = pick();
        goal.contacts.push_back({joint, point()});
    }
    for (std::size_t i = 0; i < masses; ++i) {
        const JointId joint = pick();
        const double mass = random.between(0.1, 2.0);
        goal.masses.push_back({joint, mass, point()});
    }
    if (chance(random, 0.5)) goal.margin = random.between(0.0, 0.1);
    return {.kind = std::move(goal)};
}

std::vector<IkGoal> randomGoals(Random& random, const Skeleton& skeleton,
                                const RandomGoalOptions& options) {
    GoalMaker maker(random, skeleton, options);
    std::vector<IkGoal> goals;
    const std::size_t count = 1 + random.below(options.most);
    while (goals.size() < count) {
        std::optional<GoalKind> kind = maker.make();
        if (!kind) continue;
        IkGoal goal{.kind = *std::move(kind)};
        if (chance(random, 0.4)) goal.weight = std::pow(10.0, random.between(-2.0, 2.0));
        if (options.every_goal) goal.enabled = !chance(random, 0.05);
        if (options.two_levels && chance(random, 0.5)) goal.level = 2;
        goals.push_back(std::move(goal));
    }
    return goals;
}

namespace {

// The bend and the pole seen along the line from start to end.
double plainPoleError(const PoleGoal& goal, std::span<const PlainMatrix> model) {
    const Vec3 start = model[index(goal.start)].origin();
    const Vec3 line = model[index(goal.end)].origin() - start;
    const double size = length(line);
    if (size == 0.0) return 0.0;
    const auto beside = [&](const Vec3& v) { return v - line * (dot(v, line) / (size * size)); };
    const Vec3 bend = beside(model[index(goal.mid)].origin() - start);
    const Vec3 pole = beside(goal.pole - start);
    const double near = std::min(1.0, length(pole) / (0.1 * size));
    const double fade = near * near * (3.0 - 2.0 * near);
    return plainAngle(bend, pole) * length(bend) * fade;
}

}  // namespace

double plainError(const GoalKind& goal, std::span<const PlainMatrix> model) {
    const auto at = [&](JointId j, const Vec3& p) { return model[index(j)].point(p); };
    if (const auto* g = std::get_if<PositionGoal>(&goal))
        return distance(at(g->joint, g->point), g->target);
    if (const auto* g = std::get_if<OrientationGoal>(&goal))
        return plainAngle(withoutScale(model[index(g->joint)]), plainRotation(g->target));
    if (const auto* g = std::get_if<AimGoal>(&goal)) {
        const Vec3 towards = g->target - at(g->joint, g->eye);
        return length(towards) < 1e-12
                   ? 0.0
                   : plainAngle(model[index(g->joint)].direction(g->axis), towards);
    }
    if (const auto* g = std::get_if<PlaneGoal>(&goal)) {
        const double off = dot(g->normal, at(g->joint, g->point)) - g->offset;
        return g->side == PlaneSide::Above ? std::max(0.0, -off) : std::abs(off);
    }
    if (const auto* g = std::get_if<DistanceGoal>(&goal)) {
        const double off =
            distance(at(g->joint_a, g->point_a), at(g->joint_b, g->point_b)) - g->distance;
        return g->bound == DistanceBound::AtLeast  ? std::max(0.0, -off)
               : g->bound == DistanceBound::AtMost ? std::max(0.0, off)
                                                   : std::abs(off);
    }
    if (const auto* g = std::get_if<RelativePositionGoal>(&goal))
        return distance(at(g->joint, g->point), at(g->base, g->target));
    if (const auto* g = std::get_if<RelativeOrientationGoal>(&goal)) {
        return plainAngle(withoutScale(model[index(g->joint)]),
                          withoutScale(model[index(g->base)]) * plainRotation(g->target));
    }
    if (const auto* g = std::get_if<KeepApartGoal>(&goal))
        return std::max(0.0, g->margin - plainBetween(*g, model));
    if (const auto* g = std::get_if<PoleGoal>(&goal)) return plainPoleError(*g, model);
    if (const auto* g = std::get_if<BalanceGoal>(&goal)) return plainBalance(*g, model);
    return 0.0;
}

double plainCost(std::span<const IkGoal> goals, std::span<const PlainMatrix> model, double reach) {
    double sum = 0.0;
    for (const IkGoal& goal : goals) {
        if (!goal.enabled) continue;
        const double error = plainError(goal.kind, model);
        const double residual =
            errorIsAngle(goal.kind) ? 2.0 * std::sin(0.5 * error) * reach : error;
        sum += 0.5 * goal.weight * residual * residual;
    }
    return sum;
}

}  // namespace ulna::test
