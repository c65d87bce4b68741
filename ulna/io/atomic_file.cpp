// SPDX-License-Identifier: Apache-2.0

// Linux has files without a name (O_TMPFILE): their bytes are gone when the program ends, by
// whatever signal, and linkat names them once they are whole. A name replaces another by rename
// only, so that an existing file takes one step more.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "ulna/io/detail/system_error.h"
#include "ulna/io/file.h"

namespace ulna::io {
namespace {

using detail::systemError;

// The folder of a path with its slash; empty for the working directory.
std::string folderOf(const std::string& path) {
    return path.substr(0, path.rfind('/') + 1);
}

// Tries names in the folder until one is free; `make` returns -1 with EEXIST where it is not. The
// names are short whatever the file's is, which may be as long as the system allows.
template <class Make>
int makeUnderFreeName(const std::string& folder, std::string& name, Make&& make) {
    for (int attempt = 0;; ++attempt) {
        name = folder + ".ulna-" + std::to_string(::getpid()) + "-" + std::to_string(attempt) +
               ".part";
        const int made = make(name.c_str());
        if (made >= 0 || errno != EEXIST || attempt == 1000) return made;
    }
}

#if defined(O_TMPFILE) && !defined(__EMSCRIPTEN__)

std::string pathOfDescriptor(int fd) {
    return "/proc/self/fd/" + std::to_string(fd);
}

int openUnnamed(const std::string& folder) {
    const int fd =
        ::open(folder.empty() ? "." : folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (fd < 0 || ::access(pathOfDescriptor(fd).c_str(), F_OK) == 0) return fd;
    ::close(fd);  // without /proc it would never get a name
    return -1;
}

int nameUnnamed(int fd, const char* name) {
    return ::linkat(AT_FDCWD, pathOfDescriptor(fd).c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

#else

int openUnnamed(const std::string&) {
    return -1;
}

int nameUnnamed(int, const char*) {
    return -1;
}

#endif

// Waits until the bytes are on the disk, where the file system can say so.
int sync(int fd) {
#ifndef __EMSCRIPTEN__
    if (::fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) return -1;
#else
    static_cast<void>(fd);
#endif
    return 0;
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::string& path) {
    AtomicFile out;
    out.path_ = path;
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) return systemError(path, "cannot be written", EISDIR);
    // Pipes and devices have no name to be renamed to, and /dev/stdout only looks as if it had.
    const bool direct = (exists && !S_ISREG(status.st_mode)) || path.rfind("/dev/", 0) == 0 ||
                        path.rfind("/proc/", 0) == 0;
    if (direct) {
        out.file_.reset(std::fopen(path.c_str(), "wb"));
        if (!out.file_) return systemError(path, "cannot be written", errno);
        return out;
    }
    if (exists) {
        // A link stays a link: what it points to is replaced.
        if (char* real = ::realpath(path.c_str(), nullptr)) {
            out.path_ = real;
            std::free(real);
        }
    }
    const int fd = out.open();
    if (fd < 0) return systemError(path, "cannot be written", errno);
    if (exists)
        static_cast<void>(::fchmod(fd, status.st_mode & 07777U));  // keeps its mode where it can
    out.file_.reset(::fdopen(fd, "wb"));
    if (!out.file_) {
        const int error = errno;
        ::close(fd);
        return systemError(path, "cannot be written", error);
    }
    return out;
}

int AtomicFile::open() {
    const std::string folder = folderOf(path_);
    int fd = openUnnamed(folder);
    if (fd >= 0) {
        way_ = Way::Unnamed;
        return fd;
    }
    fd = makeUnderFreeName(folder, temporary_, [](const char* name) {
        return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    });
    if (fd >= 0) way_ = Way::Named;
    return fd;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : file_(std::move(other.file_)),
      path_(std::move(other.path_)),
      way_(std::exchange(other.way_, Way::Direct)),
      temporary_(std::move(other.temporary_)),
      error_(other.error_) {}

AtomicFile::~AtomicFile() {
    if (way_ == Way::Named) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
    if (error_ != 0) return;
    errno = 0;
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
        error_ = errno == 0 ? EIO : errno;
    }
}

int AtomicFile::takeName() {
    if (way_ == Way::Unnamed) {
        const auto link = [this](const char* name) {
            return nameUnnamed(::fileno(file_.get()), name);
        };
        if (link(path_.c_str()) == 0) return 0;
        if (errno != EEXIST) return -1;
        if (makeUnderFreeName(folderOf(path_), temporary_, link) != 0) return -1;
        way_ = Way::Named;
    }
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return -1;
    way_ = Way::Direct;  // nothing is left to clean up
    return 0;
}

Status AtomicFile::finish() {
    if (std::fflush(file_.get()) != 0 && error_ == 0) error_ = errno;
    if (error_ == 0 && way_ != Way::Direct && (sync(::fileno(file_.get())) != 0 || takeName() != 0))
        error_ = errno;
    if (error_ != 0)
        return systemError(path_, "cannot be written", error_);  // the destructor cleans up
    file_.reset();
    return Done{};
}

Status writeFile(const std::string& path, std::string_view bytes) {
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    file->write(bytes);
    return file->finish();
}

}  // namespace ulna::io
