// SPDX-License-Identifier: Apache-2.0

// Weights in double: shapes are followed as closely as double allows.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/fit.h"
#include "support/skeleton_fits.h"

namespace ulna {
namespace {

using namespace test;

// Weights that float cannot hold, near those of `weights`.
std::vector<double> refined(const SkinWeights& weights, Random& random) {
    std::vector<double> out;
    for (const Influence& influence : weights.influences)
        out.push_back(static_cast<double>(influence.weight) * (1.0 + random.between(0.0, 1e-4)));
    return out;
}

// The formula of fit/rig.h.
std::vector<Vec3> plainVertices(const FitRig& rig, const ControlPose& pose) {
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < rig.vertices.size(); ++i) {
        Vec3 sum;
        for (std::size_t k = rig.weights.first[i]; k < rig.weights.first[i + 1]; ++k) {
            const std::size_t j = index(rig.weights.influences[k].joint);
            sum += (toMatrix(pose.rotations[j]) * (rig.vertices[i] - rig.points[j].rest) +
                    pose.positions[j]) *
                   rig.exact_weights[k];
        }
        out.push_back(sum);
    }
    return out;
}

TEST(ExactWeights, AreFollowedCloserThanFloatsCan) {
    Random random(1);
    FitRig rig = randomRig(10, 500, true, random);
    rig.exact_weights = refined(rig.weights, random);
    const ControlPose truth = randomControlPose(rig, radians(40.0), 0.2, random);
    const std::vector<Vec3> shape = plainVertices(rig, truth);
    EXPECT_LT(rmsBetween(shape, computeVertices(rig, truth)), 1e-14);
    Fitter exact = makeFitter(rig);
    rig.exact_weights.clear();
    Fitter rounded = makeFitter(rig);
    ControlPose pose = restControlPose(rig);
    EXPECT_LT(exact.fit({.positions = shape}, FitStart::Cold, pose).rms, 1e-10);
    EXPECT_GT(rounded.fit({.positions = shape}, FitStart::Cold, pose).rms, 1e-6);
}

TEST(ExactWeights, OfASkeletonAreThoseOfItsRig) {
    const Skeleton skeleton = limitedArm();
    Random random(2);
    const Mesh mesh = meshAround(skeleton, 400, random);
    SkeletonFitOptions options{.exact_weights = refined(mesh.weights, random)};
    Result<FitRig> rig = makeFitRig(skeleton, mesh);
    ASSERT_TRUE(rig);
    rig->exact_weights = options.exact_weights;
    const Pose truth = computePose(skeleton, clampedDofs(skeleton, random));
    const std::vector<Vec3> shape = plainVertices(*rig, makeControlPose(skeleton, mesh, truth));
    for (const bool pins : {false, true}) {
        Pose pose = truth;
        if (pins) options.pinned = {jointId(skeleton.jointCount() - 1)};
        SkeletonFitter exact = makeSkeletonFitter(skeleton, mesh, options);
        EXPECT_LT(exact.fit({.positions = shape}, FitStart::Warm, pose).rms, 1e-9);
        Pose other = truth;
        SkeletonFitter rounded = makeSkeletonFitter(skeleton, mesh, {.pinned = options.pinned});
        EXPECT_GT(rounded.fit({.positions = shape}, FitStart::Warm, other).rms, 1e-6);
    }
}

TEST(ExactWeights, MustBeOnePerInfluenceAndFinite) {
    Random random(3);
    FitRig rig = randomRig(4, 50, false, random);
    rig.exact_weights = refined(rig.weights, random);
    EXPECT_TRUE(checkRig(rig));
    rig.exact_weights[7] = std::numeric_limits<double>::quiet_NaN();
    ASSERT_FALSE(checkRig(rig));
    EXPECT_EQ(checkRig(rig).error().what, "an exact weight is not finite");
    rig.exact_weights.pop_back();
    ASSERT_FALSE(checkRig(rig));
    EXPECT_NE(checkRig(rig).error().what.find("exact weights for"), std::string::npos);
}

}  // namespace
}  // namespace ulna
