// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/file_beside.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

namespace ulna::io::detail {
namespace {

std::string realPath(const std::string& path) {
    char* real = ::realpath(path.c_str(), nullptr);
    if (real == nullptr) return {};
    std::string out = real;
    std::free(real);
    return out;
}

}  // namespace

bool staysInside(std::string_view path) {
    if (path.empty() || path.find('\0') != path.npos || path.find(':') != path.npos) return false;
    if (path.front() == '/' || path.front() == '\\') return false;
    std::size_t begin = 0;
    while (begin <= path.size()) {
        const std::size_t end = std::min(path.find_first_of("/\\", begin), path.size());
        if (path.substr(begin, end - begin) == "..") return false;
        begin = end + 1;
    }
    return true;
}

Result<std::string> findInFolder(const std::string& file, const std::string& name,
                                 const std::string& folder) {
    if (!staysInside(name)) {
        return Diagnostic{.what = file + "is not in the file's folder",
                          .advice = "only files in this folder and its subfolders are opened"};
    }
    // Links are followed, but not out of the folder either.
    const std::string real = realPath(folder + '/' + name), real_folder = realPath(folder);
    if (real.empty())
        return Diagnostic{.what = file + "cannot be found",
                          .advice = "it must be in the folder of the file"};
    if (real_folder != "/" && !real.starts_with(real_folder + '/'))
        return Diagnostic{.what = file + "links out of the file's folder"};
    struct stat status {};
    if (::stat(real.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return Diagnostic{.what = file + "is not a regular file"};
    return real;
}

}  // namespace ulna::io::detail
