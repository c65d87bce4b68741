// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/detail/format.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"

namespace ulna::character::detail {
namespace {

Result<Character> openGltf(std::string_view bytes, std::string_view name,
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

Result<Warnings> saveGltf(const SaveJob& job) {
    std::vector<KeyedMotion> keyed;
    std::vector<Motion> motions;
    for (const Clip& clip : job.content.clips) {
        if (const auto* keys = std::get_if<KeyedMotion>(&clip)) keyed.push_back(*keys);
        if (const auto* motion = std::get_if<Motion>(&clip)) motions.push_back(*motion);
    }
    return io::writeGltf({.skeleton = job.content.skeleton,
                          .clips = keyed,
                          .motions = motions,
                          .meshes = job.content.meshes,
                          .material_set = job.content.material_set},
                         job.options.gltf_form.value_or(io::GltfForm::Binary), job.sink,
                         job.progress);
}

constexpr std::string_view kGltfEndings[] = {".glb", ".gltf"};

}  // namespace

const FormatInfo kGltfInfo = {.format = FileFormat::Gltf,
                              .name = "glTF",
                              .word = "gltf",
                              .endings = kGltfEndings,
                              .readable = true,
                              .skeleton = true,
                              .keys = true,
                              .surfaces = true,
                              .several = true};
const Format kGltfFormat = {.open = openGltf, .save = saveGltf};

}  // namespace ulna::character::detail
