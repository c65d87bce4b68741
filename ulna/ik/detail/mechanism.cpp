// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/mechanism.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ulna/skeleton/jacobian.h"
#include "ulna/skeleton/state.h"

namespace ulna::ik::detail {
namespace {

Frame frameOf(const Quat& rotation, const Vec3& position) {
    const Mat3 m = toMatrix(rotation);
    return {m.column(0), m.column(1), m.column(2), position};
}

// The rotation that takes z to an axis, and the kind of turn about that axis in its own frame: the
// coordinate axes need no rotation.
struct AxisFrame {
    LinkKind kind = LinkKind::TurnZ;
    Quat rotation = {};
};
AxisFrame axisFrame(const Vec3& axis) {
    if (axis == Vec3{1, 0, 0}) return {LinkKind::TurnX, {}};
    if (axis == Vec3{0, 1, 0}) return {LinkKind::TurnY, {}};
    if (axis == Vec3{0, 0, 1}) return {LinkKind::TurnZ, {}};
    return {LinkKind::TurnZ, quatBetween({0, 0, 1}, axis)};
}

LinkKind turnAbout(int axis) {
    return axis == 0 ? LinkKind::TurnX : axis == 1 ? LinkKind::TurnY : LinkKind::TurnZ;
}

bool isIdentity(const Frame& f) {
    return f.x == Vec3{1, 0, 0} && f.y == Vec3{0, 1, 0} && f.z == Vec3{0, 0, 1};
}

std::size_t firstAngle(const JointDef& def) {
    return def.kind == JointKind::Free ? 3 : 0;
}

// Whether a ball's rotation is bounded number by number, so that its numbers must be the solver's.
bool boundedByAngle(const JointDef& def) {
    for (std::size_t i = firstAngle(def); i < firstAngle(def) + 3; ++i) {
        if (def.limits[i].bounded()) return true;
    }
    return false;
}

Quat loadBall(const JointDef& def, const double* angles) {
    return computeBallRotation(def, {angles[0], angles[1], angles[2]});
}

}  // namespace

Frame operator*(const Frame& a, const Frame& b) {
    return {a.direction(b.x), a.direction(b.y), a.direction(b.z), a.point(b.p)};
}

Link& Mechanism::addLink(LinkKind kind, JointId joint, std::size_t dof) {
    Link link;
    link.kind = kind;
    link.joint = joint;
    const bool three =
        kind == LinkKind::Ball || kind == LinkKind::Slide3 || kind == LinkKind::Vector;
    link.columns = three ? 3 : 1;
    link.column = static_cast<std::uint32_t>(columns_.size());
    link.dof = static_cast<std::uint32_t>(dof);
    const bool angle = kind != LinkKind::Slide && kind != LinkKind::Slide3;
    for (std::uint32_t i = 0; i < link.columns; ++i) {
        const DofLimit limit =
            kind == LinkKind::Ball ? DofLimit{} : skeleton_->dofLimits()[dof + i];
        columns_.push_back({limit.min, limit.max, 1.0 + stiffness_[index(joint)],
                            static_cast<std::uint32_t>(dof + i),
                            static_cast<std::uint32_t>(links_.size()), angle});
    }
    links_.push_back(link);
    return links_.back();
}

void Mechanism::addJoint(JointId joint) {
    const JointDef& def = skeleton_->joint(joint);
    const std::size_t dof = skeleton_->firstDof(joint);
    first_links_[index(joint)] = static_cast<int>(links_.size());
    const auto ball = [&](std::size_t first) {
        if (!boundedByAngle(def)) {
            addLink(LinkKind::Ball, joint, first).bounds =
                def.cone ? BallBounds::Cone : BallBounds::None;
            return;
        }
        if (def.coordinates == BallCoordinates::RotationVector) {
            addLink(LinkKind::Vector, joint, first);
            has_vectors_ = true;
            return;
        }
        const std::array<int, 3> axes = eulerAxes(def.order);
        for (std::size_t i = 0; i < 3; ++i) addLink(turnAbout(axes[i]), joint, first + i);
    };
    switch (def.kind) {
        case JointKind::Fixed:
            break;
        case JointKind::Hinge:
            addLink(axisFrame(def.axes[0]).kind, joint, dof);
            break;
        case JointKind::Universal:
            addLink(axisFrame(def.axes[0]).kind, joint, dof);
            addLink(axisFrame(def.axes[1]).kind, joint, dof + 1);
            break;
        case JointKind::Ball:
            ball(dof);
            break;
        case JointKind::Free:
            if (skeleton_->planar()) {
                addLink(LinkKind::Slide, joint, dof);
                addLink(LinkKind::Slide, joint, dof + 1);
                addLink(LinkKind::TurnZ, joint, dof + 2);
            } else {
                addLink(LinkKind::Slide3, joint, dof);
                ball(dof + 3);
            }
            break;
        case JointKind::Prismatic:
            addLink(LinkKind::Slide, joint, dof);
            break;
    }
}

void Mechanism::build(const Skeleton& skeleton, std::span<const JointId> bodies,
                      const IkOptions& options) {
    skeleton_ = &skeleton;
    const std::size_t n = skeleton.jointCount();
    std::vector<std::uint8_t> needed(n, 0);
    for (const JointId body : bodies) {
        for (JointId j = body; j != JointId::None && needed[index(j)] == 0; j = skeleton.parent(j))
            needed[index(j)] = 1;
    }
    stiffness_.resize(n);
    moves_.assign(n, 1);
    for (std::size_t i = 0; i < n; ++i) {
        const JointDef& def = skeleton.joint(jointId(i));
        stiffness_[i] = def.stiffness;
        if (def.locked || skeleton.dofCount(jointId(i)) == 0) moves_[i] = 0;
        const bool below = options.chain == JointId::None || jointId(i) == options.chain ||
                           skeleton.isAncestor(options.chain, jointId(i));
        if (!below) moves_[i] = 0;
    }
    for (const JointId j : options.locked) moves_[index(j)] = 0;
    for (const JointStiffness& s : options.stiffness) stiffness_[index(s.joint)] = s.stiffness;
    has_vectors_ = false;
    active_.clear();
    links_.clear();
    columns_.clear();
    first_links_.assign(n, -1);
    mounts_.assign(n, {});
    rest_frames_.assign(n, {});
    last_base_.clear();
    upright_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const Quat& q = skeleton.rest(jointId(i)).rotation;
        rest_frames_[i] = frameOf(q, {});
        upright_[i] = q == Quat{} ? 1 : 0;
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (needed[i] == 0) continue;
        active_.push_back(jointId(i));
        if (moves_[i] != 0) addJoint(jointId(i));
    }
    bounded_columns_.clear();
    cone_links_.clear();
    ball_links_.clear();
    for (std::uint32_t c = 0; c < columns_.size(); ++c) {
        if (DofLimit{columns_[c].min, columns_[c].max}.bounded()) bounded_columns_.push_back(c);
    }
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
        if (links_[i].bounds == BallBounds::Cone) cone_links_.push_back(i);
        if (links_[i].kind == LinkKind::Ball) ball_links_.push_back(i);
    }
}

// Whether a base pose says the same as the last one, as far as rest transforms depend on it.
bool Mechanism::isAsBefore(const Pose& base) const {
    if (last_base_.size() != active_.size()) return false;
    for (std::size_t i = 0; i < active_.size(); ++i) {
        const JointId j = active_[i];
        const Trs& now = base[j];
        const Trs& last = last_base_[i];
        if (now.translation != last.translation || now.scale.x != last.scale.x) return false;
        if (moves_[index(j)] == 0 && now.rotation != last.rotation) return false;
    }
    return true;
}

void Mechanism::refresh(const Pose& base) {
    if (isAsBefore(base)) return;
    last_base_.clear();
    for (const JointId j : active_) last_base_.push_back(base[j]);
    origin_ = {};
    for (const JointId j : active_) {
        const JointDef& def = skeleton_->joint(j);
        const JointId parent = skeleton_->parent(j);
        const Mount above = parent == JointId::None ? Mount{} : mounts_[index(parent)];
        Mount& mount = mounts_[index(j)];
        // A joint that slides starts from its rest offset, others keep the base pose's stretch.
        const bool sliding = slides(def.kind);
        Vec3 offset = (sliding ? def.rest.translation : base[j].translation) * above.scale;
        mount.scale = above.scale * base[j].scale.x;
        if (parent == JointId::None && j == active_.front()) origin_ = base[j].translation;
        if (moves_[index(j)] == 0) {
            offset = base[j].translation * above.scale;
            if (parent == JointId::None) offset -= origin_;
            mount.link = above.link;
            mount.link_from_joint = above.link_from_joint * frameOf(base[j].rotation, offset);
            continue;
        }
        if (parent == JointId::None) offset -= origin_;
        // The joint's links: the first carries the rest transform, later ones the change of axes.
        std::size_t at = static_cast<std::size_t>(first_links_[index(j)]);
        int last = above.link;
        const Frame& rest = rest_frames_[index(j)];
        Frame from;
        if (upright_[index(j)] != 0 && isIdentity(above.link_from_joint))
            from.p = above.link_from_joint.p + offset;
        else
            from = above.link_from_joint * Frame{rest.x, rest.y, rest.z, offset};
        const auto place = [&](const Frame& before) -> Link& {
            Link& link = links_[at];
            link.parent = last;
            link.rest = before;
            link.turned = !isIdentity(before);
            last = static_cast<int>(at);
            ++at;
            return link;
        };
        const auto turnAxis = [&](const Vec3& axis) {
            const AxisFrame frame = axisFrame(axis);
            const Frame turn = frameOf(frame.rotation, {});
            place(from * turn);
            from = frameOf(conjugate(frame.rotation), {});
        };
        const auto ball = [&] {
            const bool one = links_[at].columns == 3;
            for (int i = 0; i < (one ? 1 : 3); ++i) {
                place(from);
                from = {};
            }
        };
        switch (def.kind) {
            case JointKind::Fixed:
                break;
            case JointKind::Hinge:
                turnAxis(def.axes[0]);
                break;
            case JointKind::Universal:
                turnAxis(def.axes[0]);
                turnAxis(def.axes[1]);
                break;
            case JointKind::Ball:
                ball();
                break;
            case JointKind::Free:
                if (skeleton_->planar()) {
                    place(from).axis = {above.scale, 0, 0};
                    place({}).axis = {0, above.scale, 0};
                    place({});
                } else {
                    place(from).slide_scale = above.scale;
                    from = {};
                    ball();
                }
                from = {};
                break;
            case JointKind::Prismatic:
                place(from).axis = def.axes[0] * above.scale;
                from = {};
                break;
        }
        mount.link = last;
        mount.link_from_joint = from;
    }
}

void Mechanism::setReach(double reach) {
    reach_ = reach;
    for (Column& column : columns_) {
        const double stiffness = 1.0 + stiffness_[index(links_[column.link].joint)];
        column.weight = column.angle ? stiffness : stiffness / (reach * reach);
    }
}

void Mechanism::load(std::span<const double> dofs, Coordinates& out) const {
    out.values.resize(columns_.size());
    out.turns.resize(links_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) out.values[c] = dofs[columns_[c].dof];
    for (const std::uint32_t i : ball_links_) {
        out.turns[i] = loadBall(skeleton_->joint(links_[i].joint), dofs.data() + links_[i].dof);
    }
}

void Mechanism::load(const Pose& pose, Coordinates& out) const {
    out.values.resize(columns_.size());
    out.turns.resize(links_.size());
    for (const JointId j : active_) {
        if (moves_[index(j)] == 0) continue;
        const JointDef& def = skeleton_->joint(j);
        const auto first = static_cast<std::size_t>(first_links_[index(j)]);
        if (links_[first].kind == LinkKind::Ball) {
            const Quat& q = pose[j].rotation;
            out.turns[first] =
                normalized(upright_[index(j)] != 0 ? q : conjugate(def.rest.rotation) * q);
            continue;
        }
        // The joint's columns are its numbers, in order.
        double* own = out.values.data() + links_[first].column;
        // Of all the turns an angle may stand for, the one its bounds are about.
        for (std::size_t k = 0; k < skeleton_->dofCount(j); ++k) {
            const Column& column = columns_[links_[first].column + k];
            const bool both = std::isfinite(column.min) && std::isfinite(column.max);
            own[k] = both ? 0.5 * (column.min + column.max)
                          : std::min(std::max(0.0, column.min), column.max);
        }
        computeJointDofs(*skeleton_, j, pose[j], own);
        if (def.kind == JointKind::Free && links_[first + 1].kind == LinkKind::Ball)
            out.turns[first + 1] = normalized(conjugate(def.rest.rotation) * pose[j].rotation);
    }
}

void Mechanism::store(const Coordinates& coordinates, Pose& pose) const {
    for (const JointId j : active_) {
        if (moves_[index(j)] == 0) continue;
        const JointDef& def = skeleton_->joint(j);
        const auto first = static_cast<std::size_t>(first_links_[index(j)]);
        if (links_[first].kind == LinkKind::Ball) {
            pose[j].rotation = def.rest.rotation * coordinates.turns[first];
            continue;
        }
        const Trs made =
            computeJointTransform(*skeleton_, j, coordinates.values.data() + links_[first].column);
        if (slides(def.kind)) pose[j].translation = made.translation;
        pose[j].rotation = def.kind == JointKind::Free && links_[first + 1].kind == LinkKind::Ball
                               ? def.rest.rotation * coordinates.turns[first + 1]
                               : made.rotation;
    }
}

void Mechanism::clamp(Coordinates& coordinates) const {
    for (const std::uint32_t c : bounded_columns_) {
        double& value = coordinates.values[c];
        value = std::min(std::max(value, columns_[c].min), columns_[c].max);
    }
    for (const std::uint32_t i : ball_links_) {
        if (links_[i].bounds == BallBounds::None) continue;
        coordinates.turns[i] = allowed(links_[i], coordinates.turns[i]);
    }
}

void Mechanism::store(const Coordinates& coordinates, std::span<double> dofs) const {
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const Link& link = links_[i];
        double* own = dofs.data() + link.dof;
        if (link.kind == LinkKind::Ball) {
            const Vec3 v = computeBallAngles(skeleton_->joint(link.joint), coordinates.turns[i],
                                             {own[0], own[1], own[2]});
            for (std::size_t k = 0; k < 3; ++k) own[k] = v[k];
        } else {
            for (std::size_t k = 0; k < link.columns; ++k)
                own[k] = coordinates.values[link.column + k];
        }
    }
}

}  // namespace ulna::ik::detail
