// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/formats.h"

#include "ulna/character/detail/readers.h"
#include "ulna/core/assert.h"
#include "ulna/core/text.h"
#include "ulna/io/mesh_files.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skin/check_mesh.h"

namespace ulna {
namespace {

using character::detail::Reader;

Result<Character> readBvh(std::string_view bytes, std::string_view name,
                          const OpenOptions& options) {
    return character::detail::fromBvh(
        io::readBvh(bytes, name, character::detail::bvhReading(options)), options);
}

Result<Character> readGltf(std::string_view bytes, std::string_view name,
                           const OpenOptions& options) {
    Result<io::GltfFile> file =
        io::readGltf(bytes, name, {.folder = options.folder, .morphs = options.morphs});
    if (!file) return file.error();
    Character out;
    out.skeleton = std::move(file->skeleton);
    for (KeyedMotion& clip : file->clips) out.clips.emplace_back(std::move(clip));
    out.meshes = std::move(file->meshes);
    out.material_set = std::move(file->material_set);
    out.morphs = std::move(file->morphs);
    out.warnings = std::move(file->warnings);
    return out;
}

Result<Character> readRig(std::string_view bytes, std::string_view name, const OpenOptions&) {
    Result<io::RigFile> file = io::readRig(bytes, name);
    if (!file) return file.error();
    Character out;
    out.rig = *std::move(file);
    out.skeleton = out.rig->skeleton;
    for (const DofClip& clip : out.rig->clips)
        out.clips.emplace_back(computeMotion(out.skeleton, clip));
    return out;
}

Result<Character> fromSurface(Result<io::MeshFile> file, std::string_view name,
                              const OpenOptions& options) {
    if (!file) return file.error();
    const bool points = options.points && file->mesh.indices.empty();
    if (std::optional<Diagnostic> fault = findFault(file->mesh); fault && !points) {
        fault->location.file = name;
        return *std::move(fault);
    }
    Character out;
    out.meshes.push_back(std::move(file->mesh));
    out.position_count = file->position_count;
    out.warnings = std::move(file->warnings);
    return out;
}

Result<Character> readObj(std::string_view bytes, std::string_view name,
                          const OpenOptions& options) {
    return fromSurface(io::readObj(bytes, name, {.points = options.points}), name, options);
}

Result<Character> readPly(std::string_view bytes, std::string_view name,
                          const OpenOptions& options) {
    return fromSurface(io::readPly(bytes, name, {.points = options.points}), name, options);
}

constexpr std::string_view kBvhEndings[] = {".bvh"};
constexpr std::string_view kGltfEndings[] = {".glb", ".gltf"};
constexpr std::string_view kKeysEndings[] = {".keys.json"};
constexpr std::string_view kRigEndings[] = {".rig.json", ".json"};
constexpr std::string_view kObjEndings[] = {".obj"};
constexpr std::string_view kPlyEndings[] = {".ply"};
constexpr std::string_view kCsvEndings[] = {".csv"};

// A format's line. Names are compared in this order: `.keys.json` ends in `.json` too.
struct Line {
    FormatInfo info;
    Reader read;
};
constexpr bool kSkeleton = true, kKeys = true, kSurfaces = true, kNo = false;
constexpr Line kLines[] = {
    {{FileFormat::Bvh, "BVH", "bvh", kBvhEndings, kSkeleton, kNo, kNo}, readBvh},
    {{FileFormat::Gltf, "glTF", "gltf", kGltfEndings, kSkeleton, kKeys, kSurfaces}, readGltf},
    {{FileFormat::Keys, "keys", "keys", kKeysEndings, kNo, kKeys, kNo}, nullptr},
    {{FileFormat::Rig, "Ulna rig", "rig", kRigEndings, kSkeleton, kNo, kNo}, readRig},
    {{FileFormat::Obj, "OBJ", "obj", kObjEndings, kNo, kNo, kSurfaces}, readObj},
    {{FileFormat::Ply, "PLY", "ply", kPlyEndings, kNo, kNo, kSurfaces}, readPly},
    {{FileFormat::Csv, "CSV", "csv", kCsvEndings, kNo, kNo, kNo}, nullptr},
};

const Line& lineOf(FileFormat format) {
    for (const Line& line : kLines)
        if (line.info.format == format) return line;
    ULNA_ASSERT(false, "every format has a line in the table");
    return kLines[0];
}

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
    return lineOf(format).info;
}

bool isReadable(FileFormat format) {
    return lineOf(format).read != nullptr;
}

character::detail::Reader character::detail::readerOf(FileFormat format) {
    return lineOf(format).read;
}

std::optional<FileFormat> formatOfName(std::string_view name) {
    if (name == "-") return FileFormat::Bvh;
    const std::string lower = lowerCase(name);
    for (const Line& line : kLines)
        for (const std::string_view ending : line.info.endings)
            if (lower.ends_with(ending)) return line.info.format;
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
