// SPDX-License-Identifier: Apache-2.0
#include "support/plain_matrix.h"

#include <algorithm>
#include <cmath>

namespace ulna::test {
namespace {

// How far a rotation is outside a cone. The swing is the angle between the axis and its image; the
// twist is what remains when the smallest rotation that takes the one to the other is undone.
double plainConeExcess(const ConeLimit& cone, const PlainMatrix& r) {
    const Vec3 image = r.direction(cone.axis);
    const double swing = plainAngle(cone.axis, image);
    const double swing_excess = std::max(0.0, swing - cone.swing_max);
    const Vec3 normal = cross(cone.axis, image);
    if (length(normal) < 1e-9 && dot(cone.axis, image) < 0.0) return swing_excess;  // no twist
    const PlainMatrix undo =
        length(normal) > 0.0 ? plainRotation(normal / length(normal), -swing) : PlainMatrix{};
    // Any direction across the axis shows the twist.
    const Vec3 helper = std::abs(cone.axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 across = cross(cone.axis, helper) / length(cross(cone.axis, helper));
    const Vec3 twisted = (undo * r).direction(across);
    const double twist = std::atan2(dot(cross(across, twisted), cone.axis), dot(across, twisted));
    double least = 1e300;
    for (const double whole : {-2.0 * M_PI, 0.0, 2.0 * M_PI}) {
        least = std::min(least, std::max({0.0, cone.twist_min - (twist + whole),
                                          twist + whole - cone.twist_max}));
    }
    return std::max(swing_excess, least);
}

// model_from_joint of every joint, from its parent_from_joint.
template <class Own>
std::vector<PlainMatrix> chained(const Skeleton& skeleton, const Own& own) {
    std::vector<PlainMatrix> out;
    for (const JointId j : skeleton.joints()) {
        const JointId parent = skeleton.parent(j);
        out.push_back(parent == JointId::None ? own(j) : out[index(parent)] * own(j));
    }
    return out;
}

}  // namespace

Vec3 PlainMatrix::point(const Vec3& p) const {
    return direction(p) + origin();
}

Vec3 PlainMatrix::direction(const Vec3& v) const {
    Vec3 out;
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = rows[i][0] * v.x + rows[i][1] * v.y + rows[i][2] * v.z;
    return out;
}

PlainMatrix operator*(const PlainMatrix& a, const PlainMatrix& b) {
    PlainMatrix out;
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t k = 0; k < 4; ++k) {
            out.rows[i][k] = 0.0;
            for (std::size_t m = 0; m < 4; ++m) out.rows[i][k] += a.rows[i][m] * b.rows[m][k];
        }
    }
    return out;
}

PlainMatrix plainTranslation(const Vec3& by) {
    PlainMatrix out;
    for (std::size_t i = 0; i < 3; ++i) out.rows[i][3] = by[i];
    return out;
}

PlainMatrix plainRotation(const Vec3& axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    PlainMatrix out;
    for (std::size_t k = 0; k < 3; ++k) {
        Vec3 unit;
        unit[k] = 1.0;
        const Vec3 image = unit * c + cross(axis, unit) * s + axis * (dot(axis, unit) * (1.0 - c));
        for (std::size_t i = 0; i < 3; ++i) out.rows[i][k] = image[i];
    }
    return out;
}

PlainMatrix plainRotation(const Quat& q) {
    const Vec3 v{q.x, q.y, q.z};
    const double sine = length(v);
    return sine > 0.0 ? plainRotation(v / sine, 2.0 * std::atan2(sine, q.w)) : PlainMatrix{};
}

PlainMatrix plainTransform(const Trs& trs) {
    PlainMatrix scale;
    for (std::size_t i = 0; i < 3; ++i) scale.rows[i][i] = trs.scale[i];
    return plainTranslation(trs.translation) * plainRotation(trs.rotation) * scale;
}

PlainMatrix plainInverse(const PlainMatrix& m) {
    PlainMatrix transposed;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) transposed.rows[i][k] = m.rows[k][i];
    return transposed * plainTranslation(-m.origin());
}

PlainMatrix withoutScale(PlainMatrix m) {
    for (std::size_t k = 0; k < 3; ++k) {
        const double size = std::hypot(m.rows[0][k], m.rows[1][k], m.rows[2][k]);
        for (std::size_t i = 0; i < 3; ++i) m.rows[i][k] /= size;
    }
    return m;
}

double plainAngle(const Vec3& a, const Vec3& b) {
    return std::atan2(length(cross(a, b)), dot(a, b));
}

double plainAngle(const PlainMatrix& a, const PlainMatrix& b) {
    // Of the rotation a^T b: the cosine from the trace, the sine from the antisymmetric part.
    double trace = 0.0;
    PlainMatrix between;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            between.rows[i][k] = 0.0;
            for (std::size_t m = 0; m < 3; ++m) between.rows[i][k] += a.rows[m][i] * b.rows[m][k];
        }
        trace += between.rows[i][i];
    }
    const Vec3 twice_sine{between.rows[2][1] - between.rows[1][2],
                          between.rows[0][2] - between.rows[2][0],
                          between.rows[1][0] - between.rows[0][1]};
    return std::atan2(length(twice_sine), trace - 1.0);
}

double plainDifference(const PlainMatrix& a, const PlainMatrix& b) {
    double worst = 0.0;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = 0; k < 4; ++k)
            worst = std::max(worst, std::abs(a.rows[i][k] - b.rows[i][k]));
    return worst;
}

PlainMatrix plainBall(const JointDef& joint, std::span<const double> angles) {
    if (joint.coordinates == BallCoordinates::RotationVector) {
        const Vec3 v{angles[0], angles[1], angles[2]};
        return length(v) > 0.0 ? plainRotation(v / length(v), length(v)) : PlainMatrix{};
    }
    PlainMatrix out;
    const std::array<int, 3> axes = eulerAxes(joint.order);
    for (std::size_t k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[static_cast<std::size_t>(axes[k])] = 1.0;
        out = out * plainRotation(axis, angles[k]);
    }
    return out;
}

PlainMatrix plainJoint(const Skeleton& skeleton, JointId id, std::span<const double> own) {
    const JointDef& joint = skeleton.joint(id);
    Vec3 slide;
    PlainMatrix rotation, scale;
    switch (joint.kind) {
        case JointKind::Fixed:
            break;
        case JointKind::Hinge:
            rotation = plainRotation(joint.axes[0], own[0]);
            break;
        case JointKind::Universal:
            rotation = plainRotation(joint.axes[0], own[0]) * plainRotation(joint.axes[1], own[1]);
            break;
        case JointKind::Ball:
            rotation = plainBall(joint, own);
            break;
        case JointKind::Free:
            slide = {own[0], own[1], skeleton.planar() ? 0.0 : own[2]};
            rotation = skeleton.planar() ? plainRotation(Vec3{0, 0, 1}, own[2])
                                         : plainBall(joint, own.subspan(3));
            break;
        case JointKind::Prismatic:
            slide = joint.axes[0] * own[0];
            break;
    }
    for (std::size_t i = 0; i < 3; ++i) scale.rows[i][i] = joint.rest.scale[i];
    return plainTranslation(joint.rest.translation) * plainRotation(joint.rest.rotation) *
           plainTranslation(slide) * rotation * scale;
}

std::span<const double> ownDofs(const Skeleton& skeleton, JointId joint,
                                std::span<const double> dofs) {
    return dofs.subspan(skeleton.firstDof(joint), skeleton.dofCount(joint));
}

std::vector<PlainMatrix> plainModel(const Skeleton& skeleton, std::span<const double> dofs) {
    return chained(skeleton,
                   [&](JointId j) { return plainJoint(skeleton, j, ownDofs(skeleton, j, dofs)); });
}

std::vector<PlainMatrix> plainModel(const Skeleton& skeleton, const Pose& pose) {
    return chained(skeleton, [&](JointId j) { return plainTransform(pose[j]); });
}

double plainExcess(const Skeleton& skeleton, std::span<const double> dofs) {
    double worst = 0.0;
    for (std::size_t d = 0; d < dofs.size(); ++d) {
        const DofLimit& limit = skeleton.dofLimits()[d];
        worst = std::max({worst, limit.min - dofs[d], dofs[d] - limit.max});
    }
    for (const JointId j : skeleton.joints()) {
        const JointDef& joint = skeleton.joint(j);
        if (!joint.cone) continue;
        const std::span<const double> own = ownDofs(skeleton, j, dofs);
        const PlainMatrix r = plainBall(joint, own.last(3));
        worst = std::max(worst, plainConeExcess(*joint.cone, r));
    }
    return worst;
}

}  // namespace ulna::test
