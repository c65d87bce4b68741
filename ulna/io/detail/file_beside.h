// SPDX-License-Identifier: Apache-2.0

// Files that another file names: opened only in its folder and below, wherever names and links
// lead.
#pragma once

#include <string>
#include <string_view>

#include "ulna/core/result.h"

namespace ulna::io::detail {

/// Whether a path is relative, and leads neither up nor elsewhere by a scheme or a drive.
[[nodiscard]] bool staysInside(std::string_view path);

/// Where a file lies that a document in `folder` names, links followed: in that folder or below.
/// `file` begins the sentence of an error, "the buffer 'x.bin' " say; the error has no location
/// yet.
[[nodiscard]] Result<std::string> findInFolder(const std::string& file, const std::string& name,
                                               const std::string& folder);

}  // namespace ulna::io::detail
