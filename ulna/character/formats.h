// SPDX-License-Identifier: Apache-2.0

// File formats: what each is called, how its names end, and what it can hold.
//
// A new format is its name in the list here and a source in character/formats, which has its line
// of the table and says how io reads and writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// clang-format off
#define ULNA_FORMATS(format) \
    format(Bvh)              \
    format(Gltf)             \
    format(Rig)              \
    format(Obj)              \
    format(Ply)              \
    format(Urdf)             \
    format(Mjcf)             \
    format(Csv)              \
    format(RobotCsv)         \
    format(Npz)              \
    format(Keys)
// clang-format on

namespace ulna {

#define ULNA_FORMAT_NAME(name) name,
enum class FileFormat : std::uint8_t { ULNA_FORMATS(ULNA_FORMAT_NAME) };
#undef ULNA_FORMAT_NAME

struct FormatInfo {
    FileFormat format;
    std::string_view name;                      ///< as people call it: "glTF"
    std::string_view word;                      ///< as programs call it: "gltf"
    std::span<const std::string_view> endings;  ///< of file names, in small letters
    /// An ending that files of other formats may have too: bytes decide, where they are at hand.
    std::string_view shared_ending = {};
    bool readable = false;  ///< openCharacter reads it
    bool writable = true;   ///< saveCharacter writes it
    bool skeleton = false;  ///< it holds joints; otherwise a surface or a table
    bool keys = false;      ///< clips are keys; otherwise frames
    bool surfaces = false;  ///< it holds meshes
    bool several = false;   ///< it holds any number of clips; otherwise at most one
};

[[nodiscard]] const FormatInfo& formatInfo(FileFormat format);
/// Whether openCharacter reads files of this format.
[[nodiscard]] bool isReadable(FileFormat format);
enum class FileUse : std::uint8_t { Read, Write };
/// The endings of all formats, or of those for one use: ".bvh, .glb and .gltf".
[[nodiscard]] std::string knownEndings(std::optional<FileUse> use = {});

/// The format that the name of a file says; nothing where its ending is unknown. `-`, which is
/// standard input, is BVH.
[[nodiscard]] std::optional<FileFormat> formatOfName(std::string_view name);

/// The same where the bytes are at hand: they decide where the name says nothing, or says `.json`
/// alone, which rigs, keys and glTF documents may all be called, or `.xml`.
[[nodiscard]] std::optional<FileFormat> formatOfBytes(std::string_view bytes,
                                                      std::string_view name);

/// What a clip is called where its file does not say: the name of the file without folders and
/// ending, in readable characters. Empty for `-`.
[[nodiscard]] std::string clipNameFrom(std::string_view path);

}  // namespace ulna
