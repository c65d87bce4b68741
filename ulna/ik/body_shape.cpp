// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/body_shape.h"

#include <algorithm>

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

// Radii of a usual person, in leg lengths (0.85 m).
constexpr double kTrunk = 0.130, kHead = 0.105, kUpperArm = 0.052, kForearm = 0.045, kHand = 0.032;
constexpr double kThigh = 0.080, kShin = 0.055, kFoot = 0.040;
// A hand without fingers, a head without a tip, a foot without toes, in leg lengths.
constexpr double kHandLength = 0.20, kHeadLength = 0.22, kBallLength = 0.136, kToeLength = 0.07;
// The heel is behind the ankle; half the width of a sole.
constexpr double kHeel = 0.06, kSoleHalf = 0.045;
// Where limbs that meet at the trunk begin to have a bulk of their own.
constexpr double kFreeOfTrunk = 0.35;

class ShapeMaker {
  public:
    ShapeMaker(const Skeleton& skeleton, const Pose& t_pose, const HumanBody& body)
        : skeleton_(skeleton), body_(body), model_(computeModelPose(skeleton, t_pose)) {
        const Mat3& axes = body.model_from_body;
        left_ = axes * Vec3{1, 0, 0};
        up_ = axes * Vec3{0, 1, 0};
        forward_ = axes * Vec3{0, 0, 1};
        out_.up = up_;
        out_.leg = 0.0;
        for (const HumanSide* side : {&body.left, &body.right})
            out_.leg += (distance(at(side->hip), at(side->knee)) +
                         distance(at(side->knee), at(side->ankle))) /
                        2.0;
    }

    [[nodiscard]] BodyShape make() && {
        addTrunk();
        addSide(body_.left, left_, BodyLimb::LeftUpperArm, out_.soles[0]);
        addSide(body_.right, -left_, BodyLimb::RightUpperArm, out_.soles[1]);
        const BodyMap same_roles = mapOf(body_.roles);
        if (Result<std::vector<JointMass>> masses = humanMasses(skeleton_, &same_roles))
            out_.masses = *std::move(masses);
        return std::move(out_);
    }

  private:
    [[nodiscard]] Vec3 at(JointId joint) const { return model_.position(joint); }

    void add(BodyLimb which, JointId joint, const Vec3& from, const Vec3& to, double radius) {
        const Affine joint_from_model = inverse(model_[joint]);
        // Capsules are scaled with their joints.
        const double scale = length(joint_from_model * from - joint_from_model * to) /
                             std::max(distance(from, to), 1e-12 * out_.leg);
        out_.limbs[static_cast<std::size_t>(which)] = {joint, joint_from_model * from,
                                                       joint_from_model * to,
                                                       radius * out_.leg * (scale > 0 ? scale : 1)};
    }

    void addTrunk() {
        const Vec3 pelvis = (at(body_.left.hip) + at(body_.right.hip)) / 2.0;
        const Vec3 shoulders = (at(body_.left.shoulder) + at(body_.right.shoulder)) / 2.0;
        const Vec3 waist = at(body_.spine[body_.spine.size() / 2]);
        add(BodyLimb::LowerTrunk, body_.hips, pelvis, waist, kTrunk);
        add(BodyLimb::UpperTrunk, body_.chest, waist, shoulders - up_ * (kTrunk * out_.leg),
            kTrunk);
        const Vec3 neck = at(body_.head);
        const JointId tip = farthestBelow(skeleton_, model_, body_.head);
        const double height =
            tip == JointId::None ? kHeadLength * out_.leg : dot(at(tip) - neck, up_);
        add(BodyLimb::Head, body_.head, neck + up_ * (kHead * out_.leg),
            neck + up_ * std::max(height - kHead * out_.leg, kHead * out_.leg), kHead);
    }

    // Of a side, limbs follow each other in the order of BodyLimb.
    void addSide(const HumanSide& side, const Vec3& outwards, BodyLimb first, Sole& sole) {
        const auto limb = [&](int n) { return static_cast<BodyLimb>(static_cast<int>(first) + n); };
        const auto freeOf = [](const Vec3& a, const Vec3& b) { return a + (b - a) * kFreeOfTrunk; };
        const Vec3 shoulder = at(side.shoulder), elbow = at(side.elbow), wrist = at(side.wrist);
        const Vec3 hip = at(side.hip), knee = at(side.knee), ankle = at(side.ankle);
        const JointId finger = farthestBelow(skeleton_, model_, side.wrist);
        const Vec3 hand = finger == JointId::None ? wrist + normalizedOr(wrist - elbow, outwards) *
                                                                (kHandLength * out_.leg)
                                                  : at(finger);
        add(limb(0), side.shoulder, freeOf(shoulder, elbow), elbow, kUpperArm);
        add(limb(1), side.elbow, elbow, wrist, kForearm);
        add(limb(2), side.wrist, wrist, hand, kHand);
        add(limb(3), side.hip, freeOf(hip, knee), knee, kThigh);
        add(limb(4), side.knee, knee, ankle, kShin);
        addFoot(side, limb(5), sole);
    }

    // The sole is as low as the lowest joint of the foot.
    void addFoot(const HumanSide& side, BodyLimb which, Sole& sole) {
        const Vec3 ankle = at(side.ankle);
        double lowest = dot(ankle, up_);
        for (const JointId j : skeleton_.subtree(side.ankle)) {
            lowest = std::min(lowest, dot(at(j), up_));
            lowest = std::min(lowest, dot(model_[j] * skeleton_.tip(j), up_));
        }
        const auto onSole = [&](const Vec3& p) { return p + up_ * (lowest - dot(p, up_)); };
        const JointId tip = farthestBelow(skeleton_, model_, side.ankle);
        const bool toes = side.toes != JointId::None;
        const Vec3 ball =
            onSole(toes ? at(side.toes) : ankle + forward_ * (kBallLength * out_.leg));
        const Vec3 toe = onSole(tip == JointId::None || tip == side.toes
                                    ? ball + forward_ * (kToeLength * out_.leg)
                                    : at(tip));
        const Vec3 heel = onSole(ankle) - forward_ * (kHeel * out_.leg);
        const Vec3 half = left_ * (kSoleHalf * out_.leg);
        sole.ankle = side.ankle;
        sole.points = {heel + half, heel - half, ball + half, ball - half, toe};
        const Affine ankle_from_model = inverse(model_[side.ankle]);
        for (Vec3& p : sole.points) p = ankle_from_model * p;
        const Vec3 thick = up_ * (kFoot * out_.leg);
        add(which, side.ankle, heel + thick, ball + thick, kFoot);
    }

    const Skeleton& skeleton_;
    const HumanBody& body_;
    ModelPose model_;
    Vec3 left_, up_, forward_;
    BodyShape out_;
};

}  // namespace

JointId farthestBelow(const Skeleton& skeleton, const ModelPose& pose, JointId joint) {
    JointId out = JointId::None;
    double most = 0.0;
    for (const JointId j : skeleton.subtree(joint)) {
        const double away = distance(pose.position(j), pose.position(joint));
        if (away > most) most = away, out = j;
    }
    return out;
}

BodyShape makeBodyShape(const Skeleton& skeleton, const Pose& t_pose, const HumanBody& body) {
    return ShapeMaker(skeleton, t_pose, body).make();
}

}  // namespace ulna
