// SPDX-License-Identifier: Apache-2.0

// Forward kinematics and Jacobians of a card, judged by those of the processor in double.
#include "ulna/gpu/kinematics.h"

#include <cmath>

#include "gpu/card/card.h"
#include "support/ik.h"
#include "support/skins.h"

namespace ulna {
namespace {

using namespace test;

std::vector<float> randomCoordinates(const Skeleton& skeleton, std::size_t poses, double range,
                                     Random& random) {
    std::vector<float> out;
    for (std::size_t i = 0; i < poses; ++i) {
        for (const double x : randomDofs(skeleton, random, range))
            out.push_back(static_cast<float>(x));
    }
    return out;
}

DofVector dofsOf(std::span<const float> coordinates, std::size_t pose, std::size_t width) {
    const float* own = coordinates.data() + pose * width;
    return {own, own + width};
}

// How far joints are from the root, along the bones: what rounding grows with.
double reachOf(const Skeleton& skeleton) {
    double out = 1.0;
    for (const JointId j : skeleton.joints()) out += length(skeleton.rest(j).translation);
    return out;
}

void expectTransforms(const Skeleton& skeleton, std::span<const float> coordinates,
                      std::span<const float> rows, double tolerance) {
    const std::size_t joints = skeleton.jointCount(), width = skeleton.dofCount();
    for (std::size_t i = 0; i < rows.size() / (12 * joints); ++i) {
        const auto model = computeModelTransforms<double>(skeleton, dofsOf(coordinates, i, width));
        double largest = 0.0;
        for (std::size_t j = 0; j < joints; ++j) {
            for (std::size_t r = 0; r < 3; ++r) {
                for (std::size_t k = 0; k < 4; ++k)
                    largest =
                        std::max(largest, std::abs(double{rows[(i * joints + j) * 12 + 4 * r + k]} -
                                                   model[j].columns[k][r]));
            }
        }
        EXPECT_LE(largest, tolerance) << "pose " << i;
        EXPECT_FALSE(std::isnan(largest));
    }
}

void checkTransforms(const Skeleton& skeleton, std::size_t poses, double range) {
    SCOPED_TRACE(poses);
    Random random(7);
    GpuKinematics gpu = must(GpuKinematics::make(skeleton));
    const std::vector<float> coordinates = randomCoordinates(skeleton, poses, range, random);
    std::vector<float> rows(poses * skeleton.jointCount() * 12, NAN);
    must(gpu.computeTransforms(coordinates, rows));
    expectTransforms(skeleton, coordinates, rows, 4e-6 * reachOf(skeleton));
}

TEST(GpuKinematics, PlacesJointsOfEveryKind) {
    for (const std::size_t poses : {1u, 31u, 32u, 33u, 100u})
        checkTransforms(everyKind(), poses, 3.0);
}

TEST(GpuKinematics, PlacesTreesWhoseBranchesBeginAnywhere) {
    Random random(1);
    for (const std::size_t joints : {1u, 2u, 5u, 65u})
        checkTransforms(randomTree(joints, random), 40, 1.5);
    checkTransforms(limitedPerson(), 70, 1.0);
}

TEST(GpuKinematics, PlacesPlanarSkeletonsAndScaledOnes) {
    const double lengths[] = {0.5, 0.25, 0.25};
    checkTransforms(planarChain(lengths), 40, 3.0);
    std::vector<JointDef> joints = {joint("A", "", JointKind::Free, {0.1, 0, 0}),
                                    joint("B", "A", JointKind::Hinge, {0, 0.5, 0}),
                                    joint("C", "B", JointKind::Ball, {0, 0.5, 0.1})};
    joints[0].rest.scale = {2, 0.5, 1};
    joints[1].rest.scale = {1, 1, -1};
    checkTransforms(build(joints), 40, 2.0);
}

TEST(GpuKinematics, KeepsItsPrecisionForThousandsOfRevolutions) {
    const Skeleton arm =
        build({joint("A", "", JointKind::Hinge, {}), joint("B", "A", JointKind::Fixed, {0, 1, 0})});
    checkTransforms(arm, 1000, 2500 * kTwoPi);
}

TEST(GpuKinematics, LetsWhatIsNotANumberBeNone) {
    const Skeleton skeleton = limitedPerson();
    GpuKinematics gpu = must(GpuKinematics::make(skeleton));
    std::vector<float> coordinates(2 * skeleton.dofCount(), 0.0f);
    coordinates[0] = NAN;
    coordinates[4] = INFINITY;
    std::vector<float> rows(2 * skeleton.jointCount() * 12);
    must(gpu.computeTransforms(coordinates, rows));
    EXPECT_TRUE(std::isnan(rows[3]));
    expectTransforms(skeleton, std::span<const float>(coordinates).subspan(skeleton.dofCount()),
                     std::span<const float>(rows).subspan(skeleton.jointCount() * 12), 1e-5);
}

// Positions by dual numbers, axes by the motions of degrees of freedom.
void checkJacobians(const Skeleton& skeleton, const std::vector<JointPoint>& points,
                    std::size_t poses, double range) {
    Random random(9);
    const std::size_t n = skeleton.dofCount();
    GpuKinematics gpu = must(GpuKinematics::make(skeleton, points));
    const std::vector<float> coordinates = randomCoordinates(skeleton, poses, range, random);
    std::vector<float> out(poses * points.size() * 6 * n, NAN);
    must(gpu.computeJacobians(coordinates, out));
    const double tolerance = 1e-5 * reachOf(skeleton);
    for (std::size_t i = 0; i < poses; ++i) {
        const DofVector dofs = dofsOf(coordinates, i, n);
        const ModelPose model = computeModelPose(skeleton, computePose(skeleton, dofs));
        const std::vector<DofMotion> motions = computeDofMotions(skeleton, dofs, model);
        for (std::size_t p = 0; p < points.size(); ++p) {
            const PointJacobian expected = differentiatePoint(skeleton, dofs, points[p]);
            const float* own = out.data() + (i * points.size() + p) * 6 * n;
            for (std::size_t d = 0; d < n; ++d) {
                const JointId j = skeleton.jointOfDof(d);
                const bool above = j == points[p].joint || skeleton.isAncestor(j, points[p].joint);
                for (std::size_t k = 0; k < 3; ++k) {
                    EXPECT_NEAR(own[k * n + d], expected[d][k], tolerance)
                        << i << ' ' << p << ' ' << d;
                    EXPECT_NEAR(own[(3 + k) * n + d], above ? motions[d].angular[k] : 0.0, 4e-6)
                        << i << ' ' << p << ' ' << d;
                }
            }
        }
    }
}

TEST(GpuKinematics, DifferentiatesPointsOfEveryKindOfJoint) {
    const Skeleton skeleton = everyKind();
    std::vector<JointPoint> points;
    for (const JointId j : skeleton.joints()) points.push_back({j, {0.1, -0.2, 0.3}});
    checkJacobians(skeleton, points, 35, 2.0);
}

TEST(GpuKinematics, DifferentiatesPointsBelowUniformScale) {
    std::vector<JointDef> joints = {joint("A", "", JointKind::Free, {0.1, 0, 0}),
                                    joint("B", "A", JointKind::Prismatic, {0, 0.5, 0}),
                                    joint("C", "B", JointKind::Universal, {0, 0.5, 0.1})};
    joints[0].rest.scale = {2, 2, 2};
    const Skeleton skeleton = build(joints);
    checkJacobians(skeleton, {{skeleton.find("C"), {0, 0.5, 0}}}, 10, 1.0);
}

TEST(GpuKinematics, DifferentiatesSmallRotationVectors) {
    std::vector<JointDef> joints = {joint("A", "", JointKind::Ball, {})};
    joints[0].coordinates = BallCoordinates::RotationVector;
    const Skeleton skeleton = build(joints);
    for (const double range : {0.0, 1e-6, 1e-3, 0.1, 0.2, 3.0})
        checkJacobians(skeleton, {{jointId(0), {0, 1, 0}}}, 20, range);
}

TEST(GpuKinematics, WorksOnArraysOfTheDeviceOnAStreamOfTheCallers) {
    const Skeleton skeleton = limitedPerson();
    const std::vector<JointPoint> points = {{skeleton.find("LeftHand"), {0, 0.1, 0}},
                                            {skeleton.find("Head"), {}}};
    constexpr std::size_t kPoses = 50;
    Random random(3);
    const std::vector<float> values = randomCoordinates(skeleton, kPoses, 1.0, random);
    Stream stream;
    GpuKinematics gpu = must(GpuKinematics::make(skeleton, points, {.stream = stream.handle()}));
    const GpuFloats coordinates = must(GpuFloats::make(0, values));
    GpuFloats rows = must(GpuFloats::make(0, kPoses * 12 * skeleton.jointCount()));
    GpuFloats jacobians = must(GpuFloats::make(0, kPoses * 2 * 6 * skeleton.dofCount()));
    must(gpu.computeTransforms(kPoses, coordinates.data(), rows.data()));
    must(gpu.computeJacobians(kPoses, coordinates.data(), jacobians.data()));
    EXPECT_TRUE(stream.launches() == 2 || stream.launches() == -1);
    stream.wait();
    expectTransforms(skeleton, values, valuesOf(rows), 1e-5);

    // Arrays of the host give the same bytes, in every run, and later calls allocate nothing.
    gpu.setStream(nullptr);
    std::vector<float> again(rows.size()), jacobians_again(jacobians.size());
    must(gpu.computeTransforms(values, again));
    must(gpu.computeJacobians(values, jacobians_again));
    const std::size_t before = freeMemory();
    must(gpu.computeTransforms(values, again));
    must(gpu.computeJacobians(values, jacobians_again));
    EXPECT_EQ(freeMemory(), before);
    EXPECT_EQ(again, valuesOf(rows));
    EXPECT_EQ(jacobians_again, valuesOf(jacobians));
    EXPECT_TRUE(stream.launches() == 2 || stream.launches() == -1);
}

std::string errorOf(const Status& status) {
    return status ? "" : describe(status.error());
}

TEST(GpuKinematics, NamesTheArrayThatIsWrong) {
    const Skeleton skeleton = everyKind();
    const std::size_t n = skeleton.dofCount(), m = 12 * skeleton.jointCount();
    const JointPoint point{jointId(2), {}};
    GpuKinematics gpu = must(GpuKinematics::make(skeleton, {&point, 1}));
    std::vector<float> in(2 * n), out(2 * m), jacobians(12 * n);
    const auto contains = [](const std::string& text, const char* part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    contains(errorOf(gpu.computeTransforms(std::span(in).first(2 * n - 1), out)), "'coordinates'");
    contains(errorOf(gpu.computeTransforms(in, std::span(out).first(2 * m - 1))),
             "'model_from_joint'");
    contains(errorOf(gpu.computeTransforms(in, std::span(out).first(m))), "'coordinates'");
    contains(errorOf(gpu.computeJacobians(in, std::span(jacobians).first(6 * n))), "'jacobians'");
    contains(errorOf(gpu.computeJacobians(std::span(in).first(n + 1), jacobians)), "'coordinates'");
    contains(errorOf(gpu.computeTransforms(1, nullptr, out.data())), "'coordinates' is missing");
    const GpuFloats array = must(GpuFloats::make(0, n + m + 1));
    auto* const odd = const_cast<float*>(array.data()) + 1;
    contains(errorOf(gpu.computeTransforms(1, array.data(), odd)), "a multiple of 16");
    EXPECT_EQ(errorOf(gpu.computeTransforms(0, nullptr, nullptr)), "");
    EXPECT_EQ(errorOf(gpu.computeTransforms({}, {})), "");

    const JointPoint nowhere{jointId(1000), {}};
    EXPECT_FALSE(GpuKinematics::make(skeleton, {&nowhere, 1}));
    EXPECT_FALSE(GpuKinematics::make(skeleton, {}, {.device = 99}));
    const Skeleton fixed = build({joint("A", "", JointKind::Fixed, {1, 2, 3})});
    std::vector<float> one(12);
    GpuKinematics still = must(GpuKinematics::make(fixed));
    must(still.computeTransforms({}, one));
    EXPECT_EQ(one, (std::vector<float>{1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3}));
}

}  // namespace
}  // namespace ulna
