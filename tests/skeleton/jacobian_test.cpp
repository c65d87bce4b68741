// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/jacobian.h"

#include <gtest/gtest.h>

#include "support/jacobian_checker.h"
#include "support/skeletons.h"

namespace ulna {
namespace {

using test::expectSameJacobian;

void expectThreeWaysAgree(const Skeleton& s, const DofVector& dofs, const JointPoint& point) {
    const PointJacobian geometric = computePointJacobian(s, dofs, point);
    const std::string name = s.name(point.joint);
    expectSameJacobian(geometric, differentiatePoint(s, dofs, point), 1e-12, name + ", automatic");
    expectSameJacobian(geometric, estimatePointJacobian(s, dofs, point), 1e-6,
                       name + ", differences");
}

TEST(Jacobian, ThreeWaysAgreeForEveryKindOfJoint) {
    const Skeleton s = test::everyKind();
    Random random(1);
    for (int i = 0; i < 5; ++i) {
        const DofVector dofs = test::randomDofs(s, random, 3.0);
        for (std::size_t j = 0; j < s.jointCount(); ++j) {
            expectThreeWaysAgree(s, dofs, {jointId(j), random.direction()});
        }
    }
}

TEST(Jacobian, ThreeWaysAgreeAtRestAndForTinyAngles) {
    const Skeleton s = test::everyKind();
    Random random(2);
    for (const double range : {0.0, 1e-9, 1e-4, 0.011}) {
        expectThreeWaysAgree(s, test::randomDofs(s, random, range),
                             {s.find("vector"), {0.1, 0.2, 0.3}});
        expectThreeWaysAgree(s, test::randomDofs(s, random, range),
                             {s.find("second_child"), {1, 2, 3}});
    }
}

TEST(Jacobian, ThreeWaysAgreeUnderUniformScale) {
    std::vector<JointDef> joints = {test::joint("a", "", JointKind::Free, {1, 0, 0}),
                                    test::joint("b", "a", JointKind::Prismatic, {0, 1, 0}),
                                    test::joint("c", "b", JointKind::Ball, {0, 1, 0})};
    joints[0].rest.scale = {2, 2, 2};
    joints[1].rest.scale = {0.5, 0.5, 0.5};
    const Skeleton s = test::build(joints);
    Random random(3);
    expectThreeWaysAgree(s, test::randomDofs(s, random, 1.0), {s.find("c"), {0.3, 0.4, 0.5}});
}

TEST(Jacobian, PlanarColumnsAreTheQuarterTurnOfTheRadius) {
    const double lengths[] = {1.0, 0.7, 0.4};
    const Skeleton s = test::planarChain(lengths);
    const DofVector dofs = {0.3, -0.8, 1.9};
    const auto p = computePlanarPositions<double>(s, dofs);
    const PointJacobian jacobian = computePointJacobian(s, dofs, {s.find("J2"), {}});
    for (std::size_t j = 0; j < 3; ++j) {
        const Vec2 expected = j < 2 ? perp(p[2] - p[j]) : Vec2{};  // strict ancestors only
        EXPECT_LT(length(Vec2{jacobian[j].x, jacobian[j].y} - expected), 1e-14);
        EXPECT_EQ(jacobian[j].z, 0.0);
    }
    expectThreeWaysAgree(s, dofs, {s.find("Tip"), {}});
}

TEST(Jacobian, APointIsNotMovedByJointsBesideIt) {
    const Skeleton s = test::everyKind();
    const PointJacobian jacobian =
        computePointJacobian(s, DofVector(s.dofCount(), 0.1), {s.find("ball_xyz"), {1, 1, 1}});
    EXPECT_EQ(jacobian[s.firstDof(s.find("second_root"))], (Vec3{}));
    EXPECT_EQ(jacobian[s.firstDof(s.find("ball_zyz"))], (Vec3{}));
}

}  // namespace
}  // namespace ulna
