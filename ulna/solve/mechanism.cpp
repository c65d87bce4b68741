// SPDX-License-Identifier: Apache-2.0
#include "ulna/solve/mechanism.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ulna/skeleton/jacobian.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

RigidFrame frameOf(const Quat& rotation, const Vec3& position) {
    const Mat3 m = toMatrix(rotation);
    return {m.column(0), m.column(1), m.column(2), position};
}

// The rotation that takes z to an axis, and the kind of link that rotates about that axis in its
// own frame: the coordinate axes need no rotation.
struct AxisFrame {
    LinkKind kind = LinkKind::RotateZ;
    Quat rotation = {};
};
AxisFrame axisFrame(const Vec3& axis) {
    if (axis == Vec3{1, 0, 0}) return {LinkKind::RotateX, {}};
    if (axis == Vec3{0, 1, 0}) return {LinkKind::RotateY, {}};
    if (axis == Vec3{0, 0, 1}) return {LinkKind::RotateZ, {}};
    return {LinkKind::RotateZ, quatBetween({0, 0, 1}, axis)};
}

LinkKind rotationAbout(int axis) {
    return axis == 0 ? LinkKind::RotateX : axis == 1 ? LinkKind::RotateY : LinkKind::RotateZ;
}

bool isIdentity(const RigidFrame& f) {
    return f.x == Vec3{1, 0, 0} && f.y == Vec3{0, 1, 0} && f.z == Vec3{0, 0, 1};
}

std::size_t firstAngle(const JointDef& def) {
    return def.kind == JointKind::Free ? 3 : 0;
}

// Whether a ball's angles have limits of their own, so that they must be the solver's coordinates.
bool boundedByAngle(const JointDef& def) {
    for (std::size_t i = firstAngle(def); i < firstAngle(def) + 3; ++i) {
        if (def.limits[i].bounded()) return true;
    }
    return false;
}

Quat loadBall(const JointDef& def, const double* angles) {
    return computeBallRotation(def, Vec3{angles[0], angles[1], angles[2]});
}

}  // namespace

Mechanism::Link& Mechanism::addLink(LinkKind kind, JointId joint, std::size_t dof) {
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
        const bool limited = kind != LinkKind::Ball && isLimited(joint);
        const DofLimit limit = limited ? skeleton_->dofLimits()[dof + i] : DofLimit{};
        columns_.push_back({limit.min, limit.max, 1.0 + stiffness_[index(joint)],
                            static_cast<std::uint32_t>(dof + i),
                            static_cast<std::uint32_t>(links_.size()), angle});
    }
    links_.push_back(link);
    return links_.back();
}

void Mechanism::addBall(JointId joint, std::size_t dof) {
    const JointDef& def = skeleton_->joint(joint);
    if (!isLimited(joint) || !boundedByAngle(def)) {
        addLink(LinkKind::Ball, joint, dof).cone = isLimited(joint) && def.cone.has_value();
        return;
    }
    if (def.coordinates == BallCoordinates::RotationVector) {
        addLink(LinkKind::Vector, joint, dof);
        has_vectors_ = true;
        return;
    }
    const std::array<int, 3> axes = eulerAxes(def.order);
    for (std::size_t i = 0; i < 3; ++i) addLink(rotationAbout(axes[i]), joint, dof + i);
}

void Mechanism::addJoint(JointId joint) {
    const JointDef& def = skeleton_->joint(joint);
    const std::size_t dof = skeleton_->firstDof(joint);
    first_links_[index(joint)] = static_cast<int>(links_.size());
    switch (kinds_[index(joint)]) {
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
            addBall(joint, dof);
            break;
        case JointKind::Free:
            if (skeleton_->planar()) {
                addLink(LinkKind::Slide, joint, dof);
                addLink(LinkKind::Slide, joint, dof + 1);
                addLink(LinkKind::RotateZ, joint, dof + 2);
            } else {
                addLink(LinkKind::Slide3, joint, dof);
                addBall(joint, dof + 3);
            }
            break;
        case JointKind::Prismatic:
            addLink(LinkKind::Slide, joint, dof);
            break;
    }
}

void Mechanism::chooseMoving(const MechanismOptions& options) {
    limits_ = options.limits;
    kinds_.resize(skeleton_->jointCount());
    stiffness_.resize(skeleton_->jointCount());
    moves_.assign(skeleton_->jointCount(), 1);
    for (const JointId j : skeleton_->joints()) {
        const JointDef& def = skeleton_->joint(j);
        stiffness_[index(j)] = def.stiffness;
        const bool freed = options.free_roots && skeleton_->parent(j) == JointId::None;
        kinds_[index(j)] = freed ? JointKind::Free : def.kind;
        if (def.locked || kinds_[index(j)] == JointKind::Fixed) moves_[index(j)] = 0;
        const bool below = options.chain == JointId::None || j == options.chain ||
                           skeleton_->isAncestor(options.chain, j);
        if (!below) moves_[index(j)] = 0;
    }
    for (const JointId j : options.locked) moves_[index(j)] = 0;
    for (const JointStiffness& s : options.stiffness) stiffness_[index(s.joint)] = s.stiffness;
}

// Coupled joints move together or not at all, and all of them belong to a mechanism that has one.
// What carries them there, and moves no body, is not moved.
void Mechanism::includeCoupled(std::vector<std::uint8_t>& needed) {
    constexpr std::uint8_t kCarries = 2;
    const std::span<const DofCoupling> all = skeleton_->couplings();
    const auto joints = [&](const DofCoupling& c) {
        return std::array{index(skeleton_->jointOfDof(c.leader)),
                          index(skeleton_->jointOfDof(c.dof))};
    };
    // Twice: what one follower does to its leader, the leader does to the others.
    for (int pass = 0; pass < 2; ++pass) {
        for (const DofCoupling& c : all) {
            const auto [leader, follower] = joints(c);
            if (moves_[leader] == 0 || moves_[follower] == 0) moves_[leader] = moves_[follower] = 0;
        }
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (const DofCoupling& c : all) {
            const auto [leader, follower] = joints(c);
            if (moves_[leader] != 0 && (needed[leader] == 1 || needed[follower] == 1))
                needed[leader] = needed[follower] = 1;
        }
    }
    for (std::size_t i = needed.size(); i-- > 0;) {
        const JointId parent = skeleton_->parent(jointId(i));
        if (needed[i] == 0 || parent == JointId::None) continue;
        if (needed[index(parent)] == 0) needed[index(parent)] = kCarries;
    }
    for (std::size_t i = 0; i < needed.size(); ++i) {
        if (needed[i] == kCarries) moves_[i] = 0;
    }
}

void Mechanism::listCouplings() {
    couplings_.clear();
    const auto columnOf = [&](std::size_t dof) {
        const int link = first_links_[index(skeleton_->jointOfDof(dof))];
        return links_[static_cast<std::size_t>(link)].column;
    };
    for (const DofCoupling& c : skeleton_->couplings()) {
        if (first_links_[index(skeleton_->jointOfDof(c.dof))] < 0) continue;
        couplings_.push_back({columnOf(c.dof), columnOf(c.leader), c.factor, c.offset});
        // Its leader keeps it within its limits.
        Column& column = columns_[couplings_.back().column];
        column.min = -std::numeric_limits<double>::infinity();
        column.max = std::numeric_limits<double>::infinity();
    }
}

void Mechanism::listSpecialLinks() {
    bounded_columns_.clear();
    cone_links_.clear();
    ball_links_.clear();
    for (std::uint32_t c = 0; c < columns_.size(); ++c) {
        if (DofLimit{columns_[c].min, columns_[c].max}.bounded()) bounded_columns_.push_back(c);
    }
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
        if (links_[i].cone) cone_links_.push_back(i);
        if (links_[i].kind == LinkKind::Ball) ball_links_.push_back(i);
    }
}

void Mechanism::build(const Skeleton& skeleton, std::span<const JointId> bodies,
                      const MechanismOptions& options) {
    skeleton_ = &skeleton;
    const std::size_t n = skeleton.jointCount();
    std::vector<std::uint8_t> needed(n, 0);
    for (const JointId body : bodies) {
        for (JointId j = body; j != JointId::None && needed[index(j)] == 0; j = skeleton.parent(j))
            needed[index(j)] = 1;
    }
    chooseMoving(options);
    if (!skeleton.couplings().empty()) includeCoupled(needed);
    has_vectors_ = false;
    active_.clear();
    links_.clear();
    columns_.clear();
    last_base_.clear();
    first_links_.assign(n, -1);
    mounts_.assign(n, {});
    rest_frames_.assign(n, {});
    upright_.assign(n, 0);
    for (const JointId j : skeleton.joints()) {
        const Quat& q = skeleton.rest(j).rotation;
        rest_frames_[index(j)] = frameOf(q, {});
        upright_[index(j)] = q == Quat{} ? 1 : 0;
    }
    for (const JointId j : skeleton.joints()) {
        if (needed[index(j)] == 0) continue;
        active_.push_back(j);
        if (moves_[index(j)] != 0) addJoint(j);
    }
    listCouplings();
    listSpecialLinks();
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
    for (const JointId j : active_) mountJoint(j, base);
}

void Mechanism::mountJoint(JointId joint, const Pose& base) {
    const JointDef& def = skeleton_->joint(joint);
    const JointId parent = skeleton_->parent(joint);
    const bool root = parent == JointId::None;
    const Mount above = root ? Mount{} : mounts_[index(parent)];
    const Trs& own = base[joint];
    Mount& mount = mounts_[index(joint)];
    mount.scale = above.scale * own.scale.x;
    if (root && joint == active_.front()) origin_ = own.translation;
    const bool moves = moves_[index(joint)] != 0;
    // A joint that slides starts from its rest offset; others keep the base pose's stretch.
    Vec3 offset = (moves && slides(kinds_[index(joint)]) ? def.rest.translation : own.translation) *
                  above.scale;
    if (root) offset -= origin_;
    if (!moves) {
        mount.link = above.link;
        mount.link_from_joint = above.link_from_joint * frameOf(own.rotation, offset);
        return;
    }
    const RigidFrame& rest = rest_frames_[index(joint)];
    RigidFrame from;
    if (upright_[index(joint)] != 0 && isIdentity(above.link_from_joint))
        from.p = above.link_from_joint.p + offset;
    else
        from = above.link_from_joint * RigidFrame{rest.x, rest.y, rest.z, offset};
    placeLinks(joint, above, from);
}

// Gives a joint's links their rest frames: the first carries the rest transform `from`, later ones
// the change of axes.
void Mechanism::placeLinks(JointId joint, const Mount& above, RigidFrame from) {
    const JointDef& def = skeleton_->joint(joint);
    auto at = static_cast<std::size_t>(first_links_[index(joint)]);
    int last = above.link;
    const auto put = [&](const RigidFrame& rest) -> Link& {
        Link& link = links_[at];
        link.parent = last;
        link.rest = rest;
        link.rotated = !isIdentity(rest);
        last = static_cast<int>(at);
        ++at;
        from = {};
        return link;
    };
    const auto hinge = [&](const Vec3& axis) {
        const AxisFrame frame = axisFrame(axis);
        put(from * frameOf(frame.rotation, {}));
        from = frameOf(conjugate(frame.rotation), {});
    };
    const auto ball = [&] {
        const bool one = links_[at].columns == 3;
        for (int i = 0; i < (one ? 1 : 3); ++i) put(from);
    };
    switch (kinds_[index(joint)]) {
        case JointKind::Fixed:
            break;
        case JointKind::Hinge:
            hinge(def.axes[0]);
            break;
        case JointKind::Universal:
            hinge(def.axes[0]);
            hinge(def.axes[1]);
            break;
        case JointKind::Ball:
            ball();
            break;
        case JointKind::Free:
            if (skeleton_->planar()) {
                put(from).axis = {above.scale, 0, 0};
                put({}).axis = {0, above.scale, 0};
                put({});
            } else {
                put(from).slide_scale = above.scale;
                ball();
            }
            break;
        case JointKind::Prismatic:
            put(from).axis = def.axes[0] * above.scale;
            break;
    }
    mounts_[index(joint)].link = last;
    mounts_[index(joint)].link_from_joint = from;
}

void Mechanism::setReach(double reach) {
    reach_ = reach;
    for (Column& column : columns_) {
        const double stiffness = 1.0 + stiffness_[index(links_[column.link].joint)];
        column.weight = column.angle ? stiffness : stiffness / (reach * reach);
    }
}

void Mechanism::load(std::span<const double> dofs, MechanismState& out) const {
    out.values.resize(columns_.size());
    out.rotations.resize(links_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) out.values[c] = dofs[columns_[c].dof];
    for (const std::uint32_t i : ball_links_) {
        out.rotations[i] = loadBall(skeleton_->joint(links_[i].joint), dofs.data() + links_[i].dof);
    }
    couple(out);
}

// A root that is set free: displacements in the frame of its rest rotation, and its rotation.
void Mechanism::loadFreed(JointId joint, const Trs& own, MechanismState& out) const {
    const Trs& rest = skeleton_->rest(joint);
    const auto first = static_cast<std::size_t>(first_links_[index(joint)]);
    double* values = out.values.data() + links_[first].column;
    const Vec3 offset = rotate(conjugate(rest.rotation), own.translation - rest.translation);
    const Quat rotation = normalized(conjugate(rest.rotation) * own.rotation);
    values[0] = offset.x;
    values[1] = offset.y;
    if (skeleton_->planar()) {
        values[2] = 2.0 * std::atan2(rotation.z, rotation.w);
    } else {
        values[2] = offset.z;
        out.rotations[first + 1] = rotation;
    }
}

void Mechanism::storeFreed(JointId joint, const MechanismState& state, Trs& own) const {
    const Trs& rest = skeleton_->rest(joint);
    const auto first = static_cast<std::size_t>(first_links_[index(joint)]);
    const double* values = state.values.data() + links_[first].column;
    const bool planar = skeleton_->planar();
    const Vec3 offset{values[0], values[1], planar ? 0.0 : values[2]};
    own.translation = rest.translation + rotate(rest.rotation, offset);
    own.rotation = rest.rotation * (planar ? quatFromAxisAngle(Vec3{0, 0, 1}, values[2])
                                           : state.rotations[first + 1]);
}

void Mechanism::load(const Pose& pose, MechanismState& out) const {
    out.values.resize(columns_.size());
    out.rotations.resize(links_.size());
    for (const JointId j : active_) {
        if (moves_[index(j)] == 0) continue;
        if (isFreed(j)) {
            loadFreed(j, pose[j], out);
            continue;
        }
        const JointDef& def = skeleton_->joint(j);
        const auto first = static_cast<std::size_t>(first_links_[index(j)]);
        if (links_[first].kind == LinkKind::Ball) {
            const Quat& q = pose[j].rotation;
            out.rotations[first] =
                normalized(upright_[index(j)] != 0 ? q : conjugate(def.rest.rotation) * q);
            continue;
        }
        // The joint's columns are its degrees of freedom, in order.
        const std::span<double> own =
            std::span(out.values).subspan(links_[first].column, skeleton_->dofCount(j));
        // Of all the angles that give the same rotation, those inside the limits, and near their
        // middle.
        for (std::size_t k = 0; k < own.size(); ++k) {
            const Column& column = columns_[links_[first].column + k];
            const bool both = std::isfinite(column.min) && std::isfinite(column.max);
            own[k] = both ? 0.5 * (column.min + column.max)
                          : std::min(std::max(0.0, column.min), column.max);
        }
        computeJointDofs(*skeleton_, j, pose[j], own);
        if (limits_) turnIntoLimits(*skeleton_, j, own);
        if (def.kind == JointKind::Free && links_[first + 1].kind == LinkKind::Ball)
            out.rotations[first + 1] = normalized(conjugate(def.rest.rotation) * pose[j].rotation);
    }
    findRevolutions(out);
    couple(out);
}

// A pose does not tell the revolutions of an angle, but what follows it does: the nearest ones that
// agree with it are taken.
void Mechanism::findRevolutions(MechanismState& state) const {
    constexpr double kRounding = 1e-6;
    const auto disagreement = [&](std::uint32_t leader, double value) {
        double sum = 0.0;
        for (const Coupling& c : couplings_) {
            if (c.leader != leader) continue;
            const double off = c.factor * value + c.offset - state.values[c.column];
            sum += std::abs(columns_[c.column].angle ? wrapAngle(off) : off);
        }
        return sum;
    };
    for (const Coupling& c : couplings_) {
        const Column& column = columns_[c.leader];
        if (!column.angle || column.max - column.min < kTwoPi) continue;
        const double seen = state.values[c.leader];
        double least = disagreement(c.leader, seen);
        for (const double revolutions : {1.0, -1.0, 2.0, -2.0}) {
            const double value = seen + kTwoPi * revolutions;
            const double off = disagreement(c.leader, value);
            if (value < column.min || value > column.max || off > least - kRounding) continue;
            state.values[c.leader] = value;
            least = off;
        }
    }
}

void Mechanism::store(const MechanismState& state, Pose& pose) const {
    for (const JointId j : active_) {
        if (moves_[index(j)] == 0) continue;
        if (isFreed(j)) {
            storeFreed(j, state, pose[j]);
            continue;
        }
        const JointDef& def = skeleton_->joint(j);
        const auto first = static_cast<std::size_t>(first_links_[index(j)]);
        if (links_[first].kind == LinkKind::Ball) {
            pose[j].rotation = def.rest.rotation * state.rotations[first];
            continue;
        }
        const Trs made = computeJointTransform(
            *skeleton_, j,
            std::span(state.values).subspan(links_[first].column, skeleton_->dofCount(j)));
        if (slides(def.kind)) pose[j].translation = made.translation;
        pose[j].rotation = def.kind == JointKind::Free && links_[first + 1].kind == LinkKind::Ball
                               ? def.rest.rotation * state.rotations[first + 1]
                               : made.rotation;
    }
}

void Mechanism::countRevolutions(bool count) {
    if (count == counts_revolutions_) return;
    counts_revolutions_ = count;
    const double infinity = std::numeric_limits<double>::infinity();
    for (const std::uint32_t c : bounded_columns_) {
        Column& column = columns_[c];
        const DofLimit& limit = skeleton_->dofLimits()[column.dof];
        // What follows an angle knows its revolutions.
        if (!column.angle || leads(c) || limit.max - limit.min < kTwoPi ||
            links_[column.link].kind == LinkKind::Vector)
            continue;
        column.min = count ? limit.min : -infinity;
        column.max = count ? limit.max : infinity;
    }
}

void Mechanism::clamp(MechanismState& state) const {
    for (const std::uint32_t c : bounded_columns_) {
        double& value = state.values[c];
        value = std::min(std::max(value, columns_[c].min), columns_[c].max);
    }
    couple(state);
    for (const std::uint32_t i : ball_links_) {
        if (!links_[i].cone) continue;
        state.rotations[i] = allowed(links_[i], state.rotations[i]);
    }
}

void Mechanism::store(const MechanismState& state, std::span<double> dofs) const {
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const Link& link = links_[i];
        double* own = dofs.data() + link.dof;
        if (link.kind == LinkKind::Ball) {
            const Vec3 v = computeBallAngles(skeleton_->joint(link.joint), state.rotations[i],
                                             {own[0], own[1], own[2]});
            for (std::size_t k = 0; k < 3; ++k) own[k] = v[k];
        } else {
            for (std::size_t k = 0; k < link.columns; ++k) own[k] = state.values[link.column + k];
        }
    }
}

}  // namespace ulna
