// SPDX-License-Identifier: Apache-2.0

// A file read row by row gives what the file held whole gives.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/bvh_texts.h"
#include "support/command.h"
#include "support/paths.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"

namespace ulna::io {
namespace {

std::string stored(const std::string& text) {
    const std::string path = test::scratchFolder() + "/stream.bvh";
    test::writeText(path, text);
    return path;
}

// Every frame both ways, in order and out of it.
void expectSame(const std::string& path, const BvhReadOptions& reading = {},
                const BvhMotionOptions& meaning = {}) {
    const Result<BvhFile> file = loadBvh(path, reading);
    ASSERT_TRUE(file) << describe(file.error());
    const Result<BvhMotion> whole = toMotion(*file, meaning);
    const Result<BvhFrames> frames = streamBvh(path, reading, meaning);
    ASSERT_TRUE(whole && frames);
    EXPECT_EQ(frames->warnings.size(), whole->warnings.size());
    const std::size_t count = whole->motion.frameCount();
    ASSERT_EQ(frames->clip.frame_count, count);
    EXPECT_EQ(frames->clip.frame_time, whole->motion.frameTime());
    const Motion again = makeMotion(frames->clip);
    for (std::size_t f = 0; f < count; ++f) {
        EXPECT_EQ(again.pose(f), whole->motion.pose(f));
        const std::size_t back = count - 1 - f;
        for (const JointId j : frames->clip.tracks.rotated)
            EXPECT_EQ(frames->clip.at(back, j), whole->motion.pose(back)[j]);
    }
}

TEST(BvhStream, GivesTheFramesOfTheWholeFile) {
    expectSame(test::sourcePath("assets/ulna-character.bvh"));
    expectSame(stored(std::string(test::kPlainBvh)));
}

TEST(BvhStream, DropsTheRowsThatAreDropped) {
    std::string text(test::kPlainBvh);
    const std::size_t row = text.find('\n', text.find("Frame Time")) + 1;
    const std::string first = text.substr(row, text.find('\n', row) - row + 1);
    std::string shorter = first.substr(0, first.find_last_of(' ')) + "\n";
    text.insert(row, shorter);
    text.replace(text.find("Frames:"), text.find('\n', text.find("Frames:")) - text.find("Frames:"),
                 "Frames: 3");
    const std::string path = stored(text);
    EXPECT_FALSE(streamBvh(path)) << "the error is found before any frame is asked for";
    expectSame(path, {.lenient = true});
}

TEST(BvhStream, TakesPositionChannelsAsTheFileDoes) {
    expectSame(stored(std::string(test::kPlainBvh)), {},
               {.position_channels = PositionChannels::Add});
}

TEST(BvhStream, GoesToTheSameGltf) {
    const std::string path = test::sourcePath("assets/ulna-run.bvh");
    const Result<BvhFrames> frames = streamBvh(path);
    const Result<BvhMotion> whole = toMotion(*loadBvh(path));
    const Result<GltfBytes> a =
        writeGltf({.skeleton = frames->skeleton, .frames = {&frames->clip, 1}});
    const Result<GltfBytes> b =
        writeGltf({.skeleton = whole->skeleton, .motions = {&whole->motion, 1}});
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(a->bytes == b->bytes);
}

TEST(BvhStream, SaysWhatIsWrongWithAFile) {
    const Result<BvhFrames> none = streamBvh(test::scratchFolder() + "/none.bvh");
    ASSERT_FALSE(none);
    EXPECT_NE(describe(none.error()).find("none.bvh"), std::string::npos);
    EXPECT_FALSE(streamBvh(stored("HIERARCHY")));
}

}  // namespace
}  // namespace ulna::io
