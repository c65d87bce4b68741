// SPDX-License-Identifier: Apache-2.0

// Retargeting, judged by forward kinematics and by bodies that are told differently.
#include "ulna/retarget/retarget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/clips.h"
#include "support/humanoid.h"
#include "support/skeletons.h"
#include "ulna/motion/edit.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"

namespace ulna::test {
namespace {

// The person of the first family, whose feet have toes, walking on the spot and forward: hips that
// go at a steady speed, legs that swing, feet that are planted by closed form.
struct Walker {
    Skeleton skeleton = makeHumanoid(nameFamilies().front());
    Pose rest = restPose(skeleton);

    [[nodiscard]] JointId joint(const std::string& name) const {
        const JointId j = skeleton.find("mixamorig:" + name);
        EXPECT_NE(j, JointId::None) << name;
        return j;
    }
    [[nodiscard]] Motion clip(std::size_t frames, const std::function<void(double, Pose&)>& move,
                              double frame_time = 1.0 / 60.0) const {
        MotionTracks tracks;
        for (const JointId j : skeleton.joints()) tracks.rotated.push_back(j);
        tracks.translated = {skeleton.roots().front()};
        Motion out(rest, frames, frame_time, tracks);
        for (std::size_t f = 0; f < frames; ++f) {
            Pose pose = rest;
            move(static_cast<double>(f) * frame_time, pose);
            out.setPose(f, pose);
        }
        return out;
    }
    void rotate(Pose& pose, const std::string& name, const Vec3& axis, double angle) const {
        pose[joint(name)].rotation = pose[joint(name)].rotation * quatFromAxisAngle(axis, angle);
    }
    // Arms, spine and head that swing smoothly.
    void swing(Pose& pose, double t) const {
        rotate(pose, "LeftArm", {0, 0, 1}, -0.9 + 0.3 * std::sin(3.0 * t));
        rotate(pose, "RightArm", {0, 0, 1}, 0.8 + 0.2 * std::sin(2.0 * t));
        rotate(pose, "LeftForeArm", {0, 1, 0}, -0.6 - 0.4 * std::sin(4.0 * t));
        rotate(pose, "RightForeArm", {0, 1, 0}, 0.7 + 0.3 * std::cos(3.0 * t));
        rotate(pose, "Spine", {0, 1, 0}, 0.2 * std::sin(2.0 * t));
        rotate(pose, "Spine1", {1, 0, 0}, 0.1 + 0.1 * std::sin(2.5 * t));
        rotate(pose, "Neck", {1, 0, 0}, 0.2 * std::cos(2.0 * t));
        rotate(pose, "LeftHand", {0, 0, 1}, 0.3 * std::sin(5.0 * t));
    }
    // A squat: both feet stay flat where they are, in closed form.
    void squat(Pose& pose, double depth) const {
        const double a = distance(model(rest, "LeftUpLeg"), model(rest, "LeftLeg"));
        const double b = distance(model(rest, "LeftLeg"), model(rest, "LeftFoot"));
        const Vec3 whole = model(rest, "LeftFoot") - model(rest, "LeftUpLeg");
        const double reach = length(whole) - depth;
        const double now = std::acos((a * a + b * b - length(whole) * length(whole)) / (2 * a * b));
        const double knee = now - std::acos((a * a + b * b - reach * reach) / (2 * a * b));
        const double at_hip =
            std::acos(std::clamp((a * a + reach * reach - b * b) / (2 * a * reach), -1.0, 1.0)) -
            std::acos(std::clamp(
                (a * a + length(whole) * length(whole) - b * b) / (2 * a * length(whole)), -1.0,
                1.0));
        pose[skeleton.roots().front()].translation += normalizedOr(whole, {}) * depth;
        for (const std::string side : {"Left", "Right"}) {
            rotate(pose, side + "UpLeg", {1, 0, 0}, -at_hip);
            rotate(pose, side + "Leg", {1, 0, 0}, knee);
            rotate(pose, side + "Foot", {1, 0, 0}, at_hip - knee);
        }
    }
    [[nodiscard]] Vec3 model(const Pose& pose, const std::string& name) const {
        return computeModelPose(skeleton, pose).position(joint(name));
    }
};

// The same tree with other lengths: legs, arms and trunk by factors.
Skeleton resized(const Skeleton& skeleton, double legs, double arms, double trunk) {
    std::vector<JointDef> joints(skeleton.definitions().begin(), skeleton.definitions().end());
    for (JointDef& def : joints) {
        const auto has = [&](const char* part) { return def.name.find(part) != std::string::npos; };
        const bool leg = has("Leg") || has("Foot") || has("Toe");
        const bool arm = has("ForeArm") || has("Hand");
        const double by = leg ? legs : arm ? arms : trunk;
        def.rest.translation = def.rest.translation * by;
        if (def.tip) def.tip = *def.tip * by;
    }
    Result<Skeleton> out = makeSkeleton(std::move(joints));
    EXPECT_TRUE(out.ok());
    return *out;
}

// A tail, or a crane: no body.
Skeleton chainOfBalls(std::size_t count) {
    std::vector<JointDef> joints;
    for (std::size_t i = 0; i < count; ++i) {
        JointDef def;
        def.name = "J" + std::to_string(i);
        if (i > 0) def.parent = joints.back().name;
        def.rest.translation = {0.0, i > 0 ? 0.2 : 1.0, 0.0};
        def.tip = Vec3{0, 0.2, 0};
        joints.push_back(def);
    }
    return build(std::move(joints));
}

RetargetResult retargeted(const RetargetBody& source, const Motion& motion,
                          const RetargetBody& target, const RetargetOptions& options = {}) {
    const Result<Retargeter> both = Retargeter::make(source, target);
    EXPECT_TRUE(both.ok()) << (both ? "" : both.error().what);
    Result<RetargetResult> out = both->retarget(motion, options);
    EXPECT_TRUE(out.ok()) << (out ? "" : out.error().what);
    return *std::move(out);
}

TEST(Retargeting, GivesTheSamePersonTheSameMotionWhateverNamesAxesUnitAndRestPose) {
    Random random(3);
    for (const NameFamily& family : nameFamilies()) {
        SCOPED_TRACE(family.name);
        const Skeleton plain = makeHumanoid(family);
        const Pose rest = restPose(plain);
        std::vector<std::string> names;
        for (const JointId j : plain.joints()) names.push_back(plain.name(j));
        // An A-pose, in centimetres, z up.
        Pose lowered = rest;
        const Result<HumanBody> body = findHumanBody(plain, rest);
        ASSERT_TRUE(body.ok());
        lowered[body->left.shoulder].rotation = quatFromAxisAngle(Vec3{0, 0, 1}, -0.8);
        lowered[body->right.shoulder].rotation = quatFromAxisAngle(Vec3{0, 0, 1}, 0.8);
        const Quat turn = quatFromAxisAngle(Vec3{1, 0, 0}, kPi / 2.0);
        const OtherConvention other(plain, lowered, names, turn, 100.0, random);
        MotionTracks tracks;
        for (const JointId j : plain.joints()) tracks.rotated.push_back(j);
        tracks.translated = {body->hips};
        Motion clip(rest, 5, 1.0 / 30.0, tracks);
        std::vector<Pose> poses;
        for (std::size_t f = 0; f < clip.frameCount(); ++f) {
            Pose pose = rest;
            const auto move = [&](JointId j) {
                if (j == JointId::None) return;
                pose[j].rotation = quatExp(random.direction() * random.between(0.0, 0.7));
            };
            for (const JointId j : body->spine) move(j);
            for (const JointId j : body->neck) move(j);
            for (const JointId j : {body->hips, body->head}) move(j);
            for (const HumanSide* side : {&body->left, &body->right})
                for (const JointId j : {side->collarbone, side->shoulder, side->elbow, side->hip,
                                        side->knee, side->ankle, side->toes})
                    move(j);
            for (const HumanSide* side : {&body->left, &body->right}) move(side->wrist);
            pose[body->hips].translation +=
                Vec3{random.between(-1, 1), random.between(0, 1), random.between(-1, 1)};
            clip.setPose(f, pose);
            poses.push_back(pose);
        }
        const Pose other_rest = restPose(other.skeleton());
        const RetargetResult result =
            retargeted({plain, rest}, clip, {other.skeleton(), other_rest}, {.keep = {}});
        EXPECT_NEAR(result.report.scale, 100.0, 1e-9);
        for (std::size_t f = 0; f < clip.frameCount(); ++f) {
            const ModelPose should = computeModelPose(other.skeleton(), other.pose(poses[f]));
            const ModelPose is = computeModelPose(other.skeleton(), result.motion.pose(f));
            for (const JointId j : plain.joints()) {
                // Helper joints follow their parents.
                EXPECT_LT(distance(is.position(j), should.position(j)), 1e-6)
                    << plain.name(j) << ", frame " << f;
            }
        }
    }
}

TEST(Retargeting, KeepsFeetThatStandWhereTheyAreOnBodiesOfOtherLengths) {
    const Walker walker;
    const Motion clip = walker.clip(90, [&](double t, Pose& pose) {
        walker.squat(pose, 0.12 * (1.0 - std::cos(4.0 * t)));
        walker.swing(pose, t);
    });
    // The oracle's own feet do not move.
    for (std::size_t f = 0; f < 90; ++f)
        ASSERT_LT(distance(walker.model(clip.pose(f), "LeftToeBase"),
                           walker.model(clip.pose(0), "LeftToeBase")),
                  5e-3);
    for (const double legs : {0.7, 1.3}) {
        const Skeleton other = resized(walker.skeleton, legs, 1.2, 0.9);
        const Pose rest = restPose(other);
        const RetargetResult result = retargeted({walker.skeleton, walker.rest}, clip,
                                                 {other, rest}, {.feet = RetargetFeet::Lock});
        const JointId toe = other.find("mixamorig:LeftToeBase");
        const JointId ankle = other.find("mixamorig:RightFoot");
        const ModelPose first = computeModelPose(other, result.motion.pose(0));
        for (std::size_t f = 0; f < 90; ++f) {
            const ModelPose now = computeModelPose(other, result.motion.pose(f));
            EXPECT_LT(distance(now.position(toe), first.position(toe)), 1e-9) << "frame " << f;
            EXPECT_LT(distance(now.position(ankle), first.position(ankle)), 1e-9) << "frame " << f;
        }
        EXPECT_LT(result.report.slide_most, 1e-9);
        EXPECT_LT(result.report.penetration, 1e-9);
    }
}

TEST(Retargeting, KeepsDirectionsOfLimbsThatNoFootBinds) {
    const Walker walker;
    const Motion clip = walker.clip(40, [&](double t, Pose& pose) { walker.swing(pose, t); });
    const Skeleton other = resized(walker.skeleton, 1.2, 1.4, 0.8);
    const Pose rest = restPose(other);
    RetargetOptions options{.feet = RetargetFeet::Keep};
    options.keep = {.floor = false, .pair = false};
    const RetargetResult result =
        retargeted({walker.skeleton, walker.rest}, clip, {other, rest}, options);
    for (std::size_t f = 0; f < 40; ++f) {
        const ModelPose a = computeModelPose(walker.skeleton, clip.pose(f));
        const ModelPose b = computeModelPose(other, result.motion.pose(f));
        for (const auto& [up, down] :
             {std::pair{"LeftArm", "LeftForeArm"}, std::pair{"RightForeArm", "RightHand"},
              std::pair{"LeftUpLeg", "LeftLeg"}}) {
            const Vec3 x = a.position(walker.joint(down)) - a.position(walker.joint(up));
            const Vec3 y = b.position(walker.joint(down)) - b.position(walker.joint(up));
            EXPECT_LT(length(cross(x, y)), 1e-9 * length(x) * length(y)) << up << ", frame " << f;
        }
    }
}

TEST(Retargeting, KeepsHandsTogetherOnArmsOfAnotherLength) {
    const Walker walker;
    // Hands that meet before the chest.
    const Motion clip = walker.clip(3, [&](double, Pose& pose) {
        walker.rotate(pose, "LeftArm", {0, 1, 0}, -1.4);
        walker.rotate(pose, "RightArm", {0, 1, 0}, 1.4);
        walker.rotate(pose, "LeftForeArm", {0, 1, 0}, -1.2);
        walker.rotate(pose, "RightForeArm", {0, 1, 0}, 1.2);
    });
    const auto apart = [](const Skeleton& skeleton, const Pose& pose) {
        const ModelPose model = computeModelPose(skeleton, pose);
        return model.position(skeleton.find("mixamorig:LeftHand")) -
               model.position(skeleton.find("mixamorig:RightHand"));
    };
    const Vec3 before = apart(walker.skeleton, clip.pose(1));
    const double arm = 0.45;
    ASSERT_LT(length(before), 0.25 * arm);
    const Skeleton other = resized(walker.skeleton, 1.0, 0.8, 1.3);
    const Pose rest = restPose(other);
    const auto ratio = [&](const RetargetKeep& keep) {
        const RetargetResult result =
            retargeted({walker.skeleton, walker.rest}, clip, {other, rest}, {.keep = keep});
        return length(apart(other, result.motion.pose(1))) / length(before);
    };
    EXPECT_GT(ratio({.floor = false, .pair = false}), 1.5);
    // By lengths of arms, which are between those of the forearm and of the shoulders.
    EXPECT_GT(ratio({}), 0.7);
    EXPECT_LT(ratio({}), 1.2);
}

TEST(Retargeting, GivesTheSamePosesWhereverTheClipIsCut) {
    const Walker walker;
    const Motion clip = walker.clip(200, [&](double t, Pose& pose) {
        walker.squat(pose, 0.12 * (1.0 - std::cos(4.0 * t)));
        walker.swing(pose, t);
        pose[walker.skeleton.roots().front()].translation.y +=
            std::max(0.0, std::sin(3.0 * t) - 0.5);
    });
    const Skeleton other = resized(walker.skeleton, 1.25, 0.9, 1.1);
    const Pose rest = restPose(other);
    RetargetOptions options{.feet = RetargetFeet::Lock};
    options.contact.floor = 0.0;
    const RetargetResult whole =
        retargeted({walker.skeleton, walker.rest}, clip, {other, rest}, options);
    for (const std::size_t cut : {1u, 37u, 90u}) {
        const Result<Motion> rest_of_it =
            trimmed(clip, static_cast<double>(cut) * clip.frameTime(), clip.duration());
        ASSERT_TRUE(rest_of_it.ok());
        const RetargetResult part =
            retargeted({walker.skeleton, walker.rest}, *rest_of_it, {other, rest}, options);
        double far = 0.0;
        for (std::size_t f = 10; f < part.motion.frameCount(); ++f) {
            const ModelPose a = computeModelPose(other, whole.motion.pose(f + cut));
            const ModelPose b = computeModelPose(other, part.motion.pose(f));
            for (const JointId j : other.joints())
                far = std::max(far, distance(a.position(j), b.position(j)));
        }
        EXPECT_LT(far, 1e-3) << "cut at " << cut;
    }
}

TEST(Retargeting, FindsTheContactsOfFeetThatAreLiftedAtKnownTimes) {
    const Walker walker;
    // The left foot is in the air from 0.5 to 1 s, by a bent knee.
    const Motion clip = walker.clip(120, [&](double t, Pose& pose) {
        const double lift = t > 0.5 && t < 1.0 ? std::sin((t - 0.5) * 2.0 * kPi) : 0.0;
        walker.rotate(pose, "LeftUpLeg", {1, 0, 0}, -1.2 * lift);
        walker.rotate(pose, "LeftLeg", {1, 0, 0}, 1.2 * lift);
    });
    const Result<Contacts> contacts = findContacts(walker.skeleton, walker.rest, clip);
    ASSERT_TRUE(contacts.ok());
    std::size_t left = 0;
    for (const Contact& each : contacts->contacts) {
        if (each.side == BodySide::Right) {
            EXPECT_EQ(each.first, 0u);
            EXPECT_EQ(each.last, 119u);
            continue;
        }
        ++left;
        if (each.first == 0)
            EXPECT_NEAR(static_cast<double>(each.last) / 60.0, 0.5, 0.06);
        else
            EXPECT_NEAR(static_cast<double>(each.first) / 60.0, 1.0, 0.06);
    }
    EXPECT_EQ(left, 4u);  // heel and ball, before and after
}

TEST(Retargeting, TakesContactsThatWereCorrectedAndRefusesThoseOutsideTheClip) {
    const Walker walker;
    const Motion clip = walker.clip(30, [&](double t, Pose& pose) {
        pose[walker.skeleton.roots().front()].translation.z += t;
    });
    const Skeleton other = resized(walker.skeleton, 1.2, 1.0, 1.0);
    const Pose rest = restPose(other);
    const Result<Retargeter> both = Retargeter::make({walker.skeleton, walker.rest}, {other, rest});
    ASSERT_TRUE(both.ok());
    RetargetOptions options{.feet = RetargetFeet::Lock};
    options.contacts = Contacts{.contacts = {{BodySide::Left, SolePart::Ball, 5, 12}}};
    const Result<RetargetResult> held = both->retarget(clip, options);
    ASSERT_TRUE(held.ok());
    const JointId toe = other.find("mixamorig:LeftToeBase");
    const auto at = [&](std::size_t f) {
        return computeModelPose(other, held->motion.pose(f)).position(toe);
    };
    for (std::size_t f = 6; f <= 12; ++f) EXPECT_LT(distance(at(f), at(5)), 1e-9);
    EXPECT_GT(distance(at(29), at(20)), 0.05);
    options.contacts->contacts.front().last = 30;
    const Result<RetargetResult> refused = both->retarget(clip, options);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().what, "a contact from frame 5 to 30 is not inside the clip");
}

TEST(Retargeting, NamesWhatIsMissingOfABodyItDoesNotKnow) {
    const Walker walker;
    const Skeleton chain = chainOfBalls(5);
    const Pose rest = restPose(chain);
    const Result<Retargeter> to_chain =
        Retargeter::make({walker.skeleton, walker.rest}, {chain, rest});
    ASSERT_FALSE(to_chain.ok());
    EXPECT_EQ(to_chain.error().what.substr(0, 12), "the target: ");
    const Result<Retargeter> both =
        Retargeter::make({walker.skeleton, walker.rest}, {walker.skeleton, walker.rest});
    ASSERT_TRUE(both.ok());
    const Result<RetargetResult> empty = both->retarget(Motion(walker.rest, 0, 1.0 / 30.0, {}));
    ASSERT_FALSE(empty.ok());
    EXPECT_EQ(empty.error().what, "the clip has no frames");
}

TEST(Retargeting, OfOneFrameWorks) {
    const Walker walker;
    const Motion clip = walker.clip(1, [&](double, Pose& pose) { walker.squat(pose, 0.2); });
    const Skeleton other = resized(walker.skeleton, 1.2, 1.0, 1.0);
    const Pose rest = restPose(other);
    const RetargetResult result = retargeted({walker.skeleton, walker.rest}, clip, {other, rest});
    EXPECT_EQ(result.motion.frameCount(), 1u);
    EXPECT_EQ(result.report.fastest, 0.0);
}

TEST(Retargeting, OfBodiesOfAnyKindGoesByTheNamesOfTheirJoints) {
    Random random(5);
    const Skeleton plain = chainOfBalls(6);
    const Pose rest = restPose(plain);
    std::vector<std::string> names;
    for (const JointId j : plain.joints()) names.push_back("other:" + plain.name(j));
    const OtherConvention other(plain, rest, names, Quat{}, 3.0, random);
    MotionTracks tracks;
    for (const JointId j : plain.joints()) tracks.rotated.push_back(j);
    tracks.translated = {plain.roots().front()};
    Motion clip(rest, 4, 0.1, tracks);
    for (std::size_t f = 0; f < 4; ++f) {
        Pose pose = rest;
        for (const JointId j : plain.joints())
            pose[j].rotation = pose[j].rotation * quatExp(random.direction() * 0.5);
        clip.setPose(f, pose);
    }
    const Pose other_rest = restPose(other.skeleton());
    const RetargetResult result = retargeted({plain, rest}, clip, {other.skeleton(), other_rest});
    for (std::size_t f = 0; f < 4; ++f)
        EXPECT_LT(apart(result.motion.pose(f), other.pose(clip.pose(f))), 1e-9);
}

}  // namespace
}  // namespace ulna::test
