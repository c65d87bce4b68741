// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "support/command.h"
#include "support/mesh_files.h"
#include "support/meshes.h"
#include "support/text.h"
#include "ulna/io/file.h"
#include "ulna/math/random.h"

namespace ulna::test {
namespace {

using Indices = std::vector<std::uint32_t>;

io::MeshFile mustRead(std::string_view text) {
    return must(io::readPly(text, "test.ply"));
}

std::string errorOf(std::string_view text) {
    return test::errorOf(io::readPly(text, "test.ply"));
}

// A header with these lines between its first and last.
std::string header(const std::string& lines, const char* format = "ascii") {
    return std::string("ply\nformat ") + format + " 1.0\n" + lines + "end_header\n";
}

const std::string kXyz = "property float x\nproperty float y\nproperty float z\n";
const std::string kTriangle = header("element vertex 3\n" + kXyz +
                                     "element face 1\nproperty list uchar int vertex_indices\n") +
                              "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

// Values as the bytes of a type, in either order.
class Bytes {
  public:
    explicit Bytes(bool big) : big_(big) {}

    template <class T>
    Bytes& add(T value) {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        if (big_) std::reverse(raw, raw + sizeof(T));
        out.append(raw, sizeof(T));
        return *this;
    }

    std::string out;

  private:
    bool big_;
};

TEST(Ply, ReadsText) {
    const io::MeshFile file = mustRead(kTriangle);
    EXPECT_EQ(file.mesh.positions, (std::vector<Vec3f>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_EQ(file.mesh.indices, (Indices{0, 1, 2}));
    EXPECT_TRUE(file.warnings.empty());
}

TEST(Ply, ReadsEveryTypeByBothItsNamesInBothByteOrders) {
    const char* names[2][8] = {
        {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"},
        {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"}};
    for (const bool big : {false, true}) {
        for (const auto& name : names) {
            std::string lines = "element other 1\n";
            for (std::size_t i = 0; i < 8; ++i)
                lines += std::string("property ") + name[i] + " p" + name[i] + "\n";
            lines += std::string("property list ") + name[3] + " " + name[7] + " l\n";
            lines += std::string("element vertex 3\nproperty ") + name[0] + " z\nproperty " +
                     name[7] + " x\nproperty " + name[2] + " y\nelement face 2\nproperty list " +
                     name[5] + " " + name[3] + " vertex_index\n";
            Bytes bytes(big);
            bytes.add(std::int8_t{-1}).add(std::uint8_t{1}).add(std::int16_t{-2});
            bytes.add(std::uint16_t{2}).add(std::int32_t{-3}).add(std::uint32_t{3});
            bytes.add(1.5f).add(2.5).add(std::uint16_t{2}).add(1.0).add(2.0);
            for (int i = 0; i < 3; ++i) {
                bytes.add(static_cast<std::int8_t>(-7 * i)).add(0.5 * i);
                bytes.add(static_cast<std::int16_t>(-300 * i * i));
            }
            bytes.add(std::uint32_t{3});
            for (std::uint16_t i = 0; i < 3; ++i) bytes.add(i);
            bytes.add(std::uint32_t{3});
            for (std::uint16_t i = 0; i < 3; ++i) bytes.add(static_cast<std::uint16_t>(2 - i));
            const io::MeshFile file = mustRead(
                header(lines, big ? "binary_big_endian" : "binary_little_endian") + bytes.out);
            EXPECT_EQ(file.mesh.positions,
                      (std::vector<Vec3f>{{0, 0, 0}, {0.5f, -300, -7}, {1, -1200, -14}}));
            EXPECT_EQ(file.mesh.indices, (Indices{0, 1, 2, 2, 1, 0}));
            EXPECT_TRUE(contains(warningsOf(file), "elements other than vertices"));
        }
    }
}

TEST(Ply, ReadsPropertiesInAnyOrderAndSkipsOthers) {
    const io::MeshFile file = mustRead(
        header("comment made by hand\nobj_info nothing\nelement vertex 3\nproperty uchar blue\n"
               "property float z\nproperty list uchar float extra\nproperty uchar red\n"
               "property double y\nproperty uchar green\nproperty float quality\n"
               "property float x\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n"
               "element face 1\nproperty uchar flags\nproperty list int uint vertex_indices\n"
               "property list uchar float texcoord\n") +
        "3 30 0 1 20 2 0.5 10\n0 0 2 7 8 0 1 0 0 0\n0 0 0 0 0 0 0 1\n0 1\n9 3 2 1 0 2 0.5 0.5\n");
    EXPECT_EQ(file.mesh.positions, (std::vector<Vec3f>{{10, 20, 30}, {0, 1, 0}, {1, 0, 0}}));
    EXPECT_EQ(file.mesh.colors[0], (Color{1, 2, 3, 255}));
    EXPECT_EQ(file.mesh.indices, (Indices{2, 1, 0}));
    EXPECT_TRUE(contains(warningsOf(file), "are left out (and 3 more times): 'extra'"));
    EXPECT_TRUE(contains(warningsOf(file), "'edge'"));
}

TEST(Ply, ReadsNormalsColoursAndTextureCoordinates) {
    for (const char* uv : {"s t", "u v", "texture_u texture_v"}) {
        const std::string pair = uv;
        const std::size_t gap = pair.find(' ');
        const io::MeshFile file =
            mustRead(header("element vertex 3\n" + kXyz +
                            "property float nx\nproperty float ny\nproperty float nz\n"
                            "property float red\nproperty float green\nproperty float blue\n"
                            "property float alpha\nproperty float " +
                            pair.substr(0, gap) + "\nproperty float " + pair.substr(gap + 1) +
                            "\nelement face 1\nproperty list uchar int vertex_indices\n") +
                     "0 0 0 0 0 5 1 0.5 0 0.2 0.25 0.25\n1 0 0 0 0 0 0 0 0 1 0 0\n"
                     "0 1 0 1 0 0 2 -1 0 1 1 1\n3 0 1 2\n");
        EXPECT_EQ(file.mesh.normals, (std::vector<Vec3f>{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}));
        EXPECT_EQ(file.mesh.colors,
                  (std::vector<Color>{{255, 128, 0, 51}, {0, 0, 0, 255}, {255, 0, 0, 255}}));
        EXPECT_EQ(file.mesh.texcoords, (std::vector<Vec2f>{{0.25f, 0.75f}, {0, 1}, {1, 0}}));
    }
}

TEST(Ply, CutsPolygonsIntoTriangles) {
    const io::MeshFile file =
        mustRead(header("element vertex 4\n" + kXyz +
                        "element face 2\nproperty list uchar int vertex_indices\n") +
                 "0 0 0\n2 1 0\n0 2 0\n1 1 0\n4 0 1 2 3\n2 0 1\n");
    // Cut the other way, a triangle would lie outside.
    EXPECT_EQ(file.mesh.indices.size(), 6U);
    for (std::size_t i = 0; i < 6; i += 3)
        EXPECT_NE(std::find(&file.mesh.indices[i], &file.mesh.indices[i] + 3, 3U),
                  &file.mesh.indices[i] + 3);
    EXPECT_TRUE(contains(warningsOf(file), "fewer than three corners"));
}

TEST(Ply, ReadsStripsOfTriangles) {
    const io::MeshFile file =
        mustRead(header("element vertex 5\n" + kXyz +
                        "element tristrips 1\nproperty list int int vertex_indices\n") +
                 "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n10 0 1 2 3 -1 2 3 3 4 4\n");
    EXPECT_EQ(file.mesh.indices, (Indices{0, 1, 2, 2, 1, 3}));
}

TEST(Ply, TakesFacesBeforeVertices) {
    EXPECT_EQ(mustRead(header("element face 1\nproperty list uchar int vertex_indices\n"
                              "element vertex 3\n" +
                              kXyz) +
                       "3 0 1 2\n0 0 0\n1 0 0\n0 1 0\n")
                  .mesh.indices,
              (Indices{0, 1, 2}));
}

TEST(Ply, ReadsEveryLineEnding) {
    for (const std::string end : {"\r\n", "\r"}) {
        std::string text;
        for (const char c : kTriangle) text += c == '\n' ? end : std::string(1, c);
        EXPECT_EQ(mustRead(text).mesh.positions.size(), 3U);
    }
    // Behind a header of lines that end in CR LF, the first value may look like a line end.
    std::string head = header(
        "element vertex 3\n" + kXyz + "element face 1\nproperty list uchar int vertex_indices\n",
        "binary_little_endian");
    std::string crlf;
    for (const char c : head) crlf += c == '\n' ? "\r\n" : std::string(1, c);
    Bytes bytes(false);
    bytes.add(std::uint32_t{0x0a0a0a0a});  // a float of line ends
    for (int i = 1; i < 9; ++i) bytes.add(static_cast<float>(i * i));
    bytes.add(std::uint8_t{3}).add(0).add(1).add(2);
    for (const std::string& text : {head + bytes.out, crlf + bytes.out}) {
        const io::MeshFile file = mustRead(text);
        EXPECT_EQ(file.mesh.positions[0].y, 1.0f);
        EXPECT_TRUE(file.warnings.empty());
    }
}

TEST(Ply, NamesThePlaceAndTextOfAnError) {
    const std::string vertex = "element vertex 3\n" + kXyz;
    const std::string face = "element face 1\nproperty list uchar int vertex_indices\n";
    const std::string both = header(vertex + face);
    EXPECT_TRUE(contains(errorOf("plx\n"), "test.ply:1:1: a PLY file begins with a line 'ply'"));
    EXPECT_TRUE(contains(errorOf("ply\nformat ascii 1.0\n"), "the header does not end"));
    EXPECT_TRUE(contains(errorOf("ply\nformat text 1.0\n"), "test.ply:2:8: the format is unknown"));
    EXPECT_TRUE(contains(errorOf("ply\nend_header\n"), "no line 'format'"));
    EXPECT_TRUE(contains(errorOf("ply\nelement vertex many\n"), "test.ply:2:16: a number of"));
    EXPECT_TRUE(contains(errorOf("ply\nelement vertex 99999999999999999999\n"), "a number of"));
    EXPECT_TRUE(contains(errorOf("ply\nproperty float x\n"), "belongs to no element"));
    EXPECT_TRUE(
        contains(errorOf("ply\nelement v 1\nproperty real x\n"), "test.ply:3:10: the type"));
    EXPECT_TRUE(contains(errorOf("ply\nelement v 1\nproperty list int bool x\n"), "'bool'"));
    EXPECT_TRUE(contains(errorOf("ply\nsurprise\n"), "an unknown line: 'surprise'"));
    EXPECT_TRUE(contains(errorOf(header(face) + "3 0 1 2\n"), "no vertices"));
    EXPECT_TRUE(contains(errorOf(header("element vertex 1\nproperty float x\n" + face)),
                         "vertices have no x, y and z"));
    EXPECT_TRUE(contains(errorOf(header(vertex) + "0 0 0\n1 0 0\n0 1 0\n"), "no faces"));
    EXPECT_TRUE(contains(
        errorOf(header(vertex + "element face 1\nproperty int x\n") + "0 0 0\n1 0 0\n0 1 0\n3\n"),
        "faces have no list vertex_indices"));
    const std::string points = "0 0 0\n1 0 0\n0 1 0\n";
    EXPECT_TRUE(contains(errorOf(both + "0 0 nan\n"), "test.ply:10:5: the number is not finite"));
    EXPECT_TRUE(contains(errorOf(both + "0 0 x\n"), "test.ply:10:5: a number was expected: 'x'"));
    EXPECT_TRUE(contains(errorOf(both + "0 0 1e30\n"), "too large: '1e30'"));
    EXPECT_TRUE(contains(errorOf(both + points + "3 0 1 3\n"),
                         "test.ply:13:7: there is no such vertex: '3' (the file has 3)"));
    EXPECT_TRUE(contains(errorOf(both + points + "3 0 1 -1\n"), "the index of a vertex"));
    EXPECT_TRUE(contains(errorOf(both + points + "3 0 1 0.5\n"), "the index of a vertex"));
    EXPECT_TRUE(contains(errorOf(both + points + "-3 0 1 2\n"), "a list has no such length: '-3'"));
    EXPECT_TRUE(contains(errorOf(both + points + "3 0 1\n"), "ends before all its elements"));
    EXPECT_TRUE(contains(errorOf(both + points + "200 0 1\n"), "a list is longer than the file"));
}

TEST(Ply, NamesTheByteOfAnErrorInBinary) {
    const std::string head = header(
        "element vertex 1\n" + kXyz + "element face 1\nproperty list uchar int vertex_indices\n",
        "binary_little_endian");
    Bytes bytes(false);
    bytes.add(0.0f).add(1.0f).add(std::nanf(""));
    EXPECT_TRUE(contains(errorOf(head + bytes.out), "at byte " + std::to_string(head.size() + 8)));
    Bytes face(false);
    face.add(0.0f).add(1.0f).add(2.0f).add(std::uint8_t{3}).add(0).add(7).add(0);
    EXPECT_TRUE(contains(errorOf(head + face.out), "there is no such vertex, at byte"));
    EXPECT_TRUE(contains(errorOf(head + face.out), "'7'"));
}

TEST(Ply, BelievesNoCountWithoutBytes) {
    for (const char* format : {"ascii", "binary_little_endian"}) {
        const std::string claims[] = {
            "element vertex 4000000000\n" + kXyz +
                "element face 1\n"
                "property list uchar int vertex_indices\n",
            "element junk 1000000000000000000\nelement vertex 1\n" + kXyz,
            "element junk 1000000000000000000\nproperty double d\nelement vertex 1\n" + kXyz,
            "element junk 1000000000000000000\nproperty list uint double d\nelement vertex 1\n" +
                kXyz,
            "element vertex 0\n" + kXyz +
                "element face 1000000000000000000\n"
                "property list uint int vertex_indices\n"};
        for (const std::string& claim : claims)
            errorOf(header(claim, format) + std::string(64, '\xff'));
    }
}

TEST(Ply, WrittenReadsBackToTheBit) {
    for (const io::MeshFormat format : {io::MeshFormat::PlyText, io::MeshFormat::PlyBinary}) {
        Mesh mesh = decoratedBox();
        mesh.colors[3].a = 17;
        mesh.name.clear();  // PLY has none
        const io::MeshFile file = mustRead(io::writeMesh(mesh, format));
        EXPECT_EQ(difference(file.mesh, mesh), "");
        EXPECT_TRUE(file.warnings.empty());
        const Mesh plain = box({0.1f, 0.2f, 0.3f});
        EXPECT_EQ(difference(mustRead(io::writeMesh(plain, format)).mesh, plain), "");
    }
}

TEST(Ply, KeepsEveryFloat) {
    Random random(12);
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
        const double u = random.unit();
        mesh.texcoords.push_back({static_cast<float>(u), static_cast<float>(random.unit())});
    }
    for (const io::MeshFormat format : {io::MeshFormat::PlyText, io::MeshFormat::PlyBinary})
        EXPECT_EQ(difference(mustRead(io::writeMesh(mesh, format)).mesh, mesh), "");
}

TEST(MeshFiles, AreReadAndWrittenByTheirEndings) {
    const std::string folder = scratchFolder();
    Mesh mesh = decoratedBox();
    ASSERT_TRUE(io::saveMesh(mesh, folder + "/box.OBJ").ok());
    ASSERT_TRUE(io::saveMesh(mesh, folder + "/box.ply").ok());
    const Result<io::MeshFile> obj = io::loadMesh(folder + "/box.OBJ");
    const Result<io::MeshFile> ply = io::loadMesh(folder + "/box.ply");
    ASSERT_TRUE(obj.ok() && ply.ok());
    EXPECT_EQ(difference(obj->mesh, mesh), "");
    mesh.name.clear();
    EXPECT_EQ(difference(ply->mesh, mesh), "");
}

TEST(MeshFiles, OfOtherEndingsAreRefused) {
    EXPECT_TRUE(contains(describe(io::loadMesh("a.stl").error()), ".obj or .ply"));
    EXPECT_TRUE(contains(describe(io::saveMesh(square(), "a.stl").error()), ".obj or .ply"));
    EXPECT_FALSE(io::loadMesh("no/such/file.obj").ok());
}

}  // namespace
}  // namespace ulna::test
