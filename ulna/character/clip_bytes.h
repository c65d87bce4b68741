// SPDX-License-Identifier: Apache-2.0

// A clip as bytes, to the bit: what a program keeps of a clip, or hands to another thread.
//
// These bytes are no file format: other programs do not read them, and they are only for the
// skeleton that the clip is of. Files that last are those of character/save.h.
#pragma once

#include <string>
#include <string_view>

#include "ulna/character/clip.h"
#include "ulna/core/result.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna {

[[nodiscard]] std::string clipBytes(const Clip& clip);

/// The same clip again. The error says that the bytes are not those of a clip of this skeleton:
/// they are cut off, name a joint that it does not have, or hold values that are not finite.
[[nodiscard]] Result<Clip> clipOfBytes(const Skeleton& skeleton, std::string_view bytes);

}  // namespace ulna
