// SPDX-License-Identifier: Apache-2.0

// For formats that hold one clip: which of several is written.
#pragma once

#include "ulna/character/detail/format.h"
#include "ulna/character/save.h"

namespace ulna::character::detail {

/// The one clip of a format that holds one; null where there is none.
[[nodiscard]] const Clip* onlyClip(const SaveContent& content, Warnings& warnings);
/// Its frames; none where there is no clip.
[[nodiscard]] Result<Motion> onlyMotion(const SaveJob& job, Warnings& warnings);

}  // namespace ulna::character::detail
