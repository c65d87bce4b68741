// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/keys.h"

#include <gtest/gtest.h>

#include "support/clips.h"
#include "support/skeletons.h"
#include "ulna/io/csv.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skeleton/state.h"

namespace ulna::io {
namespace {

using test::apart;

Skeleton arm() {
    return test::build({test::joint("Hips", "", JointKind::Free, {0, 1, 0}),
                        test::joint("Arm", "Hips", JointKind::Ball, {0.3, 0, 0}),
                        test::joint("Elbow", "Arm", JointKind::Hinge, {0.3, 0, 0})});
}

TEST(KeysJson, ReadsTracksOfJointsAndOfDegreesOfFreedom) {
    const Skeleton s = arm();
    const Result<KeyedMotion> motion = readKeysJson(R"({"ulna": 1, "name": "bend",
        "interpolation": "linear", "outside": "loop", "tracks": [
        {"joint": "Arm", "part": "rotation", "keys": [
            {"time": 1, "value": [0, 0, 1, 1]}, {"time": 0, "value": [0, 0, 0, 2]}]},
        {"joint": "Hips", "part": "translation", "interpolation": "hermite", "outside": "hold",
         "keys": [{"time": 0, "value": [0, 1, 0], "out": [3, 0, 0]},
                  {"time": 2, "value": [1, 1, 0], "in": [0, 0, 1]}]},
        {"dof": "Elbow", "keys": [{"time": 0, "value": 0}, {"time": 2, "value": 90}]}]})",
                                                    "k.json", s);
    ASSERT_TRUE(motion) << describe(motion.error());
    EXPECT_EQ(motion->name, "bend");
    const Pose half = samplePose(*motion, 0.5);
    EXPECT_LT(angleBetween(half[s.find("Arm")].rotation, quatAboutAxis(2, kPi / 4)), 1e-12);
    EXPECT_LT(angleBetween(half[s.find("Elbow")].rotation, quatAboutAxis(0, kPi / 8)), 1e-12);
    const Pose later = samplePose(*motion, 2.5);
    EXPECT_LT(angleBetween(later[s.find("Elbow")].rotation, quatAboutAxis(0, kPi / 8)), 1e-12);
    EXPECT_EQ(later[s.find("Hips")].translation, (Vec3{1, 1, 0}));
    // Halfway: the mean of the values, and an eighth of the span times the tangents' difference.
    const Vec3 middle = samplePose(*motion, 1.0)[s.find("Hips")].translation;
    EXPECT_LT(length(middle - Vec3{0.5 + 0.25 * 3, 1, -0.25}), 1e-12);
}

TEST(KeysJson, ReadsBackWhatItWrote) {
    const Skeleton s = test::everyKind();
    Random random(5);
    KeyedMotion motion{.name = "any \"name\"", .base = restPose(s)};
    for (std::size_t j = 0; j < s.jointCount(); ++j) {
        JointTracks& at = motion.at(jointId(j));
        AngleTracks angles = makeAngleTracks(s, jointId(j));
        std::size_t kind = j;
        for (auto& turn : angles.rotations) {
            turn.angle = Track<double>({{0, random.between(-9, 9)}, {1.5, random.between(-9, 9)}},
                                       kAllInterpolations[kind++ % 4]);
            turn.angle.outside = j % 2 == 0 ? Outside::Extrapolate : Outside::Hold;
        }
        if (j % 3 == 0 || angles.rotations.empty()) {
            const Quat a = random.rotation(), b = random.rotation();
            at.rotation = Track<Quat>({{0, a}, {0.7, b, {0, 1, 0, 0}, {1, 0, 0, 0.5}}, {1, a}},
                                      Interpolation::Hermite);
        } else {
            at.rotation = angles;
        }
        at.translation = Track<Vec3>({{0.25, random.direction()}, {1, random.direction()}});
        at.translation.ends = TrackEnds::Duplicated;
        at.scale = Track<Vec3>({{0, {1, 2, 3}}}, Interpolation::Step);
    }
    const Result<KeyedMotion> again = readKeysJson(writeKeysJson(s, motion), "again.json", s);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(again->name, motion.name);
    EXPECT_EQ(again->keyCount(), motion.keyCount());
    for (double t = -1; t < 3; t += 0.11)
        EXPECT_LT(apart(samplePose(*again, t), samplePose(motion, t)), 1e-12) << t;
}

TEST(KeysJson, SaysWhatIsWrongAndWhere) {
    const Skeleton s = arm();
    const auto error = [&](const std::string& text) {
        const Result<KeyedMotion> motion = readKeysJson(text, "k.json", s);
        return motion ? std::string("no error") : describe(motion.error());
    };
    const auto track = [&](const std::string& inside) {
        return error(R"({"tracks": [{)" + inside + "}]}");
    };
    EXPECT_EQ(error("{"), "k.json:1:2: the text is not JSON from here on");
    EXPECT_EQ(error(R"({"ulna": 2, "tracks": []})"),
              "k.json: ulna: this version of the format is unknown (version 1 is known)");
    EXPECT_EQ(track(R"("joint": "Amr", "part": "rotation", "keys": [])"),
              "k.json: tracks[0].joint: there is no joint 'Amr' (did you mean 'Arm'?)");
    EXPECT_EQ(track(R"("dof": "Elbwo", "keys": [])"),
              "k.json: tracks[0].dof: there is no degree of freedom 'Elbwo' (did you mean "
              "'Elbow'?)");
    EXPECT_EQ(track(R"("joint": "Arm", "part": "place", "keys": [])"),
              "k.json: tracks[0].part: 'place' is not known here (one of rotation translation "
              "scale)");
    EXPECT_EQ(track(R"("joint": "Arm", "part": "scale", "keys": [{"time": 0, "value": 1}])"),
              "k.json: tracks[0].keys[0].value: an array of 3 was expected");
    EXPECT_EQ(track(R"("dof": "Elbow", "keys": [{"time": 0, "value": 1, "in": 2}])"),
              "k.json: tracks[0].keys[0]: tangents are for hermite interpolation");
    EXPECT_EQ(track(R"("dof": "Elbow", "joint": "Arm", "keys": [])"),
              "k.json: tracks[0]: 'dof' and 'joint' both say what the keys are of");
    EXPECT_EQ(track(R"("dof": "Elbow", "intrepolation": "step", "keys": [])"),
              "k.json: tracks[0]: the key 'intrepolation' is unknown (did you mean "
              "'interpolation'?)");
    EXPECT_EQ(error(R"({"tracks": [{"dof": "Elbow", "keys": []}, {"dof": "Elbow", "keys": []}]})"),
              "k.json: tracks[1]: these keys are there twice");
    EXPECT_EQ(error(R"({"tracks": [{"dof": "Arm.rx", "keys": []},
                                   {"joint": "Arm", "part": "rotation", "keys": []}]})"),
              "k.json: tracks[1]: a joint is keyed as a whole and by its degrees of freedom");
    EXPECT_EQ(error(R"({"tracks": [{"joint": "Arm", "part": "rotation", "keys": []},
                                   {"dof": "Arm.rx", "keys": []}]})"),
              "k.json: tracks[1]: a joint is keyed as a whole and by its degrees of freedom");
}

TEST(KeysCsv, ReadsWhatConvertWrites) {
    // The table of a clip's degrees of freedom is a table of keys.
    const Skeleton s = arm();
    Random random(6);
    DofClip clip{"", 0.1, {}};
    DofVector dofs(s.dofCount(), 0.0);
    for (int f = 0; f < 8; ++f) {
        for (double& d : dofs) d += random.between(-0.3, 0.3);
        clip.frames.push_back(dofs);
    }
    const Motion motion = computeMotion(s, clip);
    std::string text;
    writeCsv(s, motion, CsvContent::Dofs, [&](std::string_view piece) {
        text += piece;
        return true;
    });
    const Result<KeyedMotion> keyed =
        readKeysCsv(text, "k.csv", s, {.interpolation = Interpolation::Linear});
    ASSERT_TRUE(keyed) << describe(keyed.error());
    for (std::size_t f = 0; f < 8; ++f)
        EXPECT_LT(apart(samplePose(*keyed, motion.timeOf(f)), motion.pose(f)), 1e-12);
}

TEST(KeysCsv, TakesEmptyCellsQuotesAndAnyLineEnds) {
    const Skeleton s = arm();
    const Result<KeyedMotion> motion =
        readKeysCsv("\xEF\xBB\xBFtime, \"Elbow\" ,Hips.ty\r\n0,0,\r\n\r\n1, 90 ,2\n2,,0\r3,0,1",
                    "k.csv", s, {.interpolation = Interpolation::Linear});
    ASSERT_TRUE(motion) << describe(motion.error());
    EXPECT_EQ(motion->keyCount(), 6U);
    EXPECT_NEAR(rotationAngle(samplePose(*motion, 2.0)[s.find("Elbow")].rotation), kPi / 4, 1e-12);
    EXPECT_NEAR(samplePose(*motion, 1.5)[s.find("Hips")].translation.y, 1 + 1, 1e-12);
}

TEST(KeysCsv, SaysWhatIsWrongAndWhere) {
    const Skeleton s = arm();
    const auto error = [&](const std::string& text) {
        const Result<KeyedMotion> motion = readKeysCsv(text, "k.csv", s);
        return motion ? std::string("no error") : describe(motion.error());
    };
    EXPECT_EQ(error(""),
              "k.csv: the table has no column 'time' (the first line must have the names of the "
              "columns)");
    EXPECT_EQ(error("Elbow\n1\n"),
              "k.csv: the table has no column 'time' (the first line must have the names of the "
              "columns)");
    EXPECT_EQ(error("time,Elbwo\n"),
              "k.csv:1:6: there is no such degree of freedom: 'Elbwo' (did "
              "you mean 'Elbow'?)");
    EXPECT_EQ(error("time,Elbow,Elbow\n"), "k.csv:1:12: this column is duplicated: 'Elbow'");
    EXPECT_EQ(error("time,Elbow\n0,x\n"), "k.csv:2:3: this is not a number: 'x'");
    EXPECT_EQ(error("time,Elbow\n0,nan\n"), "k.csv:2:3: the number is too large: 'nan'");
    EXPECT_EQ(error("time,Elbow\n0,1\n2\n"), "k.csv:3:1: this line has 1 cells, the first 2: '2'");
    EXPECT_EQ(error("time,Elbow\n,1\n"), "k.csv:2:1: this is not a number");
    EXPECT_FALSE(
        readKeysCsv("time,Elbow\n0,1", "k.csv", s, {.interpolation = Interpolation::Hermite}));
}

}  // namespace
}  // namespace ulna::io
