// SPDX-License-Identifier: Apache-2.0

// Body maps as JSON (`*.map.json`): which joint of a skeleton is which part of a body, for bodies
// whose names and shape say too little or something wrong.
//
// Reading has two steps, as for goals: readBodyMap parses text to entries that name their joints;
// bindBodyMap finds the joints in a skeleton. The format is described in docs/roles.md and
// docs/map.schema.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/skeleton/body_roles.h"

namespace ulna::io {

/// One role with its joints as names.
struct BodyMapEntry {
    std::string role = {};                 ///< one of bodyRoleNames()
    std::vector<std::string> joints = {};  ///< none: the body has no such part
    Location location = {};                ///< in the file, for messages
};

struct BodyMapFile {
    std::vector<BodyMapEntry> entries = {};
    std::optional<BodyKind> kind = {};
};

/// Reads a map. Errors have the JSON path; unknown keys are errors, so that a misspelt role is not
/// taken as missing.
[[nodiscard]] Result<BodyMapFile> readBodyMap(std::string_view text, std::string_view source);
[[nodiscard]] Result<BodyMapFile> loadBodyMap(const std::string& path);

/// Finds the joints of the entries. The error names a joint that does not exist, with similar
/// names, or one that has two roles, and its location. (The chest is a joint of the spine too,
/// hands and feet may be of a wrist and an ankle.)
[[nodiscard]] Result<BodyMap> bindBodyMap(const BodyMapFile& file, const Skeleton& skeleton);

/// The text of a map, with a line per role. It reads back as the same map.
/// @pre the map's roles are known and its joints are of this skeleton.
[[nodiscard]] std::string writeBodyMap(const BodyMap& map, const Skeleton& skeleton);

}  // namespace ulna::io
