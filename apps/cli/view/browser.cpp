// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>

namespace ulna::cli {
namespace {

bool isSet(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

}  // namespace

bool hasDesktop() {
    return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
}

RedirectFile::RedirectFile(const std::string& url) {
    const char* own = std::getenv("XDG_RUNTIME_DIR");
    const char* other = std::getenv("TMPDIR");
    folder_ = isSet("XDG_RUNTIME_DIR") ? own : isSet("TMPDIR") ? other : "/tmp";
    folder_ += "/ulna-view-XXXXXX";
    if (::mkdtemp(folder_.data()) == nullptr) {  // for this user alone
        folder_.clear();
        return;
    }
    const std::string path = folder_ + "/studio.html";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return;
    const std::string text = "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=" + url +
                             "\"><title>Ulna Studio</title>\n";
    const ssize_t count = ::write(file, text.data(), text.size());
    ::close(file);
    path_ = path;
    if (count != static_cast<ssize_t>(text.size())) removeFile();
}

RedirectFile::~RedirectFile() {
    removeFile();
    if (!folder_.empty()) ::rmdir(folder_.c_str());
}

void RedirectFile::removeFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
    path_.clear();
}

bool openBrowser(const std::string& path) {
    // Whatever the browser says, stdout has the URL alone.
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    // A session of its own, so that Ctrl-C ends the server and not the browser; signals as usual.
    posix_spawnattr_t how;
    ::posix_spawnattr_init(&how);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&how, &none);
    ::posix_spawnattr_setsigdefault(&how, &all);
    ::posix_spawnattr_setflags(
        &how,
        static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    std::string program = "xdg-open", argument = path;
    char* arguments[] = {program.data(), argument.data(), nullptr};
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, program.c_str(), &files, &how, arguments, ::environ);
    ::posix_spawnattr_destroy(&how);
    ::posix_spawn_file_actions_destroy(&files);
    return error == 0;
}

}  // namespace ulna::cli
