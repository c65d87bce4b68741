// SPDX-License-Identifier: Apache-2.0

// glTF 2.0 files, .glb and .gltf: a skeleton, its clips as keys, and the meshes attached to it.
//
// Nodes become joints and animations KeyedMotions. Meshes have normals, tangents, colours, texture
// coordinates, and the base colours and images of their materials (io/materials.h); morph targets
// are read on request. Other content (normal maps, cameras, ...) is reported in a warning. Units
// and axes stay as they are in the file; the glTF standard says metres and y up. docs/gltf.md
// explains which nodes become joints, and how to see bones in other programs.
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

/// The morph targets of a mesh. Before skinning, the offsets of each target, multiplied by its
/// weight, are added to the positions.
struct GltfMorph {
    std::size_t mesh = 0;  ///< index into GltfFile::meshes
    std::vector<std::vector<Vec3f>> targets =
        {};                            ///< an offset per vertex; an empty target moves nothing
    std::vector<double> weights = {};  ///< in the rest pose, one per target
    /// For each clip, one track per target; none in a clip that does not change the weights.
    std::vector<std::vector<Track<double>>> clips = {};
};

/// The morphed positions of the mesh at a time of a clip; if there is no such clip, with the
/// weights of the rest pose.
[[nodiscard]] std::vector<Vec3f> morphedPositions(const Mesh& mesh, const GltfMorph& morph,
                                                  std::size_t clip, double time);

/// The content of a file.
struct GltfFile {
    Skeleton skeleton = {};
    std::vector<KeyedMotion> clips = {};  ///< base is the rest pose
    std::vector<Mesh> meshes = {};        ///< one per node that carries one, primitives joined
    MaterialSet material_set = {};        ///< all materials of the file, and the images they use
    std::vector<GltfMorph> morphs = {};   ///< of the meshes that have some, if requested
    Warnings warnings = {};               ///< about what was ambiguous and what was not read
};

struct GltfReadOptions {
    /// The folder of buffers and images in separate files. No file outside it is opened; if it is
    /// empty, no file is opened.
    std::string folder = {};
    bool morphs = false;  ///< read morph targets; otherwise a warning says that there are some
};

/// Reads the bytes of a .glb or .gltf file; the bytes show which of the two it is. `source` is the
/// name used in messages.
///
/// These nodes become joints: the joints of all skins, animated nodes, nodes with a mesh but no
/// skin, and all their ancestors; without skins, every node of the scene. Joints are stored depth
/// first, siblings in the order of the file. Roots are free joints, joints of skins and rotating
/// nodes are ball joints, leaves named `<joint>_end` are End Sites, and other nodes are fixed. The
/// nodes' transforms are the rest pose.
///
/// Every index, count and value of the file is checked before it is used; the error names its JSON
/// path. An image that cannot be read is a warning. Takes linear time and memory on any input.
[[nodiscard]] Result<GltfFile> readGltf(std::string_view bytes, std::string_view source,
                                        const GltfReadOptions& options = {});

/// Reads a file and the buffers and images in its folder; options.folder is not used. `-` is
/// standard input.
[[nodiscard]] Result<GltfFile> loadGltf(const std::string& path, GltfReadOptions options = {});

/// A separate file that holds a buffer or an image.
struct GltfPartFile {
    std::string uri = {};   ///< as in the document
    std::string path = {};  ///< of the file, with links resolved
};

/// The separate files that readGltf would open with this folder: buffers, then images, each in the
/// order of the document. Files that are missing or outside the folder are left out. If the bytes
/// are not glTF, the list is empty.
[[nodiscard]] std::vector<GltfPartFile> listGltfPartFiles(std::string_view bytes,
                                                          const std::string& folder);

/// The form of a file.
enum class GltfForm : std::uint8_t {
    Binary,  ///< .glb
    Text,    ///< .gltf, with the buffer embedded as base64
};

/// What to write: references to values of the caller.
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
    std::optional<GltfForm> form =
        {};  ///< by default the path decides: Text for .gltf, otherwise Binary
};

/// Writes a file in pieces. The same content gives the same bytes. The result is a warning for all
/// that glTF cannot represent. Errors: a value too large for a float, more than four gigabytes in a
/// .glb, `progress` that cancelled, and `sink` that returned false.
///
/// Step, linear and Hermite curves are written as they are; Catmull–Rom curves of vectors as the
/// same curves with tangents. Other curves of rotations become cubics within 1e-5 radians, and
/// every key is kept. Joints always have a skin, so that viewers show the nodes as bones. A clip of
/// frames is streamed: writing it takes a few megabytes.
///
/// Materials that some part uses are written; their images are embedded in the file.
///
/// @pre clips, motions and meshes are of this skeleton; parts refer to materials of `material_set`,
/// and these to images of it.
[[nodiscard]] Result<Warnings> writeGltf(const GltfContent& content, GltfForm form,
                                         const std::function<bool(std::string_view)>& sink,
                                         const Progress& progress = {});

/// The bytes of a file, and warnings about what glTF cannot represent.
struct GltfBytes {
    std::string bytes;
    Warnings warnings;
};
[[nodiscard]] Result<GltfBytes> writeGltf(const GltfContent& content,
                                          GltfForm form = GltfForm::Binary);

/// Writes to a path; on an error the file is left as it was.
[[nodiscard]] Result<Warnings> saveGltf(const GltfContent& content, const std::string& path,
                                        const GltfWriteOptions& options = {},
                                        const Progress& progress = {});

}  // namespace ulna::io
