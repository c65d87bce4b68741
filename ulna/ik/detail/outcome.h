// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ulna::ik::detail {

/// How one run of an iteration ended.
enum class Outcome : std::uint8_t { Reached, Stationary, Stalled, MaxIterations, Stopped };

}  // namespace ulna::ik::detail
