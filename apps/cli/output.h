// SPDX-License-Identifier: Apache-2.0

// What the tool prints: data on stdout, talk on stderr, colour only on a terminal. Names and paths
// come from anybody's files: control characters in them are made visible here, and nowhere else.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/diagnostic.h"
#include "ulna/core/progress.h"

namespace ulna::cli {

/// Silences warnings, notes and progress; errors are always said.
void setQuiet(bool quiet);

void print(std::string_view text);  ///< to stdout
void finishStdout();                ///< fails when stdout could not take everything

void printError(const Diagnostic& diagnostic);
void printWarnings(const Warnings& warnings);
void printNote(std::string_view note);

/// Writes a file for --out, or stdout when the path is empty; whole or not at all.
void writeOutput(const std::string& path, std::string_view bytes);

/// A bar on stderr for work that takes over a second; plain lines when stderr is no terminal.
class ProgressBar {
  public:
    explicit ProgressBar(std::string label);
    ~ProgressBar();
    void update(double fraction);
    [[nodiscard]] Progress callback();

  private:
    std::string label_;
    std::chrono::steady_clock::time_point start_;
    int shown_ = -1;  // percent, or -1 when nothing was shown
};

}  // namespace ulna::cli
