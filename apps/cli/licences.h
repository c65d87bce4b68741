// SPDX-License-Identifier: Apache-2.0

// NOTICE, which is part of the tool: the licences of what others wrote and what is in it.
#pragma once

#include <string_view>

namespace ulna::cli {

[[nodiscard]] std::string_view licences();

}  // namespace ulna::cli
