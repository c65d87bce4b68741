// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "support/command.h"
#include "support/text.h"

namespace ulna::io {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::readText;
using test::writeText;

std::size_t entriesIn(const std::string& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

// ---- reading

TEST(ReadFile, KeepsItsBytesWhenTheFileIsTruncated) {
    const std::string path = test::scratchFolder() + "/long.bvh";
    const std::string text(1 << 20, 'x');
    writeText(path, text);
    const Result<FileBytes> bytes = readFile(path);
    ASSERT_TRUE(bytes.ok());
    ASSERT_EQ(::truncate(path.c_str(), 0), 0);
    EXPECT_EQ(bytes->view(), text);
}

TEST(ReadFile, MapsALargeFile) {
    const std::string path = test::scratchFolder() + "/large.bin";
    writeText(path, "begin");
    ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(kLargestCopy) + 1), 0);
    const Result<FileBytes> bytes = readFile(path);
    ASSERT_TRUE(bytes.ok());
    ASSERT_EQ(bytes->view().size(), kLargestCopy + 1);
    EXPECT_EQ(bytes->view().substr(0, 5), "begin");
    EXPECT_EQ(bytes->view().back(), '\0');
}

TEST(ReadFile, OfAnEmptyFileIsEmpty) {
    const std::string path = test::scratchFolder() + "/empty";
    writeText(path, "");
    const Result<FileBytes> bytes = readFile(path);
    ASSERT_TRUE(bytes.ok());
    EXPECT_TRUE(bytes->view().empty());
}

// ---- writing

TEST(AtomicFile, WithoutFinishLeavesNothing) {
    const std::string folder = test::scratchFolder() + '/';
    writeText(folder + "old.txt", "old");
    for (const char* name : {"old.txt", "new.txt"}) {
        Result<AtomicFile> file = AtomicFile::create(folder + name);
        ASSERT_TRUE(file.ok());
        file->write("new");
    }
    EXPECT_EQ(readText(folder + "old.txt"), "old");
    EXPECT_EQ(entriesIn(folder), 1U);
}

TEST(AtomicFile, ReplacesAFileAndKeepsItsMode) {
    const std::string folder = test::scratchFolder() + '/';
    writeText(folder + "old.txt", "old");
    ASSERT_EQ(::chmod((folder + "old.txt").c_str(), 0640), 0);
    ASSERT_TRUE(writeFile(folder + "old.txt", "new").ok());
    EXPECT_EQ(readText(folder + "old.txt"), "new");
    EXPECT_EQ(entriesIn(folder), 1U);
    struct stat status {};
    ASSERT_EQ(::stat((folder + "old.txt").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(AtomicFile, MayHaveTheLongestNameThatTheSystemAllows) {
    const std::string folder = test::scratchFolder() + '/';
    const std::string path = folder + std::string(251, 'n') + ".bvh";
    ASSERT_TRUE(writeFile(path, "first").ok());
    ASSERT_TRUE(writeFile(path, "second").ok());
    EXPECT_EQ(readText(path), "second");
    EXPECT_EQ(entriesIn(folder), 1U);
    const Status too_long = writeFile(folder + std::string(256, 'n'), "x");
    ASSERT_FALSE(too_long.ok());
    EXPECT_TRUE(contains(describe(too_long.error()), "too long")) << describe(too_long.error());
    EXPECT_EQ(entriesIn(folder), 1U);
}

TEST(AtomicFile, LeavesALinkALink) {
    const std::string folder = test::scratchFolder() + '/';
    writeText(folder + "target.txt", "old");
    fs::create_symlink("target.txt", folder + "link.txt");
    ASSERT_TRUE(writeFile(folder + "link.txt", "new").ok());
    EXPECT_TRUE(fs::is_symlink(folder + "link.txt"));
    EXPECT_EQ(readText(folder + "target.txt"), "new");
}

}  // namespace
}  // namespace ulna::io
