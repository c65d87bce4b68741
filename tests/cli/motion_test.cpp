// SPDX-License-Identifier: Apache-2.0

// key, sample, and what convert and draw do with clips, as users and their scripts meet them.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/bvh_texts.h"
#include "support/command.h"
#include "support/text.h"

namespace ulna::test {
namespace {

class MotionCli : public testing::Test {
  protected:
    void SetUp() override { writeText(scratchFolder() + "/plain.bvh", std::string(kPlainBvh)); }

    static CommandResult works(const std::string& command) {
        CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, 0) << command << '\n' << r.err;
        return r;
    }
    static void fails(const std::string& command, int code, const std::string& message) {
        const CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, code) << command << '\n' << r.err;
        EXPECT_TRUE(contains(r.err, message)) << command << '\n' << r.err;
    }
    static void same(const std::string& a, const std::string& b, const std::string& tolerance) {
        works("$ULNA diff " + a + " " + b + " --tolerance " + tolerance +
              " --angle-tolerance 0.001");
    }
};

const std::string kWalk = "$ASSETS/ulna-character.bvh";
const std::string kRig = "$ASSETS/ulna-character.rig.json";

TEST_F(MotionCli, BvhGoesToGltfAndBack) {
    for (const char* file : {"walk.glb", "walk.gltf"}) {
        works("$ULNA convert " + kWalk + " " + file);
        same(kWalk, file, "2e-6");
        works(std::string("$ULNA convert ") + file + " back.bvh");
        same(kWalk, "back.bvh", "2e-6");
    }
}

TEST_F(MotionCli, AFileOfKeysStaysOneThroughConversions) {
    works("$ULNA key " + kRig + " --keys $SOURCE/docs/motion/nod.keys.json --out nod.glb");
    const std::string keys = works("$ULNA key nod.glb --json --out nod.keys.json").out;
    works("$ULNA convert nod.glb again.glb --scale 100");
    EXPECT_TRUE(contains(works("$ULNA key again.glb --json --out b.keys.json").out,
                         keys.substr(keys.find("\"keys\""), 30)));
    works("$ULNA convert again.glb small.glb --scale 0.01");
    same("nod.glb", "small.glb", "1e-5");
}

TEST_F(MotionCli, TrimMirrorAndRateChangeAClip) {
    works("$ULNA convert " + kWalk + " part.bvh --trim 0.2,0.6");
    EXPECT_TRUE(contains(works("$ULNA info part.bvh").out, "13 frames"));
    works("$ULNA convert " + kWalk + " m.bvh --mirror");
    works("$ULNA convert m.bvh mm.bvh --mirror");
    same(kWalk, "mm.bvh", "1e-4");
    EXPECT_EQ(shell("$ULNA diff " + kWalk + " m.bvh --tolerance 0.01").exit_code, 1);
    works("$ULNA convert " + kWalk + " fast.glb --fps 120");
    EXPECT_TRUE(contains(works("$ULNA info fast.glb").out, "at 120 fps"));
    works("$ULNA convert " + kWalk + " a.bvh --mirror --scale 100 --up z --from-up y");
    works("$ULNA convert m.bvh b.bvh --scale 100 --up z --from-up y");
    same("a.bvh", "b.bvh", "1e-3");
    fails("$ULNA convert " + kWalk + " x.bvh --trim 0.6,0.2", 2, "--trim");
    fails("$ULNA convert " + kWalk + " x.bvh --trim 100,200", 2, "is outside the clip");
    fails("$ULNA convert " + kWalk + " x.bvh --trim 1", 2, "--trim");
    fails("$ULNA convert plain.bvh x.bvh --mirror", 1, "left or right");
    fails("$ULNA convert " + kWalk + " x.glb --order zxy", 2, "--order");
    EXPECT_FALSE(std::filesystem::exists(scratchFolder() + "/x.bvh"));
}

TEST_F(MotionCli, WhatResamplingAndTrimmingCutIsSaid) {
    // 18 frames at 24 a second last 17/24 s, which is 21.25 frames at 30 a second.
    works("$ULNA convert " + kWalk + " film.bvh --fps 24 --trim 0,0.7083333333");
    EXPECT_TRUE(contains(works("$ULNA info film.bvh").out, "18 frames"));
    const std::string cut = works("$ULNA convert film.bvh tv.bvh --fps 30").err;
    EXPECT_TRUE(contains(cut,
                         "warning: the last 0.00833 s of 0.708333 s are cut, because they are "
                         "less than a frame at 30 frames a second"))
        << cut;
    // The rate of the advice keeps the length.
    const std::size_t at = cut.find("--fps ");
    ASSERT_NE(at, std::string::npos);
    const std::string rate = cut.substr(at, cut.find(" keeps", at) - at);
    EXPECT_EQ(works("$ULNA convert film.bvh kept.bvh " + rate).err, "");
    EXPECT_TRUE(contains(works("$ULNA info kept.bvh").out, "0.708"));
    EXPECT_TRUE(contains(works("$ULNA convert film.bvh part.bvh --trim 0.1,0.5").err, "are cut"));
    EXPECT_EQ(works("$ULNA convert film.bvh even.bvh --fps 48").err, "");
    // A trimmed part is cut once, at the new rate: 0.4 s are 12 frames at 30 a second.
    EXPECT_EQ(works("$ULNA convert film.bvh tv2.bvh --trim 0.1,0.5 --fps 30").err, "");
    EXPECT_TRUE(contains(works("$ULNA info tv2.bvh").out, "13 frames"));
}

TEST_F(MotionCli, KeySampleDiffFitAndClipSayWhatTheyCut) {
    works("$ULNA convert " + kWalk + " film.bvh --fps 24 --trim 0,0.7083333333");
    const std::string cut = "the last 0.00833 s of 0.708333 s are cut";
    const CommandResult key = works("$ULNA key film.bvh --fps 30 --out tv.bvh --json");
    EXPECT_TRUE(contains(key.err, cut)) << key.err;
    EXPECT_TRUE(contains(key.out, cut)) << key.out;
    EXPECT_EQ(works("$ULNA key film.bvh --fps 48 --out even.bvh").err, "");
    EXPECT_EQ(works("$ULNA key film.bvh --out keys.glb").err, "");
    EXPECT_TRUE(contains(works("$ULNA sample film.bvh --fps 30 --joint Hips").err, cut));
    EXPECT_EQ(works("$ULNA sample film.bvh --fps 48 --joint Hips").err, "");
    const std::string diff = works("$ULNA diff film.bvh even.bvh --fps 30").err;
    EXPECT_TRUE(contains(diff, "film.bvh: " + cut) && contains(diff, "even.bvh: " + cut)) << diff;
    EXPECT_EQ(works("$ULNA diff film.bvh even.bvh --fps 24 --tolerance 1e-4").err, "");
    works(
        "$ULNA convert $ASSETS/ulna-character.glb film.glb --clip walk --fps 24 "
        "--trim 0,0.7083333333 --quiet");
    EXPECT_TRUE(contains(shell("$ULNA fit $ASSETS/ulna-character.glb film.glb --fps 30").err, cut));
    // The second clip lasts 21.25 frames of the first one's rate.
    const std::string clip = "$ULNA clip " + kWalk + " film.bvh --out joined.bvh --";
    EXPECT_TRUE(contains(works(clip + "join --blend 0").err, "the last 0.00833 s of"));
    EXPECT_TRUE(contains(works(clip + "mix 0,1").err, cut));
    EXPECT_EQ(works("$ULNA clip " + kWalk + " " + kWalk + " --join --out twice.bvh").err, "");
}

TEST_F(MotionCli, KeysOnNoCommonRateAreReducedToTheirEndAndSayWhatFramesLack) {
    writeText(scratchFolder() + "/odd.keys.json",
              R"({"ulna":1,"name":"odd","tracks":[{"joint":"Head","part":"rotation","keys":[)"
              R"({"time":0,"value":[0,0,0,1]},{"time":0.1234567,"value":[0,0.5,0,0.8660254]},)"
              R"({"time":0.7083333,"value":[0,0,0,1]}]}]})");
    works("$ULNA key " + kRig + " --keys odd.keys.json --out odd.glb");
    const std::string cut = "the last 0.00833 s of 0.708333 s are cut";
    const std::string frames = works("$ULNA key odd.glb --out odd.bvh").err;
    EXPECT_TRUE(contains(frames, cut)) << frames;
    EXPECT_TRUE(contains(works("$ULNA fk odd.glb --all --json").err,
                         "frames are counted at 60 a second, and the last is 0.00833 s before the "
                         "last key"));
    for (const char* out : {"few.glb", "few.bvh"}) {
        const std::string few =
            works(std::string("$ULNA key odd.glb --reduce 0.0001 --out ") + out).err;
        EXPECT_EQ(few.find("are cut"), std::string::npos) << few;
        const std::string end = std::string("$ULNA key --json --quiet --out again.glb ") + out;
        EXPECT_TRUE(contains(works(end).out, "\"duration\":0.7083")) << out;
    }
}

TEST_F(MotionCli, KeyMakesAClipOfEveryFormat) {
    const std::string keys = "$ULNA key " + kRig + " --keys $SOURCE/docs/motion/nod.keys.json";
    works(keys + " --out nod.bvh");
    works(keys + " --out nod.rig.json");
    works(keys + " --out nod.glb");
    works(keys + " --out nod.csv");
    works(keys + " --out nod.keys.json --name again");
    same("nod.bvh", "nod.rig.json", "1e-5");
    works("$ULNA convert nod.glb frames.bvh --fps 30");
    works("$ULNA diff nod.bvh frames.bvh --tolerance 2e-4 --angle-tolerance 0.02");
    EXPECT_TRUE(contains(readText(scratchFolder() + "/nod.keys.json"), "\"again\""));
    works("$ULNA key " + kRig + " --keys nod.keys.json --out again.bvh");
    same("nod.bvh", "again.bvh", "1e-9");
}

TEST_F(MotionCli, KeyTakesATable) {
    writeText(scratchFolder() + "/knee.csv", "time,LeftLeg\n0,0\n0.5,90\n1,0\n");
    works("$ULNA key " + kRig + " --keys knee.csv --interpolation linear --out knee.bvh --fps 4");
    const std::string sample =
        works("$ULNA sample knee.bvh --times 0.25 --joint LeftLeg --json").out;
    EXPECT_TRUE(contains(sample, "0.3826834")) << sample;  // the sine of half of 45 degrees
    writeText(scratchFolder() + "/bad.csv", "time,LeftLge\n0,0\n");
    fails("$ULNA key " + kRig + " --keys bad.csv --out x.bvh", 3, "did you mean 'LeftLeg'");
    fails("$ULNA key " + kRig + " --keys none.csv --out x.bvh", 3, "none.csv");
    fails("$ULNA key " + kRig + " --keys knee.csv --interpolation hermite --out x.bvh", 2,
          "tangents");
    writeText(scratchFolder() + "/semi.csv", "time;LeftLeg\n0;0\n");
    fails("$ULNA key " + kRig + " --keys semi.csv --out x.bvh", 3, "separated by commas");
    writeText(scratchFolder() + "/odd.csv", "time,LeftLeg\n-1,0\n0.0101,9\n0.0333,0\n");
    const std::string odd = works("$ULNA key " + kRig + " --keys odd.csv --out odd.bvh").err;
    EXPECT_TRUE(contains(odd, "before time 0")) << odd;
    EXPECT_TRUE(contains(odd, "60 a second")) << odd;
    fails("$ULNA key " + kRig + " --keys knee.csv", 2, "--out");
    fails("$ULNA key " + kRig + " --keys knee.csv --out x.fbx", 2, "known endings");
}

TEST_F(MotionCli, KeyReducesAClipAndSaysByHowMuch) {
    const std::string json =
        works("$ULNA key " + kWalk + " --reduce 0.001 --json --out few.glb").out;
    EXPECT_TRUE(contains(json, "\"ratio\":")) << json;
    works("$ULNA convert few.glb frames.bvh --fps 30");
    works("$ULNA diff " + kWalk + " frames.bvh --tolerance 0.001001");
    works("$ULNA convert " + kWalk + " walk.glb");
    EXPECT_LT(std::filesystem::file_size(scratchFolder() + "/few.glb"),
              std::filesystem::file_size(scratchFolder() + "/walk.glb"));
    fails("$ULNA key " + kWalk + " --reduce 0", 2, "--reduce");
    fails("$ULNA key " + kWalk + " --reduce 0.1 --interpolation step", 2, "linear or catmull-rom");
    fails("$ULNA key " + kWalk + " --reduce 0.1 --outside loop", 2, "--outside");
    works("$ULNA key " + kRig + " --keys $SOURCE/docs/motion/nod.keys.json --out nod.glb");
    EXPECT_TRUE(contains(works("$ULNA key nod.glb --reduce 0.01").err, "frames a second first"));
    fails("$ULNA key " + kRig + " --reduce 0.001 --keys a.json", 2, "excludes");
}

TEST_F(MotionCli, SampleShowsAnyMomentAndHowFastItChanges) {
    const std::string text =
        works("$ULNA sample plain.bvh --times 0,0.5 --rates --outside loop").out;
    EXPECT_TRUE(contains(text, "0.5 s"));
    const std::string json = works("$ULNA sample plain.bvh --fps 10 --rates --json").out;
    EXPECT_TRUE(contains(json, "\"angular_velocities\""));
    works("$ULNA sample plain.bvh --interpolation catmull-rom");
    fails("$ULNA sample plain.bvh --interpolation hermite", 2, "tangents");
    fails("$ULNA sample plain.bvh --joint Nobody", 2, "there is no joint 'Nobody'");
    fails("$ULNA sample plain.bvh --times nan", 2, "must be a finite number");
    fails("$ULNA sample plain.bvh --fps 1e99", 2, "--fps");
    fails("$ULNA sample plain.bvh --times 1e300", 2, "below 1e9 seconds");
    writeText(scratchFolder() + "/own.json",
              R"({"interpolation": "hermite", "tracks": [{"joint": "Hips", "part": "translation",
                  "keys": [{"time": 0, "value": [0, 1, 0]}, {"time": 1, "value": [0, 2, 0]}]}]})");
    works("$ULNA key " + kRig + " --keys own.json --out own.glb");
    works("$ULNA sample own.glb --interpolation hermite --times 0.5 --joint Hips");
}

TEST_F(MotionCli, DrawShowsTheCurvesOfAJoint) {
    works("$ULNA draw " + kWalk + " --curves LeftArm --out curves.svg");
    works("rsvg-convert curves.svg -o curves.png");
    works("$ULNA draw " + kRig +
          " --keys $SOURCE/docs/motion/nod.keys.json --curves Head --out k.svg");
    fails("$ULNA draw " + kWalk + " --curves LeftAmr", 2, "did you mean 'LeftArm'");
    fails("$ULNA draw " + kWalk + " --keys a.json", 2, "--curves");
    fails("$ULNA draw " + kWalk + " --curves LeftArm --strip 3", 2, "excludes");
}

TEST_F(MotionCli, ABrokenGltfIsABadInput) {
    writeText(scratchFolder() + "/cut.glb", "glTF");
    fails("$ULNA info cut.glb", 3, "cut.glb");
    writeText(scratchFolder() + "/no.gltf",
              "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[0]}]}");
    fails("$ULNA convert no.gltf x.bvh", 3, "no.gltf");
    EXPECT_FALSE(std::filesystem::exists(scratchFolder() + "/x.bvh"));
}

}  // namespace
}  // namespace ulna::test
