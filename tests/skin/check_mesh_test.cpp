// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/check_mesh.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/meshes.h"
#include "support/text.h"

namespace ulna::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// What is wrong with a mesh; a failure of the running test where nothing is.
std::string wrongOf(const Mesh& mesh) {
    const Result<MeshReport> report = checkMesh(mesh);
    EXPECT_FALSE(report.ok());
    return report.ok() ? "" : describe(report.error());
}

MeshReport reportOf(const Mesh& mesh) {
    Result<MeshReport> report = checkMesh(mesh);
    EXPECT_TRUE(report.ok()) << describe(report.error());
    return report.ok() ? *report : MeshReport{};
}

// The one odd thing that is said about a mesh.
std::string oddityOf(const Mesh& mesh) {
    std::string out;
    for (const Diagnostic& warning : describeOddities(reportOf(mesh), mesh))
        out += describe(warning) + "\n";
    return out;
}

// A square whose vertices are tied to joints 0 and 1, half and half.
Mesh tiedSquare() {
    Mesh mesh = square();
    for (std::size_t v = 0; v < 4; ++v)
        mesh.weights.addRow(std::vector<Influence>{{jointId(0), 0.5f}, {jointId(1), 0.5f}});
    return mesh;
}

TEST(CheckMesh, AnswersWhatABoxIs) {
    const MeshReport report = reportOf(box({2, 3, 4}));
    EXPECT_EQ(report.vertices, 8U);
    EXPECT_EQ(report.points, 8U);
    EXPECT_EQ(report.triangles, 12U);
    EXPECT_EQ(report.parts, 1U);
    EXPECT_TRUE(report.watertight());
    EXPECT_FALSE(report.inside_out);
    EXPECT_EQ(report.low, (Vec3{0, 0, 0}));
    EXPECT_EQ(report.high, (Vec3{2, 3, 4}));
    EXPECT_EQ(oddityOf(box({2, 3, 4})), "");
}

TEST(CheckMesh, SeesOnePlaceWhereAFileSplitsVertices) {
    const MeshReport report = reportOf(decoratedBox());
    EXPECT_EQ(report.vertices, 36U);
    EXPECT_EQ(report.points, 8U);
    EXPECT_TRUE(report.watertight());
}

TEST(CheckMesh, CountsPartsThatHaveTriangles) {
    Mesh mesh = box({1, 1, 1});
    const std::size_t count = mesh.indices.size();
    for (std::size_t v = 0; v < 8; ++v)
        mesh.positions.push_back(mesh.positions[v] + Vec3f{5, 0, 0});
    for (std::size_t i = 0; i < count; ++i) mesh.indices.push_back(mesh.indices[i] + 8);
    mesh.positions.push_back({9, 9, 9});
    EXPECT_EQ(reportOf(mesh).parts, 2U);
}

TEST(CheckMesh, RefusesAPositionThatIsNotANumber) {
    Mesh mesh = square();
    mesh.positions[2].y = kNan;
    EXPECT_TRUE(contains(wrongOf(mesh), "vertex 2 has no finite position"));
}

TEST(CheckMesh, RefusesAnInfinitePosition) {
    Mesh mesh = square();
    mesh.positions[1].z = -kInfinity;
    EXPECT_TRUE(contains(wrongOf(mesh), "vertex 1 has no finite position"));
}

TEST(CheckMesh, RefusesAttributesThatAreNotFinite) {
    Mesh mesh = square();
    mesh.normals.assign(4, {0, 0, 1});
    mesh.normals[3].x = kNan;
    EXPECT_TRUE(contains(wrongOf(mesh), "vertex 3 has no finite normal"));
    mesh = square();
    mesh.tangents.assign(4, {});
    mesh.tangents[1].direction.x = kInfinity;
    EXPECT_TRUE(contains(wrongOf(mesh), "vertex 1 has no finite tangent"));
    mesh.tangents[1] = {{1, 0, 0}, 0.5f};
    EXPECT_TRUE(contains(wrongOf(mesh), "vertex 1 has a tangent whose handedness"));
    mesh = square();
    mesh.texcoords.assign(4, {});
    mesh.texcoords[0].y = kNan;
    EXPECT_TRUE(contains(wrongOf(mesh), "vertex 0 has no finite texture coordinate"));
}

TEST(CheckMesh, RefusesAttributesOfOnlySomeVertices) {
    Mesh mesh = square();
    mesh.normals.assign(3, {0, 0, 1});
    EXPECT_TRUE(contains(wrongOf(mesh), "3 normals for 4 positions"));
    mesh = square();
    mesh.tangents.assign(5, {});
    EXPECT_TRUE(contains(wrongOf(mesh), "5 tangents for 4 positions"));
    mesh = square();
    mesh.texcoords.assign(1, {});
    EXPECT_TRUE(contains(wrongOf(mesh), "1 texture coordinates for 4 positions"));
    mesh = square();
    mesh.colors.assign(2, {});
    EXPECT_TRUE(contains(wrongOf(mesh), "2 colours for 4 positions"));
}

TEST(CheckMesh, RefusesPartsThatAreNotAllTriangles) {
    Mesh mesh = square();
    mesh.parts = {{1, 0}, {1, kNoMaterial}};
    EXPECT_TRUE(checkMesh(mesh).ok());
    mesh.parts.pop_back();
    EXPECT_TRUE(contains(wrongOf(mesh), "the parts have 1 triangles, the mesh 2"));
}

TEST(CheckMesh, RefusesAnIndexOutOfRange) {
    Mesh mesh = square();
    mesh.indices[4] = 4;
    EXPECT_TRUE(contains(wrongOf(mesh), "triangle 1 has vertex 4, but there are 4"));
}

TEST(CheckMesh, RefusesAnUnfinishedTriangle) {
    Mesh mesh = square();
    mesh.indices.pop_back();
    EXPECT_TRUE(contains(wrongOf(mesh), "5 indices are not a whole number of triangles"));
}

TEST(CheckMesh, RefusesAMeshWithoutTriangles) {
    EXPECT_TRUE(contains(wrongOf({}), "no triangles"));
    Mesh mesh = square();
    mesh.indices.clear();
    EXPECT_TRUE(contains(wrongOf(mesh), "no triangles"));
}

TEST(CheckMesh, AcceptsWeightsThatSumToOne) {
    Mesh mesh = tiedSquare();
    EXPECT_EQ(oddityOf(mesh), oddityOf(square()));
    mesh.weights = {};
    mesh.weights.first.assign(5, 0);  // rows without influences: nothing moves
    EXPECT_EQ(oddityOf(mesh), oddityOf(square()));
}

TEST(CheckMesh, RefusesANegativeWeight) {
    Mesh mesh = tiedSquare();
    mesh.weights[2][0].weight = 1.25f;
    mesh.weights[2][1].weight = -0.25f;
    EXPECT_TRUE(contains(wrongOf(mesh), "vertex 2 has a weight of -0.25"));
}

TEST(CheckMesh, RefusesAWeightThatIsNotANumber) {
    Mesh mesh = tiedSquare();
    mesh.weights[1][1].weight = kNan;
    EXPECT_TRUE(contains(wrongOf(mesh), "vertex 1 has a weight of"));
}

TEST(CheckMesh, RefusesWeightsThatDoNotSumToOne) {
    Mesh mesh = tiedSquare();
    mesh.weights[3][0].weight = 0.25f;
    EXPECT_TRUE(contains(wrongOf(mesh), "vertex 3 has weights that sum to 0.75"));
}

TEST(CheckMesh, RefusesAWeightOfNoJoint) {
    Mesh mesh = tiedSquare();
    mesh.weights[0][1].joint = JointId::None;
    EXPECT_TRUE(contains(wrongOf(mesh), "vertex 0 has an influence without a joint"));
}

TEST(CheckMesh, RefusesAJointThatTheMeshIsNotBoundTo) {
    Mesh mesh = tiedSquare();
    mesh.joint_from_bind.assign(1, Affine{});
    EXPECT_TRUE(contains(
        wrongOf(mesh), "vertex 0 has a weight for joint 1, but the number of bind matrices is 1"));
}

TEST(CheckMesh, RefusesABindThatIsNotFinite) {
    Mesh mesh = tiedSquare();
    mesh.joint_from_bind.assign(2, Affine{});
    mesh.joint_from_bind[1].columns[3][0] = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(contains(wrongOf(mesh), "the bind matrix of joint 1 is not finite"));
}

TEST(CheckMesh, RefusesRowsThatDoNotFitTheVertices) {
    Mesh mesh = tiedSquare();
    mesh.weights.first.pop_back();
    EXPECT_TRUE(contains(wrongOf(mesh), "3 rows of weights for 4 positions"));
    mesh = tiedSquare();
    mesh.weights.first[2] = 9;
    EXPECT_TRUE(contains(wrongOf(mesh), "not in ascending order"));
    mesh = tiedSquare();
    mesh.weights.first.clear();
    EXPECT_TRUE(contains(wrongOf(mesh), "no rows"));
}

TEST(CheckMesh, NamesTheMeshThatIsWrong) {
    Mesh mesh;
    mesh.name = "Coat";
    EXPECT_TRUE(contains(wrongOf(mesh), "'Coat'"));
}

TEST(CheckMesh, CountsTrianglesWithoutArea) {
    Mesh mesh = box({1, 1, 1});
    mesh.positions.insert(mesh.positions.end(),
                          {{0.1f, 0.1f, 5}, {0.2f, 0.2f, 5}, {0.3f, 0.3f, 5}});
    mesh.indices.insert(mesh.indices.end(), {8, 9, 10});
    EXPECT_EQ(reportOf(mesh).flat_triangles, 1U);
    EXPECT_TRUE(contains(oddityOf(mesh), "a triangle has no area"));
}

TEST(CheckMesh, DoesNotTakeASmallTriangleForAFlatOne) {
    Mesh mesh;
    mesh.positions = {{1000, 0, 0}, {1000.01f, 0, 0}, {1000, 0.01f, 0}};
    mesh.indices = {0, 1, 2};
    EXPECT_EQ(reportOf(mesh).flat_triangles, 0U);
    mesh.positions = {{1e-30f, 0, 0}, {2e-30f, 0, 0}, {1e-30f, 1e-30f, 0}};
    EXPECT_EQ(reportOf(mesh).flat_triangles, 0U);
}

TEST(CheckMesh, CountsACornerTwiceAsFlatAndLooksPastIt) {
    Mesh mesh = box({1, 1, 1});
    mesh.indices.insert(mesh.indices.end(), {3, 3, 7});
    const MeshReport report = reportOf(mesh);
    EXPECT_EQ(report.flat_triangles, 1U);
    EXPECT_TRUE(report.watertight());
}

TEST(CheckMesh, CountsDoubledTriangles) {
    Mesh mesh = square();
    mesh.indices.insert(mesh.indices.end(), {1, 2, 0, 2, 1, 0});  // once each way round
    EXPECT_EQ(reportOf(mesh).doubled_triangles, 2U);
    EXPECT_TRUE(contains(oddityOf(mesh), "2 triangles are duplicated"));
}

TEST(CheckMesh, CountsEdgesOfMoreThanTwoTriangles) {
    Mesh mesh = box({1, 1, 1});
    mesh.positions.push_back({-1, -1, -1});
    mesh.indices.insert(mesh.indices.end(), {0, 1, 8});  // a fin on an edge
    const MeshReport report = reportOf(mesh);
    EXPECT_EQ(report.crowded_edges, 1U);
    EXPECT_EQ(report.boundary_edges, 2U);
    EXPECT_FALSE(report.watertight());
    EXPECT_TRUE(contains(oddityOf(mesh), "an edge has more than two triangles"));
}

TEST(CheckMesh, CountsEdgesWhoseTrianglesDisagree) {
    Mesh mesh = box({1, 1, 1});
    std::swap(mesh.indices[0], mesh.indices[1]);
    const MeshReport report = reportOf(mesh);
    EXPECT_EQ(report.flipped_edges, 3U);
    EXPECT_FALSE(report.watertight());
    EXPECT_TRUE(contains(oddityOf(mesh), "face opposite sides"));
}

TEST(CheckMesh, CountsTheEdgesOfAHole) {
    Mesh mesh = box({1, 1, 1});
    mesh.indices.resize(mesh.indices.size() - 6);  // a side is gone
    const MeshReport report = reportOf(mesh);
    EXPECT_EQ(report.boundary_edges, 4U);
    EXPECT_FALSE(report.watertight());
    EXPECT_TRUE(contains(oddityOf(mesh), "4 edges are open"));
}

TEST(CheckMesh, CountsPlacesWhereTwoFansMeet) {
    Mesh mesh = box({1, 1, 1});
    // Another box that touches the first in one corner.
    for (std::size_t v = 0; v < 8; ++v)
        mesh.positions.push_back(mesh.positions[v] + Vec3f{1, 1, 1});
    for (std::size_t i = 0; i < 36; ++i) mesh.indices.push_back(mesh.indices[i] + 8);
    const MeshReport report = reportOf(mesh);
    EXPECT_EQ(report.pinched_points, 1U);
    EXPECT_EQ(report.parts, 1U);
    EXPECT_TRUE(report.watertight());
    EXPECT_TRUE(contains(oddityOf(mesh), "is the only contact of two surfaces"));
}

TEST(CheckMesh, DoesNotTakeTheRimOfAHoleForAPinch) {
    EXPECT_EQ(reportOf(square()).pinched_points, 0U);
}

TEST(CheckMesh, NoticesASurfaceInsideOut) {
    Mesh mesh = box({1, 1, 1});
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
        std::swap(mesh.indices[i], mesh.indices[i + 1]);
    EXPECT_TRUE(reportOf(mesh).inside_out);
    EXPECT_TRUE(contains(oddityOf(mesh), "inside out"));
    for (Vec3f& p : mesh.positions) p = p + Vec3f{1000, -500, 0};  // wherever it is
    EXPECT_TRUE(reportOf(mesh).inside_out);
}

TEST(CheckMesh, DoesNotSaySoOfAnOpenSurface) {
    Mesh mesh = box({1, 1, 1});
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
        std::swap(mesh.indices[i], mesh.indices[i + 1]);
    mesh.indices.resize(33);
    EXPECT_FALSE(reportOf(mesh).inside_out);
}

TEST(CheckMesh, CountsLooseVertices) {
    Mesh mesh = square();
    mesh.positions.insert(mesh.positions.end(), {{5, 5, 5}, {0, 0, 0}});
    const MeshReport report = reportOf(mesh);
    EXPECT_EQ(report.loose_vertices, 2U);
    EXPECT_EQ(report.parts, 1U);
    EXPECT_TRUE(contains(oddityOf(mesh), "2 vertices belong to no triangle"));
}

TEST(CheckMesh, AgreesWithEulersFormulaOnASphere) {
    const MeshReport report = reportOf(globe(3.0, 20, 31));
    // A closed surface without handles: V - E + F = 2, and every edge has two of three sides.
    EXPECT_EQ(report.points + report.triangles, 2 + report.triangles * 3 / 2);
    EXPECT_TRUE(report.watertight());
    EXPECT_FALSE(report.inside_out);
}

}  // namespace
}  // namespace ulna::test
