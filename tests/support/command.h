// SPDX-License-Identifier: Apache-2.0

// Runs a program as a user's shell would.
#pragma once

#include <string>

namespace ulna::test {

struct CommandResult {
    int exit_code = -1;
    std::string out;
    std::string err;
};

/// Runs `command` by the shell in a temporary folder of the test's own; $ULNA is the tool, $ASSETS
/// the bundled files, $SOURCE the repository.
CommandResult shell(const std::string& command);

/// The folder shell() runs in. Emptied at the start of the test program.
std::string scratchFolder();
std::string readText(const std::string& path);
void writeText(const std::string& path, const std::string& text);

}  // namespace ulna::test
