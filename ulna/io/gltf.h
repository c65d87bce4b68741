// SPDX-License-Identifier: Apache-2.0

// glTF 2.0 files, .glb and .gltf: a skeleton, its clips as keys, and the meshes tied to it.
//
// Nodes become joints, animations KeyedMotions, meshes Meshes with normals, tangents, colours and
// texture coordinates, with the base colours and images of their materials (io/materials.h); morph
// targets where they are asked for. What glTF has beyond these (normal maps, cameras, ...) is said
// in a warning. Nothing is rescaled and no axis changed: glTF is in metres with y up by its own
// standard, and whatever the numbers are, they stay.
// docs/gltf.md says which nodes become joints, and how to see bones in other programs.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/progress.h"
#include "ulna/core/result.h"
#include "ulna/io/materials.h"
#include "ulna/motion/frame_clip.h"
#include "ulna/motion/keyed_motion.h"
#include "ulna/skeleton/skeleton.h"
#include "ulna/skin/mesh.h"

namespace ulna::io {

/// What morph targets do to a mesh, before its skin: of each target an offset per vertex, as far as
/// its weight says.
struct GltfMorph {
    std::size_t mesh = 0;                          ///< in GltfFile::meshes
    std::vector<std::vector<Vec3f>> targets = {};  ///< a target without offsets moves nothing
    std::vector<double> weights = {};              ///< at rest, one per target
    /// By clip, one track per target; none in a clip that leaves the weights alone.
    std::vector<std::vector<Track<double>>> clips = {};
};

/// The mesh's positions as a morph has them at a time of a clip; with no such clip, at rest.
[[nodiscard]] std::vector<Vec3f> morphedPositions(const Mesh& mesh, const GltfMorph& morph,
                                                  std::size_t clip, double time);

/// What is read of a file.
struct GltfFile {
    Skeleton skeleton = {};
    std::vector<KeyedMotion> clips = {};  ///< base is the rest pose
    std::vector<Mesh> meshes = {};        ///< one per node that carries one, primitives joined
    MaterialSet material_set = {};        ///< all the file's materials, and images in use
    std::vector<GltfMorph> morphs = {};   ///< of the meshes that have some, where asked for
    Warnings warnings = {};               ///< what had to be decided, and what could not be kept
};

struct GltfReadOptions {
    /// Where buffers and images in files of their own may lie; nothing outside it is opened. Empty
    /// means that there are none.
    std::string folder = {};
    bool morphs = false;  ///< morph targets are read; otherwise a warning says that there are some
};

/// Reads the bytes of a .glb or .gltf file; which of them is seen from the bytes. `source` is the
/// name used in messages.
///
/// Joints are the joints of all skins, the nodes that are animated, those that carry a mesh without
/// a skin, and all above these; without skins every node of the scene. Joints are stored depth
/// first, siblings in the file's order. Roots are free, joints of skins and turning nodes balls,
/// leaves called `<joint>_end` End Sites, and other nodes fixed. The rest pose is the nodes' own.
///
/// Every index, count and number of the file is checked before it is used; the error names its JSON
/// path. An image that cannot be had is a warning. Takes linear time and memory on any input.
[[nodiscard]] Result<GltfFile> readGltf(std::string_view bytes, std::string_view source,
                                        const GltfReadOptions& options = {});

/// Reads a file and the buffers and images beside it, whatever `options.folder` says; `-` is
/// standard input.
[[nodiscard]] Result<GltfFile> loadGltf(const std::string& path, GltfReadOptions options = {});

/// A file of its own that holds a buffer or an image.
struct GltfPartFile {
    std::string uri = {};   ///< as the document has it
    std::string path = {};  ///< where the file lies, links followed
};

/// The files that buffers and images lie in and that reading the bytes with this folder would open,
/// each kind in the document's order. Those that are missing or lie elsewhere are left out; bytes
/// that are no glTF have none.
[[nodiscard]] std::vector<GltfPartFile> listGltfPartFiles(std::string_view bytes,
                                                          const std::string& folder);

/// How a file is laid out.
enum class GltfForm : std::uint8_t {
    Binary,  ///< .glb
    Text,    ///< .gltf, the buffer inside as base64
};

/// What to write. Refers to values of the caller's.
struct GltfContent {
    const Skeleton& skeleton;
    std::span<const KeyedMotion> clips = {};
    std::span<const Motion> motions = {};    ///< written after the clips
    std::span<const FrameClip> frames = {};  ///< written after the motions
    std::span<const Mesh> meshes = {};
    const MaterialSet* material_set =
        nullptr;  ///< that the meshes' parts refer to; without it they have none
};

struct GltfWriteOptions {
    std::optional<GltfForm> form = {};  ///< by default the path's: Text for .gltf, else Binary
};

/// Writes a file in pieces; the same content gives the same bytes. The result is what glTF cannot
/// hold; the error is a number beyond its floats, over four gigabytes in a .glb, `progress` that
/// cancelled, or `sink` that returned false.
///
/// Steps, lines and Hermite curves are written as they are, Catmull–Rom curves of vectors as the
/// same curves with tangents; other curves of rotations become cubics within 1e-5 radians, every
/// key kept. Joints always come with a skin, so that viewers take the nodes for bones. A clip of
/// frames is streamed: beside the clip itself it takes a few megabytes.
///
/// Materials that some part has are written, images inside the file.
///
/// @pre clips, motions and meshes are of this skeleton; parts refer to materials of `material_set`,
/// and these to images of it.
[[nodiscard]] Result<Warnings> writeGltf(const GltfContent& content, GltfForm form,
                                         const std::function<bool(std::string_view)>& sink,
                                         const Progress& progress = {});

/// The bytes of a file, and what it cannot hold.
struct GltfBytes {
    std::string bytes;
    Warnings warnings;
};
[[nodiscard]] Result<GltfBytes> writeGltf(const GltfContent& content,
                                          GltfForm form = GltfForm::Binary);

/// Writes to a path, whole or not at all.
[[nodiscard]] Result<Warnings> saveGltf(const GltfContent& content, const std::string& path,
                                        const GltfWriteOptions& options = {},
                                        const Progress& progress = {});

}  // namespace ulna::io
