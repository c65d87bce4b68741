// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ulna/character/detail/format.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/io/mesh_files.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::character::detail {
namespace {

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

template <auto read>
Result<Character> openSurface(std::string_view bytes, std::string_view name,
                              const OpenOptions& options) {
    return fromSurface(read(bytes, name, {.points = options.points}), name, options);
}

template <io::MeshFormat format>
Result<Warnings> saveSurface(const SaveJob& job) {
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

constexpr std::string_view kObjEndings[] = {".obj"};
constexpr std::string_view kPlyEndings[] = {".ply"};

}  // namespace

const FormatInfo kObjInfo = {.format = FileFormat::Obj,
                             .name = "OBJ",
                             .word = "obj",
                             .endings = kObjEndings,
                             .readable = true,
                             .surfaces = true};
const Format kObjFormat = {.open = openSurface<io::readObj>,
                           .save = saveSurface<io::MeshFormat::Obj>};

const FormatInfo kPlyInfo = {.format = FileFormat::Ply,
                             .name = "PLY",
                             .word = "ply",
                             .endings = kPlyEndings,
                             .readable = true,
                             .surfaces = true};
const Format kPlyFormat = {.open = openSurface<io::readPly>,
                           .save = saveSurface<io::MeshFormat::PlyBinary>};

}  // namespace ulna::character::detail
