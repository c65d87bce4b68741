// SPDX-License-Identifier: Apache-2.0

// The direction from which pictures show a model.
#pragma once

#include <cstdint>

namespace ulna::draw {

enum class View : std::uint8_t { Front, Side, ThreeQuarter };

}  // namespace ulna::draw
