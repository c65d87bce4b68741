// SPDX-License-Identifier: Apache-2.0

// ulna completion, ulna man: generated from the declarations of the verbs themselves.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "apps/cli/output.h"
#include "apps/cli/verbs.h"
#include "ulna/core/version.h"

namespace ulna::cli {
namespace {

// One verb as the shell needs it.
struct VerbWords {
    std::string name, description;
    std::vector<const CLI::Option*> options = {};    // with a dash
    std::vector<const CLI::Option*> arguments = {};  // without
};

std::vector<VerbWords> describeVerbs(const Tool& tool) {
    std::vector<VerbWords> out;
    for (const CLI::App* verb : tool.app.get_subcommands([](const CLI::App*) { return true; })) {
        VerbWords words{.name = verb->get_name(), .description = verb->get_description()};
        for (const CLI::Option* option : verb->get_options()) {
            (option->get_positional() ? words.arguments : words.options).push_back(option);
        }
        out.push_back(std::move(words));
    }
    return out;
}

std::vector<std::string> spellings(const CLI::Option* option) {
    std::vector<std::string> out;
    for (const std::string& name : option->get_snames()) out.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
    return out;
}

bool takesValue(const CLI::Option* option) {
    return option->get_items_expected_max() > 0;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    return fmt::format("{}", fmt::join(words, between));
}

const std::vector<std::string>* choicesOf(const Tool& tool, const CLI::Option* option) {
    const auto found = tool.choices.find(option);
    return found == tool.choices.end() ? nullptr : &found->second;
}

std::string bashScript(const Tool& tool) {
    const std::vector<VerbWords> verbs = describeVerbs(tool);
    std::string out =
        "# bash completion for ulna\n_ulna() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
        "verb=${COMP_WORDS[1]}\n"
        "    COMPREPLY=()\n";
    std::string names;
    for (const VerbWords& verb : verbs) names += (names.empty() ? "" : " ") + verb.name;
    out += fmt::format(
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        COMPREPLY=($(compgen -W '{} --help --version' -- \"$cur\"))\n        return\n    "
        "fi\n",
        names);
    out += "    case \"$verb $prev\" in\n";
    for (const VerbWords& verb : verbs) {
        for (const CLI::Option* option : verb.options) {
            const std::vector<std::string>* choices = choicesOf(tool, option);
            for (const std::string& spelling : spellings(option)) {
                if (choices != nullptr) {
                    out += fmt::format(
                        "        '{} {}') COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return ;;\n",
                        verb.name, spelling, joined(*choices, " "));
                } else if (takesValue(option) && tool.files.count(option) == 0) {
                    out += fmt::format("        '{} {}') return ;;\n", verb.name, spelling);
                }
            }
        }
    }
    out += "    esac\n    local words=''\n    case \"$verb\" in\n";
    for (const VerbWords& verb : verbs) {
        std::vector<std::string> words;
        for (const CLI::Option* option : verb.options) {
            for (std::string& spelling : spellings(option)) words.push_back(std::move(spelling));
        }
        std::string arguments;
        for (const CLI::Option* argument : verb.arguments) {
            if (const auto* choices = choicesOf(tool, argument))
                arguments += joined(*choices, " ") + " ";
        }
        out += fmt::format("        {}) words='{}'; [[ $cur != -* ]] && words='{}' ;;\n", verb.name,
                           joined(words, " "), arguments);
    }
    out +=
        "    esac\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
        "    [[ $cur != -* ]] && COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
        "}\ncomplete -o filenames -F _ulna ulna\n";
    return out;
}

// Text inside a zsh option specification.
std::string zshText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        if (c == '\'') out += "'\\'";
        out += c;
    }
    return out;
}

std::string zshScript(const Tool& tool) {
    const std::vector<VerbWords> verbs = describeVerbs(tool);
    std::string out = "#compdef ulna\n_ulna() {\n    local -a verbs\n    verbs=(\n";
    for (const VerbWords& verb : verbs)
        out += fmt::format("        '{}:{}'\n", verb.name, zshText(verb.description));
    out +=
        "    )\n    if (( CURRENT == 2 )); then\n        _describe verb verbs\n        return\n    "
        "fi\n"
        "    local verb=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $verb in\n";
    for (const VerbWords& verb : verbs) {
        out += fmt::format("        {})\n            _arguments \\\n", verb.name);
        for (const CLI::Option* option : verb.options) {
            for (const std::string& spelling : spellings(option)) {
                std::string value;
                if (const auto* choices = choicesOf(tool, option))
                    value = ":value:(" + joined(*choices, " ") + ")";
                else if (tool.files.count(option) > 0)
                    value = ":file:_files";
                else if (takesValue(option))
                    value = ":value:";
                out += fmt::format("                '{}[{}]{}' \\\n", spelling,
                                   zshText(option->get_description()), value);
            }
        }
        const CLI::Option* word = verb.arguments.empty() ? nullptr : verb.arguments.front();
        const auto* choices = word == nullptr ? nullptr : choicesOf(tool, word);
        out += fmt::format("                '*:argument:{}'\n            ;;\n",
                           choices == nullptr ? "_files" : "(" + joined(*choices, " ") + ")");
    }
    return out + "    esac\n}\n_ulna \"$@\"\n";
}

// Text for roff: no escapes, no line that starts like a request, hyphens that stay hyphens.
std::string roff(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool line_start = i == 0 || text[i - 1] == '\n';
        if (line_start && (text[i] == '.' || text[i] == '\'')) out += "\\&";
        if (text[i] == '\\')
            out += "\\e";
        else if (text[i] == '-')
            out += "\\-";
        else
            out += text[i];
    }
    return out;
}

std::string manPage(const Tool& tool) {
    std::string out = fmt::format(
        ".TH ULNA 1 \"\" \"ulna {}\" \"User Commands\"\n.SH NAME\nulna \\- {}\n", version(),
        roff("inspect motion files, pose, convert and draw articulated characters"));
    out += ".SH SYNOPSIS\n.B ulna\n.I VERB\n[\\fIOPTIONS\\fR] \\fIFILE\\fR...\n.SH DESCRIPTION\n" +
           roff(tool.app.get_description()) + "\n" + roff(tool.app.get_footer()) + "\n.SH VERBS\n";
    for (const CLI::App* verb : tool.app.get_subcommands([](const CLI::App*) { return true; })) {
        out += fmt::format(".SS {}\n{}.\n", verb->get_name(), roff(verb->get_description()));
        for (const CLI::Option* option : verb->get_options()) {
            const std::string name =
                option->get_positional() ? option->get_name() : joined(spellings(option), ", ");
            std::string value;
            if (const auto* choices = choicesOf(tool, option))
                value = " " + joined(*choices, "|");
            else if (takesValue(option) && !option->get_positional())
                value = " " + option->get_type_name();
            out += fmt::format(".TP\n\\fB{}\\fR{}\n{}.\n", roff(name), roff(value),
                               roff(option->get_description()));
        }
        out += ".PP\n.nf\n" + roff(verb->get_footer()) + "\n.fi\n";
    }
    out +=
        ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nWhen set and not empty, messages have no "
        "colour.\n";
    return out;
}

}  // namespace

void addCompletion(Tool& tool, Common&) {
    auto shell = std::make_shared<std::string>();
    CLI::App* completion = addVerb(tool, "completion", "Print a completion script for a shell",
                                   "  source <(ulna completion bash)\n"
                                   "  ulna completion zsh > ~/.zsh/completions/_ulna");
    oneOf(tool, completion->add_option("shell", *shell, "bash or zsh")->required(),
          {"bash", "zsh"});
    tool.runs[completion] = [&tool, shell] {
        print(*shell == "bash" ? bashScript(tool) : zshScript(tool));
        return kDone;
    };
}

void addMan(Tool& tool, Common&) {
    CLI::App* man = addVerb(tool, "man", "Print the manual page", "  ulna man | man -l -");
    tool.runs[man] = [&tool] {
        print(manPage(tool));
        return kDone;
    };
}

}  // namespace ulna::cli
