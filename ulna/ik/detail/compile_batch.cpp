// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/compile_batch.h"

#include <cmath>

#include "ulna/skeleton/state.h"

namespace ulna::ik::detail {

void beginBatch(Problem& problem, std::span<const double> start) {
    const Mechanism& mechanism = problem.mechanism();
    const Skeleton& skeleton = mechanism.skeleton();
    DofVector dofs(start.begin(), start.end());
    for (double& x : dofs) x = std::isfinite(x) ? x : 0.0;
    clampToLimits(skeleton, dofs);
    Pose base = restPose(skeleton);
    for (const JointId j : mechanism.active()) {
        if (mechanism.moves(j)) continue;
        const Trs t = computeJointTransform(skeleton, j, jointDofs(skeleton, j, std::span(dofs)));
        base[j].rotation = t.rotation;
        if (slides(skeleton.kind(j))) base[j].translation = t.translation;
    }
    problem.begin(base);
}

Result<BatchProgram> compileBatch(const Problem& problem) {
    const auto cannot = [](std::string what) { return Diagnostic{.what = std::move(what)}; };
    const Mechanism& mechanism = problem.mechanism();
    if (problem.planar()) return cannot("a batch cannot solve planar skeletons");
    if (problem.isCoupled()) return cannot("a batch cannot solve coupled joints");
    if (problem.hasLevelTwo()) return cannot("a batch cannot solve goals of two levels");
    if (problem.hasPostureGoals()) return cannot("a batch cannot solve posture goals");
    if (problem.columnCount() == 0) return cannot("no joint can move towards the goals");
    BatchProgram out;
    out.reach = problem.reach();
    out.origin = mechanism.origin();
    for (const Mechanism::Link& link : mechanism.links()) {
        if (link.kind == LinkKind::Vector)
            return cannot("a batch cannot solve limits on the components of a rotation vector");
        BatchProgram::Link own;
        own.parent = link.parent;
        own.kind = link.kind;
        own.rotated = link.rotated;
        own.column = link.column;
        own.ball = out.balls;
        own.joint = link.joint;
        own.rest = link.rest;
        own.axis = link.kind == LinkKind::Slide3 ? Vec3{link.slide_scale, 0, 0} : link.axis;
        own.cone = link.cone;
        if (link.kind == LinkKind::Ball) ++out.balls;
        out.links.push_back(own);
    }
    for (std::size_t c = 0; c < problem.columnCount(); ++c) {
        const Mechanism::Column& column = mechanism.columns()[c];
        out.columns.push_back(
            {column.min, column.max, problem.columnScale()[c], column.dof, column.angle});
    }
    for (const Problem::Row& row : problem.goalRows()) {
        const auto* orientation = std::get_if<OrientationGoal>(&row.kind);
        const Problem::Part& part = problem.parts()[row.first_part];
        if (!row.point && orientation == nullptr)
            return cannot("a batch can solve positions and orientations only");
        if (part.link < 0) return cannot("nothing that moves is above a goal of the batch");
        BatchProgram::Row own;
        own.point = row.point;
        own.goal = static_cast<std::uint32_t>(row.goal);
        own.link = part.link;
        own.point_in_link = row.point_in_link;
        if (orientation != nullptr)
            own.link_from_joint = mechanism.mount(orientation->joint).link_from_joint;
        own.unit = row.point ? 1.0 : problem.reach();
        own.tolerance = row.tolerance;
        const IkGoal& goal = problem.goals()[row.goal];
        own.enabled = goal.enabled;
        own.weight = goal.enabled ? goal.weight : 0.0;
        if (const auto* position = std::get_if<PositionGoal>(&goal.kind))
            out.bodies.push_back(position->joint);
        else
            out.bodies.push_back(orientation->joint);
        for (const Problem::Range& range : problem.rangesOf(part))
            own.above.push_back(
                {static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.end)});
        out.rows.push_back(own);
    }
    return out;
}

}  // namespace ulna::ik::detail
