// SPDX-License-Identifier: Apache-2.0

// `ulna ik` as users meet it. What it wrote is judged by `ulna fk` on the file, not by what it
// says.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/text.h"
#include "ulna/math/quat.h"

namespace ulna::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kBvh = "$ASSETS/ulna-character.bvh";
constexpr const char* kRig = "$ASSETS/ulna-character.rig.json";

Json parsed(const std::string& text) {
    Json out = Json::parse(text, nullptr, false);
    EXPECT_FALSE(out.is_discarded()) << text.substr(0, 200);
    return out;
}

Vec3 vec(const Json& json) {
    return {json[0], json[1], json[2]};
}

// Forward kinematics of a file by the tool.
struct Fk {
    Json json;
    explicit Fk(const std::string& file, const std::string& which = "") {
        const CommandResult r = shell("$ULNA fk " + file + " --json " + which);
        EXPECT_EQ(r.exit_code, 0) << r.err;
        json = parsed(r.out);
    }
    [[nodiscard]] std::size_t joint(const std::string& name) const {
        for (std::size_t i = 0; i < json["joints"].size(); ++i) {
            if (json["joints"][i] == name) return i;
        }
        ADD_FAILURE() << "no joint " << name;
        return 0;
    }
    [[nodiscard]] Vec3 at(const std::string& name, std::size_t frame = 0) const {
        return vec(json["frames"][frame]["positions"][joint(name)]);
    }
    [[nodiscard]] Quat turn(const std::string& name, std::size_t frame = 0) const {
        const Json& q = json["frames"][frame]["rotations"][joint(name)];
        return {q[0], q[1], q[2], q[3]};
    }
    [[nodiscard]] std::size_t frames() const { return json["frames"].size(); }
};

std::string ik(const std::string& file, const std::string& options) {
    const CommandResult r = shell("$ULNA ik " + file + " " + options);
    EXPECT_EQ(r.exit_code, 0) << options << r.err;
    return r.out;
}

void expectFails(const std::string& options, int code, const std::string& message) {
    const CommandResult r = shell(std::string("$ULNA ik ") + kBvh + " " + options);
    EXPECT_EQ(r.exit_code, code) << options << r.err;
    EXPECT_TRUE(contains(r.err, message)) << options;
    EXPECT_EQ(r.out, "") << options;
}

TEST(IkCli, PutsAHandOnItsTargetInEveryFormat) {
    const Vec3 target{0.3, 1.2, 0.4};
    for (const char* input : {kBvh, kRig}) {
        for (const char* output : {"hand.bvh", "hand.rig.json"}) {
            ik(input, std::string("--goal LeftHand=0.3,1.2,0.4 --tolerance 1e-6 --out ") + output);
            const Fk fk(output);
            EXPECT_EQ(fk.frames(), 1U);
            EXPECT_LT(distance(fk.at("LeftHand"), target), 1.1e-6) << input << output;
        }
    }
}

TEST(IkCli, JsonHasThePromisedShapeAndSaysWhatFkSays) {
    const Json out =
        parsed(ik(kBvh, "--goal LeftHand=0.3,1.2,0.4,weight=2 --frame 5 --json --out pose.bvh"));
    EXPECT_EQ(out["ulna"], 1);
    EXPECT_EQ(out["status"], "reached");
    EXPECT_EQ(out["method"], "auto");
    EXPECT_EQ(out["frame"], 5);
    EXPECT_TRUE(out["iterations"].is_number_integer());
    EXPECT_TRUE(out["gradient"].is_number());
    ASSERT_EQ(out["goals"].size(), 1U);
    const Json& goal = out["goals"][0];
    EXPECT_EQ(goal["kind"], "position");
    EXPECT_EQ(goal["joint"], "LeftHand");
    EXPECT_EQ(vec(goal["target"]), (Vec3{0.3, 1.2, 0.4}));
    EXPECT_EQ(goal["weight"], 2.0);
    EXPECT_EQ(goal["level"], 1);
    const Fk fk("pose.bvh");
    EXPECT_LT(distance(vec(goal["position"]), fk.at("LeftHand")), 1e-9);
    EXPECT_NEAR(goal["distance"], distance(fk.at("LeftHand"), Vec3{0.3, 1.2, 0.4}), 1e-9);
    for (std::size_t i = 0; i < fk.json["joints"].size(); ++i) {
        EXPECT_LT(
            distance(vec(out["pose"]["positions"][i]), vec(fk.json["frames"][0]["positions"][i])),
            1e-9);
        EXPECT_GE(double(out["pose"]["rotations"][i][3]), 0.0);
    }
    // The same as a file.
    const std::string text = ik(kBvh, "--goal LeftHand=0.3,1.2,0.4 --frame 5 --json --out p.json");
    EXPECT_EQ(readText(scratchFolder() + "/p.json"), text);
}

TEST(IkCli, TheRootIsHeldUnlessSomethingIsPinnedOrItIsFreed) {
    const Vec3 hips = Fk(kBvh).at("Hips");
    const Vec3 foot = Fk(kBvh).at("LeftFoot");
    ik(kBvh, "--goal LeftHand=0.3,0.6,0.6 --out held.bvh");
    EXPECT_LT(distance(Fk("held.bvh").at("Hips"), hips), 1e-9);
    EXPECT_LT(angleBetween(Fk("held.bvh").turn("Hips"), Fk(kBvh).turn("Hips")), 1e-6);

    ik(kBvh,
       "--goal LeftHand=0.5,0.1,0.8 --pin LeftFoot --pin RightFoot --out pinned.bvh --strict");
    const Fk pinned("pinned.bvh");
    EXPECT_GT(distance(pinned.at("Hips"), hips), 0.05);
    EXPECT_LT(distance(pinned.at("LeftFoot"), foot), 2e-4);
    EXPECT_LT(distance(pinned.at("LeftHand"), Vec3{0.5, 0.1, 0.8}), 2e-4);

    ik(kBvh, "--goal LeftHand=3,3,3 --free-root --out free.bvh --strict");
    EXPECT_LT(distance(Fk("free.bvh").at("LeftHand"), Vec3{3, 3, 3}), 2e-4);

    const CommandResult stuck = shell(std::string("$ULNA ik ") + kBvh + " --goal Hips=0,2,0");
    EXPECT_EQ(stuck.exit_code, 0);
    EXPECT_TRUE(
        contains(stuck.err, "no joint that may move has an effect on the goal 'position Hips'"));
    EXPECT_TRUE(contains(stuck.err, "--free-root"));
}

TEST(IkCli, ARootThatOnlyTurnsIsTheFirstJointOfAnArm) {
    writeText(scratchFolder() + "/arm.rig.json", R"({"ulna":1,"planar":true,"joints":[
        {"name":"a","kind":"hinge"},{"name":"b","parent":"a","kind":"hinge","offset":[1,0,0]},
        {"name":"c","parent":"b","kind":"fixed","offset":[1,0,0]}]})");
    ik("arm.rig.json", "--rest --goal c=-0.5,1.2,0 --tolerance 1e-7 --strict --out arm2.rig.json");
    EXPECT_LT(distance(Fk("arm2.rig.json").at("c"), Vec3{-0.5, 1.2, 0}), 2e-7);
}

TEST(IkCli, OrientAimPoleAboveAndDistanceAreGoalsToo) {
    ik(kBvh, "--orient LeftHand=0,0.6,0,0.8 --out orient.bvh --strict");
    EXPECT_LT(angleBetween(Fk("orient.bvh").turn("LeftHand"), Quat{0, 0.6, 0, 0.8}), 2e-4);

    ik(kBvh, "--aim Head=2,1.5,3 --aim LeftEye:0,0,1=2,1.5,3 --out aim.bvh --strict");
    const Fk aim("aim.bvh");
    const Vec3 forward = rotate(aim.turn("Head"), Vec3{0, 0, 1});  // rest axes are the model's
    const Vec3 to = Vec3{2, 1.5, 3} - aim.at("Head");
    EXPECT_GT(dot(forward, to) / length(to), std::cos(2e-4));

    // The elbow is on the pole's side of the plane through shoulder and hand.
    for (const double side : {1.0, -1.0}) {
        const std::string pole = side > 0 ? "0.3,3,0.2" : "0.3,-3,0.2";
        ik(kBvh, "--goal LeftHand=0.4,1.35,0.35 --chain LeftArm --pole LeftForeArm=" + pole +
                     " --strict --out pole.bvh");
        const Fk fk("pole.bvh");
        EXPECT_LT(distance(fk.at("LeftHand"), Vec3{0.4, 1.35, 0.35}), 2e-4);
        const Vec3 middle = (fk.at("LeftArm") + fk.at("LeftHand")) * 0.5;
        EXPECT_GT(side * (fk.at("LeftForeArm").y - middle.y), 0.02);
    }

    ik(kBvh, "--above LeftFoot=0.5 --strict --out above.bvh");
    EXPECT_GT(Fk("above.bvh").at("LeftFoot").y, 0.5 - 2e-4);

    ik(kBvh, "--distance LeftHand,RightHand=0.3 --strict --out apart.bvh");
    EXPECT_NEAR(distance(Fk("apart.bvh").at("LeftHand"), Fk("apart.bvh").at("RightHand")), 0.3,
                2e-4);
    ik(kBvh, "--distance LeftHand,RightHand=0.1,bound=at-least --strict --out more.bvh");
    EXPECT_GT(distance(Fk("more.bvh").at("LeftHand"), Fk("more.bvh").at("RightHand")), 0.4);
}

TEST(IkCli, LocksStiffnessAndChainsSayWhatMoves) {
    const Fk before(kBvh);
    ik(kBvh, "--goal LeftHand=0.3,1.2,0.4 --chain LeftArm --out chain.bvh --strict");
    const Fk chain("chain.bvh");
    EXPECT_LT(distance(chain.at("LeftArm"), before.at("LeftArm")), 1e-9);
    EXPECT_LT(distance(chain.at("LeftHand"), Vec3{0.3, 1.2, 0.4}), 2e-4);

    ik(kBvh, "--goal LeftHand=0.3,1.2,0.4 --lock Spine --lock Spine1 --lock Spine2 --out lock.bvh");
    EXPECT_LT(distance(Fk("lock.bvh").at("Neck"), before.at("Neck")), 1e-9);

    ik(kRig, "--goal LeftHand=0.3,1.2,0.4 --stiffness LeftForeArm=1000 --out stiff.bvh --strict");
    ik(kRig, "--goal LeftHand=0.3,1.2,0.4 --out soft.bvh --strict");
    const auto bend = [](const Fk& fk) {
        return angleBetween(fk.turn("LeftForeArm"), fk.turn("LeftArm"));
    };
    EXPECT_LT(std::abs(bend(Fk("stiff.bvh")) - bend(before)),
              0.5 * std::abs(bend(Fk("soft.bvh")) - bend(before)));
}

TEST(IkCli, AWholeClipFollowsItsGoalsAndKeepsItsPins) {
    writeText(scratchFolder() + "/moving.json", [] {
        std::string targets;
        for (int f = 0; f < 33; ++f)
            targets += (f == 0 ? "" : ",") + ("[0.35,1.1," + std::to_string(0.3 + 0.01 * f) + "]");
        return R"({"ulna":1,"goals":[{"kind":"position","joint":"LeftHand","targets":[)" + targets +
               "]}]}";
    }());
    ik(kBvh, "--all --pin LeftFoot --pin RightFoot --out clip.bvh --goals moving.json --strict");
    const Fk before(kBvh, "--all");
    const Fk after("clip.bvh", "--all");
    ASSERT_EQ(before.frames(), 33U);
    ASSERT_EQ(after.frames(), 33U);
    for (std::size_t f = 0; f < 33; ++f) {
        EXPECT_LT(distance(after.at("LeftFoot", f), before.at("LeftFoot", f)), 2e-4) << f;
        EXPECT_LT(distance(after.at("LeftHand", f), Vec3{0.35, 1.1, 0.3 + 0.01 * double(f)}), 2e-4);
    }
    const Json json = parsed(ik(kBvh, "--all --goals moving.json --json"));
    EXPECT_EQ(json["frames"].size(), 33U);
    EXPECT_EQ(json["frames"][7]["frame"], 7);
    EXPECT_NEAR(double(json["frames"][7]["goals"][0]["target"][2]), 0.37, 1e-12);
    // One frame of it has that frame's target.
    EXPECT_NEAR(
        double(parsed(ik(kBvh, "--frame 7 --goals moving.json --json"))["goals"][0]["target"][2]),
        0.37, 1e-12);
    expectFails("--all --method all --goal LeftHand=1,1,1", 2, "compares on one frame");
}

TEST(IkCli, PostureKeepsAClipAsItIs) {
    ik(kBvh, "--all --goal LeftHand=0.35,1.1,0.4 --posture 1e6 --out stay.bvh");
    const CommandResult r =
        shell(std::string("$ULNA diff stay.bvh ") + kBvh + " --tolerance 0.01 --angle-tolerance 1");
    EXPECT_EQ(r.exit_code, 0) << r.out;
}

TEST(IkCli, MethodAllComparesWhatCanDoTheGoals) {
    const std::string goal = "--goal LeftHand=0.3,1.2,0.4 --method all --plot all.svg ";
    const CommandResult r = shell(std::string("$ULNA ik ") + kRig + " " + goal);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    for (const char* method : {"auto", "ccd", "fabrik", "transpose", "projected-gradient", "dls"})
        EXPECT_TRUE(contains(r.out, method));
    EXPECT_EQ(shell("rsvg-convert all.svg -o all.png").exit_code, 0);
    const std::string svg = readText(scratchFolder() + "/all.svg");
    EXPECT_TRUE(contains(svg, ">projected-gradient</text>"));
    // The figures are in rows as wide as the plot, with a legend and a scale in metres.
    EXPECT_TRUE(contains(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1100 "));
    EXPECT_TRUE(contains(svg, ">target</text>"));
    EXPECT_TRUE(contains(svg, " m</text>"));

    const Json json = parsed(ik(kRig, "--aim Head=1,1.5,4 --method all --json --history"));
    std::size_t cannot = 0;
    for (const Json& method : json["methods"]) {
        if (method["status"] == "cannot") {
            ++cannot;
            EXPECT_TRUE(contains(method["reason"], "positions")) << method["method"];
        } else {
            EXPECT_GE(method["history"].size(), 1U);
        }
    }
    EXPECT_EQ(json["methods"].size(), 9U);
    EXPECT_GE(cannot, 2U);  // ccd and fabrik know positions only
    expectFails("--aim Head=1,1.5,4 --method ccd", 2, "ccd can only do positions");
}

TEST(IkCli, EveryMethodReachesWithAnArm) {
    for (const char* method : {"auto", "two-bone", "ccd", "fabrik", "transpose", "gradient",
                               "projected-gradient", "pinv", "dls"}) {
        ik(kBvh, std::string("--goal LeftHand=0.4,1.3,0.3 --chain LeftArm --strict --out m.bvh "
                             "--method ") +
                     method);
        EXPECT_LT(distance(Fk("m.bvh").at("LeftHand"), Vec3{0.4, 1.3, 0.3}), 2e-4) << method;
    }
}

TEST(IkCli, StrictExitsWithFourOnlyWhenAGoalIsMissed) {
    const CommandResult far =
        shell(std::string("$ULNA ik ") + kBvh + " --goal LeftHand=5,1,0 --strict --json");
    EXPECT_EQ(far.exit_code, 4);
    EXPECT_EQ(parsed(far.out)["status"], "out_of_reach");
    EXPECT_EQ(parsed(far.out)["goals"][0]["met"], false);
    ik(kBvh, "--goal LeftHand=5,1,0");                 // without it, an answer is an answer
    ik(kBvh, "--goal LeftHand=0.3,1.2,0.4 --strict");  // met
}

TEST(IkCli, UnknownJointsAreUsageErrorsWithSuggestions) {
    expectFails("--goal LeftHnd=1,2,3", 2, "there is no joint 'LeftHnd' (did you mean 'LeftHand'");
    expectFails("--pin LeftFot", 2, "'LeftFoot'");
    expectFails("--lock Spin --goal LeftHand=1,1,1", 2, "--lock: there is no joint 'Spin'");
    expectFails("--chain LeftAm --goal LeftHand=1,1,1", 2, "'LeftArm'");
    expectFails("--stiffness LeftAm=2 --goal LeftHand=1,1,1", 2, "'LeftArm'");
    expectFails("--pole LeftFourArm=1,1,1", 2, "'LeftForeArm'");
    expectFails("--distance LeftHand,RihgtHand=1", 2, "'RightHand'");
    writeText(scratchFolder() + "/typo.json",
              R"([{"kind":"position","joint":"LeftHnd","target":[1,2,3]}])");
    expectFails("--goals typo.json", 2, "typo.json: [0]: there is no joint 'LeftHnd'");
}

TEST(IkCli, NumbersAndGoalsThatMakeNoSenseAreUsageErrors) {
    expectFails("", 2, "no goal was given");
    expectFails("--goal LeftHand=1,2", 2, "3 finite numbers");
    expectFails("--goal LeftHand=1,2,nan", 2, "3 finite numbers");
    expectFails("--goal LeftHand=1,2,inf", 2, "3 finite numbers");
    expectFails("--goal LeftHand=1,2,1e999", 2, "3 finite numbers");
    expectFails("--goal LeftHand=1,2,x", 2, "write --goal JOINT=x,y,z");
    expectFails("--goal LeftHand=1,2,3,wieght=2", 2, "'wieght' is not known here");
    expectFails("--goal LeftHand", 2, "no joint and '='");
    expectFails("--goal LeftHand=1,2,3,level=3", 2, "a level is 1 or 2");
    expectFails("--goal LeftHand=1,2,3,weight=-1", 2, "a weight cannot be negative");
    expectFails("--orient LeftHand=0,0,0,0", 2, "a quaternion cannot be zero");
    expectFails("--pole LeftArm,LeftHand=1,1,1", 2, "one joint or three");
    expectFails("--pole LeftHand=1,1,1", 2, "is not clear");
    expectFails("--pole LeftHand,LeftArm,LeftForeArm=1,1,1", 2, "not above one another");
    expectFails("--distance LeftHand=1", 2, "two joints");
    expectFails("--goal LeftHand=1,1,1 --tolerance 0", 2, "--tolerance");
    expectFails("--goal LeftHand=1,1,1 --tolerance nan", 2, "--tolerance");
    expectFails("--goal LeftHand=1,1,1 --max-iterations 0", 2, "--max-iterations");
    expectFails("--goal LeftHand=1,1,1 --stiffness LeftArm=-1", 2, "negative");
    expectFails("--goal LeftHand=1,1,1 --method magic", 2, "--method");
    expectFails("--goal LeftHand=1,1,1 --frame 99", 2, "there is no frame 99");
    expectFails("--goal LeftHand=1,1,1 --out pose.obj", 2, ".rig.json");
    expectFails("--goal LeftHand=1,1,1 --plot p.png", 2, ".svg");
    expectFails("--goal LeftHand=1,1,1 --rest-frame 3", 2, "--limits anatomical");
    EXPECT_FALSE(std::filesystem::exists(scratchFolder() + "/pose.obj"));
}

TEST(IkCli, NumbersMayHaveSignsExponentsAndSpaces) {
    const Json json = parsed(ik(kBvh, "--goal 'LeftHand = +.3, 12e-1, 0.4 , weight=2' --json"));
    EXPECT_EQ(vec(json["goals"][0]["target"]), (Vec3{0.3, 1.2, 0.4}));
    EXPECT_EQ(json["goals"][0]["weight"], 2.0);
}

TEST(IkCli, BadGoalFilesExitWithThreeAndSayWhere) {
    writeText(scratchFolder() + "/bad.json",
              R"({"goals":[{"kind":"position","joint":"LeftHand","target":[1,2,3],"wieght":1}]})");
    expectFails("--goals bad.json", 3, "bad.json: goals[0]: the key 'wieght' is unknown");
    expectFails("--goals missing.json", 3, "missing.json: cannot be opened");
    writeText(scratchFolder() + "/short.json",
              R"([{"kind":"position","joint":"LeftHand","targets":[[1,2,3],[1,2,3]]}])");
    expectFails("--goals short.json --all", 2, "has 2 targets for 33 frames");
}

TEST(IkCli, AnAnswerCanBeSolvedAgainFromItsOwnGoals) {
    ik(kBvh,
       "--goal LeftHand=0.3,1.2,0.4 --aim Head=1,1.5,4 --above LeftFoot=0.2 --posture 1e-4 "
       "--pin RightFoot "
       "--distance LeftHand,RightHand=0.5,bound=at-most --out first.json");
    ik(kBvh, "--goals first.json --out second.json");
    EXPECT_EQ(readText(scratchFolder() + "/first.json"),
              readText(scratchFolder() + "/second.json"));
}

TEST(IkCli, HumanLimitsHoldAndAreReported) {
    const CommandResult r =
        shell(std::string("$ULNA ik ") + kBvh +
              " --goal LeftHand=0.3,1.2,0.4 --limits anatomical --json --strict --out human.bvh");
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_TRUE(contains(r.err, "joints recognised"));
    const Json json = parsed(r.out);
    EXPECT_EQ(json["limits"]["source"], "anatomical");
    bool knee = false;
    for (const Json& each : json["limits"]["recognised"])
        knee = knee || (each["joint"] == "LeftLeg" && each["part"] == "left knee");
    EXPECT_TRUE(knee);
    const Fk fk("human.bvh");
    EXPECT_LT(distance(fk.at("LeftHand"), Vec3{0.3, 1.2, 0.4}), 2e-4);
    // A goal that only a knee bent the wrong way could meet is missed.
    const CommandResult wrong = shell(std::string("$ULNA ik ") + kBvh +
                                      " --rest --goal LeftFoot=0.09,0.9,0.42 --chain LeftLeg "
                                      "--limits anatomical --strict");
    EXPECT_EQ(wrong.exit_code, 4) << wrong.out;
    // Over a clip: the walk passes the target, so only its first half can reach it.
    ik(kBvh, "--all --goal LeftHand=0.3,1.1,0.4 --limits anatomical --out humanclip.bvh");
    const Fk clip("humanclip.bvh", "--all");
    for (std::size_t f = 0; f < 16; ++f)
        EXPECT_LT(distance(clip.at("LeftHand", f), Vec3{0.3, 1.1, 0.4}), 2e-4) << f;
}

TEST(IkCli, OrientationGoalsUnderHumanLimitsAreInTheFilesAxes) {
    const Quat target = Fk(kBvh, "--frame 10").turn("Head");
    const std::string text = std::to_string(target.x) + "," + std::to_string(target.y) + "," +
                             std::to_string(target.z) + "," + std::to_string(target.w);
    ik(kBvh, "--orient Head=" + text + " --limits anatomical --strict --out head.bvh");
    EXPECT_LT(angleBetween(Fk("head.bvh").turn("Head"), target), 2e-4);
}

TEST(IkCli, LimitsComeFromARigFileOfTheSameJoints) {
    const CommandResult r =
        shell(std::string("$ULNA ik ") + kBvh +
              " --goal LeftHand=0.3,1.2,0.4 --limits $ASSETS/ulna-character.rig.json --json --out "
              "limited.rig.json");
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_TRUE(contains(r.err, "limits of"));
    // Where the elbow is a hinge, the forearm turns about the upper arm's y only.
    const Fk fk("limited.rig.json");
    const Quat bend = conjugate(fk.turn("LeftArm")) * fk.turn("LeftForeArm");
    EXPECT_LT(std::abs(bend.x) + std::abs(bend.z), 1e-9);
    EXPECT_TRUE(contains(readText(scratchFolder() + "/limited.rig.json"), "\"limits\""));

    writeText(scratchFolder() + "/other.rig.json", R"({"ulna":1,"joints":[{"name":"x"}]})");
    expectFails("--goal LeftHand=1,1,1 --limits other.rig.json", 1, "fits one of");
    expectFails("--goal LeftHand=1,1,1 --limits nowhere.rig.json", 3, "nowhere.rig.json");
}

TEST(IkCli, AnInputOutsideItsLimitsIsClampedAndListed) {
    writeText(scratchFolder() + "/out.rig.json", R"({"ulna":1,"joints":[
        {"name":"a","kind":"hinge","axis":[0,0,1],"limits":[[-30,30]]},
        {"name":"b","parent":"a","kind":"hinge","axis":[0,0,1],"offset":[1,0,0]},
        {"name":"c","parent":"b","kind":"fixed","offset":[1,0,0]}],
        "clips":[{"frame_time":1,"frames":[[80,0]]}]})");
    const CommandResult r =
        shell("$ULNA ik out.rig.json --goal c=1.5,0.8,0 --json --out in.rig.json --strict");
    EXPECT_EQ(r.exit_code, 0) << r.out << r.err;
    EXPECT_TRUE(contains(r.err, "moved inside: a"));
    EXPECT_EQ(parsed(r.out)["clamped"], Json::array({"a"}));
    const Fk fk("in.rig.json");
    EXPECT_LE(rotationAngle(fk.turn("a")), 30.0 * kPi / 180.0 + 1e-9);
    EXPECT_LT(distance(fk.at("c"), Vec3{1.5, 0.8, 0}), 3e-4);
    // Without limits nothing is clamped.
    EXPECT_EQ(parsed(ik("out.rig.json", "--goal c=0.5,1.5,0 --limits none --json"))["clamped"],
              Json::array());
}

TEST(IkCli, LevelTwoYieldsToLevelOne) {
    ik(kBvh, "--goal LeftHand=0.4,1.3,0.3 --goal RightHand=0,5,0,level=2,weight=100 --out two.bvh");
    EXPECT_LT(distance(Fk("two.bvh").at("LeftHand"), Vec3{0.4, 1.3, 0.3}), 2e-4);
    EXPECT_GT(Fk("two.bvh").at("RightHand").y, Fk(kBvh).at("RightHand").y + 0.3);
}

TEST(IkCli, TheSameRunGivesTheSameBytes) {
    const std::string options = "--goal LeftHand=0.3,1.2,0.4 --goal RightHand=9,9,9 --json --plot ";
    const std::string first = ik(kRig, options + "a.svg");
    EXPECT_EQ(ik(kRig, options + "b.svg"), first);
    EXPECT_EQ(readText(scratchFolder() + "/a.svg"), readText(scratchFolder() + "/b.svg"));
    EXPECT_EQ(shell("rsvg-convert a.svg -o a.png").exit_code, 0);
}

TEST(IkCli, HelpCompletionAndManPageKnowTheVerb) {
    EXPECT_TRUE(contains(shell("$ULNA ik --help").out, "Examples:"));
    EXPECT_TRUE(contains(shell("$ULNA completion bash").out, "projected-gradient"));
    EXPECT_TRUE(contains(shell("$ULNA man").out, "free\\-root"));
    EXPECT_EQ(shell("$ULNA man > ulna.1 && mandoc -T lint -W error ulna.1").exit_code, 0);
    EXPECT_EQ(shell("$ULNA completion zsh > _ulna && zsh -n _ulna").exit_code, 0);
}

TEST(IkRanges, AGoalHoldsInItsRangeAndTheClipIsItselfOutside) {
    // A human body takes natural poses, which begin and end with the range as well.
    const std::string clip = "$ASSETS/ulna-wave.bvh";
    ik(clip, "--all --goal RightHand=-0.3,1.2,0.4@1.2..1.8~0.2 --out ik_range.bvh --quiet");
    const Fk before(clip, "--all"), after("ik_range.bvh", "--all");
    ASSERT_EQ(after.frames(), before.frames());
    const Vec3 target{-0.3, 1.2, 0.4};
    double roughest = 0.0;
    const auto change = [&](std::size_t f) {
        return after.at("RightHand", f) - before.at("RightHand", f);
    };
    for (std::size_t f = 0; f < after.frames(); ++f) {
        const double t = static_cast<double>(f) / 30.0;
        for (const char* joint : {"RightHand", "LeftHand", "Head", "RightForeArm"}) {
            if (t < 1.2 + 1e-6 || t > 1.8 - 1e-6) {
                EXPECT_LT(distance(before.at(joint, f), after.at(joint, f)), 1e-9) << joint << f;
            }
        }
        if (t > 1.4 - 1e-6 && t < 1.6 + 1e-6) {
            EXPECT_LT(distance(after.at("RightHand", f), target), 1e-3) << f;
        }
        if (f > 0 && f + 1 < after.frames())
            roughest = std::max(roughest, length(change(f + 1) - change(f) * 2.0 + change(f - 1)));
    }
    // The hand goes half a metre in a fifth of a second, six frames: at once it would be 0.5.
    EXPECT_LT(roughest, 0.12);
    EXPECT_GT(distance(before.at("RightHand", 45), target), 0.3);
}

TEST(IkRanges, MayBeInFramesAndInFiles) {
    const std::string clip = "$ASSETS/ulna-wave.bvh";
    writeText(scratchFolder() + "/ranges.json",
              R"([{"kind":"position","joint":"RightHand","target":[-0.3,1.2,0.4],
                   "span":{"frames":[36,54],"ease":6},"weight":2}])");
    ik(clip, "--all --goals ranges.json --out ik_file.bvh --quiet");
    ik(clip,
       "--all --goal RightHand=-0.3,1.2,0.4@36f..54f~6f,weight=2 --out ik_frames.bvh --quiet");
    EXPECT_EQ(readText(scratchFolder() + "/ik_file.bvh"),
              readText(scratchFolder() + "/ik_frames.bvh"));
}

TEST(IkRanges, EveryOptionThatStatesAGoalTakesOne) {
    const std::string clip = "$ASSETS/ulna-wave.bvh";
    ik(clip,
       "--all --orient RightHand=0,0,0,1@1..2 --aim Head=0.5,1.5,2@1..2,weight=2 --aim "
       "LeftHand:0,0,1=0.5,1.5,2@1..2 --pole RightForeArm=-1,1,-1@1..2 --above RightHand=1.3@1..2 "
       "--distance LeftHand,RightHand=0.5@1..2,bound=at-most --pin LeftFoot@1..2 --pin "
       "RightFoot:full@1..2,weight=3 --out ik_option.bvh --quiet");
    const Fk before(clip, "--all"), after("ik_option.bvh", "--all");
    for (const char* joint : {"RightHand", "Head", "LeftFoot"}) {
        for (const std::size_t f : {0u, 29u, 30u, 60u, 61u, 90u})
            EXPECT_LT(distance(before.at(joint, f), after.at(joint, f)), 1e-9) << joint << f;
    }
    EXPECT_LT(distance(after.at("LeftHand", 45), after.at("RightHand", 45)), 0.501);
    EXPECT_GT(distance(before.at("LeftHand", 45), before.at("RightHand", 45)), 0.51);
}

TEST(IkRanges, ThatAreNoneAreRefused) {
    const auto refused = [](const std::string& options, const std::string& what) {
        const CommandResult r = shell("$ULNA ik $ASSETS/ulna-wave.bvh " + options);
        EXPECT_EQ(r.exit_code, 2) << options << r.err;
        EXPECT_NE(r.err.find(what), std::string::npos) << r.err;
        EXPECT_EQ(r.out, "");
    };
    const std::string goal = "--goal LeftHand=0.4,1.3,0.3";
    refused("--all " + goal + "@1.2..8", "is not inside the clip (the clip is from 0 to 3 s)");
    refused("--all " + goal + "@36f..99f", "(the clip is from 0 to 90 frames)");
    refused("--all " + goal + "@1.8..1.2", "ends before it begins");
    refused("--all " + goal + "@1.2..1.8~0.5", "longer than half of the range");
    refused("--all " + goal + "@36f..1.8", "has seconds and frames");
    refused("--all " + goal + "@a..b", "is no range of time such as @1.2..1.8");
    refused(goal + "@1.2..1.8", "holds over a range of time, and one pose is solved (--all");
    refused("--frame 40 " + goal + "@1.2..1.8", "one pose is solved");
}

}  // namespace
}  // namespace ulna::test
