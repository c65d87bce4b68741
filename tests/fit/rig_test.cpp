// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/rig.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/fit.h"
#include "support/skins.h"
#include "ulna/fit/fitter.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna {
namespace {

using test::randomRig;

std::string wrongWith(const FitRig& rig) {
    const Status status = checkRig(rig);
    EXPECT_EQ(Fitter::make(rig).ok(), status.ok());
    return status ? "" : describe(status.error());
}

TEST(FitRig, SaysWhatIsWrongWithIt) {
    Random random(1);
    const FitRig good = randomRig(4, 20, true, random);
    EXPECT_EQ(wrongWith(good), "");
    EXPECT_NE(wrongWith(FitRig{}), "");
    FitRig rig = good;
    rig.vertices.pop_back();
    EXPECT_NE(wrongWith(rig).find("20 rows of weights for 19 vertices"), std::string::npos);
    rig = good;
    rig.masses = {1.0};
    EXPECT_NE(wrongWith(rig).find("1 masses"), std::string::npos);
    rig = good;
    rig.masses.assign(20, 1.0);
    rig.masses[3] = -1.0;
    EXPECT_NE(wrongWith(rig).find("negative"), std::string::npos);
    rig = good;
    rig.vertices[5].x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(wrongWith(rig).find("'5'"), std::string::npos);
    rig = good;
    rig.points[2].rest.y = std::numeric_limits<double>::infinity();
    EXPECT_NE(wrongWith(rig).find("p2"), std::string::npos);
    rig = good;
    rig.points[1].parent = 9;
    EXPECT_NE(wrongWith(rig).find("p1"), std::string::npos);
    rig = good;
    rig.points[0].parent = 3;
    rig.points[3].parent = 0;
    EXPECT_NE(wrongWith(rig).find("cycle"), std::string::npos);
    rig = good;
    rig.points[2].freedom = PointFreedom::Driven;
    EXPECT_NE(wrongWith(rig).find("driven"), std::string::npos);
    rig = good;
    rig.rigid_pairs = {{0, 7}};
    EXPECT_NE(wrongWith(rig).find("does not exist"), std::string::npos);
    rig = good;
    rig.points[1].freedom = PointFreedom::Cage;
    rig.rigid_pairs = {{0, 1}};
    EXPECT_NE(wrongWith(rig).find("p0, p1"), std::string::npos);
    rig = good;
    rig.weights.influences[0].joint = jointId(4);
    EXPECT_NE(wrongWith(rig).find("vertex 0"), std::string::npos);
    rig = good;
    rig.planar = true;
    EXPECT_NE(wrongWith(rig), "");
}

TEST(FitRig, ARigidGroupThatHangsFromTwoPointsIsRefused) {
    Random random(2);
    FitRig rig = randomRig(4, 20, false, random);
    rig.points[2].parent = 0;
    rig.points[3].parent = 1;
    rig.rigid_pairs = {{2, 3}};
    EXPECT_NE(wrongWith(rig).find("two points"), std::string::npos);
}

TEST(FitRig, ListsPairsThatCloseALoop) {
    Random random(3);
    FitRig rig = randomRig(5, 20, false, random);
    rig.rigid_pairs = {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 3}};
    EXPECT_EQ(redundantPairs(rig), (std::vector<std::uint32_t>{2, 4}));
}

TEST(FitRig, AVertexWithoutWeightsStaysAtRest) {
    FitRig rig;
    rig.points = {{.rest = {1, 0, 0}}};
    rig.vertices = {{1, 2, 3}, {4, 5, 6}};
    rig.weights.addRow({});
    const Influence all{jointId(0), 1.0f};
    rig.weights.addRow(std::span(&all, 1));
    ControlPose pose = restControlPose(rig);
    pose.positions[0] = {2, 0, 0};
    EXPECT_EQ(computeVertices(rig, pose), (std::vector<Vec3>{{1, 2, 3}, {5, 5, 6}}));
}

TEST(FitRig, OfASkeletonMovesAsItsSkinDoes) {
    Random random(4);
    const Skeleton skeleton = test::randomTree(12, random);
    const Mesh mesh = test::randomMesh(300, 12, 4, random);
    const FitRig rig = *makeFitRig(skeleton, mesh);
    for (int sample = 0; sample < 5; ++sample) {
        const Pose pose = test::turnedPose(skeleton, random);
        const ControlPose control = makeControlPose(skeleton, mesh, pose);
        const ReferenceVertices skin =
            deformReference(skeleton, mesh, computeModelPose(skeleton, pose));
        const std::vector<Vec3> found = computeVertices(rig, control);
        EXPECT_LT(test::rmsBetween(found, skin.positions), 1e-12);
        // The hierarchy holds in it, and the way back gives the same pose.
        ControlPose carried = control;
        applyHierarchy(rig, carried);
        for (std::size_t j = 0; j < rig.points.size(); ++j)
            EXPECT_LT(distance(carried.positions[j], control.positions[j]), 1e-12);
        const ModelPose back = computeModelPose(skeleton, makePose(skeleton, mesh, control));
        const ModelPose there = computeModelPose(skeleton, pose);
        for (std::size_t j = 0; j < rig.points.size(); ++j) {
            EXPECT_LT(distance(back.position(jointId(j)), there.position(jointId(j))), 1e-12);
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_LT(distance(back.model_from_joint[j].column(k),
                                   there.model_from_joint[j].column(k)),
                          1e-12);
            }
        }
    }
}

TEST(FitRig, NeedsARowOfWeightsPerVertex) {
    Random random(5);
    const Skeleton skeleton = test::randomTree(3, random);
    Mesh mesh = test::randomMesh(30, 3, 2, random);
    mesh.weights = {};
    EXPECT_FALSE(makeFitRig(skeleton, mesh).ok());
}

}  // namespace
}  // namespace ulna
