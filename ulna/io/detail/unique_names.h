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

/// `base + suffix`, the base cut so that the whole is no longer than a name may be.
inline std::string suffixed(std::string_view base, const std::string& suffix) {
    std::size_t size = std::min(base.size(), kLongestName - suffix.size());
    // Never inside a UTF-8 character.
    while (size < base.size() && size > 0 &&
           (static_cast<unsigned char>(base[size]) & 0xC0U) == 0x80U)
        --size;
    return std::string(base.substr(0, size)) + suffix;
}

/// Names as they will be. Counting on from the last suffix keeps the time linear however many share
/// a name.
class UniqueNames {
  public:
    /// `name` itself, or with the first free suffix: `Knee`, `Knee#2`, ...
    std::string take(const std::string& name) {
        if (taken_.insert(name).second) return name;
        std::size_t& number = next_.try_emplace(name, 2).first->second;
        for (;;) {
            std::string candidate = suffixed(name, '#' + std::to_string(number++));
            if (taken_.insert(candidate).second) return candidate;
        }
    }

  private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::size_t> next_;
};

}  // namespace ulna::io::detail
