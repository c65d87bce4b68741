// SPDX-License-Identifier: Apache-2.0

// What the subcommands share: exit codes, common options, and how each is made known.
//
// Each verb has one file with one function that declares its options and returns what to run. The
// shell completion and the man page are generated from the same declarations.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ulna/core/diagnostic.h"

namespace ulna::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kBadInput = 3;
inline constexpr int kGoalMissed = 4;

/// Thrown to leave a verb with a message and an exit code; caught in main.
struct Failure {
    int exit_code = kFailed;
    Diagnostic diagnostic;
};

[[noreturn]] void fail(int exit_code, Diagnostic diagnostic);
[[noreturn]] void failUsage(std::string what, std::string advice = {});

/// Options every verb has.
struct Common {
    bool json = false;
    bool quiet = false;
    unsigned threads = 0;
};

/// The whole tool: its parser, and what cannot be asked of the parser.
struct Tool {
    CLI::App app;
    std::map<const CLI::Option*, std::vector<std::string>> choices;  ///< words an option takes
    std::map<const CLI::Option*, bool> files;                        ///< options that take a path
    std::map<const CLI::App*, std::function<int()>> runs;
};

/// Declares a verb with the common options.
CLI::App* addVerb(Tool& tool, Common& common, const std::string& name,
                  const std::string& description, const std::string& examples);

/// Restricts an option to these words, in help, completion and checks.
CLI::Option* oneOf(Tool& tool, CLI::Option* option, std::vector<std::string> words);
/// Marks an option or argument as a path, for completion.
CLI::Option* isFile(Tool& tool, CLI::Option* option);

void addInfo(Tool& tool, Common& common);
void addFk(Tool& tool, Common& common);
void addConvert(Tool& tool, Common& common);
void addDiff(Tool& tool, Common& common);
void addIk(Tool& tool, Common& common);
void addKey(Tool& tool, Common& common);
void addSample(Tool& tool, Common& common);
void addSkin(Tool& tool, Common& common);
void addWeights(Tool& tool, Common& common);
void addFit(Tool& tool, Common& common);
void addDraw(Tool& tool, Common& common);
void addView(Tool& tool, Common& common);
void addShell(Tool& tool, Common& common);  ///< completion and man

}  // namespace ulna::cli
