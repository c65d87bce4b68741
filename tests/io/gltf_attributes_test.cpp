// SPDX-License-Identifier: Apache-2.0

// Tangents, texture coordinates and colours of glTF meshes, in and out.
#include <gtest/gtest.h>

#include <cmath>

#include "support/gltf_samples.h"
#include "support/gltf_texts.h"
#include "support/meshes.h"
#include "support/text.h"
#include "ulna/io/gltf.h"
#include "ulna/skin/check_mesh.h"

namespace ulna::test {
namespace {

io::GltfFile writtenAndRead(const Skeleton& skeleton, const Mesh& mesh) {
    const Result<io::GltfBytes> out =
        io::writeGltf({.skeleton = skeleton, .meshes = std::span(&mesh, 1)});
    EXPECT_TRUE(out.ok());
    return out.ok() ? mustReadGltf(out->bytes) : io::GltfFile{};
}

std::string warningsOf(const Warnings& warnings) {
    std::string out;
    for (const Diagnostic& warning : warnings) out += describe(warning) + "\n";
    return out;
}

// A triangle with these attributes beside its positions, which are accessor 0; a second primitive
// has positions alone.
class Triangle {
  public:
    Triangle() { positions_ = buffer.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}); }

    void add(const char* name, std::size_t offset, int component, const char* type,
             bool normalized = false, std::size_t count = 3) {
        std::string text = accessor(offset, component, count, type);
        if (normalized) text.insert(text.size() - 1, R"(,"normalized":true)");
        accessors_ += "," + text;
        attributes_ += std::string(",\"") + name + "\":" + std::to_string(++count_);
    }
    [[nodiscard]] std::string bytes(bool second = false) const {
        return glb(R"("nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0)" +
                       attributes_ + "}}" + (second ? R"(,{"attributes":{"POSITION":0}})" : "") +
                       R"(]}],"accessors":[)" + accessor(positions_, 5126, 3, "VEC3") + accessors_ +
                       "]," + wholeView(buffer),
                   buffer);
    }
    [[nodiscard]] io::GltfFile read(bool second = false) const {
        return mustReadGltf(bytes(second));
    }

    GltfBuffer buffer;

  private:
    std::size_t positions_ = 0;
    std::string attributes_, accessors_;
    int count_ = 0;
};

TEST(GltfAttributes, AreKeptThroughAFile) {
    const Skeleton arm = gltfArm();
    const Mesh mesh = gltfDressedSleeve(arm);
    const io::GltfFile file = writtenAndRead(arm, mesh);
    ASSERT_EQ(file.meshes.size(), 1U);
    EXPECT_EQ(difference(file.meshes[0], mesh), "");
    EXPECT_TRUE(checkMesh(file.meshes[0]).ok());
}

TEST(GltfAttributes, EveryShadeOfAColourIsKept) {
    Mesh mesh = square();
    mesh.positions.resize(256);
    for (int i = 0; i < 256; ++i) {
        const auto c = static_cast<std::uint8_t>(i);
        mesh.colors.push_back({c, static_cast<std::uint8_t>(255 - i), c, c});
    }
    const io::GltfFile file = writtenAndRead({}, mesh);
    ASSERT_EQ(file.meshes.size(), 1U);
    EXPECT_EQ(file.meshes[0].colors, mesh.colors);
}

TEST(GltfAttributes, ColoursAreSharesOfLightInAnyType) {
    // Half of the light is 188 of 255 on a screen, a fifth of it 124 (IEC 61966-2-1).
    const std::vector<Color> expected = {
        {255, 188, 0, 255}, {124, 255, 124, 255}, {0, 0, 188, 255}};
    Triangle floats, shorts, octets;
    floats.add("COLOR_0", floats.buffer.floats({1, 0.5f, 0, 0.2f, 1, 0.2f, -1, 0, 0.5f}), 5126,
               "VEC3");
    EXPECT_EQ(floats.read().meshes.at(0).colors, expected);
    shorts.add("COLOR_0",
               shorts.buffer.shorts(
                   {65535, 32768, 0, 65535, 13107, 65535, 13107, 65535, 0, 0, 32768, 65535}),
               5123, "VEC4", true);
    EXPECT_EQ(shorts.read().meshes.at(0).colors, expected);
    octets.add("COLOR_0", octets.buffer.octets({255, 128, 0, 255, 51, 255, 51, 255, 0, 0, 128, 17}),
               5121, "VEC4", true);
    const std::vector<Color> colors = octets.read().meshes.at(0).colors;
    EXPECT_EQ(colors[0], (Color{255, 188, 0, 255}));
    EXPECT_EQ(colors[2], (Color{0, 0, 188, 17}));  // how opaque it is has no light
}

TEST(GltfAttributes, OfOnlySomePrimitivesAreLeftOutButColoursWhiteAndTextureCoordinatesZero) {
    Triangle triangle;
    triangle.add("TANGENT", triangle.buffer.floats({1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1}), 5126,
                 "VEC4");
    triangle.add("TEXCOORD_0", triangle.buffer.floats({0, 0, 1, 0, 0, 1}), 5126, "VEC2");
    triangle.add("COLOR_0", triangle.buffer.floats({1, 0, 0, 1, 0, 0, 1, 0, 0}), 5126, "VEC3");
    const io::GltfFile whole = triangle.read();
    EXPECT_EQ(whole.meshes.at(0).tangents[2], (Tangent{{1, 0, 0}, -1.0f}));
    EXPECT_EQ(whole.meshes[0].texcoords[1], (Vec2f{1, 0}));
    EXPECT_TRUE(whole.warnings.empty());
    const io::GltfFile file = triangle.read(true);
    const Mesh& mesh = file.meshes.at(0);
    EXPECT_EQ(mesh.positions.size(), 6U);
    EXPECT_TRUE(mesh.tangents.empty());
    EXPECT_EQ(mesh.texcoords, (std::vector<Vec2f>{{0, 0}, {1, 0}, {0, 1}, {}, {}, {}}));
    EXPECT_EQ(mesh.colors[2], (Color{255, 0, 0, 255}));
    EXPECT_EQ(mesh.colors[3], (Color{}));
    EXPECT_TRUE(contains(warningsOf(file.warnings), "only a part of a mesh has tangents"));
}

TEST(GltfAttributes, QuantisedTextureCoordinatesAreRead) {
    Triangle triangle;
    triangle.add("TEXCOORD_0", triangle.buffer.shorts({0, 65535, 13107, 0, 0, 0}), 5123, "VEC2",
                 true);
    EXPECT_EQ(triangle.read().meshes.at(0).texcoords,
              (std::vector<Vec2f>{{0, 1}, {0.2f, 0}, {0, 0}}));
}

TEST(GltfAttributes, DirectionsAreMadeOneLong) {
    Triangle triangle;
    triangle.add("NORMAL", triangle.buffer.floats({0, 0, 3, 0, 0, 0, 0, 0, 1}), 5126, "VEC3");
    triangle.add("TANGENT", triangle.buffer.floats({2, 0, 0, 5, 1, 0, 0, -1, 1, 0, 0, 0}), 5126,
                 "VEC4");
    const io::GltfFile file = triangle.read();
    EXPECT_EQ(file.meshes.at(0).normals, (std::vector<Vec3f>{{0, 0, 1}, {0, 1, 0}, {0, 0, 1}}));
    EXPECT_EQ(file.meshes[0].tangents,
              (std::vector<Tangent>{{{1, 0, 0}, 1}, {{1, 0, 0}, -1}, {{1, 0, 0}, 1}}));
}

TEST(GltfAttributes, BeyondTheFirstAreLeftOutWithAWarning) {
    Triangle triangle;
    triangle.add("TEXCOORD_1", triangle.buffer.floats({0, 0, 1, 0, 0, 1}), 5126, "VEC2");
    EXPECT_TRUE(contains(warningsOf(triangle.read().warnings),
                         "further texture coordinates, colours and attributes are left out"));
}

TEST(GltfAttributes, OfAnotherNumberThanPositionsAreRefused) {
    for (const char* name : {"TANGENT", "TEXCOORD_0", "COLOR_0"}) {
        Triangle triangle;
        const bool pair = std::string_view(name) == "TEXCOORD_0";
        triangle.add(name, triangle.buffer.floats({1, 0, 0, 1, 1, 0, 0, 1}), 5126,
                     pair ? "VEC2" : "VEC4", false, 2);
        EXPECT_TRUE(contains(gltfErrorOf(triangle.bytes()), "there are not as many"));
    }
    Triangle triangle;
    triangle.add("COLOR_0", triangle.buffer.floats({1, 0, 0, 1, 1, 0}), 5126, "VEC2");
    EXPECT_TRUE(contains(gltfErrorOf(triangle.bytes()), "VEC4 was expected"));
}

TEST(GltfAttributes, TangentsWithoutNormalsAreNotWritten) {
    Mesh mesh = square();
    mesh.tangents.assign(4, {});
    const Result<io::GltfBytes> out =
        io::writeGltf({.skeleton = {}, .meshes = std::span(&mesh, 1)});
    ASSERT_TRUE(out.ok());
    EXPECT_TRUE(contains(warningsOf(out->warnings), "tangents without normals are left out"));
}

TEST(GltfMeshes, WithoutTrianglesAreLeftOutWithAWarning) {
    GltfBuffer b;
    b.floats({0, 0, 0, 1, 0, 0});
    const io::GltfFile file = mustReadGltf(
        glb(R"("nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
            R"("accessors":[)" +
                accessor(0, 5126, 2, "VEC3") + "]," + wholeView(b),
            b));
    EXPECT_TRUE(file.meshes.empty());
    EXPECT_TRUE(contains(warningsOf(file.warnings), "a mesh without triangles is left out"));
}

}  // namespace
}  // namespace ulna::test
