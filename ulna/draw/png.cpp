// SPDX-License-Identifier: Apache-2.0
#include <png.h>

#include <algorithm>
#include <new>

#include "ulna/core/assert.h"
#include "ulna/draw/shaded.h"

namespace ulna::draw {

std::string writePng(const Raster& image) {
    ULNA_ASSERT(image.width > 0 && image.height > 0, "a PNG file has at least one pixel");
    ULNA_ASSERT(image.pixels.size() == image.width * image.height, "an image has all its pixels");
    const bool opaque = std::all_of(image.pixels.begin(), image.pixels.end(),
                                    [](const Color& c) { return c.a == 255; });
    std::string rows;
    rows.reserve(image.pixels.size() * (opaque ? 3 : 4));
    for (const Color& c : image.pixels) {
        rows.push_back(static_cast<char>(c.r));
        rows.push_back(static_cast<char>(c.g));
        rows.push_back(static_cast<char>(c.b));
        if (!opaque) rows.push_back(static_cast<char>(c.a));
    }
    png_image how{};
    how.version = PNG_IMAGE_VERSION;
    how.width = static_cast<png_uint_32>(image.width);
    how.height = static_cast<png_uint_32>(image.height);
    how.format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(how);
    std::string out(size, '\0');
    if (png_image_write_to_memory(&how, out.data(), &size, 0, rows.data(), 0, nullptr) == 0)
        throw std::bad_alloc();  // with room for the worst, memory is all that can be short
    out.resize(size);
    return out;
}

}  // namespace ulna::draw
