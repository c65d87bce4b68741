// SPDX-License-Identifier: Apache-2.0

// The version of the library, from the VERSION file.
#pragma once

namespace ulna {

/// Such as "0.1.0".
[[nodiscard]] const char* version();

}  // namespace ulna
