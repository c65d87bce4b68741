// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ulna/skeleton/scale.h"
#include "ulna/skeleton/size.h"
#include "ulna/skeleton/state.h"

namespace ulna::ik::detail {
namespace {

constexpr double kFarthest = std::numeric_limits<double>::infinity();

// Up to so many bodies of goals get their tables at once, so that the first solve allocates little;
// for more they are made when a step needs them, which most do not.
constexpr std::size_t kUsualParts = 256;

// A joint's own position moves with its parent alone, unless the joint slides.
bool movesByParent(const Skeleton& skeleton, const GoalKind& kind) {
    const auto* position = std::get_if<PositionGoal>(&kind);
    return position != nullptr && position->point == Vec3{} &&
           !skeleton.translates(position->joint);
}

GoalBodies heldBodies(const Skeleton& skeleton, const GoalKind& kind) {
    GoalBodies held = ulna::bodiesOf(kind);
    if (movesByParent(skeleton, kind)) held.joint[0] = skeleton.parent(held.joint[0]);
    return held;
}

Status checkOptions(const Skeleton& skeleton, std::span<const JointId> bodies,
                    const IkOptions& options) {
    for (const JointId j : options.locked) {
        if (index(j) >= skeleton.jointCount())
            return Diagnostic{"a locked joint does not exist", {}, {}, {}};
    }
    for (const JointStiffness& s : options.stiffness) {
        if (index(s.joint) >= skeleton.jointCount() || !(s.stiffness >= 0.0) ||
            !std::isfinite(s.stiffness))
            return Diagnostic{"a stiffness is below zero or has no joint", {}, {}, {}};
    }
    const auto notBelow = [](double x, double least) { return x >= least && std::isfinite(x); };
    if (!notBelow(options.position_tolerance, 0.0) || !(options.angle_tolerance > 0.0) ||
        !std::isfinite(options.angle_tolerance))
        return Diagnostic{"a tolerance is no number above zero", {}, {}, {}};
    if (!notBelow(options.step, 0.0) || !notBelow(options.damping, 0.0) ||
        !notBelow(options.joint_damping, 0.0))
        return Diagnostic{"a step or damping is no number from zero up", {}, {}, {}};
    if (options.max_iterations < 0 || options.restarts < 0)
        return Diagnostic{"a number of iterations or restarts is below zero", {}, {}, {}};
    if (options.chain != JointId::None) {
        if (index(options.chain) >= skeleton.jointCount())
            return Diagnostic{"the chain's joint does not exist", {}, {}, {}};
        const bool holds = std::any_of(bodies.begin(), bodies.end(), [&](JointId j) {
            return j == options.chain || skeleton.isAncestor(options.chain, j);
        });
        if (!holds)
            return Diagnostic{
                "the chain from '" + skeleton.name(options.chain) + "' holds no goal", {}, {}, {}};
    }
    return Done{};
}

}  // namespace

Diagnostic scaleError(const Skeleton& skeleton, JointId joint) {
    return {"joint '" + skeleton.name(joint) + "': its scale is not the same in all directions",
            {},
            {},
            "inverse kinematics needs uniform scale"};
}

void Problem::linkPath(int link, std::vector<Range>& out) const {
    out.clear();
    for (int i = link; i >= 0; i = mechanism_.links()[static_cast<std::size_t>(i)].parent) {
        const Mechanism::Link& l = mechanism_.links()[static_cast<std::size_t>(i)];
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
        if (isCoupled())
            path.assign(1, {0, mechanism_.columnCount()});
        else
            linkPath(part.link, path);
        part.first_range = ranges_.size();
        part.ranges = path.size();
        for (const Range& range : path) part.length += range.end - range.begin;
        ranges_.insert(ranges_.end(), path.begin(), path.end());
        part.offset = jacobian_size_;
        jacobian_size_ += part.length * r.count;
        parts_.push_back(part);
    }
}

// One part with every coordinate.
void Problem::addWhole(std::size_t row) {
    Row& r = goal_rows_[row];
    r.first_part = parts_.size();
    r.parts = 1;
    Part part;
    part.row = row;
    part.whole = true;
    part.length = mechanism_.columnCount();
    part.first_range = ranges_.size();
    part.ranges = 1;
    ranges_.push_back({0, part.length});
    part.offset = jacobian_size_;
    jacobian_size_ += part.length * r.count;
    parts_.push_back(part);
    sums_.resize(mechanism_.links().size() * kMaxGoalRows);
}

// The bodies that goals hold, each goal being checked. Nothing but postures: then they govern every
// joint.
Result<std::vector<JointId>> Problem::findBodies(const Skeleton& skeleton) const {
    std::vector<JointId> bodies;
    bool whole = true;
    for (const IkGoal& goal : goals_) {
        if (const Status status = checkGoal(skeleton, goal); !status) return status.error();
        const GoalBodies held = heldBodies(skeleton, goal.kind);
        bodies.insert(bodies.end(), held.joint.begin(),
                      held.joint.begin() + static_cast<std::ptrdiff_t>(held.count));
        if (isWholeBody(goal.kind)) {
            const std::vector<JointId> all = jointsOf(goal.kind);
            bodies.insert(bodies.end(), all.begin(), all.end());
        }
        whole = whole && held.count == 0;
        if (const auto* posture = std::get_if<PostureGoal>(&goal.kind))
            bodies.insert(bodies.end(), posture->joints.begin(), posture->joints.end());
    }
    if (whole && bodies.empty()) {
        for (const JointId j : skeleton.joints()) bodies.push_back(j);
    }
    for (const JointId body : bodies) {
        for (JointId j = body; j != JointId::None; j = skeleton.parent(j)) {
            if (!isUniformScale(skeleton.rest(j).scale)) return scaleError(skeleton, j);
        }
    }
    return bodies;
}

// Rows of the goals, level 1 first.
void Problem::addRows(const Skeleton& skeleton) {
    goal_rows_.clear();
    parts_.clear();
    ranges_.clear();
    jacobian_.clear();
    shared_.clear();
    whole_joints_.clear();
    jacobian_size_ = 0;
    rows_ = level_one_rows_ = 0;
    joins_bodies_ = false;
    const auto hasRows = [](const IkGoal& goal) {
        return ulna::bodiesOf(goal.kind).count > 0 || isWholeBody(goal.kind);
    };
    // Without goals of level 1 there is nothing to give way to.
    const bool ranked = std::any_of(goals_.begin(), goals_.end(), [&](const IkGoal& goal) {
        return goal.level == 1 && hasRows(goal);
    });
    for (const int level : {1, 2}) {
        for (std::size_t g = 0; g < goals_.size(); ++g) {
            const bool counts = (ranked ? goals_[g].level : 1) == level;
            if (counts && hasRows(goals_[g])) addRow(skeleton, g, level);
        }
        if (level == 1) level_one_rows_ = rows_;
    }
}

void Problem::addRow(const Skeleton& skeleton, std::size_t g, int level) {
    const GoalKind& kind = goals_[g].kind;
    const GoalBodies held = heldBodies(skeleton, kind);
    Row row;
    row.goal = g;
    row.first = rows_;
    row.level = level;
    row.point = std::holds_alternative<PositionGoal>(kind);
    row.by_parent = movesByParent(skeleton, kind);
    row.orientation = std::holds_alternative<OrientationGoal>(kind);
    row.whole = isWholeBody(kind);
    row.kind = kind;
    const std::vector<JointId> joints = jointsOf(kind);
    const std::vector<BodyFrame> still(joints.size());
    std::vector<BodyWrenches> unused(joints.size());
    GoalRows probe;
    detail::evaluateAll(kind, still, skeleton.planar(), probe, unused);
    row.count = probe.count;
    rows_ += row.count;
    if (row.whole) {
        row.first_body = whole_joints_.size();
        row.bodies = joints.size();
        whole_joints_.insert(whole_joints_.end(), joints.begin(), joints.end());
    }
    goal_rows_.push_back(row);
    if (row.whole)
        addWhole(goal_rows_.size() - 1);
    else
        addParts(goal_rows_.size() - 1, held);
    joins_bodies_ = joins_bodies_ || row.whole || held.count > 1 || isCoupled();
}

std::size_t Problem::sharedColumns(std::size_t part_a, std::size_t part_b) const {
    // Walk both paths while they agree.
    std::size_t common = 0;
    const Part& pa = parts_[part_a];
    const Part& pb = parts_[part_b];
    for (std::size_t i = 0; i < std::min(pa.ranges, pb.ranges); ++i) {
        const Range& ra = ranges_[pa.first_range + i];
        const Range& rb = ranges_[pb.first_range + i];
        if (ra.begin != rb.begin) break;
        common += std::min(ra.end, rb.end) - ra.begin;
        if (ra.end != rb.end) break;
    }
    return common;
}

void Problem::findMoving() {
    const std::size_t n = columnCount();
    moves_part_.assign(parts_.size() * n, 0);
    std::vector<Range> path;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        linkPath(parts_[p].link, path);
        if (parts_[p].whole) path.assign(1, {0, n});
        for (const Range& range : path)
            std::fill_n(moves_part_.begin() + static_cast<std::ptrdiff_t>(p * n + range.begin),
                        range.end - range.begin, std::uint8_t{1});
    }
}

void Problem::findShared() {
    shared_.resize(parts_.size() * parts_.size());
    for (std::size_t a = 0; a < parts_.size(); ++a) {
        for (std::size_t b = 0; b < parts_.size(); ++b)
            shared_[a * parts_.size() + b] = sharedColumns(a, b);
    }
}

// The longest way from the first joint that moves to a point that a goal holds, along the bones. It
// weighs angles against lengths, and level 1 is judged as it is alone.
double Problem::longestReach(const Skeleton& skeleton) const {
    double reach = 0.0;
    for (const Part& part : parts_) {
        const Row& row = goal_rows_[part.row];
        if (row.level != 1 || row.whole) continue;
        const GoalBodies held = heldBodies(skeleton, goals_[row.goal].kind);
        double way = length(mechanism_.mount(held.joint[part.body]).link_from_joint.p);
        if (const auto* position = std::get_if<PositionGoal>(&goals_[row.goal].kind))
            way += length(row.by_parent ? skeleton.rest(position->joint).translation
                                        : position->point);
        for (int i = part.link; i >= 0;) {
            const Mechanism::Link& link = mechanism_.links()[static_cast<std::size_t>(i)];
            if (link.parent >= 0) way += length(link.rest.p);
            i = link.parent;
        }
        reach = std::max(reach, way);
    }
    return reach;
}

Status Problem::build(const Skeleton& skeleton, std::vector<IkGoal> goals, IkOptions options) {
    goals_ = std::move(goals);
    options_ = std::move(options);
    if (goals_.empty()) return Diagnostic{"there is no goal", {}, {}, {}};
    const Result<std::vector<JointId>> bodies = findBodies(skeleton);
    if (!bodies) return bodies.error();
    if (const Status status = checkOptions(skeleton, *bodies, options_); !status)
        return status.error();

    mechanism_.build(
        skeleton, *bodies,
        {.locked = options_.locked, .stiffness = options_.stiffness, .chain = options_.chain});
    mechanism_.refresh(restPose(skeleton));
    addRows(skeleton);
    if (isCoupled()) findMoving();
    const double reach = longestReach(skeleton);
    mechanism_.setReach(reach > 0.0 ? reach : bodySize(skeleton));
    position_tolerance_ =
        options_.position_tolerance > 0.0 ? options_.position_tolerance : 1e-4 * bodySize(skeleton);

    const std::size_t n = mechanism_.columnCount();
    column_scale_.resize(n);
    for (std::size_t c = 0; c < n; ++c)
        column_scale_[c] = 1.0 / std::sqrt(mechanism_.columns()[c].weight);
    buildPostures();
    if (hasPostureGoals() || hasLevelTwo()) inverse_.resize(n);
    if (parts_.size() <= kUsualParts) {
        jacobian_.resize(jacobian_size_);
        findShared();
        if (!inverse_.empty()) divided_.resize(jacobian_size_);
    }
    twists_.resize(n);
    return Done{};
}

void Problem::setLevels(int levels) {
    for (Row& row : goal_rows_) row.factor = (row.level & levels) != 0 ? row.own_factor : 0.0;
    posture_counts_ = posture_wanted_ && (levels & 2) != 0;
}

bool Problem::isSound() const {
    for (const IkGoal& goal : goals_) {
        if (!goal.enabled) continue;
        if (!faultOf(mechanism_.skeleton(), goal.kind).empty() || !(goal.weight >= 0.0) ||
            !std::isfinite(goal.weight))
            return false;
    }
    return true;
}

void Problem::begin(const Pose& base) {
    spent_ = false;
    const Skeleton& skeleton = mechanism_.skeleton();
    mechanism_.refresh(base);
    for (Row& row : goal_rows_) {
        const IkGoal& goal = goals_[row.goal];
        const bool angle = errorIsAngle(goal.kind);
        ULNA_ASSERT(!row.by_parent || std::get<PositionGoal>(goal.kind).point == Vec3{},
                    "a goal's point must stay as the solver was made with");
        setWeight(static_cast<std::size_t>(&row - goal_rows_.data()), goal.weight);
        row.tolerance = angle ? options_.angle_tolerance : position_tolerance_;
        if (row.point) {
            const auto& position = std::get<PositionGoal>(goal.kind);
            const JointId held = row.by_parent ? skeleton.parent(position.joint) : position.joint;
            const Vec3& point = row.by_parent ? base[position.joint].translation : position.point;
            const Mechanism::Mount& mount = mechanism_.mount(held);
            row.point_in_link = mount.link_from_joint.point(point * mount.scale);
            row.target = position.target - mechanism_.origin();
        } else {
            row.kind = goal.kind;
            shiftGoal(row.kind, mechanism_.origin());
            if (row.orientation)
                setTarget(static_cast<std::size_t>(&row - goal_rows_.data()),
                          std::get<OrientationGoal>(goal.kind).target);
        }
    }
    beginPostures();
}

Vec3 Problem::goalPoint(const Row& row, std::span<const RigidFrame> frames) const {
    const int link = parts_[row.first_part].link;
    return link < 0 ? row.point_in_link
                    : frames[static_cast<std::size_t>(link)].point(row.point_in_link);
}

void Problem::setWeight(std::size_t index, double weight) {
    Row& row = goal_rows_[index];
    const IkGoal& goal = goals_[row.goal];
    const double unit = errorIsAngle(goal.kind) ? reach() : 1.0;
    row.own_factor = goal.enabled ? std::sqrt(weight) * unit : 0.0;
    row.factor = row.own_factor;
}

void Problem::setTarget(std::size_t index, const Quat& target) {
    Row& row = goal_rows_[index];
    auto& goal = std::get<OrientationGoal>(row.kind);
    goal.target = target;
    // Seen through how the joint is mounted on its link.
    const RigidFrame& f = mechanism_.mount(goal.joint).link_from_joint;
    const Mat3 axes = toMatrix(target) * transpose(Mat3::fromColumns(f.x, f.y, f.z));
    row.target_axes = {axes.column(0), axes.column(1), axes.column(2), {}};
}

// The orientation goal's rows from matrices alone: the sum of the axes' cross products is twice the
// sine times the axis, the sum of their dot products the trace. False near half a turn, where the
// axis is better found through the quaternion.
bool Problem::evaluateOrientation(const Row& row, std::span<const RigidFrame> frames,
                                  GoalRows& out) const {
    const int link = parts_[row.first_part].link;
    if (link < 0 || planar()) return false;
    const RigidFrame& f = frames[static_cast<std::size_t>(link)];
    const RigidFrame& t = row.target_axes;
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

void Problem::evaluateRow(const Row& row, std::span<const RigidFrame> frames, GoalRows& out) const {
    if (row.orientation && evaluateOrientation(row, frames, out)) return;
    Bodies bodies;
    static_cast<void>(bodiesOf(row, frames, bodies));
    evaluateAt(row, bodies, out);
}

std::size_t Problem::bodiesOf(const Row& row, std::span<const RigidFrame> frames,
                              Bodies& out) const {
    const GoalBodies held = ulna::bodiesOf(row.kind);
    for (std::size_t b = 0; b < held.count; ++b) {
        const RigidFrame f = mechanism_.jointFrame(held.joint[b], frames);
        out[b] = {Mat3::fromColumns(f.x, f.y, f.z), f.p, mechanism_.mount(held.joint[b]).scale};
    }
    return held.count;
}

void Problem::evaluateAt(const Row& row, const Bodies& bodies, GoalRows& out) const {
    detail::evaluate(row.kind, bodies, planar(), out);
}

void Problem::evaluateWholeAt(const Row& row, std::span<const BodyFrame> bodies, GoalRows& out,
                              std::span<BodyWrenches> wrenches) const {
    detail::evaluateAll(row.kind, bodies, planar(), out, wrenches);
}

void Problem::evaluateWhole(const Row& row, Evaluation& e, GoalRows& out) const {
    for (std::size_t b = row.first_body; b < row.first_body + row.bodies; ++b) {
        const RigidFrame f = mechanism_.jointFrame(whole_joints_[b], e.frames);
        e.whole_bodies[b] = {Mat3::fromColumns(f.x, f.y, f.z), f.p,
                             mechanism_.mount(whole_joints_[b]).scale};
    }
    evaluateWholeAt(row, std::span(e.whole_bodies).subspan(row.first_body, row.bodies), out,
                    std::span(e.whole_wrenches).subspan(row.first_body, row.bodies));
}

void Problem::size(Evaluation& e) const {
    e.at.values.resize(columnCount());
    e.at.rotations.resize(mechanism_.links().size());
    e.frames.resize(mechanism_.links().size());
    e.residual.resize(rows_);
    e.errors.resize(goals_.size());
    e.rows.resize(goal_rows_.size());
    e.whole_bodies.resize(whole_joints_.size());
    e.whole_wrenches.resize(whole_joints_.size());
}

void Problem::evaluate(Evaluation& e) const {
    mechanism_.computeFrames(e.at, e.frames);
    e.residual.resize(rows_);
    e.errors.resize(goals_.size());
    e.cost = {};
    e.worst = 0.0;
    e.rows.resize(goal_rows_.size());
    e.whole_bodies.resize(whole_joints_.size());
    e.whole_wrenches.resize(whole_joints_.size());
    for (std::size_t i = 0; i < goal_rows_.size(); ++i) {
        const Row& row = goal_rows_[i];
        GoalRows& rows = e.rows[i];
        double* out = e.residual.data() + row.first;
        double sum = 0.0;
        double error = 0.0;
        if (row.factor == 0.0) {
            // Whatever its target is, a goal that is off has no residual.
            std::fill_n(out, row.count, 0.0);
            e.errors[row.goal] = 0.0;
            continue;
        }
        if (row.point) {
            const Vec3 off = goalPoint(row, e.frames) - row.target;
            sum = planar() ? off.x * off.x + off.y * off.y : dot(off, off);
            error = std::sqrt(sum);
            for (std::size_t k = 0; k < row.count; ++k) out[k] = off[k] * row.factor;
        } else {
            if (row.whole)
                evaluateWhole(row, e, rows);
            else
                evaluateRow(row, e.frames, rows);
            error = rows.error;
            for (std::size_t k = 0; k < row.count; ++k) {
                out[k] = rows.residual[k] * row.factor;
                sum += rows.residual[k] * rows.residual[k];
            }
        }
        e.cost[row.level == 1 ? 0 : 1] += 0.5 * row.factor * row.factor * sum;
        e.errors[row.goal] = error;
        // What is not a number is as far from its goal as can be.
        e.worst = error >= 0.0 ? std::max(e.worst, error / row.tolerance) : kFarthest;
    }
    e.posture_cost = hasPosture() ? evaluatePostures(e, {}) : 0.0;
}

}  // namespace ulna::ik::detail
