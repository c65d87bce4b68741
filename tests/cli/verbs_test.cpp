// SPDX-License-Identifier: Apache-2.0

// What holds for every verb of the tool: it is in help, completion and manual, its JSON is read
// back by another library whatever names a file has, and options without a meaning are refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "support/bvh_texts.h"
#include "support/command.h"
#include "support/paths.h"
#include "support/text.h"

namespace ulna::test {
namespace {

using nlohmann::json;

// A joint and a file whose names need escapes in JSON.
const std::string kJoint = R"(Kn"ee\ä)";
const std::string kFile = R"(odd "name" ä.bvh)";

class EveryVerb : public testing::Test {
  protected:
    void SetUp() override {
        writeText(scratchFolder() + "/" + kFile, replaced(kPlainBvh, "Knee", kJoint));
        writeText(scratchFolder() + "/plain.bvh", std::string(kPlainBvh));
        writeText(scratchFolder() + "/skin.gltf",
                  readText(sharedData("gltf/SimpleSkin/glTF-Embedded/SimpleSkin.gltf")));
        writeText(scratchFolder() + "/flat.rig.json", R"({"ulna":1,"planar":true,"joints":[
            {"name":"a","parent":null,"kind":"hinge"},
            {"name":"b","parent":"a","offset":[1,0,0],"kind":"hinge"}]})");
    }

    // The document that a command prints.
    static json documentOf(const std::string& command) {
        const CommandResult r = shell(command + " --json");
        EXPECT_EQ(r.exit_code, 0) << command << '\n' << r.err;
        EXPECT_EQ(r.out.substr(0, 9), "{\"ulna\":1") << command;
        EXPECT_TRUE(!r.out.empty() && r.out.back() == '\n') << command;
        const json out = json::parse(r.out, nullptr, false);
        EXPECT_FALSE(out.is_discarded()) << command << '\n' << r.out;
        return out;
    }
};

std::vector<std::string> firstWords(const std::string& text, const std::string& after) {
    std::vector<std::string> out;
    std::istringstream lines(text.substr(text.find(after) + after.size()));
    std::string line, word;
    std::getline(lines, line);
    while (std::getline(lines, line) && std::istringstream(line) >> word) out.push_back(word);
    return out;
}

TEST_F(EveryVerb, IsInHelpCompletionAndManualInOneOrder) {
    const std::vector<std::string> verbs = firstWords(shell("$ULNA --help").out, "Subcommands:");
    ASSERT_GE(verbs.size(), 14U);
    std::string words, sections;
    for (const std::string& verb : verbs) {
        words += verb + " ";
        sections += ".SS " + verb + "\n";
        const CommandResult help = shell("$ULNA " + verb + " --help");
        EXPECT_EQ(help.exit_code, 0) << verb;
        EXPECT_TRUE(contains(help.out, "Examples:\n  ")) << verb;
        EXPECT_TRUE(contains(help.out, "--json")) << verb;
    }
    EXPECT_TRUE(contains(shell("$ULNA completion bash").out, "'" + words + "--help"));
    EXPECT_EQ(shell("$ULNA man | grep '^.SS '").out, sections);
    const std::string zsh = shell("$ULNA completion zsh").out;
    for (const std::string& verb : verbs) EXPECT_TRUE(contains(zsh, "        '" + verb + ":"));
}

TEST_F(EveryVerb, PrintsJsonThatIsReadBackWhateverTheNames) {
    const std::string file = "'" + kFile + "'";
    const json info = documentOf("$ULNA info " + file);
    EXPECT_EQ(info["file"], kFile);
    EXPECT_EQ(info["joints"][1]["name"], kJoint);
    EXPECT_EQ(documentOf("$ULNA fk " + file)["joints"][1], kJoint);
    EXPECT_EQ(documentOf("$ULNA sample " + file)["joints"][1], kJoint);
    const json ik = documentOf("$ULNA ik " + file + " --goal '" + kJoint +
                               "=1,5,1' --limits none --history --method all");
    EXPECT_EQ(ik["goals"][0]["joint"], kJoint);
    EXPECT_EQ(ik["limits"]["source"], "none");
    EXPECT_GT(ik["methods"].size(), 5U);
    EXPECT_EQ(documentOf("$ULNA ik " + file + " --all --pin '" + kJoint + "'")["frames"].size(),
              2U);
    EXPECT_EQ(documentOf("$ULNA convert " + file + " 'o \"ut.glb'")["output"], "o \"ut.glb");
    const json key = documentOf("$ULNA key " + file + " --reduce 0.5");
    EXPECT_TRUE(key["output"].is_null());
    EXPECT_EQ(key["reduced"]["frames"], 2);
    EXPECT_EQ(documentOf("$ULNA diff " + file + " plain.bvh")["only_in_a"][0], kJoint);
    EXPECT_EQ(documentOf("$ULNA draw " + file + " --out o.svg")["input"], kFile);
    EXPECT_EQ(documentOf("$ULNA draw " + file + " --out o.svg --curves '" + kJoint + "'")["curves"],
              kJoint);
    const json skin = documentOf("$ULNA skin skin.gltf --frames 0,1 --out 'o-#\".obj'");
    EXPECT_EQ(skin["outputs"][1]["file"], "o-1\".obj");
    EXPECT_EQ(skin["meshes"][0]["weights"], "file");
    EXPECT_EQ(documentOf("$ULNA weights skin.gltf")["meshes"][0]["vertices"], 10);
    const json fit = documentOf("$ULNA fit skin.gltf skin.gltf --fps 2");
    EXPECT_EQ(fit["frames"].size(), fit["frames"].back()["frame"].get<std::size_t>() + 1);
}

TEST_F(EveryVerb, RefusesOptionsThatMakeNoSense) {
    struct Refused {
        const char* command;
        const char* message;
    };
    const Refused all[] = {
        {"key plain.bvh --reduce 0", "--reduce needs a length above 0"},
        {"key plain.bvh --reduce 1 --fps 9", "--fps cannot be used with --reduce"},
        {"key plain.bvh", "no output file was given"},
        {"draw plain.bvh --height 99", "--height must be 100 to 10000"},
        {"draw plain.bvh --json", "--json needs --out"},
        {"draw plain.bvh --strip 201", "--strip takes at most 200"},
        {"convert plain.bvh x.bvh --trim 1,0", "--trim needs the start and the end"},
        {"convert flat.rig.json x.rig.json --up z --from-up y", "planar skeleton"},
        {"convert plain.bvh x.txt", "the format of 'x.txt' is unknown"},
        {"convert plain.bvh -", "the output needs a name"},
        {"fk x.csv", "CSV is written, not read"},
        {"fk x.keys.json", "a file of keys has no skeleton"},
        {"fit skin.gltf skin.gltf --out x.obj", "can hold a mesh only"},
        {"fit skin.gltf plain.bvh", "is not a shape that can be fitted"},
        {"ik plain.bvh --goal Knee=1,2,3 --rest-frame 1", "--rest-frame is for --limits"},
        {"ik plain.bvh --goal Knee=1,2,3 --limits flat.rig.json", "same dimension"},
        {"view plain.csv", "has no skeleton"},
    };
    for (const Refused& each : all) {
        const CommandResult r = shell(std::string("$ULNA ") + each.command);
        EXPECT_EQ(r.exit_code, 2) << each.command << '\n' << r.err;
        EXPECT_TRUE(contains(r.err, each.message)) << each.command;
        EXPECT_EQ(r.out, "") << each.command;
    }
}

}  // namespace
}  // namespace ulna::test
