// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/mesh_files.h"

#include <optional>

#include "ulna/core/text.h"
#include "ulna/io/file.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::io {
namespace {

Diagnostic unknownExtension(const std::string& path) {
    return {.what = "the extension of a mesh file must be .obj or .ply",
            .location = {.file = path}};
}

}  // namespace

Result<MeshFile> loadMesh(const std::string& path, const MeshReadOptions& options) {
    const std::string lower = lowerCase(path);
    if (path != "-" && !lower.ends_with(".obj") && !lower.ends_with(".ply"))
        return unknownExtension(path);
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    const bool ply = path == "-" ? bytes->view().starts_with("ply") : lower.ends_with(".ply");
    Result<MeshFile> file =
        ply ? readPly(bytes->view(), path, options) : readObj(bytes->view(), path, options);
    if (!file) return file;
    if (options.points && file->mesh.indices.empty()) return file;
    if (std::optional<Diagnostic> fault = findFault(file->mesh)) {
        fault->location.file = path;
        return *std::move(fault);
    }
    return file;
}

Status saveMesh(const Mesh& mesh, const std::string& path) {
    const std::string lower = lowerCase(path);
    if (!lower.ends_with(".obj") && !lower.ends_with(".ply")) return unknownExtension(path);
    return writeFile(
        path, writeMesh(mesh, lower.ends_with(".obj") ? MeshFormat::Obj : MeshFormat::PlyBinary));
}

}  // namespace ulna::io
