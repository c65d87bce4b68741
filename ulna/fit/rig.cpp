// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/rig.h"

#include <cmath>

#include "ulna/core/assert.h"
#include "ulna/fit/detail/rigid_groups.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

Diagnostic wrong(std::string what, std::string text = {}, std::string advice = {}) {
    return {.what = std::move(what), .text = std::move(text), .advice = std::move(advice)};
}

std::string called(const FitRig& rig, std::size_t point) {
    const std::string& name = rig.points[point].name;
    return name.empty() ? "index " + std::to_string(point) : name;
}

bool isFlat(const FitRig& rig, const Vec3& v) {
    return !rig.planar || v.z == 0.0;
}

Status checkPoints(const FitRig& rig) {
    const std::size_t n = rig.points.size();
    for (std::size_t j = 0; j < n; ++j) {
        const ControlPoint& point = rig.points[j];
        if (!isFinite(point.rest) || !isFlat(rig, point.rest))
            return wrong(
                rig.planar
                    ? "the rest position of a control point is not finite or not in the plane"
                    : "the rest position of a control point is not finite",
                called(rig, j));
        if (point.parent < -1 || point.parent >= static_cast<std::int32_t>(n))
            return wrong("a control point hangs from one that does not exist", called(rig, j));
        if (point.freedom == PointFreedom::Driven && (point.parent >= 0 || point.pinned))
            return wrong("a driven control point has a parent or a pin", called(rig, j),
                         "its pose is given, so leave them out");
    }
    for (const RigidPair& pair : rig.rigid_pairs) {
        if (pair.first >= n || pair.second >= n)
            return wrong("a rigid pair names a control point that does not exist");
        if (rig.points[pair.first].freedom != rig.points[pair.second].freedom ||
            rig.points[pair.first].freedom == PointFreedom::Driven)
            return wrong("a rigid pair joins points that cannot move alike",
                         called(rig, pair.first) + ", " + called(rig, pair.second),
                         "pair free points with free ones and cage points with cage points");
    }
    const fit::detail::RigidGroups groups = fit::detail::groupsOf(rig);
    const fit::detail::GroupOrder order = fit::detail::orderOf(rig, groups);
    if (order.twice_hung != fit::detail::kNone)
        return wrong("a rigid group hangs from two points", called(rig, order.twice_hung),
                     "leave one of the parents out");
    std::size_t group_count = 0;
    for (std::uint32_t j = 0; j < n; ++j) group_count += groups.first[j] == j ? 1 : 0;
    if (order.anchors.size() < group_count)
        return wrong("control points carry each other in a cycle");
    return Done{};
}

Status checkVertices(const FitRig& rig) {
    const std::size_t n = rig.vertices.size();
    if (rig.weights.rowCount() != n)
        return wrong("the rig has " + std::to_string(rig.weights.rowCount()) +
                     " rows of weights for " + std::to_string(n) + " vertices");
    const std::size_t influences = rig.weights.influences.size();
    if (!rig.exact_weights.empty() && rig.exact_weights.size() != influences)
        return wrong("the rig has " + std::to_string(rig.exact_weights.size()) +
                     " exact weights for " + std::to_string(influences) + " influences");
    if (!rig.masses.empty() && rig.masses.size() != n)
        return wrong("the rig has " + std::to_string(rig.masses.size()) + " masses for " +
                     std::to_string(n) + " vertices");
    for (std::size_t i = 0; i < n; ++i) {
        if (!isFinite(rig.vertices[i]) || !isFlat(rig, rig.vertices[i]))
            return wrong("the position of a vertex is not finite or not in the plane",
                         std::to_string(i));
        if (!rig.masses.empty() && !(rig.masses[i] >= 0.0 && std::isfinite(rig.masses[i])))
            return wrong("a mass is negative or not finite", std::to_string(i));
        for (const Influence& influence : rig.weights[i]) {
            if (index(influence.joint) >= rig.points.size() || influence.joint == JointId::None)
                return wrong("a weight is on a control point that does not exist",
                             "vertex " + std::to_string(i));
            if (!std::isfinite(influence.weight))
                return wrong("a weight is not finite", "vertex " + std::to_string(i));
        }
    }
    for (std::size_t k = 0; k < rig.exact_weights.size(); ++k) {
        if (!std::isfinite(rig.exact_weights[k]))
            return wrong("an exact weight is not finite", std::to_string(k));
    }
    return Done{};
}

std::vector<Affine> bindTransforms(const Skeleton& skeleton, const Mesh& mesh) {
    std::vector<Affine> model_from_joint;
    for (const Affine& joint_from_bind : bindMatrices(skeleton, mesh))
        model_from_joint.push_back(inverse(joint_from_bind));
    return model_from_joint;
}

}  // namespace

Status checkRig(const FitRig& rig) {
    if (rig.points.empty()) return wrong("the rig has no control points");
    if (rig.vertices.empty()) return wrong("the rig has no vertices");
    Status points = checkPoints(rig);
    return points ? checkVertices(rig) : points;
}

std::vector<std::uint32_t> redundantPairs(const FitRig& rig) {
    return fit::detail::groupsOf(rig).redundant;
}

ControlPose restControlPose(const FitRig& rig) {
    ControlPose pose;
    pose.rotations.resize(rig.points.size());
    for (const ControlPoint& point : rig.points) pose.positions.push_back(point.rest);
    return pose;
}

void applyHierarchy(const FitRig& rig, ControlPose& pose) {
    const fit::detail::RigidGroups groups = fit::detail::groupsOf(rig);
    for (const std::uint32_t anchor : fit::detail::orderOf(rig, groups).anchors) {
        const std::uint32_t group = groups.first[anchor];
        const std::int32_t parent = rig.points[anchor].parent;
        if (rig.points[group].freedom == PointFreedom::Cage) pose.rotations[group] = {};
        if (parent >= 0 && groups.first[static_cast<std::size_t>(parent)] != group) {
            const auto p = static_cast<std::size_t>(parent);
            pose.positions[anchor] =
                pose.positions[p] +
                rotate(pose.rotations[p], rig.points[anchor].rest - rig.points[p].rest);
        }
        for (std::uint32_t j = 0; j < rig.points.size(); ++j) {
            if (groups.first[j] != group) continue;
            pose.rotations[j] = pose.rotations[group];
            if (j == anchor) continue;
            pose.positions[j] =
                pose.positions[anchor] +
                rotate(pose.rotations[group], rig.points[j].rest - rig.points[anchor].rest);
        }
    }
}

std::vector<Vec3> computeVertices(const FitRig& rig, const ControlPose& pose) {
    ULNA_ASSERT(
        pose.rotations.size() == rig.points.size() && pose.positions.size() == rig.points.size(),
        "the pose needs a rotation and a position per control point");
    std::vector<Vec3> out;
    out.reserve(rig.vertices.size());
    for (std::size_t i = 0; i < rig.vertices.size(); ++i) {
        const std::span<const Influence> row = rig.weights[i];
        Vec3 sum = row.empty() ? rig.vertices[i] : Vec3{};
        for (std::size_t k = 0; k < row.size(); ++k) {
            const std::size_t j = index(row[k].joint);
            const double weight = rig.exact_weights.empty()
                                      ? static_cast<double>(row[k].weight)
                                      : rig.exact_weights[rig.weights.first[i] + k];
            const Vec3 arm = rig.vertices[i] - rig.points[j].rest;
            sum += (rotate(pose.rotations[j], arm) + pose.positions[j]) * weight;
        }
        out.push_back(sum);
    }
    return out;
}

Result<FitRig> makeFitRig(const Skeleton& skeleton, const Mesh& mesh) {
    FitRig rig;
    rig.planar = skeleton.planar();
    const std::vector<Affine> bind = bindTransforms(skeleton, mesh);
    for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
        const JointId parent = skeleton.parent(jointId(j));
        rig.points.push_back({.name = skeleton.name(jointId(j)),
                              .rest = bind[j].translation(),
                              .parent = static_cast<std::int32_t>(parent)});
    }
    for (const Vec3f& v : mesh.positions) rig.vertices.push_back({v.x, v.y, v.z});
    rig.weights = mesh.weights;
    if (Status status = checkRig(rig); !status) return status.error();
    return rig;
}

Pose makePose(const Skeleton& skeleton, const Mesh& mesh, const ControlPose& control) {
    ULNA_ASSERT(control.rotations.size() >= skeleton.jointCount() &&
                    control.positions.size() >= skeleton.jointCount(),
                "the control pose needs a point per joint");
    Pose pose = restPose(skeleton);
    const std::vector<Affine> bind = bindTransforms(skeleton, mesh);
    std::vector<Affine> model(bind.size());
    for (std::size_t j = 0; j < bind.size(); ++j) {
        model[j] =
            makeAffine(toMatrix(control.rotations[j]) * bind[j].linear(), control.positions[j]);
        const JointId parent = skeleton.parent(jointId(j));
        const Affine parent_from_joint =
            parent == JointId::None ? model[j] : inverse(model[index(parent)]) * model[j];
        pose.parent_from_joint[j].rotation = rotationOf(parent_from_joint);
        pose.parent_from_joint[j].translation = parent_from_joint.translation();
    }
    return pose;
}

ControlPose makeControlPose(const Skeleton& skeleton, const Mesh& mesh, const Pose& pose) {
    const ModelPose model = computeModelPose(skeleton, pose);
    const std::vector<Affine> joint_from_bind = bindMatrices(skeleton, mesh);
    ControlPose control;
    for (std::size_t j = 0; j < joint_from_bind.size(); ++j) {
        control.rotations.push_back(rotationOf(model.model_from_joint[j] * joint_from_bind[j]));
        control.positions.push_back(model.model_from_joint[j].translation());
    }
    return control;
}

}  // namespace ulna
