// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/named_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>

#include "apps/cli/json.h"
#include "ulna/character/formats.h"
#include "ulna/core/text.h"
#include "ulna/io/gltf.h"

namespace ulna::cli {
namespace {

std::string nameOf(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

bool isUnreserved(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~").find(c) != std::string_view::npos;
}

std::string percentEncoded(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (isUnreserved(c))
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::optional<std::string> percentDecoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        if (i + 2 >= text.size()) return std::nullopt;
        const int high = hexDigit(text[i + 1]), low = hexDigit(text[i + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        out += static_cast<char>(16 * high + low);
        i += 2;
    }
    return out;
}

// The path without parts that are empty or `.`; none where a part begins with a dot otherwise.
std::optional<std::string> plainPath(const std::string& uri) {
    const std::optional<std::string> decoded = percentDecoded(uri);
    if (!decoded) return std::nullopt;
    std::string out;
    std::string_view rest = *decoded;
    while (!rest.empty()) {
        const std::size_t slash = rest.find('/');
        const std::string_view name = rest.substr(0, slash);
        rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
        if (name.empty() || name == ".") continue;
        if (name.starts_with('.')) return std::nullopt;
        if (!out.empty()) out += '/';
        out += name;
    }
    return out;
}

std::string typeOf(const std::string& path) {
    const std::string lower = lowerCase(path);
    if (lower.ends_with(".glb")) return "model/gltf-binary";
    if (lower.ends_with(".gltf")) return "model/gltf+json";
    if (lower.ends_with(".json")) return "application/json";
    return "application/octet-stream";
}

bool mayBelongTo(uid_t owner, uid_t expected) {
    constexpr uid_t kRoot = 0;
    return owner == expected || owner == ::geteuid() || owner == kRoot;
}

std::string urlOf(std::size_t file, const std::string& name) {
    return fmt::format("files/{}/{}", file, percentEncoded(name));
}

// By index, so that no path out of a file is ever part of a URL.
std::string partUrlOf(std::size_t file, std::size_t part) {
    return fmt::format("files/{}/parts/{}", file, part);
}

}  // namespace

Result<NamedFiles> NamedFiles::open(const std::vector<std::string>& paths) {
    NamedFiles out;
    std::map<std::string, std::size_t> folders;
    for (const std::string& path : paths) {
        const auto refusal = [&](const std::string& what) {
            return Diagnostic{.what = what, .location = {.file = path}};
        };
        char resolved[PATH_MAX];
        if (::realpath(path.c_str(), resolved) == nullptr)
            return refusal(std::string("cannot be opened: ") + std::strerror(errno));
        const std::string real = resolved;
        const std::string folder = real.substr(0, real.rfind('/') + 1);
        const auto [known, added] = folders.try_emplace(folder, out.folders_.size());
        if (added) {
            std::optional<Handle> handle = openFolder(folder);
            if (!handle) return refusal(std::string("cannot be opened: ") + std::strerror(errno));
            out.folders_.push_back(*std::move(handle));
        }
        Named named{.shown_name = nameOf(path), .file_name = nameOf(real), .folder = known->second};
        const std::optional<OpenFile> file =
            openInFolder(out.folders_[named.folder], named.file_name);
        if (!file) return refusal("cannot be opened as a regular file");
        named.owner = file->owner;
        out.files_.push_back(std::move(named));
    }
    return out;
}

std::optional<OpenFile> NamedFiles::openNamed(const Named& named) const {
    std::optional<OpenFile> file = openInFolder(folders_[named.folder], named.file_name);
    if (file && !mayBelongTo(file->owner, named.owner)) return std::nullopt;
    return file;
}

std::optional<OpenFile> NamedFiles::openPart(const Named& named, const Part& part) const {
    std::optional<OpenFile> file = openInFolder(folders_[named.folder], part.path);
    if (file && !mayBelongTo(file->owner, named.owner)) return std::nullopt;
    return file;
}

const std::vector<NamedFiles::Part>& NamedFiles::partsOf(Named& named) const {
    const std::optional<OpenFile> file =
        formatOfName(named.shown_name) == FileFormat::Gltf ? openNamed(named) : std::nullopt;
    if (!file) {
        named.version.clear();
        named.parts.clear();
        return named.parts;
    }
    if (file->version == named.version) return named.parts;
    named.version = file->version;
    named.parts.clear();
    const std::optional<std::string> bytes = readWhole(*file);
    if (!bytes) return named.parts;
    // The folder by its handle: its path may mean another one by now.
    const std::string folder = fmt::format("/proc/self/fd/{}", folders_[named.folder].get());
    for (const io::GltfPartFile& listed : io::listGltfPartFiles(*bytes, folder)) {
        const std::optional<std::string> path = plainPath(listed.uri);
        if (!path) continue;
        Part part{listed.uri, *path};
        if (openPart(named, part)) named.parts.push_back(std::move(part));
    }
    return named.parts;
}

std::string NamedFiles::list() {
    JsonWriter json;
    json.beginObject().beginArray("files");
    for (std::size_t i = 0; i < files_.size(); ++i) {
        const std::string& name = files_[i].shown_name;
        json.beginObject().member("name", name).member("url", urlOf(i, name));
        // Anew, because a part may have come without a change of the document. Until the next list
        // the parts keep their indices.
        files_[i].version.clear();
        const std::vector<Part>& parts = partsOf(files_[i]);
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

std::optional<ServedFile> NamedFiles::find(std::string_view url) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
        Named& named = files_[i];
        if (url == urlOf(i, named.shown_name)) {
            std::optional<OpenFile> file = openNamed(named);
            if (!file) return std::nullopt;
            return ServedFile{typeOf(named.shown_name), *std::move(file)};
        }
        if (!url.starts_with(fmt::format("files/{}/parts/", i))) continue;
        const std::vector<Part>& parts = partsOf(named);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if (url != partUrlOf(i, k)) continue;
            std::optional<OpenFile> file = openPart(named, parts[k]);
            if (!file) return std::nullopt;
            return ServedFile{"application/octet-stream", *std::move(file)};
        }
    }
    return std::nullopt;
}

}  // namespace ulna::cli
