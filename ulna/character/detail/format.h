// SPDX-License-Identifier: Apache-2.0

// What each file format defines in its source in character/formats: its line of the table, how it
// is opened and how it is saved.
#pragma once

#include <functional>

#include "ulna/character/character.h"
#include "ulna/core/progress.h"
#include "ulna/core/result.h"

namespace ulna {
struct OpenOptions;
struct SaveContent;
struct SaveOptions;
}  // namespace ulna

namespace ulna::character::detail {

using Sink = std::function<bool(std::string_view)>;

struct SaveJob {
    const SaveContent& content;
    const SaveOptions& options;
    const Sink& sink;
    const Progress& progress;
};

struct Format {
    /// Of a format that is not readable, the error that says so.
    Result<Character> (*open)(std::string_view bytes, std::string_view name,
                              const OpenOptions& options);
    /// Writes to the job's sink. A format without surfaces need not warn about meshes.
    Result<Warnings> (*save)(const SaveJob& job);
    /// Opens a path, where that is better than opening all of its bytes; may be null.
    Result<Character> (*load)(const std::string& path, const OpenOptions& options) = nullptr;
};

#define ULNA_DECLARE_FORMAT(name)          \
    extern const FormatInfo k##name##Info; \
    extern const Format k##name##Format;
ULNA_FORMATS(ULNA_DECLARE_FORMAT)
#undef ULNA_DECLARE_FORMAT

[[nodiscard]] const Format& formatOf(FileFormat format);

/// What `progress` that cancelled gives.
[[nodiscard]] inline Diagnostic cancellation() {
    return {.what = "cancelled"};
}

}  // namespace ulna::character::detail
