// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/handle.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace ulna::cli {
namespace {

// Where a pipe has taken a file's position, opening it must not wait for a writer.
constexpr int kFileFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
constexpr int kFolderFlags = O_PATH | O_CLOEXEC | O_DIRECTORY;

}  // namespace

Handle::~Handle() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t OpenFile::read(std::size_t offset, char* out, std::size_t count) const {
    ssize_t got = -1;
    do got = ::pread(handle.get(), out, count, static_cast<off_t>(offset));
    while (got < 0 && errno == EINTR);
    return got < 0 ? 0 : static_cast<std::size_t>(got);
}

std::optional<Handle> openFolder(const std::string& path) {
    Handle out(::open(path.c_str(), kFolderFlags));
    if (!out) return std::nullopt;
    return out;
}

std::optional<OpenFile> openInFolder(const Handle& folder, std::string_view path) {
    // Step by step, because O_NOFOLLOW is about the last part of a path only.
    Handle inner;
    for (;;) {
        const std::size_t slash = path.find('/');
        const std::string name(path.substr(0, slash));
        if (name.empty() || name == "." || name == ".." || name.find('\0') != std::string::npos)
            return std::nullopt;
        const int from = inner ? inner.get() : folder.get();
        const bool last = slash == std::string_view::npos;
        Handle next(::openat(from, name.c_str(), last ? kFileFlags : kFolderFlags | O_NOFOLLOW));
        if (!next) return std::nullopt;
        inner = std::move(next);
        if (last) break;
        path.remove_prefix(slash + 1);
    }
    struct stat status {};
    if (::fstat(inner.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    OpenFile out{.handle = std::move(inner),
                 .size = static_cast<std::size_t>(status.st_size),
                 .owner = status.st_uid};
    out.version = fmt::format("{}:{}:{}:{}.{}:{}.{}", status.st_dev, status.st_ino, status.st_size,
                              status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                              status.st_ctim.tv_nsec);
    return out;
}

std::optional<std::string> readWhole(const OpenFile& file) {
    std::string out(file.size, '\0');
    std::size_t size = 0;
    while (size < out.size()) {
        const std::size_t count = file.read(size, out.data() + size, out.size() - size);
        if (count == 0) return std::nullopt;
        size += count;
    }
    return out;
}

}  // namespace ulna::cli
