// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/open.h"

#include <cmath>
#include <utility>

#include "ulna/character/detail/readers.h"
#include "ulna/io/file.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace character::detail {

io::BvhReadOptions bvhReading(const OpenOptions& options) {
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

}  // namespace character::detail

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

// Numbers in files are bounded, but products of scales are not.
std::optional<Diagnostic> findOverflow(const Character& character) {
    constexpr double kLargest = 1e200;  // its square and a few sums still are finite
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
    const character::detail::Reader read = character::detail::readerOf(*format);
    if (read == nullptr) return writtenOnly(*format, name);
    return checked(read(bytes, name, options), *format, name, options);
}

Result<Character> openCharacter(const std::string& path, const OpenOptions& options) {
    const std::optional<FileFormat> format = formatOfName(path);
    if (!format) return unknownFormat(path, false);
    if (*format == FileFormat::Bvh) {
        // Long ones are not held in memory as text too.
        const io::BvhReadOptions reading = character::detail::bvhReading(options);
        return checked(character::detail::fromBvh(io::loadBvh(path, reading), options), *format,
                       path, options);
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
