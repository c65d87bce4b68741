// SPDX-License-Identifier: Apache-2.0

// Files in: bytes and a name become a skeleton, clips and meshes, or an error with its place.
#include <cmath>
#include <utility>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"
#include "ulna/core/text.h"
#include "ulna/draw/figure.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/io/mesh_files.h"
#include "ulna/io/rig_json.h"
#include "ulna/motion/dof_clip.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::engine {
namespace {

// As engine.js numbers them.
enum class Format : int { Bvh, Gltf, Rig, Unknown };

struct Contents {
    Skeleton skeleton = {};
    bool z_up = false;
    std::vector<std::variant<Motion, KeyedMotion>> clips = {};
    std::vector<Mesh> meshes = {};
    SharedMaterials material_set = std::make_shared<const io::MaterialSet>();
    Warnings warnings = {};
};

struct OpenOptions {
    io::BvhReadOptions reading = {};
    io::BvhMotionOptions meaning = {};
};

// By the name's ending, or by the bytes where it says nothing.
Format formatOf(std::string_view bytes, std::string_view name) {
    const std::string lower = lowerCase(name);
    if (lower.ends_with(".bvh")) return Format::Bvh;
    if (lower.ends_with(".glb") || lower.ends_with(".gltf")) return Format::Gltf;
    if (lower.ends_with(".rig.json")) return Format::Rig;
    if (bytes.starts_with("glTF")) return Format::Gltf;
    // Long enough for a byte-order mark, a comment or two and the first words.
    const std::string head = lowerCase(bytes.substr(0, 4096));
    if (head.find("hierarchy") != std::string::npos) return Format::Bvh;
    if (bytes.find("\"asset\"") != std::string_view::npos) return Format::Gltf;
    if (lower.ends_with(".json") || bytes.find("\"ulna\"") != std::string_view::npos)
        return Format::Rig;
    return Format::Unknown;
}

Result<Contents> openBvh(std::string_view bytes, std::string_view name,
                         const OpenOptions& options) {
    const Result<io::BvhFile> file = io::readBvh(bytes, name, options.reading);
    if (!file) return file.error();
    Result<io::BvhMotion> motion = io::toMotion(*file, options.meaning);
    if (!motion) return motion.error();
    if (options.reading.strict && !motion->warnings.empty()) return motion->warnings.front();
    Contents out;
    out.z_up = guessUpAxis(motion->skeleton) == UpAxis::Z;
    out.skeleton = std::move(motion->skeleton);
    if (motion->motion.frameCount() > 0) out.clips.emplace_back(std::move(motion->motion));
    out.warnings = std::move(motion->warnings);
    return out;
}

Result<Contents> openGltf(std::string_view bytes, std::string_view name) {
    Result<io::GltfFile> file = io::readGltf(bytes, name);
    if (!file) return file.error();
    Contents out;
    out.skeleton = std::move(file->skeleton);
    for (KeyedMotion& clip : file->clips) out.clips.emplace_back(std::move(clip));
    out.meshes = std::move(file->meshes);
    out.material_set = std::make_shared<const io::MaterialSet>(std::move(file->material_set));
    out.warnings = std::move(file->warnings);
    return out;
}

Result<Contents> openRig(std::string_view bytes, std::string_view name) {
    Result<io::RigFile> file = io::readRig(bytes, name);
    if (!file) return file.error();
    Contents out;
    out.z_up = !file->skeleton.planar() && guessUpAxis(file->skeleton) == UpAxis::Z;
    for (const DofClip& clip : file->clips)
        out.clips.emplace_back(computeMotion(file->skeleton, clip));
    out.skeleton = std::move(file->skeleton);
    return out;
}

// Numbers in files are bounded, but products of scales are not.
std::optional<Diagnostic> beyondNumbers(const Skeleton& skeleton, std::string_view name) {
    constexpr double kLargest = 1e200;
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    for (std::size_t i = 0; i < rest.model_from_joint.size(); ++i) {
        for (const auto& column : rest.model_from_joint[i].columns) {
            for (const double value : column) {
                if (std::abs(value) <= kLargest) continue;
                return Diagnostic{"a joint is farther away than numbers reach",
                                  {std::string(name), 0, 0, {}},
                                  skeleton.name(jointId(i)),
                                  {}};
            }
        }
    }
    return {};
}

Result<Contents> openBytes(Format format, std::string_view bytes, std::string_view name,
                           const OpenOptions& options) {
    Result<Contents> out = format == Format::Bvh    ? openBvh(bytes, name, options)
                           : format == Format::Gltf ? openGltf(bytes, name)
                                                    : openRig(bytes, name);
    if (!out) return out;
    if (const auto fault = beyondNumbers(out->skeleton, name)) return *fault;
    return out;
}

double handleNumber(const void* object) {
    return static_cast<double>(reinterpret_cast<std::uintptr_t>(object));
}

void putObjects(Contents contents) {
    SkeletonObject* skeleton = makeObject(std::move(contents.skeleton), contents.z_up);
    put(handleNumber(skeleton));
    put(static_cast<double>(contents.clips.size()));
    for (auto& clip : contents.clips) {
        auto* object = new ClipObject{skeleton->skeleton, std::move(clip)};
        object->pose = skeleton->pose;
        put(handleNumber(object));
    }
    put(static_cast<double>(contents.meshes.size()));
    for (Mesh& mesh : contents.meshes)
        put(handleNumber(makeObject(skeleton->skeleton, std::move(mesh), contents.material_set)));
    // Meshes hold the images that are told of here.
    const io::MaterialSet none;
    putMaterials(contents.meshes.empty() ? none : *contents.material_set);
    put(contents.warnings);
}

}  // namespace

/// The input has the bytes, then the name. The answer is 0 for an error.
ULNA_EXPORT(bool, engineOpen)
(std::size_t size, std::size_t name_size, bool strict, bool lenient, bool add) {
    const char* input = inputBytes(0);
    const std::string_view bytes(input, size), name(input + size, name_size);
    const Format format = formatOf(bytes, name);
    if (format == Format::Unknown) {
        fail({size == 0 ? "the file is empty" : "the format of the file is unknown",
              {std::string(name), 0, 0, {}},
              {},
              "BVH, GLB, glTF and rig JSON are opened; their endings are .bvh, .glb, .gltf and "
              ".rig.json"});
        return false;
    }
    OpenOptions options;
    options.reading.strict = strict;
    options.reading.lenient = lenient;
    if (add) options.meaning.position_channels = io::PositionChannels::Add;
    Result<Contents> contents = openBytes(format, bytes, name, options);
    if (!contents) {
        fail(contents.error());
        return false;
    }
    clearReply();
    put(static_cast<double>(format));
    putObjects(*std::move(contents));
    return true;
}

/// The same for a surface: which of the two formats is told by the name or the bytes.
ULNA_EXPORT(MeshObject*, engineReadMesh)
(const SkeletonObject* skeleton, std::size_t size, std::size_t name_size) {
    const char* input = inputBytes(0);
    const std::string_view bytes(input, size), name(input + size, name_size);
    const bool ply = lowerCase(name).ends_with(".ply") || bytes.starts_with("ply");
    Result<io::MeshFile> file = ply ? io::readPly(bytes, name) : io::readObj(bytes, name);
    if (!file) {
        fail(file.error());
        return nullptr;
    }
    if (std::optional<Diagnostic> fault = findFault(file->mesh)) {
        fault->location.file = name;
        fail(*fault);
        return nullptr;
    }
    clearReply();
    put(static_cast<double>(file->position_count));
    put(file->warnings);
    return makeObject(skeleton->skeleton, std::move(file->mesh));
}

}  // namespace ulna::engine
