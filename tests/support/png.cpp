// SPDX-License-Identifier: Apache-2.0
#include "support/png.h"

#include <png.h>

namespace ulna::test {

draw::Raster readPng(std::string_view bytes) {
    png_image file{};
    file.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&file, bytes.data(), bytes.size()) == 0) return {};
    file.format = PNG_FORMAT_RGBA;
    draw::Raster out{file.width, file.height, {}};
    out.pixels.resize(out.width * out.height);
    static_assert(sizeof(Color) == 4);
    if (png_image_finish_read(&file, nullptr, out.pixels.data(), 0, nullptr) == 0) return {};
    return out;
}

}  // namespace ulna::test
