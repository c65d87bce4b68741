// SPDX-License-Identifier: Apache-2.0

// What options mean that hold more than a word: numbers, lists, names of joints.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/skeleton/skeleton.h"

namespace ulna::cli {

/// The text without the spaces around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// The parts of a text, without the spaces around them; one where `at` is not in it.
[[nodiscard]] std::vector<std::string> split(std::string_view text, char at);

/// A finite number, or none.
[[nodiscard]] std::optional<double> numberOf(std::string_view text);
/// Exactly N numbers with commas between, or none.
template <std::size_t N>
[[nodiscard]] std::optional<std::array<double, N>> numbersOf(std::string_view text) {
    const std::vector<std::string> parts = split(text, ',');
    if (parts.size() != N) return std::nullopt;
    std::array<double, N> out{};
    for (std::size_t i = 0; i < N; ++i) {
        const std::optional<double> value = numberOf(parts[i]);
        if (!value) return std::nullopt;
        out[i] = *value;
    }
    return out;
}

/// A finite number, or a failure that names the option.
[[nodiscard]] double parseNumber(std::string_view text, const std::string& option);
/// The joint of that name, or a failure that names the option and suggests names.
[[nodiscard]] JointId findJoint(const Skeleton& skeleton, const std::string& name,
                                const std::string& option);

/// `NAME=VALUE` split at its last `=`; fails when there is none.
struct Assignment {
    std::string name;
    std::string value;
};
[[nodiscard]] Assignment splitAssignment(const std::string& text, const std::string& option,
                                         const char* form);

}  // namespace ulna::cli
