// SPDX-License-Identifier: Apache-2.0

// Writing characters from the tool: with a progress bar, and failures that end the verb.
#pragma once

#include <string>

#include "apps/cli/command.h"
#include "ulna/character/save.h"

namespace ulna::cli {

/// The value, or the end of the verb with exit code 1.
template <class T>
T must(Result<T> result) {
    if (!result) fail(kFailed, result.error());
    return *std::move(result);
}

/// saveCharacter with a progress bar; ends the verb where it fails. The result is what the format
/// cannot hold.
[[nodiscard]] Warnings save(const SaveContent& content, const std::string& path,
                            const SaveOptions& options = {});

}  // namespace ulna::cli
