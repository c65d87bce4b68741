// SPDX-License-Identifier: Apache-2.0

// The reader of each format: one function that makes a Character of bytes.
#pragma once

#include "ulna/character/open.h"

namespace ulna::character::detail {

/// Makes a Character of bytes: all but its path and format, and without the checks that are the
/// same for all formats. Null for a format that is only written.
using Reader = Result<Character> (*)(std::string_view bytes, std::string_view name,
                                     const OpenOptions& options);
[[nodiscard]] Reader readerOf(FileFormat format);

/// A BVH file that is already in memory: a long one is handed back to the system as it is read.
[[nodiscard]] Result<Character> fromBvh(Result<io::BvhFile> file, const OpenOptions& options);
[[nodiscard]] io::BvhReadOptions bvhReading(const OpenOptions& options);

}  // namespace ulna::character::detail
