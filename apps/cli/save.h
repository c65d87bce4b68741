// SPDX-License-Identifier: Apache-2.0

// Writing characters from the tool: with a progress bar, and failures that end the verb.
#pragma once

#include <span>
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

/// Fails with exit code 2 where writing one of these would lose a file (character/overwrite.h), or
/// two of them are one file. The inputs are those of the options and `more`. Outputs that options
/// name are checked before the verb runs; a verb calls this for names that it makes itself.
void checkOutputs(const Common& common, std::span<const std::string> outputs,
                  std::span<const std::string> more = {}, bool among_inputs = false);

/// saveCharacter with a progress bar; ends the verb where it fails. The result is what the format
/// cannot hold.
[[nodiscard]] Warnings save(const SaveContent& content, const std::string& path,
                            const SaveOptions& options = {});

}  // namespace ulna::cli
