// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/save.h"

#include "apps/cli/output.h"
#include "ulna/character/overwrite.h"

namespace ulna::cli {

void checkOutputs(const Common& common, std::span<const std::string> outputs,
                  std::span<const std::string> more, bool among_inputs) {
    std::vector<std::string> inputs = common.inputs;
    inputs.insert(inputs.end(), more.begin(), more.end());
    OutputGuard guard(inputs);
    for (const std::string& path : outputs) {
        std::optional<OverwriteRefusal> refusal =
            guard.check(path, {.force = common.force, .among_inputs = among_inputs});
        if (!refusal) continue;
        if (refusal->forcible) refusal->why.advice += "; --force replaces the file";
        fail(kUsage, std::move(refusal->why));
    }
}

Warnings save(const SaveContent& content, const std::string& path, const SaveOptions& options) {
    ProgressBar progress("converting");
    return must(saveCharacter(content, path, options, progress.callback()));
}

}  // namespace ulna::cli
