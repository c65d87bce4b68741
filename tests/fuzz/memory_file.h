// SPDX-License-Identifier: Apache-2.0

// A file in memory that has a path all the same, for functions that take one.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace ulna::test {

class MemoryFile {
  public:
    explicit MemoryFile(std::string_view bytes = {}) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
        if (fd_ < 0 || written != static_cast<ssize_t>(bytes.size())) std::abort();
    }
    ~MemoryFile() { ::close(fd_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

  private:
    int fd_;
};

}  // namespace ulna::test
