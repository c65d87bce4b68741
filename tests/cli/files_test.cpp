// SPDX-License-Identifier: Apache-2.0

// What the tool leaves on the disk and on the terminal when files are hostile, the disk is full or
// a signal ends it.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/command.h"
#include "support/text.h"

namespace ulna {
namespace {

namespace fs = std::filesystem;
using test::CommandResult;
using test::contains;
using test::readText;
using test::scratchFolder;
using test::shell;
using test::writeText;

std::size_t entriesIn(const std::string& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

// A mesh, so that no weights have to be made, and as many frames as asked for.
const std::string kSkin = "$ULNA skin --quiet $ASSETS/ulna-character.glb ";

// ---- reading

// Little memory, so that the end of it comes soon; sanitizers need more addresses than there is
// memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr const char* kLittleMemory = "";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr const char* kLittleMemory = "";
#else
constexpr const char* kLittleMemory = "ulimit -v 400000; ";
#endif
#else
constexpr const char* kLittleMemory = "ulimit -v 400000; ";
#endif

TEST(HostileInput, WithoutEndIsAnError) {
    const CommandResult result =
        shell("ln -s /dev/zero zero.bvh; " + std::string(kLittleMemory) + "$ULNA info zero.bvh");
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_TRUE(contains(result.err, "error: zero.bvh: ")) << result.err;
}

TEST(HostileInput, CannotCommandATerminal) {
    writeText(scratchFolder() + "/clip.gltf",
              R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                 "nodes": [{"name": "a\u001b[2J\u009b\u202e"}],
                 "buffers": [{"byteLength": 32,
                   "uri": "data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AACAPwAAgD8="}],
                 "bufferViews": [{"buffer": 0, "byteLength": 32}],
                 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
                   {"bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC3"}],
                 "animations": [{"name": "c\u001b]0;x\u0007",
                   "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                   "samplers": [{"input": 0, "output": 1}]}]})");
    for (const char* command :
         {"$ULNA info clip.gltf", "$ULNA info --json clip.gltf", "$ULNA fk --all clip.gltf",
          "$ULNA fk --clip other clip.gltf", "$ULNA info $(printf 'no\033[2Jfile.bvh')"}) {
        const CommandResult result = shell(command);
        for (const std::string& said : {result.out, result.err}) {
            EXPECT_FALSE(contains(said, "\x1b")) << command;
            EXPECT_FALSE(contains(said, "\x07")) << command;
            EXPECT_FALSE(contains(said, "\xc2\x9b")) << command;
            EXPECT_FALSE(contains(said, "\xe2\x80\xae")) << command;
        }
        EXPECT_FALSE(result.out.empty() && result.err.empty()) << command;
    }
    EXPECT_TRUE(contains(shell("$ULNA info clip.gltf").out, "c\\x1b]0;x\\x07"));
    EXPECT_TRUE(contains(shell("$ULNA info --json clip.gltf").out, "c\\u001b]0;x\\u0007"));
}

// ---- writing

TEST(FullDisk, LeavesTheOldFileAsItWas) {
    // A limit on the size of files stands for the disk; ignoring its signal makes it an error.
    const CommandResult result = shell(
        "mkdir out; cp $ASSETS/ulna-run.bvh out/x.bvh; trap '' XFSZ; ulimit -f 8;"
        "$ULNA convert --quiet --force $ASSETS/ulna-wave.bvh out/x.bvh");
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_TRUE(contains(result.err, "cannot be written")) << result.err;
    EXPECT_EQ(shell("cmp $ASSETS/ulna-run.bvh out/x.bvh").exit_code, 0);
    EXPECT_EQ(entriesIn(scratchFolder() + "/out"), 1U);
}

TEST(FullDisk, LeavesNoPartOfASequence) {
    const std::string folder = scratchFolder() + "/out";
    // The third frame is one that cannot be written: a folder has its name.
    fs::create_directories(folder + "/f-02.obj");
    writeText(folder + "/f-00.obj", "old");
    const CommandResult result = shell(kSkin + "--force --frames 0,1,2 --out out/f-##.obj");
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_TRUE(contains(result.err, "f-02.obj")) << result.err;
    EXPECT_EQ(readText(folder + "/f-00.obj"), "old");
    EXPECT_EQ(entriesIn(folder), 2U);
    const CommandResult full =
        shell("trap '' XFSZ; ulimit -f 8; " + kSkin + "--frames 0,1 --out out/g-##.obj");
    EXPECT_EQ(full.exit_code, 1) << full.err;
    EXPECT_TRUE(contains(full.err, "cannot be written")) << full.err;
    EXPECT_EQ(entriesIn(folder), 2U);
}

TEST(Sequences, AreWhereTheyWereAskedFor) {
    const CommandResult result = shell("mkdir in; " + kSkin + "--frames 3,5 --out in/f-##.obj");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(fs::exists(scratchFolder() + "/in/f-03.obj"));
    EXPECT_TRUE(fs::exists(scratchFolder() + "/in/f-05.obj"));
    EXPECT_EQ(entriesIn(scratchFolder() + "/in"), 2U);
}

TEST(Signals, LeaveNothingOfAnUnfinishedSequence) {
    for (const char* signal : {"INT", "TERM", "HUP"}) {
        // Ended as soon as the first of many frames is there. A shell starts programs in the
        // background with SIGINT ignored.
        const CommandResult result =
            shell("mkdir out; env --default-signal=INT " + kSkin +
                  "--times $(seq -s, 0 0.01 4) --out out/f-####.obj & "
                  "until ls out/.ulna-*/*.obj; do kill -0 $! || break; done >/dev/null 2>&1; "
                  "kill -" +
                  std::string(signal) + " $!; wait $!; ls -A out; rmdir out");
        EXPECT_EQ(result.exit_code, 0) << signal << ": " << result.out << result.err;
    }
}

}  // namespace
}  // namespace ulna
