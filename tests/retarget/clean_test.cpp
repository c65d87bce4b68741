// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/clean.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/clips.h"
#include "support/paths.h"
#include "support/skeletons.h"
#include "ulna/io/bvh.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

struct Take {
    Skeleton skeleton;
    Motion motion;
    Pose rest;
};

Take load(const std::string& path) {
    const Result<io::BvhFile> file = io::loadBvh(path);
    EXPECT_TRUE(file) << path;
    const Result<io::BvhMotion> clip = io::toMotion(*file);
    EXPECT_TRUE(clip) << path;
    return {clip->skeleton, clip->motion, restPose(clip->skeleton)};
}

// A walk whose feet slide, whose floor is somewhere, and whose rest pose is a T-pose.
Take walk() {
    return load(test::sharedData("bvh/games105/walk60.bvh"));
}

CleanResult cleaned(const Take& take, const CleanOptions& options) {
    Result<CleanResult> out =
        cleanClip({.skeleton = take.skeleton, .rest = take.rest}, take.motion, options);
    EXPECT_TRUE(out) << describe(out.error());
    return out ? *std::move(out) : CleanResult{take.motion, {}, {}};
}

std::string errorOf(const Take& take, const CleanOptions& options) {
    const Result<CleanResult> out =
        cleanClip({.skeleton = take.skeleton, .rest = take.rest}, take.motion, options);
    return out ? std::string() : describe(out.error());
}

// Heel and ball of a foot, by forward kinematics of the points that the report names.
std::array<Vec3, 2> solesAt(const Take& take, const Motion& motion, const SolePoints& sole,
                            std::size_t frame) {
    const Pose pose = motion.pose(frame);
    const Vec3 at = computeModelPose(take.skeleton, pose).position(sole.foot);
    const Quat q = computeOrientations(take.skeleton, pose)[index(sole.foot)];
    return {at + rotate(q, sole.heel), at + rotate(q, sole.ball) - Vec3{0, sole.lift, 0}};
}

TEST(Clean, FeetInContactNeitherSlideNorSink) {
    const Take take = walk();
    const CleanResult result = cleaned(take, {.floor = 0.0, .feet = true});
    ASSERT_GE(result.contacts.contacts.size(), 4u);
    EXPECT_EQ(result.contacts.floor, 0.0);
    for (const Contact& each : result.contacts.contacts) {
        const SolePoints& sole = result.report.soles[each.side == BodySide::Left ? 0 : 1];
        const auto part = static_cast<std::size_t>(each.part);
        const Vec3 first = solesAt(take, result.motion, sole, each.first)[part];
        for (std::size_t f = each.first; f <= each.last; ++f)
            EXPECT_LT(distance(solesAt(take, result.motion, sole, f)[part], first), 1e-9) << f;
    }
    for (std::size_t f = 0; f < take.motion.frameCount(); ++f)
        for (const SolePoints& sole : result.report.soles)
            for (const Vec3& point : solesAt(take, result.motion, sole, f))
                EXPECT_GT(point.y, -1e-9) << f;
    // The clip itself does slide and sink.
    EXPECT_GT(result.report.before.slide_most, 0.2);
    EXPECT_GT(result.report.before.penetration, 0.01);
    EXPECT_LT(result.report.after.slide_most, 1e-9);
}

TEST(Clean, OnlyLegsAndTheHeightOfTheRootChange) {
    const Take take = walk();
    const CleanResult result = cleaned(take, {.feet = true});
    const JointId root = take.skeleton.roots().front();
    std::vector<char> leg(take.skeleton.jointCount(), 0);
    for (const SolePoints& sole : result.report.soles) {
        const JointId thigh = take.skeleton.parent(take.skeleton.parent(sole.foot));
        for (const JointId j : take.skeleton.joints())
            leg[index(j)] |= j == thigh || take.skeleton.isAncestor(thigh, j);
    }
    for (std::size_t f = 0; f < take.motion.frameCount(); ++f) {
        Pose before = take.motion.pose(f);
        const Pose after = result.motion.pose(f);
        EXPECT_EQ(before[root].translation.x, after[root].translation.x);
        EXPECT_EQ(before[root].translation.z, after[root].translation.z);
        before[root].translation.y = after[root].translation.y;
        for (const JointId j : take.skeleton.joints()) {
            if (!leg[index(j)]) {
                EXPECT_EQ(before[j], after[j]) << take.skeleton.name(j) << ' ' << f;
            }
        }
    }
}

TEST(Clean, AClipThatIsCleanStaysToTheBitInTheAir) {
    // A run has frames in which no foot is near a contact.
    const Take take = load(test::sharedData("bvh/cmu/09_01.bvh"));
    const CleanResult found = cleaned({take.skeleton, take.motion, take.motion.pose(0)}, {});
    CleanOptions options{.feet = true};
    options.contacts = found.contacts;
    std::erase_if(options.contacts->contacts, [](const Contact& c) { return c.first > 30; });
    options.contacts->floor -= 10.0;  // nothing is below that
    options.contacts->contacts.clear();
    const CleanResult result = cleaned({take.skeleton, take.motion, take.motion.pose(0)}, options);
    for (std::size_t f = 0; f < take.motion.frameCount(); ++f)
        EXPECT_EQ(result.motion.pose(f), take.motion.pose(f)) << f;
    EXPECT_EQ(result.report.by_feet.joint, JointId::None);
}

TEST(Clean, CleaningAgainChangesNothing) {
    const Take take = walk();
    const CleanResult once = cleaned(take, {.floor = 0.0, .feet = true});
    CleanOptions again{.feet = true};
    again.contacts = once.contacts;
    const CleanResult twice = cleaned({take.skeleton, once.motion, take.rest}, again);
    EXPECT_LT(twice.report.by_feet.rotation, 1e-5);
    EXPECT_LT(twice.report.by_feet.translation, 1e-9);
}

TEST(Clean, LegsMoveWithoutSnaps) {
    const Take take = walk();
    const CleanResult result = cleaned(take, {.feet = true});
    double before = 0.0, after = 0.0;
    for (std::size_t f = 1; f < take.motion.frameCount(); ++f) {
        for (const JointId j : take.skeleton.joints()) {
            before = std::max(before, angleBetween(take.motion.pose(f - 1)[j].rotation,
                                                   take.motion.pose(f)[j].rotation));
            after = std::max(after, angleBetween(result.motion.pose(f - 1)[j].rotation,
                                                 result.motion.pose(f)[j].rotation));
        }
    }
    EXPECT_LT(after, 1.5 * before);
}

TEST(Clean, LegsOfHingesStayInsideTheirLimitsAndComeAsNearAsTheyCan) {
    // The walk on a body whose knees are hinges and whose hips and ankles have limits.
    const Take person = walk();
    const Result<io::RigFile> rig = io::loadRig(test::sourcePath("assets/ulna-character.rig.json"));
    ASSERT_TRUE(rig);
    const Pose rest = restPose(rig->skeleton);
    const Result<Retargeter> both =
        Retargeter::make({.skeleton = person.skeleton, .rest = person.rest},
                         {.skeleton = rig->skeleton, .rest = rest});
    ASSERT_TRUE(both);
    const Result<RetargetResult> sliding =
        both->retarget(person.motion, {.feet = RetargetFeet::Keep});
    ASSERT_TRUE(sliding);
    const CleanResult result =
        cleaned({rig->skeleton, sliding->motion, rest}, {.floor = 0.0, .feet = true});
    EXPECT_GT(result.report.before.slide_mean, 0.05);
    EXPECT_LT(result.report.after.slide_mean, 0.01);
    EXPECT_LT(result.report.after.slide_most, 0.05);
    EXPECT_LT(result.report.after.penetration, 0.005);
    double fastest = 0.0, before = 0.0;
    for (std::size_t f = 0; f < result.motion.frameCount(); ++f) {
        const DofFit fit = computeDofs(rig->skeleton, result.motion.pose(f));
        EXPECT_LT(fit.rotation_residual, 1e-6);
        for (const SolePoints& sole : result.report.soles) {
            for (JointId j = sole.foot; rig->skeleton.dofCount(j) < 6;
                 j = rig->skeleton.parent(j)) {
                DofVector dofs = fit.dofs;
                turnIntoLimits(rig->skeleton, j, jointDofs(rig->skeleton, j, std::span(dofs)));
                const DofVector own = dofs;
                clampJointToLimits(rig->skeleton, j, dofs);
                for (std::size_t d = 0; d < own.size(); ++d)
                    EXPECT_NEAR(own[d], dofs[d], 1e-6) << f;
            }
        }
        for (const JointId j : rig->skeleton.joints()) {
            if (f == 0) break;
            const auto step = [&](const Motion& motion) {
                return angleBetween(motion.pose(f - 1)[j].rotation, motion.pose(f)[j].rotation);
            };
            before = std::max(before, step(sliding->motion));
            fastest = std::max(fastest, step(result.motion));
        }
    }
    EXPECT_LT(fastest, 1.5 * before);
}

TEST(Clean, TheFloorMovesTheWholeBody) {
    const Take take = walk();
    const CleanResult result = cleaned(take, {.floor = 0.5});
    EXPECT_EQ(result.contacts.floor, 0.5);
    const JointId root = take.skeleton.roots().front();
    const double up = 0.5 - result.report.floor_before;
    std::size_t exactly = 0;
    for (std::size_t f = 0; f < take.motion.frameCount(); ++f) {
        const double by =
            result.motion.pose(f)[root].translation.y - take.motion.pose(f)[root].translation.y;
        EXPECT_GT(by, up - 1e-12);
        exactly += std::abs(by - up) < 1e-12 ? 1 : 0;
    }
    EXPECT_EQ(exactly, take.motion.frameCount() - result.report.raised);
    EXPECT_LT(result.report.after.penetration, 1e-12);
    EXPECT_EQ(result.report.by_floor.joint, JointId::None) << "nothing is rotated";
}

TEST(Clean, AFloorThatIsStatedIsTaken) {
    CleanOptions options{.floor = 0.0};
    options.contact.floor = -0.25;
    const Take take = walk();
    const CleanResult result = cleaned(take, options);
    EXPECT_EQ(result.report.floor_before, -0.25);
    const JointId root = take.skeleton.roots().front();
    EXPECT_NEAR(result.motion.pose(90)[root].translation.y,
                take.motion.pose(90)[root].translation.y + 0.25, 1e-12);
}

TEST(Clean, FeetAreKeptAfterSmoothing) {
    const CleanResult result =
        cleaned(walk(), {.smooth = SmoothOptions{.width = 0.15}, .floor = 0.0, .feet = true});
    EXPECT_GT(result.report.by_smooth.rotation, radians(0.1));
    EXPECT_LT(result.report.by_smooth.rotation, radians(10.0));
    EXPECT_LT(result.report.after.slide_most, 1e-9);
    EXPECT_LT(result.report.after.penetration, 1e-9);
}

TEST(Clean, SpikesAreListedAndRepairedWhereItIsAskedFor) {
    Take take = walk();
    const Motion good = take.motion;
    const JointId joint = take.skeleton.find("lShoulder");
    ASSERT_NE(joint, JointId::None);
    Pose bad = good.pose(70);
    bad[joint].rotation = bad[joint].rotation * quatAboutAxis(0, 1.2);
    take.motion.setPose(70, bad);
    const CleanResult listed = cleaned(take, {});
    ASSERT_EQ(listed.report.spikes.size(), 1u);
    EXPECT_EQ(listed.motion.pose(70), bad);
    const CleanResult repaired = cleaned(take, {.spikes = true});
    EXPECT_EQ(repaired.report.by_spikes.joint, joint);
    EXPECT_EQ(repaired.report.by_spikes.frame, 70u);
    EXPECT_NEAR(repaired.report.by_spikes.rotation, 1.2, 0.05);
    EXPECT_LT(angleBetween(repaired.motion.pose(70)[joint].rotation, good.pose(70)[joint].rotation),
              radians(2.0));
}

TEST(Clean, ContactsOfTheCallerAreTaken) {
    CleanOptions options{.feet = true};
    options.contacts = Contacts{.floor = 0.02,
                                .contacts = {{BodySide::Right, SolePart::Heel, 40, 60},
                                             {BodySide::Right, SolePart::Ball, 40, 60}}};
    const Take take = walk();
    const CleanResult result = cleaned(take, options);
    EXPECT_EQ(result.contacts.contacts, options.contacts->contacts);
    for (std::size_t f = 40; f <= 60; ++f) {
        const auto points = solesAt(take, result.motion, result.report.soles[1], f);
        EXPECT_NEAR(points[0].y, 0.02, 1e-9) << f;
        EXPECT_NEAR(points[1].y, 0.02, 1e-9) << f;
    }
    options.contacts->contacts.push_back({BodySide::Left, SolePart::Heel, 100, 5000});
    EXPECT_NE(errorOf(take, options).find("is not inside the clip"), std::string::npos);
}

TEST(Clean, ABodyWithoutLegsIsSmoothedAndRepaired) {
    const Skeleton arm = test::build({test::joint("Base", "", JointKind::Free, {}),
                                      test::joint("Arm", "Base", JointKind::Ball, {0, 1, 0})});
    Motion motion(restPose(arm), 60, 0.01, usualTracks(arm));
    for (std::size_t f = 0; f < 60; ++f) {
        Pose pose = restPose(arm);
        pose.parent_from_joint[1].rotation =
            quatAboutAxis(2, 0.3 * std::sin(0.2 * static_cast<double>(f)) + (f == 30 ? 1.0 : 0.0));
        motion.setPose(f, pose);
    }
    const Take take{arm, motion, restPose(arm)};
    const CleanResult result = cleaned(take, {.spikes = true, .smooth = SmoothOptions{}});
    EXPECT_FALSE(result.report.legs);
    EXPECT_NEAR(result.report.by_spikes.rotation, 1.0, 0.02);
    EXPECT_GT(result.report.by_smooth.rotation, 0.0);
    EXPECT_EQ(errorOf(take, {.feet = true}).rfind("feet cannot be locked: ", 0), 0u)
        << errorOf(take, {.feet = true});
    EXPECT_EQ(errorOf(take, {.floor = 0.0}).rfind("the floor is found by feet: ", 0), 0u);
    EXPECT_EQ(errorOf({arm, Motion(restPose(arm), 0, 0.01, {}), restPose(arm)}, {}),
              "the clip has no frames (there is nothing to clean)");
}

TEST(Clean, OneFrameIsAClip) {
    const Take take = walk();
    Motion one(take.motion.base(), 1, take.motion.frameTime(), take.motion.tracks());
    one.setPose(0, take.motion.pose(20));
    const CleanResult result =
        cleaned({take.skeleton, one, take.rest},
                {.spikes = true, .smooth = SmoothOptions{}, .floor = 0.0, .feet = true});
    EXPECT_EQ(result.motion.frameCount(), 1u);
    EXPECT_LT(result.report.after.penetration, 1e-9);
}

TEST(Clean, CanBeCancelled) {
    const Take take = walk();
    const Result<CleanResult> out =
        cleanClip({.skeleton = take.skeleton, .rest = take.rest}, take.motion, {.feet = true},
                  [](double) { return false; });
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().what, "cleaning was cancelled");
}

TEST(Contacts, ThatAreNoneAreRefusedWithTheirFrames) {
    const auto errorOf = [](std::vector<Contact> contacts) {
        const Status status = checkContacts({.contacts = std::move(contacts)}, 100);
        return status ? std::string() : describe(status.error());
    };
    const Contact heel{BodySide::Left, SolePart::Heel, 10, 20};
    EXPECT_EQ(errorOf({heel, {BodySide::Left, SolePart::Heel, 21, 99}}), "");
    EXPECT_EQ(errorOf({heel, {BodySide::Right, SolePart::Heel, 10, 20}}), "");
    EXPECT_EQ(errorOf({heel, {BodySide::Left, SolePart::Ball, 15, 30}}), "");
    EXPECT_NE(errorOf({{BodySide::Left, SolePart::Heel, 5, 100}}).find("not inside the clip"),
              std::string::npos);
    EXPECT_NE(errorOf({{BodySide::Left, SolePart::Heel, 6, 5}}).find("ends before it begins"),
              std::string::npos);
    EXPECT_NE(errorOf({{BodySide::Centre, SolePart::Heel, 5, 6}}).find("of no side"),
              std::string::npos);
    EXPECT_NE(errorOf({{BodySide::Left, SolePart::Heel, 20, 30}, heel}).find("overlaps"),
              std::string::npos);
}

}  // namespace
}  // namespace ulna
