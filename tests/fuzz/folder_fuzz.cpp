// SPDX-License-Identifier: Apache-2.0

// Any bytes as a .gltf document and, after the first zero byte, as the files beside it: it must be
// refused with a sentence, or read so that every mesh is in order. No byte of the file outside the
// folder may be read, by whatever URI.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "ulna/io/gltf.h"
#include "ulna/skin/check_mesh.h"

namespace {

using namespace ulna;
namespace fs = std::filesystem;

constexpr std::string_view kSecret = "\x89PNG\r\n\x1a\nthe secret";

void require(bool condition) {
    if (!condition) std::abort();
}

void write(const fs::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

// The folder of the document, with links that lead out of it; gone when the program ends.
class Folder {
  public:
    Folder() {
        // In memory where there is such a folder: every input writes files.
        const fs::path parent = fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path();
        std::string name = (parent / "ulna_folder_fuzz_XXXXXX").string();
        require(::mkdtemp(name.data()) != nullptr);
        outside_ = name;
        fs::create_directories(inside() / "sub");
        write(outside_ / "secret.png", kSecret);
        fs::create_symlink("../secret.png", inside() / "link.png");
        fs::create_symlink("..", inside() / "up");
    }
    ~Folder() { fs::remove_all(outside_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] fs::path inside() const { return outside_ / "inside"; }

  private:
    fs::path outside_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Folder folder;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = std::min(bytes.find('\0'), size);
    const std::string_view part = bytes.substr(std::min(zero + 1, size));
    for (const char* name : {"a.bin", "a.png", "sub/a.bin"}) write(folder.inside() / name, part);

    const std::string_view document = bytes.substr(0, zero);
    const std::string path = folder.inside().string();
    for (const io::GltfPartFile& named : io::listGltfPartFiles(document, path))
        require(named.path.starts_with(fs::canonical(path).string() + '/'));
    const Result<io::GltfFile> file =
        io::readGltf(document, "fuzz.gltf", {.folder = path, .morphs = size % 2 == 0});
    if (!file) {
        require(!describe(file.error()).empty());
        return 0;
    }
    for (const Mesh& mesh : file->meshes) require(checkMesh(mesh).ok());
    for (const io::Image& image : file->material_set.images) require(image.bytes != kSecret);
    return 0;
}
