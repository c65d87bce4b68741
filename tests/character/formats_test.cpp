// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/formats.h"

#include <gtest/gtest.h>

namespace ulna {
namespace {

TEST(FileFormats, AreToldByTheEndingOfAName) {
    EXPECT_EQ(formatOfName("walk.bvh"), FileFormat::Bvh);
    EXPECT_EQ(formatOfName("/a folder/Walk.BVH"), FileFormat::Bvh);
    EXPECT_EQ(formatOfName("body.glb"), FileFormat::Gltf);
    EXPECT_EQ(formatOfName("body.gltf"), FileFormat::Gltf);
    EXPECT_EQ(formatOfName("arm.rig.json"), FileFormat::Rig);
    EXPECT_EQ(formatOfName("arm.json"), FileFormat::Rig);
    EXPECT_EQ(formatOfName("wave.keys.json"), FileFormat::Keys);
    EXPECT_EQ(formatOfName("body.obj"), FileFormat::Obj);
    EXPECT_EQ(formatOfName("body.ply"), FileFormat::Ply);
    EXPECT_EQ(formatOfName("table.csv"), FileFormat::Csv);
    EXPECT_EQ(formatOfName("-"), FileFormat::Bvh);
    EXPECT_EQ(formatOfName("walk.fbx"), std::nullopt);
    EXPECT_EQ(formatOfName(""), std::nullopt);
}

TEST(FileFormats, AreToldByTheBytesWhereTheNameSaysNothing) {
    EXPECT_EQ(formatOfBytes("glTF\2\0\0\0", "download"), FileFormat::Gltf);
    EXPECT_EQ(formatOfBytes("\xEF\xBB\xBF\n# by hand\nHierarchy\nROOT a", ""), FileFormat::Bvh);
    EXPECT_EQ(formatOfBytes("{\"asset\":{\"version\":\"2.0\"}}", "x"), FileFormat::Gltf);
    EXPECT_EQ(formatOfBytes("{\"asset\":{\"version\":\"2.0\"}}", "x.json"), FileFormat::Gltf);
    EXPECT_EQ(formatOfBytes("ply\nformat ascii 1.0\n", "x"), FileFormat::Ply);
    EXPECT_EQ(formatOfBytes("{\"ulna\": 1, \"joints\": []}", "x"), FileFormat::Rig);
    EXPECT_EQ(formatOfBytes("{}", "x.json"), FileFormat::Rig);
    EXPECT_EQ(formatOfBytes("<?xml version='1.0'?>\n<robot name='a'><!-- <mujoco/> -->", "x.xml"),
              FileFormat::Urdf);
    EXPECT_EQ(formatOfBytes("<!-- a <robot --><mujoco model='a'>", "x.urdf"), FileFormat::Urdf);
    EXPECT_EQ(formatOfBytes("<mujoco model='a'>", "x.xml"), FileFormat::Mjcf);
    EXPECT_EQ(formatOfBytes("<mujoco model='a'>", "x"), FileFormat::Mjcf);
    EXPECT_EQ(formatOfBytes("<html>", "x.xml"), FileFormat::Mjcf);
    EXPECT_EQ(formatOfBytes("{}", "x"), std::nullopt);
    EXPECT_EQ(formatOfBytes("", "x"), std::nullopt);
}

TEST(FileFormats, OfNamesThatSaySomethingAreNotGuessedFromBytes) {
    EXPECT_EQ(formatOfBytes("{\"asset\":{}}", "x.bvh"), FileFormat::Bvh);
    EXPECT_EQ(formatOfBytes("HIERARCHY", "x.rig.json"), FileFormat::Rig);
}

TEST(FileFormats, OfRigsDoNotDependOnWhatJointsAreCalled) {
    EXPECT_EQ(formatOfBytes("{\"ulna\": 1, \"joints\": [{\"name\": \"asset\"}]}", "a.json"),
              FileFormat::Rig);
    EXPECT_EQ(formatOfBytes("{\"ulna\": 1, \"name\": \"hierarchy\"}", "a.json"), FileFormat::Rig);
}

TEST(FileFormats, OfTheLongestEndingAreMeant) {
    EXPECT_EQ(formatOfName("json"), std::nullopt);
    EXPECT_EQ(formatOfName("a.Keys.JSON"), FileFormat::Keys);
    EXPECT_EQ(formatOfName("keys.json"), FileFormat::Rig);
    EXPECT_EQ(formatOfBytes("{\"asset\":{}}", "a.keys.json"), FileFormat::Keys);
    EXPECT_EQ(formatOfBytes("{\"asset\":{}}", "-"), FileFormat::Bvh);
}

TEST(FileFormats, AreInTheTableUnderTheirOwnEndings) {
    for (const FileFormat format :
         {FileFormat::Bvh, FileFormat::Gltf, FileFormat::Rig, FileFormat::Obj, FileFormat::Ply,
          FileFormat::Urdf, FileFormat::Mjcf, FileFormat::Csv, FileFormat::RobotCsv,
          FileFormat::Npz, FileFormat::Keys}) {
        const FormatInfo& info = formatInfo(format);
        EXPECT_EQ(info.format, format);
        for (const std::string_view ending : info.endings)
            EXPECT_EQ(formatOfName("a" + std::string(ending)), format) << ending;
    }
    EXPECT_EQ(knownEndings(),
              ".bvh, .glb, .gltf, .rig.json, .obj, .ply, .urdf, .mjcf, .xml, .csv, .robot.csv, "
              ".npz and .keys.json");
    EXPECT_EQ(knownEndings(FileUse::Read),
              ".bvh, .glb, .gltf, .rig.json, .obj, .ply, .urdf, .mjcf and .xml");
    EXPECT_EQ(knownEndings(FileUse::Write),
              ".bvh, .glb, .gltf, .rig.json, .obj, .ply, .csv, .robot.csv, .npz and .keys.json");
}

TEST(FileFormats, SayWhatTheyHold) {
    EXPECT_TRUE(formatInfo(FileFormat::Gltf).keys);
    EXPECT_TRUE(formatInfo(FileFormat::Keys).keys);
    EXPECT_FALSE(formatInfo(FileFormat::Bvh).keys);
    EXPECT_TRUE(formatInfo(FileFormat::Rig).skeleton);
    EXPECT_FALSE(formatInfo(FileFormat::Obj).skeleton);
    EXPECT_TRUE(formatInfo(FileFormat::Ply).surfaces);
    EXPECT_FALSE(isReadable(FileFormat::Csv));
    EXPECT_FALSE(isReadable(FileFormat::Keys));
    EXPECT_TRUE(isReadable(FileFormat::Obj));
    EXPECT_EQ(formatInfo(FileFormat::Gltf).name, "glTF");
    EXPECT_EQ(formatInfo(FileFormat::Rig).word, "rig");
}

TEST(FileFormats, GiveClipsWithoutANameThatOfTheirFile) {
    EXPECT_EQ(clipNameFrom("walk.bvh"), "walk");
    EXPECT_EQ(clipNameFrom("a.folder/Walk 2.BVH"), "Walk 2");
    EXPECT_EQ(clipNameFrom("/x/walk.keys.json"), "walk");
    EXPECT_EQ(clipNameFrom("walk"), "walk");
    EXPECT_EQ(clipNameFrom("-"), "");
    EXPECT_EQ(clipNameFrom("a\x1b[1m.bvh"), "a_[1m");
}

}  // namespace
}  // namespace ulna
