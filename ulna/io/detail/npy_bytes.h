// SPDX-License-Identifier: Apache-2.0

// The format NPY 1.0: a magic word, the length of the header, the header padded to 64 bytes,
// values.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ulna::io::detail {

/// @param type as NumPy names it, such as "<f8". @param data the values in C order.
[[nodiscard]] std::string npyBytes(std::string_view type, std::span<const std::size_t> shape,
                                   std::string_view data);

}  // namespace ulna::io::detail
