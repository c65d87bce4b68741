// SPDX-License-Identifier: Apache-2.0

// What lies outside a glTF document: the bytes of data URIs, and files beside it.
#pragma once

#include <string>
#include <string_view>

#include "ulna/core/result.h"

namespace ulna::io::detail {

[[nodiscard]] bool isDataUri(std::string_view uri);

/// The bytes of a data URI in base64; the error has no location yet.
[[nodiscard]] Result<std::string> decodeDataUri(std::string_view uri);

/// Where a file lies that a document in `folder` names, links followed: in that folder or below.
/// `what` it is, "buffer" say, is for the error, which has no location yet.
[[nodiscard]] Result<std::string> findFileBeside(std::string_view what, const std::string& uri,
                                                 const std::string& folder);

}  // namespace ulna::io::detail
