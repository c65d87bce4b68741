// SPDX-License-Identifier: Apache-2.0

// Surfaces in OBJ and PLY files. Neither holds a skeleton or weights; glTF does (io/gltf.h).
//
// Nothing is rescaled and no axis changed. Vertices keep the file's order, so that a posed mesh
// can be put back over the one it came from; corners that share a position but not a texture
// coordinate or normal become vertices of their own behind all positions.
//
// Both formats have texture coordinates with v upwards; a Mesh has it downwards. Polygons are cut
// into triangles inside their outline, concave ones too. Normals are made one long. What is written
// reads back to the bit, but for what a format has no place for: tangents, weights, the name in
// PLY, how opaque a colour is in OBJ; and of texture coordinates what lies below 2^-53.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/skin/mesh.h"

namespace ulna::io {

enum class MeshFormat : std::uint8_t { Obj, PlyText, PlyBinary };

struct MeshReadOptions {
    bool points = false;  ///< vertices without faces are a mesh too, not an error
};

struct MeshFile {
    Mesh mesh = {};
    Warnings warnings = {};
    std::size_t position_count = 0;  ///< of the file: vertices behind these are copies at seams
};

/// Reads the bytes of an OBJ file: v (with colours), vt, vn, f (with indices of every form), o and
/// g; other lines are counted in a warning. The objects of a file are one mesh, called as the
/// first. `source` is the name used in messages.
///
/// Takes linear time and memory on any input, but for sorting. The error names line and column.
[[nodiscard]] Result<MeshFile> readObj(std::string_view bytes, std::string_view source,
                                       const MeshReadOptions& options = {});
/// Reads the bytes of a PLY file: ascii, little or big endian; positions, normals, texture
/// coordinates, colours, faces and strips; other elements and properties are skipped with a
/// warning. Counts are believed as far as there are bytes for them.
[[nodiscard]] Result<MeshFile> readPly(std::string_view bytes, std::string_view source,
                                       const MeshReadOptions& options = {});
/// Reads a file by its ending, .obj or .ply; `-` is standard input. Checks the mesh
/// (skin/check_mesh.h) for what is wrong; what is only odd, checkMesh tells.
[[nodiscard]] Result<MeshFile> loadMesh(const std::string& path,
                                        const MeshReadOptions& options = {});

/// The bytes of a file. The same mesh gives the same bytes.
/// @pre the mesh has as many normals, texture coordinates and colours as positions, or none.
[[nodiscard]] std::string writeMesh(const Mesh& mesh, MeshFormat format);
/// Writes to a path, whole or not at all; the format is the ending's, PLY binary.
[[nodiscard]] Status saveMesh(const Mesh& mesh, const std::string& path);

}  // namespace ulna::io
