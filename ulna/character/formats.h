// SPDX-License-Identifier: Apache-2.0

// File formats: one table of what each is called, how its names end, and what it can hold.
//
// A new format is an enumerator here, a line in formats.cpp, its reader in io, and a case in
// open.cpp or save.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ulna {

enum class FileFormat : std::uint8_t { Bvh, Gltf, Rig, Obj, Ply, Csv, Keys };

struct FormatInfo {
    FileFormat format;
    std::string_view name;                      ///< as people call it: "glTF"
    std::string_view word;                      ///< as programs call it: "gltf"
    std::span<const std::string_view> endings;  ///< of file names, in small letters
    bool readable;                              ///< openCharacter reads it
    bool skeleton;                              ///< it holds joints; otherwise a surface or a table
    bool keys;                                  ///< clips are keys; otherwise frames
    bool surfaces;                              ///< it holds meshes
};

[[nodiscard]] const FormatInfo& formatInfo(FileFormat format);
/// Whether openCharacter reads files of this format. All formats are written.
[[nodiscard]] bool isReadable(FileFormat format);

/// The format that the name of a file says; nothing where its ending is unknown. `-`, which is
/// standard input, is BVH.
[[nodiscard]] std::optional<FileFormat> formatOfName(std::string_view name);

/// The same where the bytes are at hand: they decide where the name says nothing, or says `.json`
/// alone, which rigs, keys and glTF documents may all be called.
[[nodiscard]] std::optional<FileFormat> formatOfBytes(std::string_view bytes,
                                                      std::string_view name);

}  // namespace ulna
