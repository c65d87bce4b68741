// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "apps/cli/command.h"
#include "ulna/core/text.h"
#include "ulna/io/bounds.h"

namespace ulna::cli {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> out;
    for (;;) {
        const std::size_t end = text.find(at);
        out.emplace_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return out;
        text.remove_prefix(end + 1);
    }
}

std::optional<double> numberOf(std::string_view text) {
    text = trimmed(text);
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (!(std::abs(value) <= io::kLargestNumber)) return std::nullopt;
    return value;
}

double parseNumber(std::string_view text, const std::string& option) {
    const std::optional<double> value = numberOf(text);
    if (!value) failUsage(fmt::format("{} '{}': a finite number was expected", option, text));
    return *value;
}

JointId findJoint(const Skeleton& skeleton, const std::string& name, const std::string& option) {
    const JointId joint = skeleton.find(name);
    if (joint == JointId::None) {
        failUsage(fmt::format("{}: there is no joint '{}'", option, excerpt(name)),
                  suggestNames(name, skeleton.names()));
    }
    return joint;
}

Assignment splitAssignment(const std::string& text, const std::string& option, const char* form) {
    const std::size_t at = text.rfind('=');
    if (at == std::string::npos || at == 0) {
        failUsage(fmt::format("{} '{}': there is no joint and '='", option, text),
                  fmt::format("write {} {}", option, form));
    }
    return {std::string(trimmed(std::string_view(text).substr(0, at))), text.substr(at + 1)};
}

}  // namespace ulna::cli
