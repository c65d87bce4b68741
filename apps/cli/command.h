// SPDX-License-Identifier: Apache-2.0

// What the subcommands share: exit codes, common options, and how each is made known.
//
// Each verb has a folder with a source that defines one function, which declares its options and
// says what to run. verbs.h lists these functions. Shell completion and the manual page are
// generated from the same declarations.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ulna/core/diagnostic.h"

namespace ulna::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kBadInput = 3;
inline constexpr int kGoalMissed = 4;

/// Headings of options in help.
inline constexpr const char* kCommonGroup = "Options of every verb";
inline constexpr const char* kReadingGroup = "Reading files";

/// Thrown to leave a verb with a message and an exit code; caught in main.
struct Failure {
    int exit_code = kFailed;
    Diagnostic diagnostic;
};

[[noreturn]] void fail(int exit_code, Diagnostic diagnostic);
/// The location of something wrong with a file as a whole.
[[nodiscard]] Location inFile(std::string path);
[[noreturn]] void failUsage(std::string what, std::string advice = {});

/// Options every verb has.
struct Common {
    bool json = false;
    bool quiet = false;
    unsigned threads = 0;
    bool force = false;                    ///< of verbs that write files
    std::vector<std::string> inputs = {};  ///< the paths that options name, but for outputs
};

/// The whole tool: its parser, and what cannot be asked of the parser.
struct Tool {
    CLI::App app;
    std::map<const CLI::Option*, std::vector<std::string>> choices;  ///< words an option takes
    std::map<const CLI::Option*, bool> files;                        ///< options that take a path
    std::map<const CLI::Option*, bool> outputs;                      ///< those that are written
    std::map<const CLI::App*, std::function<int()>> runs;
};

/// Declares a verb. It gets the common options once all verbs are declared, behind its own.
CLI::App* addVerb(Tool& tool, const std::string& name, const std::string& description,
                  const std::string& examples);

/// The same with the verb's own options, of which `run` gets what was given. They live as long as
/// the tool.
template <class Options>
std::pair<CLI::App*, Options*> addVerb(Tool& tool, Common& common, const std::string& name,
                                       const std::string& description, const std::string& examples,
                                       int (*run)(const Options&, const Common&)) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = addVerb(tool, name, description, examples);
    tool.runs[verb] = [options, &common, run] { return run(*options, common); };
    return {verb, options.get()};
}

/// Restricts an option to these words, in help, completion and checks.
CLI::Option* oneOf(Tool& tool, CLI::Option* option, std::vector<std::string> words);
/// Marks an option or argument as a path, for completion.
CLI::Option* isFile(Tool& tool, CLI::Option* option);
/// The same for a path that is written: before the verb runs, it is refused where a file would be
/// lost (checkOutputs), unless --force is given, which such verbs have.
CLI::Option* isOutput(Tool& tool, CLI::Option* option);
/// At most one of these may be given.
void excludeEachOther(const std::vector<CLI::Option*>& options);

/// The verb's first argument: the file it reads.
CLI::Option* addFileArgument(
    Tool& tool, CLI::App* verb, std::string& file,
    const std::string& description = "A .bvh, .glb, .gltf, .rig.json, .urdf or .xml file");
/// --out, an output
CLI::Option* addOutOption(Tool& tool, CLI::App* verb, std::string& out,
                          const std::string& description);
/// --clip
CLI::Option* addClipOption(CLI::App* verb, std::string& clip);

}  // namespace ulna::cli
