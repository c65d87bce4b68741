// SPDX-License-Identifier: Apache-2.0

// ulna clip, as users and their scripts meet it. The poses are judged by `ulna fk` and `ulna diff`.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/post.h"
#include "support/text.h"

namespace ulna::test {
namespace {

const std::string kWalk = "$ASSETS/ulna-character.bvh";
const std::string kRun = "$ASSETS/ulna-run.bvh";

class ClipVerb : public testing::Test {
  protected:
    static std::string path(const std::string& name) { return scratchFolder() + "/" + name; }
    static CommandResult works(const std::string& command) {
        CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, 0) << command << '\n' << r.err;
        return r;
    }
    static void fails(const std::string& command, const std::string& message) {
        const CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, 2) << command << '\n' << r.err;
        EXPECT_TRUE(contains(r.err, message)) << command << '\n' << r.err;
    }
    static void same(const std::string& a, const std::string& b, const std::string& tolerance) {
        works("$ULNA diff " + a + " " + b + " --tolerance " + tolerance +
              " --angle-tolerance 0.001");
    }
    // Positions of all joints, by frame.
    static nlohmann::json framesOf(const std::string& file) {
        return nlohmann::json::parse(works("$ULNA fk " + file + " --all --json --quiet").out)
            .at("frames");
    }
    static double apart(const nlohmann::json& a, const nlohmann::json& b, std::size_t joint,
                        std::size_t axis) {
        return std::abs(a["positions"][joint][axis].get<double>() -
                        b["positions"][joint][axis].get<double>());
    }
};

std::string nameIn(const std::string& file) {
    const CommandResult info = shell("$ULNA info " + file + " --json");
    if (info.exit_code != 0) return info.err;
    const nlohmann::json clips = nlohmann::json::parse(info.out)["clips"];
    return clips.empty() ? "no clip" : clips[0]["name"].get<std::string>();
}

TEST_F(ClipVerb, ClipsKeepTheirNamesThroughEveryVerbAndFormat) {
    writeText(path("bend.bvh"), kPost);
    writeText(path("post.obj"), postObj(4));
    // BVH has no place for a name, so a clip is called as its file.
    EXPECT_EQ(nameIn("bend.bvh"), "bend");
    EXPECT_EQ(nameIn("./bend.bvh"), "bend");
    const auto keeps = [](const std::string& command, const std::string& out) {
        works("$ULNA " + command + " --quiet");
        EXPECT_EQ(nameIn(out), "bend") << command;
    };
    keeps("weights bend.bvh --mesh post.obj --out a.glb", "a.glb");
    keeps("convert bend.bvh b.glb", "b.glb");
    keeps("convert bend.bvh b.gltf --up z --from-up y", "b.gltf");
    keeps("convert b.gltf b.rig.json", "b.rig.json");
    keeps("convert b.rig.json c.glb --fps 24", "c.glb");
    keeps("convert a.glb c.rig.json --trim 0,0.1 --scale 2", "c.rig.json");
    keeps("clip bend.bvh --reverse --out d.glb", "d.glb");
    keeps("ik a.glb --goal Knee=0,1,1 --out e.glb", "e.glb");
    keeps("ik b.rig.json --all --pin Knee --out e.rig.json", "e.rig.json");
    keeps("key bend.bvh --reduce 0.01 --out f.glb", "f.glb");
    keeps("key a.glb --interpolation catmull-rom --out f.rig.json", "f.rig.json");
    works("$ULNA key a.glb --out f.keys.json --quiet");
    keeps("key b.rig.json --keys f.keys.json --out g.glb", "g.glb");
    keeps("fit a.glb a.glb --out h.glb", "h.glb");
    works("$ULNA fit a.glb a.glb --name mine --out h.glb --quiet");
    EXPECT_EQ(nameIn("h.glb"), "mine");
    works("$ULNA clip bend.bvh --name 'a \u00fc/run' --out odd.glb --quiet");
    EXPECT_EQ(nameIn("odd.glb"), "a \u00fc/run");
}

TEST_F(ClipVerb, CollectsClipsInOneFileAndTakesThemOutAgainByName) {
    works("$ULNA clip " + kWalk + " " + kRun + " --name walk --name run --out moves.glb");
    const std::string list = works("$ULNA clip moves.glb").out;
    EXPECT_TRUE(contains(list, "walk ")) << list;
    EXPECT_TRUE(contains(list, "run        21       30   0.666667")) << list;
    works("$ULNA clip moves.glb --out {}.bvh");
    same(kRun, "run.bvh", "2e-6");
    same(kWalk, "walk.bvh", "2e-6");
    works("$ULNA clip moves.glb --clip run --out only.bvh");
    same("run.bvh", "only.bvh", "1e-9");
    // A clip without a name has its file's, and no two have the same.
    const std::string names = works("$ULNA clip run.bvh " + kRun + " run.bvh --json").out;
    EXPECT_TRUE(contains(names, "\"name\":\"run\"")) << names;
    EXPECT_TRUE(contains(names, "\"name\":\"ulna-run\"")) << names;
    EXPECT_TRUE(contains(names, "\"name\":\"run-2\"")) << names;
}

TEST_F(ClipVerb, TrimsReversesAndChangesTheSpeed) {
    works("$ULNA clip " + kRun + " --trim 0.2,0.5 --out part.bvh");
    works("$ULNA convert " + kRun + " expected.bvh --trim 0.2,0.5");
    same("part.bvh", "expected.bvh", "1e-9");
    works("$ULNA clip " + kRun + " --reverse --out back.bvh");
    const nlohmann::json forth = framesOf(kRun), back = framesOf("back.bvh");
    ASSERT_EQ(forth.size(), back.size());
    EXPECT_LT(apart(forth.front(), back.back(), 5, 1), 1e-6);
    works("$ULNA clip " + kRun + " --speed 2 --out fast.bvh");
    const nlohmann::json fast = framesOf("fast.bvh");
    ASSERT_EQ(fast.size(), 11U);
    EXPECT_LT(apart(forth[8], fast[4], 5, 2), 1e-6);
    EXPECT_TRUE(contains(works("$ULNA clip " + kRun + " --speed 3 --out cut.bvh").err, "are cut"));
}

TEST_F(ClipVerb, JoinsWithABlendedSeam) {
    works("$ULNA clip " + kWalk + " " + kRun + " --join --blend 0 --out hard.bvh");
    works("$ULNA clip " + kWalk + " " + kRun + " --join --blend 0.2 --carry-root --out soft.bvh");
    const nlohmann::json walk = framesOf(kWalk), hard = framesOf("hard.bvh"),
                         soft = framesOf("soft.bvh");
    EXPECT_EQ(hard.size(), walk.size() + 21U);
    EXPECT_EQ(soft.size(), walk.size() + 21U - 7U);  // 0.2 s overlap: both ends of 6 steps
    // No joint jumps: the largest step of the blended clip is no larger than twice those before.
    const auto largestStep = [](const nlohmann::json& frames) {
        double out = 0.0;
        for (std::size_t f = 1; f < frames.size(); ++f)
            for (std::size_t axis = 0; axis < 3; ++axis)
                for (std::size_t j = 0; j < frames[f]["positions"].size(); ++j)
                    out = std::max(out, apart(frames[f - 1], frames[f], j, axis));
        return out;
    };
    EXPECT_LT(largestStep(soft), 2.0 * std::max(largestStep(walk), largestStep(framesOf(kRun))));
}

TEST_F(ClipVerb, LoopsAndRepeats) {
    works("$ULNA clip " + kRun + " --trim 0,0.5 --loop --in-place --out loop.bvh");
    const nlohmann::json loop = framesOf("loop.bvh");
    for (std::size_t j = 0; j < loop.front()["positions"].size(); ++j)
        for (std::size_t axis = 0; axis < 3; ++axis)
            ASSERT_LT(apart(loop.front(), loop.back(), j, axis), 1e-6);
    works("$ULNA clip loop.bvh --repeat 3 --out three.bvh");
    EXPECT_EQ(framesOf("three.bvh").size(), 3U * (loop.size() - 1U) + 1U);
}

TEST_F(ClipVerb, BlendsByWeights) {
    works("$ULNA clip " + kWalk + " " + kRun + " --mix 1,0 --out walk.bvh");
    same(kWalk, "walk.bvh", "1e-6");
    works("$ULNA clip " + kWalk + " " + kRun + " --mix 0.5,0.5 --name jog --out jog.glb");
    EXPECT_TRUE(contains(works("$ULNA clip jog.glb").out, "jog "));
    fails("$ULNA clip " + kWalk + " " + kRun + " --mix 1 --out x.bvh", "1 weights for 2 clips");
}

TEST_F(ClipVerb, TakesRootMotionOffAndBringsItBack) {
    works("$ULNA clip " + kRun + " --in-place --out still.bvh");
    const nlohmann::json still = framesOf("still.bvh");
    EXPECT_LT(apart(still.front(), still.back(), 0, 0), 1e-6);
    EXPECT_LT(apart(still.front(), still.back(), 0, 2), 1e-6);
    works("$ULNA clip still.bvh --root-motion " + kRun + " --out again.bvh");
    same(kRun, "again.bvh", "1e-6");
    fails("$ULNA clip still.bvh --root-motion " + kWalk + " --out x.bvh", "21 frames");
}

TEST_F(ClipVerb, RefusesWhatHasNoEffectOrNoSense) {
    fails("$ULNA clip " + kRun + " --blend 0.2 --reverse --out x.bvh", "neither is given");
    fails("$ULNA clip " + kRun + " --join --out x.bvh", "two clips or more");
    fails("$ULNA clip " + kRun + " --carry-root --reverse --out x.bvh", "--carry-root is for");
    fails("$ULNA clip " + kRun + " --reverse", "no output file was given");
    fails("$ULNA clip " + kWalk + " " + kRun + " --out x.bvh", "holds one clip, and there are 2");
    fails("$ULNA clip " + kRun + " --clip jump", "there is 'ulna-run'");
    fails("$ULNA clip " + kRun + " --speed 0 --out x.bvh", "--speed");
    fails("$ULNA clip " + kRun + " --name a --name b --out x.glb", "2 times for 1 clips");
    fails("$ULNA clip " + kRun + " --out x.obj", "a mesh only");
    works("cp " + kRun + " run.bvh");
    fails("$ULNA clip run.bvh --reverse --out run.bvh", "the input file 'run.bvh'");
    fails("$ULNA clip run.bvh --reverse --out {}.bvh", "the input file 'run.bvh'");
    writeText(path("other.bvh"),
              "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
              "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n");
    fails("$ULNA clip " + kRun + " other.bvh --out x.glb", "joint 0 is 'a' here");
    EXPECT_FALSE(std::filesystem::exists(path("x.bvh")));
}

}  // namespace
}  // namespace ulna::test
