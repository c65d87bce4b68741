// SPDX-License-Identifier: Apache-2.0

// What the system said about a file.
#pragma once

#include <cstring>
#include <string>

#include "ulna/core/diagnostic.h"

namespace ulna::io::detail {

[[nodiscard]] inline Diagnostic systemError(const std::string& path, const char* what, int error) {
    return {.what = std::string(what) + ": " + std::strerror(error), .location = {.file = path}};
}

}  // namespace ulna::io::detail
