// SPDX-License-Identifier: Apache-2.0

// Character: what a file holds of an articulated character, whatever its format.
//
// The command-line tool, the WebAssembly engine and the page all start from this value: a skeleton,
// clips, meshes with their materials, and warnings. It is opened by character/open.h and written by
// character/save.h; character/stage.h is the skeleton as it is solved on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ulna/character/clip.h"
#include "ulna/character/formats.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/io/materials.h"
#include "ulna/io/rig_json.h"
#include "ulna/io/robot.h"
#include "ulna/skeleton/body_roles.h"
#include "ulna/skeleton/up_axis.h"
#include "ulna/skin/mesh.h"

namespace ulna {

struct Character {
    std::string path = {};  ///< the file's name as the caller has it
    FileFormat format = FileFormat::Bvh;
    Skeleton skeleton = {};             ///< without joints where the file is a surface
    std::vector<Clip> clips = {};       ///< may be empty
    std::vector<Mesh> meshes = {};      ///< tied to the skeleton where they have weights
    io::MaterialSet material_set = {};  ///< materials and images of the meshes
    Warnings warnings = {};             ///< what had to be decided, and what could not be kept
    std::size_t position_count = 0;     ///< of a surface: vertices behind these are copies at seams
    std::vector<io::GltfMorph> morphs = {};   ///< of the meshes, where they were asked for
    std::optional<UpGuess> up = {};           ///< from body and clips, when the file was opened
    std::optional<io::BvhFile> bvh = {};      ///< what a BVH file said literally
    std::optional<io::RigFile> rig = {};      ///< what a rig file said literally
    std::optional<io::RobotFile> robot = {};  ///< what a robot's file said: joints and their speeds
    /// Roles of its joints that overrule what names and shape say; whoever opened it sets it.
    std::optional<BodyMap> map = {};

    /// The map, or null: as the functions that find a body take it.
    [[nodiscard]] const BodyMap* bodyMap() const { return map ? &*map : nullptr; }
};

/// Which axis points up: glTF, URDF and MuJoCo XML say so by their standards, with confidence 1;
/// elsewhere it is guessed from the rest pose and the first clip.
[[nodiscard]] UpGuess guessUp(const Character& character);
/// The axis of that guess.
[[nodiscard]] UpAxis upAxisOf(const Character& character);

/// How large the character is, in its own unit: the largest extent of its bones at rest or at the
/// start of its first clip. Of a single joint the meshes tell the size. Never 0.
[[nodiscard]] double sizeOf(const Character& character);

/// The clip that a character is shown in first: one in which it stands, by its name (a word "idle",
/// "stand" or "standing"), else the first. None where there are no clips.
[[nodiscard]] std::optional<std::size_t> usualClip(const Character& character);

/// How tall a body stands, and the unit that would make it as tall as a person.
struct HeightGuess {
    UpAxis up = UpAxis::Y;
    double confidence = 0.0;  ///< in the axis, from 0 to 1
    double height = 0.0;      ///< at rest, in the file's own unit
    std::string unit;         ///< "metres", "centimetres", ...; empty where no unit fits
    double metres = 0.0;      ///< the height in metres, if the unit is right
};
[[nodiscard]] HeightGuess guessHeight(const Character& character);

/// The symbol of the unit of length: "m" of glTF files and robots, by their standards; otherwise
/// "m", "cm", "mm" or "in", whichever makes the body as tall as a person; empty where none does.
[[nodiscard]] std::string unitSymbol(const Character& character);

/// The index of the clip of that name, the first one for an empty name; nothing where there is
/// none.
[[nodiscard]] std::optional<std::size_t> findClip(const Character& character,
                                                  std::string_view name);

}  // namespace ulna
