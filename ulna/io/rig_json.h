// SPDX-License-Identifier: Apache-2.0

// Rig files (`*.rig.json`): skeletons with joint kinds, limits, rest rotations and radii, which
// neither BVH nor glTF can hold, and clips with a coordinate per degree of freedom.
//
// The format is described in docs/rig-format.md and docs/rig.schema.json. Angles are in degrees.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::io {

struct RigFile {
    std::string name;  ///< of the rig; may be empty
    Skeleton skeleton;
    std::vector<DofClip> clips;
};

/// Reads a rig. Errors have the JSON path, or line and column if the text is not JSON. Unknown keys
/// are errors, so that a misspelt limit is not taken as missing.
[[nodiscard]] Result<RigFile> readRig(std::string_view text, std::string_view source);
[[nodiscard]] Result<RigFile> loadRig(const std::string& path);

/// The text of a rig file. It reads back as the same rig; angles may differ in the last two bits.
[[nodiscard]] std::string writeRig(const RigFile& rig);
[[nodiscard]] Status saveRig(const RigFile& rig, const std::string& path);

}  // namespace ulna::io
