// SPDX-License-Identifier: Apache-2.0

// Base64 (RFC 4648), as data URIs carry it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ulna::io::detail {

/// The bytes that a text stands for, padded or not; nothing when it is no base64.
[[nodiscard]] std::optional<std::string> decodeBase64(std::string_view text);

/// Encodes bytes that come in pieces.
class Base64Encoder {
  public:
    /// Appends to `out` what is complete; up to two bytes are kept for later.
    void add(std::string_view bytes, std::string& out);
    /// Appends the rest, padded.
    void finish(std::string& out);

  private:
    unsigned bits_ = 0;
    unsigned held_ = 0;  // bytes in bits_
};

}  // namespace ulna::io::detail
