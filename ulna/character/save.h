// SPDX-License-Identifier: Apache-2.0

// Saving a character: a skeleton, its clips and its meshes in any format, to a path or as bytes.
//
// What a format cannot hold is left out, and a warning says so.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ulna/character/character.h"
#include "ulna/core/progress.h"
#include "ulna/io/csv.h"
#include "ulna/io/robot_motion.h"

namespace ulna {

/// What to write. Refers to values of the caller's.
struct SaveContent {
    const Skeleton& skeleton;
    std::span<const Clip> clips = {};  ///< of this skeleton
    std::span<const Mesh> meshes = {};
    const io::MaterialSet* material_set = nullptr;  ///< that the meshes' parts refer to
    std::string_view name = {};                     ///< of a rig file
    const io::RobotFile* robot = nullptr;  ///< that has this skeleton: for tables of its motion
};
/// Everything that a character holds, under the name of its rig file, if it has one.
[[nodiscard]] SaveContent contentOf(const Character& character);

struct SaveOptions {
    /// Frames per second of clips that are keys, in formats that hold frames; 0: as frameRateOf.
    double frame_rate = 0.0;
    std::optional<EulerOrder> order = {};  ///< of BVH channels; by default each joint's own
    bool root_only_positions = false;      ///< BVH position channels on the roots alone
    io::CsvContent csv = io::CsvContent::Positions;
    io::RobotCsvOptions robot_csv = {};
    /// By default binary as bytes, and what the ending says in a file.
    std::optional<io::GltfForm> gltf_form = {};
};

/// Writes a file, whole or not at all; the format is the name's. The result is what the format
/// cannot hold.
///
/// Errors: a name whose ending is unknown, nothing to write in a format that must have some, a
/// number that the format cannot hold, the system's own, and `progress` that cancelled.
[[nodiscard]] Result<Warnings> saveCharacter(const SaveContent& content, const std::string& path,
                                             const SaveOptions& options = {},
                                             const Progress& progress = {});

/// The bytes of a file, and what it cannot hold.
struct CharacterBytes {
    std::string bytes;
    Warnings warnings;
};
[[nodiscard]] Result<CharacterBytes> writeCharacter(const SaveContent& content, FileFormat format,
                                                    const SaveOptions& options = {},
                                                    const Progress& progress = {});

/// The meshes as one surface, vertices and triangles in their order. Attributes that not all of
/// them have are left out, and weights and materials where there are several.
[[nodiscard]] Mesh joinedMeshes(std::span<const Mesh> meshes);

}  // namespace ulna
