// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna::detail {
namespace {

constexpr double kFarthest = std::numeric_limits<double>::infinity();

// The largest extent of the rest pose: what people call the character's height.
double heightOf(const Skeleton& skeleton) {
    const ModelPose model = computeModelPose(skeleton, restPose(skeleton));
    Vec3 low, high;
    bool first = true;
    const auto include = [&](const Vec3& p) {
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = first ? p[k] : std::min(low[k], p[k]);
            high[k] = first ? p[k] : std::max(high[k], p[k]);
        }
        first = false;
    };
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i) {
        include(model.position(jointId(i)));
        include(model[jointId(i)] * skeleton.tip(jointId(i)));
    }
    const Vec3 size = high - low;
    const double height = std::max({size.x, size.y, size.z});
    return height > 0.0 ? height : 1.0;
}

// The wish with its places relative to `origin`.
struct ShiftedBy {
    Vec3 origin;
    void operator()(PositionGoal& g) const { g.target -= origin; }
    void operator()(OrientationGoal&) const {}
    void operator()(AimGoal& g) const { g.target -= origin; }
    void operator()(PoleGoal& g) const { g.pole -= origin; }
    void operator()(PlaneGoal& g) const { g.offset -= dot(g.normal, origin); }
    void operator()(DistanceGoal&) const {}
    void operator()(PostureGoal&) const {}
};

// A joint's own place moves with its parent alone, unless the joint slides.
bool movesByParent(const Skeleton& skeleton, const IkWish& wish) {
    const auto* position = std::get_if<PositionGoal>(&wish);
    return position != nullptr && position->point == Vec3{} &&
           !skeleton.translates(position->joint);
}

GoalBodies heldBodies(const Skeleton& skeleton, const IkWish& wish) {
    GoalBodies held = bodiesOf(wish);
    if (movesByParent(skeleton, wish)) held.joint[0] = skeleton.parent(held.joint[0]);
    return held;
}

}  // namespace

bool isUniform(const Vec3& scale) {
    // What files that say 0.01 three times differ by after a few products.
    const double slack = 1e-9 * std::abs(scale.x);
    return std::abs(scale.y - scale.x) <= slack && std::abs(scale.z - scale.x) <= slack &&
           scale.x > 0.0;
}

Diagnostic scaleError(const Skeleton& skeleton, JointId joint) {
    return {"joint '" + skeleton.name(joint) + "': its scale is not the same in all directions",
            {},
            {},
            "inverse kinematics needs uniform scale"};
}

void Problem::linkPath(int link, std::vector<Range>& out) const {
    out.clear();
    for (int i = link; i >= 0; i = mechanism_.links()[static_cast<std::size_t>(i)].parent) {
        const Link& l = mechanism_.links()[static_cast<std::size_t>(i)];
        const Range own{l.column, l.column + l.columns};
        if (!out.empty() && out.back().begin == own.end)
            out.back().begin = own.begin;
        else
            out.push_back(own);
    }
    std::reverse(out.begin(), out.end());
}

void Problem::addParts(std::size_t row, const GoalBodies& bodies) {
    Row& r = goal_rows_[row];
    r.first_part = parts_.size();
    r.parts = bodies.count;
    std::vector<Range> path;
    for (std::size_t b = 0; b < bodies.count; ++b) {
        Part part;
        part.link = mechanism_.mount(bodies.joint[b]).link;
        part.row = row;
        part.body = b;
        linkPath(part.link, path);
        part.first_range = ranges_.size();
        part.ranges = path.size();
        for (const Range& range : path) part.length += range.end - range.begin;
        ranges_.insert(ranges_.end(), path.begin(), path.end());
        part.offset = jacobian_.size();
        jacobian_.resize(jacobian_.size() + part.length * r.count);
        parts_.push_back(part);
    }
}

Status Problem::build(const Skeleton& skeleton, std::vector<IkGoal> goals, IkOptions options) {
    goals_ = std::move(goals);
    options_ = std::move(options);
    if (goals_.empty()) return Diagnostic{"there is no goal", {}, {}, {}};
    std::vector<JointId> bodies;
    bool whole = true;  // nothing but postures: then they govern every joint
    for (const IkGoal& goal : goals_) {
        if (const Status status = checkGoal(skeleton, goal); !status) return status.error();
        const GoalBodies held = heldBodies(skeleton, goal.wish);
        bodies.insert(bodies.end(), held.joint.begin(),
                      held.joint.begin() + static_cast<std::ptrdiff_t>(held.count));
        whole = whole && held.count == 0;
        if (const auto* posture = std::get_if<PostureGoal>(&goal.wish))
            bodies.insert(bodies.end(), posture->joints.begin(), posture->joints.end());
    }
    if (whole && bodies.empty()) {
        for (std::size_t i = 0; i < skeleton.jointCount(); ++i) bodies.push_back(jointId(i));
    }
    for (const JointId body : bodies) {
        for (JointId j = body; j != JointId::None; j = skeleton.parent(j)) {
            if (!isUniform(skeleton.rest(j).scale)) return scaleError(skeleton, j);
        }
    }
    for (const JointId j : options_.locked) {
        if (index(j) >= skeleton.jointCount())
            return Diagnostic{"a locked joint does not exist", {}, {}, {}};
    }
    for (const JointStiffness& s : options_.stiffness) {
        if (index(s.joint) >= skeleton.jointCount() || !(s.stiffness >= 0.0) ||
            !std::isfinite(s.stiffness))
            return Diagnostic{"a stiffness is below zero or has no joint", {}, {}, {}};
    }
    const auto notBelow = [](double x, double least) { return x >= least && std::isfinite(x); };
    if (!notBelow(options_.position_tolerance, 0.0) || !(options_.angle_tolerance > 0.0) ||
        !std::isfinite(options_.angle_tolerance))
        return Diagnostic{"a tolerance is no number above zero", {}, {}, {}};
    if (!notBelow(options_.step, 0.0) || !notBelow(options_.damping, 0.0) ||
        !notBelow(options_.joint_damping, 0.0))
        return Diagnostic{"a step or damping is no number from zero up", {}, {}, {}};
    if (options_.max_iterations < 0 || options_.restarts < 0)
        return Diagnostic{"a number of iterations or restarts is below zero", {}, {}, {}};
    if (options_.chain != JointId::None) {
        if (index(options_.chain) >= skeleton.jointCount())
            return Diagnostic{"the chain's joint does not exist", {}, {}, {}};
        const bool holds = std::any_of(bodies.begin(), bodies.end(), [&](JointId j) {
            return j == options_.chain || skeleton.isAncestor(options_.chain, j);
        });
        if (!holds)
            return Diagnostic{
                "the chain from '" + skeleton.name(options_.chain) + "' holds no goal", {}, {}, {}};
    }

    mechanism_.build(skeleton, bodies, options_);
    mechanism_.refresh(restPose(skeleton));

    goal_rows_.clear();
    parts_.clear();
    ranges_.clear();
    jacobian_.clear();
    posture_.clear();
    rows_ = level_one_rows_ = 0;
    joins_bodies_ = false;
    // Without goals of level 1 there is nothing to give way to.
    const bool ranked = std::any_of(goals_.begin(), goals_.end(), [](const IkGoal& goal) {
        return goal.level == 1 && bodiesOf(goal.wish).count > 0;
    });
    for (const int level : {1, 2}) {
        for (std::size_t g = 0; g < goals_.size(); ++g) {
            const IkGoal& goal = goals_[g];
            const GoalBodies held = heldBodies(skeleton, goal.wish);
            const int rank = ranked ? goal.level : 1;
            if (held.count == 0 || rank != level) continue;
            Row row;
            row.goal = g;
            row.first = rows_;
            row.level = level;
            row.point = std::holds_alternative<PositionGoal>(goal.wish);
            row.by_parent = movesByParent(skeleton, goal.wish);
            row.turn = std::holds_alternative<OrientationGoal>(goal.wish);
            row.wish = goal.wish;
            const std::array<BodyFrame, kMaxGoalBodies> still = {};
            GoalRows probe;
            ulna::evaluate(goal.wish, still, skeleton.planar(), probe);
            row.count = probe.count;
            rows_ += row.count;
            goal_rows_.push_back(row);
            addParts(goal_rows_.size() - 1, held);
            joins_bodies_ = joins_bodies_ || held.count > 1;
        }
        if (level == 1) level_one_rows_ = rows_;
    }
    shared_.assign(parts_.size() * parts_.size(), 0);
    for (std::size_t a = 0; a < parts_.size(); ++a) {
        for (std::size_t b = 0; b < parts_.size(); ++b) {
            // Walk both paths while they agree.
            std::size_t common = 0;
            const Part& pa = parts_[a];
            const Part& pb = parts_[b];
            for (std::size_t i = 0; i < std::min(pa.ranges, pb.ranges); ++i) {
                const Range& ra = ranges_[pa.first_range + i];
                const Range& rb = ranges_[pb.first_range + i];
                if (ra.begin != rb.begin) break;
                common += std::min(ra.end, rb.end) - ra.begin;
                if (ra.end != rb.end) break;
            }
            shared_[a * parts_.size() + b] = common;
        }
    }

    double reach = 0.0;
    for (const Part& part : parts_) {
        double way = 0.0;
        const Row& row = goal_rows_[part.row];
        const GoalBodies held = heldBodies(skeleton, goals_[row.goal].wish);
        way += length(mechanism_.mount(held.joint[part.body]).link_from_joint.p);
        if (const auto* position = std::get_if<PositionGoal>(&goals_[row.goal].wish))
            way += length(row.by_parent ? skeleton.rest(position->joint).translation
                                        : position->point);
        for (int i = part.link; i >= 0;) {
            const Link& link = mechanism_.links()[static_cast<std::size_t>(i)];
            if (link.parent >= 0) way += length(link.rest.p);
            i = link.parent;
        }
        reach = std::max(reach, way);
    }
    mechanism_.setReach(reach > 0.0 ? reach : heightOf(skeleton));
    position_tolerance_ =
        options_.position_tolerance > 0.0 ? options_.position_tolerance : 1e-4 * heightOf(skeleton);

    const std::size_t n = mechanism_.columnCount();
    column_scale_.resize(n);
    for (std::size_t c = 0; c < n; ++c)
        column_scale_[c] = 1.0 / std::sqrt(mechanism_.columns()[c].weight);
    posture_curvature_.assign(n, 0.0);
    for (std::size_t g = 0; g < goals_.size(); ++g) {
        const auto* posture = std::get_if<PostureGoal>(&goals_[g].wish);
        if (posture == nullptr) continue;
        JointId last = JointId::None;
        for (std::uint32_t i = 0; i < mechanism_.links().size(); ++i) {
            const JointId joint = mechanism_.links()[i].joint;
            if (joint == last) continue;
            last = joint;
            const auto& listed = posture->joints;
            if (listed.empty() || std::find(listed.begin(), listed.end(), joint) != listed.end())
                posture_.push_back({g, i, joint, 0.0});
        }
    }
    twists_.resize(n);
    return Done{};
}

void Problem::setLevels(int levels) {
    for (Row& row : goal_rows_) row.factor = (row.level & levels) != 0 ? row.own_factor : 0.0;
}

bool Problem::isSound() const {
    for (const IkGoal& goal : goals_) {
        if (!goal.enabled) continue;
        if (!ulna::isSound(mechanism_.skeleton(), goal.wish) || !(goal.weight >= 0.0) ||
            !std::isfinite(goal.weight))
            return false;
    }
    return true;
}

void Problem::begin(const Pose& base) {
    const Skeleton& skeleton = mechanism_.skeleton();
    mechanism_.refresh(base);
    const ShiftedBy shift{mechanism_.origin()};
    for (Row& row : goal_rows_) {
        const IkGoal& goal = goals_[row.goal];
        const bool angle = errorIsAngle(goal.wish);
        ULNA_ASSERT(!row.by_parent || std::get<PositionGoal>(goal.wish).point == Vec3{},
                    "a goal's point must stay as the solver was made with");
        row.own_factor = goal.enabled ? std::sqrt(goal.weight) * (angle ? reach() : 1.0) : 0.0;
        row.factor = row.own_factor;
        row.tolerance = angle ? options_.angle_tolerance : position_tolerance_;
        if (row.point) {
            const auto& position = std::get<PositionGoal>(goal.wish);
            const JointId held = row.by_parent ? skeleton.parent(position.joint) : position.joint;
            const Vec3& point = row.by_parent ? base[position.joint].translation : position.point;
            const Mount& mount = mechanism_.mount(held);
            row.place = mount.link_from_joint.point(point * mount.scale);
            row.target = position.target - mechanism_.origin();
        } else {
            row.wish = goal.wish;
            std::visit(shift, row.wish);
            if (row.turn)
                setTarget(static_cast<std::size_t>(&row - goal_rows_.data()),
                          std::get<OrientationGoal>(goal.wish).target);
        }
    }
    std::fill(posture_curvature_.begin(), posture_curvature_.end(), 0.0);
    posture_counts_ = false;
    for (PostureEntry& entry : posture_) {
        const IkGoal& goal = goals_[entry.goal];
        entry.weight = goal.enabled ? goal.weight : 0.0;
        posture_counts_ = posture_counts_ || entry.weight > 0.0;
        for (std::size_t i = entry.link;
             i < mechanism_.links().size() && mechanism_.links()[i].joint == entry.joint; ++i) {
            const Link& link = mechanism_.links()[i];
            for (std::size_t c = link.column; c < link.column + link.columns; ++c) {
                const double size = mechanism_.columns()[c].angle ? reach() * reach() : 1.0;
                posture_curvature_[c] += entry.weight * size * column_scale_[c] * column_scale_[c];
            }
        }
    }
}

Vec3 Problem::goalPoint(const Row& row, std::span<const Frame> frames) const {
    const int link = parts_[row.first_part].link;
    return link < 0 ? row.place : frames[static_cast<std::size_t>(link)].point(row.place);
}

void Problem::setTarget(std::size_t index, const Quat& target) {
    Row& row = goal_rows_[index];
    auto& goal = std::get<OrientationGoal>(row.wish);
    goal.target = target;
    // Seen through how the joint is mounted on its link.
    const Frame& f = mechanism_.mount(goal.joint).link_from_joint;
    const Mat3 wished = toMatrix(target) * transpose(Mat3::fromColumns(f.x, f.y, f.z));
    row.wished = {wished.column(0), wished.column(1), wished.column(2), {}};
}

// The orientation goal's rows from matrices alone: the sum of the axes' cross products is twice the
// sine times the axis, the sum of their dot products the trace. False near half a turn, where the
// axis is better found through the quaternion.
bool Problem::evaluateTurn(const Row& row, std::span<const Frame> frames, GoalRows& out) const {
    const int link = parts_[row.first_part].link;
    if (link < 0 || planar()) return false;
    const Frame& f = frames[static_cast<std::size_t>(link)];
    const Frame& t = row.wished;
    const double trace = dot(t.x, f.x) + dot(t.y, f.y) + dot(t.z, f.z);
    if (!(trace > -0.9)) return false;
    const double w = 0.5 * std::sqrt(1.0 + trace);
    const Vec3 v = (cross(t.x, f.x) + cross(t.y, f.y) + cross(t.z, f.z)) * (0.25 / w);
    const double sine2 = dot(v, v);
    // The arc sine's series is exact to rounding for small angles.
    out.error = sine2 < 1e-6 ? 2.0 * std::sqrt(sine2) * (1.0 + sine2 / 6.0)
                             : 2.0 * std::atan2(std::sqrt(sine2), w);
    out.count = 3;
    out.residual = {2.0 * v.x, 2.0 * v.y, 2.0 * v.z};
    out.wrench[0] = {Wrench{{w, v.z, -v.y}, {}}, Wrench{{-v.z, w, v.x}, {}},
                     Wrench{{v.y, -v.x, w}, {}}};
    return true;
}

void Problem::evaluateRow(const Row& row, std::span<const Frame> frames, GoalRows& out) const {
    if (row.turn && evaluateTurn(row, frames, out)) return;
    std::array<BodyFrame, kMaxGoalBodies> bodies;
    const GoalBodies held = bodiesOf(row.wish);
    for (std::size_t b = 0; b < held.count; ++b) {
        const Frame f = mechanism_.jointFrame(held.joint[b], frames);
        bodies[b] = {Mat3::fromColumns(f.x, f.y, f.z), f.p, mechanism_.mount(held.joint[b]).scale};
    }
    ulna::evaluate(row.wish, bodies, planar(), out);
}

void Problem::size(Evaluation& e) const {
    e.at.values.resize(columnCount());
    e.at.turns.resize(mechanism_.links().size());
    e.frames.resize(mechanism_.links().size());
    e.residual.resize(rows_);
    e.errors.resize(goals_.size());
    e.rows.resize(goal_rows_.size());
}

void Problem::evaluate(Evaluation& e) const {
    mechanism_.computeFrames(e.at, e.frames);
    e.residual.resize(rows_);
    e.errors.resize(goals_.size());
    e.cost = {};
    e.worst = 0.0;
    e.rows.resize(goal_rows_.size());
    for (std::size_t i = 0; i < goal_rows_.size(); ++i) {
        const Row& row = goal_rows_[i];
        GoalRows& rows = e.rows[i];
        double* out = e.residual.data() + row.first;
        double sum = 0.0;
        double error = 0.0;
        if (row.point) {
            const Vec3 off = goalPoint(row, e.frames) - row.target;
            sum = planar() ? off.x * off.x + off.y * off.y : dot(off, off);
            error = std::sqrt(sum);
            for (std::size_t k = 0; k < row.count; ++k) out[k] = off[k] * row.factor;
        } else {
            evaluateRow(row, e.frames, rows);
            error = rows.error;
            for (std::size_t k = 0; k < row.count; ++k) {
                out[k] = rows.residual[k] * row.factor;
                sum += rows.residual[k] * rows.residual[k];
            }
        }
        const bool on = row.factor > 0.0;
        e.cost[row.level == 1 ? 0 : 1] += 0.5 * row.factor * row.factor * sum;
        e.errors[row.goal] = on ? error : 0.0;
        // What is not a number is as far from its goal as can be.
        if (on) e.worst = error >= 0.0 ? std::max(e.worst, error / row.tolerance) : kFarthest;
    }
    e.posture_cost = posture_.empty() ? 0.0 : evaluatePostures(e, nullptr);
}

double Problem::evaluatePostures(const Evaluation& e, double* gradient) const {
    const Skeleton& skeleton = mechanism_.skeleton();
    double cost = 0.0;
    for (const PostureEntry& entry : posture_) {
        if (entry.weight == 0.0) continue;
        const auto& rest = std::get<PostureGoal>(goals_[entry.goal].wish).rest;
        const std::size_t first = skeleton.firstDof(entry.joint);
        std::array<double, 6> now = {}, wished = {}, off = {}, slope = {};
        for (std::size_t i = 0; i < skeleton.dofCount(entry.joint) && !rest.empty(); ++i)
            wished[i] = rest[first + i];
        // Balls are measured by their quaternion, the others by their numbers.
        for (std::size_t i = entry.link;
             i < mechanism_.links().size() && mechanism_.links()[i].joint == entry.joint; ++i) {
            const Link& link = mechanism_.links()[i];
            if (link.kind == LinkKind::Ball) continue;
            for (std::size_t k = 0; k < link.columns; ++k)
                now[link.dof - first + k] = e.at.values[link.column + k];
        }
        evaluatePosture(skeleton, entry.joint, now.data(), wished.data(), off.data(), slope.data());
        for (std::size_t i = entry.link;
             i < mechanism_.links().size() && mechanism_.links()[i].joint == entry.joint; ++i) {
            const Link& link = mechanism_.links()[i];
            double* o = off.data() + (link.dof - first);
            double* s = slope.data() + (link.dof - first);
            if (link.kind == LinkKind::Ball) {
                const Quat target =
                    computeBallRotation(skeleton.joint(link.joint),
                                        {wished[link.dof - first], wished[link.dof - first + 1],
                                         wished[link.dof - first + 2]});
                const Vec3 v = quatLog(conjugate(target) * e.at.turns[i]);
                const std::array<Vec3, 3> axes = mechanism_.ballBasis(link, e.at.turns[i]);
                for (std::size_t k = 0; k < 3; ++k) {
                    o[k] = v[k];
                    s[k] = dot(axes[k], v);
                }
            }
            for (std::size_t k = 0; k < link.columns; ++k) {
                const std::size_t c = link.column + k;
                const double size = mechanism_.columns()[c].angle ? reach() * reach() : 1.0;
                cost += 0.5 * entry.weight * size * o[k] * o[k];
                if (gradient != nullptr)
                    gradient[c] += entry.weight * size * s[k] * column_scale_[c];
            }
        }
    }
    return cost;
}

void Problem::computeTwists(const Evaluation& e) {
    mechanism_.computeTwists(e.at, e.frames, twists_);
}

void Problem::computePostureGradient(const Evaluation& e, std::span<double> gradient) const {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    if (!posture_.empty()) evaluatePostures(e, gradient.data());
}

void Problem::linearize(const Evaluation& e) {
    computeTwists(e);
    const double *ax = twists_.ax.data(), *ay = twists_.ay.data(), *az = twists_.az.data();
    const double *bx = twists_.bx.data(), *by = twists_.by.data(), *bz = twists_.bz.data();
    const double* scale = column_scale_.data();
    for (std::size_t g = 0; g < goal_rows_.size(); ++g) {
        const Row& row = goal_rows_[g];
        const GoalRows& rows = e.rows[g];
        const Vec3 p = row.point ? goalPoint(row, e.frames) : Vec3{};
        for (std::size_t i = row.first_part; i < row.first_part + row.parts; ++i) {
            const Part& part = parts_[i];
            double* out = jacobian_.data() + part.offset;
            std::size_t k = 0;
            for (std::size_t r = part.first_range; r < part.first_range + part.ranges; ++r) {
                const std::size_t begin = ranges_[r].begin;
                const std::size_t count = ranges_[r].end - begin;
                if (row.point) {
                    double* jx = out + k;
                    double* jy = jx + part.length;
                    double* jz = jy + part.length;  // in the plane there is no third row
                    for (std::size_t c = 0; c < count; ++c) {
                        const std::size_t d = begin + c;
                        const double f = row.factor * scale[d];
                        jx[c] = (ay[d] * p.z - az[d] * p.y + bx[d]) * f;
                        jy[c] = (az[d] * p.x - ax[d] * p.z + by[d]) * f;
                        if (row.count == 3) jz[c] = (ax[d] * p.y - ay[d] * p.x + bz[d]) * f;
                    }
                } else if (row.turn) {
                    for (std::size_t n = 0; n < row.count; ++n) {
                        const Vec3 w = rows.wrench[0][n].moment * row.factor;
                        double* j = out + n * part.length + k;
                        for (std::size_t c = 0; c < count; ++c) {
                            const std::size_t d = begin + c;
                            j[c] = (w.x * ax[d] + w.y * ay[d] + w.z * az[d]) * scale[d];
                        }
                    }
                } else {
                    for (std::size_t n = 0; n < row.count; ++n) {
                        const Wrench& w = rows.wrench[part.body][n];
                        double* j = out + n * part.length + k;
                        for (std::size_t c = 0; c < count; ++c) {
                            const std::size_t d = begin + c;
                            j[c] = (w.moment.x * ax[d] + w.moment.y * ay[d] + w.moment.z * az[d] +
                                    w.force.x * bx[d] + w.force.y * by[d] + w.force.z * bz[d]) *
                                   (row.factor * scale[d]);
                        }
                    }
                }
                k += count;
            }
        }
    }
}

void Problem::computeGradient(const Evaluation& e, int levels, std::span<double> gradient) const {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (const Part& part : parts_) {
        const Row& row = goal_rows_[part.row];
        if ((levels & row.level) != 0)
            accumulate(part, e.residual.data() + row.first, gradient.data());
    }
    if (!posture_.empty()) evaluatePostures(e, gradient.data());
}

void Problem::assembleDual(std::span<const double> divide, std::span<double> dual) const {
    std::fill(dual.begin(), dual.end(), 0.0);
    std::array<double, kMaxGoalRows * kMaxGoalRows> block;
    for (std::size_t a = 0; a < parts_.size(); ++a) {
        const Part& pa = parts_[a];
        const Row& ra = goal_rows_[pa.row];
        const double* ja = jacobian_.data() + pa.offset;
        for (std::size_t b = 0; b < parts_.size(); ++b) {
            const Part& pb = parts_[b];
            if (pb.row > pa.row) break;
            const std::size_t common = shared_[a * parts_.size() + b];
            if (common == 0) continue;
            const Row& rb = goal_rows_[pb.row];
            const double* jb = jacobian_.data() + pb.offset;
            block.fill(0.0);
            if (a == b && ra.count == 3 && divide.empty()) {
                const double *a0 = ja, *a1 = a0 + pa.length, *a2 = a1 + pa.length;
                double k00 = 0, k10 = 0, k11 = 0, k20 = 0, k21 = 0, k22 = 0;
                for (std::size_t k = 0; k < common; ++k) {
                    k00 += a0[k] * a0[k], k10 += a1[k] * a0[k], k11 += a1[k] * a1[k];
                    k20 += a2[k] * a0[k], k21 += a2[k] * a1[k], k22 += a2[k] * a2[k];
                }
                block = {k00, k10, k20, k10, k11, k21, k20, k21, k22};
            } else if (ra.count == 3 && rb.count == 3 && divide.empty()) {
                const double *a0 = ja, *a1 = a0 + pa.length, *a2 = a1 + pa.length;
                const double *b0 = jb, *b1 = b0 + pb.length, *b2 = b1 + pb.length;
                double k00 = 0, k01 = 0, k02 = 0, k10 = 0, k11 = 0, k12 = 0, k20 = 0, k21 = 0,
                       k22 = 0;
                for (std::size_t k = 0; k < common; ++k) {
                    k00 += a0[k] * b0[k], k01 += a0[k] * b1[k], k02 += a0[k] * b2[k];
                    k10 += a1[k] * b0[k], k11 += a1[k] * b1[k], k12 += a1[k] * b2[k];
                    k20 += a2[k] * b0[k], k21 += a2[k] * b1[k], k22 += a2[k] * b2[k];
                }
                block = {k00, k01, k02, k10, k11, k12, k20, k21, k22};
            } else {
                for (std::size_t i = 0; i < ra.count; ++i) {
                    for (std::size_t j = 0; j < rb.count; ++j) {
                        const double* u = ja + i * pa.length;
                        const double* v = jb + j * pb.length;
                        double sum = 0.0;
                        if (divide.empty()) {
                            for (std::size_t k = 0; k < common; ++k) sum += u[k] * v[k];
                        } else {
                            std::size_t k = 0;
                            for (std::size_t r = pa.first_range; k < common; ++r) {
                                for (std::size_t c = ranges_[r].begin;
                                     c < ranges_[r].end && k < common; ++c, ++k)
                                    sum += u[k] * v[k] / divide[c];
                            }
                        }
                        block[i * 3 + j] = sum;
                    }
                }
            }
            for (std::size_t i = 0; i < ra.count; ++i) {
                for (std::size_t j = 0; j < rb.count; ++j)
                    dual[(ra.first + i) * rows_ + rb.first + j] += block[i * 3 + j];
            }
        }
    }
}

// out += Jt y for the rows of one part, three rows at a time where there are three.
void Problem::accumulate(const Part& part, const double* y, double* out) const {
    const std::size_t rows = goal_rows_[part.row].count;
    const double* j0 = jacobian_.data() + part.offset;
    if (rows == 3) {
        const double *j1 = j0 + part.length, *j2 = j1 + part.length;
        const double y0 = y[0], y1 = y[1], y2 = y[2];
        for (const Range& range : rangesOf(part)) {
            const std::size_t count = range.end - range.begin;
            double* o = out + range.begin;
            for (std::size_t k = 0; k < count; ++k) o[k] += j0[k] * y0 + j1[k] * y1 + j2[k] * y2;
            j0 += count, j1 += count, j2 += count;
        }
        return;
    }
    for (std::size_t n = 0; n < rows; ++n) {
        for (const Range& range : rangesOf(part)) {
            for (std::size_t c = range.begin; c < range.end; ++c) out[c] += *j0++ * y[n];
        }
    }
}

void Problem::applyTransposed(std::span<const double> y, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (const Part& part : parts_)
        accumulate(part, y.data() + goal_rows_[part.row].first, out.data());
}

void Problem::apply(std::span<const double> d, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (const Part& part : parts_) {
        const Row& row = goal_rows_[part.row];
        const double* j = jacobian_.data() + part.offset;
        for (std::size_t n = 0; n < row.count; ++n, j += part.length) {
            double sum = 0.0;
            std::size_t k = 0;
            for (std::size_t i = part.first_range; i < part.first_range + part.ranges; ++i) {
                for (std::size_t c = ranges_[i].begin; c < ranges_[i].end; ++c, ++k)
                    sum += j[k] * d[c];
            }
            out[row.first + n] += sum;
        }
    }
}

void Problem::freeze(std::size_t column) {
    for (const Part& part : parts_) {
        std::size_t k = 0;
        for (std::size_t i = part.first_range; i < part.first_range + part.ranges; ++i) {
            const Range& range = ranges_[i];
            if (column >= range.begin && column < range.end) {
                double* j = jacobian_.data() + part.offset + k + (column - range.begin);
                for (std::size_t n = 0; n < goal_rows_[part.row].count; ++n)
                    j[n * part.length] = 0.0;
                break;
            }
            k += range.end - range.begin;
        }
    }
}

void Problem::computeColumn(std::size_t column, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (const Part& part : parts_) {
        std::size_t k = 0;
        const Row& row = goal_rows_[part.row];
        for (std::size_t i = part.first_range; i < part.first_range + part.ranges; ++i) {
            const Range& range = ranges_[i];
            if (column >= range.begin && column < range.end) {
                const double* j = jacobian_.data() + part.offset + k + (column - range.begin);
                for (std::size_t n = 0; n < row.count; ++n)
                    out[row.first + n] += j[n * part.length];
                break;
            }
            k += range.end - range.begin;
        }
    }
}

void Problem::computeRow(std::size_t row, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (const Part& part : parts_) {
        const Row& r = goal_rows_[part.row];
        if (row < r.first || row >= r.first + r.count) continue;
        const double* j = jacobian_.data() + part.offset + (row - r.first) * part.length;
        for (std::size_t i = part.first_range; i < part.first_range + part.ranges; ++i) {
            for (std::size_t c = ranges_[i].begin; c < ranges_[i].end; ++c) out[c] += *j++;
        }
    }
}

bool Problem::isAbove(std::size_t column, const Row& row) const {
    const Part& part = parts_[row.first_part];
    for (std::size_t i = part.first_range; i < part.first_range + part.ranges; ++i) {
        if (column >= ranges_[i].begin && column < ranges_[i].end) return true;
    }
    return false;
}

double Problem::stationarity(const Evaluation& e, std::span<const double> gradient,
                             std::span<const double> down, std::span<const double> up) const {
    double largest = 0.0;
    for (std::size_t c = 0; c < gradient.size(); ++c) {
        const bool blocked = gradient[c] < 0.0 ? up[c] <= 0.0 : down[c] >= 0.0;
        if (!blocked) largest = std::max(largest, std::abs(gradient[c]));
    }
    const double scale = reach() * std::sqrt(2.0 * e.total());
    if (!std::isfinite(scale) || !std::isfinite(largest)) return kFarthest;
    return scale > 0.0 ? largest / scale : 0.0;
}

}  // namespace ulna::detail
