// SPDX-License-Identifier: Apache-2.0

// Meshes that we write, read by another program: assimp finds the same triangles.
#include <assimp/scene.h>
#include <gtest/gtest.h>

#include <assimp/Importer.hpp>
#include <string>

#include "support/meshes.h"
#include "ulna/io/mesh_files.h"

namespace ulna::test {
namespace {

// assimp splits vertices as it likes, so corners are compared one by one, in the triangles' order.
void expectAssimpAgrees(const Mesh& mesh, io::MeshFormat format) {
    const std::string bytes = io::writeMesh(mesh, format);
    const bool obj = format == io::MeshFormat::Obj;
    Assimp::Importer importer;
    const aiScene* scene =
        importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, obj ? "obj" : "ply");
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    ASSERT_EQ(scene->mNumMeshes, 1U);
    const aiMesh& theirs = *scene->mMeshes[0];
    ASSERT_EQ(theirs.mNumFaces, mesh.indices.size() / 3);
    ASSERT_EQ(theirs.HasNormals(), !mesh.normals.empty());
    ASSERT_EQ(theirs.HasTextureCoords(0), !mesh.texcoords.empty());
    ASSERT_EQ(theirs.HasVertexColors(0), !mesh.colors.empty());
    for (unsigned f = 0; f < theirs.mNumFaces; ++f) {
        ASSERT_EQ(theirs.mFaces[f].mNumIndices, 3U);
        for (unsigned k = 0; k < 3; ++k) {
            const unsigned there = theirs.mFaces[f].mIndices[k];
            const std::uint32_t here = mesh.indices[3 * f + k];
            const aiVector3D& p = theirs.mVertices[there];
            EXPECT_LT(distance(Vec3f{p.x, p.y, p.z}, mesh.positions[here]), 1e-6f);
            if (!mesh.normals.empty()) {
                const aiVector3D& n = theirs.mNormals[there];
                EXPECT_LT(distance(Vec3f{n.x, n.y, n.z}, mesh.normals[here]), 1e-6f);
            }
            if (!mesh.texcoords.empty()) {
                // assimp's v grows upwards.
                const aiVector3D& t = theirs.mTextureCoords[0][there];
                EXPECT_NEAR(t.x, mesh.texcoords[here].x, 1e-6f);
                EXPECT_NEAR(t.y, 1.0f - mesh.texcoords[here].y, 1e-6f);
            }
            if (!mesh.colors.empty()) {
                const aiColor4D& c = theirs.mColors[0][there];
                EXPECT_NEAR(c.r * 255.0f, mesh.colors[here].r, 1e-3f);
                EXPECT_NEAR(c.g * 255.0f, mesh.colors[here].g, 1e-3f);
                EXPECT_NEAR(c.b * 255.0f, mesh.colors[here].b, 1e-3f);
                EXPECT_NEAR(c.a * 255.0f, obj ? 255 : mesh.colors[here].a, 1e-3f);
            }
        }
    }
}

TEST(Assimp, ReadsTheMeshesWeWrite) {
    for (const io::MeshFormat format :
         {io::MeshFormat::Obj, io::MeshFormat::PlyText, io::MeshFormat::PlyBinary}) {
        SCOPED_TRACE(static_cast<int>(format));
        Mesh mesh = decoratedBox();
        if (format != io::MeshFormat::Obj) mesh.colors[3].a = 17;
        expectAssimpAgrees(mesh, format);
        Mesh ball = globe(2.0, 20, 30);
        expectAssimpAgrees(ball, format);
        ball.normals = computeNormals(ball);
        expectAssimpAgrees(ball, format);
    }
}

// The triangles' corners of another program's mesh, in order.
std::vector<Vec3f> cornersOf(const aiMesh& mesh) {
    std::vector<Vec3f> out;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f)
        for (unsigned k = 0; k < mesh.mFaces[f].mNumIndices; ++k) {
            const aiVector3D& p = mesh.mVertices[mesh.mFaces[f].mIndices[k]];
            out.push_back({p.x, p.y, p.z});
        }
    return out;
}

TEST(Assimp, ReadsEveryFormOfAFaceAsWeDo) {
    const std::string text =
        "v 0.125 2 -3e-2\nv 1 0 0\nv 1 1 0.5\nv 0 1 0\nv 7 8 9\nvt 0 0\nvt 0.5 0.25\nvn 0 0 1\n"
        "f 1/1/1 2/2/1 3/1/1\nf 1//1 3//1 4//1\nf -5 -3 -1\nf 1/2 2/2 5/1\n";
    const Result<io::MeshFile> ours = io::readObj(text, "faces.obj");
    ASSERT_TRUE(ours.ok());
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFileFromMemory(text.data(), text.size(), 0, "obj");
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    const std::vector<Vec3f> theirs = cornersOf(*scene->mMeshes[0]);
    ASSERT_EQ(theirs.size(), ours->mesh.indices.size());
    for (std::size_t i = 0; i < theirs.size(); ++i)
        EXPECT_LT(distance(theirs[i], ours->mesh.positions[ours->mesh.indices[i]]), 1e-6f) << i;
}

}  // namespace
}  // namespace ulna::test
