// SPDX-License-Identifier: Apache-2.0

// Opening a character: any known file, from a path or from bytes with a name.
//
//     const Result<Character> walk = openCharacter("walk.bvh");
//     if (!walk) return report(walk.error());  // file, line, what is wrong, what to do
//
// The format is the one that the name's ending says (character/formats.h). Nothing is rescaled and
// no axis is changed.
#pragma once

#include <string>
#include <string_view>

#include "ulna/character/character.h"
#include "ulna/core/result.h"

namespace ulna {

struct OpenOptions {
    bool strict = false;   ///< a file that needs a warning is refused; the warning is the error
    bool lenient = false;  ///< BVH rows of the wrong length are dropped instead of refused
    /// What position channels of a BVH file mean: tools disagree.
    io::PositionChannels position_channels = io::PositionChannels::Replace;
    bool points = false;  ///< a surface file may have vertices without faces
    bool morphs = false;  ///< morph targets of a glTF file are read
    /// Where the files that a .gltf names may lie; nothing outside of it is opened. A path brings
    /// its own folder. Empty for bytes: a document that names files is then refused.
    std::string folder = {};
    unsigned threads = 0;  ///< 0 means one per core; the result is the same
};

/// Opens a file; `-` is standard input. Errors carry the file, the position in it and advice.
[[nodiscard]] Result<Character> openCharacter(const std::string& path,
                                              const OpenOptions& options = {});

/// Opens bytes. `name` decides the format, as far as it says one, and stands in messages. No file
/// is opened unless `options.folder` allows it.
[[nodiscard]] Result<Character> openCharacter(std::string_view bytes, std::string_view name,
                                              const OpenOptions& options = {});

}  // namespace ulna
