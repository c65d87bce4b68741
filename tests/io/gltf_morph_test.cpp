// SPDX-License-Identifier: Apache-2.0

// Morph targets of glTF meshes and their animation.
#include <gtest/gtest.h>

#include "support/gltf_samples.h"
#include "support/gltf_texts.h"
#include "support/text.h"
#include "ulna/io/gltf.h"

namespace ulna::test {
namespace {

// A triangle with two targets, animated by the given sampler; `values` are of both targets.
std::string triangle(const std::string& interpolation, std::initializer_list<float> values,
                     bool targets = true) {
    GltfBuffer buffer;
    const std::size_t positions = buffer.floats({0, 0, 0, 1, 0, 0, 0, 1, 0});
    const std::size_t first = buffer.floats({1, 0, 0, 0, 0, 0, 0, 0, 0});
    const std::size_t second = buffer.floats({0, 0, 2, 0, 0, 2, 0, 0, 2});
    const std::size_t times = buffer.floats({0, 1});
    const std::size_t weights = buffer.floats(values);
    return glb(R"("nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0})" +
                   std::string(targets ? R"(,"targets":[{"POSITION":1},{"POSITION":2}])" : "") +
                   R"(}],"weights":[0.5,0]}],"animations":[{"name":"pulse","samplers":[{"input":3,)"
                   R"("output":4,"interpolation":")" +
                   interpolation +
                   R"("}],"channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}]}],)"
                   R"("accessors":[)" +
                   accessor(positions, 5126, 3, "VEC3") + "," + accessor(first, 5126, 3, "VEC3") +
                   "," + accessor(second, 5126, 3, "VEC3") + "," +
                   accessor(times, 5126, 2, "SCALAR") + "," +
                   accessor(weights, 5126, values.size(), "SCALAR") + "]," + wholeView(buffer),
               buffer);
}

Result<io::GltfFile> read(const std::string& bytes) {
    return io::readGltf(bytes, "m.glb", {.morphs = true});
}

void expectAt(const io::GltfFile& file, double time, float first, float second) {
    const std::vector<Vec3f> now = io::morphedPositions(file.meshes[0], file.morphs[0], 0, time);
    EXPECT_NEAR(now[0].x, first, 1e-6f) << time;
    EXPECT_NEAR(now[1].z, 2.0f * second, 1e-6f) << time;
    EXPECT_EQ(now[1].x, 1.0f);
}

TEST(GltfMorph, LinearWeightsMoveVerticesByTheirOffsets) {
    const Result<io::GltfFile> file = read(triangle("LINEAR", {0, 1, 1, 0}));
    ASSERT_TRUE(file.ok()) << describe(file.error());
    ASSERT_EQ(file->morphs.size(), 1U);
    ASSERT_EQ(file->clips.size(), 1U);
    EXPECT_EQ(file->clips[0].name, "pulse");
    expectAt(*file, 0.0, 0.0f, 1.0f);
    expectAt(*file, 0.25, 0.25f, 0.75f);
    expectAt(*file, 1.0, 1.0f, 0.0f);
    expectAt(*file, 2.0, 1.0f, 0.0f);
    // Without the clip, as at rest.
    EXPECT_EQ(io::morphedPositions(file->meshes[0], file->morphs[0], 1, 0.0)[0].x, 0.5f);
}

TEST(GltfMorph, StepsAndCubicsAreFollowedToo) {
    const Result<io::GltfFile> step = read(triangle("STEP", {0, 1, 1, 0}));
    ASSERT_TRUE(step.ok());
    expectAt(*step, 0.9, 0.0f, 1.0f);
    // In-tangents, values, out-tangents, each of both targets: a straight line and a smooth step.
    const Result<io::GltfFile> cubic =
        read(triangle("CUBICSPLINE", {0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0}));
    ASSERT_TRUE(cubic.ok()) << describe(cubic.error());
    expectAt(*cubic, 0.25, 0.25f, 3 * 0.0625f - 2 * 0.015625f);
}

TEST(GltfMorph, TheWrongNumberOfWeightsIsAnError) {
    const Result<io::GltfFile> file = read(triangle("LINEAR", {0, 1, 1}));
    ASSERT_FALSE(file.ok());
    EXPECT_TRUE(contains(describe(file.error()), "2 key times and 2 targets need 4 values"));
}

TEST(GltfMorph, WeightsOfANodeWithoutTargetsAreAWarning) {
    const Result<io::GltfFile> file = read(triangle("LINEAR", {0, 1, 1, 0}, false));
    ASSERT_TRUE(file.ok()) << describe(file.error());
    EXPECT_TRUE(file->morphs.empty());
    EXPECT_TRUE(file->clips.empty());
    EXPECT_FALSE(file->warnings.empty());
}

TEST(GltfMorph, AreLeftOutWithAWarningWhereNobodyAsks) {
    const Result<io::GltfFile> file = io::readGltf(triangle("LINEAR", {0, 1, 1, 0}), "m.glb");
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(file->morphs.empty());
    EXPECT_TRUE(file->clips.empty());
    std::string all;
    for (const Diagnostic& warning : file->warnings) all += describe(warning);
    EXPECT_TRUE(contains(all, "morph targets are left out"));
}

}  // namespace
}  // namespace ulna::test
