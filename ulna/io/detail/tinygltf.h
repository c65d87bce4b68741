// SPDX-License-Identifier: Apache-2.0

// tinygltf as we use it, included nowhere else: without images, files and exceptions, and under a
// name of our own, so that programs may link another one beside us.
#pragma once

#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#define TINYGLTF_NO_FS
#define TINYGLTF_NOEXCEPTION
#define tinygltf ulna_tinygltf
#include <tiny_gltf.h>
#undef tinygltf

namespace ulna::io::detail {
namespace tinygltf = ::ulna_tinygltf;
}
