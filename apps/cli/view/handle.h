// SPDX-License-Identifier: Apache-2.0

// Open files and folders. A path means whatever is there when it is used, and other users may
// change that between two uses; a handle is what was opened.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ulna::cli {

/// Closes what it holds.
class Handle {
  public:
    explicit Handle(int descriptor = -1) : descriptor_(descriptor) {}
    Handle(Handle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle();

    [[nodiscard]] int get() const { return descriptor_; }
    [[nodiscard]] explicit operator bool() const { return descriptor_ >= 0; }

  private:
    int descriptor_;
};

/// A regular file that is open for reading.
struct OpenFile {
    Handle handle;
    std::size_t size = 0;  ///< when it was opened
    uid_t owner = 0;
    std::string version = {};  ///< differs where the file is another one or was written since

    /// Bytes from `offset` on into `out`, at most `count`: how many there were. 0 where the file
    /// has become shorter or cannot be read.
    [[nodiscard]] std::size_t read(std::size_t offset, char* out, std::size_t count) const;
};

/// A folder to open files in; none where it cannot be opened.
[[nodiscard]] std::optional<Handle> openFolder(const std::string& path);

/// The regular file at a relative path in a folder; none where it is missing, of another kind or
/// unreadable. No part of the path may be a symbolic link, `.`, `..` or empty.
[[nodiscard]] std::optional<OpenFile> openInFolder(const Handle& folder, std::string_view path);

/// All bytes of a file as they are now; none where it cannot be read.
[[nodiscard]] std::optional<std::string> readWhole(const OpenFile& file);

}  // namespace ulna::cli
