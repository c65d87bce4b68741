// SPDX-License-Identifier: Apache-2.0

// Any bytes as OBJ or PLY, by the first of them: must be refused with a sentence, or read as a mesh
// that is in order and that reads back as itself from what is written of it.
#include <cstdint>
#include <cstdlib>

#include "ulna/io/mesh_files.h"
#include "ulna/skin/check_mesh.h"

namespace {

using namespace ulna;

void require(bool condition) {
    if (!condition) std::abort();
}

bool same(const Mesh& a, const Mesh& b) {
    return a.positions == b.positions && a.normals == b.normals && a.texcoords == b.texcoords &&
           a.colors == b.colors && a.indices == b.indices;
}

void check(std::string_view bytes, bool obj) {
    const auto read = [&](std::string_view text, const char* name) {
        return obj ? io::readObj(text, name) : io::readPly(text, name);
    };
    const Result<io::MeshFile> file = read(bytes, "fuzz");
    if (!file) return require(!describe(file.error()).empty());
    const Result<MeshReport> report = checkMesh(file->mesh);
    require(report.ok());
    for (const Diagnostic& oddity : describeOddities(*report, file->mesh))
        require(!describe(oddity).empty());
    const auto format = obj                     ? io::MeshFormat::Obj
                        : bytes.size() % 2 == 0 ? io::MeshFormat::PlyText
                                                : io::MeshFormat::PlyBinary;
    const Result<io::MeshFile> again = read(io::writeMesh(file->mesh, format), "again");
    require(again.ok());
    require(same(again->mesh, file->mesh));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    check({reinterpret_cast<const char*>(data) + 1, size - 1}, data[0] == 'o');
    return 0;
}
