// SPDX-License-Identifier: Apache-2.0

// Surfaces on the command line: what info says of them, and where convert takes them.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/gltf_samples.h"
#include "support/meshes.h"
#include "support/text.h"
#include "ulna/io/gltf.h"
#include "ulna/io/mesh_files.h"

namespace ulna::test {
namespace {

using Json = nlohmann::json;

void save(const Mesh& mesh, const std::string& name) {
    ASSERT_TRUE(io::saveMesh(mesh, scratchFolder() + "/" + name).ok());
}

Mesh load(const std::string& name) {
    const Result<io::MeshFile> file = io::loadMesh(scratchFolder() + "/" + name);
    EXPECT_TRUE(file.ok()) << describe(file.error());
    return file.ok() ? file->mesh : Mesh{};
}

TEST(CliMesh, InfoSaysWhatASurfaceIs) {
    Mesh mesh = decoratedBox();
    mesh.positions.push_back({9, 9, 9});
    mesh.normals.push_back({0, 1, 0});
    mesh.texcoords.emplace_back();
    mesh.colors.emplace_back();
    save(mesh, "box.obj");
    const CommandResult text = shell("$ULNA info box.obj");
    EXPECT_EQ(text.exit_code, 0);
    EXPECT_TRUE(contains(text.out, "'a box', 37 vertices, 12 triangles; not skinned"));
    EXPECT_TRUE(contains(text.out, "normals, texture coordinates and colours"));
    EXPECT_TRUE(contains(text.out, "one part, watertight"));
    EXPECT_TRUE(contains(text.out, "a vertex belongs to no triangle"));
    const Json json = Json::parse(shell("$ULNA info box.obj --json").out);
    EXPECT_EQ(json["format"], "obj");
    EXPECT_EQ(json["joints"].size(), 0U);
    EXPECT_EQ(json["meshes"][0]["places"], 9);
    EXPECT_EQ(json["meshes"][0]["loose_vertices"], 1);
    EXPECT_EQ(json["meshes"][0]["watertight"], true);
}

TEST(CliMesh, InfoSaysHowAMeshIsTied) {
    const Skeleton arm = gltfArm();
    const Mesh mesh = gltfDressedSleeve(arm);
    ASSERT_TRUE(io::saveGltf({.skeleton = arm, .meshes = std::span(&mesh, 1)},
                             scratchFolder() + "/sleeve.glb")
                    .ok());
    const Json json = Json::parse(shell("$ULNA info sleeve.glb --json").out);
    EXPECT_EQ(json["meshes"][0]["skinned"], true);
    EXPECT_EQ(json["meshes"][0]["most_influences"], 3);
    EXPECT_EQ(json["meshes"][0]["boundary_edges"], 8);  // both ends of the tube, four sides each
    EXPECT_EQ(json["meshes"][0]["attributes"].size(), 4U);
    EXPECT_TRUE(contains(shell("$ULNA info sleeve.glb").out, "up to 3 joints a vertex"));
}

TEST(CliMesh, ConvertKeepsASurfaceThroughEveryFormat) {
    const Mesh mesh = decoratedBox();
    save(mesh, "a.obj");
    ASSERT_EQ(shell("$ULNA convert --quiet a.obj b.ply && $ULNA convert --quiet b.ply c.glb && "
                    "$ULNA convert --quiet c.glb d.obj")
                  .exit_code,
              0);
    Mesh back = load("d.obj");
    back.name = mesh.name;  // PLY holds none
    EXPECT_EQ(difference(back, mesh), "");
}

TEST(CliMesh, EveryVerbThatWritesGltfKeepsMaterialsAndImages) {
    const Skeleton arm = gltfArm();
    const Mesh mesh = gltfPaintedSleeve(arm);
    const io::MaterialSet material_set = gltfMaterials();
    const Motion motion(restPose(arm), 3, 0.1, usualTracks(arm));
    const io::GltfContent content{.skeleton = arm,
                                  .motions = std::span(&motion, 1),
                                  .meshes = std::span(&mesh, 1),
                                  .material_set = &material_set};
    ASSERT_TRUE(io::saveGltf(content, scratchFolder() + "/painted.glb").ok());
    writeText(scratchFolder() + "/other.rig.json",
              R"({"ulna":1,"joints":[{"name":"root","kind":"free","tip":[0,2,0]}]})");
    for (const char* command :
         {"convert painted.glb out.gltf --scale 2 --up z",
          "skin painted.glb --frame 1 --out out.glb",
          "weights painted.glb --make heat --out out.glb",
          "weights other.rig.json --mesh painted.glb --make distance --out out.glb",
          "key painted.glb --reduce 0.01 --out out.glb",
          "ik painted.glb --goal elbow=0.1,0.9,0 --out out.glb",
          "fit painted.glb painted.glb --out out.glb"}) {
        std::filesystem::remove(scratchFolder() + "/out.glb");
        const CommandResult result = shell("$ULNA " + std::string(command));
        EXPECT_EQ(result.exit_code, 0) << command << result.err;
        const std::string name = contains(command, "out.gltf") ? "/out.gltf" : "/out.glb";
        const Result<io::GltfFile> file = io::loadGltf(scratchFolder() + name);
        ASSERT_TRUE(file.ok()) << command << describe(file.error());
        EXPECT_EQ(file->material_set.images, material_set.images) << command;
        const std::vector<MeshPart>& parts = file->meshes.at(0).parts;
        ASSERT_EQ(parts.size(), mesh.parts.size()) << command;
        for (std::size_t i = 0; i + 1 < parts.size(); ++i)
            EXPECT_EQ(file->material_set.materials.at(parts[i].material),
                      material_set.materials.at(mesh.parts[i].material))
                << command;
    }
    EXPECT_TRUE(contains(shell("$ULNA convert painted.glb out.obj").err,
                         "materials are left out: they are written in glTF"));
}

TEST(CliMesh, ConvertChangesUnitsAndAxesOfASurface) {
    save(box({1, 2, 3}), "a.obj");
    ASSERT_EQ(shell("$ULNA convert a.obj b.obj --scale 100 --up z --from-up y").exit_code, 0);
    const Mesh turned = load("b.obj");
    EXPECT_NEAR(turned.positions[7].x, 100.0f, 1e-4f);
    EXPECT_NEAR(turned.positions[7].y, -300.0f, 1e-4f);
    EXPECT_NEAR(turned.positions[7].z, 200.0f, 1e-4f);
}

TEST(CliMesh, ConvertWritesTheMeshesOfACharacterAtBind) {
    const Skeleton arm = gltfArm();
    const std::vector<Mesh> meshes = {gltfDressedSleeve(arm), gltfSleeve(arm)};
    ASSERT_TRUE(
        io::saveGltf({.skeleton = arm, .meshes = meshes}, scratchFolder() + "/two.glb").ok());
    const CommandResult result = shell("$ULNA convert two.glb two.ply");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_TRUE(contains(result.err, "2 meshes are written as one"));
    EXPECT_TRUE(contains(result.err, "joints, clips and weights are left out"));
    const Mesh both = load("two.ply");
    ASSERT_EQ(both.positions.size(), 2 * meshes[0].positions.size());
    EXPECT_EQ(both.positions[40], meshes[1].positions[4]);
    EXPECT_EQ(both.normals.size(), both.positions.size());
    EXPECT_TRUE(both.texcoords.empty());
    EXPECT_EQ(both.colors[40], (Color{}));
    EXPECT_EQ(both.indices.size(), 2 * meshes[0].indices.size());
}

TEST(CliMesh, SurfacesGoWhereSurfacesGo) {
    save(square(), "a.obj");
    CommandResult result = shell("$ULNA convert a.obj a.bvh");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(
        contains(result.err, "'a.obj' is a mesh without a skeleton; 'a.bvh' cannot hold it"));
    result = shell("$ULNA convert a.obj b.obj --fps 30");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(contains(result.err, "it has no clips"));
    result = shell("$ULNA fk a.obj");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(contains(result.err, "'a.obj' is a mesh without a skeleton"));
    result = shell("$ULNA convert $ASSETS/ulna-character.bvh b.obj");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.err, "there is no mesh to write"));
}

TEST(CliMesh, BadFilesSayWhereTheyAreBad) {
    writeText(scratchFolder() + "/bad.obj", "v 0 0 0\nv 1 0 x\n");
    CommandResult result = shell("$ULNA info bad.obj");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_TRUE(contains(result.err, "bad.obj:2:7: a number was expected: 'x'"));
    writeText(scratchFolder() + "/odd.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nusemtl a\n");
    EXPECT_EQ(shell("$ULNA info odd.obj").exit_code, 0);
    EXPECT_EQ(shell("$ULNA info odd.obj --strict-input").exit_code, 3);
}

}  // namespace
}  // namespace ulna::test
