// SPDX-License-Identifier: Apache-2.0

// What the report of a retargeting says, judged by forward kinematics.
#include "ulna/retarget/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/humanoid.h"
#include "support/skeletons.h"
#include "ulna/math/scalar.h"
#include "ulna/motion/units.h"
#include "ulna/retarget/detail/at_limits.h"
#include "ulna/retarget/retarget.h"
#include "ulna/retarget/sole_tracks.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

constexpr double kFrameTime = 1.0 / 60.0;
constexpr std::size_t kFrames = 90;

struct Person {
    Skeleton skeleton = makeHumanoid(nameFamilies().front());
    Pose rest = restPose(skeleton);

    [[nodiscard]] JointId joint(const std::string& name) const {
        return skeleton.find("mixamorig:" + name);
    }
    // A person that glides forward at a speed, and bends the left elbow by an angle per frame.
    [[nodiscard]] Motion gliding(double speed, double (*elbow)(std::size_t)) const {
        MotionTracks tracks;
        for (const JointId j : skeleton.joints()) tracks.rotated.push_back(j);
        tracks.translated = {skeleton.roots().front()};
        Motion out(rest, kFrames, kFrameTime, tracks);
        for (std::size_t f = 0; f < kFrames; ++f) {
            Pose pose = rest;
            pose[skeleton.roots().front()].translation.z +=
                speed * kFrameTime * static_cast<double>(f);
            Quat& bent = pose[joint("LeftForeArm")].rotation;
            bent = bent * quatFromAxisAngle(Vec3{0, 1, 0}, elbow(f));
            out.setPose(f, pose);
        }
        return out;
    }
};

double straight(std::size_t) {
    return 0.0;
}
// Bends over half a second, and stays.
double bending(std::size_t f) {
    return -std::min(1.0, static_cast<double>(f) / 30.0);
}

RetargetResult retargeted(const Person& person, const Motion& motion, const Skeleton& target,
                          const RetargetOptions& options) {
    const Pose rest = restPose(target);
    const Result<Retargeter> both =
        Retargeter::make({person.skeleton, person.rest}, {target, rest});
    EXPECT_TRUE(both.ok());
    Result<RetargetResult> out = both->retarget(motion, options);
    EXPECT_TRUE(out.ok());
    return *std::move(out);
}

TEST(RetargetReport, SaysWhatFeetDoThatNothingHolds) {
    const Person person;
    constexpr double kSpeed = 0.2;
    const Motion motion = person.gliding(kSpeed, straight);
    const Result<Skeleton> twice = scaledSkeleton(person.skeleton, 2.0);
    ASSERT_TRUE(twice.ok());
    const RetargetReport report =
        retargeted(person, motion, *twice, {.feet = RetargetFeet::Keep}).report;
    // The whole body glides: so do its soles, twice as fast as the source's.
    EXPECT_NEAR(report.scale, 2.0, 1e-9);
    EXPECT_NEAR(report.slide_mean, 2.0 * kSpeed, 1e-6);
    EXPECT_NEAR(report.slide_most, 2.0 * kSpeed, 1e-6);
    EXPECT_LT(report.direction_most, 1e-6);
    ASSERT_TRUE(report.pelvis_height && report.pelvis_path);
    EXPECT_NEAR(*report.pelvis_height, 1.0, 1e-6);
    EXPECT_NEAR(*report.pelvis_path, 1.0, 1e-6);
}

TEST(RetargetReport, TellsNoProportionOfAPathThatIsTooShort) {
    const Person person;
    const RetargetReport report =
        retargeted(person, person.gliding(0.0, straight), person.skeleton, {}).report;
    EXPECT_FALSE(report.pelvis_path.has_value());
    EXPECT_TRUE(report.pelvis_height.has_value());
}

TEST(RetargetReport, SaysHowFarSolesAreAboveTheFloorAndBelowIt) {
    const Person person;
    const Motion motion = person.gliding(0.0, straight);
    const RetargetResult on_floor =
        retargeted(person, motion, person.skeleton, {.feet = RetargetFeet::Lock});
    EXPECT_LT(on_floor.report.floating_most, 1e-6);
    EXPECT_LT(on_floor.report.penetration, 1e-6);
    // Of feet that are not moved, contacts of a floor that is lower are in the air, and the soles
    // of one that is higher below it.
    for (const double lower : {0.03, -0.03}) {
        RetargetOptions options{.feet = RetargetFeet::Keep};
        options.contacts = on_floor.contacts;
        options.contacts->floor -= lower;
        const RetargetReport report = retargeted(person, motion, person.skeleton, options).report;
        EXPECT_NEAR(report.floating_mean, std::max(lower, 0.0), 1e-6);
        EXPECT_NEAR(report.floating_most, std::max(lower, 0.0), 1e-6);
        EXPECT_NEAR(report.penetration, std::max(-lower, 0.0), 1e-6);
    }
}

TEST(RetargetReport, NamesTheJointAtALimitAndItsFrames) {
    const Person person;
    std::vector<JointDef> joints(person.skeleton.definitions().begin(),
                                 person.skeleton.definitions().end());
    constexpr double kOpening = 0.4;
    for (JointDef& def : joints)
        if (def.name == "mixamorig:LeftForeArm")
            def.cone = ConeLimit{.axis = {1, 0, 0}, .swing_max = kOpening};
    const Skeleton limited = build(std::move(joints));
    const JointId elbow = limited.find("mixamorig:LeftForeArm");
    const RetargetResult result =
        retargeted(person, person.gliding(0.0, bending), limited, {.keep = {false, false, false}});
    // Judged by the angle of the joint itself.
    std::size_t expected = 0;
    for (std::size_t f = 0; f < kFrames; ++f) {
        const double angle =
            angleBetween(limited.rest(elbow).rotation, result.motion.pose(f)[elbow].rotation);
        EXPECT_LT(angle, kOpening + 1e-9);
        const bool at = angle > kOpening - 1e-4;
        expected += at ? 1 : 0;
        EXPECT_EQ(result.report.at_limit[f], at ? 1U : 0U) << "frame " << f;
    }
    EXPECT_GT(expected, 60U);
    EXPECT_LT(expected, kFrames);
    EXPECT_EQ(result.report.limited_joint, elbow);
    EXPECT_EQ(result.report.limited_joint_frames, expected);
    EXPECT_EQ(result.report.limitedFrames(), expected);
}

double angleBetween(const Vec3& a, const Vec3& b) {
    return std::atan2(length(cross(a, b)), dot(a, b));
}

TEST(RetargetReport, HasTheMiddleAndTheUpperEndOfTheDifferencesOfLimbs) {
    const Person person;
    std::vector<JointDef> joints(person.skeleton.definitions().begin(),
                                 person.skeleton.definitions().end());
    for (JointDef& def : joints)
        if (def.name == "mixamorig:LeftForeArm")
            def.cone = ConeLimit{.axis = {1, 0, 0}, .swing_max = 0.4};
    const Skeleton limited = build(std::move(joints));
    const Motion source = person.gliding(0.0, bending);
    const RetargetResult result =
        retargeted(person, source, limited, {.keep = {false, false, false}});
    const RetargetReport& report = result.report;
    // The arm of the limited elbow is all that differs.
    const JointId arm[] = {person.joint("LeftArm"), person.joint("LeftForeArm"),
                           person.joint("LeftHand")};
    double most = 0.0;
    for (std::size_t f = 0; f < kFrames; ++f) {
        const ModelPose should = computeModelPose(person.skeleton, source.pose(f));
        const ModelPose is = computeModelPose(limited, result.motion.pose(f));
        for (std::size_t i = 0; i < 2; ++i)
            most =
                std::max(most, angleBetween(should.position(arm[i + 1]) - should.position(arm[i]),
                                            is.position(arm[i + 1]) - is.position(arm[i])));
    }
    EXPECT_NEAR(report.direction_most, most, 1e-9);
    EXPECT_GT(most, 0.2);
    EXPECT_LT(report.direction_median, radians(1.0));
    EXPECT_LE(report.direction_median, report.direction_95);
    EXPECT_LE(report.direction_95, report.direction_most);
    EXPECT_GT(report.direction_mean, 0.0);
}

TEST(LimitWatch, SeesHingesAtEitherEndAndNoJointThatCannotMove) {
    JointDef free = joint("free", "", JointKind::Hinge, {}), stuck = free, open = free;
    free.limits[0] = {-0.5, 1.0};
    stuck.name = "stuck";
    stuck.parent = "free";
    stuck.limits[0] = {0.0, 0.0};
    open.name = "open";
    open.parent = "stuck";
    const Skeleton skeleton = build({free, stuck, open});
    retarget::detail::LimitWatch watch(skeleton);
    for (const double angle : {-0.5, -0.49, 0.0, 0.99, 1.0}) {
        const DofVector dofs = {angle, 0.0, 3.0};
        const std::vector<JointId> found = watch.look(computePose(skeleton, dofs));
        const bool at = angle == -0.5 || angle == 1.0;
        EXPECT_EQ(found, at ? std::vector<JointId>{jointId(0)} : std::vector<JointId>{}) << angle;
    }
}

TEST(Soles, AreWhereTheFeetAre) {
    const Person person;
    const Motion motion = person.gliding(0.6, straight);
    const Result<SoleTracks> soles = trackSoles({person.skeleton, person.rest}, motion);
    ASSERT_TRUE(soles.ok());
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t part = 0; part < 2; ++part) {
            const std::vector<Vec3>& path = soles->points[side][part];
            ASSERT_EQ(path.size(), kFrames);
            EXPECT_NEAR(path.back().z - path.front().z, 0.6 * motion.duration(), 1e-9);
            EXPECT_NEAR(path.back().y, path.front().y, 1e-9);
            EXPECT_EQ(path.front().x > 0.0, side == 0) << "the left is at positive x";
        }
        // The ball is before the heel.
        EXPECT_GT(soles->points[side][1].front().z, soles->points[side][0].front().z + 0.05);
    }
    EXPECT_FALSE(trackSoles({everyKind(), restPose(everyKind())}, Motion()).ok());
}

}  // namespace
}  // namespace ulna::test
