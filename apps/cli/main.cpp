// SPDX-License-Identifier: Apache-2.0

// The `ulna` tool. Parses, dispatches, and turns every failure into a message and an exit code.
#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>

#include "apps/cli/licences.h"
#include "apps/cli/output.h"
#include "apps/cli/save.h"
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

CLI::App* addVerb(Tool& tool, const std::string& name, const std::string& description,
                  const std::string& examples) {
    CLI::App* verb = tool.app.add_subcommand(name, description);
    verb->footer("Examples:\n" + examples);
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

CLI::Option* isOutput(Tool& tool, CLI::Option* option) {
    tool.outputs[option] = true;
    return isFile(tool, option);
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
    return isOutput(tool, verb->add_option("--out,-o", out, description));
}

CLI::Option* addClipOption(CLI::App* verb, std::string& clip) {
    return verb->add_option("--clip", clip, "Which clip to use, where a file has several")
        ->type_name("NAME");
}

namespace {

// Help without what CLI11 adds for programmers: lists of options that exclude each other, which a
// message tells whoever combines them, and the braces around words to choose from.
class HelpFormatter : public CLI::Formatter {
  public:
    std::string make_option_opts(const CLI::Option* option) const override {
        if (option->get_type_size() == 0) return {};
        std::string type = option->get_type_name();
        if (type.starts_with(":{") && type.ends_with("}")) {
            type = type.substr(2, type.size() - 3);
            std::replace(type.begin(), type.end(), ',', '|');
        }
        std::string out = type.empty() ? "" : " " + type;
        if (option->get_required()) out += " (required)";
        return out;
    }
};

// After a verb's own, which help shows first.
void addCommonOptions(Common& common, CLI::App* verb) {
    verb->add_flag("--json", common.json, "Print JSON instead of text")->group(kCommonGroup);
    verb->add_flag("--quiet", common.quiet, "Print no warnings and no progress")
        ->group(kCommonGroup);
    verb->add_option("--threads", common.threads, "Threads to use; 0, the default, is one per core")
        ->type_name("N")
        ->group(kCommonGroup);
}

void declare(Tool& tool, Common& common) {
    tool.app.name("ulna");
    tool.app.formatter(std::make_shared<HelpFormatter>());
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
    for (CLI::App* verb : tool.app.get_subcommands([](const CLI::App*) { return true; })) {
        addCommonOptions(common, verb);
        const std::vector<CLI::Option*> options = verb->get_options();
        if (std::any_of(options.begin(), options.end(),
                        [&](CLI::Option* each) { return tool.outputs.count(each) > 0; }))
            verb->add_flag("--force", common.force,
                           "Write over an input, or over a file of another kind")
                ->group(kCommonGroup);
    }
}

// Nothing that is read is written over, whichever verb it is; told before the work begins.
void checkFiles(const Tool& tool, const CLI::App& verb, Common& common) {
    std::vector<std::string> outputs;
    bool among_inputs = false;
    for (const CLI::Option* option : verb.get_options()) {
        if (tool.files.count(option) == 0) continue;
        const bool output = tool.outputs.count(option) > 0;
        among_inputs = among_inputs || (output && option->get_positional());
        std::vector<std::string>& to = output ? outputs : common.inputs;
        to.insert(to.end(), option->results().begin(), option->results().end());
    }
    checkOutputs(common, outputs, {}, among_inputs);
}

int usageError(const std::string& message, const std::string& advice) {
    printError({.what = message, .advice = advice});
    return kUsage;
}

// What nothing was declared for, in the order in which it was written.
int refuseExtras(const Tool& tool, const std::vector<std::string>& arguments,
                 const std::string& help) {
    std::vector<std::string> extras = tool.app.remaining(true);
    const auto placeOf = [&](const std::string& text) {
        return std::find(arguments.begin(), arguments.end(), text);
    };
    std::stable_sort(extras.begin(), extras.end(),
                     [&](const auto& a, const auto& b) { return placeOf(a) < placeOf(b); });
    std::vector<std::string> names;
    for (const CLI::App* verb : tool.app.get_subcommands())
        for (const CLI::Option* each : verb->get_options())
            for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
    std::string what, advice;
    for (const std::string& extra : extras) {
        const bool option = extra.starts_with('-');
        const std::string name = extra.substr(0, extra.find('='));
        what += (what.empty() ? "" : "; ") +
                (option ? "there is no option '" + name + "'" : "'" + extra + "' was not expected");
        const std::string suggestion = option ? suggestNames(name, names) : std::string();
        if (!suggestion.empty())
            advice += (extras.size() == 1 ? suggestion : "for " + name + ": " + suggestion) + "; ";
    }
    return usageError(what, advice + help);
}

// `ulna help VERB` is `ulna VERB --help`.
std::vector<std::string> argumentsOf(int argc, char** argv) {
    std::vector<std::string> out(argv + 1, argv + argc);
    if (!out.empty() && out.front() == "help") {
        out.erase(out.begin());
        out.resize(std::min<std::size_t>(out.size(), 1));
        out.emplace_back("--help");
    }
    return out;
}

int run(int argc, char** argv) {
    Tool tool;
    Common common;
    declare(tool, common);
    if (argc < 2) {
        std::fputs(tool.app.help().c_str(), stderr);
        return kUsage;
    }
    const std::vector<std::string> arguments = argumentsOf(argc, argv);
    const std::string& first = arguments.front();
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
    const std::string help = "see 'ulna " + (known ? first + " " : "") + "--help'";
    try {
        tool.app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::Success& success) {
        return tool.app.exit(success);  // --help, --version and --licences
    } catch (const CLI::ExtrasError&) {
        return refuseExtras(tool, arguments, help);
    } catch (const CLI::ParseError& error) {
        return usageError(error.what(), help);
    }
    setQuiet(common.quiet);
    try {
        const std::vector<CLI::App*> chosen = tool.app.get_subcommands();
        if (chosen.empty()) return usageError("no verb was given", "'ulna --help' lists the verbs");
        checkFiles(tool, *chosen.front(), common);
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
