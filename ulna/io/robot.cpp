// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/robot.h"

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

// Of many shapes each has fewer vertices, so that memory stays in proportion to the file.
PrimitiveMeshOptions roundness(std::size_t shapes) {
    constexpr std::size_t kMany = 500;
    return {.segments = shapes > kMany ? std::size_t{8} : std::size_t{20}};
}

Vec3 widened(const Vec3f& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

}  // namespace

std::vector<double> speedLimitsOf(const RobotFile& robot) {
    std::vector<double> out(robot.skeleton.dofCount(), std::numeric_limits<double>::infinity());
    for (const RobotJoint& each : robot.joints) {
        const std::size_t first = robot.skeleton.firstDof(each.joint);
        for (std::size_t i = 0; i < robot.skeleton.dofCount(each.joint); ++i)
            out[first + i] = each.speed_limit;
    }
    return out;
}

void scaleLengths(RobotFile& robot, double factor) {
    for (RobotJoint& each : robot.joints) {
        if (robot.skeleton.kind(each.joint) != JointKind::Prismatic) continue;
        each.reference *= factor;
        each.speed_limit *= factor;
    }
}

std::vector<Mesh> meshesOf(const RobotFile& robot) {
    if (robot.shapes.empty()) return {};
    const ModelPose rest = computeModelPose(robot.skeleton, restPose(robot.skeleton));
    Mesh out;
    out.name = robot.name.empty() ? "shapes" : robot.name;
    for (const RobotShape& shape : robot.shapes) {
        const Mesh part = makePrimitiveMesh(shape.primitive, roundness(robot.shapes.size()));
        const Affine model_from_shape = rest[shape.joint] * toAffine(shape.joint_from_shape);
        const auto first = static_cast<std::uint32_t>(out.positions.size());
        for (std::size_t i = 0; i < part.positions.size(); ++i) {
            out.positions.push_back(cast<float>(model_from_shape * widened(part.positions[i])));
            out.normals.push_back(cast<float>(
                normalizedOr(model_from_shape.direction(widened(part.normals[i])), Vec3{0, 0, 1})));
            out.colors.push_back(shape.color);
            const Influence all = {shape.joint, 1.0F};
            out.weights.addRow({&all, 1});
        }
        for (const std::uint32_t corner : part.indices) out.indices.push_back(first + corner);
    }
    return {std::move(out)};
}

}  // namespace ulna::io
