// SPDX-License-Identifier: Apache-2.0

// Files as bytes: read as a whole, written atomically.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "ulna/core/result.h"

namespace ulna::io {

/// The bytes of a file: a memory mapping if the system allows it, otherwise a copy (pipes). Threads
/// may read them at once.
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

    /// Returns the memory of a mapping before `offset` to the system. Those bytes can still be
    /// read. With it, reading a long file once takes little memory.
    void handBack(std::size_t offset) const;

  private:
    friend Result<FileBytes> readFile(const std::string& path);

    void* mapping_ = nullptr;
    std::size_t size_ = 0;
    std::string copy_;
};

/// Reads a file; `-` is standard input. The error contains the message of the system.
[[nodiscard]] Result<FileBytes> readFile(const std::string& path);

/// Writes a file completely or not at all: into a temporary file beside it, which is then renamed.
/// Without finish() an existing file is left as it was. Pipes and devices are written directly. For
/// one thread at a time.
class AtomicFile {
  public:
    [[nodiscard]] static Result<AtomicFile> create(const std::string& path);
    AtomicFile(AtomicFile&&) noexcept = default;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    /// Errors are kept and reported by finish().
    void write(std::string_view bytes);
    /// Flushes, checks that everything was written, and renames the file.
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
