// SPDX-License-Identifier: Apache-2.0

// The user's browser, where there is a desktop to show it on.
#pragma once

#include <string>

namespace ulna::cli {

[[nodiscard]] bool hasDesktop();

/// Asks the desktop to show a URL and does not wait for it; false where nothing could be started.
[[nodiscard]] bool openBrowser(const std::string& url);

}  // namespace ulna::cli
