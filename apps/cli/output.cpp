// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "apps/cli/command.h"
#include "ulna/core/text.h"
#include "ulna/io/file.h"

namespace ulna::cli {
namespace {

bool g_quiet = false;

bool colourOnStderr() {
    const char* no_color = std::getenv("NO_COLOR");
    if (no_color != nullptr && *no_color != '\0') return false;
    const char* term = std::getenv("TERM");
    if (term != nullptr && std::strcmp(term, "dumb") == 0) return false;
    return ::isatty(STDERR_FILENO) == 1;
}

void talk(std::string_view label, const char* colour, const std::string& text) {
    const bool colours = colourOnStderr();
    std::fflush(stdout);
    fmt::print(stderr, "{}{}:{} {}\n", colours ? colour : "", label, colours ? "\033[0m" : "",
               visibleText(text));
}

}  // namespace

void setQuiet(bool quiet) {
    g_quiet = quiet;
}

void print(std::string_view text) {
    const std::string visible = visibleText(text, true);
    std::fwrite(visible.data(), 1, visible.size(), stdout);
}

void finishStdout() {
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
    fail(kFailed, {.what = std::string("stdout cannot be written: ") +
                           std::strerror(errno == 0 ? EIO : errno)});
}

void printError(const Diagnostic& diagnostic) {
    talk("error", "\033[1;31m", describe(diagnostic));
}

void printWarnings(const Warnings& warnings) {
    if (g_quiet) return;
    for (const Diagnostic& warning : warnings) talk("warning", "\033[1;33m", describe(warning));
}

void printNote(std::string_view note) {
    if (!g_quiet) talk("note", "\033[1;36m", std::string(note));
}

void writeOutput(const std::string& path, std::string_view bytes) {
    if (path.empty() || path == "-") {
        std::fwrite(bytes.data(), 1, bytes.size(), stdout);
        return;
    }
    const Status status = io::writeFile(path, bytes);
    if (!status) fail(kFailed, status.error());
}

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)), start_(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() {
    if (shown_ >= 0 && ::isatty(STDERR_FILENO) == 1) std::fputs("\r\033[K", stderr);
}

void ProgressBar::update(double fraction) {
    if (g_quiet || std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1)) return;
    const int percent = static_cast<int>(fraction * 100.0);
    if (::isatty(STDERR_FILENO) == 1) {
        if (percent == shown_) return;
        const auto filled = static_cast<std::size_t>(percent * 30 / 100);
        fmt::print(stderr, "\r{} [{:<30}] {:3d} %", label_, std::string(filled, '#'), percent);
        std::fflush(stderr);
        shown_ = percent;
    } else if (shown_ < 0 || percent / 10 > shown_ / 10) {
        fmt::print(stderr, "{}: {} %\n", label_, percent);
        shown_ = percent;
    }
}

Progress ProgressBar::callback() {
    return [this](double fraction) {
        update(fraction);
        return true;
    };
}

}  // namespace ulna::cli
