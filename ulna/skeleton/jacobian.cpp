// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/jacobian.h"

#include "ulna/math/dual.h"

namespace ulna {
namespace {

// The columns of the left Jacobian of the exponential at v: how exp turns, seen from outside.
std::array<Vec3, 3> rotationVectorAxes(const Vec3& v) {
    return {angularVelocity(-v, {1, 0, 0}), angularVelocity(-v, {0, 1, 0}),
            angularVelocity(-v, {0, 0, 1})};
}

}  // namespace

std::array<Vec3, 3> ballAxes(const JointDef& joint, const Vec3& angles) {
    if (joint.coordinates == BallCoordinates::RotationVector) {
        return rotationVectorAxes(angles);
    }
    const std::array<int, 3> axes = eulerAxes(joint.order);
    const Quat first = quatAboutAxis(axes[0], angles[0]);
    const Quat second = first * quatAboutAxis(axes[1], angles[1]);
    return {unitAxis<double>(axes[0]), rotate(first, unitAxis<double>(axes[1])),
            rotate(second, unitAxis<double>(axes[2]))};
}

std::vector<DofMotion> computeDofMotions(const Skeleton& skeleton, std::span<const double> dofs,
                                         const ModelPose& model) {
    ULNA_ASSERT(dofs.size() == skeleton.dofCount(), "one number per degree of freedom is needed");
    std::vector<DofMotion> out;
    out.reserve(skeleton.dofCount());
    for (const JointId j : skeleton.joints()) {
        const JointDef& def = skeleton.joint(j);
        if (skeleton.dofCount(j) == 0) continue;
        const JointId parent = skeleton.parent(j);
        const Affine above = parent == JointId::None ? Affine{} : model[parent];
        const Quat model_from_axes = rotationOf(above) * def.rest.rotation;
        const Vec3 origin = model.position(j);
        const std::span<const double> own = jointDofs(skeleton, j, dofs);
        const auto turn = [&](const Vec3& axis) {
            out.push_back({rotate(model_from_axes, axis), {}, origin});
        };
        const auto slide = [&](const Vec3& axis) {
            out.push_back({{}, above.direction(rotate(def.rest.rotation, axis)), origin});
        };
        const auto ball = [&](const Vec3& angles) {
            for (const Vec3& axis : ballAxes(def, angles)) turn(axis);
        };
        switch (def.kind) {
            case JointKind::Fixed:
                break;
            case JointKind::Hinge:
                turn(def.axes[0]);
                break;
            case JointKind::Universal:
                turn(def.axes[0]);
                turn(rotate(quatFromAxisAngle(def.axes[0], own[0]), def.axes[1]));
                break;
            case JointKind::Ball:
                ball({own[0], own[1], own[2]});
                break;
            case JointKind::Free:
                slide({1, 0, 0});
                slide({0, 1, 0});
                if (skeleton.planar()) {
                    turn({0, 0, 1});
                } else {
                    slide({0, 0, 1});
                    ball({own[3], own[4], own[5]});
                }
                break;
            case JointKind::Prismatic:
                slide(def.axes[0]);
                break;
        }
    }
    return out;
}

PointJacobian computePointJacobian(const Skeleton& skeleton, std::span<const DofMotion> motions,
                                   const ModelPose& model, const JointPoint& point) {
    PointJacobian out(skeleton.dofCount());
    const Vec3 p = model[point.joint] * point.point;
    for (JointId j = point.joint; j != JointId::None; j = skeleton.parent(j)) {
        const std::size_t first = skeleton.firstDof(j);
        for (std::size_t d = first; d < first + skeleton.dofCount(j); ++d) {
            out[d] = cross(motions[d].angular, p - motions[d].origin) + motions[d].linear;
        }
    }
    return out;
}

PointJacobian computePointJacobian(const Skeleton& skeleton, std::span<const double> dofs,
                                   const JointPoint& point) {
    const ModelPose model = computeModelPose(skeleton, computePose(skeleton, dofs));
    return computePointJacobian(skeleton, computeDofMotions(skeleton, dofs, model), model, point);
}

PointJacobian differentiatePoint(const Skeleton& skeleton, std::span<const double> dofs,
                                 const JointPoint& point) {
    PointJacobian out(skeleton.dofCount());
    std::vector<Dual> seeded(dofs.begin(), dofs.end());
    for (std::size_t d = 0; d < dofs.size(); ++d) {
        seeded[d].derivative = 1.0;
        const auto model = computeModelTransforms<Dual>(skeleton, seeded);
        const Vec3T<Dual> p = model[index(point.joint)] * cast<Dual>(point.point);
        out[d] = {p.x.derivative, p.y.derivative, p.z.derivative};
        seeded[d].derivative = 0.0;
    }
    return out;
}

PointJacobian estimatePointJacobian(const Skeleton& skeleton, std::span<const double> dofs,
                                    const JointPoint& point, double step) {
    PointJacobian out(skeleton.dofCount());
    DofVector moved(dofs.begin(), dofs.end());
    const auto place = [&] {
        return computeModelPoint(skeleton, computePose(skeleton, moved), point.joint, point.point);
    };
    for (std::size_t d = 0; d < dofs.size(); ++d) {
        moved[d] = dofs[d] + step;
        const Vec3 after = place();
        moved[d] = dofs[d] - step;
        const Vec3 before = place();
        moved[d] = dofs[d];
        out[d] = (after - before) / (2.0 * step);
    }
    return out;
}

}  // namespace ulna
