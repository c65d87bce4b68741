// SPDX-License-Identifier: Apache-2.0

// Where things are: the repository, the third-party data beside it, and the programs under test.
#pragma once

#include <string>
#include <string_view>

namespace ulna::test {

/// A path below the repository's root.
[[nodiscard]] std::string sourcePath(std::string_view below);
/// A file or folder of the third-party data. Throws where it is not there, which fails the test: a
/// test that passes without its data would say nothing.
[[nodiscard]] std::string sharedData(std::string_view below);
/// The sample model of that name, as one binary glTF file.
[[nodiscard]] std::string sharedGltf(const std::string& name);
/// The command-line tool, the same with a small page in it, and the maker of the bundled character.
[[nodiscard]] std::string toolPath();
[[nodiscard]] std::string viewToolPath();
[[nodiscard]] std::string characterMakerPath();
/// What the file VERSION says.
[[nodiscard]] std::string expectedVersion();

}  // namespace ulna::test
