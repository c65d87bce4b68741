// SPDX-License-Identifier: Apache-2.0

// What deformation means, judged by closed forms; that the fast path does it is judged in
// deformer_test.cpp. Both are asked here.
#include "ulna/skin/deform.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/skeletons.h"
#include "support/skins.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using test::widened;

constexpr SkinBlend kBlends[] = {SkinBlend::Linear, SkinBlend::DualQuaternion};

const char* nameOf(SkinBlend blend) {
    return blend == SkinBlend::Linear ? "linear blend" : "dual quaternions";
}

// Vertices by both paths in turn, in double.
struct Answer {
    const char* path;
    ReferenceVertices vertices;
};

std::vector<Answer> deformBothWays(const Skeleton& skeleton, const Mesh& mesh, const Pose& pose,
                                   const DeformOptions& options) {
    const ModelPose model = computeModelPose(skeleton, pose);
    DeformedVertices fast;
    Deformer(skeleton, mesh).deform(model, options, fast);
    ReferenceVertices wide;
    for (const Vec3f& p : fast.positions) wide.positions.push_back(widened(p));
    for (const Vec3f& n : fast.normals) wide.normals.push_back(widened(n));
    for (const Tangent& t : fast.tangents) wide.tangents.push_back(widened(t.direction));
    return {{"reference", deformReference(skeleton, mesh, model, options)},
            {"deformer", std::move(wide)}};
}

TEST(Deform, WithOneBoneOfWeightOneEqualsItsTransform) {
    Random random(1);
    const Skeleton s = test::randomTree(7, random);
    const std::vector<Affine> joint_from_bind = bindMatrices(s, {});
    const Mesh mesh = test::randomMesh(50, 7, 1, random);
    for (const SkinBlend blend : kBlends) {
        for (const bool scaled : {false, true}) {
            const Pose pose = scaled ? test::shearedPose(s, random) : test::turnedPose(s, random);
            const ModelPose model = computeModelPose(s, pose);
            for (const Answer& answer : deformBothWays(s, mesh, pose, {.blend = blend})) {
                SCOPED_TRACE(std::string(answer.path) + ", " + nameOf(blend));
                for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                    const JointId j = mesh.weights[v][0].joint;
                    const Affine posed_from_bind = model[j] * joint_from_bind[index(j)];
                    const Vec3 expected = posed_from_bind * widened(mesh.positions[v]);
                    // The mesh is 2 in size.
                    EXPECT_LT(distance(answer.vertices.positions[v], expected), 2e-6);
                    const Vec3 side =
                        posed_from_bind.direction(widened(mesh.tangents[v].direction));
                    EXPECT_LT(distance(answer.vertices.tangents[v], side / length(side)), 1e-6);
                }
            }
        }
    }
}

TEST(Deform, TakesAJointFullCircleInStepsAndBackToTheRestMesh) {
    const Skeleton s = test::tubeSkeleton();
    const Mesh mesh = test::tube();
    for (const SkinBlend blend : kBlends) {
        for (const int steps : {8, -8}) {
            Pose pose = restPose(s);
            for (int i = 0; i < 8; ++i) {
                Quat& q = pose[jointId(1)].rotation;
                q = q * quatFromAxisAngle(Vec3{0.6, 0.0, 0.8}, 2.0 * kPi / steps);
            }
            for (const Answer& answer : deformBothWays(s, mesh, pose, {.blend = blend})) {
                for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                    EXPECT_LT(distance(answer.vertices.positions[v], widened(mesh.positions[v])),
                              1e-6)
                        << answer.path << ", " << nameOf(blend) << ", vertex " << v;
                }
            }
        }
    }
}

TEST(Deform, MovesTheMeshRigidlyWithTheRoot) {
    Random random(2);
    const Skeleton s = test::randomTree(9, random);
    const Mesh mesh = test::randomMesh(200, 9, 4, random);
    for (const SkinBlend blend : kBlends) {
        Pose pose = restPose(s);
        const Rigid moved{{0.3, -0.5, 0.8}, random.rotation()};
        Trs& root = pose[jointId(0)];
        root.translation = moved * root.translation;
        root.rotation = moved.rotation * root.rotation;
        for (const Answer& answer : deformBothWays(s, mesh, pose, {.blend = blend})) {
            SCOPED_TRACE(std::string(answer.path) + ", " + nameOf(blend));
            for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                EXPECT_LT(
                    distance(answer.vertices.positions[v], moved * widened(mesh.positions[v])),
                    1e-6);
                EXPECT_LT(distance(answer.vertices.normals[v],
                                   rotate(moved.rotation, widened(mesh.normals[v]))),
                          1e-6);
            }
        }
    }
}

TEST(Deform, WringsATwistedTubeWithLinearBlendAndKeepsItsRadiusWithDualQuaternions) {
    const Skeleton s = test::tubeSkeleton();
    const Mesh mesh = test::tube();
    for (const double angle : {0.5, 1.5, 3.0, kPi}) {
        Pose pose = restPose(s);
        pose[jointId(1)].rotation = quatFromAxisAngle(Vec3{0, 1, 0}, angle);
        for (const SkinBlend blend : kBlends) {
            for (const Answer& answer : deformBothWays(s, mesh, pose, {.blend = blend})) {
                SCOPED_TRACE(std::string(answer.path) + ", " + nameOf(blend));
                for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                    const Vec3 at = answer.vertices.positions[v];
                    const double radius = std::hypot(at.x, at.z);
                    EXPECT_NEAR(at.y, mesh.positions[v].y, 1e-6);
                    if (blend == SkinBlend::DualQuaternion) {
                        EXPECT_NEAR(radius, 1.0, 1e-6);
                    } else {
                        // The mean of two points on a circle, weighted.
                        const double w = weightOf(mesh.weights[v], jointId(1));
                        EXPECT_NEAR(radius,
                                    std::hypot(1.0 - w + w * std::cos(angle), w * std::sin(angle)),
                                    1e-6);
                    }
                    if (std::abs(at.y - 1.0) < 1e-6 && blend == SkinBlend::Linear) {
                        EXPECT_NEAR(radius, std::cos(angle / 2.0), 1e-6);
                    }
                }
            }
        }
    }
}

TEST(Deform, TurnsDualQuaternionsHalfWayWhereTheWeightsAreHalves) {
    const Skeleton s = test::tubeSkeleton();
    Mesh mesh;
    mesh.positions = {{1, 1, 0}};
    mesh.normals = {{1, 0, 0}};
    const Influence halves[] = {{jointId(0), 0.5f}, {jointId(1), 0.5f}};
    mesh.weights.addRow(halves);
    // Beyond half a turn the shorter way round is the other one, whatever the signs were.
    for (const double angle : {0.3, 2.0, 3.1, 3.2, 4.5, 6.0}) {
        Pose pose = restPose(s);
        pose[jointId(1)].rotation = quatFromAxisAngle(Vec3{0, 0, 1}, angle);
        const double half = (angle < kPi ? angle : angle - 2.0 * kPi) / 2.0;
        const Vec3 expected{std::cos(half), 1.0 + std::sin(half), 0.0};
        for (const double sign : {1.0, -1.0}) {
            Quat& q = pose[jointId(1)].rotation;
            if (sign < 0.0) q = -q;
            for (const Answer& answer :
                 deformBothWays(s, mesh, pose, {.blend = SkinBlend::DualQuaternion})) {
                EXPECT_LT(distance(answer.vertices.positions[0], expected), 1e-6) << answer.path;
                EXPECT_LT(distance(answer.vertices.normals[0], expected - Vec3{0, 1, 0}), 1e-6)
                    << answer.path;
            }
        }
    }
}

TEST(Deform, KeepsThePointThatJointsTurnAboutWhateverTheirScales) {
    const Skeleton s = test::tubeSkeleton();
    Mesh mesh;
    const Influence row[] = {{jointId(0), 0.7f}, {jointId(1), 0.3f}};
    mesh.positions = {{0, 1, 0}};
    mesh.weights.addRow(row);
    Pose pose = restPose(s);
    pose[jointId(1)].rotation = quatFromAxisAngle(Vec3{0.6, 0.0, 0.8}, 1.3);
    pose[jointId(1)].scale = {2.0, 0.5, 1.5};
    for (const SkinBlend blend : kBlends) {
        for (const Answer& answer : deformBothWays(s, mesh, pose, {.blend = blend}))
            EXPECT_LT(distance(answer.vertices.positions[0], Vec3{0, 1, 0}), 1e-6) << answer.path;
    }
}

// Single triangles whose corners share weights: their maps are affine, so a normal of the deformed
// triangle is what its corners say.
Mesh triangles(std::size_t count, std::size_t joints, Random& random) {
    Mesh mesh;
    mesh.weights.first.push_back(0);
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<Influence> row = test::randomRow(joints, 3, random);
        Vec3 corner[3];
        for (Vec3& c : corner) c = random.direction();
        const Vec3 area = cross(corner[1] - corner[0], corner[2] - corner[0]);
        for (const Vec3& c : corner) {
            mesh.positions.push_back(cast<float>(c));
            mesh.normals.push_back(cast<float>(area / length(area)));
            mesh.weights.addRow(row);
        }
    }
    return mesh;
}

void expectNormalsOfTriangles(const Mesh& mesh, const std::vector<Answer>& answers) {
    for (const Answer& answer : answers) {
        for (std::size_t v = 0; v < mesh.positions.size(); v += 3) {
            const Vec3* p = &answer.vertices.positions[v];
            const Vec3 area = cross(p[1] - p[0], p[2] - p[0]);
            // Corners are rounded to float: small triangles say less about their normals.
            const double trust = length(area);
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_LT(distance(answer.vertices.normals[v + k], area / length(area)) * trust,
                          5e-6)
                    << answer.path << ", vertex " << v + k;
            }
        }
    }
}

TEST(Deform, KeepsNormalsPerpendicularToTheSurfaceUnderScaleAndShear) {
    Random random(3);
    const Skeleton s = test::randomTree(6, random);
    const Mesh mesh = triangles(60, 6, random);
    for (const SkinBlend blend : kBlends) {
        const Pose pose = test::shearedPose(s, random);
        expectNormalsOfTriangles(mesh, deformBothWays(s, mesh, pose, {.blend = blend}));
    }
}

TEST(Deform, KeepsNormalsWithTheTrianglesWhereAJointIsMirrored) {
    Random random(4);
    const Skeleton s = test::randomTree(5, random);
    const Mesh mesh = triangles(40, 5, random);
    Pose pose = test::turnedPose(s, random);
    pose[jointId(0)].scale = {-1.0, 1.2, 0.9};
    for (const SkinBlend blend : kBlends)
        expectNormalsOfTriangles(mesh, deformBothWays(s, mesh, pose, {.blend = blend}));
}

TEST(Deform, KeepsTheHandednessOfTangentsWhereAJointIsMirrored) {
    const Skeleton s = test::tubeSkeleton();
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};  // u along x, v along y
    mesh.normals.assign(3, {0, 0, 1});
    mesh.tangents.assign(3, {{1, 0, 0}, 1.0f});
    const Influence all[] = {{jointId(0), 1.0f}};
    for (int i = 0; i < 3; ++i) mesh.weights.addRow(all);
    Pose pose = restPose(s);
    pose[jointId(0)].scale = {-1.0, 1.0, 1.0};
    for (const SkinBlend blend : kBlends) {
        DeformedVertices out;
        Deformer(s, mesh).deform(computeModelPose(s, pose), {.blend = blend}, out);
        const Vec3f v =
            cross(out.normals[0], out.tangents[0].direction) * out.tangents[0].handedness;
        EXPECT_LT(distance(widened(v), widened(out.positions[2] - out.positions[0])), 1e-6);
    }
}

TEST(Deform, ByThePlainRuleTurnsNormalsByTheMatrixItself) {
    const Skeleton s = test::tubeSkeleton();
    Mesh mesh;
    mesh.positions = {{1, 0, 0}};
    mesh.normals = {{0.6f, 0.8f, 0.0f}};
    const Influence all[] = {{jointId(0), 1.0f}};
    mesh.weights.addRow(all);
    Pose pose = restPose(s);
    pose[jointId(0)].scale = {2.0, 1.0, 1.0};
    for (const SkinBlend blend : kBlends) {
        for (const Answer& answer :
             deformBothWays(s, mesh, pose, {.blend = blend, .normals = NormalRule::Plain})) {
            const Vec3 expected{1.2, 0.8, 0.0};
            EXPECT_LT(distance(answer.vertices.normals[0], expected / length(expected)), 1e-6);
        }
        for (const Answer& answer : deformBothWays(s, mesh, pose, {.blend = blend})) {
            const Vec3 expected{0.3, 0.8, 0.0};
            EXPECT_LT(distance(answer.vertices.normals[0], expected / length(expected)), 1e-6);
        }
    }
}

TEST(Deform, KeepsWhatNothingMovesAtItsPlaceOfRest) {
    // Bound in a space that is turned and moved: what stays, stays where the rest is.
    const Skeleton skeleton = test::tubeSkeleton();
    Mesh mesh = test::tube();
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    const ReferenceVertices there = deformReference(skeleton, mesh, rest);
    mesh.joint_from_bind = bindMatrices(skeleton, mesh);
    mesh = rotatedMesh(std::move(mesh), quatAboutAxis(2, 0.7));
    SkinWeights some;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        some.addRow(v % 3 == 1 ? std::span<const Influence>() : mesh.weights[v]);
    mesh.weights = some;
    Pose bent = restPose(skeleton);
    bent[skeleton.find("upper")].rotation = quatAboutAxis(0, 1.0);
    const ModelPose pose = computeModelPose(skeleton, bent);
    const ReferenceVertices exact = deformReference(skeleton, mesh, pose);
    DeformedVertices fast;
    Deformer(skeleton, mesh).deform(pose, {}, fast);
    for (std::size_t v = 1; v < mesh.positions.size(); v += 3) {
        EXPECT_LT(distance(exact.positions[v], there.positions[v]), 1e-6);
        EXPECT_LT(distance(exact.normals[v], there.normals[v]), 1e-6);
        EXPECT_LT(distance(test::widened(fast.positions[v]), there.positions[v]), 1e-6);
        EXPECT_LT(distance(test::widened(fast.normals[v]), there.normals[v]), 1e-6);
    }
}

TEST(Deform, LeavesVerticesWithoutInfluencesInTheirPlace) {
    Random random(5);
    const Skeleton s = test::randomTree(4, random);
    Mesh mesh = test::randomMesh(40, 4, 2, random);
    const Mesh full = mesh;
    mesh.weights = {};
    for (std::size_t v = 0; v < 40; ++v)
        mesh.weights.addRow(v % 3 == 0 ? std::span<const Influence>() : full.weights[v]);
    const Pose pose = test::shearedPose(s, random);
    for (const SkinBlend blend : kBlends) {
        const auto answers = deformBothWays(s, mesh, pose, {.blend = blend});
        const auto whole = deformBothWays(s, full, pose, {.blend = blend});
        for (std::size_t i = 0; i < answers.size(); ++i) {
            for (std::size_t v = 0; v < 40; ++v) {
                const Vec3 expected =
                    v % 3 == 0 ? widened(mesh.positions[v]) : whole[i].vertices.positions[v];
                EXPECT_LT(distance(answers[i].vertices.positions[v], expected), 1e-6);
                if (v % 3 == 0) {
                    EXPECT_LT(distance(answers[i].vertices.normals[v], widened(mesh.normals[v])),
                              1e-6);
                }
            }
        }
    }
}

TEST(Deform, LeavesAMeshWithoutWeightsAsItIs) {
    Random random(6);
    const Skeleton s = test::randomTree(4, random);
    Mesh mesh = test::randomMesh(9, 4, 2, random);
    mesh.weights = {};
    for (const SkinBlend blend : kBlends) {
        DeformedVertices out;
        Deformer(s, mesh).deform(computeModelPose(s, test::turnedPose(s, random)), {.blend = blend},
                                 out);
        EXPECT_EQ(out.positions, mesh.positions);
    }
}

TEST(Deform, TakesAnEmptyMeshAndLeavesOutWhatTheMeshHasNot) {
    Random random(7);
    const Skeleton s = test::randomTree(3, random);
    const ModelPose pose = computeModelPose(s, test::turnedPose(s, random));
    for (const SkinBlend blend : kBlends) {
        DeformedVertices out;
        out.positions.resize(3);
        out.normals.resize(2);
        out.tangents.resize(1);
        Deformer(s, {}).deform(pose, {.blend = blend}, out);
        EXPECT_TRUE(out.positions.empty() && out.normals.empty() && out.tangents.empty());
        Mesh mesh = test::randomMesh(5, 3, 2, random);
        mesh.normals.clear();
        Deformer(s, mesh).deform(pose, {.blend = blend}, out);
        EXPECT_EQ(out.positions.size(), 5U);
        EXPECT_TRUE(out.normals.empty());
        EXPECT_EQ(out.tangents.size(), 5U);
    }
}

TEST(Deform, KeepsDirectionsOfBindWhereTheyAreFlattenedToNothing) {
    Random random(8);
    const Skeleton s = test::randomTree(3, random);
    const Mesh mesh = test::randomMesh(30, 3, 2, random);
    for (const Vec3& scale : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}}) {
        Pose pose = restPose(s);
        pose[jointId(0)].scale = scale;
        for (const SkinBlend blend : kBlends) {
            for (const NormalRule rule : {NormalRule::Cofactor, NormalRule::Plain}) {
                for (const Answer& answer :
                     deformBothWays(s, mesh, pose, {.blend = blend, .normals = rule})) {
                    for (std::size_t v = 0; v < 30; ++v) {
                        EXPECT_TRUE(isFinite(answer.vertices.positions[v]));
                        EXPECT_NEAR(length(answer.vertices.normals[v]), 1.0, 1e-6);
                        EXPECT_NEAR(length(answer.vertices.tangents[v]), 1.0, 1e-6);
                        if (scale == Vec3{0, 0, 0}) {
                            EXPECT_LT(
                                distance(answer.vertices.normals[v], widened(mesh.normals[v])),
                                1e-6);
                        }
                    }
                }
            }
        }
    }
}

TEST(Deform, TakesBindMatricesThatAreNotTheRestPose) {
    Random random(9);
    const Skeleton s = test::randomTree(5, random);
    Mesh mesh = test::randomMesh(60, 5, 3, random);
    // The mesh was bound in another pose and drawn in a space of its own: in that pose it goes back
    // to where that space lies.
    const ModelPose bind = computeModelPose(s, test::turnedPose(s, random));
    const Affine model_from_mesh = toAffine(Trs{{0.5, 1.0, -0.2}, {2, 2, 2}, random.rotation()});
    for (const Affine& model_from_joint : bind.model_from_joint)
        mesh.joint_from_bind.push_back(inverse(model_from_joint) * model_from_mesh);
    for (const SkinBlend blend : kBlends) {
        const ReferenceVertices reference = deformReference(s, mesh, bind, {.blend = blend});
        DeformedVertices fast;
        Deformer(s, mesh).deform(bind, {.blend = blend}, fast);
        for (std::size_t v = 0; v < 60; ++v) {
            const Vec3 expected = model_from_mesh * widened(mesh.positions[v]);
            EXPECT_LT(distance(reference.positions[v], expected), 4e-6);
            EXPECT_LT(distance(widened(fast.positions[v]), expected), 4e-6);
        }
    }
}

TEST(PosedMesh, KeepsTheSurfaceAndIsTiedToNothing) {
    Random random(10);
    const Skeleton s = test::tubeSkeleton();
    Mesh mesh = test::randomMesh(6, 2, 2, random);
    mesh.name = "coat";
    mesh.indices = {0, 1, 2, 3, 4, 5};
    mesh.texcoords.assign(6, {0.25f, 0.5f});
    mesh.colors.assign(6, {1, 2, 3, 4});
    mesh.parts = {{1, 3}, {1, kNoMaterial}};
    mesh.joint_from_bind = bindMatrices(s, mesh);
    const ModelPose pose = computeModelPose(s, test::turnedPose(s, random));
    const Mesh posed = posedMesh(s, mesh, pose);
    EXPECT_EQ(posed.name, mesh.name);
    EXPECT_EQ(posed.indices, mesh.indices);
    EXPECT_EQ(posed.texcoords, mesh.texcoords);
    EXPECT_EQ(posed.colors, mesh.colors);
    EXPECT_EQ(posed.parts, mesh.parts);
    EXPECT_TRUE(posed.weights.empty());
    EXPECT_TRUE(posed.joint_from_bind.empty());
    const ReferenceVertices expected = deformReference(s, mesh, pose);
    for (std::size_t v = 0; v < 6; ++v) {
        EXPECT_EQ(posed.positions[v], cast<float>(expected.positions[v]));
        EXPECT_EQ(posed.normals[v], cast<float>(expected.normals[v]));
        EXPECT_EQ(posed.tangents[v].direction, cast<float>(expected.tangents[v]));
        EXPECT_EQ(posed.tangents[v].handedness, mesh.tangents[v].handedness);
    }
}

}  // namespace
}  // namespace ulna
