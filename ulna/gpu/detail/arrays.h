// SPDX-License-Identifier: Apache-2.0

// What is asked of users' arrays.
#pragma once

#include <cstdint>
#include <string>

#include "ulna/core/result.h"

namespace ulna::gpu::detail {

/// An error where an array of the host has another size.
[[nodiscard]] inline Status checkSize(std::size_t size, const char* name, std::size_t expected) {
    if (size == expected) return Done{};
    return Diagnostic{.what = std::string("the array '") + name + "' has another size than the " +
                              "poses need: " + std::to_string(size) + " values, not " +
                              std::to_string(expected)};
}

/// An error where an array of the device is null, though it has values, or not aligned.
[[nodiscard]] inline Status checkAddress(const void* address, const char* name,
                                         std::size_t alignment, std::size_t values) {
    if (values == 0) return Done{};
    if (address == nullptr)
        return Diagnostic{.what = std::string("the array '") + name + "' is missing"};
    if (reinterpret_cast<std::uintptr_t>(address) % alignment != 0)
        return Diagnostic{.what = std::string("the array '") + name + "' is not at a multiple of " +
                                  std::to_string(alignment) + " bytes"};
    return Done{};
}

/// An error of the driver with another way to do the same.
[[nodiscard]] inline Diagnostic withFallback(Diagnostic error, const char* advice) {
    error.advice = advice;
    return error;
}

}  // namespace ulna::gpu::detail
