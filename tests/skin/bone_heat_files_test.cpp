// SPDX-License-Identifier: Apache-2.0

// Bone heat beside what people made by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "support/paths.h"
#include "ulna/io/gltf.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/distance_weights.h"
#include "ulna/skin/edit_weights.h"

namespace ulna {
namespace {

// The share of each vertex's weight that is with other joints, in the mean.
double difference(const SkinWeights& a, const SkinWeights& b, std::size_t joints) {
    double sum = 0.0;
    for (std::size_t v = 0; v < a.rowCount(); ++v)
        for (std::size_t j = 0; j < joints; ++j)
            sum += 0.5 * std::abs(static_cast<double>(weightOf(a[v], jointId(j))) -
                                  static_cast<double>(weightOf(b[v], jointId(j))));
    return sum / static_cast<double>(a.rowCount());
}

struct Model {
    const char* name;
    double most;  // of the difference from the artist
};

class BoneHeatOfFiles : public testing::TestWithParam<Model> {};

TEST_P(BoneHeatOfFiles, ResemblesTheArtistsWeights) {
    const std::string name = GetParam().name;
    const Result<io::GltfFile> file = io::loadGltf(test::sharedGltf(name));
    ASSERT_TRUE(file.ok());
    ASSERT_EQ(file->meshes.size(), 1U);
    const Mesh& mesh = file->meshes[0];
    const std::size_t joints = file->skeleton.jointCount();
    const Result<BoneHeat> made = makeBoneHeatWeights(file->skeleton, mesh);
    ASSERT_TRUE(made.ok());
    const SkinWeights artist = normalized(mesh.weights);
    const double heat = difference(made->weights, artist, joints);
    const double plain = difference(makeDistanceWeights(file->skeleton, mesh), artist, joints);
    RecordProperty("heat", std::to_string(heat));
    RecordProperty("distance", std::to_string(plain));
    EXPECT_LT(heat, GetParam().most);
    EXPECT_LT(heat, 0.8 * plain);
    EXPECT_TRUE(made->report.loose.empty());
    // Joints the artist left out, nodes above the character, get nothing either.
    for (std::size_t j = 0; j < joints; ++j) {
        double by_artist = 0.0, by_heat = 0.0;
        for (std::size_t v = 0; v < artist.rowCount(); ++v) {
            by_artist += static_cast<double>(weightOf(artist[v], jointId(j)));
            by_heat += static_cast<double>(weightOf(made->weights[v], jointId(j)));
        }
        EXPECT_EQ(by_artist > 0.0, by_heat > 0.0) << file->skeleton.name(jointId(j));
    }
}

INSTANTIATE_TEST_SUITE_P(Models, BoneHeatOfFiles,
                         testing::Values(Model{"CesiumMan", 0.14}, Model{"RiggedFigure", 0.23},
                                         Model{"Fox", 0.29}, Model{"RiggedSimple", 0.08}),
                         [](const auto& model) { return std::string(model.param.name); });

}  // namespace
}  // namespace ulna
