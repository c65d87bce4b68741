// SPDX-License-Identifier: Apache-2.0

// A glTF file on its way in: the document as values, its buffers as bytes, and what was found out
// about it so far.
//
// Reading goes: openGltf (container, JSON, shapes and indices checked, buffers and materials at
// hand), then joints, clips and meshes. The first error ends it; after each step look at `error`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ulna/io/detail/json_cursor.h"
#include "ulna/io/detail/tinygltf.h"
#include "ulna/io/file.h"
#include "ulna/io/gltf.h"

namespace ulna::io::detail {

struct GltfReader {
    std::string source;
    tinygltf::Model model;                   ///< its buffers are empty: they are here
    std::vector<std::string_view> buffers;   ///< the bytes of each
    std::vector<std::string> decoded;        ///< what `buffers` refers to: data URIs
    std::map<std::string, FileBytes> files;  ///< and files by their paths, each once
    std::vector<JointId> joint_of_node;
    std::vector<bool> in_scene;  ///< by node
    std::vector<bool> weighted;  ///< by mesh: all its primitives have joints and weights
    MaterialSet material_set;
    std::vector<std::uint64_t> texcoord_sets;  ///< by material: what its texture is spread by
    /// How many more keys, vertices and joints of clips and meshes may be made. A small file can
    /// name the same data a million times; honest ones have bytes for most of what they name.
    std::size_t allowance = 0;
    bool morphs_wanted = false;
    /// Weights of morph targets by node and clip: read with the clips, given to meshes later.
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Track<double>>> morph_tracks;

    std::optional<Diagnostic> error;  ///< the first
    WarningCollector warnings;

    /// Records an error unless there is one; false, for the caller to hand on.
    bool fail(const std::string& path, const std::string& what, const std::string& advice = {});
    /// A warning of this very text; several are counted.
    void warn(const std::string& what, const std::string& path, std::string_view text = {});
    /// Takes from the allowance, or fails.
    bool spend(std::size_t count, const std::string& path);
};

/// `nodes[3]`
[[nodiscard]] std::string at(std::string_view array, std::size_t i);

/// Checks the shape of a document: every property that is used has its type, every index exists,
/// every number is of a sensible size. Whole numbers written as 3.0 become 3.
void checkGltfShape(Json& document, JsonErrors& errors);

/// From bytes to a document with its buffers. Look at `error`.
void openGltf(std::string_view bytes, const GltfReadOptions& options, GltfReader& reader);

/// The numbers of an accessor of `width` components, element by element; integers as glTF
/// normalises them. All are finite. False with an error recorded when it cannot be read.
[[nodiscard]] bool readNumbers(GltfReader& reader, int accessor, std::size_t width,
                               std::vector<float>& out);
/// The same for unsigned integers.
[[nodiscard]] bool readIntegers(GltfReader& reader, int accessor, std::size_t width,
                                std::vector<std::uint32_t>& out);

/// Materials, with the images of their base colours. Look at `error`.
void readGltfMaterials(const Json& document, const std::string& folder, GltfReader& reader);
/// The URIs of these images, in the document's order.
[[nodiscard]] std::vector<std::string> imageUris(const Json& document);

[[nodiscard]] bool readGltfJoints(GltfReader& reader, Skeleton& skeleton);
[[nodiscard]] bool readGltfClips(GltfReader& reader, const Skeleton& skeleton,
                                 std::vector<KeyedMotion>& clips);
/// Meshes, and their morphs where they are wanted. The file has its joints and clips already.
[[nodiscard]] bool readGltfMeshes(GltfReader& reader, GltfFile& file);
/// How many morph targets a mesh of the file has.
[[nodiscard]] std::size_t morphTargetCount(const tinygltf::Mesh& mesh);

/// A scale without the rounding that exporters leave when they take float matrices apart: the same
/// in all directions where it nearly is, and 1 where it nearly is. Inverse kinematics and batches
/// need it exact.
[[nodiscard]] Vec3 withoutRounding(const Vec3& scale);

/// True for a node whose mesh is carried by its skin rather than by the node.
[[nodiscard]] bool isSkinned(const GltfReader& reader, const tinygltf::Node& node);

}  // namespace ulna::io::detail
