// SPDX-License-Identifier: Apache-2.0

// What a degree of freedom does, judged by doing it.
#include "ulna/skeleton/movements.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/humanoid.h"
#include "support/skeletons.h"
#include "ulna/character/stage.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

// Where the far end of a joint's bone goes, in parts of the bone's length, as the coordinate grows.
Vec3 wayOf(const Skeleton& skeleton, JointId j, std::size_t dof) {
    constexpr double kStep = 1e-5;
    const auto end = [&](double value) {
        DofVector dofs(skeleton.dofCount(), 0.0);
        dofs[dof] = value;
        const ModelPose model = computeModelPose(skeleton, computePose(skeleton, dofs));
        return model.position(j) + rotate(rotationOf(model[j]), skeleton.tip(j));
    };
    return (end(kStep) - end(-kStep)) * (1.0 / (2.0 * kStep * skeleton.boneLength(j)));
}

TEST(Movements, AreWhatCoordinatesDoUnderEveryLimits) {
    const Skeleton person = test::makeHumanoid(test::nameFamilies().front());
    for (const LimitSource limits :
         {LimitSource::Own, LimitSource::None, LimitSource::Anatomical}) {
        const Result<Stage> stage = makeStage(person, {.limits = limits});
        ASSERT_TRUE(stage.ok());
        const Skeleton& skeleton = stage->skeleton;
        const std::vector<Movement> movements = movementsOf(skeleton);
        for (const char* name :
             {"LeftUpLeg", "RightUpLeg", "LeftLeg", "LeftArm", "RightForeArm", "Spine1", "Neck"}) {
            const JointId j = skeleton.find(std::string("mixamorig:") + name);
            ASSERT_NE(j, JointId::None) << name;
            const bool arm = std::string(name).find("Arm") != std::string::npos;
            std::vector<Movement> found;
            for (std::size_t d = skeleton.firstDof(j);
                 d < skeleton.firstDof(j) + skeleton.dofCount(j); ++d) {
                found.push_back(movements[d]);
                const Vec3 way = wayOf(skeleton, j, d);
                // Arms are held out to the sides: bending them forwards is along z, others bend so
                // too.
                const double forward = std::abs(way.z);
                const double aside = arm ? std::abs(way.y) : std::abs(way.x);
                switch (movements[d]) {
                    case Movement::Bend:
                        EXPECT_GT(forward, 0.85) << name;
                        break;
                    case Movement::Side:
                        EXPECT_GT(aside, 0.85) << name;
                        break;
                    case Movement::Twist:
                        EXPECT_LT(length(way), 0.3) << name;
                        break;
                    case Movement::Slide:
                        ADD_FAILURE() << name << " does not slide";
                }
            }
            std::sort(found.begin(), found.end());
            EXPECT_EQ(found, (std::vector{Movement::Bend, Movement::Side, Movement::Twist}))
                << name;
        }
    }
}

TEST(Movements, OfARootAreSlidesAndATwistAboutTheVertical) {
    const Skeleton person = test::makeHumanoid(test::nameFamilies().front());
    const std::vector<Movement> movements = movementsOf(person);
    const JointId root = person.roots().front();
    ASSERT_EQ(person.dofCount(root), 6U);
    const std::size_t first = person.firstDof(root);
    for (std::size_t d = first; d < first + 3; ++d) EXPECT_EQ(movements[d], Movement::Slide);
    for (std::size_t d = first + 3; d < first + 6; ++d) {
        DofVector dofs(person.dofCount(), 0.0);
        dofs[d] = 0.5;
        const Quat turned = computePose(person, dofs)[root].rotation;
        const double upright = rotate(turned, Vec3{0, 1, 0}).y;
        EXPECT_EQ(movements[d] == Movement::Twist, upright > 0.999) << d;
    }
}

TEST(Movements, OfAnAxisThatComesTwiceAreTheSame) {
    JointDef ball = test::joint("ball", "", JointKind::Ball, {});
    ball.order = EulerOrder::Zxz;
    ball.tip = Vec3{0, 0, 1};
    const std::vector<Movement> movements = movementsOf(test::build({ball}));
    EXPECT_EQ(movements[0], movements[2]);
    EXPECT_NE(movements[0], movements[1]);
}

TEST(Movements, OfHingesOfThePlaneAreBends) {
    const double lengths[] = {1, 1};
    for (const Movement each : movementsOf(test::planarChain(lengths)))
        EXPECT_EQ(each, Movement::Bend);
}

}  // namespace
}  // namespace ulna
