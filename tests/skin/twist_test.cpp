// SPDX-License-Identifier: Apache-2.0

// Twist spread over limbs, judged by a tube whose cross-sections are known in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/allocations.h"
#include "support/paths.h"
#include "support/skeletons.h"
#include "support/skins.h"
#include "ulna/io/gltf.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna {
namespace {

using test::widened;

constexpr double kUpper = 0.3, kFore = 0.25, kRadius = 0.04;
constexpr double kEnd = kUpper + kFore + 0.1;
constexpr std::size_t kRings = 66, kAround = 16;  // a ring per centimetre, from x = -0.1 on
constexpr SkinBlend kBlends[] = {SkinBlend::Linear, SkinBlend::DualQuaternion};

// An arm along x: trunk, shoulder (at the origin), elbow, wrist.
Skeleton arm() {
    return test::build({test::joint("trunk", "", JointKind::Free, {-0.1, 0, 0}),
                        test::joint("shoulder", "trunk", JointKind::Ball, {0.1, 0, 0}),
                        test::joint("elbow", "shoulder", JointKind::Ball, {kUpper, 0, 0}),
                        test::joint("wrist", "elbow", JointKind::Ball, {kFore, 0, 0})});
}

double ringX(std::size_t ring) {
    return -0.1 + 0.01 * static_cast<double>(ring);
}

// Joints share the four centimetres around each of them.
Mesh sleeve() {
    Mesh out;
    for (std::size_t v = 0; v < kRings * kAround; ++v) {
        const double x = ringX(v / kAround);
        const double angle = kTwoPi * static_cast<double>(v % kAround) / kAround;
        out.positions.push_back(
            cast<float>(Vec3{x, kRadius * std::cos(angle), kRadius * std::sin(angle)}));
        double left = 1.0;
        std::vector<Influence> row;
        std::size_t joint = 3;
        for (const double at : {kUpper + kFore, kUpper, 0.0}) {
            const double share = std::min(std::clamp((x - at) / 0.04 + 0.5, 0.0, 1.0), left);
            if (share > 0.0) row.push_back({jointId(joint), static_cast<float>(share)});
            left -= share;
            --joint;
        }
        if (left > 1e-9) row.push_back({jointId(0), static_cast<float>(left)});
        std::sort(row.begin(), row.end(),
                  [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
        out.weights.addRow(row);
    }
    return out;
}

// A cross-section's radius and its rotation about x from where it was.
struct Section {
    double radius = 0.0, angle = 0.0;
};
Section sectionOf(const std::vector<Vec3>& positions, std::size_t ring) {
    const Vec3& p = positions[ring * kAround];
    return {std::hypot(p.y, p.z), std::atan2(p.z, p.y)};
}

std::vector<TwistBone> armBones() {
    return {{.start = jointId(1), .end = jointId(2)},
            {.start = jointId(2), .end = jointId(3), .at_end = true}};
}

std::vector<Vec3> posed(const Pose& pose, SkinBlend blend, std::span<const TwistBone> twists) {
    const Skeleton skeleton = arm();
    return deformReference(skeleton, sleeve(), computeModelPose(skeleton, pose), {.blend = blend},
                           twists)
        .positions;
}

TEST(Twist, OfTheWristGrowsEvenlyFromTheElbowAndKeepsTheForearmRound) {
    Pose pose = restPose(arm());
    const double angle = radians(90);
    pose[jointId(3)].rotation = quatAboutAxis(0, angle);
    for (const SkinBlend blend : kBlends) {
        const std::vector<Vec3> out = posed(pose, blend, armBones());
        for (std::size_t ring = 0; ring < kRings; ++ring) {
            const Section section = sectionOf(out, ring);
            const double along = std::clamp((ringX(ring) - kUpper) / kFore, 0.0, 1.0);
            // Four segments of linear blend: chords instead of arcs. Beside a joint, the bone on
            // its other side shares, which does not twist.
            EXPECT_NEAR(section.angle, angle * along, radians(1)) << "ring " << ring;
            EXPECT_GT(section.radius, 0.98 * kRadius) << "ring " << ring;
            EXPECT_LT(section.radius, kRadius * (1.0 + 1e-6)) << "ring " << ring;
        }
    }
}

TEST(Twist, OfTheShoulderGrowsEvenlyFromTheShoulderAndLeavesTheTrunk) {
    Pose pose = restPose(arm());
    const double angle = radians(-80);
    pose[jointId(1)].rotation = quatAboutAxis(0, angle);
    for (const SkinBlend blend : kBlends) {
        const std::vector<Vec3> out = posed(pose, blend, armBones());
        for (std::size_t ring = 0; ring < kRings; ++ring) {
            const Section section = sectionOf(out, ring);
            const double along = std::clamp(ringX(ring) / kUpper, 0.0, 1.0);
            EXPECT_NEAR(section.angle, angle * along, radians(1)) << "ring " << ring;
            EXPECT_GT(section.radius, 0.98 * kRadius) << "ring " << ring;
        }
    }
}

TEST(Twist, WithoutBonesWringsTheWrist) {
    Pose pose = restPose(arm());
    pose[jointId(3)].rotation = quatAboutAxis(0, radians(90));
    const std::vector<Vec3> out = posed(pose, SkinBlend::Linear, {});
    // Half of each joint, 90 degrees apart: the candy wrapper.
    const auto ring = static_cast<std::size_t>(std::lround((kUpper + kFore + 0.1) / 0.01));
    EXPECT_NEAR(sectionOf(out, ring).radius, kRadius * std::cos(radians(45)), 1e-6);
}

TEST(Twist, SpreadLeavesBendsAndThePoseOfBindingAsTheyAre) {
    for (const SkinBlend blend : kBlends) {
        Pose pose = restPose(arm());
        for (const bool bent : {false, true}) {
            if (bent) {
                pose[jointId(1)].rotation = quatAboutAxis(2, radians(60));
                pose[jointId(2)].rotation = quatAboutAxis(1, radians(-100));
                pose[jointId(3)].rotation = quatAboutAxis(2, radians(45));
            }
            const std::vector<Vec3> plain = posed(pose, blend, {});
            const std::vector<Vec3> spread = posed(pose, blend, armBones());
            // Shares of a weight are rounded to float.
            for (std::size_t v = 0; v < plain.size(); ++v)
                EXPECT_LT(distance(plain[v], spread[v]), 1e-7) << v;
        }
    }
}

TEST(Twist, IsFoundInARotationThatBendsToo) {
    // Bent by 70 degrees about z after a twist by 50 about the arm: seen from the bent arm, the
    // cross-sections twist as without the bend.
    Pose twisted = restPose(arm()), both = twisted;
    twisted[jointId(1)].rotation = quatAboutAxis(0, radians(50));
    both[jointId(1)].rotation = quatAboutAxis(2, radians(70)) * quatAboutAxis(0, radians(50));
    const std::vector<Vec3> expected = posed(twisted, SkinBlend::DualQuaternion, armBones());
    const std::vector<Vec3> out = posed(both, SkinBlend::DualQuaternion, armBones());
    const Quat back = quatAboutAxis(2, radians(-70));
    for (std::size_t ring = 13; ring < kRings; ++ring)  // beyond what the trunk shares
        EXPECT_LT(distance(rotate(back, out[ring * kAround]), expected[ring * kAround]), 1e-7)
            << ring;
}

TEST(Twist, BonesWithoutALengthAreLeftOut) {
    const Skeleton s = test::build({test::joint("a", "", JointKind::Free, {}),
                                    test::joint("b", "a", JointKind::Ball, {}),
                                    test::joint("c", "b", JointKind::Ball, {1, 0, 0})});
    Random random(3);
    const Mesh mesh = test::randomMesh(40, 3, 2, random);
    const ModelPose pose = computeModelPose(s, test::turnedPose(s, random));
    const TwistBone nowhere{.start = jointId(0), .end = jointId(1), .at_end = true};
    const std::vector<Vec3> expected = deformReference(s, mesh, pose).positions;
    const std::vector<Vec3> out = deformReference(s, mesh, pose, {}, {&nowhere, 1}).positions;
    for (std::size_t v = 0; v < out.size(); ++v) EXPECT_EQ(out[v], expected[v]);
}

TEST(Twist, OfHalfARevolutionIsFiniteAndThoseOfAnyPoseAreThoseOfTheReference) {
    const Skeleton s = arm();
    const Mesh mesh = sleeve();
    const Deformer deformer(s, mesh, armBones());
    Random random(11);
    for (int i = 0; i < 50; ++i) {
        Pose pose = test::turnedPose(s, random);
        if (i == 0) pose[jointId(3)].rotation = quatAboutAxis(0, kPi);
        if (i == 1) pose[jointId(1)].rotation = quatAboutAxis(2, kPi);
        const ModelPose model = computeModelPose(s, pose);
        for (const SkinBlend blend : kBlends) {
            const DeformOptions options{.blend = blend};
            const ReferenceVertices expected = deformReference(s, mesh, model, options, armBones());
            DeformedVertices out, from_float;
            deformer.deform(model, options, out);
            deformer.deform(FloatPose(pose), options, from_float);
            for (std::size_t v = 0; v < out.positions.size(); ++v) {
                ASSERT_LT(distance(widened(out.positions[v]), expected.positions[v]), 4e-6) << i;
                // Half a revolution in float may be half a revolution the other way.
                if (i > 1) {
                    ASSERT_LT(distance(widened(from_float.positions[v]), expected.positions[v]),
                              2e-5)
                        << i;
                }
            }
        }
    }
}

TEST(Twist, AllocatesNothingAfterTheFirstTime) {
    const Skeleton s = arm();
    const Deformer deformer(s, sleeve(), armBones());
    const ModelPose pose = computeModelPose(s, restPose(s));
    DeformedVertices out;
    for (const SkinBlend blend : kBlends) deformer.deform(pose, {.blend = blend}, out);
    const long before = test::allocationCount();
    for (const SkinBlend blend : kBlends) deformer.deform(pose, {.blend = blend}, out);
    EXPECT_EQ(test::allocationCount(), before);
}

TEST(LimbTwists, AreTheEightLimbsOfAHumanBodyAndNoneOfOtherBodies) {
    const Result<io::GltfFile> file = io::loadGltf(test::sourcePath("assets/ulna-character.glb"));
    ASSERT_TRUE(file.ok());
    const Skeleton& s = file->skeleton;
    std::vector<std::string> names;
    for (const TwistBone& bone : limbTwists(s)) {
        names.push_back(std::string(s.name(bone.start)) + " to " + std::string(s.name(bone.end)) +
                        (bone.at_end ? ", both ends" : ""));
        EXPECT_TRUE(bone.at_start);
    }
    EXPECT_EQ(names, (std::vector<std::string>{
                         "LeftArm to LeftForeArm", "LeftForeArm to LeftHand, both ends",
                         "LeftUpLeg to LeftLeg", "LeftLeg to LeftFoot, both ends",
                         "RightArm to RightForeArm", "RightForeArm to RightHand, both ends",
                         "RightUpLeg to RightLeg", "RightLeg to RightFoot, both ends"}));
    EXPECT_TRUE(limbTwists(arm()).empty());
}

}  // namespace
}  // namespace ulna
