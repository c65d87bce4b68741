// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/formats.h"

#include "ulna/core/assert.h"
#include "ulna/core/text.h"

namespace ulna {
namespace {

constexpr std::string_view kBvhEndings[] = {".bvh"};
constexpr std::string_view kGltfEndings[] = {".glb", ".gltf"};
constexpr std::string_view kKeysEndings[] = {".keys.json"};
constexpr std::string_view kRigEndings[] = {".rig.json", ".json"};
constexpr std::string_view kObjEndings[] = {".obj"};
constexpr std::string_view kPlyEndings[] = {".ply"};
constexpr std::string_view kCsvEndings[] = {".csv"};

// Names are compared in this order: `.keys.json` ends in `.json` too. Of the flags: readable,
// skeleton, keys, surfaces.
constexpr bool kYes = true, kNo = false;
constexpr FormatInfo kFormats[] = {
    {FileFormat::Bvh, "BVH", "bvh", kBvhEndings, kYes, kYes, kNo, kNo},
    {FileFormat::Gltf, "glTF", "gltf", kGltfEndings, kYes, kYes, kYes, kYes},
    {FileFormat::Keys, "keys", "keys", kKeysEndings, kNo, kNo, kYes, kNo},
    {FileFormat::Rig, "Ulna rig", "rig", kRigEndings, kYes, kYes, kNo, kNo},
    {FileFormat::Obj, "OBJ", "obj", kObjEndings, kYes, kNo, kNo, kYes},
    {FileFormat::Ply, "PLY", "ply", kPlyEndings, kYes, kNo, kNo, kYes},
    {FileFormat::Csv, "CSV", "csv", kCsvEndings, kNo, kNo, kNo, kNo},
};

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// Without a byte-order mark and white space.
std::string_view trimmedStart(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : bytes.substr(first);
}

std::optional<FileFormat> sniffed(std::string_view bytes) {
    if (bytes.starts_with("glTF")) return FileFormat::Gltf;
    const std::string_view text = trimmedStart(bytes);
    if (text.starts_with('{')) {
        // A rig may have a joint called asset, but no glTF document has the key of rigs.
        if (contains(text, "\"ulna\"")) return FileFormat::Rig;
        if (contains(text, "\"asset\"")) return FileFormat::Gltf;
        return std::nullopt;
    }
    if (text.starts_with("ply\n") || text.starts_with("ply\r")) return FileFormat::Ply;
    constexpr std::size_t kHead = 4096;  // room for a comment or two before the first word
    if (contains(lowerCase(text.substr(0, kHead)), "hierarchy")) return FileFormat::Bvh;
    return std::nullopt;
}

}  // namespace

const FormatInfo& formatInfo(FileFormat format) {
    for (const FormatInfo& info : kFormats)
        if (info.format == format) return info;
    ULNA_ASSERT(false, "every format has a line in the table");
    return kFormats[0];
}

bool isReadable(FileFormat format) {
    return formatInfo(format).readable;
}

std::optional<FileFormat> formatOfName(std::string_view name) {
    if (name == "-") return FileFormat::Bvh;
    const std::string lower = lowerCase(name);
    for (const FormatInfo& info : kFormats)
        for (const std::string_view ending : info.endings)
            if (lower.ends_with(ending)) return info.format;
    return std::nullopt;
}

std::optional<FileFormat> formatOfBytes(std::string_view bytes, std::string_view name) {
    const std::optional<FileFormat> named = formatOfName(name);
    const bool vague = named == FileFormat::Rig && !lowerCase(name).ends_with(".rig.json");
    if (named && !vague) return named;
    const std::optional<FileFormat> seen = sniffed(bytes);
    return seen ? seen : named;
}

}  // namespace ulna
