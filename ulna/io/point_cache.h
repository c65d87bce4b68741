// SPDX-License-Identifier: Apache-2.0

// Point caches in PC2 files: the positions of the same vertices in many frames, as simulations and
// modelling programs export them. A cache has no faces and no times, only frame numbers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/io/file.h"
#include "ulna/math/vec.h"

namespace ulna::io {

struct PointCacheHeader {
    std::size_t point_count = 0;
    std::size_t sample_count = 0;
    double start = 0.0;  ///< the frame of the first sample
    double step = 1.0;   ///< frames between samples
};

/// The samples of a cache, read one at a time, so that a long cache takes little memory. Never
/// changes: threads may read samples at once.
class PointCache {
  public:
    [[nodiscard]] const PointCacheHeader& header() const { return header_; }
    [[nodiscard]] const Warnings& warnings() const { return warnings_; }

    /// The points of a sample, unchecked. Points may be NaN: some programs mark missing points so.
    /// @pre sample < header().sample_count
    void getSample(std::size_t sample, std::vector<Vec3f>& points) const;

  private:
    friend Result<PointCache> readPointCache(FileBytes bytes, std::string_view source);

    PointCacheHeader header_;
    Warnings warnings_;
    FileBytes bytes_;
};

/// Reads the bytes of a PC2 file. `source` is the name used in messages. A cache that ends early
/// keeps its complete samples, with a warning. It is an error if there is no complete sample, or if
/// the counts are not positive. A step that is not positive becomes 1, with a warning.
[[nodiscard]] Result<PointCache> readPointCache(FileBytes bytes, std::string_view source);
/// Maps a file; `-` is standard input.
[[nodiscard]] Result<PointCache> loadPointCache(const std::string& path);

/// Writes a cache sample by sample. Without finish() an existing file is left as it was. For one
/// thread at a time.
class PointCacheWriter {
  public:
    /// @pre header has the number of samples and points that will be added.
    [[nodiscard]] static Result<PointCacheWriter> create(const std::string& path,
                                                         const PointCacheHeader& header);
    /// @pre points has header.point_count points.
    void add(std::span<const Vec3f> points);
    /// @pre header.sample_count samples were added.
    [[nodiscard]] Status finish();

  private:
    PointCacheWriter(AtomicFile file, const PointCacheHeader& header);

    AtomicFile file_;
    PointCacheHeader header_;
    std::size_t added_ = 0;
};

}  // namespace ulna::io
