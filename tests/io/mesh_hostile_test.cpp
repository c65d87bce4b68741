// SPDX-License-Identifier: Apache-2.0

// Files of meshes that were cut off or changed: refused with a sentence, or read as meshes in
// order. Never a crash, whatever the bytes.
#include <gtest/gtest.h>

#include "support/meshes.h"
#include "ulna/io/mesh_files.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::test {
namespace {

Result<io::MeshFile> read(const std::string& bytes, io::MeshFormat format) {
    return format == io::MeshFormat::Obj ? io::readObj(bytes, "hostile")
                                         : io::readPly(bytes, "hostile");
}

// Whatever reads is in order, and reads back from what is written of it.
void expectRefusedOrInOrder(const std::string& bytes, io::MeshFormat format) {
    const Result<io::MeshFile> file = read(bytes, format);
    if (!file) {
        ASSERT_FALSE(file.error().what.empty());
        return;
    }
    const Result<MeshReport> report = checkMesh(file->mesh);
    ASSERT_TRUE(report.ok()) << describe(report.error());
    const Result<io::MeshFile> again = read(io::writeMesh(file->mesh, format), format);
    ASSERT_TRUE(again.ok()) << describe(again.error());
    ASSERT_EQ(difference(again->mesh, file->mesh), "");
}

class HostileMeshes : public testing::TestWithParam<io::MeshFormat> {
  protected:
    // Small, with everything the format holds.
    [[nodiscard]] std::string bytes() const {
        Mesh mesh = decoratedBox();
        mesh.positions.resize(6);
        mesh.normals.resize(6);
        mesh.texcoords.resize(6);
        mesh.colors.resize(6);
        mesh.indices.resize(6);
        if (GetParam() != io::MeshFormat::Obj) mesh.name.clear();
        return io::writeMesh(mesh, GetParam());
    }
};

TEST_P(HostileMeshes, CutAtEveryByteAreRefusedOrInOrder) {
    const std::string whole = bytes();
    for (std::size_t size = 0; size <= whole.size(); ++size)
        expectRefusedOrInOrder(whole.substr(0, size), GetParam());
}

TEST_P(HostileMeshes, WithAnyByteChangedAreRefusedOrInOrder) {
    const std::string whole = bytes();
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const char c : {'\0', ' ', '\n', '/', '-', '0', '9', 'e', '\\', '\x7f', '\xff'}) {
            std::string changed = whole;
            changed[at] = c;
            expectRefusedOrInOrder(changed, GetParam());
        }
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string changed = whole;
            changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ (1U << bit));
            expectRefusedOrInOrder(changed, GetParam());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, HostileMeshes,
                         testing::Values(io::MeshFormat::Obj, io::MeshFormat::PlyText,
                                         io::MeshFormat::PlyBinary));

TEST(HostileObj, ManyTextureCoordinatesOfOnePositionTakeLinearTime) {
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    constexpr int kCount = 100000;
    for (int i = 0; i < kCount; ++i) text += "vt 0 0\n";
    for (int i = 1; i <= kCount; ++i) {
        const std::string n = std::to_string(i);
        text += "f 1/" + n + " 2/" + n + " 3/" + n + "\n";
    }
    const Result<io::MeshFile> file = io::readObj(text, "hostile");
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->mesh.positions.size(), 3U * kCount);
}

TEST(HostileObj, AFaceOfAMillionCornersTakesLinearTime) {
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf";
    for (int i = 0; i < 1000000; ++i) text += i % 7 == 0 ? " 1" : i % 3 == 0 ? " 2" : " 3";
    const Result<io::MeshFile> file = io::readObj(text, "hostile");
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->mesh.indices.size(), 3U * 999998U);
}

TEST(HostileObj, AMillionBlankLinesAndNamesTakeLinearTime) {
    std::string text;
    for (int i = 0; i < 300000; ++i) text += "g a\n\\\n#\ns 1\n";
    EXPECT_FALSE(io::readObj(text, "hostile").ok());
}

}  // namespace
}  // namespace ulna::test
