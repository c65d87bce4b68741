// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/open.h"

#include <cmath>
#include <utility>

#include "ulna/io/file.h"
#include "ulna/io/mesh_files.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/check_mesh.h"

namespace ulna {
namespace {

Diagnostic unknownFormat(std::string_view name, bool empty) {
    return {.what = empty ? "the file is empty" : "the format of the file is unknown",
            .location = {.file = std::string(name)},
            .advice =
                "BVH, GLB, glTF, rig JSON, OBJ and PLY are opened; their endings are .bvh, .glb, "
                ".gltf, .rig.json, .obj and .ply"};
}

Diagnostic writtenOnly(FileFormat format, std::string_view name) {
    const bool keys = format == FileFormat::Keys;
    return {
        .what = keys ? "a file of keys has no skeleton"
                     : "CSV is written, not read: a table does not say how joints hang together",
        .location = {.file = std::string(name)},
        .advice = keys ? "'ulna key' takes both" : "'ulna key' makes a clip of a table of keys"};
}

io::BvhReadOptions readingOf(const OpenOptions& options) {
    return {.strict = options.strict, .lenient = options.lenient};
}

Result<Character> fromBvh(Result<io::BvhFile> file, const OpenOptions& options) {
    if (!file) return file.error();
    Character out;
    out.bvh = *std::move(file);
    Result<io::BvhMotion> motion = io::toMotion(
        *out.bvh, {.position_channels = options.position_channels, .threads = options.threads});
    if (!motion) return motion.error();
    out.skeleton = std::move(motion->skeleton);
    out.warnings = std::move(motion->warnings);
    if (motion->motion.frameCount() > 0) out.clips.emplace_back(std::move(motion->motion));
    return out;
}

Result<Character> readBvh(std::string_view bytes, std::string_view name,
                          const OpenOptions& options) {
    return fromBvh(io::readBvh(bytes, name, readingOf(options)), options);
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

Result<Character> readRig(std::string_view bytes, std::string_view name) {
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

Result<Character> readBytes(FileFormat format, std::string_view bytes, std::string_view name,
                            const OpenOptions& options) {
    switch (format) {
        case FileFormat::Bvh:
            return readBvh(bytes, name, options);
        case FileFormat::Gltf:
            return readGltf(bytes, name, options);
        case FileFormat::Rig:
            return readRig(bytes, name);
        case FileFormat::Obj:
            return fromSurface(io::readObj(bytes, name, {.points = options.points}), name, options);
        case FileFormat::Ply:
            return fromSurface(io::readPly(bytes, name, {.points = options.points}), name, options);
        case FileFormat::Csv:
        case FileFormat::Keys:
            break;
    }
    return writtenOnly(format, name);
}

// Numbers in files are bounded, but products of scales are not.
std::optional<Diagnostic> findOverflow(const Character& character) {
    constexpr double kLargest =
        1e200;  // of 1e308: products with weights and their sums stay finite
    const Skeleton& skeleton = character.skeleton;
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    for (const JointId j : skeleton.joints()) {
        for (const auto& column : rest[j].columns) {
            for (const double value : column) {
                if (std::abs(value) <= kLargest) continue;
                return Diagnostic{.what = "a joint is farther away than numbers reach",
                                  .location = {.file = character.path},
                                  .text = skeleton.name(j)};
            }
        }
    }
    return std::nullopt;
}

// What holds for every format, once its reader is done.
Result<Character> checked(Result<Character> read, FileFormat format, std::string_view name,
                          const OpenOptions& options) {
    if (!read) return read;
    read->path = name;
    read->format = format;
    if (options.strict && !read->warnings.empty()) return read->warnings.front();
    if (std::optional<Diagnostic> fault = findOverflow(*read)) return *std::move(fault);
    return read;
}

}  // namespace

Result<Character> openCharacter(std::string_view bytes, std::string_view name,
                                const OpenOptions& options) {
    const std::optional<FileFormat> format = formatOfBytes(bytes, name);
    if (!format) return unknownFormat(name, bytes.empty());
    return checked(readBytes(*format, bytes, name, options), *format, name, options);
}

Result<Character> openCharacter(const std::string& path, const OpenOptions& options) {
    const std::optional<FileFormat> format = formatOfName(path);
    if (!format) return unknownFormat(path, false);
    if (*format == FileFormat::Bvh) {
        // The memory of a long file is handed back as it is read.
        return checked(fromBvh(io::loadBvh(path, readingOf(options)), options), *format, path,
                       options);
    }
    if (!isReadable(*format)) return writtenOnly(*format, path);
    const Result<io::FileBytes> bytes = io::readFile(path);
    if (!bytes) return bytes.error();
    OpenOptions beside = options;
    const std::size_t slash = path.rfind('/');
    beside.folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    return openCharacter(bytes->view(), path, beside);
}

}  // namespace ulna
