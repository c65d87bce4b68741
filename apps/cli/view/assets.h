// SPDX-License-Identifier: Apache-2.0

// The studio's page inside the tool: the files of a folder, packed when the tool was built.
// cmake/embed.cmake writes the table.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace ulna::cli {

struct Asset {
    std::string_view path;     ///< from the page's folder, such as `studio.js`
    std::string_view content;  ///< a name for these very bytes
    const unsigned char* gzip_begin = nullptr;
    const unsigned char* gzip_end = nullptr;
    std::size_t size = 0;  ///< unpacked

    [[nodiscard]] std::string_view gzip() const {
        return {reinterpret_cast<const char*>(gzip_begin),
                static_cast<std::size_t>(gzip_end - gzip_begin)};
    }
};

[[nodiscard]] std::span<const Asset> studioAssets();

}  // namespace ulna::cli
