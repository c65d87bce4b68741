// SPDX-License-Identifier: Apache-2.0
#include "support/paths.h"

#include <filesystem>
#include <stdexcept>

namespace ulna::test {
namespace {

std::string below(const std::string& folder, std::string_view path) {
    return path.empty() ? folder : folder + "/" + std::string(path);
}

}  // namespace

std::string sourcePath(std::string_view path) {
    return below(ULNA_SOURCE_DIR, path);
}
std::string sharedData(std::string_view path) {
    const std::string whole = below(ULNA_SHARED_DATA, path);
    if (!std::filesystem::exists(whole))
        throw std::runtime_error(whole + " is not there; this test needs the third-party data, " +
                                 "which lies in ../shared/data beside the repository");
    return whole;
}
std::string sharedGltf(const std::string& name) {
    return sharedData("gltf/" + name + "/glTF-Binary/" + name + ".glb");
}
std::string toolPath() {
    return ULNA_TOOL;
}
std::string viewToolPath() {
    return ULNA_VIEW_TOOL;
}
std::string characterMakerPath() {
    return ULNA_MAKE_CHARACTER;
}
std::string expectedVersion() {
    return ULNA_EXPECTED_VERSION;
}

}  // namespace ulna::test
