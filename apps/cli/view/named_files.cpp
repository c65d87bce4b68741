// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/named_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iterator>

#include "apps/cli/input.h"
#include "apps/cli/json.h"
#include "ulna/core/text.h"
#include "ulna/io/gltf.h"

namespace ulna::cli {
namespace {

// A copy, not a mapping: whoever saves a file may cut it while it is sent.
std::optional<std::string> readCopy(const std::string& path) {
    // Where a pipe has taken the file's place, opening it must not wait for a writer.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return std::nullopt;
    struct stat status {};
    bool good = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    std::string out;
    constexpr std::size_t kPiece = 1U << 20U;
    // One byte more than the size, to see the end without growing.
    if (good) out.resize(static_cast<std::size_t>(status.st_size) + 1);
    std::size_t size = 0;
    while (good) {
        if (size == out.size()) out.resize(size + kPiece);
        const ssize_t count = ::read(file, out.data() + size, out.size() - size);
        good = count >= 0;
        if (count <= 0) break;
        size += static_cast<std::size_t>(count);
    }
    ::close(file);
    if (!good) return std::nullopt;
    out.resize(size);
    return out;
}

std::string folderOf(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::string nameOf(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

std::string percentEncoded(std::string_view text) {
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    std::string out;
    for (const char c : text) {
        if (kPlain.find(c) != std::string_view::npos)
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

std::vector<io::GltfPartFile> partsOf(const std::string& path) {
    if (formatOf(path).format != FileFormat::Gltf) return {};
    const std::optional<std::string> bytes = readCopy(path);
    if (!bytes) return {};
    return io::listGltfPartFiles(*bytes, folderOf(path));
}

std::string typeOf(const std::string& path) {
    const std::string lower = lowerCase(path);
    if (lower.ends_with(".glb")) return "model/gltf-binary";
    if (lower.ends_with(".gltf")) return "model/gltf+json";
    if (lower.ends_with(".json")) return "application/json";
    return "application/octet-stream";
}

std::optional<ServedFile> readServed(const std::string& path, std::string type) {
    std::optional<std::string> bytes = readCopy(path);
    if (!bytes) return std::nullopt;
    return ServedFile{std::move(type), *std::move(bytes)};
}

}  // namespace

std::string NamedFiles::urlOf(std::size_t file) const {
    return fmt::format("files/{}/{}", file, percentEncoded(nameOf(paths_[file])));
}

// By number, so that no path out of a file is ever part of a URL.
std::string NamedFiles::partUrlOf(std::size_t file, std::size_t part) const {
    return fmt::format("files/{}/parts/{}", file, part);
}

std::string NamedFiles::list() const {
    JsonWriter json;
    json.beginObject().beginArray("files");
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        json.beginObject().member("name", nameOf(paths_[i])).member("url", urlOf(i));
        const std::vector<io::GltfPartFile> parts = partsOf(paths_[i]);
        if (!parts.empty()) {
            json.beginArray("parts");
            for (std::size_t k = 0; k < parts.size(); ++k) {
                json.beginObject()
                    .member("name", parts[k].uri)
                    .member("url", partUrlOf(i, k))
                    .endObject();
            }
            json.endArray();
        }
        json.endObject();
    }
    json.endArray();
    return endDocument(json);
}

std::optional<ServedFile> NamedFiles::find(std::string_view url) const {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        if (url == urlOf(i)) return readServed(paths_[i], typeOf(paths_[i]));
        if (!url.starts_with(fmt::format("files/{}/parts/", i))) continue;
        const std::vector<io::GltfPartFile> parts = partsOf(paths_[i]);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if (url == partUrlOf(i, k))
                return readServed(parts[k].path, "application/octet-stream");
        }
    }
    return std::nullopt;
}

}  // namespace ulna::cli
