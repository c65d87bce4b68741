// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/save.h"

#include <utility>
#include <vector>

#include "ulna/character/detail/format.h"
#include "ulna/core/text.h"
#include "ulna/io/file.h"

namespace ulna {
namespace {

using character::detail::SaveJob;
using character::detail::Sink;

Result<Warnings> write(const SaveJob& job, FileFormat format) {
    Result<Warnings> warnings = character::detail::formatOf(format).save(job);
    if (warnings && !formatInfo(format).surfaces && !job.content.meshes.empty())
        warnings->push_back({.what = "meshes are left out: this format holds none"});
    return warnings;
}

// Another mesh's vertices and triangles behind a mesh's own. Attributes that not both have go.
void join(const Mesh& from, Mesh& to) {
    const auto count = static_cast<std::uint32_t>(to.positions.size());
    const auto add = [](const auto& more, auto& out) {
        if (more.empty()) out.clear();
        if (!out.empty()) out.insert(out.end(), more.begin(), more.end());
    };
    add(from.normals, to.normals);
    add(from.tangents, to.tangents);
    add(from.texcoords, to.texcoords);
    to.weights = {};
    to.parts = {};
    if (!from.colors.empty() || !to.colors.empty()) {
        std::vector<Color> more = from.colors;
        more.resize(from.positions.size());  // white, as surfaces without colours are
        to.colors.resize(count);
        to.colors.insert(to.colors.end(), more.begin(), more.end());
    }
    to.positions.insert(to.positions.end(), from.positions.begin(), from.positions.end());
    for (const std::uint32_t corner : from.indices) to.indices.push_back(count + corner);
}

}  // namespace

SaveContent contentOf(const Character& character) {
    return {.skeleton = character.skeleton,
            .clips = character.clips,
            .meshes = character.meshes,
            .material_set = &character.material_set,
            .name = character.rig ? std::string_view(character.rig->name) : std::string_view(),
            .robot = character.robot ? &*character.robot : nullptr};
}

Result<CharacterBytes> writeCharacter(const SaveContent& content, FileFormat format,
                                      const SaveOptions& options, const Progress& progress) {
    CharacterBytes out;
    const Sink sink = [&](std::string_view piece) {
        out.bytes += piece;
        return true;
    };
    Result<Warnings> warnings = write({content, options, sink, progress}, format);
    if (!warnings) return warnings.error();
    out.warnings = *std::move(warnings);
    return out;
}

Result<Warnings> saveCharacter(const SaveContent& content, const std::string& path,
                               const SaveOptions& options, const Progress& progress) {
    const std::optional<FileFormat> format = path == "-" ? std::nullopt : formatOfName(path);
    if (!format)
        return Diagnostic{.what = "the format of the file to write is unknown",
                          .location = {.file = path},
                          .advice = "known endings: " + knownEndings(FileUse::Write)};
    Result<io::AtomicFile> file = io::AtomicFile::create(path);
    if (!file) return file.error();
    SaveOptions how = options;
    if (!how.gltf_form)
        how.gltf_form =
            lowerCase(path).ends_with(".gltf") ? io::GltfForm::Text : io::GltfForm::Binary;
    bool cancelled = false;
    const Progress watched = [&](double fraction) {
        cancelled = cancelled || (progress && !progress(fraction));
        return !cancelled;
    };
    const Sink sink = [&](std::string_view piece) {
        file->write(piece);
        return true;
    };
    Result<Warnings> warnings = write({content, how, sink, watched}, *format);
    if (warnings && cancelled) warnings = character::detail::cancellation();
    if (!warnings) {
        Diagnostic error = warnings.error();
        error.location.file = path;
        return error;
    }
    if (const Status status = file->finish(); !status) return status.error();
    return warnings;
}

Mesh joinedMeshes(std::span<const Mesh> meshes) {
    Mesh out = meshes.empty() ? Mesh{} : meshes.front();
    for (std::size_t i = 1; i < meshes.size(); ++i) join(meshes[i], out);
    return out;
}

}  // namespace ulna
