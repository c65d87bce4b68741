// SPDX-License-Identifier: Apache-2.0

// Names of joints made from names in files: each used once, none longer than names may be.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ulna/io/bounds.h"

namespace ulna::io::detail {

/// The name cut to at most `most` bytes, never inside a UTF-8 character.
inline std::string shortened(std::string_view name, std::size_t most) {
    std::size_t size = std::min(name.size(), most);
    while (size < name.size() && size > 0 &&
           (static_cast<unsigned char>(name[size]) & 0xC0U) == 0x80U)
        --size;
    return std::string(name.substr(0, size));
}

/// `base + suffix`, the base cut so that the whole is no longer than a name may be.
inline std::string suffixed(std::string_view base, const std::string& suffix) {
    return shortened(base, kLongestName - suffix.size()) + suffix;
}

/// Names as they will be. Counting on from the last suffix keeps the time linear however many share
/// a name, or the beginning that is left of long ones.
class UniqueNames {
  public:
    /// `name` itself, or with the first free suffix: `Knee`, `Knee#2`, ...
    std::string take(const std::string& name) {
        if (taken_.insert(name).second) return name;
        const std::string base = shortened(name, kLongestName - kLongestSuffix);
        std::size_t& number = next_.try_emplace(base, 2).first->second;
        for (;;) {
            std::string candidate = base + '#' + std::to_string(number++);
            if (taken_.insert(candidate).second) return candidate;
        }
    }

  private:
    static constexpr std::size_t kLongestSuffix = 11;  // four thousand million have no more digits

    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::size_t> next_;
};

}  // namespace ulna::io::detail
