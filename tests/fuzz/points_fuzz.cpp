// SPDX-License-Identifier: Apache-2.0

// Any bytes as a point cache: must be refused with a sentence, or read, and what is written of it
// has the same samples.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "memory_file.h"
#include "ulna/io/point_cache.h"

namespace {

using namespace ulna;

void require(bool condition) {
    if (!condition) std::abort();
}

bool sameBytes(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

void writeAndRead(const io::PointCache& cache, const std::string& path) {
    Result<io::PointCacheWriter> writer = io::PointCacheWriter::create(path, cache.header());
    require(writer.ok());
    std::vector<Vec3f> points, again;
    for (std::size_t i = 0; i < cache.header().sample_count; ++i) {
        cache.getSample(i, points);
        writer->add(points);
    }
    require(writer->finish().ok());
    const Result<io::PointCache> copy = io::loadPointCache(path);
    require(copy.ok() && copy->warnings().empty());
    require(copy->header().sample_count == cache.header().sample_count);
    for (std::size_t i = 0; i < cache.header().sample_count; ++i) {
        cache.getSample(i, points);
        copy->getSample(i, again);
        require(sameBytes(points, again));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const Result<io::PointCache> cache = io::readPointCache(io::FileBytes(bytes), "fuzz.pc2");
    if (!cache) {
        require(!describe(cache.error()).empty());
        return 0;
    }
    const io::PointCacheHeader& header = cache->header();
    require(header.sample_count > 0 && header.point_count > 0);
    require(header.sample_count * header.point_count * 12 <= size);
    require(std::isfinite(header.start) && header.step > 0.0);
    writeAndRead(*cache, test::MemoryFile().path());
    return 0;
}
