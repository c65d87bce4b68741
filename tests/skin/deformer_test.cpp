// SPDX-License-Identifier: Apache-2.0

// The fast path against the plain one in double.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>

#include "support/allocations.h"
#include "support/skins.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna {
namespace {

using test::widened;

constexpr std::size_t kJoints = 20;

std::vector<DeformOptions> everyOption() {
    std::vector<DeformOptions> out;
    for (const SkinBlend blend : {SkinBlend::Linear, SkinBlend::DualQuaternion})
        for (const NormalRule rule : {NormalRule::Cofactor, NormalRule::Plain})
            out.push_back({.blend = blend, .normals = rule});
    return out;
}

// The size of what is computed: the mesh at bind, in the pose, and the joints it hangs from.
double modelSize(const Mesh& mesh, const ModelPose& pose, const ReferenceVertices& posed) {
    std::vector<Vec3> points = posed.positions;
    for (const Vec3f& p : mesh.positions) points.push_back(widened(p));
    for (const Affine& a : pose.model_from_joint) points.push_back(a.translation());
    return test::sizeOf(points);
}

// How long normals and tangents are before they are made one long: the shorter, the more rounding
// turns them. Linear blend of rotations far apart leaves little of them.
struct Lengths {
    std::vector<double> normals, tangents;

    Lengths(const Skeleton& s, const Mesh& mesh, const ModelPose& pose,
            const DeformOptions& options)
        : normals(mesh.normals.size(), 1.0), tangents(mesh.tangents.size(), 1.0) {
        if (options.blend != SkinBlend::Linear) return;
        const std::vector<Affine> joints = computePosedFromRest(s, pose);
        for (std::size_t v = 0; v < normals.size(); ++v) {
            Vec3 column[3];
            for (std::size_t k = 0; k < 3; ++k) {
                for (const Influence& i : mesh.weights[v])
                    column[k] += joints[index(i.joint)].column(k) * double{i.weight};
            }
            if (mesh.weights[v].empty()) continue;
            const Vec3 n = widened(mesh.normals[v]), t = widened(mesh.tangents[v].direction);
            tangents[v] = length(column[0] * t.x + column[1] * t.y + column[2] * t.z);
            normals[v] =
                options.normals == NormalRule::Plain
                    ? length(column[0] * n.x + column[1] * n.y + column[2] * n.z)
                    : length(cross(column[1], column[2]) * n.x + cross(column[2], column[0]) * n.y +
                             cross(column[0], column[1]) * n.z);
        }
    }
};

void expectEqual(const Skeleton& s, const Mesh& mesh, const ModelPose& pose,
                 const DeformOptions& options, const DeformedVertices& out) {
    const ReferenceVertices expected = deformReference(s, mesh, pose, options);
    const double size = modelSize(mesh, pose, expected);
    const Lengths lengths(s, mesh, pose, options);
    ASSERT_EQ(out.positions.size(), expected.positions.size());
    ASSERT_EQ(out.normals.size(), expected.normals.size());
    ASSERT_EQ(out.tangents.size(), expected.tangents.size());
    double position = 0.0, normal = 0.0, tangent = 0.0;
    const auto widen = [](double& worst, double off) { worst = off <= worst ? worst : off; };
    for (std::size_t v = 0; v < expected.positions.size(); ++v)
        widen(position, distance(widened(out.positions[v]), expected.positions[v]));
    for (std::size_t v = 0; v < expected.normals.size(); ++v)
        widen(normal, distance(widened(out.normals[v]), expected.normals[v]) * lengths.normals[v]);
    for (std::size_t v = 0; v < expected.tangents.size(); ++v) {
        widen(tangent, distance(widened(out.tangents[v].direction), expected.tangents[v]) *
                           lengths.tangents[v]);
        EXPECT_EQ(out.tangents[v].handedness, mesh.tangents[v].handedness);
    }
    EXPECT_LE(position, 1e-6 * size);
    EXPECT_LE(normal, 1e-6);
    EXPECT_LE(tangent, 1e-6);
}

void expectEqualForAll(const Skeleton& s, const Mesh& mesh, Random& random) {
    const Deformer deformer(s, mesh);
    for (const DeformOptions& options : everyOption()) {
        for (const bool sheared : {false, true}) {
            SCOPED_TRACE(::testing::Message() << "blend " << int(options.blend) << ", rule "
                                              << int(options.normals) << ", sheared " << sheared);
            const Pose pose = sheared ? test::shearedPose(s, random) : test::turnedPose(s, random);
            const ModelPose model = computeModelPose(s, pose);
            DeformedVertices out;
            deformer.deform(model, options, out);
            expectEqual(s, mesh, model, options, out);
        }
    }
}

template <class Work>
void onEveryVectorUnit(const Work& work) {
    for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
        hwy::SetSupportedTargetsForTest(rest & -rest);
        hwy::GetChosenTarget().DeInit();
        SCOPED_TRACE(hwy::TargetName(rest & -rest));
        work();
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
}

TEST(Deformer, EqualsTheReferenceForAnyNumberOfInfluencesOnEveryVectorUnit) {
    Random random(1);
    const Skeleton s = test::randomTree(kJoints, random);
    onEveryVectorUnit([&] {
        for (const std::size_t influences : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 17U}) {
            SCOPED_TRACE(::testing::Message() << influences << " influences");
            expectEqualForAll(s, test::randomMesh(101, kJoints, influences, random), random);
        }
    });
}

TEST(Deformer, EqualsTheReferenceForAnyNumberOfVerticesOnEveryVectorUnit) {
    Random random(2);
    const Skeleton s = test::randomTree(kJoints, random);
    onEveryVectorUnit([&] {
        for (const std::size_t vertices : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 15U, 16U, 17U, 33U, 4099U}) {
            SCOPED_TRACE(::testing::Message() << vertices << " vertices");
            expectEqualForAll(s, test::randomMesh(vertices, kJoints, 4, random), random);
        }
    });
}

TEST(Deformer, EqualsTheReferenceWhereRowsDifferAndSomeAreEmpty) {
    Random random(3);
    const Skeleton s = test::randomTree(kJoints, random);
    onEveryVectorUnit([&] {
        for (const std::size_t most : {2U, 5U, 12U})
            expectEqualForAll(s, test::mixedMesh(777, kJoints, most, random), random);
    });
}

TEST(Deformer, EqualsTheReferenceForMoreJointsThanShortOffsetsCanTell) {
    Random random(4);
    std::vector<JointDef> defs(9000);
    for (std::size_t i = 0; i < defs.size(); ++i) {
        defs[i].name = std::to_string(i);
        if (i > 0) defs[i].parent = std::to_string((i - 1) / 8);
        defs[i].rest.translation = random.direction() * 0.1;
    }
    const Skeleton s = *makeSkeleton(std::move(defs));
    Mesh mesh = test::randomMesh(100, 9000, 4, random);
    expectEqualForAll(s, mesh, random);
    // And for few joints, but more pairs of them.
    const Skeleton few = test::randomTree(120, random);
    expectEqualForAll(few, test::randomMesh(9000, 120, 3, random), random);
}

TEST(Deformer, GivesTheSameBytesForAnyNumberOfThreads) {
    Random random(5);
    const Skeleton s = test::randomTree(kJoints, random);
    const Mesh mesh = test::mixedMesh(20011, kJoints, 6, random);
    const Deformer deformer(s, mesh);
    const ModelPose pose = computeModelPose(s, test::shearedPose(s, random));
    for (DeformOptions options : everyOption()) {
        DeformedVertices one, some;
        deformer.deform(pose, options, one);
        for (const unsigned threads : {2U, 3U, 0U}) {
            options.threads = threads;
            deformer.deform(pose, options, some);
            EXPECT_EQ(one.positions, some.positions);
            EXPECT_EQ(one.normals, some.normals);
            EXPECT_EQ(one.tangents, some.tangents);
        }
    }
}

TEST(Deformer, TakesAFloatPoseAsThePoseItIs) {
    Random random(6);
    const Skeleton s = test::randomTree(60, random);
    const Mesh mesh = test::randomMesh(300, 60, 4, random);
    const Deformer deformer(s, mesh);
    onEveryVectorUnit([&] {
        for (const DeformOptions& options : everyOption()) {
            for (const bool sheared : {false, true}) {
                const Pose pose =
                    sheared ? test::shearedPose(s, random) : test::turnedPose(s, random);
                FloatPose rounded(pose);
                // Rotations that are not one long are made so.
                rounded.setRotation(jointId(7), {0.2f, -0.4f, 0.1f, 0.5f});
                DeformedVertices out;
                deformer.deform(rounded, options, out);
                expectEqual(s, mesh, computeModelPose(s, toPose(rounded)), options, out);
            }
        }
    });
}

TEST(Deformer, WritesIntoBuffersOfOthersAndNothingBetween) {
    Random random(7);
    const Skeleton s = test::randomTree(kJoints, random);
    const Mesh mesh = test::mixedMesh(1003, kJoints, 9, random);
    const Deformer deformer(s, mesh);
    const ModelPose pose = computeModelPose(s, test::shearedPose(s, random));
    for (const DeformOptions& options : everyOption()) {
        DeformedVertices expected;
        deformer.deform(pose, options, expected);
        struct Vertex {
            Vec3f position{};
            float before = 7.0f;
            Vec3f normal{};
            Vec2f texcoord{8.0f, 9.0f};
            Tangent tangent{};
        };
        std::vector<Vertex> out(mesh.positions.size());
        SkinPalette palette;
        deformer.computePalette(pose, options.blend, palette);
        constexpr std::size_t kFloats = sizeof(Vertex) / sizeof(float);
        const auto from = [&](float& first) {
            return std::span(&first, (out.size() - 1) * kFloats + 3);
        };
        deformer.deform(palette, options,
                        {.positions = from(out[0].position.x),
                         .normals = from(out[0].normal.x),
                         .tangents = {&out[0].tangent.direction.x, (out.size() - 1) * kFloats + 4},
                         .stride = sizeof(Vertex)});
        for (std::size_t v = 0; v < out.size(); ++v) {
            EXPECT_EQ(out[v].position, expected.positions[v]);
            EXPECT_EQ(out[v].normal, expected.normals[v]);
            EXPECT_EQ(out[v].tangent, expected.tangents[v]);
            EXPECT_EQ(out[v].before, 7.0f);
            EXPECT_EQ(out[v].texcoord, (Vec2f{8.0f, 9.0f}));
        }
    }
}

TEST(Deformer, WritesNotAFloatPastTheLastVertex) {
    Random random(8);
    const Skeleton s = test::randomTree(kJoints, random);
    const ModelPose pose = computeModelPose(s, test::turnedPose(s, random));
    onEveryVectorUnit([&] {
        for (std::size_t count = 1; count < 20; ++count) {
            const Deformer deformer(s, test::randomMesh(count, kJoints, 4, random));
            std::vector<float> positions(3 * count + 16, 5.0f), normals(3 * count + 16, 5.0f),
                tangents(4 * count + 16, 5.0f);
            SkinPalette palette;
            deformer.computePalette(pose, SkinBlend::Linear, palette);
            deformer.deform(palette, {},
                            {.positions = std::span(positions).first(3 * count),
                             .normals = std::span(normals).first(3 * count),
                             .tangents = std::span(tangents).first(4 * count)});
            for (std::size_t i = 0; i < 16; ++i) {
                EXPECT_EQ(positions[3 * count + i], 5.0f);
                EXPECT_EQ(normals[3 * count + i], 5.0f);
                EXPECT_EQ(tangents[4 * count + i], 5.0f);
            }
        }
    });
}

TEST(Deformer, TellsWhatEachJointDoesAsMatrices) {
    Random random(9);
    const Skeleton s = test::randomTree(kJoints, random);
    const Deformer deformer(s, test::randomMesh(3, kJoints, 2, random));
    const ModelPose pose = computeModelPose(s, test::shearedPose(s, random));
    const std::vector<Affine> expected = computePosedFromRest(s, pose);
    SkinPalette palette;
    deformer.computePalette(pose, SkinBlend::Linear, palette);
    ASSERT_EQ(palette.matrices().size(), kJoints);
    for (std::size_t j = 0; j < kJoints; ++j) {
        for (std::size_t k = 0; k < 4; ++k) {
            for (std::size_t i = 0; i < 4; ++i) {
                EXPECT_NEAR(static_cast<double>(palette.matrices()[j].rows[i][k]),
                            expected[j].columns[k][i], 1e-6);
            }
        }
    }
}

TEST(Deformer, AllocatesNothingAfterTheFirstTime) {
    Random random(10);
    const Skeleton s = test::randomTree(kJoints, random);
    const Deformer deformer(s, test::mixedMesh(500, kJoints, 9, random));
    const ModelPose pose = computeModelPose(s, test::shearedPose(s, random));
    const FloatPose rounded(test::turnedPose(s, random));
    DeformedVertices out;
    const auto deformAll = [&] {
        for (const SkinBlend blend : {SkinBlend::Linear, SkinBlend::DualQuaternion}) {
            deformer.deform(pose, {.blend = blend}, out);
            deformer.deform(rounded, {.blend = blend}, out);
        }
    };
    deformAll();
    const long before = test::allocationCount();
    deformAll();
    EXPECT_EQ(test::allocationCount(), before);
}

}  // namespace
}  // namespace ulna
