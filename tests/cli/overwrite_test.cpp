// SPDX-License-Identifier: Apache-2.0

// The tool in careless hands: what it reads, and files of other kinds, stay as they are.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/bvh_texts.h"
#include "support/command.h"
#include "support/text.h"

namespace ulna::test {
namespace {

class Overwriting : public testing::Test {
  protected:
    void SetUp() override {
        writeText(path("plain.bvh"), std::string(kPlainBvh));
        writeText(path("other.bvh"), replaced(kPlainBvh, "9.5", "7.5"));
    }

    static std::string path(const std::string& name) { return scratchFolder() + "/" + name; }

    // The command fails with exit code 2 and a message, and a file keeps its bytes.
    static void expectKept(const std::string& file, const std::string& command,
                           const std::string& message) {
        const std::string before = readText(path(file));
        const CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, 2) << command << r.err;
        EXPECT_TRUE(contains(r.err, message)) << command << "\n" << r.err;
        EXPECT_EQ(readText(path(file)), before) << command;
    }
    static void expectDone(const std::string& command) {
        const CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, 0) << command << r.err;
    }
};

TEST_F(Overwriting, NoVerbWritesOverWhatItReads) {
    expectDone("$ULNA convert plain.bvh p.glb");
    expectKept("plain.bvh", "$ULNA convert plain.bvh plain.bvh --scale 2",
               "plain.bvh: this is the input file 'plain.bvh', which would be written over (choose "
               "another name; --force replaces the file)");
    expectKept("plain.bvh", "$ULNA convert ./plain.bvh $PWD/plain.bvh --scale 2", "./plain.bvh'");
    expectKept("plain.bvh", "$ULNA ik plain.bvh --goal Knee_end=1,2,3 --out plain.bvh",
               "the input file");
    expectKept("p.glb", "$ULNA key p.glb --reduce 1 --out p.glb", "the input file");
    expectDone("cp $ASSETS/ulna-character.glb body.glb");
    expectKept("body.glb", "$ULNA weights body.glb --smooth 1 --out body.glb", "the input file");
    expectKept("body.glb", "$ULNA weights plain.bvh --mesh body.glb --out body.glb",
               "the input file");
    expectKept("body.glb", "$ULNA skin body.glb --out body.glb", "the input file");
    writeText(path("goals.json"), R"({"ulna":1,"goals":[]})");
    expectKept("goals.json", "$ULNA ik plain.bvh --goals goals.json --out goals.json",
               "the input file");
}

TEST_F(Overwriting, LinksToAnInputAreTheInput) {
    expectDone("ln -s plain.bvh soft.bvh; ln plain.bvh hard.bvh");
    expectKept("plain.bvh", "$ULNA convert plain.bvh soft.bvh --scale 2",
               "soft.bvh: this is the input file 'plain.bvh'");
    expectKept("hard.bvh", "$ULNA convert plain.bvh hard.bvh --scale 2", "the input file");
    expectKept("plain.bvh", "$ULNA convert soft.bvh plain.bvh --scale 2", "the input file");
}

TEST_F(Overwriting, AShellsPatternReplacesNoFile) {
    expectKept("plain.bvh", "$ULNA convert *.bvh",
               "plain.bvh: there is a file already, of the same format as 'other.bvh'");
    expectDone("$ULNA convert *.bvh --force");
    EXPECT_TRUE(contains(readText(path("plain.bvh")), "7.5"));
}

TEST_F(Overwriting, FilesOfAnotherKindStay) {
    writeText(path("notes.svg"), "dear diary");
    writeText(path("notes.txt"), "dear diary");
    writeText(path("package.json"), R"({"name":"page"})");
    writeText(path("table.csv"), "name,price\nnail,1\n");
    writeText(path("names.robot.csv"), "name,price,a,b,c,d,e,f\nnail,1,2,3,4,5,6,7\n");
    writeText(path("other.npz"), "PK\x03\x04 an archive of photographs");
    writeText(path("photo.png"), "GIF89a");
    writeText(path("program.obj"),
              "\x7f"
              "ELF");
    const char* const kKind = "there is a file already";
    expectKept("notes.svg", "$ULNA draw plain.bvh --out notes.svg", "it is not an SVG picture");
    expectKept("notes.txt", "$ULNA draw plain.bvh --out notes.txt", kKind);
    expectKept("package.json", "$ULNA ik plain.bvh --goal Knee_end=1,2,3 --out package.json",
               kKind);
    expectKept("table.csv", "$ULNA convert plain.bvh table.csv", kKind);
    expectKept("names.robot.csv", "$ULNA convert plain.bvh names.robot.csv", kKind);
    expectKept("other.npz", "$ULNA convert plain.bvh other.npz", kKind);
    expectKept("program.obj", "$ULNA convert $ASSETS/ulna-character.glb program.obj", kKind);
    expectKept("photo.png", "$ULNA weights $ASSETS/ulna-character.glb --picture photo.png", kKind);
    expectDone("$ULNA draw plain.bvh --out notes.svg --force");
    EXPECT_TRUE(contains(readText(path("notes.svg")), "<svg"));
}

TEST_F(Overwriting, ACommandCanBeRepeated) {
    for (const char* name :
         {"x.glb", "x.gltf", "x.rig.json", "x.keys.json", "x.csv", "x.robot.csv", "x.npz"})
        for (int i = 0; i < 2; ++i) expectDone(std::string("$ULNA convert plain.bvh ") + name);
    for (int i = 0; i < 2; ++i) {
        expectDone("$ULNA draw plain.bvh --out x.svg");
        expectDone("$ULNA ik plain.bvh --goal Knee_end=1,2,3 --out x.json");
        expectDone("$ULNA ik plain.bvh --goal Knee_end=1,2,3 --out reached.bvh");
        expectDone("$ULNA convert $ASSETS/ulna-character.glb x.obj --quiet");
        expectDone("$ULNA convert $ASSETS/ulna-character.glb x.ply --quiet");
        expectDone("$ULNA skin $ASSETS/ulna-character.glb --frames 0,1,1 --out s-##.obj --quiet");
        expectDone("$ULNA skin $ASSETS/ulna-character.glb --frames 0,1 --out s.pc2 --quiet");
        expectDone("$ULNA draw $ASSETS/ulna-character.glb --height 100 --out x.png --quiet");
    }
    expectDone("touch empty.glb && $ULNA convert plain.bvh empty.glb");
    expectDone("$ULNA convert plain.bvh /dev/null 2>/dev/null; $ULNA draw plain.bvh -o /dev/null");
}

TEST_F(Overwriting, NamesMadeFromAPatternAreCheckedToo) {
    expectDone("cp $ASSETS/ulna-character.glb b.glb; $ULNA skin b.glb --out f-01.obj --quiet");
    expectDone("ln f-01.obj input.obj");
    expectKept("f-01.obj",
               "$ULNA skin $ASSETS/ulna-character.bvh --mesh input.obj --frames 0,1 --out f-##.obj",
               "f-01.obj: this is the input file 'input.obj'");
    EXPECT_FALSE(std::filesystem::exists(path("f-00.obj")));
}

TEST_F(Overwriting, TwoOutputsAreTwoFiles) {
    const CommandResult r =
        shell("$ULNA ik plain.bvh --goal Knee_end=1,2,3 --out a.json --plot ./a.json --force");
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_TRUE(contains(r.err, "another output too")) << r.err;
    EXPECT_FALSE(std::filesystem::exists(path("a.json")));
}

TEST_F(Overwriting, PartsOfAGltfAreInputs) {
    writeText(
        path("body.gltf"),
        R"({"asset":{"version":"2.0"},"buffers":[{"uri":"skin.png","byteLength":4}],"nodes":[{"name":"a"}]})");
    expectDone("$ULNA draw $ASSETS/ulna-character.glb --height 100 --out skin.png --quiet");
    expectKept("skin.png", "$ULNA draw body.gltf --out skin.png",
               "skin.png: this is a part of the input 'body.gltf'");
}

}  // namespace
}  // namespace ulna::test
