// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/save.h"

#include <fmt/format.h>

#include <functional>
#include <utility>
#include <vector>

#include "ulna/character/warnings.h"
#include "ulna/core/text.h"
#include "ulna/io/file.h"
#include "ulna/io/keys.h"
#include "ulna/io/mesh_files.h"
#include "ulna/motion/dof_clip.h"

namespace ulna {
namespace {

using Sink = std::function<bool(std::string_view)>;

struct Job {
    const SaveContent& content;
    const SaveOptions& options;
    const Sink& sink;
    const Progress& progress;
};

Diagnostic cancellation() {
    return {.what = "cancelled"};
}

// The one clip of a format that holds one; null where there is none.
const Clip* onlyClip(const SaveContent& content, Warnings& warnings) {
    if (content.clips.empty()) return nullptr;
    if (content.clips.size() > 1)
        warnings.push_back({.what = fmt::format("one clip of {} is written; --clip chooses it",
                                                content.clips.size()),
                            .text = nameOf(content.clips.front())});
    return &content.clips.front();
}

// Its frames; none where there is no clip.
Result<Motion> onlyMotion(const Job& job, Warnings& warnings) {
    if (const Clip* clip = onlyClip(job.content, warnings))
        return makeFrames(*clip, job.options.frame_rate);
    return Motion(restPose(job.content.skeleton), 0, 1.0 / 30.0, {});
}

void warnAboutMeshes(const SaveContent& content, Warnings& warnings) {
    if (!content.meshes.empty())
        warnings.push_back({.what = "meshes are left out: this format holds none"});
}

Result<Warnings> writeBvh(const Job& job) {
    if (job.content.skeleton.jointCount() == 0)
        return Diagnostic{.what = "a BVH file has at least one joint"};
    Warnings warnings;
    const Result<Motion> motion = onlyMotion(job, warnings);
    if (!motion) return motion.error();
    bool cancelled = false;
    const Progress watched = [&](double fraction) {
        cancelled = cancelled || (job.progress && !job.progress(fraction));
        return !cancelled;
    };
    const io::BvhFile file = io::makeBvh(
        job.content.skeleton, *motion,
        {.order = job.options.order, .root_only_positions = job.options.root_only_positions},
        watched);
    if (cancelled) return cancellation();
    append(file.warnings, warnings);
    io::writeBvh(file, job.sink);
    return warnings;
}

Result<Warnings> writeGltf(const Job& job) {
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

Result<Warnings> writeRig(const Job& job) {
    Warnings warnings;
    io::RigFile rig{std::string(job.content.name), job.content.skeleton, {}};
    bool cancelled = false;
    for (std::size_t i = 0; i < job.content.clips.size(); ++i) {
        const Result<Motion> motion = makeFrames(job.content.clips[i], job.options.frame_rate);
        if (!motion) return motion.error();
        const Progress watched = [&](double fraction) {
            const double all = static_cast<double>(job.content.clips.size());
            cancelled = cancelled ||
                        (job.progress && !job.progress((static_cast<double>(i) + fraction) / all));
            return !cancelled;
        };
        DofClipFit fit = computeDofClip(rig.skeleton, *motion, {}, watched);
        if (cancelled) return cancellation();
        append(residualWarnings(rig.skeleton, fit.worst), warnings);
        rig.clips.push_back(std::move(fit.clip));
    }
    job.sink(io::writeRig(rig));
    return warnings;
}

Result<Warnings> writeCsv(const Job& job) {
    Warnings warnings;
    const Result<Motion> motion = onlyMotion(job, warnings);
    if (!motion) return motion.error();
    const Skeleton& skeleton = job.content.skeleton;
    if (job.options.csv == io::CsvContent::Dofs)
        append(residualWarnings(skeleton, computeDofClip(skeleton, *motion).worst), warnings);
    io::writeCsv(skeleton, *motion, job.options.csv, job.sink, job.progress);
    return warnings;
}

Result<Warnings> writeKeys(const Job& job) {
    Warnings warnings;
    const Clip* clip = onlyClip(job.content, warnings);
    warnings.push_back({.what = "a file of keys holds no skeleton; 'ulna key' puts both together"});
    KeyedMotion keys;
    if (clip != nullptr) {
        const auto* own = std::get_if<KeyedMotion>(clip);
        keys = own != nullptr ? *own : makeKeyed(*std::get_if<Motion>(clip));
    }
    job.sink(io::writeKeysJson(job.content.skeleton, keys));
    return warnings;
}

Result<Warnings> writeSurface(const Job& job, io::MeshFormat format) {
    const SaveContent& content = job.content;
    if (content.meshes.empty())
        return Diagnostic{.what = "there is no mesh to write",
                          .advice = "joints and clips are none"};
    Warnings warnings;
    const Mesh mesh = joinedMeshes(content.meshes);
    if (content.meshes.size() > 1)
        warnings.push_back(
            {.what = fmt::format("{} meshes are written as one, each as it is at bind",
                                 content.meshes.size())});
    if (content.skeleton.jointCount() > 0)
        warnings.push_back(
            {.what = "joints, clips and weights are left out: this format holds a surface"});
    if (!mesh.tangents.empty())
        warnings.push_back({.what = "tangents are left out: this format holds none"});
    if (content.material_set != nullptr && !content.material_set->materials.empty())
        warnings.push_back({.what = "materials are left out: they are written in glTF"});
    job.sink(io::writeMesh(mesh, format));
    return warnings;
}

Result<Warnings> write(const Job& job, FileFormat format) {
    const auto withoutMeshes = [&](Result<Warnings> written) {
        if (written) warnAboutMeshes(job.content, *written);
        return written;
    };
    switch (format) {
        case FileFormat::Bvh:
            return withoutMeshes(writeBvh(job));
        case FileFormat::Gltf:
            return writeGltf(job);
        case FileFormat::Rig:
            return withoutMeshes(writeRig(job));
        case FileFormat::Csv:
            return withoutMeshes(writeCsv(job));
        case FileFormat::Keys:
            return withoutMeshes(writeKeys(job));
        case FileFormat::Obj:
            return writeSurface(job, io::MeshFormat::Obj);
        case FileFormat::Ply:
            return writeSurface(job, io::MeshFormat::PlyBinary);
    }
    return Warnings{};
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
            .name = character.rig ? std::string_view(character.rig->name) : std::string_view()};
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
                          .advice =
                              "known endings: .bvh, .glb, .gltf, .rig.json, .obj, .ply, .csv and "
                              ".keys.json"};
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
    if (warnings && cancelled) warnings = cancellation();
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
