// SPDX-License-Identifier: Apache-2.0

// With A = joint_from_anatomical, a joint's new transform is A_parent^-1 P A: the same places, new
// axes. A is chosen so that in the T-pose the new axes are the anatomical ones of the body.
#include "ulna/skeleton/anatomy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "ulna/skeleton/detail/found_roles.h"
#include "ulna/skeleton/detail/human_ranges.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/scale.h"

namespace ulna {
namespace {

using skeleton::detail::BodyPart;
using skeleton::detail::boneOf;
using skeleton::detail::HumanRange;
using skeleton::detail::NamedBody;
using skeleton::detail::NamedPart;

constexpr std::array kSides = {BodySide::Left, BodySide::Right};

// Limbs that lie otherwise than in a T-pose shift their ranges: said, since files often do.
void warnAboutPose(const Skeleton& skeleton, const ModelPose& model, const NamedBody& body,
                   Warnings& warnings) {
    constexpr double kFarOff = radians(35);  // an A-pose is 40 to 60 degrees off
    for (const BodyPart part : {BodyPart::Shoulder, BodyPart::Hip}) {
        for (const BodySide side : kSides) {
            const JointId j = body.find(part, side);
            if (j == JointId::None) continue;
            Vec3 bone = boneOf(skeleton, model, body, j);
            if (side == BodySide::Right) bone.x = -bone.x;
            const Vec3 wanted = skeleton::detail::humanRange(part).bone;
            const double off = std::atan2(length(cross(bone, wanted)), dot(bone, wanted));
            if (!(off > kFarOff)) continue;
            warnings.push_back(
                {"'" + skeleton.name(j) + "' is " + std::to_string(std::lround(degrees(off))) +
                     " degrees off a T-pose, and its range with it",
                 {},
                 {},
                 "take the ranges from a frame where arms are out to the sides and legs are "
                 "straight (--rest-frame)"});
        }
    }
}

// ---- ranges

// The limits of a joint along the frame's x, y and z, after sharing.
std::array<DofLimit, 3> limitsOf(const NamedBody& body, NamedPart own) {
    const HumanRange& range = skeleton::detail::humanRange(own.part);
    std::size_t shares = 1;
    if (own.part == BodyPart::Spine) shares = body.count(BodyPart::Spine);
    if (own.part == BodyPart::Neck || own.part == BodyPart::Head)
        shares = body.count(BodyPart::Neck) + body.count(BodyPart::Head);
    using skeleton::detail::shared;
    using skeleton::detail::Sharing;
    return {shared(range.x, shares, Sharing::Uneven), shared(range.y, shares, Sharing::Even),
            shared(range.z, shares, Sharing::Uneven)};
}

// The range of a turn about `axis` (anatomical), when it is one of the three movements.
std::optional<DofLimit> limitAbout(const Vec3& axis, const std::array<DofLimit, 3>& limits) {
    constexpr double kNear = 0.85;  // the cosine of 32 degrees
    for (std::size_t k = 0; k < 3; ++k) {
        if (axis[k] > kNear) return limits[k];
        if (axis[k] < -kNear) return DofLimit{-limits[k].max, -limits[k].min};
    }
    return std::nullopt;
}

// Gives `def` the limits in its new axes. False when its kind cannot have them.
bool giveLimits(const HumanRange& range, const std::array<DofLimit, 3>& limits, JointDef& def) {
    if (def.kind == JointKind::Ball) {
        const std::array<int, 3> axes = eulerAxes(range.order);
        def.order = range.order;
        def.coordinates = BallCoordinates::Euler;
        def.cone.reset();
        for (std::size_t k = 0; k < 3; ++k)
            def.limits[k] = limits[static_cast<std::size_t>(axes[k])];
        return true;
    }
    const std::size_t count = def.kind == JointKind::Hinge ? 1 : 2;
    if (def.kind != JointKind::Hinge && def.kind != JointKind::Universal) return false;
    std::array<DofLimit, 2> found;
    for (std::size_t k = 0; k < count; ++k) {
        const std::optional<DofLimit> limit = limitAbout(def.axes[k], limits);
        if (!limit) return false;
        found[k] = *limit;
    }
    for (std::size_t k = 0; k < count; ++k) def.limits[k] = found[k];
    return true;
}

bool hasLimits(const JointDef& def, bool planar) {
    bool any = def.cone.has_value();
    for (std::size_t k = 0; k < dofCountOf(def.kind, planar); ++k)
        any = any || def.limits[k].bounded();
    return any;
}

// ---- building

class RigMaker {
  public:
    RigMaker(const Skeleton& skeleton, const Pose& t_pose, const ModelPose& model)
        : skeleton_(skeleton),
          t_pose_(t_pose),
          model_(model),
          orientations_(computeOrientations(skeleton, t_pose)),
          defs_(skeleton.definitions().begin(), skeleton.definitions().end()),
          given_(defs_.size(), false) {
        rig_.joint_from_anatomical.resize(defs_.size());
    }

    void addBody(const NamedBody& body) {
        warnAboutPose(skeleton_, model_, body, rig_.warnings);
        rig_.confidence =
            std::min(rig_.confidence, skeleton::detail::rolesOf(skeleton_, body).confidence);
        rig_.warnings.insert(rig_.warnings.end(), body.warnings.begin(), body.warnings.end());
        const Quat model_from_body = quatFromMatrix(body.model_from_body);
        for (std::size_t i = body.range.firstIndex(); i < body.range.endIndex(); ++i) {
            const JointId j = jointId(i);
            const NamedPart own = body.part(j);
            if (own.part == BodyPart::None || own.part == BodyPart::Tail) continue;
            const HumanRange& range = skeleton::detail::humanRange(own.part);
            const bool hips = own.part == BodyPart::Hips;
            if (!hips && !giveRange(body, j, own, model_from_body)) continue;
            rig_.recognised.push_back(
                {j, own.side == BodySide::Right ? range.right_name : range.name});
        }
    }

    [[nodiscard]] Result<AnatomicalRig> take() && {
        for (std::size_t i = 0; i < defs_.size(); ++i) {
            const JointId parent = skeleton_.parent(jointId(i));
            const Quat parent_back = parent == JointId::None
                                         ? Quat{}
                                         : conjugate(rig_.joint_from_anatomical[index(parent)]);
            JointDef& def = defs_[i];
            // Limits that stay are measured from the rest they were made for.
            const bool keeps_rest =
                def.kind == JointKind::Prismatic || (!given_[i] && hasLimits(def, false));
            const Trs& rest = keeps_rest ? def.rest : t_pose_.parent_from_joint[i];
            def.rest = {rotate(parent_back, rest.translation), rest.scale,
                        parent_back * rest.rotation * rig_.joint_from_anatomical[i]};
        }
        Result<Skeleton> made = makeSkeleton(std::move(defs_));
        if (!made) return made.error();
        rig_.skeleton = *std::move(made);
        return std::move(rig_);
    }

  private:
    bool giveRange(const NamedBody& body, JointId j, NamedPart own, const Quat& model_from_body) {
        // Other axes would shear what a joint that stretches one way carries.
        if (!isUniformScale(skeleton_.rest(j).scale) || !isUniformScale(t_pose_[j].scale))
            return false;
        const HumanRange& range = skeleton::detail::humanRange(own.part);
        const Mat3 frame =
            skeleton::detail::anatomicalFrame(range, own.side, boneOf(skeleton_, model_, body, j));
        const Quat joint_from_anatomical = normalized(conjugate(orientations_[index(j)]) *
                                                      model_from_body * quatFromMatrix(frame));
        const Quat back = conjugate(joint_from_anatomical);
        JointDef def = skeleton_.joint(j);
        for (Vec3& axis : def.axes) axis = rotate(back, axis);
        def.tip = rotate(back, *def.tip);
        if (!giveLimits(range, limitsOf(body, own), def)) return false;
        defs_[index(j)] = std::move(def);
        rig_.joint_from_anatomical[index(j)] = joint_from_anatomical;
        given_[index(j)] = true;
        return true;
    }

    const Skeleton& skeleton_;
    const Pose& t_pose_;
    const ModelPose& model_;
    std::vector<Quat> orientations_;
    std::vector<JointDef> defs_;
    std::vector<bool> given_;  // a human range
    AnatomicalRig rig_;
};

Diagnostic notABody(const std::string& missing) {
    return {
        "too little of a human body is recognised to know left, up and forward: found " + missing,
        {},
        {},
        "looked for hips (Hips, Pelvis), with both legs (LeftUpLeg, LeftHip, LeftThigh, "
        "thigh_l, lfemur, leftUpperLeg, J_Bip_L_UpperLeg; the right alike) or with a spine "
        "(Spine, Chest, spine_01) and both arms (LeftArm, LeftShoulder, upperarm_l, lhumerus, "
        "leftUpperArm, J_Bip_L_UpperArm), and for a body of that shape; name the joints in a map "
        "(--map), or give limits in a rig file"};
}

// The pose in anatomical axes, or back in the joints' own.
void turn(const AnatomicalRig& rig, bool back, Pose& pose) {
    const std::vector<Quat>& turns = rig.joint_from_anatomical;
    ULNA_ASSERT(pose.parent_from_joint.size() == turns.size(),
                "the pose needs one transform per joint");
    for (std::size_t i = 0; i < turns.size(); ++i) {
        const JointId parent = rig.skeleton.parent(jointId(i));
        const Quat outer = parent == JointId::None ? Quat{} : turns[index(parent)];
        const Quat left = back ? outer : conjugate(outer);
        const Quat right = back ? conjugate(turns[i]) : turns[i];
        Trs& t = pose.parent_from_joint[i];
        t.translation = rotate(left, t.translation);
        t.rotation = left * t.rotation * right;
    }
}

}  // namespace

Result<AnatomicalRig> makeAnatomicalRig(const Skeleton& skeleton, const Pose& t_pose,
                                        const BodyMap* map) {
    ULNA_ASSERT(t_pose.parent_from_joint.size() == skeleton.jointCount(),
                "the T-pose needs one transform per joint");
    if (skeleton.planar()) {
        return Diagnostic{"human ranges are for skeletons in space, and this one is planar",
                          {},
                          {},
                          "give limits in the rig file"};
    }
    const ModelPose model = computeModelPose(skeleton, t_pose);
    RigMaker maker(skeleton, t_pose, model);
    std::string missing = "no joint at all";
    bool any = false;
    for (const JointId root : skeleton.roots()) {
        NamedBody body = skeleton::detail::nameBody(skeleton, model, root, map);
        std::string lacks = skeleton::detail::findAxes(skeleton, model, body);
        if (lacks.empty() && body.kind == BodyKind::Quadruped) lacks = "a body on four legs";
        if (lacks.empty()) {
            maker.addBody(body);
            any = true;
        } else if (root == jointId(0)) {
            missing = lacks;
        }
    }
    if (!any) return notABody(missing);
    return std::move(maker).take();
}

Pose toAnatomical(const AnatomicalRig& rig, const Pose& pose) {
    Pose out = pose;
    turn(rig, false, out);
    return out;
}

Pose fromAnatomical(const AnatomicalRig& rig, const Pose& pose) {
    Pose out = pose;
    turn(rig, true, out);
    return out;
}

void turnToAnatomical(const AnatomicalRig& rig, Pose& pose) {
    turn(rig, false, pose);
}

void turnFromAnatomical(const AnatomicalRig& rig, Pose& pose) {
    turn(rig, true, pose);
}

}  // namespace ulna
