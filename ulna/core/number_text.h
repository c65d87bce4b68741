// SPDX-License-Identifier: Apache-2.0

// Numbers for people: rounded, and without digits that say nothing. What programs read is written
// in full elsewhere.
#pragma once

#include <string>

namespace ulna {

/// The shortest text of a number rounded to so many significant digits: without zeros at the end of
/// its decimals and at the start of its exponent, and without a sign of zero. `1.5`, `2e-7`, `0`.
/// @pre digits > 0
[[nodiscard]] std::string shortNumber(double value, int digits = 6);

/// The same rounded to so many decimals, for columns and for values whose noise is absolute:
/// coordinates, weights, shares. @pre decimals >= 0
[[nodiscard]] std::string shortDecimals(double value, int decimals);

}  // namespace ulna
