// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/skeleton_moves.h"

#include <algorithm>
#include <cmath>

#include "ulna/skeleton/jacobian.h"

namespace ulna::fit::detail {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

bool hasBounds(const JointDef& def, std::size_t first, std::size_t count) {
    for (std::size_t k = first; k < first + count; ++k)
        if (def.limits[k].bounded()) return true;
    return false;
}

}  // namespace

void SkeletonMoves::build(const Skeleton& skeleton, std::span<const JointId> locked,
                          Options options) {
    skeleton_ = &skeleton;
    joints_.assign(skeleton.jointCount(), {});
    moves_.clear();
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const bool held = skeleton.joint(jointId(j)).locked ||
                          std::find(locked.begin(), locked.end(), jointId(j)) != locked.end();
        joints_[j].first = static_cast<std::uint32_t>(moves_.size());
        if (!held) addJoint(jointId(j), options);
    }
}

void SkeletonMoves::addJoint(JointId joint, const Options& options) {
    const JointDef& def = skeleton_->joint(joint);
    JointMoves& own = joints_[index(joint)];
    const bool planar = skeleton_->planar();
    const bool root = skeleton_->parent(joint) == JointId::None;
    const bool freed = root && options.move_roots && def.kind != JointKind::Free;
    const JointKind kind = freed ? JointKind::Free : def.kind;
    // Where the numbers of turns and slides begin among the joint's limits.
    const std::size_t first_turn = kind == JointKind::Free ? (planar ? 2 : 3) : 0;
    const bool limited = options.limits && !freed;
    switch (kind) {
        case JointKind::Fixed:
            break;
        case JointKind::Hinge:
            own.turning = Turning::Numbers;
            own.turns = 1;
            break;
        case JointKind::Universal:
            own.turning = Turning::Numbers;
            own.turns = 2;
            break;
        case JointKind::Ball:
        case JointKind::Free:
            own.turns = planar ? 1 : 3;
            own.cone = limited && def.cone.has_value() && !planar;
            own.turning = (limited && !own.cone && hasBounds(def, first_turn, own.turns)) || planar
                              ? Turning::Numbers
                              : Turning::Ball;
            if (kind == JointKind::Free) own.slides = planar ? 2 : 3;
            break;
        case JointKind::Prismatic:
            own.slides = 1;
            own.along_axis = true;
            break;
    }
    const auto addMove = [&](MoveKind what, std::size_t part, std::size_t number) {
        Move move{static_cast<std::uint32_t>(index(joint)), what, static_cast<std::uint8_t>(part),
                  -kUnbounded, kUnbounded};
        if (limited && what != MoveKind::BallTurn) {
            move.min = def.limits[number].min;
            move.max = def.limits[number].max;
        }
        moves_.push_back(move);
    };
    for (std::size_t k = 0; k < own.turns; ++k)
        addMove(own.turning == Turning::Ball ? MoveKind::BallTurn : MoveKind::Turn, k,
                first_turn + k);
    for (std::size_t k = 0; k < own.slides; ++k) addMove(MoveKind::Slide, k, k);
}

Quat SkeletonMoves::numbersRotation(const JointDef& def, const Vec3& angles) const {
    if (def.kind == JointKind::Hinge) return quatFromAxisAngle(def.axes[0], angles.x);
    if (def.kind == JointKind::Universal)
        return quatFromAxisAngle(def.axes[0], angles.x) * quatFromAxisAngle(def.axes[1], angles.y);
    if (skeleton_->planar()) return quatFromAxisAngle(Vec3{0, 0, 1}, angles.x);
    const double numbers[3] = {angles.x, angles.y, angles.z};
    return state_internal::ballRotation(def, numbers);
}

Vec3 SkeletonMoves::slideAxis(const JointDef& def, const JointMoves& own, std::size_t k) const {
    if (own.along_axis) return def.axes[0];
    Vec3 axis;
    axis[k] = 1.0;
    return axis;
}

// Writes a joint's transform from its numbers; a ball's rotation is there already.
void SkeletonMoves::place(std::size_t joint, MoveState& state) const {
    const JointMoves& own = joints_[joint];
    const JointDef& def = skeleton_->joint(jointId(joint));
    Trs& out = state.parent_from_joint[joint];
    if (own.turning == Turning::Numbers)
        out.rotation = def.rest.rotation * numbersRotation(def, state.angles[joint]);
    if (own.slides == 0) return;
    Vec3 offset;
    for (std::size_t k = 0; k < own.slides; ++k)
        offset += slideAxis(def, own, k) * state.slides[joint][k];
    out.translation = def.rest.translation + rotate(def.rest.rotation, offset);
}

void SkeletonMoves::load(const Pose& pose, MoveState& out) const {
    out.parent_from_joint.resize(joints_.size());
    out.angles.resize(joints_.size());
    out.slides.resize(joints_.size());
    std::copy(pose.parent_from_joint.begin(), pose.parent_from_joint.end(),
              out.parent_from_joint.begin());
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const JointMoves& own = joints_[j];
        const JointDef& def = skeleton_->joint(jointId(j));
        Trs& at = out.parent_from_joint[j];
        at.rotation = normalized(at.rotation);
        const Quat turn = conjugate(def.rest.rotation) * at.rotation;
        if (own.turning == Turning::Ball && own.cone)
            at.rotation = normalized(def.rest.rotation * clampToCone(*def.cone, turn));
        if (own.turning == Turning::Numbers && skeleton_->planar() &&
            def.kind != JointKind::Hinge && def.kind != JointKind::Free) {
            out.angles[j].x = 2.0 * std::atan2(turn.z, turn.w);  // a root that was set free
        } else if (own.turning == Turning::Numbers) {
            double numbers[6] = {};
            computeJointDofs(*skeleton_, jointId(j), at, numbers);
            const std::size_t skip = skeleton_->dofCount(jointId(j)) - own.turns;
            for (std::size_t k = 0; k < own.turns; ++k) {
                const Move& move = moves_[own.first + k];
                const bool bounded = move.min > -kUnbounded && move.max < kUnbounded;
                // Whole turns are nobody's wish: the ones nearest to the middle of the bounds.
                const double middle = bounded ? 0.5 * (move.min + move.max) : numbers[skip + k];
                const bool whole_turns = def.coordinates == BallCoordinates::Euler || own.turns < 3;
                const double near =
                    whole_turns ? unwrapAngle(numbers[skip + k], middle) : numbers[skip + k];
                out.angles[j][k] = std::clamp(near, move.min, move.max);
            }
        }
        const Vec3 offset =
            rotate(conjugate(def.rest.rotation), at.translation - def.rest.translation);
        for (std::size_t k = 0; k < own.slides; ++k) {
            const Move& move = moves_[own.first + own.turns + k];
            out.slides[j][k] = std::clamp(dot(offset, slideAxis(def, own, k)), move.min, move.max);
        }
        place(j, out);
    }
}

SkeletonMoves::ConeFrame SkeletonMoves::coneFrame(const ConeLimit& cone, const Quat& turn) const {
    const SwingTwist split = splitSwingTwist(turn, cone.axis);
    ConeFrame out;
    const Vec3 swing = quatLog(split.swing);
    out.swing = length(swing);
    out.twist = split.twist_angle;
    const Vec3 bone = rotate(turn, cone.axis);
    // Straight, every direction of swing is alike.
    out.axes[0] = normalizedOr(cross(cone.axis, bone), anyPerpendicular(cone.axis));
    // Along the cone without a twist; folded back, there is no such way.
    const Vec3 around = cross(bone, out.axes[0]);
    out.axes[1] = normalizedOr(bone - cone.axis, around);
    if (dot(out.axes[1], around) < 0.0) out.axes[1] = -out.axes[1];
    if (std::abs(dot(out.axes[1], bone)) > 0.999 || out.swing < 1e-6) out.axes[1] = around;
    out.axes[2] = bone;
    return out;
}

void SkeletonMoves::retract(const MoveState& from, std::span<const double> step,
                            MoveState& to) const {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const JointMoves& own = joints_[j];
        const JointDef& def = skeleton_->joint(jointId(j));
        if (own.turns + own.slides == 0) continue;
        for (std::size_t k = 0; k < own.turns && own.turning == Turning::Numbers; ++k) {
            const Move& move = moves_[own.first + k];
            to.angles[j][k] =
                std::clamp(from.angles[j][k] + step[own.first + k], move.min, move.max);
        }
        for (std::size_t k = 0; k < own.slides; ++k) {
            const Move& move = moves_[own.first + own.turns + k];
            to.slides[j][k] =
                std::clamp(from.slides[j][k] + step[own.first + own.turns + k], move.min, move.max);
        }
        if (own.turning == Turning::Ball) {
            const Quat turn = conjugate(def.rest.rotation) * from.parent_from_joint[j].rotation;
            Vec3 by{step[own.first], step[own.first + 1], step[own.first + 2]};
            if (own.cone) {
                const ConeFrame frame = coneFrame(*def.cone, turn);
                by = frame.axes[0] * by.x + frame.axes[1] * by.y + frame.axes[2] * by.z;
            }
            Quat turned = normalized(quatExp(by) * turn);
            if (own.cone) turned = clampToCone(*def.cone, turned);
            to.parent_from_joint[j].rotation = normalized(def.rest.rotation * turned);
        }
        place(j, to);
    }
}

void SkeletonMoves::computeRoom(const MoveState& state, std::span<double> down,
                                std::span<double> up) const {
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const Move& move = moves_[i];
        down[i] = -kUnbounded;
        up[i] = kUnbounded;
        if (move.kind == MoveKind::BallTurn) continue;
        const double value = move.kind == MoveKind::Turn ? state.angles[move.joint][move.part]
                                                         : state.slides[move.joint][move.part];
        down[i] = move.min - value;
        up[i] = move.max - value;
    }
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const JointMoves& own = joints_[j];
        if (!own.cone) continue;
        const JointDef& def = skeleton_->joint(jointId(j));
        const Quat turn = conjugate(def.rest.rotation) * state.parent_from_joint[j].rotation;
        const ConeFrame frame = coneFrame(*def.cone, turn);
        up[own.first] = def.cone->swing_max - frame.swing;
        const bool all_around = def.cone->twist_max - def.cone->twist_min >= kTwoPi;
        if (all_around) continue;
        down[own.first + 2] = std::min(0.0, def.cone->twist_min - frame.twist);
        up[own.first + 2] = std::max(0.0, def.cone->twist_max - frame.twist);
    }
}

void SkeletonMoves::computeTwists(const MoveState& state, std::span<const Affine> model_from_joint,
                                  std::span<const Quat> orientations, const Vec3& origin,
                                  std::span<Twist> out) const {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const JointMoves& own = joints_[j];
        if (own.turns + own.slides == 0) continue;
        const JointDef& def = skeleton_->joint(jointId(j));
        const JointId parent = skeleton_->parent(jointId(j));
        Quat frame = def.rest.rotation;
        double scale = 1.0;
        if (parent != JointId::None) {
            frame = orientations[index(parent)] * frame;
            scale = length(model_from_joint[index(parent)].column(0));
        }
        Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        if (own.turning == Turning::Numbers) {
            const Vec3& angles = state.angles[j];
            if (def.kind == JointKind::Hinge)
                axes[0] = def.axes[0];
            else if (def.kind == JointKind::Universal) {
                axes[0] = def.axes[0];
                axes[1] = rotate(quatFromAxisAngle(def.axes[0], angles.x), def.axes[1]);
            } else if (skeleton_->planar()) {
                axes[0] = {0, 0, 1};
            } else {
                const double numbers[3] = {angles.x, angles.y, angles.z};
                const std::array<Vec3, 3> ball = ballAxes(def, numbers);
                std::copy(ball.begin(), ball.end(), axes);
            }
        } else if (own.cone) {
            const Quat turn = conjugate(def.rest.rotation) * state.parent_from_joint[j].rotation;
            const ConeFrame cone = coneFrame(*def.cone, turn);
            std::copy(cone.axes, cone.axes + 3, axes);
        }
        const Vec3 place = model_from_joint[j].translation() - origin;
        for (std::size_t k = 0; k < own.turns; ++k) {
            const Vec3 axis = rotate(frame, axes[k]);
            out[own.first + k] = {axis, cross(place, axis)};
        }
        for (std::size_t k = 0; k < own.slides; ++k)
            out[own.first + own.turns + k] = {{}, rotate(frame, slideAxis(def, own, k)) * scale};
    }
}

void SkeletonMoves::computeWay(const MoveState& from, const MoveState& to, WayAs as,
                               std::span<double> out) const {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const JointMoves& own = joints_[j];
        Vec3 turned = to.angles[j] - from.angles[j];
        if (own.turning == Turning::Ball) {
            const JointDef& def = skeleton_->joint(jointId(j));
            const Quat back = conjugate(def.rest.rotation);
            const Quat turn = back * to.parent_from_joint[j].rotation;
            turned = quatLog(turn * conjugate(back * from.parent_from_joint[j].rotation));
            if (own.cone && as == WayAs::Slopes) {
                const ConeFrame cone = coneFrame(*def.cone, turn);
                turned = {dot(turned, cone.axes[0]), dot(turned, cone.axes[1]),
                          dot(turned, cone.axes[2])};
            }
        }
        for (std::size_t k = 0; k < own.turns; ++k) out[own.first + k] = turned[k];
        for (std::size_t k = 0; k < own.slides; ++k)
            out[own.first + own.turns + k] = to.slides[j][k] - from.slides[j][k];
    }
}

void SkeletonMoves::computeConeBends(const MoveState& state, std::span<const std::uint8_t> held,
                                     std::span<const double> descent, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const JointMoves& own = joints_[j];
        if (!own.cone || !held[own.first]) continue;
        const JointDef& def = skeleton_->joint(jointId(j));
        const Quat turn = conjugate(def.rest.rotation) * state.parent_from_joint[j].rotation;
        const double swing = coneFrame(*def.cone, turn).swing;
        // A cone closed to a line does not bend: there is no way along it.
        if (swing > 1e-6) out[own.first + 1] = 0.5 * descent[own.first] / std::tan(0.5 * swing);
    }
}

void SkeletonMoves::evenBalls(std::span<double> values) const {
    for (const JointMoves& own : joints_) {
        if (own.turning != Turning::Ball) continue;
        double* at = values.data() + own.first;
        at[0] = at[1] = at[2] = (at[0] + at[1] + at[2]) / 3.0;
    }
}

}  // namespace ulna::fit::detail
