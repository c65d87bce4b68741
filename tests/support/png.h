// SPDX-License-Identifier: Apache-2.0

// Reads PNG files by libpng, to judge those of ours.
#pragma once

#include <string_view>

#include "ulna/draw/shaded.h"

namespace ulna::test {

/// The picture in a file's bytes; empty where they are no PNG file.
draw::Raster readPng(std::string_view bytes);

}  // namespace ulna::test
