// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/save.h"

#include <fmt/format.h>

#include "apps/cli/output.h"
#include "apps/cli/residual.h"
#include "ulna/io/bvh.h"
#include "ulna/io/file.h"
#include "ulna/io/gltf.h"
#include "ulna/io/keys.h"
#include "ulna/io/mesh_files.h"
#include "ulna/io/rig_json.h"
#include "ulna/motion/dof_clip.h"

namespace ulna::cli {
namespace {

// The one clip of a format that holds one.
OutputClip onlyClip(const Output& output, Warnings& warnings) {
    if (output.clips.size() > 1) {
        warnings.push_back(
            {fmt::format("one clip of {} is written; --clip chooses it", output.clips.size()),
             {},
             output.clips[0].motion.name,
             {}});
    }
    return output.clips.empty() ? OutputClip{} : output.clips[0];
}

// Another mesh's vertices and triangles behind a mesh's own. Attributes that not both have go.
void join(const Mesh& from, Mesh& to) {
    const auto count = static_cast<std::uint32_t>(to.positions.size());
    const auto append = [](const auto& more, auto& out) {
        if (more.empty()) out.clear();
        if (!out.empty()) out.insert(out.end(), more.begin(), more.end());
    };
    append(from.normals, to.normals);
    append(from.tangents, to.tangents);
    append(from.texcoords, to.texcoords);
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

Warnings saveMeshFile(const Output& output, const std::string& path) {
    if (output.meshes.empty())
        fail(kFailed, {"there is no mesh to write", {}, {}, "joints and clips are none"});
    Warnings warnings;
    const Mesh mesh = joinedMeshes(output.meshes);
    if (output.meshes.size() > 1)
        warnings.push_back({fmt::format("{} meshes are written as one, each as it is at bind",
                                        output.meshes.size()),
                            {},
                            {},
                            {}});
    if (output.skeleton.jointCount() > 0)
        warnings.push_back(
            {"joints, clips and weights are left out: this format holds a surface", {}, {}, {}});
    if (!mesh.tangents.empty())
        warnings.push_back({"tangents are left out: this format holds none", {}, {}, {}});
    if (!output.material_set.materials.empty())
        warnings.push_back({"materials are left out: they are written in glTF", {}, {}, {}});
    must(io::saveMesh(mesh, path));
    return warnings;
}

void warnAboutMeshes(const Output& output, Warnings& warnings) {
    if (!output.meshes.empty())
        warnings.push_back({"meshes are left out: this format holds none", {}, {}, {}});
}

Warnings saveBvhFile(const Output& output, const std::string& path, const SaveOptions& options) {
    if (output.skeleton.jointCount() == 0)
        fail(kFailed, {"a BVH file has at least one joint", {}, {}, {}});
    ProgressBar progress("converting");
    Warnings warnings;
    const Motion motion = onlyClip(output, warnings).motion;
    const io::BvhFile file =
        io::makeBvh(output.skeleton, motion,
                    {.order = options.order, .root_only_positions = options.root_only_positions},
                    progress.callback());
    warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
    must(io::saveBvh(file, path));
    return warnings;
}

Warnings saveRigFile(const Output& output, const std::string& path) {
    Warnings warnings;
    ProgressBar progress("converting");
    io::RigFile rig{output.rig_name, output.skeleton, {}};
    for (const OutputClip& clip : output.clips) {
        DofClipFit fit = computeDofClip(output.skeleton, clip.motion, {}, progress.callback());
        warnAboutResidual(output.skeleton, fit.worst, warnings);
        rig.clips.push_back(std::move(fit.clip));
    }
    must(io::saveRig(rig, path));
    return warnings;
}

Warnings saveCsvFile(const Output& output, const std::string& path, const SaveOptions& options) {
    Warnings warnings;
    ProgressBar progress("converting");
    const Motion motion = onlyClip(output, warnings).motion;
    if (options.csv == io::CsvContent::Dofs)
        warnAboutResidual(output.skeleton, computeDofClip(output.skeleton, motion).worst, warnings);
    io::AtomicFile file = must(io::AtomicFile::create(path));
    const auto sink = [&](std::string_view piece) {
        file.write(piece);
        return true;
    };
    io::writeCsv(output.skeleton, motion, options.csv, sink, progress.callback());
    must(file.finish());
    return warnings;
}

Warnings saveKeysFile(const Output& output, const std::string& path) {
    Warnings warnings;
    const OutputClip clip = onlyClip(output, warnings);
    warnings.push_back(
        {"a file of keys holds no skeleton; 'ulna key' puts both together", {}, {}, {}});
    writeOutput(
        path, io::writeKeysJson(output.skeleton, clip.keys ? *clip.keys : makeKeyed(clip.motion)));
    return warnings;
}

Warnings saveGltfFile(const Output& output, const std::string& path) {
    ProgressBar progress("converting");
    std::vector<KeyedMotion> keyed;
    std::vector<Motion> motions;
    for (const OutputClip& clip : output.clips) {
        if (clip.keys)
            keyed.push_back(*clip.keys);
        else
            motions.push_back(clip.motion);
    }
    return must(io::saveGltf({.skeleton = output.skeleton,
                              .clips = keyed,
                              .motions = motions,
                              .meshes = output.meshes,
                              .material_set = &output.material_set},
                             path, {}, progress.callback()));
}

}  // namespace

Mesh joinedMeshes(std::span<const Mesh> meshes) {
    Mesh out = meshes.empty() ? Mesh{} : meshes.front();
    for (std::size_t i = 1; i < meshes.size(); ++i) join(meshes[i], out);
    return out;
}

bool holdsKeys(Format format) {
    return format == Format::Gltf || format == Format::Keys;
}

Warnings save(const Output& output, const std::string& path, const SaveOptions& options) {
    Warnings warnings;
    switch (outputFormat(path)) {
        case Format::Bvh:
            warnings = saveBvhFile(output, path, options);
            break;
        case Format::Rig:
            warnings = saveRigFile(output, path);
            break;
        case Format::Csv:
            warnings = saveCsvFile(output, path, options);
            break;
        case Format::Keys:
            warnings = saveKeysFile(output, path);
            break;
        case Format::Gltf:
            return saveGltfFile(output, path);
        case Format::Mesh:
            return saveMeshFile(output, path);
    }
    warnAboutMeshes(output, warnings);
    return warnings;
}

}  // namespace ulna::cli
