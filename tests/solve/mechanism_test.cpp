// SPDX-License-Identifier: Apache-2.0

// The coordinates of a skeleton, against forward kinematics and differences.
#include "ulna/solve/mechanism.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/ik.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

std::vector<JointId> allJoints(const Skeleton& skeleton) {
    std::vector<JointId> out;
    for (const JointId j : skeleton.joints()) out.push_back(j);
    return out;
}

TEST(Mechanism, PutsEveryJointWhereForwardKinematicsDoes) {
    for (const Skeleton& skeleton : {everyKind(), limitedPerson()}) {
        Random random(1);
        for (int i = 0; i < 20; ++i) {
            const DofVector dofs =
                i == 0 ? DofVector(skeleton.dofCount(), 0.0) : allowedDofs(skeleton, random);
            Pose base = restPose(skeleton);
            base[jointId(3)].scale = {1.5, 1.5, 1.5};
            const JointId locked[] = {jointId(2), jointId(4)};
            MechanismOptions options;
            if (i % 2 == 1) options.locked = locked;
            applyDofs(skeleton, dofs, base);
            Mechanism mechanism;
            mechanism.build(skeleton, allJoints(skeleton), options);
            mechanism.refresh(base);
            MechanismState at;
            mechanism.load(dofs, at);
            std::vector<RigidFrame> frames;
            mechanism.computeFrames(at, frames);
            const ModelPose model = computeModelPose(skeleton, base);
            for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
                const RigidFrame f = mechanism.jointFrame(jointId(j), frames);
                EXPECT_LT(distance(f.p + mechanism.origin(), model.position(jointId(j))), 1e-12);
                const Quat q = quatFromMatrix(Mat3::fromColumns(f.x, f.y, f.z));
                EXPECT_LT(angleBetween(q, rotationOf(model[jointId(j)])), 1e-7);
            }
            // And back to the same numbers, and from the pose.
            DofVector back = dofs;
            mechanism.store(at, back);
            EXPECT_LT(largestDifference(back, dofs), 1e-9);
            MechanismState from_pose = at;
            mechanism.load(base, from_pose);
            Pose again = base;
            mechanism.store(from_pose, again);
            for (std::size_t j = 0; j < skeleton.jointCount(); ++j)
                EXPECT_LT(angleBetween(again[jointId(j)].rotation, base[jointId(j)].rotation),
                          1e-7);
        }
    }
}

}  // namespace
}  // namespace ulna
