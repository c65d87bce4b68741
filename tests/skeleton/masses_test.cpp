// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/masses.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/humanoid.h"
#include "support/skeletons.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using namespace test;

TEST(Masses, AHumanBodyHasItsSegments) {
    const Skeleton body = makeHumanoid(nameFamilies().front());
    const Result<std::vector<JointMass>> masses = humanMasses(body);
    ASSERT_TRUE(masses);
    double sum = 0.0, trunk = 0.0, thighs = 0.0;
    for (const JointMass& each : *masses) {
        sum += each.mass;
        const std::string& name = body.name(each.joint);
        if (name.find("UpLeg") != std::string::npos) thighs += each.mass;
        if (name.find("Hips") != std::string::npos || name.find("Spine") != std::string::npos)
            trunk += each.mass;
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
    EXPECT_NEAR(thighs, 2 * 0.142, 1e-12);
    EXPECT_NEAR(trunk, 0.435, 1e-12);
    // A body with equal sides has its centre in the middle, near the hips.
    const ModelPose rest = computeModelPose(body, restPose(body));
    const Vec3 centre = centreOfMass(*masses, rest);
    EXPECT_NEAR(centre.x, 0.0, 1e-9);
    double top = 0.0;
    for (const JointId j : body.joints()) top = std::max(top, rest.position(j).y);
    EXPECT_GT(centre.y, 0.45 * top);
    EXPECT_LT(centre.y, 0.65 * top);
}

TEST(Masses, TheCentreIsTheWeightedMean) {
    const Skeleton chain = planarChain(std::vector<double>{1.0, 2.0});
    const ModelPose rest = computeModelPose(chain, restPose(chain));
    const std::vector<JointMass> masses = {{jointId(0), 1.0, {0, 1, 0}}, {jointId(1), 3.0, {}}};
    EXPECT_LT(distance(centreOfMass(masses, rest), Vec3{0.75, 0.25, 0}), 1e-15);
}

TEST(Masses, ABodyThatIsNotHumanIsAnError) {
    EXPECT_FALSE(humanMasses(everyKind()));
}

}  // namespace
}  // namespace ulna
