// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/rest_pose.h"

#include <cmath>

#include "ulna/core/assert.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"

namespace ulna {
namespace {

// People who were asked for a T-pose keep their legs within 5 degrees of the vertical; skeletons
// that were drawn with legs apart have 10 and more. Arms are raised to any height, but neither bent
// nor held in front.
constexpr double kStraightLeg = 0.990268;  // the cosine of 8 degrees
constexpr double kStraightArm = 0.939693;  // the cosine of 20 degrees
constexpr double kBesideBody = 0.342020;   // the sine of 20 degrees

Vec3 bone(const ModelPose& model, JointId from, JointId to) {
    return normalizedOr(model.position(to) - model.position(from), Vec3{});
}

bool hasLegs(const HumanBody& body) {
    for (const HumanSide* side : {&body.left, &body.right}) {
        for (const JointId j : {side->hip, side->knee, side->ankle})
            if (j == JointId::None) return false;
    }
    return true;
}

bool isRest(const Skeleton& skeleton, const Pose& pose, const BodyMap* map) {
    const Result<HumanBody> body = findHumanBody(skeleton, pose, map);
    if (!body || !hasLegs(*body)) return false;
    const ModelPose model = computeModelPose(skeleton, pose);
    const Vec3 down = body->model_from_body * Vec3{0, -1, 0};
    const Vec3 forward = body->model_from_body * Vec3{0, 0, 1};
    for (const HumanSide* side : {&body->left, &body->right}) {
        if (dot(bone(model, side->hip, side->knee), down) < kStraightLeg ||
            dot(bone(model, side->knee, side->ankle), down) < kStraightLeg)
            return false;
        if (side->shoulder == JointId::None || side->elbow == JointId::None ||
            side->wrist == JointId::None)
            continue;
        const Vec3 upper = bone(model, side->shoulder, side->elbow);
        const Vec3 lower = bone(model, side->elbow, side->wrist);
        if (dot(upper, lower) < kStraightArm || std::abs(dot(upper, forward)) > kBesideBody)
            return false;
    }
    return true;
}

}  // namespace

bool replacesRest(const Skeleton& skeleton, const Pose& pose, const BodyMap* map) {
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    return isRest(skeleton, pose, map) && !isRest(skeleton, restPose(skeleton), map);
}

}  // namespace ulna
