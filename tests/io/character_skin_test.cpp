// SPDX-License-Identifier: Apache-2.0

// The skin of the bundled character: a surface one can rely on, and weights that are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "support/paths.h"
#include "ulna/io/gltf.h"
#include "ulna/motion/mirror.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/check_mesh.h"
#include "ulna/skin/deform.h"
#include "ulna/skin/topology.h"

namespace ulna::io {
namespace {

const GltfFile& character() {
    static const GltfFile file = [] {
        Result<GltfFile> loaded = loadGltf(test::sourcePath("assets/ulna-character.glb"));
        EXPECT_TRUE(loaded.ok());
        return loaded ? *std::move(loaded) : GltfFile{};
    }();
    return file;
}

const Mesh& skin() {
    static const Mesh none;
    return character().meshes.empty() ? none : character().meshes.front();
}

// Half the sum of differences: 0 for equal rows, 1 for rows that share no joint.
double difference(const std::map<std::size_t, double>& a, const std::map<std::size_t, double>& b) {
    double sum = 0.0;
    for (const auto& [joint, weight] : a) {
        const auto other = b.find(joint);
        sum += std::abs(weight - (other == b.end() ? 0.0 : other->second));
    }
    for (const auto& [joint, weight] : b) sum += a.contains(joint) ? 0.0 : weight;
    return 0.5 * sum;
}

std::map<std::size_t, double> rowOf(const SkinWeights& weights, std::size_t vertex) {
    std::map<std::size_t, double> out;
    for (const Influence& influence : weights[vertex])
        out[index(influence.joint)] += static_cast<double>(influence.weight);
    return out;
}

TEST(CharacterSkin, IsWatertightWithColoursAndNormals) {
    const Result<MeshReport> report = checkMesh(skin());
    ASSERT_TRUE(report.ok()) << describe(report.error());
    EXPECT_GE(report->vertices, 5000U);
    EXPECT_LE(report->vertices, 15000U);
    EXPECT_TRUE(report->watertight());
    EXPECT_FALSE(report->inside_out);
    EXPECT_EQ(report->parts, 3U);  // the body and two eyeballs
    EXPECT_EQ(report->flat_triangles, 0U);
    EXPECT_EQ(report->pinched_points, 0U);
    EXPECT_NEAR(report->low.y, 0.0, 0.01);
    EXPECT_NEAR(report->high.y, 1.78, 0.03);
    EXPECT_EQ(skin().normals.size(), skin().positions.size());
    EXPECT_EQ(skin().colors.size(), skin().positions.size());
}

TEST(CharacterSkin, ComesWithEveryClip) {
    std::vector<std::string> names;
    for (const KeyedMotion& clip : character().clips) names.push_back(clip.name);
    EXPECT_EQ(names, (std::vector<std::string>{"walk", "run", "idle", "wave"}));
}

TEST(CharacterSkin, EveryVertexIsWeightedAndRowsSumToOne) {
    const SkinWeights& weights = skin().weights;
    ASSERT_EQ(weights.rowCount(), skin().positions.size());
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        double sum = 0.0;
        for (const Influence& influence : weights[v]) {
            EXPECT_GT(influence.weight, 0.0f);
            sum += static_cast<double>(influence.weight);
        }
        EXPECT_NEAR(sum, 1.0, 1e-6) << v;
        EXPECT_LE(weights[v].size(), 4U) << v;
    }
}

TEST(CharacterSkin, WeightsVarySmoothlyOverTheSurface) {
    const MeshTopology topology = computeTopology(skin());
    double over_an_edge = 0.0, per_centimetre = 0.0;
    for (std::size_t place = 0; place < topology.pointCount(); ++place) {
        const std::size_t v = topology.vertex_of_point[place];
        const auto here = rowOf(skin().weights, v);
        for (const std::uint32_t other : topology.neighboursOf(place)) {
            const std::size_t w = topology.vertex_of_point[other];
            const double change = difference(here, rowOf(skin().weights, w));
            over_an_edge = std::max(over_an_edge, change);
            // Between fingers, which have bones of two centimetres, it is steeper.
            if (std::abs(skin().positions[v].x) > 0.69f) continue;
            const auto length =
                static_cast<double>(ulna::length(skin().positions[v] - skin().positions[w]));
            per_centimetre = std::max(per_centimetre, change / std::max(length / 0.01, 0.3));
        }
    }
    EXPECT_LT(over_an_edge, 0.6);
    EXPECT_LT(per_centimetre, 0.4);
}

TEST(CharacterSkin, LeftAndRightAreAlike) {
    const Result<MirrorPairs> pairs = findMirrorPairs(character().skeleton);
    ASSERT_TRUE(pairs.ok());
    std::map<std::tuple<float, float, float>, std::size_t> places;
    for (std::size_t v = 0; v < skin().positions.size(); ++v) {
        const Vec3f& p = skin().positions[v];
        places.emplace(std::make_tuple(p.x, p.y, p.z), v);
    }
    double worst = 0.0;
    for (const auto& [place, v] : places) {
        const auto& [x, y, z] = place;
        const auto other = places.find(std::make_tuple(-x, y, z));
        ASSERT_NE(other, places.end()) << x << ' ' << y << ' ' << z;
        std::map<std::size_t, double> mirrored;
        for (const auto& [joint, weight] : rowOf(skin().weights, other->second))
            mirrored[index(pairs->other[joint])] += weight;
        for (const auto& [joint, weight] : rowOf(skin().weights, v))
            worst = std::max(worst, std::abs(weight - mirrored[joint]));
    }
    EXPECT_LT(worst, 1e-3);
}

TEST(CharacterSkin, WeightsFarFromShouldersAndHipsAreThoseOfBoneHeat) {
    Mesh bare = skin();
    bare.weights = {};
    BoneHeatOptions options;
    for (std::size_t j = 0; j < character().skeleton.jointCount(); ++j) {
        if (!character().skeleton.name(jointId(j)).ends_with("Eye"))
            options.joints.push_back(jointId(j));
    }
    const Result<BoneHeat> heat = makeBoneHeatWeights(character().skeleton, bare, options);
    ASSERT_TRUE(heat.ok());
    const MeshTopology topology = computeTopology(skin());
    double worst = 0.0;
    std::size_t compared = 0;
    for (std::size_t v = 0; v < bare.positions.size(); ++v) {
        if (topology.part_of_point[topology.point_of_vertex[v]] != 0) continue;
        const Vec3f& p = bare.positions[v];
        if (std::abs(p.x) < 0.5f && p.y > 0.6f && p.y < 1.6f) continue;
        ++compared;
        worst = std::max(worst, difference(rowOf(heat->weights, v), rowOf(skin().weights, v)));
    }
    EXPECT_LT(worst, 0.01);
    EXPECT_GT(2 * compared, bare.positions.size());
}

TEST(CharacterSkin, EyesAndLimbsGoWithTheirOwnBones) {
    const Skeleton& s = character().skeleton;
    struct Expected {
        Vec3f place;
        const char* joint;
        float least;
    };
    for (const Expected& e : {Expected{{0.032f, 1.640f, 0.0985f}, "LeftEye", 0.999f},
                              Expected{{-0.032f, 1.640f, 0.0985f}, "RightEye", 0.999f},
                              Expected{{0.33f, 1.47f, -0.01f}, "LeftArm", 0.8f},
                              Expected{{-0.60f, 1.46f, -0.01f}, "RightForeArm", 0.8f},
                              Expected{{0.09f, 0.70f, 0.08f}, "LeftUpLeg", 0.8f},
                              Expected{{-0.09f, 0.30f, -0.07f}, "RightLeg", 0.8f},
                              Expected{{0.0f, 1.77f, 0.0f}, "Head", 0.8f}}) {
        std::size_t nearest = 0;
        for (std::size_t v = 0; v < skin().positions.size(); ++v) {
            if (length(skin().positions[v] - e.place) < length(skin().positions[nearest] - e.place))
                nearest = v;
        }
        EXPECT_GT(weightOf(skin().weights[nearest], s.find(e.joint)), e.least) << e.joint;
    }
}

TEST(CharacterSkin, SolesStayOnTheGroundInEveryClip) {
    const Deformer deformer(character().skeleton, skin());
    DeformedVertices out;
    for (const KeyedMotion& clip : character().clips) {
        for (int i = 0; i <= 10; ++i) {
            const Pose pose = samplePose(clip, clip.endTime() * i / 10);
            deformer.deform(computeModelPose(character().skeleton, pose), {}, out);
            float lowest = 1.0f;
            for (const Vec3f& p : out.positions) lowest = std::min(lowest, p.y);
            EXPECT_GT(lowest, -0.025f) << clip.name << ' ' << i;
            if (clip.name != "run") {
                EXPECT_LT(lowest, 0.02f) << clip.name << ' ' << i;
            }
        }
    }
}

}  // namespace
}  // namespace ulna::io
