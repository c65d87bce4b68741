// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "support/bvh_texts.h"
#include "support/meshes.h"
#include "support/paths.h"
#include "support/text.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/character/warnings.h"
#include "ulna/io/file.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::contains;

// A folder of the test's own that goes when it ends.
class OpenSave : public testing::Test {
  protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("ulna_open_save_") + test->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void put(const std::string& name, std::string_view bytes) const {
        ASSERT_TRUE(io::writeFile(path(name), bytes));
    }

  private:
    std::filesystem::path folder_;
};

Character mustOpen(std::string_view bytes, std::string_view name, const OpenOptions& how = {}) {
    Result<Character> out = openCharacter(bytes, name, how);
    if (out) return *std::move(out);
    ADD_FAILURE() << describe(out.error());
    return {};
}

std::string errorOf(std::string_view bytes, std::string_view name, const OpenOptions& how = {}) {
    const Result<Character> out = openCharacter(bytes, name, how);
    if (!out) return describe(out.error());
    ADD_FAILURE() << name << " should not have opened";
    return {};
}

CharacterBytes mustWrite(const SaveContent& content, FileFormat format,
                         const SaveOptions& how = {}) {
    Result<CharacterBytes> out = writeCharacter(content, format, how);
    if (out) return *std::move(out);
    ADD_FAILURE() << describe(out.error());
    return {};
}

// How far the joints of two characters are apart in the first and in a later moment.
double apart(const Character& a, const Character& b) {
    double worst = 0.0;
    for (const double time : {0.0, 0.02}) {
        const ModelPose x = computeModelPose(a.skeleton, samplePose(a.clips.front(), time));
        const ModelPose y = computeModelPose(b.skeleton, samplePose(b.clips.front(), time));
        for (const JointId j : a.skeleton.joints()) {
            const JointId other = b.skeleton.find(a.skeleton.name(j));
            if (other == JointId::None) return INFINITY;
            worst = std::max(worst, distance(x.position(j), y.position(other)));
        }
    }
    return worst;
}

TEST_F(OpenSave, EveryFormatThatHoldsASkeletonGivesTheSameMotionBack) {
    const Character walk = mustOpen(test::kPlainBvh, "walk.bvh");
    EXPECT_EQ(walk.format, FileFormat::Bvh);
    EXPECT_EQ(walk.path, "walk.bvh");
    ASSERT_TRUE(walk.bvh);
    EXPECT_EQ(walk.bvh->channel_count, 9u);
    for (const char* name : {"a.bvh", "a.glb", "a.gltf", "a.rig.json"}) {
        const Result<Warnings> saved = saveCharacter(contentOf(walk), path(name));
        ASSERT_TRUE(saved) << describe(saved.error());
        const Result<Character> back = openCharacter(path(name));
        ASSERT_TRUE(back) << describe(back.error());
        EXPECT_EQ(back->format, formatOfName(name));
        EXPECT_LT(apart(walk, *back), 1e-5) << name;  // glTF has floats
    }
    EXPECT_EQ(io::readFile(path("a.gltf"))->view().front(), '{');
    EXPECT_TRUE(std::holds_alternative<KeyedMotion>(openCharacter(path("a.glb"))->clips[0]));
    EXPECT_TRUE(openCharacter(path("a.rig.json"))->rig);
}

TEST_F(OpenSave, FilesAndBytesAreTheSame) {
    const Character walk = mustOpen(test::kPlainBvh, "walk.bvh");
    for (const auto& [name, format] :
         {std::pair{"a.bvh", FileFormat::Bvh}, std::pair{"a.glb", FileFormat::Gltf},
          std::pair{"a.rig.json", FileFormat::Rig}, std::pair{"a.csv", FileFormat::Csv},
          std::pair{"a.keys.json", FileFormat::Keys}}) {
        ASSERT_TRUE(saveCharacter(contentOf(walk), path(name)));
        const Result<io::FileBytes> file = io::readFile(path(name));
        ASSERT_TRUE(file);
        EXPECT_EQ(file->view(), mustWrite(contentOf(walk), format).bytes) << name;
    }
}

TEST_F(OpenSave, AFileThatCannotBeWrittenLeavesWhatWasThere) {
    put("a.obj", "old");
    const Character walk = mustOpen(test::kPlainBvh, "walk.bvh");
    const Result<Warnings> saved = saveCharacter(contentOf(walk), path("a.obj"));
    ASSERT_FALSE(saved);
    EXPECT_TRUE(contains(describe(saved.error()), "no mesh to write"));
    EXPECT_TRUE(contains(describe(saved.error()), "a.obj"));
    EXPECT_EQ(io::readFile(path("a.obj"))->view(), "old");
    const Progress cancel = [](double) { return false; };
    put("a.bvh", "old");
    for (const char* name : {"a.bvh", "a.csv", "a.glb", "a.rig.json"}) {
        const Result<Warnings> cancelled = saveCharacter(contentOf(walk), path(name), {}, cancel);
        ASSERT_FALSE(cancelled) << name;
        EXPECT_TRUE(contains(describe(cancelled.error()), "cancel")) << name;
    }
    EXPECT_EQ(io::readFile(path("a.bvh"))->view(), "old");
    EXPECT_FALSE(std::filesystem::exists(path("a.csv")));
}

TEST_F(OpenSave, ANameWithoutAFormatIsRefusedWithTheKnownOnes) {
    const Character walk = mustOpen(test::kPlainBvh, "walk.bvh");
    for (const char* name : {"a.fbx", "-"}) {
        const Result<Warnings> saved = saveCharacter(contentOf(walk), name);
        ASSERT_FALSE(saved);
        EXPECT_TRUE(contains(describe(saved.error()), ".rig.json"));
    }
    EXPECT_TRUE(
        contains(errorOf("no format at all", "a.fbx"), "the format of the file is unknown"));
    EXPECT_TRUE(contains(errorOf("", "a"), "the file is empty"));
    EXPECT_TRUE(contains(errorOf("time,a\n", "a.csv"), "CSV is written, not read"));
    EXPECT_TRUE(contains(errorOf("{}", "a.keys.json"), "a file of keys has no skeleton"));
    EXPECT_TRUE(contains(describe(openCharacter(path("a.csv")).error()), "not read"));
    EXPECT_TRUE(contains(describe(openCharacter(path("missing.glb")).error()), "missing.glb"));
}

TEST_F(OpenSave, ErrorsHaveTheirPosition) {
    const std::string broken = test::replaced(test::kPlainBvh, "OFFSET 0 -4 0", "OFFSET 0 x 0");
    EXPECT_TRUE(contains(errorOf(broken, "walk.bvh"), "walk.bvh:8:"));
    put("walk.bvh", broken);
    EXPECT_TRUE(contains(describe(openCharacter(path("walk.bvh")).error()), "walk.bvh:8:"));
    EXPECT_TRUE(contains(errorOf("{\"ulna\": 1, \"joint\": []}", "a.rig.json"), "a.rig.json"));
}

TEST_F(OpenSave, AStrictReaderTakesTheFirstWarningForAnError) {
    const std::string odd = test::replaced(test::kPlainBvh, "Frames: 2", "Frames: 3");
    const Character lenient = mustOpen(odd, "walk.bvh");
    ASSERT_FALSE(lenient.warnings.empty());
    EXPECT_TRUE(
        contains(errorOf(odd, "walk.bvh", {.strict = true}), lenient.warnings.front().what));
    put("walk.bvh", odd);
    EXPECT_TRUE(openCharacter(path("walk.bvh")));
    EXPECT_FALSE(openCharacter(path("walk.bvh"), {.strict = true}));
}

TEST_F(OpenSave, PositionChannelsReplaceTheOffsetOrAreAddedToIt) {
    const std::string text = test::replaced(test::kPlainBvh, "OFFSET 0 0 0", "OFFSET 0 1 0");
    const auto height = [&](io::PositionChannels channels) {
        const Character walk = mustOpen(text, "walk.bvh", {.position_channels = channels});
        return samplePose(walk.clips.front(), 0.0)[jointId(0)].translation.y;
    };
    EXPECT_DOUBLE_EQ(height(io::PositionChannels::Replace), 9.0);
    EXPECT_DOUBLE_EQ(height(io::PositionChannels::Add), 10.0);
}

TEST_F(OpenSave, AnOverflowOfScalesIsRefusedWithItsFile) {
    std::string text = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)";
    for (int i = 0; i < 12; ++i) {
        text += i == 0 ? "{" : ",{";
        text += R"("scale":[1e30,1e30,1e30],"translation":[1,0,0],"name":"n)" + std::to_string(i);
        text += i < 11 ? "\",\"children\":[" + std::to_string(i + 1) + "]}" : "\"}";
    }
    text += "]}";
    EXPECT_TRUE(contains(errorOf(text, "far.gltf"), "farther away than numbers reach"));
    EXPECT_TRUE(contains(errorOf(text, "far.gltf"), "far.gltf"));
}

TEST_F(OpenSave, SurfacesOpenWithoutASkeletonAndCountTheirPositions) {
    Character surface;
    surface.meshes.push_back(test::decoratedBox());
    for (const FileFormat format : {FileFormat::Obj, FileFormat::Ply}) {
        const CharacterBytes written = mustWrite(contentOf(surface), format);
        const Character back =
            mustOpen(written.bytes, format == FileFormat::Obj ? "a.obj" : "a.ply");
        ASSERT_EQ(back.meshes.size(), 1u);
        EXPECT_EQ(back.skeleton.jointCount(), 0u);
        EXPECT_EQ(back.meshes[0].indices.size(), surface.meshes[0].indices.size());
        EXPECT_GT(back.position_count, 0u);
    }
    EXPECT_TRUE(contains(errorOf("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "points.obj"), "points.obj"));
    const Character points =
        mustOpen("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "points.obj", {.points = true});
    EXPECT_EQ(points.position_count, 3u);
}

TEST_F(OpenSave, WhatAFormatCannotHoldIsAWarning) {
    Character walk = mustOpen(test::kPlainBvh, "walk.bvh");
    walk.clips.push_back(walk.clips.front());
    walk.meshes = {test::square(), test::square()};
    const auto said = [&](FileFormat format) {
        return test::lines(mustWrite(contentOf(walk), format).warnings);
    };
    EXPECT_TRUE(contains(said(FileFormat::Bvh), "one clip of 2 is written"));
    EXPECT_TRUE(contains(said(FileFormat::Bvh), "meshes are left out"));
    EXPECT_TRUE(contains(said(FileFormat::Csv), "meshes are left out"));
    EXPECT_TRUE(contains(said(FileFormat::Keys), "holds no skeleton"));
    EXPECT_TRUE(contains(said(FileFormat::Obj), "2 meshes are written as one"));
    EXPECT_TRUE(contains(said(FileFormat::Ply), "joints, clips and weights are left out"));
    EXPECT_FALSE(contains(said(FileFormat::Rig), "one clip"));
}

TEST_F(OpenSave, ResidualsAreToldFromAMillionthOn) {
    const Skeleton person = mustOpen(test::kPlainBvh, "walk.bvh").skeleton;  // seven units tall
    DofFit worst;
    worst.translation_joint = worst.rotation_joint = worst.scale_joint = jointId(1);
    worst.rotation_residual = worst.scale_residual = 0.9e-6;
    worst.translation_residual = 6.9e-6;
    EXPECT_TRUE(residualWarnings(person, worst).empty());
    worst.rotation_residual = worst.scale_residual = 1.1e-6;
    worst.translation_residual = 7.1e-6;
    const Warnings warnings = residualWarnings(person, worst);
    ASSERT_EQ(warnings.size(), 3u);
    EXPECT_EQ(warnings[0].text, "Knee");
    EXPECT_TRUE(contains(warnings[0].what, "stretch"));
}

TEST_F(OpenSave, StretchThatARigCannotHoldIsToldWhenItIsWritten) {
    Character walk = mustOpen(test::kPlainBvh, "walk.bvh");
    Pose stretched = restPose(walk.skeleton);
    stretched[jointId(1)].translation.y = -5.0;
    walk.clips = {Motion(stretched, 1, 0.1, {})};
    const CharacterBytes written = mustWrite(contentOf(walk), FileFormat::Rig);
    EXPECT_TRUE(contains(test::lines(written.warnings), "stretch of a joint; up to 1 is left out"));
}

TEST_F(OpenSave, KeysAreWrittenAsFramesAtTheRateAskedFor) {
    Character walk = mustOpen(test::kPlainBvh, "walk.bvh");
    walk.clips = {makeKeyed(std::get<Motion>(walk.clips.front()))};
    const auto frames = [&](double rate) {
        const CharacterBytes file =
            mustWrite(contentOf(walk), FileFormat::Bvh, {.frame_rate = rate});
        return mustOpen(file.bytes, "a.bvh").bvh->frame_count;
    };
    EXPECT_EQ(frames(40.0), 2u);
    EXPECT_EQ(frames(80.0), 3u);
    EXPECT_EQ(frames(0.0), 1 + std::lround(0.025 * frameRateOf(walk.clips.front())));
}

TEST_F(OpenSave, JoinedMeshesKeepOnlyWhatAllHave) {
    Mesh plain = test::square();
    plain.normals.clear();
    const Mesh decorated = test::decoratedBox();
    const Mesh joined = joinedMeshes(std::vector<Mesh>{decorated, plain});
    EXPECT_EQ(joined.positions.size(), decorated.positions.size() + plain.positions.size());
    EXPECT_EQ(joined.indices.back(), plain.indices.back() + decorated.positions.size());
    EXPECT_TRUE(joined.normals.empty());
    EXPECT_EQ(joined.colors.size(), joined.positions.size());
    EXPECT_TRUE(joinedMeshes({}).positions.empty());
}

TEST_F(OpenSave, TheBundledCharacterIsAsTallInEveryFormat) {
    const Result<Character> glb = openCharacter(test::sourcePath("assets/ulna-character.glb"));
    const Result<Character> rig = openCharacter(test::sourcePath("assets/ulna-character.rig.json"));
    ASSERT_TRUE(glb) << describe(glb.error());
    ASSERT_TRUE(rig) << describe(rig.error());
    EXPECT_FALSE(glb->meshes.empty());
    EXPECT_EQ(guessHeight(*glb).unit, "metres");
    EXPECT_NEAR(guessHeight(*glb).height, guessHeight(*rig).height, 1e-3);
}

}  // namespace
}  // namespace ulna
