// SPDX-License-Identifier: Apache-2.0

// Contacts of feet as JSON: what `ulna clean` and `ulna retarget` find and write with
// --contacts-out, a person corrects, and --contacts reads back.
//
// The format is described in docs/retarget/contacts-file.md and docs/contacts.schema.json. Whether
// contacts are inside a clip is known where the clip is: checkContacts in retarget/contacts.h.
#pragma once

#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/retarget/contacts.h"

namespace ulna::io {

/// Reads contacts; they may be in any order. Errors have the JSON path: unknown keys, a side or a
/// part that is none, frames that are no whole numbers, a contact that ends before it begins, or
/// that overlaps another one of the same part of the same foot.
[[nodiscard]] Result<Contacts> readContacts(std::string_view text, std::string_view source);
[[nodiscard]] Result<Contacts> loadContacts(const std::string& path);

/// A whole file, one contact a line.
[[nodiscard]] std::string writeContacts(const Contacts& contacts);

/// "left" or "right"; "heel" or "ball".
[[nodiscard]] std::string_view sideName(const Contact& contact);
[[nodiscard]] std::string_view partName(const Contact& contact);

}  // namespace ulna::io
