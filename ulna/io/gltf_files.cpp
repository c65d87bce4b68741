// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/gltf_files.h"

#include <optional>

#include "ulna/io/detail/base64.h"
#include "ulna/io/detail/file_beside.h"

namespace ulna::io::detail {
namespace {

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::optional<std::string> percentDecoded(std::string_view uri) {
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] != '%') {
            out += uri[i];
            continue;
        }
        if (uri.size() - i < 3) return {};
        const int high = hexDigit(uri[i + 1]), low = hexDigit(uri[i + 2]);
        if (high < 0 || low < 0) return {};
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

}  // namespace

bool isDataUri(std::string_view uri) {
    return uri.starts_with("data:");
}

Result<std::string> decodeDataUri(std::string_view uri) {
    const std::size_t comma = uri.find(',');
    if (comma == uri.npos || !uri.substr(0, comma).ends_with(";base64"))
        return Diagnostic{.what = "the data URI is not base64"};
    std::optional<std::string> bytes = decodeBase64(uri.substr(comma + 1));
    if (!bytes) return Diagnostic{.what = "the data URI has invalid base64"};
    return *std::move(bytes);
}

Result<std::string> findFileBeside(std::string_view what, const std::string& uri,
                                   const std::string& folder) {
    const std::string file = "the " + std::string(what) + " '" + excerpt(uri) + "' ";
    const std::optional<std::string> name = percentDecoded(uri);
    if (!name) return Diagnostic{.what = "'" + excerpt(uri) + "' is not a URI"};
    if (folder.empty() && staysInside(*name)) {
        return Diagnostic{.what = file + "is a separate file",
                          .advice = "load the file by its path, or use a .glb, which contains all"};
    }
    return findInFolder(file, *name, folder);
}

}  // namespace ulna::io::detail
