// SPDX-License-Identifier: Apache-2.0

// Meshes in OBJ and PLY files. These formats hold no skeleton and no weights; glTF does
// (io/gltf.h).
//
// Units and axes stay as they are. Vertices keep the order of the file, so that a posed mesh can
// replace the one it came from. Corners that share a position but not a texture coordinate or
// normal become additional vertices after all positions of the file.
//
// Both formats have texture coordinates with v upwards; a Mesh has v downwards. Polygons, also
// concave ones, are triangulated. Normals are normalised. What is written reads back exactly,
// except for what a format cannot hold: tangents, weights, the name in PLY, alpha in OBJ, and bits
// of texture coordinates below 2^-53.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/skin/mesh.h"

namespace ulna::io {

enum class MeshFormat : std::uint8_t { Obj, PlyText, PlyBinary };

struct MeshReadOptions {
    bool points = false;  ///< accept vertices without faces; otherwise they are an error
};

struct MeshFile {
    Mesh mesh = {};
    Warnings warnings = {};
    std::size_t position_count = 0;  ///< of the file; vertices after these are copies at seams
};

/// Reads the bytes of an OBJ file: v (with colours), vt, vn, f (with indices of every form), o and
/// g; other lines are counted in a warning. All objects of a file form one mesh with the name of
/// the first. `source` is the name used in messages.
///
/// Takes linear time and memory on any input, except for sorting. Errors have line and column.
[[nodiscard]] Result<MeshFile> readObj(std::string_view bytes, std::string_view source,
                                       const MeshReadOptions& options = {});
/// Reads the bytes of a PLY file: ascii, little or big endian; positions, normals, texture
/// coordinates, colours, faces and strips; other elements and properties are skipped with a
/// warning. Memory is allocated only for elements whose bytes exist, whatever the header says.
[[nodiscard]] Result<MeshFile> readPly(std::string_view bytes, std::string_view source,
                                       const MeshReadOptions& options = {});
/// Reads a file; its extension, .obj or .ply, says which format it has. `-` is standard input. The
/// mesh is checked for errors; for irregularities call checkMesh (skin/check_mesh.h).
[[nodiscard]] Result<MeshFile> loadMesh(const std::string& path,
                                        const MeshReadOptions& options = {});

/// The bytes of a file. The same mesh gives the same bytes.
/// @pre the mesh has as many normals, texture coordinates and colours as positions, or none.
[[nodiscard]] std::string writeMesh(const Mesh& mesh, MeshFormat format);
/// Writes to a path; its extension says which format, PLY as binary. On an error the file is left
/// as it was.
[[nodiscard]] Status saveMesh(const Mesh& mesh, const std::string& path);

}  // namespace ulna::io
