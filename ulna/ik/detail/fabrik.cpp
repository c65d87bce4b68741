// SPDX-License-Identifier: Apache-2.0

// Aristidou & Lasenby, "FABRIK: a fast, iterative solver for the inverse kinematics problem"
// (2011).
#include "ulna/ik/detail/fabrik.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ulna::ik::detail {
namespace {

constexpr int kIdlePasses = 20;
constexpr double kIdleProgress = 1e-3;
// A chain whose joints are off the line to the target by less than this part of its length would
// stay on that line for ever.
constexpr double kOnLine = 1e-7;

// `from` moved along the line to `to` until it is `away` from it.
Vec3 pulledTo(const Vec3& from, const Vec3& to, double away) {
    const Vec3 line = from - to;
    const double length2 = dot(line, line);
    if (!(length2 > 0.0)) return to + Vec3{0, away, 0};
    return to + line * (away / std::sqrt(length2));
}

}  // namespace

void Fabrik::build(const Problem& problem) {
    const auto links = problem.mechanism().links();
    segments_.clear();
    children_.clear();
    std::vector<std::size_t> segment_of(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (i == 0 || links[i].joint != links[i - 1].joint) segments_.push_back({i, i, 0, 0});
        segments_.back().end = i + 1;
        segment_of[i] = segments_.size() - 1;
    }
    // What hangs on each segment, its segments before its goals: counted, then put in place.
    const auto forEachChild = [&](auto&& visit) {
        const auto visitOn = [&](int link, Child child) {
            if (link >= 0) visit(segments_[segment_of[static_cast<std::size_t>(link)]], child);
        };
        for (std::size_t k = 0; k < segments_.size(); ++k)
            visitOn(links[segments_[k].first].parent, {false, k});
        for (std::size_t r = 0; r < problem.goalRows().size(); ++r)
            visitOn(problem.parts()[problem.goalRows()[r].first_part].link, {true, r});
    };
    forEachChild([](Segment& segment, Child) { ++segment.end_child; });
    std::size_t count = 0;
    for (Segment& segment : segments_) {
        segment.first_child = count;
        count += std::exchange(segment.end_child, count);
    }
    children_.resize(count);
    forEachChild([&](Segment& segment, Child child) { children_[segment.end_child++] = child; });
    plain_ = problem.goalRows().size() == 1 && !segments_.empty() && problem.goalRows()[0].point &&
             !problem.planar() && !problem.hasPostureGoals();
    for (const Segment& segment : segments_) {
        const Mechanism::Link& link = links[segment.first];
        plain_ = plain_ && segment.end == segment.first + 1 && link.kind == LinkKind::Ball &&
                 !link.cone && segment.end_child == segment.first_child + 1;
    }
    points_.assign(segments_.size() + 1, {});
    lengths_.assign(segments_.size(), 0.0);
    targets_.assign(segments_.size(), {});
    has_target_.assign(segments_.size(), 0);
    pulls_.reserve(children_.size());
}

Outcome Fabrik::solve(Problem& problem, Evaluation& now, int max_iterations, IkReport& report) {
    if (plain_ && problem.goalRows()[0].factor > 0.0)
        return solvePoints(problem, now, max_iterations, report);
    int idle = 0;
    double idle_cost = now.total();
    for (int iteration = 0;; ++iteration) {
        if (now.worst <= 1.0) return Outcome::Reached;
        if (iteration >= max_iterations) return Outcome::MaxIterations;
        if (problem.isSpent(now, report)) return Outcome::Stopped;
        reachBack(problem, now);
        reachOut(problem, now);
        for (const std::uint32_t i : problem.mechanism().ballLinks())
            now.at.rotations[i] = normalized(now.at.rotations[i]);
        problem.evaluate(now);
        ++report.iterations;
        if (problem.options().record_history) report.history.push_back(now.worst);
        if (++idle < kIdlePasses) continue;
        if (now.total() > (1.0 - kIdleProgress) * idle_cost) return Outcome::Stalled;
        idle = 0;
        idle_cost = now.total();
    }
}

// Where a child is in the frame of its segment's last link.
const Vec3& Fabrik::offsetOf(const Problem& problem, const Child& child) const {
    return child.goal ? problem.goalRows()[child.index].point_in_link
                      : problem.mechanism().links()[segments_[child.index].first].rest.p;
}

// From the goals to the root: where each joint would have to be for its children's targets.
void Fabrik::reachBack(const Problem& problem, const Evaluation& now) {
    for (std::size_t s = segments_.size(); s-- > 0;) {
        const Segment& segment = segments_[s];
        const RigidFrame& frame = now.frames[segment.end - 1];
        Vec3 sum;
        double weight = 0.0;
        for (std::size_t k = segment.first_child; k < segment.end_child; ++k) {
            const Child& child = children_[k];
            const bool counts = child.goal ? problem.goalRows()[child.index].factor > 0.0
                                           : has_target_[child.index] != 0;
            if (!counts) continue;
            const Vec3 target =
                child.goal ? problem.goalRows()[child.index].target : targets_[child.index];
            sum += pulledTo(frame.p, target, length(offsetOf(problem, child)));
            weight += 1.0;
        }
        has_target_[s] = weight > 0.0 ? 1 : 0;
        if (weight > 0.0) targets_[s] = sum / weight;
    }
}

// From the root out: each joint turns its children towards their targets as far as it may.
void Fabrik::reachOut(const Problem& problem, Evaluation& now) {
    const Mechanism& mechanism = problem.mechanism();
    for (const Segment& segment : segments_) {
        const auto refresh = [&](std::size_t from) {
            for (std::size_t i = from; i < segment.end; ++i)
                mechanism.computeFrame(now.at, i, now.frames);
        };
        refresh(segment.first);
        // Several turns in one joint depend on one another: a second round settles them.
        const int rounds = segment.end - segment.first > 1 ? 2 : 1;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = segment.end; i-- > segment.first;) {
                const LinkKind kind = mechanism.links()[i].kind;
                if (kind == LinkKind::Slide || kind == LinkKind::Slide3) continue;
                const RigidFrame& last = now.frames[segment.end - 1];
                pulls_.clear();
                for (std::size_t k = segment.first_child; k < segment.end_child; ++k) {
                    const Child& child = children_[k];
                    const bool counts = child.goal ? problem.goalRows()[child.index].factor > 0.0
                                                   : has_target_[child.index] != 0;
                    if (!counts) continue;
                    const Vec3 target =
                        child.goal ? problem.goalRows()[child.index].target : targets_[child.index];
                    pulls_.push_back(
                        {last.direction(offsetOf(problem, child)), target - last.p, 1.0});
                }
                if (pulls_.empty()) continue;
                aim_.turn(mechanism, i, now.frames[i], pulls_, 0.0, now.at);
                refresh(i);
            }
        }
        twistForHinge(problem, segment, now);
    }
}

// A ball above a hinge also twists about its bone, so that the hinge bends in the plane of its
// targets: an elbow can do nothing about a plane that the shoulder does not give it.
void Fabrik::twistForHinge(const Problem& problem, const Segment& segment, Evaluation& now) {
    const Mechanism& mechanism = problem.mechanism();
    const auto links = mechanism.links();
    if (links[segment.end - 1].kind != LinkKind::Ball ||
        segment.end_child != segment.first_child + 1 || children_[segment.first_child].goal)
        return;
    const Segment& hinge = segments_[children_[segment.first_child].index];
    const LinkKind kind = links[hinge.first].kind;
    const bool one_turn = hinge.end == hinge.first + 1 && kind <= LinkKind::RotateZ;
    if (!one_turn || hinge.end_child != hinge.first_child + 1) return;
    const Child& next = children_[hinge.first_child];
    if (next.goal ? problem.goalRows()[next.index].factor == 0.0 : has_target_[next.index] == 0)
        return;
    const Vec3 target = next.goal ? problem.goalRows()[next.index].target : targets_[next.index];
    const std::size_t ball = segment.end - 1;
    mechanism.computeFrame(now.at, hinge.first, now.frames);
    const RigidFrame& f = now.frames[ball];
    const RigidFrame& bend = now.frames[hinge.first];
    const Vec3 bone = normalizedOr(bend.p - f.p, Vec3{});
    const Vec3 axis = kind == LinkKind::RotateX   ? bend.x
                      : kind == LinkKind::RotateY ? bend.y
                                                  : bend.z;
    Vec3 normal = cross(bone, target - bend.p);
    const Vec3 across = axis - bone * dot(axis, bone);
    // A target straight ahead has no plane, and a hinge along the bone cannot choose one.
    if (!(length(normal) > 1e-6 * length(target - bend.p)) || !(length(across) > 1e-3)) return;
    // Which way round: the way the hinge's range is about, or the nearer one.
    const Mechanism::Column& column = mechanism.columns()[links[hinge.first].column];
    const double middle = 0.5 * (column.min + column.max);
    const bool backwards = std::isfinite(middle) ? middle < 0.0 : dot(axis, normal) < 0.0;
    if (backwards) normal = -normal;
    const Pull pull{across, normal, 1.0};
    aim_.twist(mechanism, ball, f, bone, pull, now.at);
    for (std::size_t i = segment.first; i < segment.end; ++i)
        mechanism.computeFrame(now.at, i, now.frames);
}

Outcome Fabrik::solvePoints(Problem& problem, Evaluation& now, int max_iterations,
                            IkReport& report) {
    const Problem::Row& row = problem.goalRows()[0];
    const std::size_t n = segments_.size();
    double total = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        points_[i] = now.frames[i].p;
        lengths_[i] = length(offsetOf(problem, children_[segments_[i].first_child]));
        total += lengths_[i];
    }
    points_[n] = problem.goalPoint(row, now.frames);
    const Vec3 root = points_[0];
    const Vec3 target = row.target;
    const Vec3 line = target - root;
    const double away = length(line);
    Vec3* p = points_.data();
    const double* d = lengths_.data();
    Outcome outcome = Outcome::MaxIterations;
    if (now.worst <= 1.0) return Outcome::Reached;
    if (away >= total) {
        // Out of reach: straight towards the target.
        const Vec3 unit = normalizedOr(line, Vec3{0, 1, 0});
        for (std::size_t i = 0; i < n; ++i) p[i + 1] = p[i] + unit * d[i];
        ++report.iterations;
        if (problem.options().record_history)
            report.history.push_back((away - total) / row.tolerance);
        outcome = away - total <= row.tolerance ? Outcome::Reached : Outcome::Stationary;
    } else {
        double off_line = 0.0;
        const Vec3 unit = normalizedOr(line, normalizedOr(p[n] - root, Vec3{0, 1, 0}));
        for (std::size_t i = 1; i <= n; ++i) {
            const Vec3 off = cross(unit, p[i] - root);
            off_line = std::max(off_line, dot(off, off));
        }
        if (off_line < square(kOnLine * total)) {
            const Vec3 side = anyPerpendicular(unit) * (0.05 * total);
            for (std::size_t i = 1; i < n; ++i)
                p[i] += side * std::sin(kPi * static_cast<double>(i) / static_cast<double>(n));
        }
        const double tolerance2 = row.tolerance * row.tolerance;
        double idle_error2 = 0.0;
        for (int iteration = 0; iteration < max_iterations; ++iteration) {
            if (problem.isSpent(now, report)) {
                outcome = Outcome::Stopped;
                break;
            }
            p[n] = target;
            for (std::size_t i = n; i-- > 1;) p[i] = pulledTo(p[i], p[i + 1], d[i]);
            for (std::size_t i = 0; i < n; ++i) p[i + 1] = pulledTo(p[i + 1], p[i], d[i]);
            ++report.iterations;
            const Vec3 off = p[n] - target;
            const double error2 = dot(off, off);
            if (problem.options().record_history)
                report.history.push_back(std::sqrt(error2) / row.tolerance);
            if (error2 <= 0.98 * tolerance2) {
                outcome = Outcome::Reached;
                break;
            }
            if (iteration % 64 == 0) {
                if (iteration > 0 && error2 > 0.999 * idle_error2) {
                    outcome = Outcome::Stalled;
                    break;
                }
                idle_error2 = error2;
            }
        }
    }
    recoverRotations(problem, now);
    problem.evaluate(now);
    if (outcome == Outcome::Reached && now.worst > 1.0) outcome = Outcome::Stalled;
    return outcome;
}

// Each joint's smallest turn that brings its bone to its new direction, root first.
void Fabrik::recoverRotations(const Problem& problem, Evaluation& now) {
    const auto links = problem.mechanism().links();
    Quat above;  // of the frame before the joint's own rotation, in model space
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        const RigidFrame& rest = links[i].rest;
        if (links[i].rotated || i == 0)
            above = above * quatFromMatrix(Mat3::fromColumns(rest.x, rest.y, rest.z));
        const Quat present = above * now.at.rotations[i];
        const Vec3& offset = offsetOf(problem, children_[segments_[i].first_child]);
        const Quat turn = rotationBetween(rotate(present, offset), points_[i + 1] - points_[i]);
        const Quat turned = nearlyNormalized(turn * present);
        now.at.rotations[i] = conjugate(above) * turned;
        above = turned;
    }
}

}  // namespace ulna::ik::detail
