// SPDX-License-Identifier: Apache-2.0

// Reads WebP files by libwebpdemux, to judge those of ours.
#pragma once

#include <string_view>
#include <vector>

#include "ulna/draw/raster.h"

namespace ulna::test {

struct WebpFile {
    std::vector<draw::Raster> frames = {};  ///< the whole picture after each frame
    std::vector<int> ends = {};             ///< of the frames, in milliseconds
    unsigned loops = 0;
};

/// The content of a file's bytes; without frames where they are no WebP file.
WebpFile readWebp(std::string_view bytes);

}  // namespace ulna::test
