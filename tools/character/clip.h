// SPDX-License-Identifier: Apache-2.0

// From the poses a generator makes to a clip of the bundled character.
//
// Numbers are rounded so that the files are the same from every compiler.
#pragma once

#include <span>
#include <string>

#include "ulna/motion/dof_clip.h"

namespace ulna::maker {

inline constexpr double kFrameTime = 1.0 / 30.0;

/// The nearest multiple of `step`, as short as it can be written.
double rounded(double value, double step);

/// Says what went wrong and ends the program: a character that is not right is not written.
[[noreturn]] void fail(const std::string& what);

/// One frame per pose. Fails where the body cannot hold one of them inside its limits.
DofClip makeClip(const Skeleton& skeleton, const std::string& name, std::span<const Pose> poses);

}  // namespace ulna::maker
