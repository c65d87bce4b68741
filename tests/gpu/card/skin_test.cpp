// SPDX-License-Identifier: Apache-2.0

// Skinning on a card, judged by the textbook formulas in double.
#include "ulna/gpu/skin.h"

#include <cmath>

#include "gpu/card/card.h"
#include "support/skins.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna {
namespace {

using namespace test;

void append(const ModelPose& model, std::vector<float>& rows) {
    for (const Affine& a : model.model_from_joint) {
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 4; ++k) rows.push_back(static_cast<float>(a.columns[k][i]));
    }
}

struct Poses {
    std::vector<ModelPose> models;
    std::vector<float> rows;
};

Poses randomPoses(const Skeleton& skeleton, std::size_t count, bool sheared) {
    Random random(11);
    Poses out;
    for (std::size_t i = 0; i < count; ++i) {
        out.models.push_back(computeModelPose(
            skeleton, sheared ? shearedPose(skeleton, random) : turnedPose(skeleton, random)));
        append(out.models.back(), out.rows);
    }
    return out;
}

double largestError(std::span<const float> values, std::span<const Vec3> expected) {
    double largest = 0.0;
    for (std::size_t v = 0; v < expected.size(); ++v) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double off = std::abs(double{values[3 * v + k]} - expected[v][k]);
            if (!(off <= largest)) largest = off;
        }
    }
    return largest;
}

// Where a joint mirrors, vertices between it and another are flattened, and rounding decides on
// which side their normals are.
std::vector<Vec3> onTheSameSide(std::span<const Vec3> expected, std::span<const float> values) {
    std::vector<Vec3> out(expected.begin(), expected.end());
    for (std::size_t v = 0; v < out.size(); ++v) {
        const Vec3 found = {values[3 * v], values[3 * v + 1], values[3 * v + 2]};
        if (dot(out[v], found) < 0.0) out[v] = out[v] * -1.0;
    }
    return out;
}

void check(const Skeleton& skeleton, const Mesh& mesh, const DeformOptions& options,
           const Poses& poses, double tolerance, bool mirrors = false) {
    GpuSkin gpu = must(GpuSkin::make(skeleton, mesh, options));
    const std::size_t n = mesh.positions.size(), count = poses.models.size();
    std::vector<float> positions(3 * n * count, NAN), normals(3 * mesh.normals.size() * count, NAN);
    must(gpu.deform(poses.rows, positions, normals));
    for (std::size_t i = 0; i < count; ++i) {
        const ReferenceVertices expected =
            deformReference(skeleton, mesh, poses.models[i], options);
        EXPECT_LE(largestError(std::span(positions).subspan(3 * n * i), expected.positions),
                  tolerance)
            << "pose " << i;
        if (!normals.empty()) {
            const std::span<const float> found = std::span(normals).subspan(3 * n * i);
            EXPECT_LE(largestError(found, mirrors ? onTheSameSide(expected.normals, found)
                                                  : expected.normals),
                      10.0 * tolerance)
                << "pose " << i;
        }
    }
}

constexpr SkinBlend kBlends[] = {SkinBlend::Linear, SkinBlend::DualQuaternion};

TEST(GpuSkin, DeformsMeshesWithAnyNumberOfInfluences) {
    Random random(2);
    const Skeleton skeleton = randomTree(12, random);
    const Mesh mesh = mixedMesh(333, 12, 7, random);
    for (const SkinBlend blend : kBlends) {
        for (const NormalRule rule : {NormalRule::Cofactor, NormalRule::Plain})
            check(skeleton, mesh, {.blend = blend, .normals = rule},
                  randomPoses(skeleton, 37, false), 2e-5);
    }
}

TEST(GpuSkin, DeformsByJointsThatScaleAndShear) {
    Random random(4);
    const Skeleton skeleton = randomTree(9, random);
    const Mesh mesh = mixedMesh(100, 9, 4, random);
    for (const SkinBlend blend : kBlends)
        check(skeleton, mesh, {.blend = blend}, randomPoses(skeleton, 20, true), 2e-4);
}

// A tube whose upper joint is turned and scaled.
ModelPose scaledTube(const Skeleton& skeleton, const Vec3& scale) {
    Pose pose = restPose(skeleton);
    pose[skeleton.find("upper")].scale = scale;
    pose[skeleton.find("upper")].rotation = quatAboutAxis(0, 0.7);
    return computeModelPose(skeleton, pose);
}

TEST(GpuSkin, DeformsByJointsThatMirrorAndFlatten) {
    const Skeleton skeleton = tubeSkeleton();
    Poses poses;
    for (const Vec3& scale :
         {Vec3{-1, -1, -1}, Vec3{1, 1, -1}, Vec3{2, 2, 2}, Vec3{1, 1, 1e-7}, Vec3{3, 1, 1}})
        poses.models.push_back(scaledTube(skeleton, scale));
    // Flat is what almost flat comes to; exactly flat, the reference may as well mirror.
    for (const ModelPose& model : poses.models) append(model, poses.rows);
    for (const SkinBlend blend : kBlends) {
        SCOPED_TRACE(blend == SkinBlend::Linear ? "linear" : "dual quaternions");
        check(skeleton, tube(), {.blend = blend}, poses, 1e-5, true);
        poses.rows.clear();
        for (std::size_t i = 0; i < poses.models.size(); ++i)
            append(i == 3 ? scaledTube(skeleton, {1, 1, 0}) : poses.models[i], poses.rows);
        check(skeleton, tube(), {.blend = blend}, poses, 1e-5, true);
    }
}

TEST(GpuSkin, LeavesWhatNoJointMoves) {
    Random random(6);
    const Skeleton skeleton = randomTree(5, random);
    Mesh mesh = randomMesh(40, 5, 2, random);
    mesh.weights = {};
    check(skeleton, mesh, {}, randomPoses(skeleton, 3, false), 1e-6);
    mesh.normals = {};
    check(skeleton, mesh, {.blend = SkinBlend::DualQuaternion}, randomPoses(skeleton, 3, false),
          1e-6);
}

TEST(GpuSkin, WorksOnArraysOfTheDeviceOnAStreamOfTheCallers) {
    Random random(8);
    const Skeleton skeleton = randomTree(6, random);
    const Mesh mesh = mixedMesh(70, 6, 4, random);
    const Poses poses = randomPoses(skeleton, 18, false);
    for (const SkinBlend blend : kBlends) {
        Stream stream;
        GpuSkin gpu =
            must(GpuSkin::make(skeleton, mesh, {.blend = blend}, {.stream = stream.handle()}));
        EXPECT_EQ(gpu.vertexCount(), 70u);
        const GpuFloats rows = must(GpuFloats::make(0, poses.rows));
        GpuFloats positions = must(GpuFloats::make(0, 18 * 70 * 3));
        GpuFloats normals = must(GpuFloats::make(0, 18 * 70 * 3));
        must(gpu.deform(18, rows.data(), positions.data(), normals.data()));
        EXPECT_TRUE(stream.launches() == 2 || stream.launches() == -1);
        stream.wait();
        std::vector<float> again(positions.size()), normals_again(normals.size());
        must(gpu.deform(poses.rows, again, normals_again));
        const std::size_t before = freeMemory();
        must(gpu.deform(poses.rows, again, normals_again));
        EXPECT_EQ(freeMemory(), before);
        EXPECT_EQ(again, valuesOf(positions));
        EXPECT_EQ(normals_again, valuesOf(normals));
        std::vector<float> alone(positions.size());
        must(gpu.deform(poses.rows, alone));
        EXPECT_EQ(alone, again);
    }
}

TEST(GpuSkin, NamesTheArrayThatIsWrong) {
    Random random(10);
    const Skeleton skeleton = randomTree(3, random);
    Mesh mesh = randomMesh(10, 3, 1, random);
    GpuSkin gpu = must(GpuSkin::make(skeleton, mesh));
    std::vector<float> rows(2 * 36), positions(2 * 30), normals(2 * 30);
    const auto expect = [](const Status& status, const char* part) {
        ASSERT_FALSE(status);
        EXPECT_NE(describe(status.error()).find(part), std::string::npos)
            << describe(status.error());
    };
    expect(gpu.deform(std::span(rows).first(36), positions), "'model_from_joint'");
    expect(gpu.deform(rows, std::span(positions).first(59)), "'positions'");
    expect(gpu.deform(rows, positions, std::span(normals).first(30)), "'normals'");
    expect(gpu.deform(1, nullptr, positions.data()), "'model_from_joint' is missing");
    expect(gpu.deform(1, rows.data(), nullptr), "'positions' is missing");
    mesh.normals = {};
    GpuSkin bare = must(GpuSkin::make(skeleton, mesh));
    expect(bare.deform(rows, positions, normals), "no normals");
    EXPECT_FALSE(bare.hasNormals());
}

}  // namespace
}  // namespace ulna
