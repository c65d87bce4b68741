// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "ulna/io/detail/system_error.h"

namespace ulna::io {
namespace {

using detail::systemError;

// Closes the descriptor on every way out.
struct Descriptor {
    int fd = -1;
    bool owned = true;
    ~Descriptor() {
        if (owned && fd >= 0) ::close(fd);
    }
};

#ifndef __EMSCRIPTEN__
// From here on memory of its own is taken in large pages, and nothing is filled twice.
constexpr std::size_t kLargePages = std::size_t{1} << 20U;

// Reads up to `size` bytes and returns how many there were; -1 with errno.
ssize_t readInto(int fd, char* to, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = ::read(fd, to + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return static_cast<ssize_t>(done);
}
#endif

// All bytes up to the end; an error where they are more than `most`, or than memory.
Result<FileBytes> readStream(int fd, const std::string& path, std::size_t most) {
    std::string bytes;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError(path, "cannot be read", errno);
        if (got == 0) return FileBytes(std::move(bytes));
        if (static_cast<std::size_t>(got) > most - bytes.size())
            return Diagnostic{.what = "the input has over " + std::to_string(most) + " bytes",
                              .location = {.file = path},
                              .advice = "save it as a file"};
        try {
            bytes.append(buffer, static_cast<std::size_t>(got));
        } catch (const std::bad_alloc&) {
            return systemError(path, "cannot be read", ENOMEM);
        }
    }
}

}  // namespace

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
    std::swap(mapping_, other.mapping_);
    std::swap(size_, other.size_);
    std::swap(used_, other.used_);
    std::swap(of_file_, other.of_file_);
    std::swap(copy_, other.copy_);
    return *this;
}

FileBytes::~FileBytes() {
    if (mapping_ != nullptr) ::munmap(mapping_, size_);
}

void FileBytes::handBack(std::size_t offset) const {
#ifndef __EMSCRIPTEN__
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (of_file_ && offset >= page) ::madvise(mapping_, offset / page * page, MADV_DONTNEED);
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
    const bool regular = S_ISREG(status.st_mode);
    const std::size_t size = regular ? static_cast<std::size_t>(status.st_size) : 0;
#ifndef __EMSCRIPTEN__  // node's files cannot be mapped there
    if (size > kLargestCopy && !standard_input) {
        void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
        if (mapping != MAP_FAILED) {
            ::madvise(mapping, size, MADV_SEQUENTIAL);
            FileBytes out;
            out.mapping_ = mapping;
            out.size_ = out.used_ = size;
            out.of_file_ = true;
            return out;
        }
    }
    if (regular && size >= kLargePages && size <= kLargestCopy && !standard_input) {
        void* memory =
            ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return systemError(path, "cannot be read", ENOMEM);
        FileBytes out;
        out.mapping_ = memory;
        out.size_ = size;
        ::madvise(memory, size, MADV_HUGEPAGE);
        const ssize_t got = readInto(file.fd, static_cast<char*>(memory), size);
        if (got < 0) return systemError(path, "cannot be read", errno);
        out.used_ = static_cast<std::size_t>(got);
        return out;
    }
#endif
    return readStream(file.fd, path, std::max(size, kLongestStream));
}

}  // namespace ulna::io
