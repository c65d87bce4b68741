// SPDX-License-Identifier: Apache-2.0

// An arm, and what forward kinematics says of its bend: shared by the tests of two-bone inverse
// kinematics.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "support/skeletons.h"
#include "ulna/ik/two_bone.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {

inline constexpr double kUpper = 0.30;
inline constexpr double kLower = 0.25;  // so reach is 0.05 to 0.55

/// Where a joint is.
inline Vec3 place(const Skeleton& s, const Pose& pose, JointId j) {
    return computeModelPoint(s, pose, j, {});
}

/// An arm along x under a root that is somewhere: balls all the way.
inline std::vector<JointDef> armJoints() {
    return {joint("root", "", JointKind::Free, {0, 1, 0}),
            joint("shoulder", "root", JointKind::Ball, {0.2, 0.3, 0}),
            joint("elbow", "shoulder", JointKind::Ball, {kUpper, 0, 0}),
            joint("hand", "elbow", JointKind::Ball, {kLower, 0, 0})};
}
inline Skeleton makeArm() {
    return build(armJoints());
}
/// The same with a hinge for an elbow: about y, positive bends towards -z.
inline Skeleton makeHingedArm(DofLimit limit = {}) {
    std::vector<JointDef> joints = armJoints();
    joints[2].kind = JointKind::Hinge;
    joints[2].axes[0] = {0, 1, 0};
    joints[2].limits[0] = limit;
    return build(std::move(joints));
}
inline TwoBoneChain armOf(const Skeleton& s) {
    return {s.find("shoulder"), s.find("elbow"), s.find("hand")};
}

/// The pose's start: every joint of the arm turned somehow, as its kind allows.
inline Pose randomPose(const Skeleton& s, Random& random) {
    return computePose(s, randomDofs(s, random, 2.0));
}

/// The bend as seen along the line from start to end: mid's way off it.
inline Vec3 bendOf(const Skeleton& s, const TwoBoneChain& chain, const Pose& pose) {
    const Vec3 start = place(s, pose, chain.start);
    const Vec3 line = normalizedOr(place(s, pose, chain.end) - start, Vec3{1, 0, 0});
    const Vec3 mid = place(s, pose, chain.mid) - start;
    return mid - line * dot(mid, line);
}

/// How far mid is from the half-plane that holds the pole, as an angle about the line.
inline double angleToPole(const Skeleton& s, const TwoBoneChain& chain, const Pose& pose,
                          const Vec3& pole) {
    const Vec3 start = place(s, pose, chain.start);
    const Vec3 line = normalizedOr(place(s, pose, chain.end) - start, Vec3{1, 0, 0});
    const Vec3 to_pole = pole - start;
    const Vec3 wished = to_pole - line * dot(to_pole, line);
    const Vec3 bend = bendOf(s, chain, pose);
    return std::atan2(length(cross(bend, wished)), dot(bend, wished));
}

inline void expectOnlyTheLimbTurned(const Skeleton& s, const TwoBoneChain& chain,
                                    const Pose& before, const Pose& after) {
    for (std::size_t i = 0; i < s.jointCount(); ++i) {
        const JointId j = jointId(i);
        EXPECT_EQ(before[j].translation, after[j].translation);
        EXPECT_EQ(before[j].scale, after[j].scale);
        if (j != chain.start && j != chain.mid) {
            EXPECT_EQ(before[j].rotation, after[j].rotation);
        }
        EXPECT_NEAR(dot(after[j].rotation, after[j].rotation), 1.0, 1e-14);
    }
}

/// The largest turn of either joint between two poses.
inline double change(const TwoBoneChain& chain, const Pose& a, const Pose& b) {
    return std::max(angleBetween(a[chain.start].rotation, b[chain.start].rotation),
                    angleBetween(a[chain.mid].rotation, b[chain.mid].rotation));
}

}  // namespace ulna::test
