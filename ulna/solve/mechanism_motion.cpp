// SPDX-License-Identifier: Apache-2.0

// How a mechanism moves: its frames, its twists, the room within its limits, and steps along them.
#include <algorithm>
#include <cmath>

#include "ulna/skeleton/jacobian.h"
#include "ulna/skeleton/state.h"
#include "ulna/solve/mechanism.h"

namespace ulna {
namespace {

// A link's frame from that of its parent; `up` is null where there is none.
inline void computeLinkFrame(const Mechanism::Link& link, const RigidFrame* up, const double* value,
                             const Quat& rotation, RigidFrame& f) {
    if (up == nullptr) {
        f = link.rest;
    } else {
        f.p = up->point(link.rest.p);
        if (link.rotated) {
            f.x = up->direction(link.rest.x);
            f.y = up->direction(link.rest.y);
            f.z = up->direction(link.rest.z);
        } else {
            f.x = up->x, f.y = up->y, f.z = up->z;
        }
    }
    const auto rotate2 = [&](Vec3& a, Vec3& b) {
        const double c = std::cos(*value), s = std::sin(*value);
        const Vec3 rotated = a * c + b * s;
        b = b * c - a * s;
        a = rotated;
    };
    switch (link.kind) {
        case LinkKind::RotateX:
            rotate2(f.y, f.z);
            break;
        case LinkKind::RotateY:
            rotate2(f.z, f.x);
            break;
        case LinkKind::RotateZ:
            rotate2(f.x, f.y);
            break;
        case LinkKind::Slide:
            f.p += f.direction(link.axis * *value);
            break;
        case LinkKind::Slide3:
            f.p += f.direction(Vec3{value[0], value[1], value[2]} * link.slide_scale);
            break;
        case LinkKind::Vector:
        case LinkKind::Ball: {
            const Mat3 m =
                toMatrix(link.kind == LinkKind::Ball ? rotation
                                                     : quatExp(Vec3{value[0], value[1], value[2]}));
            const Vec3 x = f.direction(m.column(0));
            const Vec3 y = f.direction(m.column(1));
            f.z = f.direction(m.column(2));
            f.x = x, f.y = y;
            break;
        }
    }
}

}  // namespace

void Mechanism::computeFrames(const MechanismState& state, std::vector<RigidFrame>& frames) const {
    frames.resize(links_.size());
    RigidFrame* out = frames.data();
    const double* values = state.values.data();
    const Quat* rotations = state.rotations.data();
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const Link& link = links_[i];
        computeLinkFrame(link, link.parent < 0 ? nullptr : out + link.parent, values + link.column,
                         rotations[i], out[i]);
    }
}

void Mechanism::computeFrame(const MechanismState& state, std::size_t i,
                             std::span<RigidFrame> frames) const {
    const Link& link = links_[i];
    computeLinkFrame(link, link.parent < 0 ? nullptr : frames.data() + link.parent,
                     state.values.data() + link.column, state.rotations[i], frames[i]);
}

void Mechanism::Twists::resize(std::size_t n) {
    for (std::vector<double>* v : {&ax, &ay, &az, &bx, &by, &bz}) v->resize(n);
}

namespace {

// A rotation as angles on its cone: how far it swings, about which axis, and its twist. Near the
// cone's edge the solver's coordinates are these, so that a step along the edge stays on it.
struct OnCone {
    double swing = 0.0;
    double twist = 0.0;
    Vec3 about = {};  // the swing's axis, before the twist
    Quat twist_rotation = {};
    bool polar = false;
};

// Up to this swing, in radians, twist and the way around the cone are told apart: at half a
// revolution they are the same rotation. A limit of the twist is felt up to there.
constexpr double kMostPolar = 3.13;

OnCone coneAngles(const ConeLimit& cone, const Quat& rotation) {
    const SwingTwist split = splitSwingTwist(rotation, cone.axis);
    const Quat swing = split.swing.w < 0.0 ? -split.swing : split.swing;
    OnCone out;
    out.swing = rotationAngle(swing);
    out.twist = split.twist_angle;
    out.about = normalizedOr(swing.vector(), anyPerpendicular(cone.axis));
    out.twist_rotation = split.twist;
    // Directions around the axis mean little near it, and nothing at the opposite end.
    out.polar = out.swing >= std::max(0.25 * cone.swing_max, 1e-3) && out.swing <= kMostPolar;
    return out;
}

}  // namespace

std::array<Vec3, 3> Mechanism::ballBasis(const Link& link, const Quat& rotation) const {
    if (!link.cone) return {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    // With R = swing * twist, a rotation about the twisted-back swing axis changes the swing alone,
    // and one about the cone's axis the twist alone. Going around the cone at a constant twist
    // rotates the body back about the axis by tan(swing / 2) of the way.
    const ConeLimit& cone = *skeleton_->joint(link.joint).cone;
    const OnCone at = coneAngles(cone, rotation);
    const Vec3 out = rotate(conjugate(at.twist_rotation), at.about);
    const Vec3 around = cross(cone.axis, out);
    if (at.swing > kMostPolar) return {out, around, cone.axis};
    return {out, around - cone.axis * std::tan(0.5 * at.swing), cone.axis};
}

// With the swing's axis a, the bone's direction b and the swing s, the coordinates rotate by a,
// b x a - b tan(s / 2) and b. Their second derivatives along the path of moveOnCone, less the
// symmetric product of two such rotations, are rotations again: -a / sin(s) around the cone, and
// so on; what they do to the cost is in its gradient.
Mechanism::ConeBend Mechanism::coneBend(const Link& link, const Quat& rotation,
                                        std::span<const double> descent) const {
    const OnCone at = coneAngles(*skeleton_->joint(link.joint).cone, rotation);
    if (!at.polar) return {};
    const double half_tangent = std::tan(0.5 * at.swing);
    return {.around_around = descent[0] / std::sin(at.swing),
            .swing_around = -0.5 * descent[1] / half_tangent,
            .swing_twist = 0.5 * (descent[1] + half_tangent * descent[2]),
            .around_twist = -0.5 * descent[0]};
}

Quat Mechanism::moveOnCone(const Link& link, const Quat& rotation,
                           std::span<const double, 3> step) const {
    const ConeLimit& cone = *skeleton_->joint(link.joint).cone;
    const OnCone at = coneAngles(cone, rotation);
    if (!at.polar) {
        const std::array<Vec3, 3> axes = ballBasis(link, rotation);
        const Vec3 d = axes[0] * step[0] + axes[1] * step[1] + axes[2] * step[2];
        return clampToCone(cone, normalized(rotation * Quat{0.5 * d.x, 0.5 * d.y, 0.5 * d.z, 1.0}));
    }
    // Past the axis the swing goes on to the other side, and past half a revolution too.
    const double moved = at.swing + step[0];
    const double most = largestSwing(cone);
    const double swing = std::clamp(cone.swing_max < kPi ? moved : wrapAngle(moved), -most, most);
    double twist = at.twist + step[2];
    if (cone.limitsTwist()) twist = std::clamp(twist, cone.twist_min, cone.twist_max);
    const Quat round = quatFromAxisAngle(cone.axis, step[1] / std::sin(at.swing));
    return quatFromAxisAngle(rotate(round, at.about), swing) * quatFromAxisAngle(cone.axis, twist);
}

Quat Mechanism::allowed(const Link& link, const Quat& rotation) const {
    if (!link.cone) return rotation;
    return clampToCone(*skeleton_->joint(link.joint).cone, rotation);
}

void Mechanism::computeRoom(const MechanismState& state, std::span<double> down,
                            std::span<double> up) const {
    // Projecting onto a cone leaves rounding, and so does a pose; what is that close stands at the
    // limit.
    const auto room = [](double x, double unit = 1.0) { return x < 1e-10 * unit ? 0.0 : x; };
    for (const std::uint32_t c : bounded_columns_) {
        const double unit = columns_[c].angle ? 1.0 : reach_;
        down[c] = -room(state.values[c] - columns_[c].min, unit);
        up[c] = room(columns_[c].max - state.values[c], unit);
    }
    for (const Coupling& c : couplings_) down[c.column] = up[c.column] = 0.0;
    for (const std::uint32_t i : cone_links_) {
        const Link& link = links_[i];
        const ConeLimit& cone = *skeleton_->joint(link.joint).cone;
        const OnCone at = coneAngles(cone, state.rotations[i]);
        const double infinity = std::numeric_limits<double>::infinity();
        up[link.column] = cone.swing_max < kPi ? room(cone.swing_max - at.swing) : infinity;
        // A cone without an opening lets nothing swing.
        const bool shut = cone.swing_max < 1e-9;
        down[link.column] = shut ? 0.0 : -infinity;
        down[link.column + 1] = shut ? 0.0 : -infinity;
        up[link.column + 1] = shut ? 0.0 : infinity;
        if (cone.limitsTwist()) {
            down[link.column + 2] = -room(at.twist - cone.twist_min);
            up[link.column + 2] = room(cone.twist_max - at.twist);
        }
    }
}

void Mechanism::computeTwists(const MechanismState& state, std::span<const RigidFrame> frames,
                              Twists& twists) const {
    const auto rotateAbout = [&](std::size_t c, const Vec3& axis, const Vec3& through) {
        twists.ax[c] = axis.x, twists.ay[c] = axis.y, twists.az[c] = axis.z;
        twists.bx[c] = through.y * axis.z - through.z * axis.y;
        twists.by[c] = through.z * axis.x - through.x * axis.z;
        twists.bz[c] = through.x * axis.y - through.y * axis.x;
    };
    const auto slide = [&](std::size_t c, const Vec3& along) {
        twists.ax[c] = twists.ay[c] = twists.az[c] = 0.0;
        twists.bx[c] = along.x, twists.by[c] = along.y, twists.bz[c] = along.z;
    };
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const Link& link = links_[i];
        const RigidFrame& f = frames[i];
        const std::size_t c = link.column;
        switch (link.kind) {
            case LinkKind::RotateX:
                rotateAbout(c, f.x, f.p);
                break;
            case LinkKind::RotateY:
                rotateAbout(c, f.y, f.p);
                break;
            case LinkKind::RotateZ:
                rotateAbout(c, f.z, f.p);
                break;
            case LinkKind::Slide:
                slide(c, f.direction(link.axis));
                break;
            case LinkKind::Slide3:
                slide(c, f.x * link.slide_scale);
                slide(c + 1, f.y * link.slide_scale);
                slide(c + 2, f.z * link.slide_scale);
                break;
            case LinkKind::Vector: {
                // The components' axes are known before the rotation; the frame is the one after
                // it.
                const Vec3 v{state.values[c], state.values[c + 1], state.values[c + 2]};
                const Quat back = conjugate(quatExp(v));
                const std::array<Vec3, 3> axes = ballAxes(skeleton_->joint(link.joint), v);
                for (std::size_t k = 0; k < 3; ++k)
                    rotateAbout(c + k, f.direction(rotate(back, axes[k])), f.p);
                break;
            }
            case LinkKind::Ball:
                if (link.cone) {
                    const std::array<Vec3, 3> axes = ballBasis(link, state.rotations[i]);
                    for (std::size_t k = 0; k < 3; ++k)
                        rotateAbout(c + k, f.direction(axes[k]), f.p);
                    break;
                }
                rotateAbout(c, f.x, f.p);
                rotateAbout(c + 1, f.y, f.p);
                rotateAbout(c + 2, f.z, f.p);
                break;
        }
    }
}

void Mechanism::retract(const MechanismState& from, std::span<const double> step,
                        MechanismState& to) const {
    to.values.resize(columns_.size());
    to.rotations.resize(links_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) to.values[c] = from.values[c] + step[c];
    for (const std::uint32_t c : bounded_columns_)
        to.values[c] = std::min(std::max(to.values[c], columns_[c].min), columns_[c].max);
    couple(to);
    for (const std::uint32_t i : ball_links_) {
        const std::span<const double, 3> d(step.data() + links_[i].column, 3);
        if (links_[i].cone) {
            to.rotations[i] = moveOnCone(links_[i], from.rotations[i], d);
            continue;
        }
        // Cayley's map: the rotation's angle is 2 atan(length / 2), which agrees with the
        // exponential to second order, needs no sine, and never exceeds pi.
        to.rotations[i] =
            normalized(from.rotations[i] * Quat{0.5 * d[0], 0.5 * d[1], 0.5 * d[2], 1.0});
    }
}

RigidFrame Mechanism::jointFrame(JointId joint, std::span<const RigidFrame> frames) const {
    const Mount& mount = mounts_[index(joint)];
    if (mount.link < 0) return mount.link_from_joint;
    return frames[static_cast<std::size_t>(mount.link)] * mount.link_from_joint;
}

}  // namespace ulna
