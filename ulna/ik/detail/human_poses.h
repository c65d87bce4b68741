// SPDX-License-Identifier: Apache-2.0

// The prior of human poses that the library brings along: assets/human.poses, compiled in.
#pragma once

#include <cstddef>
#include <span>

namespace ulna::ik::detail {

[[nodiscard]] std::span<const std::byte> humanPoses();

}  // namespace ulna::ik::detail
