// SPDX-License-Identifier: Apache-2.0

// Surfaces in OBJ and PLY files. Neither holds a skeleton or weights; glTF does (io/gltf.h).
//
// Nothing is rescaled and no axis changed. Vertices keep the file's order, so that a posed mesh
// can be put back over the one it came from; corners that share a position but not a texture
// coordinate or normal become vertices of their own after it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/skin/mesh.h"

namespace ulna::io {

enum class MeshFormat : std::uint8_t { Obj, PlyText, PlyBinary };

struct MeshFile {
    Mesh mesh = {};
    Warnings warnings = {};
};

/// Reads the bytes of an OBJ file: v (with colours), vt, vn, f (polygons are cut into triangles,
/// negative indices count back), o and g; other lines are counted in a warning.
[[nodiscard]] Result<MeshFile> readObj(std::string_view bytes, std::string_view source);
/// Reads the bytes of a PLY file: ascii, little or big endian; positions, normals, texture
/// coordinates, colours, lists of faces; other elements and properties are skipped.
[[nodiscard]] Result<MeshFile> readPly(std::string_view bytes, std::string_view source);
/// Reads a file by its ending, .obj or .ply; checks the mesh (skin/check_mesh.h).
[[nodiscard]] Result<MeshFile> loadMesh(const std::string& path);

/// The bytes of a file. The same mesh gives the same bytes.
[[nodiscard]] std::string writeMesh(const Mesh& mesh, MeshFormat format);
/// Writes to a path, whole or not at all; the format is the ending's, PLY binary.
[[nodiscard]] Status saveMesh(const Mesh& mesh, const std::string& path);

}  // namespace ulna::io
