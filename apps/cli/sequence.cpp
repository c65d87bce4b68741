// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/sequence.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "apps/cli/command.h"

namespace ulna::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// What a signal has to remove.
std::atomic<const FileSequence*> g_open = nullptr;

[[noreturn]] void failToWrite(const std::string& path) {
    const int error = errno;
    fail(kFailed, {.what = std::string("cannot be written: ") + std::strerror(error),
                   .location = inFile(path)});
}

}  // namespace

FileSequence::FileSequence(std::vector<std::string> paths)
    : paths_(std::move(paths)), written_(paths_) {
    if (paths_.size() < 2) return;
    const std::size_t name = paths_.front().rfind('/') + 1;
    std::string folder = paths_.front().substr(0, name) + ".ulna-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) failToWrite(paths_.front());
    folder_ = folder + '/';
    for (std::string& path : written_) path = folder_ + path.substr(name);
    g_open = this;
    for (const int signal : kSignals) {
        // Who starts the tool with nohup means it.
        if (std::signal(signal, &FileSequence::removeAndEnd) == SIG_IGN)
            std::signal(signal, SIG_IGN);
    }
}

FileSequence::~FileSequence() {
    if (folder_.empty()) return;
    remove();
    g_open = nullptr;
}

void FileSequence::removeAndEnd(int signal) {
    if (const FileSequence* open = g_open) open->remove();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void FileSequence::remove() const {
    for (const std::string& path : written_) ::unlink(path.c_str());
    ::rmdir(folder_.c_str());
}

void FileSequence::finish() {
    if (folder_.empty()) return;
    for (const std::string& path : paths_) {
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
        errno = EISDIR;
        failToWrite(path);
    }
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : kSignals) ::sigaddset(&signals, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // all are moved or none
    std::set<std::string_view> moved;                 // a frame that is asked for twice is one file
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        if (!moved.insert(paths_[i]).second) continue;
        if (std::rename(written_[i].c_str(), paths_[i].c_str()) != 0) failToWrite(paths_[i]);
    }
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace ulna::cli
