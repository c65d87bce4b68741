// SPDX-License-Identifier: Apache-2.0

// Files out: the bytes, and what the format cannot hold.
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::engine {
namespace {

Result<WrittenReply> written(const SaveContent& content, FileFormat format,
                             const SaveOptions& options = {}) {
    Result<CharacterBytes> made = writeCharacter(content, format, options);
    if (!made) return made.error();
    return WrittenReply{.warnings = std::move(made->warnings), .bytes = std::move(made->bytes)};
}

// Objects whose pointers are in the input.
template <class Object>
std::vector<Object*> readObjects(Reader& in) {
    std::vector<Object*> out(in.size());
    for (Object*& object : out)
        object = reinterpret_cast<Object*>(static_cast<std::uintptr_t>(in.number()));
    return out;
}

std::vector<Clip> readClips(Reader& in) {
    std::vector<Clip> out;
    for (ClipObject* object : readObjects<ClipObject>(in)) out.push_back(wholeClip(*object));
    return out;
}

}  // namespace

/// The options are in the input.
Result<WrittenReply> writeBvhFile(SkeletonObject& skeleton, ClipObject* clip) {
    auto options = readRequest<SaveOptions>();
    if (options.frame_rate == 0.0 && clip != nullptr) options.frame_rate = clip->frame_rate;
    std::vector<Clip> clips;
    if (clip != nullptr) clips.push_back(wholeClip(*clip));
    return written({.skeleton = *skeleton.skeleton, .clips = clips}, FileFormat::Bvh, options);
}

/// In the input: how many clips, and these; the same of meshes.
Result<WrittenReply> writeGltfFile(SkeletonObject& skeleton, io::GltfForm form) {
    Reader in;
    const std::vector<Clip> clips = readClips(in);
    const std::vector<const MeshObject*> objects = readObjects<const MeshObject>(in);
    std::vector<Mesh> meshes;
    for (const MeshObject* mesh : objects) meshes.push_back(fileMesh(*mesh));
    const SharedMaterials material_set = joinMaterials(objects, meshes);
    return written({.skeleton = *skeleton.skeleton,
                    .clips = clips,
                    .meshes = meshes,
                    .material_set = material_set.get()},
                   FileFormat::Gltf, {.gltf_form = form});
}

/// In the input: how many clips, and these; then the name.
Result<WrittenReply> writeRigFile(SkeletonObject& skeleton, double fps, std::size_t name_size) {
    Reader in;
    const std::vector<Clip> clips = readClips(in);
    const std::string name(in.bytes(), name_size);
    return written({.skeleton = *skeleton.skeleton, .clips = clips, .name = name}, FileFormat::Rig,
                   {.frame_rate = fps});
}

/// In the input: the pose, if there is one.
Result<WrittenReply> writeMeshFile(MeshObject& object, FileFormat format, bool posed,
                                   SkinBlend blend, Twist twist) {
    Mesh mesh = fileMesh(object);
    if (posed) {
        readPose(0, object.pose);
        mesh = posedMesh(*object.skeleton, mesh, computeModelPose(*object.skeleton, object.pose),
                         {.blend = blend}, twistBones(*object.skeleton, twist));
    }
    // A surface without its skeleton: nothing that is asked for is left out.
    const Skeleton none;
    return written({.skeleton = none, .meshes = {&mesh, 1}}, format);
}

}  // namespace ulna::engine
