// SPDX-License-Identifier: Apache-2.0

// The studio for one user: a page on 127.0.0.1 until Ctrl-C.
//
// The tool is built with the page in it or without; what is declared here is defined in serve.cpp
// for the one and in absent.cpp for the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ulna::cli {

struct ViewSettings {
    std::vector<std::string> files = {};  ///< paths, as they were named
    std::optional<int> port = {};         ///< a free one where none is said
    bool open_browser = true;             ///< where there is a desktop
    bool json = false;
};

/// Prints the URL and serves until SIGINT, SIGTERM or SIGHUP; the exit code. Fails with exit code 1
/// where the port cannot be had, or where there is no page in this tool, and with 3 where a file
/// cannot be opened.
[[nodiscard]] int serveStudio(const ViewSettings& settings);

}  // namespace ulna::cli
