// SPDX-License-Identifier: Apache-2.0

// Point caches in PC2 files: the places of the same vertices at many moments, as simulations and
// modelling programs bake them. A cache has no faces and no times, only frame numbers.
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
    double step = 1.0;   ///< frames from sample to sample
};

/// The samples of a cache, read one at a time: a long cache takes no memory of its own.
class PointCache {
  public:
    [[nodiscard]] const PointCacheHeader& header() const { return header_; }
    [[nodiscard]] const Warnings& warnings() const { return warnings_; }

    /// The points of a sample as they stand, also those that are not numbers: some programs mark
    /// what is missing so. @pre sample < header().sample_count
    void getSample(std::size_t sample, std::vector<Vec3f>& points) const;

  private:
    friend Result<PointCache> readPointCache(FileBytes bytes, std::string_view source);

    PointCacheHeader header_;
    Warnings warnings_;
    FileBytes bytes_;
};

/// Takes the bytes of a PC2 file. `source` is the name used in messages. A cache that ends early
/// keeps its whole samples, with a warning; one with none is an error, as are counts that make no
/// sense. A step that is no positive number becomes 1, with a warning.
[[nodiscard]] Result<PointCache> readPointCache(FileBytes bytes, std::string_view source);
/// Maps a file; `-` is standard input.
[[nodiscard]] Result<PointCache> loadPointCache(const std::string& path);

/// Writes a cache sample by sample, whole or not at all.
class PointCacheWriter {
  public:
    /// @pre header counts what will be added.
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
