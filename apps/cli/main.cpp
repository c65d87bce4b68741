// SPDX-License-Identifier: Apache-2.0

// The `ulna` tool. Parses, dispatches, and turns every failure into a message and an exit code.
#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>

#include "apps/cli/licences.h"
#include "apps/cli/output.h"
#include "apps/cli/verbs.h"
#include "ulna/core/text.h"
#include "ulna/core/version.h"

namespace ulna::cli {

void fail(int exit_code, Diagnostic diagnostic) {
    throw Failure{exit_code, std::move(diagnostic)};
}

Location inFile(std::string path) {
    Location out;
    out.file = std::move(path);
    return out;
}

void failUsage(std::string what, std::string advice) {
    fail(kUsage, {.what = std::move(what), .advice = std::move(advice)});
}

CLI::App* addVerb(Tool& tool, Common& common, const std::string& name,
                  const std::string& description, const std::string& examples) {
    CLI::App* verb = tool.app.add_subcommand(name, description);
    verb->footer("Examples:\n" + examples);
    verb->add_flag("--json", common.json, "Print JSON instead of text");
    verb->add_flag("--quiet", common.quiet, "Print no warnings and no progress");
    verb->add_option("--threads", common.threads, "Threads to use; 0, the default, is one per core")
        ->type_name("N");
    return verb;
}

CLI::Option* oneOf(Tool& tool, CLI::Option* option, std::vector<std::string> words) {
    option->check(CLI::IsMember(words))->type_name("");
    tool.choices[option] = std::move(words);
    return option;
}

CLI::Option* isFile(Tool& tool, CLI::Option* option) {
    tool.files[option] = true;
    return option->type_name("FILE");
}

void excludeEachOther(const std::vector<CLI::Option*>& options) {
    for (CLI::Option* a : options) {
        for (CLI::Option* b : options) {
            if (a != b) a->excludes(b);
        }
    }
}

CLI::Option* addFileArgument(Tool& tool, CLI::App* verb, std::string& file,
                             const std::string& description) {
    return isFile(tool, verb->add_option("file", file, description)->required());
}

CLI::Option* addOutOption(Tool& tool, CLI::App* verb, std::string& out,
                          const std::string& description) {
    return isFile(tool, verb->add_option("--out,-o", out, description));
}

CLI::Option* addClipOption(CLI::App* verb, std::string& clip) {
    return verb->add_option("--clip", clip, "Which clip to use, where a file has several")
        ->type_name("NAME");
}

namespace {

void declare(Tool& tool, Common& common) {
    tool.app.name("ulna");
    tool.app.description(
        "Articulated characters: inspect motion files, pose, convert and draw them.");
    tool.app.set_version_flag("--version", std::string("ulna ") + version());
    tool.app.add_flag_callback(
        "--licences,--licenses",
        [] {
            std::string_view text = licences();
            text.remove_suffix(1);  // the line's end, which the parser adds again
            throw CLI::CallForVersion(std::string(text), kDone);
        },
        "Print the licences of what is in this program");
    tool.app.footer(
        "Data goes to stdout, everything else to stderr. 'ulna VERB --help' shows examples.\n"
        "Exit codes: 0 done, 1 work failed, 2 usage, 3 bad input file, 4 goal not met.");
    addVerbs(tool, common);
}

int usageError(const std::string& message, const std::string& advice) {
    printError({.what = message, .advice = advice});
    return kUsage;
}

int run(int argc, char** argv) {
    Tool tool;
    Common common;
    declare(tool, common);
    if (argc < 2) {
        std::fputs(tool.app.help().c_str(), stderr);
        return kUsage;
    }
    const std::string first = argv[1];
    std::vector<std::string> verbs;
    for (const CLI::App* verb : tool.app.get_subcommands([](const CLI::App*) { return true; })) {
        verbs.push_back(verb->get_name());
    }
    const bool known = std::find(verbs.begin(), verbs.end(), first) != verbs.end();
    if (!known && first.rfind('-', 0) != 0) {
        const std::string suggestion = suggestNames(first, verbs);
        return usageError("there is no verb '" + first + "'",
                          suggestion.empty() ? "'ulna --help' lists the verbs" : suggestion);
    }
    try {
        tool.app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        return tool.app.exit(success);  // --help, --version and --licences
    } catch (const CLI::ParseError& error) {
        return usageError(error.what(), "see 'ulna " + (known ? first + " " : "") + "--help'");
    }
    setQuiet(common.quiet);
    try {
        const std::vector<CLI::App*> chosen = tool.app.get_subcommands();
        if (chosen.empty()) return usageError("no verb was given", "'ulna --help' lists the verbs");
        const int code = tool.runs.at(chosen.front())();
        finishStdout();
        return code;
    } catch (const Failure& failure) {
        printError(failure.diagnostic);
        return failure.exit_code;
    } catch (const std::bad_alloc&) {
        printError({.what = "there is not enough memory for this"});
        return kFailed;
    } catch (const std::length_error&) {
        printError({.what = "this is more than memory can hold"});
        return kFailed;
    }
}

}  // namespace
}  // namespace ulna::cli

int main(int argc, char** argv) {
    return ulna::cli::run(argc, argv);
}
