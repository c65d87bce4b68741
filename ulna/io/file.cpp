// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace ulna::io {
namespace {

Diagnostic systemError(const std::string& path, const char* what, int error) {
    return {.what = std::string(what) + ": " + std::strerror(error), .location = {.file = path}};
}

// Closes the descriptor on every way out.
struct Descriptor {
    int fd = -1;
    bool owned = true;
    ~Descriptor() {
        if (owned && fd >= 0) ::close(fd);
    }
};

Result<FileBytes> readStream(int fd, const std::string& path) {
    std::string bytes;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError(path, "cannot be read", errno);
        if (got == 0) return FileBytes(std::move(bytes));
        bytes.append(buffer, static_cast<std::size_t>(got));
    }
}

}  // namespace

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
    std::swap(mapping_, other.mapping_);
    std::swap(size_, other.size_);
    std::swap(copy_, other.copy_);
    return *this;
}

FileBytes::~FileBytes() {
    if (mapping_ != nullptr) ::munmap(mapping_, size_);
}

void FileBytes::handBack(std::size_t offset) const {
#ifndef __EMSCRIPTEN__
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (mapping_ != nullptr && offset >= page)
        ::madvise(mapping_, offset / page * page, MADV_DONTNEED);
#else
    static_cast<void>(offset);
#endif
}

Result<FileBytes> readFile(const std::string& path) {
    const bool standard_input = path == "-";
    const Descriptor file{
        standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
        !standard_input};
    if (file.fd < 0) return systemError(path, "cannot be opened", errno);
    struct stat status {};
    if (::fstat(file.fd, &status) != 0) return systemError(path, "cannot be read", errno);
    if (S_ISDIR(status.st_mode)) return systemError(path, "cannot be read", EISDIR);
#ifndef __EMSCRIPTEN__  // node's files cannot be mapped there
    if (S_ISREG(status.st_mode) && status.st_size > 0 && !standard_input) {
        const auto size = static_cast<std::size_t>(status.st_size);
        void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
        if (mapping != MAP_FAILED) {
            ::madvise(mapping, size, MADV_SEQUENTIAL);
            FileBytes out;
            out.mapping_ = mapping;
            out.size_ = size;
            return out;
        }
    }
#endif
    return readStream(file.fd, path);
}

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
    int fd = -1;
    for (int attempt = 0; fd < 0; ++attempt) {
        out.temporary_ =
            out.path_ + ".part" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
        fd = ::open(out.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && (errno != EEXIST || attempt == 100)) {
            out.temporary_.clear();
            return systemError(path, "cannot be written", errno);
        }
    }
    if (exists)
        static_cast<void>(::fchmod(fd, status.st_mode & 07777U));  // keeps its mode where it can
    out.file_.reset(::fdopen(fd, "wb"));
    if (!out.file_) {
        const int error = errno;
        ::close(fd);
        ::unlink(out.temporary_.c_str());
        return systemError(path, "cannot be written", error);
    }
    return out;
}

AtomicFile::~AtomicFile() {
    if (file_ && !temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
    if (error_ != 0) return;
    errno = 0;
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
        error_ = errno == 0 ? EIO : errno;
    }
}

Status AtomicFile::finish() {
    if (std::fflush(file_.get()) != 0 && error_ == 0) error_ = errno;
    if (error_ != 0)
        return systemError(path_, "cannot be written", error_);  // the destructor cleans up
    file_.reset();
    if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) {
        const int error = errno;
        ::unlink(temporary_.c_str());
        return systemError(path_, "cannot be written", error);
    }
    return Done{};
}

Status writeFile(const std::string& path, std::string_view bytes) {
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    file->write(bytes);
    return file->finish();
}

}  // namespace ulna::io
