// SPDX-License-Identifier: Apache-2.0

// What the tool writes: a skeleton and its clips in any format, by the name's ending.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/cli/input.h"
#include "ulna/io/csv.h"
#include "ulna/motion/keyed_motion.h"
#include "ulna/skin/mesh.h"

namespace ulna::cli {

/// The value, or the end of the verb with exit code 1.
template <class T>
T must(Result<T> result) {
    if (!result) fail(kFailed, result.error());
    return *std::move(result);
}

/// A clip in either form; formats that hold keys take the keys where there are some.
struct OutputClip {
    Motion motion;
    std::optional<KeyedMotion> keys = {};
};

struct Output {
    Skeleton skeleton;
    std::vector<OutputClip> clips = {};
    std::vector<Mesh> meshes = {};
    io::MaterialSet material_set = {};  ///< of the meshes
    std::string rig_name = {};
};

struct SaveOptions {
    std::optional<EulerOrder> order = {};  ///< of BVH channels
    bool root_only_positions = false;      ///< in a BVH file
    io::CsvContent csv = io::CsvContent::Positions;
};

/// The meshes as one surface, vertices and triangles in their order. Attributes that not all of
/// them have are left out, and weights and materials where there are several.
[[nodiscard]] Mesh joinedMeshes(std::span<const Mesh> meshes);

/// Whether files of a format hold keys rather than frames.
[[nodiscard]] bool holdsKeys(Format format);

/// Writes a file whole or not at all, with a progress bar, or fails; what the format cannot hold is
/// in the result.
[[nodiscard]] Warnings save(const Output& output, const std::string& path,
                            const SaveOptions& options = {});

}  // namespace ulna::cli
