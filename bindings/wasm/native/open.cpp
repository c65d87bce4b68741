// SPDX-License-Identifier: Apache-2.0

// Files in: bytes and a name become a skeleton, clips and meshes, or an error that says where.
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::engine {
namespace {

// Objects of all that a file holds; engine.js frees them.
DocumentReply makeDocument(Character character, const SharedMaterials& material_set) {
    const bool z_up = upAxisOf(character) == UpAxis::Z;
    const double size = sizeOf(character);
    SkeletonObject* skeleton =
        makeObject(std::make_shared<const Skeleton>(std::move(character.skeleton)), z_up);
    DocumentReply out = {
        .format = character.format, .skeleton = skeleton, .size = size, .usual_clip = -1};
    if (const std::optional<std::size_t> clip = usualClip(character))
        out.usual_clip = static_cast<int>(*clip);
    for (Clip& clip : character.clips) {
        auto* object = new ClipObject{skeleton->skeleton, std::move(clip)};
        object->pose = skeleton->pose;
        out.clips.push_back(object);
    }
    for (Mesh& mesh : character.meshes)
        out.meshes.push_back(makeObject(skeleton->skeleton, std::move(mesh), material_set));
    out.warnings = std::move(character.warnings);
    return out;
}

}  // namespace

/// The input has the options, the bytes, then the name; the reply has the document, then its
/// materials.
bool engineOpen(std::size_t size, std::size_t name_size) {
    Reader in;
    OpenOptions options;
    read(in, options);
    const std::string_view bytes(in.bytes(), size), name(in.bytes() + size, name_size);
    Result<Character> character = openCharacter(bytes, name, options);
    if (!character) {
        fail(character.error());
        return false;
    }
    if (!formatInfo(character->format).skeleton) {
        fail({.what = "the file is a surface without a skeleton",
              .location = {.file = std::string(name)},
              .advice = "open a skeleton, and read the surface for it"});
        return false;
    }
    // Meshes hold the images, which engine.js copies from where they are.
    const auto material_set =
        std::make_shared<const io::MaterialSet>(std::move(character->material_set));
    const bool shown = !character->meshes.empty();
    const DocumentReply reply = makeDocument(*std::move(character), material_set);
    clearReply();
    put(reply);
    const io::MaterialSet none;
    put(shown ? *material_set : none);
    return true;
}

/// A surface: the input has the bytes, then the name; either says which of the two formats it is.
MeshObject* engineReadMesh(SkeletonObject& skeleton, std::size_t size, std::size_t name_size) {
    const char* input = inputBytes(0);
    const std::string_view bytes(input, size), name(input + size, name_size);
    const bool ply = formatOfBytes(bytes, name) == FileFormat::Ply;
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
    put(MeshFileReply{.position_count = file->position_count, .warnings = file->warnings});
    return makeObject(skeleton.skeleton, std::move(file->mesh));
}

}  // namespace ulna::engine
