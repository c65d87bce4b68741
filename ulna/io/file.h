// SPDX-License-Identifier: Apache-2.0

// Files as bytes: read as a whole, written atomically.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "ulna/core/result.h"

namespace ulna::io {

/// Files up to this size are copied, so that nothing that happens to a file later matters.
inline constexpr std::size_t kLargestCopy = std::size_t{64} << 20U;
/// The most that is read from pipes and devices, which may have no end.
inline constexpr std::size_t kLongestStream = std::size_t{1} << 30U;

/// The bytes of a file: a copy, or a memory mapping of a file larger than kLargestCopy if the
/// system allows it. Whoever shortens a mapped file while it is read ends this program with SIGBUS:
/// the system has no other answer. Threads may read the bytes at once.
class FileBytes {
  public:
    FileBytes() = default;
    explicit FileBytes(std::string copy) : copy_(std::move(copy)) {}
    FileBytes(FileBytes&& other) noexcept { *this = std::move(other); }
    FileBytes& operator=(FileBytes&& other) noexcept;
    ~FileBytes();

    [[nodiscard]] std::string_view view() const {
        return mapping_ == nullptr ? std::string_view(copy_)
                                   : std::string_view(static_cast<const char*>(mapping_), used_);
    }

    /// Returns the memory of a mapping before `offset` to the system. Those bytes can still be
    /// read. With it, reading a long file once takes little memory.
    void handBack(std::size_t offset) const;

  private:
    friend Result<FileBytes> readFile(const std::string& path);

    void* mapping_ = nullptr;  // of the file, or memory with its copy
    std::size_t size_ = 0;     // of that
    std::size_t used_ = 0;     // of its bytes; fewer where a file was shortened meanwhile
    bool of_file_ = false;
    std::string copy_;
};

/// Reads a file; `-` is standard input. The error contains the message of the system. A pipe or
/// device that has over kLongestStream bytes, or more than memory holds, is an error too.
[[nodiscard]] Result<FileBytes> readFile(const std::string& path);

/// Writes a file completely or not at all. Without finish() an existing file is left as it was. For
/// one thread at a time.
///
/// The bytes go into a file without a name, which leaves nothing behind however the program ends;
/// finish() waits until they are on the disk, and then gives them the name. Where a file system has
/// no such files, they go into `.ulna-*.part` in the same folder, which is removed unless the
/// program is killed. Pipes and devices are written directly, hence partly where writing fails.
class AtomicFile {
  public:
    [[nodiscard]] static Result<AtomicFile> create(const std::string& path);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    /// Errors are kept and reported by finish().
    void write(std::string_view bytes);
    /// Flushes, checks that everything was written and is on the disk, and names the file.
    [[nodiscard]] Status finish();

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    /// Where bytes go until finish(): to their destination, a file without a name, or one with.
    enum class Way : unsigned char { Direct, Unnamed, Named };

    AtomicFile() = default;
    [[nodiscard]] int open();      // a descriptor, or -1 with errno
    [[nodiscard]] int takeName();  // 0, or -1 with errno

    std::unique_ptr<std::FILE, Close> file_;
    std::string path_;
    Way way_ = Way::Direct;
    std::string temporary_;  // the name of a Named file
    int error_ = 0;          // errno of the first failed write
};

/// Writes the bytes through an AtomicFile.
[[nodiscard]] Status writeFile(const std::string& path, std::string_view bytes);

}  // namespace ulna::io
