// SPDX-License-Identifier: Apache-2.0

// What info says of a mesh.
#pragma once

#include <string>

#include "apps/cli/json.h"
#include "ulna/skin/mesh.h"

namespace ulna::cli {

/// Lines of text: what it has, whether it is closed, and what is odd about it.
[[nodiscard]] std::string meshText(const Mesh& mesh);

/// The same as a JSON object.
void writeMesh(const Mesh& mesh, JsonWriter& json);

}  // namespace ulna::cli
