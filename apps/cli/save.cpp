// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/save.h"

#include "apps/cli/output.h"

namespace ulna::cli {

Warnings save(const SaveContent& content, const std::string& path, const SaveOptions& options) {
    ProgressBar progress("converting");
    return must(saveCharacter(content, path, options, progress.callback()));
}

}  // namespace ulna::cli
