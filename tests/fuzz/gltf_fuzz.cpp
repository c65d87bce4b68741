// SPDX-License-Identifier: Apache-2.0

// Any bytes as glTF: must be refused with a sentence, or read so that every value is in order, and
// written so that what was written reads back as the same joints, clips and meshes.
#include <cstdint>
#include <cstdlib>

#include "ulna/io/gltf.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/check_mesh.h"

namespace {

using namespace ulna;

void require(bool condition) {
    if (!condition) std::abort();
}

void checkMeshOf(const Mesh& mesh, const Skeleton& skeleton) {
    require(checkMesh(mesh).ok());
    require(mesh.weights.rowCount() == mesh.positions.size());
    require(mesh.joint_from_bind.size() == skeleton.jointCount());
}

void checkMaterials(const io::GltfFile& file) {
    for (const Mesh& mesh : file.meshes)
        for (const MeshPart& part : mesh.parts)
            require(part.material == kNoMaterial ||
                    part.material < file.material_set.materials.size());
    for (const io::Material& material : file.material_set.materials) {
        require(!material.texture || material.texture->image < file.material_set.images.size());
        for (const double share : material.base_color) require(share >= 0.0 && share <= 1.0);
    }
    for (const io::Image& image : file.material_set.images) require(!image.bytes.empty());
}

// Clips that move only morph targets are read with these alone.
void checkMorphs(std::string_view bytes) {
    const Result<io::GltfFile> file = io::readGltf(bytes, "fuzz.glb", {.morphs = true});
    if (!file) return require(!describe(file.error()).empty());
    for (const io::GltfMorph& morph : file->morphs) {
        require(morph.mesh < file->meshes.size() && morph.weights.size() == morph.targets.size());
        require(morph.clips.size() == file->clips.size());
        const Mesh& mesh = file->meshes[morph.mesh];
        for (std::size_t clip = 0; clip <= file->clips.size(); ++clip)
            require(io::morphedPositions(mesh, morph, clip, 0.3).size() == mesh.positions.size());
    }
}

void check(std::string_view bytes) {
    const Result<io::GltfFile> file = io::readGltf(bytes, "fuzz.glb");
    if (!file) return require(!describe(file.error()).empty());
    for (const Mesh& mesh : file->meshes) checkMeshOf(mesh, file->skeleton);
    checkMaterials(*file);
    for (const KeyedMotion& clip : file->clips) {
        const Pose pose =
            samplePose(clip, clip.startTime() + (clip.endTime() - clip.startTime()) / 3);
        static_cast<void>(computeModelPose(file->skeleton, pose));
    }
    const io::GltfContent content{.skeleton = file->skeleton,
                                  .clips = file->clips,
                                  .meshes = file->meshes,
                                  .material_set = &file->material_set};
    const bool text = bytes.size() % 2 == 0;
    const Result<io::GltfBytes> written =
        io::writeGltf(content, text ? io::GltfForm::Text : io::GltfForm::Binary);
    if (!written) return require(!describe(written.error()).empty());
    const Result<io::GltfFile> again = io::readGltf(written->bytes, "again.glb");
    require(again.ok());
    require(again->skeleton.jointCount() == file->skeleton.jointCount());
    require(again->clips.size() == file->clips.size());
    for (std::size_t i = 0; i < file->meshes.size() && i < again->meshes.size(); ++i)
        checkMeshOf(again->meshes[i], again->skeleton);
    checkMaterials(*again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    check(bytes);
    checkMorphs(bytes);
    return 0;
}
