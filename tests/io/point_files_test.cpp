// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/point_files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "ulna/io/npy.h"
#include "ulna/io/point_map.h"

namespace ulna {
namespace {

template <class T>
std::string bytesOf(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// As NumPy's format says: magic, version, length of the header, the header padded to 64 bytes.
std::string npy(const std::string& type, const std::string& shape, bool fortran,
                const std::string& data) {
    std::string header = "{'descr': '" + type +
                         "', 'fortran_order': " + (fortran ? "True" : "False") +
                         ", 'shape': " + shape + ", }";
    while ((header.size() + 11) % 64 != 0) header += ' ';
    header += '\n';
    const auto size = static_cast<std::uint16_t>(header.size());
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(size & 0xFFU);
    out += static_cast<char>(size >> 8U);
    return out + header + data;
}

TEST(Npy, FloatsAndDoublesOfBothOrdersAreTheSameArray) {
    const std::vector<double> rows = {1, 2, 3, 4, 5, 6}, columns = {1, 4, 2, 5, 3, 6};
    const std::vector<float> floats(rows.begin(), rows.end());
    for (const std::string& bytes :
         {npy("<f8", "(2, 3)", false, bytesOf(rows)), npy("<f8", "(2, 3)", true, bytesOf(columns)),
          npy("<f4", "(2, 3)", false, bytesOf(floats))}) {
        const Result<io::NpyArray> array = io::readNpy(bytes, "a.npy");
        ASSERT_TRUE(array.ok()) << describe(array.error());
        EXPECT_EQ(array->shape, (std::vector<std::size_t>{2, 3}));
        EXPECT_EQ(array->values, rows);
    }
}

TEST(Npy, OtherTypesAndOtherFilesAreRefused) {
    const std::vector<double> one = {1};
    for (const auto& [bytes, what] : std::vector<std::pair<std::string, std::string>>{
             {"PK\x03\x04", "this is not a NumPy array"},
             {npy(">f8", "(1,)", false, bytesOf(one)), "the values are neither floats nor doubles"},
             {npy("<f8", "(2,)", false, bytesOf(one)), "the file ends early"},
             {npy("<f8", "(4294967296, 4294967296)", false, bytesOf(one)),
              "the shape is larger than any memory"},
             {npy("<f8", "2", false, bytesOf(one)), "the header is no description of an array"}}) {
        const Result<io::NpyArray> array = io::readNpy(bytes, "a.npy");
        ASSERT_FALSE(array.ok());
        EXPECT_EQ(array.error().what, what);
        EXPECT_EQ(array.error().location.file, "a.npy");
    }
}

TEST(Npy, CutAtEveryByteIsAnErrorAndNoMore) {
    const std::string whole = npy("<f8", "(1, 2, 3)", false, bytesOf<double>({1, 2, 3, 4, 5, 6}));
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_FALSE(io::readNpy(std::string_view(whole).substr(0, n), "a.npy").ok()) << n;
    EXPECT_TRUE(io::readNpy(whole, "a.npy").ok());
}

TEST(PointFiles, NotANumberAndNoConfidenceAreMissing) {
    const double nan = std::nan("");
    const std::string bytes =
        npy("<f8", "(1, 3, 4)", false, bytesOf<double>({1, 2, 3, 0.5, nan, 2, 3, 1, 1, 2, 3, 0}));
    const Result<io::PointFile> file = io::readPoints(bytes, io::PointFormat::Npy, "a.npy");
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->clip.point_count, 3U);
    EXPECT_EQ(file->clip.frameCount(), 1U);
    EXPECT_EQ(file->clip.weights, (std::vector<double>{0.5, 0, 0}));
    EXPECT_EQ(file->clip.positions[0], (Vec3{1, 2, 3}));
    EXPECT_EQ(file->clip.positions[1], Vec3{});
}

TEST(PointFiles, TablesNameTheirColumns) {
    const Result<io::PointFile> file = io::readPoints(
        "frame,time,Hips.x,Hips.y,Hips.z,Head.x,Head.y,Head.z,Head.c\n0,0,1,2,3,4,5,6,0.5\n"
        "1,0.02,1,2,,4,5,6,1\n",
        io::PointFormat::Csv, "a.csv");
    ASSERT_TRUE(file.ok()) << describe(file.error());
    EXPECT_EQ(file->clip.names, (std::vector<std::string>{"Hips", "Head"}));
    EXPECT_TRUE(file->timed);
    EXPECT_DOUBLE_EQ(file->clip.frame_time, 0.02);
    EXPECT_EQ(file->clip.weights, (std::vector<double>{1, 0.5, 0, 1}));
}

TEST(PointFiles, TablesWithoutAHeaderHaveThreeColumnsPerPoint) {
    const Result<io::PointFile> file =
        io::readPoints("1;2;3;4;5;6\n", io::PointFormat::Csv, "a.csv");
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->clip.point_count, 2U);
    EXPECT_EQ(file->clip.positions[1], (Vec3{4, 5, 6}));
}

TEST(PointFiles, ErrorsOfTablesHaveLineAndColumn) {
    const Result<io::PointFile> file =
        io::readPoints("1,2,3\n4,x,6\n", io::PointFormat::Csv, "a.csv");
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(describe(file.error()), "a.csv:2:3: this is not a number: 'x'");
    EXPECT_FALSE(io::readPoints("1,2,3\n4,5\n", io::PointFormat::Csv, "a.csv").ok());
    EXPECT_FALSE(io::readPoints("a.x,a.y\n1,2\n", io::PointFormat::Csv, "a.csv").ok());
    EXPECT_FALSE(io::readPoints("", io::PointFormat::Csv, "a.csv").ok());
}

TEST(PointFiles, DocumentsHaveFramesOfPointsOrOfPositions) {
    const auto read = [](std::string_view text) {
        return io::readPoints(text, io::PointFormat::Json, "a.json");
    };
    const Result<io::PointFile> bare = read("[[[1,2,3],null,[4,5,6,0.25]]]");
    ASSERT_TRUE(bare.ok());
    EXPECT_EQ(bare->clip.weights, (std::vector<double>{1, 0, 0.25}));
    const Result<io::PointFile> fk = read(
        R"({"ulna":1,"joints":["A","B"],"fps":50,"frames":[{"positions":[[1,2,3],[4,5,6]]}]})");
    ASSERT_TRUE(fk.ok());
    EXPECT_EQ(fk->clip.names, (std::vector<std::string>{"A", "B"}));
    EXPECT_DOUBLE_EQ(fk->clip.frame_time, 0.02);
    const Result<io::PointFile> uneven = read("[[[1,2,3]],[[1,2,3],[1,2,3]]]");
    ASSERT_FALSE(uneven.ok());
    EXPECT_EQ(uneven.error().location.json_path, "[1]");
    EXPECT_FALSE(read("[[[1,2]]]").ok());
    EXPECT_FALSE(read("[]").ok());
    EXPECT_FALSE(read("{").ok());
}

// A recording of two markers and two frames, by hand: header, parameters, data of one block each.
std::string c3d(bool real, int machine) {
    std::string out(3 * 512, '\0');
    const bool big = machine == 86;
    const auto word = [&](std::size_t at, unsigned value) {
        out[at + (big ? 1 : 0)] = static_cast<char>(value & 0xFFU);
        out[at + (big ? 0 : 1)] = static_cast<char>(value >> 8U & 0xFFU);
    };
    const auto number = [&](std::size_t at, float value) {
        if (machine == 85) value *= 4.0F;
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        word(at, machine == 84 ? bits & 0xFFFFU : bits >> 16U);
        word(at + 2, machine == 84 ? bits >> 16U : bits & 0xFFFFU);
    };
    out[0] = 2;
    out[1] = 0x50;
    word(2, 2);
    word(6, 1);
    word(8, 2);
    number(12, real ? -0.1F : 0.1F);
    word(16, 3);
    number(20, 50.0F);
    std::size_t at = 512 + 4;
    out[512 + 3] = static_cast<char>(machine);
    const auto name = [&](int id, const std::string& text) {
        out[at] = static_cast<char>(text.size());
        out[at + 1] = static_cast<char>(id);
        out.replace(at + 2, text.size(), text);
        at += 2 + text.size();
    };
    name(-1, "POINT");
    word(at, 3);
    at += 3;
    name(1, "LABELS");
    word(at, 2 + 1 + 1 + 2 + 8 + 1);
    out[at + 2] = -1;
    out[at + 3] = 2;
    out[at + 4] = 4;
    out[at + 5] = 2;
    out.replace(at + 6, 8, "LHIPRH  ");
    at += 15;
    name(1, "UNITS");
    word(at, 0);
    out[at + 2] = -1;
    out[at + 3] = 1;
    out[at + 4] = 2;
    out.replace(at + 5, 2, "mm");
    for (unsigned k = 0; k < 4; ++k) {
        for (unsigned axis = 0; axis < 4; ++axis) {
            const bool missing = k == 3 && axis == 3;
            const unsigned value = axis == 3 ? 0 : 100 * k + 10 * axis;
            if (real)
                number(1024 + (k * 4 + axis) * 4, missing ? -1.0F : static_cast<float>(value));
            else
                word(1024 + (k * 4 + axis) * 2, missing ? 0xFFFFU : value);
        }
    }
    return out;
}

TEST(C3d, WordsAndFloatsOfEveryMachineAreRead) {
    for (const int machine : {84, 85, 86}) {
        for (const bool real : {false, true}) {
            const Result<io::PointFile> file =
                io::readPoints(c3d(real, machine), io::PointFormat::C3d, "a.c3d");
            ASSERT_TRUE(file.ok()) << describe(file.error());
            EXPECT_EQ(file->clip.names, (std::vector<std::string>{"LHIP", "RH"}));
            EXPECT_EQ(file->clip.frameCount(), 2U);
            EXPECT_DOUBLE_EQ(file->clip.frame_time, 0.02);
            EXPECT_EQ(file->metres, 0.001);
            EXPECT_EQ(file->clip.weights, (std::vector<double>{1, 1, 1, 0}));
            const double scale = real ? 1.0 : 0.1;
            EXPECT_NEAR(distance(file->clip.positions[2], Vec3{200, 210, 220} * scale), 0.0, 1e-5);
        }
    }
}

TEST(C3d, CutAtEveryByteReadsWholeFramesOrIsAnError) {
    const std::string whole = c3d(true, 84);
    for (std::size_t n = 0; n < whole.size(); n += 3) {
        const Result<io::PointFile> file =
            io::readPoints(std::string_view(whole).substr(0, n), io::PointFormat::C3d, "a.c3d");
        if (!file.ok()) continue;
        EXPECT_GE(n, 1024U + 32U);
        EXPECT_EQ(file->clip.frameCount(), n >= 1024U + 64U ? 2U : 1U);
    }
}

TEST(PointMaps, AnEntryMayBeTheMiddleOfSeveralPoints) {
    const Result<io::PointMap> map = io::readPointMap(
        R"({"up": "z", "metres_per_unit": 0.001, "points": [
            {"name": "left hip", "of": ["a", "b"], "landmark": "hip", "side": "left"},
            {"name": "b", "joint": "Head"}]})",
        "m.points.json");
    ASSERT_TRUE(map.ok()) << describe(map.error());
    EXPECT_EQ(map->layout.up, PointUp::Z);
    const PointClip clip{.names = {"a", "b"},
                         .point_count = 2,
                         .positions = {{0, 0, 0}, {2, 4, 6}, {0, 0, 0}, {0, 0, 0}},
                         .weights = {1, 0.5, 1, 0}};
    const Result<PointClip> points = io::mappedPoints(*map, clip);
    ASSERT_TRUE(points.ok());
    EXPECT_EQ(points->positions[0], (Vec3{1, 2, 3}));
    EXPECT_EQ(points->weights, (std::vector<double>{0.5, 0.5, 0, 0}));
}

TEST(PointMaps, MistakesAreNamedWithTheirPath) {
    const auto path = [](std::string_view text) {
        const Result<io::PointMap> map = io::readPointMap(text, "m.json");
        return map.ok() ? std::string("taken") : map.error().location.json_path;
    };
    EXPECT_EQ(path(R"({"points": [{"name": "a", "landmark": "hipp"}]})"), "points[0].landmark");
    EXPECT_EQ(path(R"({"points": [{"name": "a", "landmark": "hip"}]})"), "points[0]");
    EXPECT_EQ(path(R"({"points": [{"name": "a", "landmark": "nose", "side": "left"}]})"),
              "points[0].side");
    EXPECT_EQ(path(R"({"points": []})"), "points");
    EXPECT_EQ(path(R"({"up": "q", "points": [{"name": "a", "joint": "b"}]})"), "up");
}

}  // namespace
}  // namespace ulna
