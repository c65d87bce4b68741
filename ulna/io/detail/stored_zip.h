// SPDX-License-Identifier: Apache-2.0

// A ZIP archive whose files are stored as they are, without compression: what .npz files are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "ulna/core/result.h"

namespace ulna::io::detail {

/// Writes to a sink, file by file. All dates are the first that ZIP has, so that the same files
/// give the same bytes.
class StoredZip {
  public:
    explicit StoredZip(const std::function<bool(std::string_view)>& sink) : sink_(sink) {}

    void add(std::string_view name, std::string_view bytes);
    /// Writes the directory. An error where the archive is over 4 GiB.
    [[nodiscard]] Status finish();

  private:
    void write(std::string_view bytes);

    const std::function<bool(std::string_view)>& sink_;
    std::string directory_;
    std::uint64_t written_ = 0;
    std::uint16_t count_ = 0;
    bool stopped_ = false;
};

/// The checksum of ZIP and PNG (CRC-32, polynomial 0x04C11DB7 reflected).
[[nodiscard]] std::uint32_t crc32Of(std::string_view bytes);

}  // namespace ulna::io::detail
