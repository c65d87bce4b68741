// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/point_cache.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/io/bounds.h"

namespace ulna::io {
namespace {

constexpr std::string_view kMagic("POINTCACHE2\0", 12);
constexpr std::int32_t kVersion = 1;
// Magic, version, number of points, first frame, frames per sample, number of samples.
constexpr std::size_t kHeaderBytes = 12 + 5 * 4;
static_assert(sizeof(Vec3f) == 12, "a point of a cache is a point in memory");

// The files are little-endian, as are all our machines.
template <class T>
T valueAt(std::string_view bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

template <class T>
void append(T value, std::string& out) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    out.append(raw, sizeof raw);
}

}  // namespace

void PointCache::getSample(std::size_t sample, std::vector<Vec3f>& points) const {
    ULNA_ASSERT(sample < header_.sample_count, "the cache has no such sample");
    const std::size_t size = header_.point_count * sizeof(Vec3f);
    points.resize(header_.point_count);
    std::memcpy(static_cast<void*>(points.data()),
                bytes_.view().data() + kHeaderBytes + sample * size, size);
}

Result<PointCache> readPointCache(FileBytes bytes, std::string_view source) {
    const Location location{.file = std::string(source)};
    const std::string_view view = bytes.view();
    if (!view.starts_with(kMagic))
        return Diagnostic{.what = "this is not a PC2 point cache",
                          .location = location,
                          .text = excerpt(view.substr(0, kMagic.size())),
                          .advice = "such a file begins with POINTCACHE2"};
    if (view.size() < kHeaderBytes)
        return Diagnostic{.what = "the file ends inside its header", .location = location};
    if (const auto version = valueAt<std::int32_t>(view, 12); version != kVersion)
        return Diagnostic{.what = "this version of point caches is unknown",
                          .location = location,
                          .text = std::to_string(version),
                          .advice = "only version 1 can be read"};
    const auto points = valueAt<std::int32_t>(view, 16);
    const auto samples = valueAt<std::int32_t>(view, 28);
    if (points <= 0 || samples <= 0)
        return Diagnostic{.what = "the cache states " + std::to_string(points) + " points in " +
                                  std::to_string(samples) + " samples",
                          .location = location,
                          .advice = "both must be positive"};
    PointCache out;
    out.header_ = {.point_count = static_cast<std::size_t>(points),
                   .sample_count = static_cast<std::size_t>(samples),
                   .start = static_cast<double>(valueAt<float>(view, 20)),
                   .step = static_cast<double>(valueAt<float>(view, 24))};
    const std::size_t whole =
        (view.size() - kHeaderBytes) / (out.header_.point_count * sizeof(Vec3f));
    const auto warn = [&](std::string what, std::string text) {
        out.warnings_.push_back(
            {.what = std::move(what), .location = location, .text = std::move(text)});
    };
    if (whole == 0)
        return Diagnostic{.what = "the file ends inside its first sample", .location = location};
    if (whole < out.header_.sample_count) {
        warn("the file ends early; whole samples are kept",
             std::to_string(whole) + " of " + std::to_string(samples));
        out.header_.sample_count = whole;
    }
    if (!std::isfinite(out.header_.start)) {
        warn("the first frame is not a number; it is taken as 0", {});
        out.header_.start = 0.0;
    }
    if (!(out.header_.step > 0.0 && out.header_.step <= kLongestFrameTime)) {
        warn("the number of frames per sample is not positive; it is taken as 1",
             std::to_string(out.header_.step));
        out.header_.step = 1.0;
    }
    out.bytes_ = std::move(bytes);
    return out;
}

Result<PointCache> loadPointCache(const std::string& path) {
    Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    return readPointCache(*std::move(bytes), path);
}

PointCacheWriter::PointCacheWriter(AtomicFile file, const PointCacheHeader& header)
    : file_(std::move(file)), header_(header) {}

Result<PointCacheWriter> PointCacheWriter::create(const std::string& path,
                                                  const PointCacheHeader& header) {
    constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    if (header.point_count > kMost || header.sample_count > kMost)
        return Diagnostic{.what = "a point cache has at most 2147483647 points and samples",
                          .location = {.file = path}};
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    std::string bytes(kMagic);
    append(kVersion, bytes);
    append(static_cast<std::int32_t>(header.point_count), bytes);
    append(static_cast<float>(header.start), bytes);
    append(static_cast<float>(header.step), bytes);
    append(static_cast<std::int32_t>(header.sample_count), bytes);
    file->write(bytes);
    return PointCacheWriter(std::move(*file), header);
}

void PointCacheWriter::add(std::span<const Vec3f> points) {
    ULNA_ASSERT(points.size() == header_.point_count, "a sample has every point of the cache");
    file_.write({reinterpret_cast<const char*>(points.data()), points.size_bytes()});
    ++added_;
}

Status PointCacheWriter::finish() {
    ULNA_ASSERT(added_ == header_.sample_count, "a cache has as many samples as it says");
    return file_.finish();
}

}  // namespace ulna::io
