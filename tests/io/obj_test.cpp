// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "support/mesh_files.h"
#include "support/meshes.h"
#include "support/text.h"
#include "ulna/math/random.h"

namespace ulna::test {
namespace {

using Indices = std::vector<std::uint32_t>;

io::MeshFile mustRead(std::string_view text) {
    return must(io::readObj(text, "test.obj"));
}

std::string errorOf(std::string_view text) {
    return test::errorOf(io::readObj(text, "test.obj"));
}

constexpr const char* kCorners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(Obj, ReadsPositionsAndTriangles) {
    const io::MeshFile file = mustRead("v 1.5 -2 3e-1\nv 0 .5 +4\nv 1. 0 0\nf 1 2 3\n");
    EXPECT_EQ(file.mesh.positions, (std::vector<Vec3f>{{1.5f, -2, 0.3f}, {0, 0.5f, 4}, {1, 0, 0}}));
    EXPECT_EQ(file.mesh.indices, (Indices{0, 1, 2}));
    EXPECT_TRUE(file.warnings.empty());
    EXPECT_TRUE(file.mesh.weights.empty());
}

TEST(Obj, CountsNegativeIndicesBack) {
    const io::MeshFile file =
        mustRead("v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 0 1 0\nf -4 -2 -1\n");
    EXPECT_EQ(file.mesh.indices, (Indices{0, 1, 2, 0, 2, 3}));
}

TEST(Obj, TakesFacesBeforeTheirVertices) {
    EXPECT_EQ(mustRead(std::string("f 1 2 3\n") + kCorners).mesh.indices, (Indices{0, 1, 2}));
}

TEST(Obj, TurnsTextureCoordinatesOver) {
    const io::MeshFile file =
        mustRead(std::string(kCorners) + "vt 0.25 0.75\nvt 1 1 0\nvt 0.5\nf 1/1 2/2 3/3\n");
    EXPECT_EQ(file.mesh.texcoords[0], (Vec2f{0.25f, 0.25f}));
    EXPECT_EQ(file.mesh.texcoords[1], (Vec2f{1, 0}));
    EXPECT_EQ(file.mesh.texcoords[2], (Vec2f{0.5f, 1}));
}

TEST(Obj, MakesNormalsOneLong) {
    const io::MeshFile file =
        mustRead(std::string(kCorners) + "vn 0 0 2\nvn 0 0 0\nf 1//1 2//1 3//2\n");
    EXPECT_EQ(file.mesh.normals[0], (Vec3f{0, 0, 1}));
    EXPECT_EQ(file.mesh.normals[2], (Vec3f{0, 1, 0}));
    EXPECT_TRUE(contains(warningsOf(file), "test.obj:6:1: normals of no length become 0 1 0"));
}

TEST(Obj, SplitsVerticesWhereTextureCoordinatesDiffer) {
    const io::MeshFile file = mustRead(std::string(kCorners) +
                                       "vt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n"
                                       "f 1/1/1 2/2/1 3/3/1\nf 1/2/1 3/3/1 4/1/1\n");
    // The file's vertices stay where they are; the other reading of vertex 1 comes behind them.
    ASSERT_EQ(file.mesh.positions.size(), 5U);
    EXPECT_EQ(file.mesh.indices, (Indices{0, 1, 2, 4, 2, 3}));
    EXPECT_EQ(file.mesh.positions[4], file.mesh.positions[0]);
    EXPECT_EQ(file.mesh.texcoords[0], (Vec2f{0, 1}));
    EXPECT_EQ(file.mesh.texcoords[4], (Vec2f{1, 1}));
    EXPECT_EQ(file.mesh.normals.size(), 5U);
}

TEST(Obj, LeavesOutWhatOnlyAPartHas) {
    const io::MeshFile file =
        mustRead(std::string(kCorners) + "vt 0 0\nvt 1 0\nf 1/1 2/2 3/1\nf 1 3 4\n");
    EXPECT_TRUE(file.mesh.texcoords.empty());
    EXPECT_EQ(file.mesh.positions.size(), 4U);
    EXPECT_TRUE(contains(warningsOf(file), "only a part of the corners has texture coordinates"));
}

TEST(Obj, ReadsColoursOfVertices) {
    const io::MeshFile file = mustRead("v 0 0 0 1 0.5 0\nv 1 0 0\nv 1 1 0 2 0 0\nf 1 2 3\n");
    EXPECT_EQ(file.mesh.colors, (std::vector<Color>{{255, 128, 0}, {}, {255, 0, 0}}));
    EXPECT_TRUE(contains(warningsOf(file), "clamped"));
}

TEST(Obj, LeavesOutTheWeightOfAPosition) {
    EXPECT_TRUE(mustRead("v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n").warnings.empty());
    EXPECT_TRUE(contains(warningsOf(mustRead("v 0 0 0 2\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")),
                         "weights of positions"));
}

TEST(Obj, TakesTheFirstNameOfAnObject) {
    EXPECT_EQ(mustRead(std::string("g body\no  A name \n") + kCorners + "f 1 2 3\n").mesh.name,
              "A name");
    EXPECT_EQ(mustRead(std::string("g body\n") + kCorners + "f 1 2 3\n").mesh.name, "body");
    const io::MeshFile file = mustRead(std::string("o a\n") + kCorners + "f 1 2 3\no b\nf 1 3 4\n");
    EXPECT_EQ(file.mesh.name, "a");
    EXPECT_TRUE(contains(warningsOf(file), "several objects are read as one mesh: 'b'"));
}

TEST(Obj, ReadsNamesThatAreNotUnicode) {
    EXPECT_EQ(mustRead(std::string("o Stra\xDF") + "e\n" + kCorners + "f 1 2 3\n").mesh.name,
              "Straße");
}

TEST(Obj, JoinsLinesThatEndInABackslash) {
    EXPECT_EQ(mustRead(std::string(kCorners) + "f 1 \\\n 2 3\n").mesh.indices, (Indices{0, 1, 2}));
    EXPECT_EQ(mustRead(std::string(kCorners) + "f 1\\\r\n2 3 \\\r\n4\n").mesh.indices.size(), 6U);
}

TEST(Obj, ReadsEveryLineEndingAndComments) {
    for (const char* end : {"\n", "\r\n", "\r"}) {
        const std::string text = std::string("# a comment\\") + end + "v 0 0 0 # here" + end +
                                 "\tv 1 0 0" + end + end + "v 0 1 0" + end + "f 1 2 3#last";
        EXPECT_TRUE(contains(errorOf(text), "3#last"));
        EXPECT_EQ(mustRead(text.substr(0, text.size() - 5)).mesh.indices, (Indices{0, 1, 2}));
    }
    EXPECT_EQ(mustRead(std::string("\xEF\xBB\xBF") + kCorners + "f 1 2 3").mesh.positions.size(),
              4U);
}

TEST(Obj, SaysWhatIsLeftOut) {
    const io::MeshFile file =
        mustRead(std::string("mtllib a.mtl\n") + kCorners +
                 "usemtl skin\ns 1\nf 1 2 3\ns off\nl 1 2\np 1\nf 1 3 4\nvp 1 2\nf 1 2\n");
    const std::string said = warningsOf(file);
    EXPECT_TRUE(contains(said, "test.obj:1:1: materials are left out (and 1 more times): 'a.mtl'"));
    EXPECT_TRUE(contains(said, "smoothing groups are left out"));
    EXPECT_TRUE(contains(said, "lines and points are left out (and 1 more times): 'l'"));
    EXPECT_TRUE(contains(said, "statements other than v, vt, vn, f, o and g are left out: 'vp'"));
    EXPECT_TRUE(contains(said, "test.obj:14:1: faces of fewer than three corners"));
    EXPECT_EQ(file.mesh.indices.size(), 6U);
}

TEST(Obj, NamesThePlaceAndTextOfAnError) {
    const std::string c = kCorners;
    EXPECT_TRUE(
        contains(errorOf("v 0 0 0\nv 1 zero 0\n"), "test.obj:2:5: a number was expected: 'zero'"));
    EXPECT_TRUE(contains(errorOf("v 0 0\n"), "test.obj:1:6: a position has three numbers"));
    EXPECT_TRUE(contains(errorOf("v 0 nan 0\n"), "test.obj:1:5: the number is not finite"));
    EXPECT_TRUE(contains(errorOf("v 0 1e39 0\n"), "too large: '1e39'"));
    EXPECT_TRUE(contains(errorOf("v 0 1e19 0\n"), "too large: '1e19'"));
    EXPECT_TRUE(contains(errorOf("v 0 -inf 0\n"), "'-inf'"));
    EXPECT_TRUE(contains(errorOf("v 1 2 3 4 5 6 7 8\n"), "too many numbers: '8'"));
    EXPECT_TRUE(contains(errorOf(c + "f 1 2 5\nf 1 2 3\n"),
                         "test.obj:5:7: the index is beyond the last: '5' (the file has 4"));
    EXPECT_TRUE(contains(errorOf(c + "f 1 2 0\n"), "test.obj:5:7: indices are counted from 1"));
    EXPECT_TRUE(contains(errorOf(c + "f 1 2 -5\n"), "behind the first: '-5'"));
    EXPECT_TRUE(contains(errorOf(c + "f 1 2 x\n"), "a corner was expected: 'x'"));
    EXPECT_TRUE(contains(errorOf(c + "f 1 2 3/1\n"), "the file has 0 texture coordinates"));
    EXPECT_TRUE(contains(errorOf(c + "f 1 2 3//7\n"), "the file has 0 normals"));
    EXPECT_TRUE(contains(errorOf(c + "f 1 2 99999999999999999999\n"), "beyond the last"));
    EXPECT_TRUE(contains(errorOf(c + "vn 1 0\n"), "a normal has three numbers"));
    EXPECT_TRUE(contains(errorOf(c), "test.obj: the file has no faces"));
    EXPECT_TRUE(contains(errorOf(""), "is this an OBJ file?"));
    EXPECT_TRUE(contains(errorOf("{\"json\": 1}\n"), "is this an OBJ file?"));
}

TEST(Obj, WrittenReadsBackToTheBit) {
    const Mesh mesh = decoratedBox();
    const io::MeshFile file = mustRead(io::writeMesh(mesh, io::MeshFormat::Obj));
    EXPECT_EQ(difference(file.mesh, mesh), "");
    EXPECT_TRUE(file.warnings.empty());
    Mesh plain = box({0.1f, 0.2f, 0.3f});
    EXPECT_EQ(difference(mustRead(io::writeMesh(plain, io::MeshFormat::Obj)).mesh, plain), "");
    plain.normals = computeNormals(plain);
    EXPECT_EQ(difference(mustRead(io::writeMesh(plain, io::MeshFormat::Obj)).mesh, plain), "");
}

TEST(Obj, KeepsEveryFloat) {
    // Every exponent of floats within bounds, by chance; and vertices of no face.
    Random random(11);
    Mesh mesh = square();
    for (int i = 0; i < 20000; ++i) {
        const auto number = [&] {
            return static_cast<float>(random.between(-1.0, 1.0) *
                                      std::pow(2.0, random.between(-149.0, 59.0)));
        };
        const float x = number(), y = number(), z = number();
        mesh.positions.push_back({x, y, z});
    }
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3 n = random.direction();
        mesh.normals.push_back(
            {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)});
        const double u = random.unit();
        mesh.texcoords.push_back({static_cast<float>(u), static_cast<float>(random.unit())});
    }
    EXPECT_EQ(difference(mustRead(io::writeMesh(mesh, io::MeshFormat::Obj)).mesh, mesh), "");
}

TEST(Obj, KeepsEveryShadeOfColour) {
    Mesh mesh = square();
    mesh.positions.resize(256);
    for (int i = 0; i < 256; ++i) {
        const auto c = static_cast<std::uint8_t>(i);
        mesh.colors.push_back({c, c, static_cast<std::uint8_t>(255 - i), 255});
    }
    EXPECT_EQ(difference(mustRead(io::writeMesh(mesh, io::MeshFormat::Obj)).mesh, mesh), "");
}

TEST(Obj, WritesNamesThatStayOnTheirLine) {
    Mesh mesh = square();
    mesh.name = "a\nv 1 2 3\\";
    const io::MeshFile file = mustRead(io::writeMesh(mesh, io::MeshFormat::Obj));
    EXPECT_EQ(file.mesh.positions.size(), 4U);
    EXPECT_EQ(file.mesh.indices, mesh.indices);
}

}  // namespace
}  // namespace ulna::test
