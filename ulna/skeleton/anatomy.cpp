// SPDX-License-Identifier: Apache-2.0

// With A = joint_from_anatomical, a joint's new transform is A_parent^-1 P A: the same places, new
// axes. A is chosen so that in the T-pose the new axes are the anatomical ones of the body.
#include "ulna/skeleton/anatomy.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "ulna/skeleton/detail/body_names.h"
#include "ulna/skeleton/detail/human_ranges.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/scale.h"

namespace ulna {
namespace {

using skeleton::detail::BodyPart;
using skeleton::detail::HumanRange;
using skeleton::detail::NamedPart;

constexpr std::array kSides = {BodySide::Left, BodySide::Right};

// One character: what its joints are, and its axes.
struct Body {
    JointRange range;
    std::vector<NamedPart> parts;  // from range.firstIndex() on
    Mat3 model_from_body;          // columns: left, up, forward
    double height = 0.0;           // between the landmarks that tell up, to judge lengths by

    [[nodiscard]] NamedPart part(JointId j) const { return parts[index(j) - range.firstIndex()]; }
    [[nodiscard]] JointId find(BodyPart part, BodySide side) const {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i] == NamedPart{part, side}) return jointId(range.firstIndex() + i);
        }
        return JointId::None;
    }
    [[nodiscard]] bool has(BodyPart part, BodySide side) const {
        return find(part, side) != JointId::None;
    }
    [[nodiscard]] bool hasBoth(BodyPart part) const {
        return has(part, BodySide::Left) && has(part, BodySide::Right);
    }
    [[nodiscard]] bool hasArms() const {
        return hasBoth(BodyPart::Shoulder) || hasBoth(BodyPart::Collarbone);
    }
    [[nodiscard]] std::size_t count(BodyPart part) const {
        std::size_t n = 0;
        for (const NamedPart& p : parts) n += p.part == part ? 1 : 0;
        return n;
    }
};

// The joint that both legs hang from, for files that call it "root" or by no name we know.
JointId commonAncestor(const Skeleton& skeleton, JointId a, JointId b) {
    if (a == JointId::None || b == JointId::None) return JointId::None;
    JointId up = skeleton.parent(a);
    while (up != JointId::None && !skeleton.isAncestor(up, b)) up = skeleton.parent(up);
    return up;
}

// ---- left, up and forward

class Places {
  public:
    Places(const Body& body, const ModelPose& model) : body_(body), model_(model) {}

    [[nodiscard]] Vec3 at(BodyPart part, BodySide side) const {
        return model_.position(body_.find(part, side));
    }
    [[nodiscard]] Vec3 middle(BodyPart part) const {
        return (at(part, BodySide::Left) + at(part, BodySide::Right)) / 2.0;
    }
    // The middle of the first of these pairs that the body has.
    [[nodiscard]] std::optional<Vec3> firstMiddle(std::initializer_list<BodyPart> pairs) const {
        for (const BodyPart part : pairs) {
            if (body_.hasBoth(part)) return middle(part);
        }
        return std::nullopt;
    }

  private:
    const Body& body_;
    const ModelPose& model_;
};

// What of a body is missing, in words; empty when its axes were found. The longest line through the
// body tells up best, since no spine is straight: from the ankles to the neck.
std::string findAxes(const ModelPose& model, Body& body) {
    const Places places(body, model);
    if (!body.has(BodyPart::Hips, BodySide::Centre)) return "no hips";
    const bool arms = body.hasArms();
    const bool legs = body.hasBoth(BodyPart::Hip);
    if (!legs && !arms) return "neither both legs nor both arms";

    std::optional<Vec3> top, bottom;
    for (const BodyPart part : {BodyPart::Neck, BodyPart::Head}) {
        if (!top && body.has(part, BodySide::Centre)) top = places.at(part, BodySide::Centre);
    }
    if (!top) top = places.firstMiddle({BodyPart::Shoulder, BodyPart::Collarbone});
    const Vec3 hips =
        places.firstMiddle({BodyPart::Hip}).value_or(places.at(BodyPart::Hips, BodySide::Centre));
    bottom = places.firstMiddle({BodyPart::Ankle, BodyPart::Knee});
    if (!top && !bottom) return "nothing above the hips and nothing below the thighs";
    const Vec3 up = top.value_or(hips) - bottom.value_or(hips);

    Vec3 left;
    for (const BodyPart part : {BodyPart::Hip, BodyPart::Shoulder, BodyPart::Collarbone}) {
        if (!body.hasBoth(part)) continue;
        left += places.at(part, BodySide::Left) - places.at(part, BodySide::Right);
    }
    // Against a body's height, a thousandth is no width: all joints in one place.
    body.height = length(up);
    const Vec3 y = normalizedOr(up, Vec3{});
    left -= y * dot(y, left);
    if (!(length(left) > 1e-3 * body.height)) return "left and right in the same place";
    const Vec3 x = normalizedOr(left, Vec3{});
    if (!(length(cross(x, y)) > 0.5)) return "hips, head and feet in the same place";
    body.model_from_body = Mat3::fromColumns(x, y, cross(x, y));
    return {};
}

// ---- bones

// The next joint along the limb, which says where the bone points better than a mean of children.
std::array<BodyPart, 3> nextParts(BodyPart part) {
    switch (part) {
        case BodyPart::Hip:
            return {BodyPart::Knee, BodyPart::Ankle};
        case BodyPart::Knee:
            return {BodyPart::Ankle};
        case BodyPart::Ankle:
            return {BodyPart::Toes};
        case BodyPart::Collarbone:
            return {BodyPart::Shoulder};
        case BodyPart::Shoulder:
            return {BodyPart::Elbow, BodyPart::Wrist};
        case BodyPart::Elbow:
            return {BodyPart::Wrist};
        case BodyPart::Wrist:
            return {BodyPart::MiddleFinger, BodyPart::Fingers, BodyPart::IndexFinger};
        default:
            return {};
    }
}

// The bone of a joint in body axes; zero where it has none to speak of.
Vec3 boneOf(const Skeleton& skeleton, const ModelPose& model, const Body& body, JointId j) {
    const NamedPart own = body.part(j);
    Vec3 far = model[j] * skeleton.tip(j);
    for (const BodyPart part : nextParts(own.part)) {
        const JointId next = part == BodyPart::None ? JointId::None : body.find(part, own.side);
        if (next == JointId::None || !skeleton.isAncestor(j, next)) continue;
        far = model.position(next);
        break;
    }
    const Vec3 bone = transpose(body.model_from_body) * (far - model.position(j));
    return length(bone) > 1e-4 * body.height ? bone : Vec3{};
}

// Limbs that lie otherwise than in a T-pose shift their ranges: said, since files often do.
void warnAboutPose(const Skeleton& skeleton, const ModelPose& model, const Body& body,
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
std::array<DofLimit, 3> limitsOf(const Skeleton& skeleton, const Body& body, NamedPart own) {
    const HumanRange& range = skeleton::detail::humanRange(own.part);
    std::size_t shares = 1;
    if (own.part == BodyPart::Spine) shares = body.count(BodyPart::Spine);
    if (own.part == BodyPart::Neck || own.part == BodyPart::Head)
        shares = body.count(BodyPart::Neck) + body.count(BodyPart::Head);
    DofLimit twist = range.y;
    if (own.part == BodyPart::Wrist) {
        // An elbow that only bends leaves the forearm's twist to the wrist.
        const JointId elbow = body.find(BodyPart::Elbow, own.side);
        if (elbow != JointId::None && skeleton.kind(elbow) != JointKind::Ball)
            twist = skeleton::detail::humanRange(BodyPart::Elbow).y;
    }
    return {skeleton::detail::shared(range.x, shares), skeleton::detail::shared(twist, shares),
            skeleton::detail::shared(range.z, shares)};
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

    void addBody(const Body& body) {
        warnAboutPose(skeleton_, model_, body, rig_.warnings);
        const Quat model_from_body = quatFromMatrix(body.model_from_body);
        for (std::size_t i = body.range.firstIndex(); i < body.range.endIndex(); ++i) {
            const JointId j = jointId(i);
            const NamedPart own = body.part(j);
            if (own.part == BodyPart::None) continue;
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
    bool giveRange(const Body& body, JointId j, NamedPart own, const Quat& model_from_body) {
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
        if (!giveLimits(range, limitsOf(skeleton_, body, own), def)) return false;
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
        "leftUpperArm, J_Bip_L_UpperArm); rename the joints, or give limits in a rig file"};
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

Result<AnatomicalRig> makeAnatomicalRig(const Skeleton& skeleton, const Pose& t_pose) {
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
        Body body;
        body.range = skeleton.subtree(root);
        body.parts = skeleton::detail::recogniseBody(skeleton, body.range);
        if (!body.has(BodyPart::Hips, BodySide::Centre)) {
            const JointId base = commonAncestor(skeleton, body.find(BodyPart::Hip, BodySide::Left),
                                                body.find(BodyPart::Hip, BodySide::Right));
            if (base != JointId::None)
                body.parts[index(base) - body.range.firstIndex()] = {BodyPart::Hips,
                                                                     BodySide::Centre};
        }
        const std::string lacks = findAxes(model, body);
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
