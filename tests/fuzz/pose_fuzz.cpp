// SPDX-License-Identifier: Apache-2.0

// Any bytes as points over time: the first byte says which kind of file the others are. They are
// refused with a sentence, or read as whole frames of finite positions.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ulna/io/point_files.h"
#include "ulna/io/point_map.h"

namespace {

using namespace ulna;

void require(bool condition) {
    if (!condition) std::abort();
}

void check(const PointClip& clip, std::size_t size) {
    require(clip.point_count > 0 && clip.frameCount() > 0);
    require(clip.positions.size() == clip.frameCount() * clip.point_count);
    require(clip.weights.size() == clip.positions.size());
    require(clip.positions.size() <= size);
    require(clip.names.empty() || clip.names.size() == clip.point_count);
    require(std::isfinite(clip.frame_time) && clip.frame_time > 0.0);
    for (std::size_t i = 0; i < clip.positions.size(); ++i) {
        require(isFinite(clip.positions[i]));
        require(clip.weights[i] >= 0.0 && clip.weights[i] <= 1.0);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const unsigned kind = data[0] % 5U;
    if (kind == 4) {
        const Result<io::PointMap> map = io::readPointMap(bytes, "fuzz.points.json");
        require(map.ok() ? !map->entries.empty() : !describe(map.error()).empty());
        return 0;
    }
    const Result<io::PointFile> file =
        io::readPoints(bytes, static_cast<io::PointFormat>(kind), "fuzz");
    if (file.ok())
        check(file->clip, size);
    else
        require(!describe(file.error()).empty());
    return 0;
}
