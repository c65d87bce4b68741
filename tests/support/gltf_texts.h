// SPDX-License-Identifier: Apache-2.0

// Small glTF files made by hand, and the reading of them, for tests.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "ulna/io/gltf.h"

namespace ulna::test {

/// The bytes of a buffer, put together piece by piece; each function returns the piece's offset.
struct GltfBuffer {
    std::string bytes;

    std::size_t floats(std::initializer_list<float> numbers);
    std::size_t shorts(std::initializer_list<int> numbers);
    std::size_t octets(std::initializer_list<int> numbers);
};

/// A document with these members, as .glb; `members` is JSON without its braces. "asset" is added,
/// and the buffer if it has bytes.
std::string glb(const std::string& members, const GltfBuffer& buffer = {});

/// The same as text.
std::string gltfText(const std::string& members);

/// One buffer view over the whole buffer, for accessors with offsets.
std::string wholeView(const GltfBuffer& buffer);

/// `{"bufferView":0,"byteOffset":...,"componentType":...,"count":...,"type":"..."}`
std::string accessor(std::size_t offset, int component, std::size_t count, const char* type);

/// The file, or a failure of the running test and an empty file.
io::GltfFile mustReadGltf(std::string_view bytes, const io::GltfReadOptions& options = {});

/// The error of bytes that must not read, as one line; a failure of the running test when they do.
std::string gltfErrorOf(std::string_view bytes, const io::GltfReadOptions& options = {});

/// The vertex as the pose puts it: the weighted sum of what its joints make of it.
Vec3 skinnedVertex(const Mesh& mesh, std::size_t vertex, const ModelPose& pose);

/// A character of two joints with a mesh, a skin, sparse weights and every interpolation: for tests
/// that break files.
std::string smallCharacter();

}  // namespace ulna::test
