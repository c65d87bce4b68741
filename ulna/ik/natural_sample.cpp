// SPDX-License-Identifier: Apache-2.0

// Where hips, feet and hands are is drawn from ranges that people use, the prior says how a body
// gets there, and each joint varies about that as people do.
#include <algorithm>
#include <cmath>

#include "ulna/ik/natural.h"
#include "ulna/ik/natural_suggestion.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

// Ranges in leg lengths, from the middle of the hips in the T-pose; to the side is outwards.
struct Range {
    double low = 0.0, high = 0.0;
};
constexpr Range kHandAside{-0.05, 0.65}, kHandUp{-0.15, 1.15}, kHandForward{-0.2, 0.6};
constexpr Range kFootAside{0.02, 0.3}, kFootForward{-0.35, 0.35};
constexpr double kLowestHips = -0.5;  // a deep squat
constexpr double kHighestFoot = 0.3;  // of one that is lifted, which one in four is
// Of how much people vary about what the prior says: all of it would be added to what the positions
// of hands and feet vary already.
constexpr double kVariation = 0.5;

double in(const Range& range, Random& random) {
    return random.between(range.low, range.high);
}

// About normally distributed, of variance 1 (Irwin and Hall): the same on every machine.
double normal(Random& random) {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += random.unit();
    return sum;
}

Vec3 normalVector(Random& random) {
    const double x = normal(random);
    const double y = normal(random);
    const double z = normal(random);
    return {x, y, z};
}

struct Draw {
    PoseRole point = PoseRole::Hips;
    Vec3 at = {};  // from the hips of the T-pose, in leg lengths and body axes
};

std::array<Draw, 5> drawPoints(Random& random) {
    std::array<Draw, 5> out;
    // More stand than squat.
    const double low = random.unit();
    out[0] = {PoseRole::Hips, {0, kLowestHips * low * low, 0}};
    const std::uint64_t lifted = random.below(8);
    for (std::size_t side = 0; side < 2; ++side) {
        const double left = side == 0 ? 1.0 : -1.0;
        const double foot_aside = in(kFootAside, random);
        const double foot_forward = in(kFootForward, random);
        const double foot_up = random.between(0.0, kHighestFoot);
        const double hand_aside = in(kHandAside, random);
        const double hand_up = in(kHandUp, random);
        const double hand_forward = in(kHandForward, random);
        out[1 + side] = {side == 0 ? PoseRole::LeftFoot : PoseRole::RightFoot,
                         {left * foot_aside, lifted == side ? foot_up : 0.0, foot_forward}};
        out[3 + side] = {side == 0 ? PoseRole::LeftHand : PoseRole::RightHand,
                         out[0].at + Vec3{left * hand_aside, hand_up, hand_forward}};
    }
    return out;
}

}  // namespace

Pose NaturalBody::sample(std::uint64_t seed) const {
    Random random(seed);
    const auto pointOf = [](PoseRole role) {
        return static_cast<std::size_t>(std::find(kPosePoints.begin(), kPosePoints.end(), role) -
                                        kPosePoints.begin());
    };
    const Vec3 hips = pointIn(t_pose_, 0);
    std::vector<IkGoal> goals;
    for (const Draw& draw : drawPoints(random)) {
        const std::size_t p = pointOf(draw.point);
        Vec3 at = hips + draw.at;
        // Feet are drawn from where they stand.
        if (draw.point == PoseRole::LeftFoot || draw.point == PoseRole::RightFoot)
            at.y = pointIn(t_pose_, p).y + draw.at.y;
        goals.push_back({.kind = PositionGoal{.joint = points_[p].joint,
                                              .point = points_[p].offset,
                                              .target = rotate(model_from_body_, at) * leg_}});
    }
    // Owned by nobody: the suggestion ends before the body does.
    const std::shared_ptr<const NaturalBody> self(std::shared_ptr<void>(), this);
    Pose pose = restPose(skeleton_);
    NaturalSuggestion(self, goals, {}, pose, NaturalStart::Afresh).suggest(goals, pose);
    for (const Link& link : links_) {
        const Vec3 by = normalVector(random) * (kVariation * deviationOf(link) / std::sqrt(3.0));
        if (link.parent < 0 || link.collar_of != 0 || skeleton_.joint(link.joint).locked) continue;
        Quat& rotation = pose[link.joint].rotation;
        rotation = allowedRotation(
            skeleton_, link.joint,
            normalized(rotation * quatFromAxisAngle(normalizedOr(by, Vec3{1, 0, 0}), length(by))));
    }
    placeOnFloor(pose);
    return pose;
}

// Moves the root up or down so that the lowest sole is as high as the lowest of the T-pose.
void NaturalBody::placeOnFloor(Pose& pose) const {
    const auto lowest = [&](const ModelPose& model) {
        double out = 1e300;
        for (const Sole& sole : shape_.soles)
            for (const Vec3& p : sole.points)
                out = std::min(out, dot(model[sole.ankle] * p, shape_.up));
        return out;
    };
    JointId root = hips();
    while (skeleton_.parent(root) != JointId::None) root = skeleton_.parent(root);
    if (skeleton_.kind(root) != JointKind::Free) return;
    const double rise = lowest(t_pose_) - lowest(computeModelPose(skeleton_, pose));
    pose[root].translation += shape_.up * rise;
}

}  // namespace ulna
