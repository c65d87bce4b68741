// SPDX-License-Identifier: Apache-2.0

// Arrays of numbers in NumPy's .npy files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"

namespace ulna::io {

struct NpyArray {
    std::vector<std::size_t> shape = {};
    std::vector<double> values = {};  ///< the last index varies fastest
    Warnings warnings = {};
};

/// Reads an array of little-endian floats or doubles, in C or Fortran order (format versions 1 to
/// 3). `source` is the name used in messages. Values may be NaN or infinite. Bytes behind the array
/// are left out with a warning; an array that ends early is an error.
[[nodiscard]] Result<NpyArray> readNpy(std::string_view bytes, std::string_view source);

/// An array of doubles as the bytes of a file (version 1.0).
/// @pre values.size() is the product of the shape.
[[nodiscard]] std::string writeNpy(std::span<const std::size_t> shape,
                                   std::span<const double> values);

}  // namespace ulna::io
