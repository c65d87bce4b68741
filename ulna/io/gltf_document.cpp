// SPDX-License-Identifier: Apache-2.0

// From bytes to a checked glTF document with its buffers at hand.
//
// tinygltf parses the document to values. It gets only the part of it that is used, after every
// type and index was checked, and never the buffers: those are decoded, mapped or pointed at here,
// so that no path is opened and no byte copied but by us.
#include <cstring>
#include <fstream>  // which tinygltf takes for granted
#include <limits>

#define TINYGLTF_IMPLEMENTATION
#include "ulna/io/detail/gltf_files.h"
#include "ulna/io/detail/gltf_reader.h"

namespace ulna::io::detail {
namespace {

// Extras and extensions are parsed recursively; no document of use is deeper.
constexpr std::size_t kDeepestNesting = 200;
// Whatever a file is like, this many keys, vertices and so on may be made from it.
constexpr std::size_t kLeastAllowance = 1U << 20U;

constexpr std::string_view kNoCompression = "save it again without compression";

struct Container {
    std::string_view json;
    std::string_view binary;  // empty when there is none
    bool has_binary = false;
};

std::uint32_t word(std::string_view bytes, std::size_t offset) {
    std::uint32_t out = 0;
    for (std::size_t i = 4; i-- > 0;)
        out = out << 8U | static_cast<unsigned char>(bytes[offset + i]);
    return out;
}

// The chunks of a .glb: a header of 12 bytes, then length, type and bytes of each.
bool splitBinary(std::string_view bytes, GltfReader& reader, Container& out) {
    constexpr std::uint32_t kJson = 0x4E4F534A;
    constexpr std::uint32_t kBin = 0x004E4942;
    constexpr const char* kTruncated = "the file is cut off, or was changed on its way";
    if (bytes.size() < 20) return reader.fail("", "the file ends within its header", kTruncated);
    if (word(bytes, 4) != 2)
        return reader.fail("", "this is version " + std::to_string(word(bytes, 4)) + " of .glb",
                           "version 2 is read");
    const std::size_t length = word(bytes, 8);
    if (length > bytes.size())
        return reader.fail("",
                           "the file has " + std::to_string(bytes.size()) + " bytes of the " +
                               std::to_string(length) + " its header states",
                           kTruncated);
    bytes = bytes.substr(0, length);
    for (std::size_t place = 12, chunk = 0; place < bytes.size(); ++chunk) {
        if (bytes.size() - place < 8)
            return reader.fail("", "the file ends within the header of a chunk", kTruncated);
        const std::size_t size = word(bytes, place);
        const std::uint32_t type = word(bytes, place + 4);
        place += 8;
        if (size > bytes.size() - place)
            return reader.fail("", "the file ends within a chunk", kTruncated);
        if (chunk == 0 && type != kJson) return reader.fail("", "the first chunk is not JSON");
        if (chunk == 0) out.json = bytes.substr(place, size);
        if (chunk == 1 && type == kBin) {
            out.binary = bytes.substr(place, size);
            out.has_binary = true;
        }
        place += size;
        place += std::min((4 - place % 4) % 4, bytes.size() - place);  // some leave padding out
    }
    return out.json.data() != nullptr || reader.fail("", "there is no JSON chunk");
}

// Brackets outside strings: no recursion anywhere may be made deep by a file.
bool nestsTooDeep(std::string_view json) {
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (quoted && c == '\\') {
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && (c == '[' || c == '{')) {
            if (++depth > kDeepestNesting) return true;
        } else if (!quoted && (c == ']' || c == '}') && depth > 0) {
            --depth;
        }
    }
    return false;
}

// Required extensions that change nothing of what is read: materials, lights and metadata, and
// integers as coordinates, which are read anyway.
bool canBeRequired(std::string_view extension) {
    constexpr std::string_view kHarmless[] = {
        "KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_",
        "KHR_lights_",    "EXT_lights_",  "KHR_xmp",      "KHR_mesh_quantization"};
    for (const std::string_view harmless : kHarmless) {
        if (extension.starts_with(harmless)) return true;
    }
    return false;
}

bool checkExtensions(const Json& document, GltfReader& reader) {
    const auto required = document.find("extensionsRequired");
    if (required != document.end()) {
        for (std::size_t i = 0; i < required->size(); ++i) {
            const std::string name = (*required)[i].get<std::string>();
            if (canBeRequired(name)) continue;
            const bool packed = name.find("compression") != std::string::npos;
            return reader.fail(
                at("extensionsRequired", i),
                "the file needs the extension '" + excerpt(name) + "', which is not read",
                std::string(packed ? kNoCompression : "save it again without it"));
        }
    }
    const auto used = document.find("extensionsUsed");
    if (used == document.end()) return true;
    for (std::size_t i = 0; i < used->size(); ++i) {
        const std::string name = (*used)[i].get<std::string>();
        if (name != "KHR_mesh_quantization" && name != "KHR_materials_unlit" &&
            name != "KHR_texture_transform")
            reader.warn("extensions are left out", at("extensionsUsed", i), name);
    }
    return true;
}

void warnAboutLosses(const Json& document, GltfReader& reader) {
    const auto cameras = document.find("cameras");
    if (cameras != document.end() && cameras->is_array() && !cameras->empty())
        reader.warn("cameras are left out", "cameras");
}

// ---- buffers

bool openFile(const std::string& uri, const std::string& path, const std::string& folder,
              GltfReader& reader) {
    const Result<std::string> real = findFileBeside("buffer", uri, folder);
    if (!real) return reader.fail(path, real.error().what, real.error().advice);
    auto known = reader.files.find(*real);
    if (known == reader.files.end()) {
        Result<FileBytes> bytes = readFile(*real);
        if (!bytes) return reader.fail(path, bytes.error().what);
        known = reader.files.emplace(*real, *std::move(bytes)).first;
        reader.allowance += known->second.view().size();
    }
    reader.buffers.push_back(known->second.view());
    return true;
}

bool openDataUri(std::string_view uri, const std::string& path, GltfReader& reader) {
    Result<std::string> bytes = decodeDataUri(uri);
    if (!bytes) return reader.fail(path, bytes.error().what);
    reader.decoded.push_back(*std::move(bytes));
    reader.buffers.push_back(reader.decoded.back());
    return true;
}

bool openBuffers(const Json& document, const Container& container, const GltfReadOptions& options,
                 GltfReader& reader) {
    const auto buffers = document.find("buffers");
    if (buffers == document.end()) return true;
    reader.decoded.reserve(buffers->size());  // so that views of them stay where they are
    for (std::size_t i = 0; i < buffers->size(); ++i) {
        const Json& buffer = (*buffers)[i];
        const std::string path = at("buffers", i);
        const auto uri = buffer.find("uri");
        if (uri != buffer.end()) {
            const std::string& text = uri->get_ref<const std::string&>();
            const bool opened = isDataUri(text)
                                    ? openDataUri(text, path + ".uri", reader)
                                    : openFile(text, path + ".uri", options.folder, reader);
            if (!opened) return false;
        } else if (i == 0 && container.has_binary) {
            reader.buffers.push_back(container.binary);
        } else {
            return reader.fail(path, "the buffer has no bytes", "its 'uri' is missing");
        }
        const auto length = buffer["byteLength"].get<std::uint64_t>();
        if (length > reader.buffers.back().size()) {
            return reader.fail(path + ".byteLength",
                               "the buffer has " + std::to_string(reader.buffers.back().size()) +
                                   " bytes of the " + std::to_string(length) + " stated",
                               "the file is cut off, or was changed on its way");
        }
        reader.buffers.back() = reader.buffers.back().substr(0, static_cast<std::size_t>(length));
    }
    return true;
}

// The rest of the document, as values.
bool parseModel(Json& document, GltfReader& reader) {
    for (const char* key : {"buffers", "images", "textures", "materials", "samplers", "cameras",
                            "extensions", "extras"}) {
        document.erase(key);
    }
    const std::string text = document.dump();
    if (text.size() > std::numeric_limits<unsigned>::max())
        return reader.fail("", "the document has over four gigabytes");
    tinygltf::TinyGLTF parser;
    std::string error, warning;
    if (parser.LoadASCIIFromString(&reader.model, &error, &warning, text.data(),
                                   static_cast<unsigned>(text.size()), "", tinygltf::NO_REQUIRE)) {
        return true;
    }
    return reader.fail("", "the document cannot be read: " + excerpt(error));
}

// The JSON of a file, its shape checked; none with an error recorded.
std::optional<Json> openDocument(std::string_view bytes, GltfReader& reader, Container& container) {
    if (bytes.starts_with("glTF")) {
        if (!splitBinary(bytes, reader, container)) return {};
    } else {
        container.json = bytes;
    }
    reader.allowance = kLeastAllowance + bytes.size();
    if (nestsTooDeep(container.json)) {
        reader.fail("",
                    "the JSON is nested more than " + std::to_string(kDeepestNesting) + " deep");
        return {};
    }
    Result<Json> document = parseJson(container.json, reader.source);
    if (!document) {
        reader.error = document.error();
        return {};
    }
    JsonErrors errors{reader.source, {}};
    checkGltfShape(*document, errors);
    if (errors.first) {
        reader.error = errors.first;
        return {};
    }
    const std::string version = (*document)["asset"]["version"].get<std::string>();
    if (!version.starts_with("2.")) {
        reader.fail("asset.version", "this is glTF " + excerpt(version), "glTF 2.0 is read");
        return {};
    }
    return *std::move(document);
}

}  // namespace

bool GltfReader::fail(const std::string& path, const std::string& what, const std::string& advice) {
    if (!error)
        error = Diagnostic{
            .what = what, .location = {.file = source, .json_path = path}, .advice = advice};
    return false;
}

void GltfReader::warn(const std::string& what, const std::string& path, std::string_view text) {
    if (warnings.isFirst(what))
        warnings.keep(
            {.what = what, .location = {.file = source, .json_path = path}, .text = excerpt(text)});
}

bool GltfReader::spend(std::size_t count, const std::string& path) {
    if (count > allowance) {
        return fail(path, "the file describes far more data than it has bytes",
                    "it states counts without bytes for them, or uses the same data many times");
    }
    allowance -= count;
    return true;
}

std::string at(std::string_view array, std::size_t i) {
    return std::string(array) + '[' + std::to_string(i) + ']';
}

void openGltf(std::string_view bytes, const GltfReadOptions& options, GltfReader& reader) {
    Container container;
    std::optional<Json> document = openDocument(bytes, reader, container);
    if (!document || !checkExtensions(*document, reader)) return;
    warnAboutLosses(*document, reader);
    if (!openBuffers(*document, container, options, reader)) return;
    readGltfMaterials(*document, options.folder, reader);
    if (reader.error) return;
    static_cast<void>(parseModel(*document, reader));
}

}  // namespace ulna::io::detail

namespace ulna::io {

std::vector<GltfPartFile> listGltfPartFiles(std::string_view bytes, const std::string& folder) {
    detail::GltfReader reader;
    detail::Container container;
    const std::optional<detail::Json> document = detail::openDocument(bytes, reader, container);
    if (!document) return {};
    std::vector<GltfPartFile> out;
    const auto add = [&](const std::string& uri) {
        if (detail::isDataUri(uri)) return;
        Result<std::string> path = detail::findFileBeside("file", uri, folder);
        if (path) out.push_back({uri, *std::move(path)});
    };
    if (document->contains("buffers")) {
        for (const detail::Json& buffer : document->at("buffers"))
            if (buffer.contains("uri")) add(buffer.at("uri").get<std::string>());
    }
    for (const std::string& uri : detail::imageUris(*document)) add(uri);
    return out;
}

}  // namespace ulna::io
