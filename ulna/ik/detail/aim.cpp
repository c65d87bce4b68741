// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/aim.h"

#include <algorithm>
#include <cmath>

#include "ulna/skeleton/state.h"

namespace ulna::ik::detail {
namespace {

// At most `most` radians of a rotation.
Quat tamed(const Quat& q, double most) {
    if (!(most > 0.0)) return q;
    const Quat positive = q.w < 0.0 ? -q : q;
    const double sine = length(positive.vector());
    const double angle = 2.0 * std::atan2(sine, positive.w);
    if (angle <= most) return positive;
    const double factor = std::sin(0.5 * most) / sine;
    return {positive.x * factor, positive.y * factor, positive.z * factor, std::cos(0.5 * most)};
}

Vec3 axisOf(LinkKind kind, const RigidFrame& f) {
    return kind == LinkKind::RotateX ? f.x : kind == LinkKind::RotateY ? f.y : f.z;
}

}  // namespace

// The rotation that fits several pairs of vectors best: the eigenvector of Davenport's matrix for
// Wahba's problem (1965).
Quat Aim::bestRotation(std::span<const Pull> pulls) {
    if (pulls.size() == 1) return rotationBetween(pulls[0].from, pulls[0].to);
    Mat3 b;
    for (Vec3& row : b.rows) row = {};
    Vec3 z;
    for (const Pull& p : pulls) {
        for (std::size_t i = 0; i < 3; ++i) b.rows[i] += p.from * (p.to[i] * p.weight);
        z += cross(p.from, p.to) * p.weight;
    }
    const double trace = b.rows[0].x + b.rows[1].y + b.rows[2].z;
    double k[16] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j <= i; ++j)
            k[i * 4 + j] = b.rows[i][j] + b.rows[j][i] - (i == j ? trace : 0.0);
        k[12 + i] = z[i];
    }
    k[15] = trace;
    eigen_.compute(k, 4);
    const Quat q{eigen_.vector(3, 0), eigen_.vector(3, 1), eigen_.vector(3, 2),
                 eigen_.vector(3, 3)};
    return q.w < 0.0 ? -q : q;
}

Quat Aim::turn(const Mechanism& mechanism, std::size_t i, const RigidFrame& frame,
               std::span<const Pull> pulls, double most, MechanismState& at) {
    const Mechanism::Link& link = mechanism.links()[i];
    if (link.kind == LinkKind::Ball) {
        const Quat best = tamed(bestRotation(pulls), most);
        // The same turn seen from the link's own frame follows its present rotation.
        const Vec3 v = best.vector();
        const Quat own{dot(frame.x, v), dot(frame.y, v), dot(frame.z, v), best.w};
        const Quat before = at.rotations[i];
        if (!link.cone) {
            at.rotations[i] = before * own;
            return best;
        }
        at.rotations[i] = mechanism.allowed(link, before * own);
        const Quat done = conjugate(before) * at.rotations[i];
        const Vec3 u = frame.direction(done.vector());
        return {u.x, u.y, u.z, done.w};
    }
    if (link.kind == LinkKind::Vector) {
        const JointDef& def = mechanism.skeleton().joint(link.joint);
        double* value = at.values.data() + link.column;
        const Vec3 now{value[0], value[1], value[2]};
        const Quat best = tamed(bestRotation(pulls), most);
        const Vec3 v = best.vector();
        const Quat own{dot(frame.x, v), dot(frame.y, v), dot(frame.z, v), best.w};
        const Quat before = quatExp(now);
        const Vec3 after = computeBallAngles(def, before * own, now);
        for (std::size_t k = 0; k < 3; ++k) {
            const Mechanism::Column& column = mechanism.columns()[link.column + k];
            value[k] = std::clamp(after[k], column.min, column.max);
        }
        const Quat done = conjugate(before) * quatExp(Vec3{value[0], value[1], value[2]});
        const Vec3 u = frame.direction(done.vector());
        return {u.x, u.y, u.z, done.w};
    }
    const Vec3 axis = axisOf(link.kind, frame);
    double sine = 0.0, cosine = 0.0;
    for (const Pull& p : pulls) {
        sine += p.weight * dot(axis, cross(p.from, p.to));
        cosine += p.weight * (dot(p.from, p.to) - dot(axis, p.from) * dot(axis, p.to));
    }
    if (sine == 0.0 && cosine == 0.0) return {};
    double angle = std::atan2(sine, cosine);
    if (most > 0.0) angle = std::clamp(angle, -most, most);
    double& value = at.values[link.column];
    const Mechanism::Column& column = mechanism.columns()[link.column];
    double after = std::clamp(value + angle, column.min, column.max);
    // Going round the other way may be allowed where the short way is not.
    if (after != value + angle && !(most > 0.0)) {
        const double round = value + angle + (angle > 0.0 ? -kTwoPi : kTwoPi);
        if (round >= column.min && round <= column.max) after = round;
    }
    angle = after - value;
    value = after;
    const double s = std::sin(0.5 * angle);
    return {axis.x * s, axis.y * s, axis.z * s, std::cos(0.5 * angle)};
}

void Aim::twist(const Mechanism& mechanism, std::size_t i, const RigidFrame& frame,
                const Vec3& axis, const Pull& pull, MechanismState& at) {
    const double angle =
        std::atan2(dot(axis, cross(pull.from, pull.to)),
                   dot(pull.from, pull.to) - dot(axis, pull.from) * dot(axis, pull.to));
    const Quat turn = quatFromAxisAngle(axis, angle);
    const Vec3 v = turn.vector();
    const Quat own{dot(frame.x, v), dot(frame.y, v), dot(frame.z, v), turn.w};
    at.rotations[i] = mechanism.allowed(mechanism.links()[i], at.rotations[i] * own);
}

Vec3 Aim::slide(const Mechanism& mechanism, std::size_t i, const RigidFrame& frame,
                std::span<const Pull> pulls, MechanismState& at) {
    const Mechanism::Link& link = mechanism.links()[i];
    Vec3 off;
    double weight = 0.0;
    for (const Pull& p : pulls) {
        off += (p.to - p.from) * p.weight;
        weight += p.weight;
    }
    Vec3 shift;
    if (!(weight > 0.0)) return shift;
    for (std::size_t k = 0; k < link.columns; ++k) {
        const Vec3 along = link.kind == LinkKind::Slide3 ? (k == 0   ? frame.x
                                                            : k == 1 ? frame.y
                                                                     : frame.z) *
                                                               link.slide_scale
                                                         : frame.direction(link.axis);
        const double length2 = dot(along, along);
        if (!(length2 > 0.0)) continue;
        const Mechanism::Column& column = mechanism.columns()[link.column + k];
        double& value = at.values[link.column + k];
        const double after =
            std::clamp(value + dot(off, along) / (weight * length2), column.min, column.max);
        shift += along * (after - value);
        value = after;
    }
    return shift;
}

}  // namespace ulna::ik::detail
