// SPDX-License-Identifier: Apache-2.0

// Files as bytes: read whole, written atomically.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "ulna/core/result.h"

namespace ulna::io {

/// The bytes of a file: a mapping where the system allows it, a copy otherwise (pipes).
class FileBytes {
  public:
    FileBytes() = default;
    explicit FileBytes(std::string copy) : copy_(std::move(copy)) {}
    FileBytes(FileBytes&& other) noexcept { *this = std::move(other); }
    FileBytes& operator=(FileBytes&& other) noexcept;
    ~FileBytes();

    [[nodiscard]] std::string_view view() const {
        return mapping_ == nullptr ? std::string_view(copy_)
                                   : std::string_view(static_cast<const char*>(mapping_), size_);
    }

    /// Hands the memory of a mapping's bytes before `offset` back to the system. They can still be
    /// read; reading a long file once then takes no memory for it.
    void handBack(std::size_t offset) const;

  private:
    friend Result<FileBytes> readFile(const std::string& path);

    void* mapping_ = nullptr;
    std::size_t size_ = 0;
    std::string copy_;
};

/// Reads a file; `-` is standard input. The error says what the system said.
[[nodiscard]] Result<FileBytes> readFile(const std::string& path);

/// A file that appears under its name whole or not at all: written beside it, then renamed.
/// Without finish() the file that was there, if any, is untouched. Pipes and devices are written
/// directly.
class AtomicFile {
  public:
    [[nodiscard]] static Result<AtomicFile> create(const std::string& path);
    AtomicFile(AtomicFile&&) noexcept = default;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    /// Errors are kept and reported by finish().
    void write(std::string_view bytes);
    /// Flushes, checks that everything arrived, and gives the file its name.
    [[nodiscard]] Status finish();

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    AtomicFile() = default;

    std::unique_ptr<std::FILE, Close> file_;
    std::string path_;
    std::string temporary_;  // empty when writing directly
    int error_ = 0;          // errno of the first failed write
};

/// Writes the bytes through an AtomicFile.
[[nodiscard]] Status writeFile(const std::string& path, std::string_view bytes);

}  // namespace ulna::io
