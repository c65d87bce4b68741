// SPDX-License-Identifier: Apache-2.0

// The tool without the studio's page.
#include "apps/cli/command.h"
#include "apps/cli/view/serve.h"

namespace ulna::cli {

int serveStudio(const ViewSettings&) {
    fail(kFailed,
         {.what = "this ulna was built without the studio",
          .advice = "build it with -DULNA_STUDIO=ON, or start './run view' in Ulna's folder"});
}

}  // namespace ulna::cli
