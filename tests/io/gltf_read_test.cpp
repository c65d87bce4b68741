// SPDX-License-Identifier: Apache-2.0

// Reading glTF: small files made by hand, whose answers are known without a program.
#include <gtest/gtest.h>

#include <cmath>

#include "support/bvh_texts.h"
#include "support/command.h"
#include "support/gltf_texts.h"
#include "support/text.h"
#include "ulna/io/detail/base64.h"
#include "ulna/io/gltf.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

using test::accessor;
using test::contains;
using test::glb;
using test::GltfBuffer;
using test::gltfErrorOf;
using test::gltfText;
using test::mustReadGltf;
using test::skinnedVertex;
using test::wholeView;

std::vector<std::string> namesOf(const GltfFile& file) {
    return {file.skeleton.names().begin(), file.skeleton.names().end()};
}

// ---- joints

TEST(GltfJoints, AreStoredDepthFirstWithSiblingsInTheFilesOrder) {
    const GltfFile file = mustReadGltf(gltfText(
        R"("scenes":[{"nodes":[3]}],"nodes":[{"name":"foot"},{"name":"arm:L/1"},)"
        R"({"name":"leg","children":[0]},{"name":"hips","children":[2,1],"translation":[1,2,3]}])"));
    EXPECT_EQ(namesOf(file), (std::vector<std::string>{"hips", "leg", "foot", "arm:L/1"}));
    EXPECT_EQ(file.skeleton.rest(jointId(0)).translation, (Vec3{1, 2, 3}));
    EXPECT_EQ(file.skeleton.parent(jointId(3)), jointId(0));
    EXPECT_EQ(file.skeleton.kind(jointId(0)), JointKind::Free);
    EXPECT_EQ(file.skeleton.kind(jointId(2)), JointKind::Ball);
    EXPECT_TRUE(file.warnings.empty()) << test::lines(file.warnings);
}

TEST(GltfJoints, WithoutANameGetOneAndNamesUsedTwiceGetANumber) {
    const GltfFile file = mustReadGltf(gltfText(
        R"("nodes":[{"name":"Knee","children":[1,2,3]},{"name":"Knee"},{},{"name":"Knee"}])"));
    EXPECT_EQ(namesOf(file), (std::vector<std::string>{"Knee", "Knee#2", "node_2", "Knee#3"}));
    EXPECT_TRUE(
        contains(test::lines(file.warnings), "nodes[1].name: two nodes have the same name"));
}

TEST(GltfJoints, AreTheJointsOfSkinsAndAllAboveThemButNotTheirMeshNodes) {
    const GltfFile file = mustReadGltf(gltfText(
        R"("scenes":[{"nodes":[0,4]}],"nodes":[{"name":"armature","children":[1]},)"
        R"({"name":"hip","children":[2,3]},{"name":"knee"},{"name":"lamp"},{"name":"camera"}],)"
        R"("skins":[{"joints":[2,1]}])"));
    EXPECT_EQ(namesOf(file), (std::vector<std::string>{"armature", "hip", "knee"}));
    EXPECT_EQ(file.skeleton.kind(jointId(0)), JointKind::Free);
    EXPECT_EQ(file.skeleton.kind(jointId(1)), JointKind::Ball);
}

TEST(GltfJoints, BetweenTheRootAndTheSkinAreFixed) {
    const GltfFile file = mustReadGltf(
        gltfText(R"("nodes":[{"name":"up","children":[1]},{"name":"armature","children":[2]},)"
                 R"({"name":"hip"}],"skins":[{"joints":[2]}])"));
    EXPECT_EQ(file.skeleton.kind(jointId(1)), JointKind::Fixed);
    EXPECT_EQ(file.skeleton.kind(jointId(2)), JointKind::Ball);
}

TEST(GltfJoints, NamedAfterTheirParentWithNothingBelowAreEndSites) {
    const GltfFile file = mustReadGltf(gltfText(
        R"("nodes":[{"name":"hand","children":[1,2]},{"name":"hand_end","translation":[0,1,0]},)"
        R"({"name":"other_end"}])"));
    EXPECT_TRUE(file.skeleton.isEndSite(jointId(1)));
    EXPECT_EQ(file.skeleton.kind(jointId(1)), JointKind::Fixed);
    EXPECT_FALSE(file.skeleton.isEndSite(jointId(2)));
}

TEST(GltfJoints, TakeMatricesApart) {
    // Half a turn about z... and twice the size along x, three times along y.
    const GltfFile file =
        mustReadGltf(gltfText(R"("nodes":[{"matrix":[0,2,0,0,-3,0,0,0,0,0,1,0,5,6,7,1]}])"));
    const Trs& rest = file.skeleton.rest(jointId(0));
    EXPECT_EQ(rest.translation, (Vec3{5, 6, 7}));
    EXPECT_LT(distance(rest.scale, Vec3{2, 3, 1}), 1e-12);
    EXPECT_LT(angleBetween(rest.rotation, quatFromAxisAngle(Vec3{0, 0, 1}, kPi / 2)), 1e-12);
    EXPECT_TRUE(file.warnings.empty()) << test::lines(file.warnings);
}

TEST(GltfJoints, TakeMirroringMatricesApart) {
    const GltfFile file =
        mustReadGltf(gltfText(R"("nodes":[{"matrix":[0,0,2,0,0,3,0,0,1,0,0,0,0,0,0,1]}])"));
    const Affine made = toAffine(file.skeleton.rest(jointId(0)));
    EXPECT_LT(distance(made.column(0), Vec3{0, 0, 2}), 1e-12);
    EXPECT_LT(distance(made.column(1), Vec3{0, 3, 0}), 1e-12);
    EXPECT_LT(distance(made.column(2), Vec3{1, 0, 0}), 1e-12);
    EXPECT_TRUE(file.warnings.empty()) << test::lines(file.warnings);
}

TEST(GltfJoints, WarnAboutMatricesThatShear) {
    const GltfFile file =
        mustReadGltf(gltfText(R"("nodes":[{"matrix":[1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1]}])"));
    EXPECT_TRUE(contains(test::lines(file.warnings), "nodes[0].matrix: a node's matrix shears"));
}

TEST(GltfJoints, LoseTheRoundingThatExportersLeaveInScales) {
    const GltfFile file = mustReadGltf(
        gltfText(R"("nodes":[{"scale":[1.0000001,0.9999998,1]},{"scale":[0.01,0.0100000001,0.01]},)"
                 R"({"scale":[1,1.0001,1]},{"scale":[0,0,0]}])"));
    EXPECT_EQ(file.skeleton.rest(jointId(0)).scale, (Vec3{1, 1, 1}));
    const Vec3 even = file.skeleton.rest(jointId(1)).scale;
    EXPECT_EQ(even, (Vec3{even.x, even.x, even.x}));
    EXPECT_NEAR(even.x, 0.01, 1e-10);
    EXPECT_EQ(file.skeleton.rest(jointId(2)).scale, (Vec3{1, 1.0001, 1}));
    EXPECT_EQ(file.skeleton.rest(jointId(3)).scale, (Vec3{0, 0, 0}));
}

TEST(GltfJoints, OutsideTheSceneAreLeftOutUnlessASkinNeedsThem) {
    const std::string nodes =
        R"("scene":1,"scenes":[{"nodes":[0]},{"nodes":[1]}],"nodes":[{"name":"a"},{"name":"b"}])";
    const GltfFile file = mustReadGltf(gltfText(nodes));
    EXPECT_EQ(namesOf(file), std::vector<std::string>{"b"});
    EXPECT_TRUE(contains(test::lines(file.warnings), "only one scene is read"));
    EXPECT_EQ(namesOf(mustReadGltf(gltfText(nodes + R"(,"skins":[{"joints":[0]}])"))),
              std::vector<std::string>{"a"});
}

// ---- clips

// Two nodes and an animation of the second, from samplers and channels; accessor 0 has times 0,
// 1, 3.
struct Animated {
    GltfBuffer buffer;
    std::string accessors = accessor(buffer.floats({0, 1, 3}), 5126, 3, "SCALAR");

    GltfFile read(const std::string& samplers, const std::string& channels) {
        return mustReadGltf(glb(R"("nodes":[{"name":"a","children":[1]},{"name":"b"}],)"
                                R"("animations":[{"name":"c","samplers":[)" +
                                    samplers + R"(],"channels":[)" + channels +
                                    R"(]}],"accessors":[)" + accessors + "]," + wholeView(buffer),
                                buffer));
    }
};

constexpr const char* kMoveB = R"({"sampler":0,"target":{"node":1,"path":"translation"}})";

TEST(GltfClips, StepsHoldUntilTheNextKey) {
    Animated a;
    a.accessors += "," + accessor(a.buffer.floats({0, 0, 0, 1, 0, 0, 5, 0, 0}), 5126, 3, "VEC3");
    const GltfFile file = a.read(R"({"input":0,"output":1,"interpolation":"STEP"})", kMoveB);
    ASSERT_EQ(file.clips.size(), 1U);
    EXPECT_EQ(file.clips[0].name, "c");
    EXPECT_EQ(samplePose(file.clips[0], 0.9)[jointId(1)].translation, (Vec3{0, 0, 0}));
    EXPECT_EQ(samplePose(file.clips[0], 2.9)[jointId(1)].translation, (Vec3{1, 0, 0}));
    EXPECT_EQ(samplePose(file.clips[0], 9.0)[jointId(1)].translation, (Vec3{5, 0, 0}));
}

TEST(GltfClips, AreLinearWhereNothingIsSaid) {
    Animated a;
    a.accessors += "," + accessor(a.buffer.floats({0, 0, 0, 1, 0, 0, 5, 0, 0}), 5126, 3, "VEC3");
    const GltfFile file = a.read(R"({"input":0,"output":1})", kMoveB);
    EXPECT_EQ(samplePose(file.clips.at(0), 2.0)[jointId(1)].translation, (Vec3{3, 0, 0}));
    EXPECT_EQ(file.clips[0].endTime(), 3.0);
}

TEST(GltfClips, CubicSplinesFollowTheirTangentsPerSecond) {
    Animated a;
    // In-tangent, value, out-tangent of each key; between 1 s and 3 s: from 2 leaving with slope
    // 3 to 6 arriving with slope -1.
    a.accessors += "," + accessor(a.buffer.floats({0,  0, 0, 0, 0, 0, 0, 0, 0,  //
                                                   9,  0, 0, 2, 0, 0, 3, 0, 0,  //
                                                   -1, 0, 0, 6, 0, 0, 7, 0, 0}),
                                  5126, 9, "VEC3");
    const GltfFile file = a.read(R"({"input":0,"output":1,"interpolation":"CUBICSPLINE"})", kMoveB);
    // Half way: (2 + 6) / 2 + (3 - -1) * 2 s / 8.
    EXPECT_NEAR(samplePose(file.clips.at(0), 2.0)[jointId(1)].translation.x, 5.0, 1e-12);
    EXPECT_EQ(file.clips[0].joints[0].translation.interpolation, Interpolation::Hermite);
}

TEST(GltfClips, ChannelsHaveTheirOwnKeys) {
    Animated a;
    const std::size_t two = a.buffer.floats({0, 2});
    a.accessors += "," + accessor(two, 5126, 2, "SCALAR") + "," +
                   accessor(a.buffer.floats({0, 0, 0, 4, 0, 0}), 5126, 2, "VEC3") + "," +
                   accessor(a.buffer.floats({0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1}), 5126, 3, "VEC4");
    const GltfFile file =
        a.read(R"({"input":1,"output":2},{"input":0,"output":3})",
               std::string(kMoveB) + R"(,{"sampler":1,"target":{"node":1,"path":"rotation"}})");
    ASSERT_EQ(file.clips.at(0).joints.size(), 1U);
    EXPECT_EQ(file.clips[0].keyCount(), 5U);
    const Trs joint = samplePose(file.clips[0], 1.0)[jointId(1)];
    EXPECT_EQ(joint.translation, (Vec3{2, 0, 0}));
    EXPECT_NEAR(rotationAngle(joint.rotation), kPi, 1e-12);
}

TEST(GltfClips, RotationsAsNormalisedIntegersAreRead) {
    Animated a;
    a.accessors +=
        R"(,{"bufferView":0,"byteOffset":)" +
        std::to_string(a.buffer.shorts({0, 0, 0, 32767, 0, 0, 32767, 0, -32768, 0, 0, 0})) +
        R"(,"componentType":5122,"normalized":true,"count":3,"type":"VEC4"})";
    const GltfFile file = a.read(R"({"input":0,"output":1})",
                                 R"({"sampler":0,"target":{"node":1,"path":"rotation"}})");
    EXPECT_EQ(samplePose(file.clips.at(0), 0.0)[jointId(1)].rotation, Quat{});
    EXPECT_EQ(samplePose(file.clips[0], 1.0)[jointId(1)].rotation, (Quat{0, 0, 1, 0}));
    EXPECT_EQ(samplePose(file.clips[0], 3.0)[jointId(1)].rotation, (Quat{-1, 0, 0, 0}));
}

TEST(GltfClips, LeaveMorphWeightsOutWithAWarning) {
    Animated a;
    a.accessors += "," + accessor(a.buffer.floats({0, 1, 0}), 5126, 3, "SCALAR");
    const GltfFile file = a.read(R"({"input":0,"output":1})",
                                 R"({"sampler":0,"target":{"node":1,"path":"weights"}})");
    EXPECT_TRUE(file.clips.empty());
    EXPECT_TRUE(contains(test::lines(file.warnings), "weights of morph targets are left out"));
}

TEST(GltfClips, WithKeysThatShareATimeJumpThere) {
    Animated a;
    a.accessors = accessor(a.buffer.floats({0, 1, 1}), 5126, 3, "SCALAR") + "," +
                  accessor(a.buffer.floats({0, 0, 0, 1, 0, 0, 5, 0, 0}), 5126, 3, "VEC3");
    const GltfFile file = a.read(R"({"input":0,"output":1})", kMoveB);
    EXPECT_NEAR(samplePose(file.clips.at(0), 0.999)[jointId(1)].translation.x, 0.999, 1e-9);
    EXPECT_EQ(samplePose(file.clips[0], 1.0)[jointId(1)].translation.x, 5.0);
    EXPECT_TRUE(contains(test::lines(file.warnings), "keys share a time"));
}

// ---- accessors

TEST(GltfAccessors, SparseOnesReplaceElements) {
    const GltfFile file = mustReadGltf(test::smallCharacter());
    ASSERT_EQ(file.meshes.size(), 1U);
    EXPECT_EQ(file.meshes[0].positions[0], (Vec3f{0, 0, 0}));
    EXPECT_EQ(file.meshes[0].positions[1], (Vec3f{0, 3, 0}));
    EXPECT_EQ(file.meshes[0].positions[2], (Vec3f{0, 2, 0}));
}

TEST(GltfAccessors, WithoutAViewAreZerosThatSparseOnesReplace) {
    Animated a;
    const std::size_t index = a.buffer.shorts({2}), value = a.buffer.floats({7, 8, 9});
    a.accessors +=
        R"(,{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,"indices":)"
        R"({"bufferView":0,"byteOffset":)" +
        std::to_string(index) + R"(,"componentType":5123},"values":{"bufferView":0,"byteOffset":)" +
        std::to_string(value) + "}}}";
    const GltfFile file = a.read(R"({"input":0,"output":1})", kMoveB);
    const auto keys = file.clips.at(0).joints[0].translation.keys();
    EXPECT_EQ(keys[1].value, (Vec3{0, 0, 0}));
    EXPECT_EQ(keys[2].value, (Vec3{7, 8, 9}));
}

TEST(GltfAccessors, MayBeInterleaved) {
    GltfBuffer b;
    b.floats({0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1});
    const std::string tail = R"(,"componentType":5126,"count":3,"type":"VEC3"})";
    const GltfFile file = mustReadGltf(
        glb(R"("nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,)"
            R"("NORMAL":1}}]}],"accessors":[{"bufferView":0)" +
                tail + R"(,{"bufferView":0,"byteOffset":12)" + tail +
                R"(],"bufferViews":[{"buffer":0,"byteLength":72,"byteStride":24}])",
            b));
    ASSERT_EQ(file.meshes.size(), 1U);
    EXPECT_EQ(file.meshes[0].positions, (std::vector<Vec3f>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_EQ(file.meshes[0].normals[2], (Vec3f{0, 0, 1}));
    EXPECT_EQ(file.meshes[0].indices, (std::vector<std::uint32_t>{0, 1, 2}));  // none in the file
}

// ---- meshes

// Five vertices on a node at (0, 0, 10), drawn by primitives with these members.
GltfFile readMesh(const std::string& primitives) {
    GltfBuffer b;
    const std::size_t positions = b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 2, 0});
    const std::size_t indices = b.octets({0, 1, 2, 3, 4});
    return mustReadGltf(
        glb(R"("nodes":[{"mesh":0,"translation":[0,0,10]}],"meshes":[{"primitives":[)" +
                primitives + R"(]}],"accessors":[)" + accessor(positions, 5126, 5, "VEC3") + "," +
                accessor(indices, 5121, 5, "SCALAR") + "," + accessor(indices, 5121, 3, "SCALAR") +
                "]," + wholeView(b),
            b));
}

TEST(GltfMeshes, StripsAndFansBecomeTriangles) {
    using Indices = std::vector<std::uint32_t>;
    const std::string members = R"({"attributes":{"POSITION":0},"indices":1,"mode":)";
    EXPECT_EQ(readMesh(members + "5}").meshes.at(0).indices, (Indices{0, 1, 2, 1, 3, 2, 2, 3, 4}));
    EXPECT_EQ(readMesh(members + "6}").meshes.at(0).indices, (Indices{1, 2, 0, 2, 3, 0, 3, 4, 0}));
}

TEST(GltfMeshes, PointsAndLinesAreLeftOutWithAWarning) {
    const GltfFile file = readMesh(R"({"attributes":{"POSITION":0},"mode":1})");
    EXPECT_TRUE(file.meshes.empty());
    EXPECT_TRUE(contains(test::lines(file.warnings), "points and lines are left out"));
}

TEST(GltfMeshes, PrimitivesAreJoinedAndSharedVerticesTakenOnce) {
    const std::string part = R"({"attributes":{"POSITION":0},"indices":2})";
    const GltfFile file = readMesh(part + "," + part);
    ASSERT_EQ(file.meshes.size(), 1U);
    EXPECT_EQ(file.meshes[0].positions.size(), 5U);
    EXPECT_EQ(file.meshes[0].indices, (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2}));
}

TEST(GltfMeshes, WithoutASkinRideOnTheirNode) {
    const GltfFile file = readMesh(R"({"attributes":{"POSITION":0},"indices":2})");
    Pose pose = restPose(file.skeleton);
    EXPECT_EQ(skinnedVertex(file.meshes.at(0), 1, computeModelPose(file.skeleton, pose)),
              (Vec3{1, 0, 10}));
    pose[jointId(0)].rotation = quatFromAxisAngle(Vec3{0, 0, 1}, kPi / 2);
    const Vec3 turned = skinnedVertex(file.meshes[0], 1, computeModelPose(file.skeleton, pose));
    EXPECT_LT(distance(turned, Vec3{0, 1, 10}), 1e-12);
}

TEST(GltfMeshes, WithASkinFollowItsJointsAndNotTheirNode) {
    const GltfFile file = mustReadGltf(test::smallCharacter());
    EXPECT_EQ(namesOf(file), (std::vector<std::string>{"hip", "knee"}));
    Pose pose = restPose(file.skeleton);
    pose[jointId(1)].rotation = quatFromAxisAngle(Vec3{0, 0, 1}, kPi / 2);
    const ModelPose model = computeModelPose(file.skeleton, pose);
    // Vertex 2 is at y = 2 in the bind space, one above the knee's bind place; the knee stands at
    // y = 2 in the model and turns it to the left.
    EXPECT_LT(distance(skinnedVertex(file.meshes.at(0), 2, model), Vec3{-1, 2, 0}), 1e-12);
    // Vertex 1 is half the hip's, at 3 + 1, half the knee's.
    EXPECT_LT(distance(skinnedVertex(file.meshes[0], 1, model), Vec3{-1, 3, 0}), 1e-12);
}

TEST(GltfMeshes, WeightsOfEveryTypeAreMadeToSumToOne) {
    for (const bool bytes : {false, true}) {
        GltfBuffer b;
        const std::size_t positions = b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0});
        const std::size_t joints = b.shorts({0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0});
        const std::size_t weights = bytes ? b.octets({51, 153, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0})
                                          : b.shorts({100, 300, 0, 0, 65535, 0, 0, 0, 0, 0, 0, 0});
        std::string weight = accessor(weights, bytes ? 5121 : 5123, 3, "VEC4");
        weight.insert(1, R"("normalized":true,)");
        const GltfFile file = mustReadGltf(glb(
            R"("nodes":[{"mesh":0,"skin":0},{"name":"a","children":[2]},{"name":"b"}],)"
            R"("skins":[{"joints":[1,2]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,)"
            R"("JOINTS_0":1,"WEIGHTS_0":2,"JOINTS_1":1,"WEIGHTS_1":2}}]}],"accessors":[)" +
                accessor(positions, 5126, 3, "VEC3") + "," + accessor(joints, 5123, 3, "VEC4") +
                "," + weight + "]," + wholeView(b),
            b));
        const Mesh& mesh = file.meshes.at(0);
        ASSERT_EQ(mesh.weights.first, (std::vector<std::uint32_t>{0, 4, 6, 7}));
        EXPECT_NEAR(mesh.weights.influences[0].weight, 0.125f, 1e-7f);  // a quarter, in two sets
        EXPECT_NEAR(mesh.weights.influences[1].weight, 0.375f, 1e-7f);
        EXPECT_EQ(mesh.weights.influences[4], (Influence{jointId(1), 0.5f}));
        // The last vertex has no weight at all.
        EXPECT_EQ(mesh.weights.influences[6], (Influence{jointId(0), 1.0f}));
        EXPECT_TRUE(contains(test::lines(file.warnings), "a vertex without weights"));
    }
}

TEST(GltfMeshes, OneSkinMayServeSeveralAndSkinsMayShareJoints) {
    const std::string file = R"("nodes":[{"name":"a","children":[1]},{"name":"b"}],)"
                             R"("skins":[{"joints":[0,1]},{"joints":[1]},{"joints":[1,0]}])";
    EXPECT_EQ(namesOf(mustReadGltf(gltfText(file))), (std::vector<std::string>{"a", "b"}));
}

// ---- the rest

TEST(Gltf, SaysWhatItLeavesOut) {
    const GltfFile file =
        mustReadGltf(gltfText(R"("nodes":[{"camera":0}],"cameras":[{}],)"
                              R"("extensionsUsed":["KHR_lights_punctual"],"extras":{"a":1})"));
    const std::string said = test::lines(file.warnings);
    for (const char* what :
         {"cameras are left out", "extensions are left out: 'KHR_lights_punctual'"}) {
        EXPECT_TRUE(contains(said, what));
    }
}

TEST(Gltf, RefusesExtensionsItWouldNeedAndTakesThoseItNeedsNot) {
    EXPECT_TRUE(contains(
        gltfErrorOf(gltfText(R"("extensionsRequired":["KHR_draco_mesh_compression"])")),
        "extensionsRequired[0]: the file needs the extension 'KHR_draco_mesh_compression', which "
        "is not read (save it again without compression)"));
    mustReadGltf(
        gltfText(R"("extensionsRequired":["KHR_materials_unlit","KHR_mesh_quantization"])"));
}

TEST(Gltf, WholeNumbersMayBeWrittenWithAPoint) {
    EXPECT_EQ(
        namesOf(mustReadGltf(gltfText(R"("scene":0.0,"scenes":[{"nodes":[0.0]}],"nodes":[{}])"))),
        std::vector<std::string>{"node_0"});
}

TEST(Gltf, BuffersInTheTextAreBase64) {
    // RFC 4648's examples.
    EXPECT_EQ(detail::decodeBase64("Zm9vYmFy"), "foobar");
    EXPECT_EQ(detail::decodeBase64("Zm9vYmE="), "fooba");
    EXPECT_EQ(detail::decodeBase64("Zm9vYg=="), "foob");
    EXPECT_EQ(detail::decodeBase64("Zm9vYg"), "foob");
    EXPECT_EQ(detail::decodeBase64(""), "");
    for (const char* bad : {"Zm9vY", "Zm9v*mFy", "Zm=vYmFy", "Zm9vYg=\n", "===="})
        EXPECT_FALSE(detail::decodeBase64(bad)) << bad;
    detail::Base64Encoder encoder;
    std::string text;
    for (const char* piece : {"f", "oo", "b"}) encoder.add(piece, text);
    encoder.finish(text);
    EXPECT_EQ(text, "Zm9vYg==");
}

// A mesh of one vertex, three times the corner of a triangle, whose buffer is at `uri`.
std::string withUri(const std::string& uri) {
    return gltfText(
        R"("nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},)"
        R"("indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,)"
        R"("type":"VEC3"},{"bufferView":0,"byteOffset":4,"componentType":5121,"count":3,)"
        R"("type":"SCALAR"}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":12}],"buffers":[{"byteLength":12,"uri":")" +
        uri + "\"}]");
}

TEST(Gltf, BuffersInOtherFilesAreReadFromTheFilesFolder) {
    const std::string folder = test::scratchFolder() + "/gltf";
    ASSERT_EQ(test::shell("mkdir -p gltf/below gltf-outside && ln -sf ../gltf-outside/data.bin "
                          "gltf/link.bin && ln -sfn below gltf/inner && mkfifo gltf/pipe.bin; true")
                  .exit_code,
              0);
    const std::string bytes("\0\0\x80\x3F\0\0\0\x40\0\0\x40\x40 padding", 20);
    test::writeText(folder + "/my data.bin", bytes);
    test::writeText(folder + "/below/data.bin", bytes);
    test::writeText(test::scratchFolder() + "/gltf-outside/data.bin", bytes);
    for (const char* uri :
         {"my%20data.bin", "below/data.bin", "./below/data.bin", "inner/data.bin"}) {
        test::writeText(folder + "/file.gltf", withUri(uri));
        const Result<GltfFile> file = loadGltf(folder + "/file.gltf");
        ASSERT_TRUE(file.ok()) << describe(file.error());
        EXPECT_EQ(file->meshes.at(0).positions.at(0), (Vec3f{1, 2, 3})) << uri;
        const std::vector<GltfPartFile> listed = listGltfPartFiles(withUri(uri), folder);
        ASSERT_EQ(listed.size(), 1U) << uri;
        EXPECT_EQ(listed[0].uri, uri);
        EXPECT_EQ(test::readText(listed[0].path), bytes) << uri;
    }
    for (const char* uri : {"../gltf-outside/data.bin", "%2E%2E/gltf-outside/data.bin",
                            "below/../../x", "/etc/passwd", "file:///etc/passwd",
                            "http://localhost/x.bin", "..\\\\x", "C:x", "below/..%5Cx", ""}) {
        EXPECT_TRUE(
            contains(gltfErrorOf(withUri(uri), {.folder = folder}), "buffers[0].uri: the buffer '"))
            << uri;
        EXPECT_TRUE(
            contains(gltfErrorOf(withUri(uri), {.folder = folder}), "is not in the file's folder"))
            << uri;
        EXPECT_TRUE(listGltfPartFiles(withUri(uri), folder).empty()) << uri;
    }
    for (const char* uri : {"link.bin", "pipe.bin", "below", "none.bin", "%G0.bin", "data:,x"})
        EXPECT_TRUE(listGltfPartFiles(withUri(uri), folder).empty()) << uri;
    for (const char* text : {"", "glTF", "{", "[]", "{\"asset\":{\"version\":\"2.0\"}}"})
        EXPECT_TRUE(listGltfPartFiles(text, folder).empty()) << text;
    EXPECT_TRUE(contains(gltfErrorOf(withUri("link.bin"), {.folder = folder}), "links out of"));
    EXPECT_TRUE(
        contains(gltfErrorOf(withUri("pipe.bin"), {.folder = folder}), "not a regular file"));
    EXPECT_TRUE(contains(gltfErrorOf(withUri("below"), {.folder = folder}), "not a regular file"));
    EXPECT_TRUE(contains(gltfErrorOf(withUri("none.bin"), {.folder = folder}), "cannot be found"));
    EXPECT_TRUE(contains(gltfErrorOf(withUri("%G0.bin"), {.folder = folder}), "is not a URI"));
    EXPECT_TRUE(contains(gltfErrorOf(withUri("my%20data.bin")), "load the file by its path"));
}

}  // namespace
}  // namespace ulna::io
