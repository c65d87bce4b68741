// SPDX-License-Identifier: Apache-2.0

// Misspelt, superfluous and ambiguous input: what the tool guesses, refuses and says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/paths.h"
#include "support/text.h"

namespace ulna::test {
namespace {

const std::string kWalk = "$ASSETS/ulna-character.bvh";
const std::string kRun = "$ASSETS/ulna-run.bvh";

class Careless : public testing::Test {
  protected:
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
    static std::string upOf(const std::string& file) {
        return nlohmann::json::parse(works("$ULNA info " + file + " --json").out)["guess"]["up"];
    }
};

TEST_F(Careless, PosesThatNobodyTakesAreSaid) {
    const std::string squat =
        "$ULNA ik $ASSETS/ulna-character.glb --rest --pin LeftFoot --pin "
        "RightFoot --goal Hips=0.2,0.6,0.1 --goal LeftHand=0.5,1.3,0.5 --quiet ";
    works(squat + "--out natural.bvh");
    works(squat + "--natural off --out other.bvh");
    const auto mean = [&](const std::string& file) {
        return nlohmann::json::parse(
                   works("$ULNA info " + file + " --natural --json").out)["natural"][0]["mean"]
            .get<double>();
    };
    EXPECT_LT(mean("natural.bvh"), 1.2);
    EXPECT_GT(mean("other.bvh"), 2.0);
    EXPECT_TRUE(contains(works("$ULNA info natural.bvh --natural").out, "1 is usual"));
    // An arm through the chest, and not.
    const std::string across =
        "$ULNA ik $ASSETS/ulna-character.glb --rest --limits none --goal LeftHand=-0.4,1.1,-0.2 ";
    works(across + "--natural off --quiet --out across.bvh");
    works(across + "--natural pose --quiet --out behind.bvh");
    const std::string said = works("$ULNA info across.bvh --natural").out;
    EXPECT_TRUE(contains(said, "left shoulder forward and shoulder up are ")) << said;
    EXPECT_FALSE(contains(works("$ULNA info behind.bvh --natural").out, "outside"));
    fails("$ULNA info " + kWalk + " --rest-frame 300000", "there is no frame 300000");
    fails("$ULNA info '" + sharedGltf("Fox") + "' --natural", "no human body is recognised");
}

TEST_F(Careless, HandsAreHeldAsAsked) {
    const std::string ik = "$ULNA ik $ASSETS/ulna-character.glb --goal LeftHand=0.6,1.2,0.2 ";
    fails(ik + "--hand left=fist --hand both=flat", "a hand for the second time");
    const auto rotations = [&](const std::string& options) {
        return nlohmann::json::parse(works(ik + "--json " + options).out)["pose"]["rotations"];
    };
    const auto joints = nlohmann::json::parse(works(ik + "--json").out)["joints"];
    const auto at = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(joints.begin(), joints.end(), name) -
                                        joints.begin());
    };
    for (const std::string frames : {"", "--rest "}) {
        const auto open = rotations(frames), fist = rotations(frames + "--hand left=fist");
        for (const char* same : {"LeftForeArm", "RightHandIndex2", "Head"})
            EXPECT_EQ(open[at(same)], fist[at(same)]) << same;
        EXPECT_NE(open[at("LeftHandIndex2")], fist[at("LeftHandIndex2")]) << frames;
    }
    works(ik + "--all --hand both=0.4,-0.5,0.5 --out held.bvh --quiet");
}

TEST_F(Careless, BodiesKeepTheirBalanceUnlessTheyNeedNot) {
    const std::string pull =
        "$ULNA ik $ASSETS/ulna-character.glb --rest --natural pose "
        "--pin LeftFoot --pin RightFoot --goal LeftHand=0.7,1.2,-0.5 --json ";
    const auto hips = [&](const std::string& options) {
        return nlohmann::json::parse(works(pull + options).out)["pose"]["positions"][0];
    };
    EXPECT_NE(hips(""), hips("--without balance"));
    EXPECT_EQ(hips("--without bulk --without balance --without floor"),
              hips("--without floor --without bulk --without balance"));
}

TEST_F(Careless, JointsThatFollowOthersAreSaidAndKept) {
    writeText(scratchFolder() + "/gripper.rig.json", R"({"ulna": 1, "joints": [
        {"name": "left", "kind": "hinge", "limits": [[0, 60]]},
        {"name": "right", "kind": "hinge", "limits": [[-40, 0]],
         "coupling": {"leader": "left", "factor": -1}}]})");
    const std::string info = works("$ULNA info gripper.rig.json").out;
    EXPECT_TRUE(contains(info, "hinge follows left")) << info;
    EXPECT_TRUE(contains(info, "[0..40]")) << info;  // what follows allows no more
    fails("$ULNA ik gripper.rig.json --method ccd --goal right=0,1,0",
          "use auto for coupled joints");
    works("$ULNA convert gripper.rig.json again.rig.json --quiet");
    EXPECT_TRUE(contains(works("$ULNA info again.rig.json").out, "hinge follows left"));
}

TEST_F(Careless, AnAnimalOnFourLegsStandsUpright) {
    // glTF has y up by its standard; as BVH the axis is a guess.
    works("$ULNA convert '" + sharedGltf("Fox") + "' fox.bvh --quiet");
    EXPECT_EQ(upOf("fox.bvh"), "y");
    works("$ULNA convert fox.bvh lying.bvh --up z --from-up y");
    EXPECT_EQ(upOf("lying.bvh"), "z");
    works("$ULNA convert " + kRun + " z.bvh --up z --from-up y");
    EXPECT_EQ(upOf("z.bvh"), "z");
    EXPECT_EQ(upOf(kRun), "y");
}

TEST_F(Careless, AModelIsNotRotatedOnAGuessWithoutAWarning) {
    works("$ULNA convert " + kRun + " z.bvh --up z --from-up y");
    const std::string said = works("$ULNA convert z.bvh y.bvh --up y").err;
    EXPECT_TRUE(contains(said,
                         "warning: z.bvh: the up axis of the input is a guess, z with a "
                         "confidence of"))
        << said;
    EXPECT_TRUE(contains(said, "rotated by 90 degrees")) << said;
    EXPECT_EQ(works("$ULNA convert z.bvh told.bvh --up y --from-up z").err, "");
}

TEST_F(Careless, BvhFromGltfPassesItsOwnStrictReader) {
    for (const char* name : {"Fox", "CesiumMan", "RiggedFigure", "RiggedSimple"}) {
        const std::string file = std::string(name) + ".bvh";
        works("$ULNA convert '" + sharedGltf(name) + "' " + file + " --quiet");
        works("$ULNA info " + file + " --strict-input");
        // Every branch ends: as many End Sites as joints without children.
        const std::string text = readText(scratchFolder() + "/" + file);
        EXPECT_TRUE(contains(text, "End Site")) << name;
        works("$ULNA diff '" + sharedGltf(name) + "' " + file + " --quiet");
    }
}

TEST_F(Careless, MisspeltOptionsGetASuggestionAndAreQuotedInOrder) {
    fails("$ULNA diff a.bvh b.bvh --tolerence 1", "there is no option '--tolerence'");
    fails("$ULNA diff a.bvh b.bvh --tolerence=1", "did you mean '--tolerance'?");
    fails("$ULNA info a.bvh first second --third",
          "'first' was not expected; 'second' was not expected; there is no option '--third'");
    // A missing argument does not hide it, and each one gets a suggestion.
    fails("$ULNA diff a.bvh --tolerence 1", "did you mean '--tolerance'?");
    const std::string both = "$ULNA ik a.bvh --strct --gaol Head=0,1,0";
    fails(both, "there is no option '--strct'; there is no option '--gaol'");
    fails(both, "for --strct: did you mean '--strict'");
    fails(both, "for --gaol: did you mean '--goal'");
}

TEST_F(Careless, HelpIsGroupedAndHasNoListsOfExclusions) {
    const std::string help = works("$ULNA help fk").out;
    EXPECT_EQ(help, works("$ULNA fk --help").out);
    EXPECT_EQ(help.find("Excludes"), std::string::npos);
    EXPECT_TRUE(contains(help, "replace|add"));
    EXPECT_LT(help.find("\nOptions:"), help.find("Reading files:"));
    EXPECT_LT(help.find("Reading files:"), help.find("Options of every verb:"));
    EXPECT_EQ(works("$ULNA help").out, works("$ULNA --help").out);
    for (const char* verb : {"info", "fk", "ik", "convert", "clip", "key", "sample", "pack", "diff",
                             "skin", "weights", "fit", "draw", "completion", "man"}) {
        const std::string each = works(std::string("$ULNA help ") + verb).out;
        EXPECT_EQ(each, works(std::string("$ULNA ") + verb + " --help").out) << verb;
        EXPECT_EQ(each.find("Excludes"), std::string::npos) << verb;
        EXPECT_EQ(each.find("Needs"), std::string::npos) << verb;
        EXPECT_TRUE(contains(each, "Options of every verb:")) << verb;
    }
    fails("$ULNA help inof", "did you mean 'info'?");
}

TEST_F(Careless, AnUnknownClipGetsTheListOfClips) {
    const std::string rig = " $ASSETS/ulna-character.rig.json ";
    const std::string all = "there are 'walk', 'run', 'idle', 'wave'";
    for (const char* verb : {"fk", "sample", "clip", "draw", "ik --goal Head=0,1,0",
                             "key --out x.glb", "diff $ASSETS/ulna-character.glb"})
        fails(std::string("$ULNA ") + verb + rig + "--clip all", all);
    fails("$ULNA convert" + rig + "x.glb --clip all", all);
    const std::string glb = " $ASSETS/ulna-character.glb ";
    fails("$ULNA skin" + glb + "--out x.obj --clip all", all);
    fails("$ULNA fit" + glb + glb + "--clip all", all);
    // A similar name is suggested, and the others are listed all the same.
    fails("$ULNA fk" + rig + "--clip wak", "did you mean 'walk'? " + all);
    fails("$ULNA fk " + kRun + " --clip all", "there is 'ulna-run'");
    fails("$ULNA skin" + glb + "--out x.obj --mesh-name all", "there is 'Ulna'");
}

TEST_F(Careless, CountsAddUp) {
    // 63 joints, of which three are no part of human limits, and 16 End Sites.
    const std::string ik =
        works("$ULNA ik " + kWalk + " --goal LeftHand=0.4,1.3,0.3 --limits anatomical").err;
    EXPECT_TRUE(contains(ik, "60 of 63 joints recognised: all but Jaw, LeftEye, RightEye")) << ik;
    const std::string info = works("$ULNA info " + kWalk).out;
    EXPECT_TRUE(contains(info, "joints    63 (62 ball, 1 free; and 16 End Sites)")) << info;
    // Vertices by the number of their influences are all vertices.
    const auto mesh = nlohmann::json::parse(
        works("$ULNA weights $ASSETS/ulna-character.glb --json --quiet").out)["meshes"][0];
    std::size_t sum = 0;
    for (const auto& count : mesh["influences"]["counts"]) sum += count.get<std::size_t>();
    EXPECT_EQ(sum, mesh["vertices"].get<std::size_t>());
    double area = 0.0;
    for (const auto& joint : mesh["joints"]) area += joint["area"].get<double>();
    EXPECT_NEAR(area, 1.0, 1e-5);
}

// The numbers of a text that is for people: its words that are numbers.
std::vector<std::string> numbersIn(const std::string& text) {
    std::vector<std::string> out;
    std::string word;
    for (const char c : text + ' ') {
        if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-') {
            word += c;
        } else {
            if (word.find_first_of("0123456789") != std::string::npos) out.push_back(word);
            word.clear();
        }
    }
    return out;
}

TEST_F(Careless, NumbersArePrintedShortest) {
    const std::string glb = " $ASSETS/ulna-character.glb ";
    works("$ULNA convert " + kRun + " odd.bvh --fps 24 --quiet");
    works("$ULNA skin" + glb + "--frame 3 --out target.obj --quiet");
    const std::vector<std::string> texts = {
        works("$ULNA info" + glb).out,
        works("$ULNA info odd.bvh").out,
        works("$ULNA fk " + kRun + " --rest").out,
        works("$ULNA fk " + kRun + " --times 0.1,0.3").out,
        works("$ULNA sample " + kRun + " --times 0.1,0.3 --rates").out,
        works("$ULNA diff " + kRun + " odd.bvh").out,
        works("$ULNA clip odd.bvh" + glb).out,
        works("$ULNA weights" + glb).out,
        works("$ULNA ik " + kRun + " --goal LeftHand=0.4,1.3,0.3 --method all").out,
        works("$ULNA key " + kRun + " --reduce 0.01").err,
        works("$ULNA fit" + glb + "target.obj --loss huber").out,
        works("$ULNA convert " + kRun + " x.bvh --trim 0,9").err,
        works("$ULNA fk " + kRun + " --times 9").err};
    for (const std::string& text : texts) {
        ASSERT_FALSE(numbersIn(text).empty()) << text;
        for (const std::string& number : numbersIn(text)) {
            const std::size_t point = number.find('.');
            EXPECT_LE(number.size(), 11U) << number << " in\n" << text;
            if (point == std::string::npos || number.find('.', point + 1) != std::string::npos)
                continue;
            EXPECT_FALSE(number.ends_with('0')) << number << " in\n" << text;
        }
        for (const char* noise : {" -0 ", "e-0", "e+"})
            EXPECT_EQ(text.find(noise), std::string::npos) << noise << " in\n" << text;
    }
}

TEST_F(Careless, OptionsWithoutEffectAreRefused) {
    const std::string ik = "$ULNA ik " + kWalk + " --goal LeftHand=0.4,1.3,0.3 ";
    fails(ik + "--damping 0.2", "--damping has no effect with --method auto");
    fails(ik + "--method ccd --step 2", "--step has no effect");
    fails(ik + "--method dls --restarts 3", "--restarts has no effect");
    fails(ik + "--all --restarts 3", "--restarts has no effect with --all");
    fails(ik + "--continuity --seed 3", "--seed has no effect with --continuity");
    fails(ik + "--restarts 0 --seed 3", "--seed has no effect with --restarts 0");
    fails(ik + "--natural off --without floor", "--without floor has no effect");
    fails(ik + "--rest --without bulk", "no effect on a pose that is taken afresh");
    fails(ik + "--all --without balance", "--without balance has no effect with --all");
    fails(ik + "--without gravity", "gravity");
    fails(ik + "--hand both=claw", "there are flat, relaxed");
    fails(ik + "--hand foot=fist", "write left, right or both");
    fails(ik + "--hand left=1.5", "curled by -0.2 to 1");
    fails(ik + "--hand left=0.5,2", "spread by -1 to 1");
    fails(ik + "--hand left=0.5,0,-1", "opposed by 0 to 1");
    fails(ik + "--hand left=0.5,0,1,0", "three numbers");
    fails("$ULNA key " + kWalk + " --fps 30 --out x.glb", "--fps has no effect on 'x.glb'");
    fails("$ULNA key " + kWalk + " --reduce 0.1 --name x", "--name has no effect");
    fails("$ULNA clip " + kWalk + " --reverse --up y --out x.bvh", "--up has no effect here");
    works("$ULNA clip " + kWalk + " --in-place --up y --out x.bvh");
    works(ik + "--method dls --damping 0.2 --step 0.5");
    works(ik + "--restarts 3 --seed 2");
}

TEST_F(Careless, AFullPinHoldsTheRotationToo) {
    const std::string ik =
        "$ULNA ik " + kWalk + " --goal Hips=0.1,0.8,0.1 --json --quiet --restarts 0 --pin LeftFoot";
    const auto goals = nlohmann::json::parse(works(ik + ":full").out)["goals"];
    ASSERT_EQ(goals.size(), 3U);
    EXPECT_EQ(goals[1]["kind"], "position");
    EXPECT_EQ(goals[2]["kind"], "orientation");
    EXPECT_EQ(goals[2]["joint"], "LeftFoot");
    EXPECT_TRUE(goals[2]["met"].get<bool>());
    EXPECT_EQ(nlohmann::json::parse(works(ik).out)["goals"].size(), 2U);
}

TEST_F(Careless, PointsOfAPlanarRigHaveTwoCoordinates) {
    writeText(scratchFolder() + "/flat.rig.json",
              R"({"ulna":1,"planar":true,"joints":[{"name":"a","kind":"hinge"},)"
              R"({"name":"b","parent":"a","kind":"hinge","offset":[1,0,0]},)"
              R"({"name":"c","parent":"b","kind":"fixed","offset":[1,0,0]}]})");
    works("$ULNA ik flat.rig.json --goal c=1,1 --strict");
    EXPECT_EQ(works("$ULNA ik flat.rig.json --goal c=1,1 --json").out,
              works("$ULNA ik flat.rig.json --goal c=1,1,0 --json").out);
    fails("$ULNA ik " + kWalk + " --goal LeftHand=1,1", "3 finite numbers");
}

TEST_F(Careless, DiffComparesAtOneRateAndSampleHasAHeader) {
    works("$ULNA convert " + kRun + " fast.bvh --fps 60");
    EXPECT_TRUE(contains(works("$ULNA diff " + kRun + " fast.bvh").out, "--fps N compares them"));
    works("$ULNA diff " + kRun + " fast.bvh --fps 30 --tolerance 1e-6 --angle-tolerance 1e-4");
    const std::string samples = works("$ULNA sample " + kRun + " --times 0.1 --joint Head").out;
    EXPECT_TRUE(contains(samples, "joint ")) << samples;
    EXPECT_TRUE(contains(samples, " qw\n")) << samples;
}

TEST_F(Careless, AMeshInAnotherUnitIsNoticed) {
    works("$ULNA convert $ASSETS/ulna-character.glb body.obj --quiet");
    works("$ULNA convert $ASSETS/ulna-character.glb cm.obj --scale 100 --quiet");
    const std::string skin = "$ULNA skin " + kWalk + " --weights distance --out posed.ply --mesh ";
    const std::string said = works(skin + "cm.obj").err;
    EXPECT_TRUE(contains(said,
                         "cm.obj: the mesh is about 100 times as large as the skeleton; "
                         "their units may differ ('ulna convert --scale 0.01' changes"))
        << said;
    EXPECT_EQ(works(skin + "body.obj").err.find("units"), std::string::npos);
}

TEST_F(Careless, GoalsInAnotherUnitAreNoticed) {
    const std::string ik = "$ULNA ik " + kWalk + " --quiet --json --restarts 0 --goal LeftHand=";
    const auto said = [&](const std::string& goals) {
        return nlohmann::json::parse(works(ik + goals).out)["warnings"].dump();
    };
    EXPECT_TRUE(contains(said("40,130,30"),
                         "targets seem to be in another unit than the skeleton: divided by 100, "
                         "they are near their joints"));
    EXPECT_TRUE(contains(said("4,13,3"), "divided by 10,"));
    EXPECT_TRUE(contains(said("400,1300,300 --goal RightHand=-400,1300,300"), "by 1000,"));
    EXPECT_TRUE(contains(said("400,1300,300"), "'ulna convert --scale 1000'"));
    works("$ULNA convert " + kWalk + " cm.bvh --scale 100 --quiet");
    const std::string small = works("$ULNA ik cm.bvh --goal LeftHand=0.4,1.3,0.3").err;
    EXPECT_TRUE(contains(small, "times 100, they are near their joints: 'LeftHand'")) << small;
    EXPECT_TRUE(contains(small, "'ulna convert --scale 0.01'")) << small;
    // In the rig's unit, out of reach, on the ground, pinned: nothing to say of units.
    for (const char* goals : {"0.4,1.3,0.3", "2,1,2", "0,0,0", "0.1,0.1,0.3",
                              "0.4,1.3,0.3 --pin LeftFoot", "0.3,1.2,0.2 --aim Head=0,150,500"})
        EXPECT_EQ(said(goals).find("unit"), std::string::npos) << goals;
    // One goal that is in the rig's unit clears the others.
    EXPECT_EQ(said("400,1300,300 --goal RightHand=-0.4,1.3,0.3").find("unit"), std::string::npos);
}

TEST_F(Careless, TargetsInAnotherUnitOrAnotherOrderAreNoticed) {
    works("$ULNA skin $ASSETS/ulna-character.glb --frame 5 --out target.obj --quiet");
    const std::string fit = "$ULNA fit $ASSETS/ulna-character.glb ";
    const std::string good = works(fit + "target.obj").err;
    EXPECT_EQ(good.find("units"), std::string::npos) << good;
    EXPECT_EQ(good.find("order"), std::string::npos) << good;
    works("$ULNA convert target.obj mm.obj --scale 1000");
    EXPECT_TRUE(contains(shell(fit + "mm.obj").err,
                         "mm.obj: the target is about 1000 times as large as the mesh of the rig"));
    // The vertices in the order of their text, which is as wrong as any other.
    works("grep '^v ' target.obj | sort -k 3 > shuffled.obj");
    works("grep '^f ' target.obj | sed 's,//[0-9]*,,g' >> shuffled.obj");
    const std::string shuffled = shell(fit + "shuffled.obj").err;
    EXPECT_TRUE(contains(shuffled, "its vertices seem to be in another order")) << shuffled;
}

TEST_F(Careless, WeightsByDistanceHaveFourInfluencesByDefault) {
    const auto counts = nlohmann::json::parse(
        works("$ULNA weights $ASSETS/ulna-character.glb --make distance --json --quiet")
            .out)["meshes"][0]["influences"]["counts"];
    EXPECT_LE(counts.size(), 5U) << "vertices with 0, 1, 2, 3 and 4 influences";
}

}  // namespace
}  // namespace ulna::test
