// SPDX-License-Identifier: Apache-2.0

// Notation as in natural.cpp. Angles of the right side are those of the left in a mirror.
#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/ik/natural.h"
#include "ulna/ik/pose_pairs.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

constexpr Vec3 kAlongArm{1, 0, 0}, kAlongLeg{0, 1, 0};
// Elbows and knees that bend by less than this have no direction, in radians.
constexpr double kLeastBend = 1e-3;

Quat mirrored(const Quat& q) {
    return {q.x, -q.y, -q.z, q.w};
}

double& at(LimbAngles& angles, LimbAngle which) {
    return angles[static_cast<std::size_t>(which)];
}
double at(const LimbAngles& angles, LimbAngle which) {
    return angles[static_cast<std::size_t>(which)];
}

// A rotation whose swing is about as far as another one's, in the same direction.
Quat bentTo(const SwingTwist& bend, double from, double to) {
    const Vec3 swing = quatLog(bend.swing);
    return std::abs(from) < kLeastBend ? bend.swing : quatExp(swing * (to / from));
}

}  // namespace

struct NaturalBody::LimbRotations {
    SwingTwist upper_arm, forearm, hand, thigh, shin;
    LimbAngles angles = {};
};

NaturalBody::LimbRotations NaturalBody::limbsOf(std::span<const Quat> d, std::size_t side) const {
    const LimbLinks& limbs = limbs_[side];
    const auto split = [&](std::size_t from, std::size_t to, const Vec3& axis) {
        const Quat q = conjugate(d[from]) * d[to];
        return splitSwingTwist(side == 0 ? q : mirrored(q), axis);
    };
    LimbRotations out{split(limbs.chest, limbs.upper_arm, kAlongArm),
                      split(limbs.upper_arm, limbs.forearm, kAlongArm),
                      split(limbs.forearm, limbs.hand, kAlongArm),
                      split(limbs.hips, limbs.thigh, kAlongLeg),
                      split(limbs.thigh, limbs.shin, kAlongLeg)};
    const Vec3 shoulder = quatLog(out.upper_arm.swing), hip = quatLog(out.thigh.swing);
    const Vec3 elbow = quatLog(out.forearm.swing), knee = quatLog(out.shin.swing);
    at(out.angles, LimbAngle::ShoulderForward) = shoulder.y;
    at(out.angles, LimbAngle::ShoulderUp) = shoulder.z;
    at(out.angles, LimbAngle::ShoulderTwist) = out.upper_arm.twist_angle;
    at(out.angles, LimbAngle::Elbow) = length(elbow);
    at(out.angles, LimbAngle::ForearmTwist) = out.forearm.twist_angle + out.hand.twist_angle;
    at(out.angles, LimbAngle::HipFlex) = hip.x;
    at(out.angles, LimbAngle::HipSide) = hip.z;
    at(out.angles, LimbAngle::HipTwist) = out.thigh.twist_angle;
    at(out.angles, LimbAngle::Knee) = knee.x < 0.0 ? -length(knee) : length(knee);
    return out;
}

std::vector<double> NaturalBody::outsidePairs(const Pose& pose) const {
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton_.jointCount(),
                "the pose needs one transform per joint");
    const std::span<const PosePair> pairs = prior_->pairs();
    std::vector<double> out;
    if (pairs.empty()) return out;
    const std::vector<Quat> d = linkRotations(pose);
    std::array<double, 2> slope = {};
    for (const std::size_t side : {0U, 1U}) {
        const LimbAngles angles = limbsOf(d, side).angles;
        for (const PosePair& pair : pairs) out.push_back(pair.outside(angles, slope));
    }
    return out;
}

bool NaturalBody::moveInsidePairs(std::span<const double> allowed, std::span<const JointId> held,
                                  Pose& pose) const {
    const std::span<const PosePair> pairs = prior_->pairs();
    ULNA_ASSERT(allowed.size() == 2 * pairs.size(), "every pair of a side is allowed something");
    bool moved = false;
    const std::vector<Quat> orientations = computeOrientations(skeleton_, pose);
    const Quat body_from_model = conjugate(model_from_body_);
    std::vector<Quat> d;
    for (const Link& link : links_)
        d.push_back(body_from_model * orientations[index(link.joint)] * link.canonical_from_joint);
    for (const std::size_t side : {0U, 1U}) {
        const LimbRotations is = limbsOf(d, side);
        LimbAngles to = is.angles;
        if (!moveInside(pairs, allowed.subspan(side * pairs.size(), pairs.size()), to)) continue;
        const auto changes = [&](std::initializer_list<LimbAngle> which) {
            return std::any_of(which.begin(), which.end(),
                               [&](LimbAngle a) { return at(to, a) != at(is.angles, a); });
        };
        // Joints below keep their rotations from those above.
        const auto set = [&](std::size_t from, std::size_t l, const Quat& seen) {
            const Link& link = links_[l];
            const JointId j = link.joint, parent = skeleton_.parent(j);
            if (skeleton_.joint(j).locked || std::find(held.begin(), held.end(), j) != held.end())
                return;
            const Quat wanted = model_from_body_ * d[from] * (side == 0 ? seen : mirrored(seen)) *
                                conjugate(link.canonical_from_joint);
            const Quat above = parent == JointId::None ? Quat{} : orientations[index(parent)];
            pose[j].rotation = allowedRotation(skeleton_, j, normalized(conjugate(above) * wanted));
            moved = true;
        };
        const LimbLinks& limbs = limbs_[side];
        using enum LimbAngle;
        if (changes({ShoulderForward, ShoulderUp, ShoulderTwist}))
            set(limbs.chest, limbs.upper_arm,
                quatExp(Vec3{0.0, at(to, ShoulderForward), at(to, ShoulderUp)}) *
                    quatFromAxisAngle(kAlongArm, at(to, ShoulderTwist)));
        if (changes({Elbow}))
            set(limbs.upper_arm, limbs.forearm,
                bentTo(is.forearm, at(is.angles, Elbow), at(to, Elbow)) * is.forearm.twist);
        if (changes({ForearmTwist}))
            set(limbs.forearm, limbs.hand,
                is.hand.swing * is.hand.twist *
                    quatFromAxisAngle(kAlongArm,
                                      at(to, ForearmTwist) - at(is.angles, ForearmTwist)));
        if (changes({HipFlex, HipSide, HipTwist}))
            set(limbs.hips, limbs.thigh,
                quatExp(Vec3{at(to, HipFlex), 0.0, at(to, HipSide)}) *
                    quatFromAxisAngle(kAlongLeg, at(to, HipTwist)));
        if (changes({Knee}))
            set(limbs.thigh, limbs.shin,
                bentTo(is.shin, at(is.angles, Knee), at(to, Knee)) * is.shin.twist);
    }
    return moved;
}

}  // namespace ulna
