// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/point_cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "support/command.h"
#include "support/text.h"

namespace ulna::io {
namespace {

using test::contains;

template <class T>
void put(T value, std::string& out) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    out.append(raw, sizeof raw);
}

// A cache as its format says, written apart from the writer: two points, three samples.
std::string cacheBytes(std::int32_t points = 2, std::int32_t samples = 3, float step = 0.5f,
                       std::int32_t version = 1) {
    std::string out("POINTCACHE2\0", 12);
    put(version, out);
    put(points, out);
    put(10.0f, out);
    put(step, out);
    put(samples, out);
    for (int i = 0; i < 18; ++i) put(static_cast<float>(i) * 0.25f, out);
    return out;
}

Result<PointCache> read(const std::string& bytes) {
    return readPointCache(FileBytes(bytes), "c.pc2");
}

std::string errorOf(const std::string& bytes) {
    const Result<PointCache> cache = read(bytes);
    return cache ? "" : describe(cache.error());
}

TEST(PointCache, ReadsWhatTheFormatSays) {
    const Result<PointCache> cache = read(cacheBytes());
    ASSERT_TRUE(cache.ok());
    EXPECT_EQ(cache->header().point_count, 2U);
    EXPECT_EQ(cache->header().sample_count, 3U);
    EXPECT_EQ(cache->header().start, 10.0);
    EXPECT_EQ(cache->header().step, 0.5);
    EXPECT_TRUE(cache->warnings().empty());
    std::vector<Vec3f> points;
    cache->getSample(2, points);
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0], (Vec3f{3.0f, 3.25f, 3.5f}));
    EXPECT_EQ(points[1], (Vec3f{3.75f, 4.0f, 4.25f}));
}

TEST(PointCache, IsWrittenAsTheFormatSays) {
    const std::string path = test::scratchFolder() + "/written.pc2";
    Result<PointCacheWriter> writer = PointCacheWriter::create(
        path, {.point_count = 2, .sample_count = 3, .start = 10.0, .step = 0.5});
    ASSERT_TRUE(writer.ok());
    for (int sample = 0; sample < 3; ++sample) {
        std::vector<Vec3f> points;
        for (int k = 0; k < 2; ++k) {
            const float at = static_cast<float>(6 * sample + 3 * k) * 0.25f;
            points.push_back({at, at + 0.25f, at + 0.5f});
        }
        writer->add(points);
    }
    ASSERT_TRUE(writer->finish().ok());
    EXPECT_EQ(test::readText(path), cacheBytes());
}

TEST(PointCache, KeepsWholeSamplesOfAFileThatEndsEarly) {
    std::string bytes = cacheBytes();
    bytes.resize(bytes.size() - 1);
    const Result<PointCache> cache = read(bytes);
    ASSERT_TRUE(cache.ok());
    EXPECT_EQ(cache->header().sample_count, 2U);
    ASSERT_EQ(cache->warnings().size(), 1U);
    EXPECT_TRUE(contains(describe(cache->warnings()[0]), "ends early"));
}

TEST(PointCache, TakesAStepThatMakesNoSenseAsOne) {
    for (const float step : {0.0f, -1.0f, std::nanf(""), 1e30f}) {
        const Result<PointCache> cache = read(cacheBytes(2, 3, step));
        ASSERT_TRUE(cache.ok());
        EXPECT_EQ(cache->header().step, 1.0);
        EXPECT_EQ(cache->warnings().size(), 1U);
    }
}

TEST(PointCache, RefusesWhatIsNoCache) {
    EXPECT_TRUE(contains(errorOf(""), "not a PC2 point cache"));
    EXPECT_TRUE(contains(errorOf("# an OBJ file\nv 1 2 3\n"), "not a PC2 point cache"));
    EXPECT_TRUE(contains(errorOf(cacheBytes().substr(0, 20)), "ends inside its header"));
    EXPECT_TRUE(contains(errorOf(cacheBytes().substr(0, 50)), "ends inside its first sample"));
    EXPECT_TRUE(contains(errorOf(cacheBytes(2, 3, 1.0f, 2)), "version"));
    EXPECT_TRUE(contains(errorOf(cacheBytes(0, 3)), "0 points"));
    EXPECT_TRUE(contains(errorOf(cacheBytes(2, -3)), "-3 samples"));
    EXPECT_TRUE(contains(errorOf(cacheBytes(2147483647, 2147483647)), "first sample"));
}

}  // namespace
}  // namespace ulna::io
