// SPDX-License-Identifier: Apache-2.0

// Kinematics and limits of random skeletons of every joint kind, judged by plain matrices.
#include <gtest/gtest.h>

#include <cmath>

#include "support/random_rigs.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

constexpr int kRigs = 400;

// Every rig with its seed, a seventh of them planar.
template <class Body>
void forEachRig(const Body& body) {
    for (int seed = 0; seed < kRigs; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        const Skeleton rig =
            randomRig(random, {.planar = seed % 7 == 0, .wide_limits = seed % 3 == 0});
        SCOPED_TRACE("seed " + std::to_string(seed));
        body(random, rig);
        if (testing::Test::HasFailure()) return;
    }
}

PlainMatrix plain(const Affine& a) {
    PlainMatrix out;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 4; ++k) out.rows[i][k] = a.columns[k][i];
    return out;
}

TEST(RandomRigs, EveryJointIsWherePlainMatricesPutIt) {
    forEachRig([](Random& random, const Skeleton& rig) {
        const DofVector dofs = randomAllowedDofs(random, rig);
        const std::vector<PlainMatrix> expected = plainModel(rig, dofs);
        const ModelPose model = computeModelPose(rig, computePose(rig, dofs));
        for (const JointId j : rig.joints())
            EXPECT_LT(plainDifference(plain(model[j]), expected[index(j)]), 1e-11) << rig.name(j);
    });
}

TEST(RandomRigs, CoordinatesGoToAPoseAndBackNearThemselves) {
    forEachRig([](Random& random, const Skeleton& rig) {
        const DofVector dofs = randomAllowedDofs(random, rig);
        const DofFit back = computeDofs(rig, computePose(rig, dofs), dofs);
        EXPECT_LT(back.rotation_residual, 1e-7);
        EXPECT_LT(back.translation_residual, 1e-9);
        for (std::size_t d = 0; d < dofs.size(); ++d)
            EXPECT_NEAR(back.dofs[d], dofs[d], 1e-6) << rig.dofName(d);
    });
}

TEST(RandomRigs, WithoutAHintOtherCoordinatesMayComeBackButTheSamePose) {
    forEachRig([](Random& random, const Skeleton& rig) {
        const DofVector dofs = randomAllowedDofs(random, rig);
        const DofVector other = computeDofs(rig, computePose(rig, dofs)).dofs;
        for (const JointId j : rig.joints()) {
            const PlainMatrix a = plainJoint(rig, j, ownDofs(rig, j, dofs));
            const PlainMatrix b = plainJoint(rig, j, ownDofs(rig, j, other));
            EXPECT_LT(plainDifference(a, b), 1e-6) << rig.name(j);
        }
    });
}

TEST(RandomRigs, TheExcessOverLimitsIsWhatPlainMatricesMeasure) {
    forEachRig([](Random& random, const Skeleton& rig) {
        DofVector dofs(rig.dofCount());
        for (double& x : dofs) x = random.between(-8.0, 8.0);
        EXPECT_NEAR(limitExcess(rig, dofs), plainExcess(rig, dofs), 1e-7);
    });
}

TEST(RandomRigs, ClampingBringsInsideFromAnywhereAndLeavesWhatIsInside) {
    forEachRig([](Random& random, const Skeleton& rig) {
        DofVector dofs(rig.dofCount());
        for (double& x : dofs) x = random.between(-8.0, 8.0);
        clampToLimits(rig, dofs);
        EXPECT_LT(plainExcess(rig, dofs), 1e-9);
        DofVector again = dofs;
        clampToLimits(rig, again);
        for (const JointId j : rig.joints()) {
            const PlainMatrix a = plainJoint(rig, j, ownDofs(rig, j, dofs));
            const PlainMatrix b = plainJoint(rig, j, ownDofs(rig, j, again));
            EXPECT_LT(plainDifference(a, b), 1e-9) << rig.name(j);
        }
    });
}

TEST(RandomRigs, AConeIsLeftByNoClampAndReachedByTheShortestWay) {
    Random random(77);
    for (int i = 0; i < 2000; ++i) {
        ConeLimit cone{.axis = random.direction()};
        cone.swing_max = random.between(0.0, 2.8);
        cone.twist_min = -random.between(0.0, 2.5);
        cone.twist_max = random.between(0.0, 2.5);
        const Quat q = random.rotation();
        const Quat inside = clampToCone(cone, q);
        EXPECT_LT(coneExcess(cone, inside), 1e-9) << "sample " << i;
        EXPECT_LT(angleBetween(clampToCone(cone, inside), inside), 1e-9) << "sample " << i;
        if (coneExcess(cone, q) == 0.0) {
            EXPECT_LT(angleBetween(inside, q), 1e-12) << "sample " << i;
            continue;
        }
        // The axis goes straight to the rim: never farther than where the swing alone was cut.
        const Vec3 image = rotate(q, cone.axis), kept = rotate(inside, cone.axis);
        const double swing = plainAngle(cone.axis, image);
        EXPECT_NEAR(plainAngle(image, kept), std::max(0.0, swing - cone.swing_max), 1e-7)
            << "sample " << i;
    }
}

// In gimbal lock and beyond a revolution too: a rotation has many angles, and one set is allowed.
TEST(RandomRigs, RotationsOfAllowedCoordinatesAreAllowed) {
    for (int seed = 0; seed < kRigs; ++seed) {
        Random random(static_cast<std::uint64_t>(seed) + 40);
        const Skeleton rig = randomRig(random, {.wide_limits = true});
        const DofVector dofs = randomAllowedDofs(random, rig);
        const Pose pose = computePose(rig, dofs);
        for (const JointId j : rig.joints()) {
            const Quat allowed = allowedRotation(rig, j, pose[j].rotation);
            EXPECT_LT(angleBetween(allowed, pose[j].rotation), 1e-8)
                << "seed " << seed << " joint " << rig.name(j);
            DofVector own(rig.dofCount(j), 0.0);
            computeJointDofs(rig, j, pose[j], own);
            turnIntoLimits(rig, j, own);
            for (std::size_t d = 0; d < own.size(); ++d) {
                const DofLimit& limit = rig.dofLimits()[rig.firstDof(j) + d];
                EXPECT_GE(own[d], limit.min - 1e-7) << "seed " << seed << " joint " << rig.name(j);
                EXPECT_LE(own[d], limit.max + 1e-7) << "seed " << seed << " joint " << rig.name(j);
            }
        }
    }
}

}  // namespace
}  // namespace ulna::test
