// SPDX-License-Identifier: Apache-2.0

// skin, weights, and shaded pictures, as users and their scripts meet them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "support/command.h"
#include "support/paths.h"
#include "support/png.h"
#include "support/post.h"
#include "support/skins.h"
#include "support/text.h"
#include "ulna/io/gltf.h"
#include "ulna/io/mesh_files.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/deform.h"

namespace ulna::test {
namespace {

std::vector<Vec3> verticesOf(const std::string& obj) {
    std::vector<Vec3> out;
    std::istringstream lines(obj);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string kind;
        Vec3 p;
        if (words >> kind >> p.x >> p.y >> p.z && kind == "v") out.push_back(p);
    }
    return out;
}

class SkinCli : public testing::Test {
  protected:
    void SetUp() override {
        for (const auto& entry : std::filesystem::directory_iterator(scratchFolder()))
            std::filesystem::remove_all(entry);
        writeText(path("post.bvh"), kPost);
        writeText(path("post.obj"), postObj(20));
    }
    static std::string path(const std::string& name) { return scratchFolder() + "/" + name; }
    static std::size_t fileCount() {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(scratchFolder()))
            count += entry.path().filename().string().rfind('.', 0) == 0 ? 0 : 1;
        return count;
    }
    static CommandResult works(const std::string& command) {
        CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, 0) << command << '\n' << r.err;
        return r;
    }
    // Fails with a code and a message, says nothing on stdout and leaves no file behind.
    static void fails(const std::string& command, int code, const std::string& message) {
        const std::size_t before = fileCount();
        const CommandResult r = shell(command);
        EXPECT_EQ(r.exit_code, code) << command << '\n' << r.err;
        EXPECT_TRUE(contains(r.err, message)) << command << '\n' << r.err;
        EXPECT_EQ(r.out, "") << command;
        EXPECT_EQ(fileCount(), before) << command;
    }
    static void isJson(const std::string& command) {
        works(command + " | /usr/bin/python3 -m json.tool >/dev/null");
    }
    static draw::Raster picture(const std::string& name) { return readPng(readText(path(name))); }
};

const std::string kSkin = "$ULNA skin post.bvh --mesh post.obj --quiet ";
const std::string kWeights = "$ULNA weights post.bvh --mesh post.obj --quiet ";

// ---- skin

TEST_F(SkinCli, TheMeshWalksWithTheSkeletonInTheFilesOrder) {
    works(kSkin + "--frame 1 --out walked.obj");
    const std::vector<Vec3> rest = verticesOf(readText(path("post.obj")));
    const std::vector<Vec3> walked = verticesOf(readText(path("walked.obj")));
    ASSERT_EQ(walked.size(), rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i)
        EXPECT_LT(distance(walked[i], rest[i] + Vec3{1, 2, 3}), 1e-5) << i;
}

TEST_F(SkinCli, WhatIsFarFromTheJointTurnsWithItsBone) {
    for (const char* blend : {"linear", "dual-quaternion"}) {
        works(kSkin + "--frame 2 --weights heat --out bent.obj --blend " + blend);
        const std::vector<Vec3> rest = verticesOf(readText(path("post.obj")));
        const std::vector<Vec3> bent = verticesOf(readText(path("bent.obj")));
        // The foot stays and the top turns a quarter about the knee, so that up is -x, but for
        // the heat that reaches so far.
        EXPECT_LT(distance(bent.front(), rest.front()), 0.15) << blend;
        const Vec3 top = rest.back() - Vec3{0, 2, 0};
        EXPECT_LT(distance(bent.back(), Vec3{-top.y, 2.0 + top.x, top.z}), 0.15) << blend;
    }
}

TEST_F(SkinCli, ASequenceIsAFileForEachFrameByItsNumber) {
    works(kSkin + "--all --out f-###.obj");
    for (const char* name : {"f-000.obj", "f-001.obj", "f-002.obj"})
        EXPECT_EQ(verticesOf(readText(path(name))).size(), 84U) << name;
    works(kSkin + "--frames 2,1 --out g#.ply");
    EXPECT_TRUE(std::filesystem::exists(path("g2.ply")));
    EXPECT_TRUE(std::filesystem::exists(path("g1.ply")));
    EXPECT_FALSE(std::filesystem::exists(path("g0.ply")));
    works(kSkin + "--times 0.05,0.1 --out t-##.obj");
    EXPECT_EQ(readText(path("t-01.obj")), readText(path("f-001.obj")));
    EXPECT_TRUE(std::filesystem::exists(path("t-00.obj")));
    works(kSkin + "--frame 1 --out one-##.obj");
    EXPECT_EQ(readText(path("one-01.obj")), readText(path("f-001.obj")));
}

TEST_F(SkinCli, AnAmbiguousNameOfASequenceIsRefused) {
    fails(kSkin + "--all --out f.obj", 2, "such as f-####.obj");
    fails(kSkin + "--all --out 'f-#-#.obj'", 2, "more than one run of #");
    fails(kSkin + "--all --out 'folder#/f.obj'", 2, "need a file each");
}

TEST_F(SkinCli, OneMomentAsGlbIsASurfaceTiedToNothing) {
    works(kSkin + "--frame 2 --out bent.obj");
    works(kSkin + "--frame 2 --out bent.glb");
    works("$ULNA skin bent.glb --rest --quiet --out again.obj");
    const std::vector<Vec3> a = verticesOf(readText(path("bent.obj")));
    const std::vector<Vec3> b = verticesOf(readText(path("again.obj")));
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(distance(a[i], b[i]), 1e-6);
    EXPECT_TRUE(contains(works("$ULNA info bent.glb").out, "motion    none"));
}

TEST_F(SkinCli, JsonSaysWhatWasWritten) {
    const CommandResult r = works(kSkin + "--frames 1,2 --out 'f-#.obj' --json");
    EXPECT_TRUE(contains(r.out, "\"ulna\":1,\"input\":\"post.bvh\",\"blend\":\"linear\""));
    EXPECT_TRUE(contains(
        r.out, "\"name\":\"post\",\"vertices\":84,\"triangles\":164,\"weights\":\"heat\""));
    EXPECT_TRUE(contains(r.out, "{\"file\":\"f-1.obj\",\"frame\":1,\"time\":0.1}"));
    EXPECT_EQ(r.err, "");
    isJson(kSkin + "--rest --out r.obj --json");
    EXPECT_TRUE(
        contains(works(kSkin + "--rest --out r.obj --json").out, "\"frame\":null,\"time\":null"));
    EXPECT_EQ(works(kSkin + "--rest --out r.obj").out, "");
}

TEST_F(SkinCli, MistakesAreNamedAndNothingIsWritten) {
    fails("$ULNA skin post.bvh --out x.obj", 2, "has no mesh");
    fails("$ULNA skin post.bvh --mesh post.bvh --out x.obj", 2, "has no mesh");
    fails("$ULNA skin post.obj --out x.obj", 2, "is a mesh without a skeleton");
    fails(kSkin, 2, "--out");
    fails(kSkin + "--out x.bvh", 2, "cannot hold a mesh");
    fails(kSkin + "--out -", 2, "needs a name");
    fails(kSkin + "--out x.obj --frame 9", 2, "there is no frame 9");
    fails(kSkin + "--out x.obj --clip Run", 2, "has no clip 'Run'");
    fails(kSkin + "--out x.obj --mesh-name pots", 2, "did you mean 'post'");
    fails(kSkin + "--out x.obj --weights file", 2, "has no weights");
    fails(kSkin + "--out x.obj --blend cubic", 2, "--blend");
    fails(kSkin + "--out x.obj --twist limb", 2, "no arms and legs of a human body");
    fails(kSkin + "--out nowhere/x.obj", 1, "nowhere");
    fails("$ULNA skin post.bvh --mesh missing.obj --out x.obj", 3, "missing.obj");
    writeText(path("bad.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    fails("$ULNA skin post.bvh --mesh bad.obj --out x.obj", 3, "bad.obj");
}

TEST_F(SkinCli, SeveralMeshesAreOneInAnObjFileOrChosenByName) {
    std::vector<Mesh> meshes(2);
    meshes[0].name = "left";
    meshes[0].positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    meshes[1].name = "right";
    meshes[1].positions = {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {6, 1, 0}};
    meshes[0].indices = {0, 1, 2};
    meshes[1].indices = {0, 1, 2, 2, 1, 3};
    const Skeleton nothing;
    ASSERT_TRUE(io::saveGltf({.skeleton = nothing, .meshes = meshes}, path("two.glb")));
    works("$ULNA skin two.glb --rest --quiet --out both.obj");
    const std::vector<Vec3> both = verticesOf(readText(path("both.obj")));
    ASSERT_EQ(both.size(), 7U);
    EXPECT_EQ(both[1], (Vec3{1, 0, 0}));
    EXPECT_EQ(both[3], (Vec3{5, 0, 0}));
    works("$ULNA skin two.glb --rest --quiet --mesh-name right --out right.obj");
    EXPECT_EQ(verticesOf(readText(path("right.obj"))).size(), 4U);
    works("$ULNA skin two.glb --rest --quiet --out again.glb");
    EXPECT_TRUE(contains(works("$ULNA info again.glb").out, "'right', 4 vertices"));
}

// ---- weights

TEST_F(SkinCli, WeightsAreMadeAndKeptWithSkeletonClipsAndMesh) {
    const CommandResult made = works(kWeights + "--out body.glb --json");
    EXPECT_TRUE(contains(made.out, "\"output\":\"body.glb\",\"picture\":null"));
    EXPECT_TRUE(contains(made.out, "\"weights\":\"heat\""));
    EXPECT_TRUE(contains(made.out, "\"heat\":{\"hidden\":["));
    const CommandResult kept = works("$ULNA weights body.glb --json --quiet");
    EXPECT_TRUE(contains(kept.out, "\"weights\":\"file\""));
    EXPECT_TRUE(contains(works("$ULNA info body.glb --quiet").out, "3 frames"));
    // Bytes hold weights coarsely, floats do not: the posed mesh is the same.
    works("$ULNA skin body.glb --frame 2 --quiet --out a.obj");
    works(kSkin + "--frame 2 --out b.obj");
    const std::vector<Vec3> a = verticesOf(readText(path("a.obj")));
    const std::vector<Vec3> b = verticesOf(readText(path("b.obj")));
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(distance(a[i], b[i]), 1e-5);
}

TEST_F(SkinCli, InspectingPrintsATableOnStdoutAndTalkOnStderr) {
    const CommandResult r = works("$ULNA weights post.bvh --mesh post.obj");
    EXPECT_TRUE(contains(r.out, "'post', 84 vertices, 164 triangles"));
    EXPECT_TRUE(contains(r.out, "made by bone heat"));
    EXPECT_TRUE(contains(r.out, "Knee"));
    EXPECT_TRUE(contains(r.err, "note: "));
    isJson(kWeights + "--json");
    isJson(kWeights + "--make distance --least 0.1 --json");
    EXPECT_EQ(works(kWeights + "--out q.glb").out, "");
}

TEST_F(SkinCli, EditingChangesRowsAndKeepsThemWhole) {
    EXPECT_TRUE(contains(works(kWeights + "--most 1 --json").out, "\"counts\":[0,84]"));
    const CommandResult painted = works(kWeights + "--paint Knee:replace=1:0,2,0:1000:1 --json");
    EXPECT_TRUE(contains(painted.out, "\"largest\":1"));
    const CommandResult smooth = works(kWeights + "--most 1 --smooth 3 --json");
    EXPECT_TRUE(contains(smooth.out, "\"pruned\":"));
    works(kWeights + "--paint Knee:add:0,2,0:1 --paint Knee:smooth:0,2,0:2:0.5 --json");
    const CommandResult nothing =
        works("$ULNA weights post.bvh --mesh post.obj --paint Knee:add:50,0,0:1");
    EXPECT_TRUE(contains(nothing.err, "touches no vertex"));
}

TEST_F(SkinCli, WrongOptionsOfWeightsAreNamed) {
    fails(kWeights + "--paint Kne:add:0,2,0:1", 2, "did you mean 'Knee'");
    fails(kWeights + "--paint Knee:blur:0,2,0:1", 2, "should be JOINT:add");
    fails(kWeights + "--paint Knee:add:0,2:1", 2, "the centre must be x,y,z");
    fails(kWeights + "--paint Knee:add:0,2,0:-1", 2, "the radius must be above 0");
    fails(kWeights + "--paint Knee:add:0,2,0:1:7", 2, "the strength must be 0 to 1");
    fails(kWeights + "--paint Knee:add=1:0,2,0:1", 2, "only the mode replace takes a value");
    fails(kWeights + "--lock Knee", 2, "--paint");
    fails(kWeights + "--paint Knee:add:0,2,0:1 --lock Kne", 2, "did you mean 'Knee'");
    fails(kWeights + "--most 0", 2, "--most");
    fails(kWeights + "--least 1", 2, "--least");
    fails(kWeights + "--make distance --stiffness 2", 2, "bone heat");
    fails(kWeights + "--radius-scale 2", 2, "by distance");
    fails(kWeights + "--stiffness -1", 2, "--stiffness");
    fails(kWeights + "--mirror left-to-right", 1, "left or right");
    fails(kWeights + "--out x.obj", 2, "cannot hold weights");
    fails(kWeights + "--picture x.svg", 2, "should end in .png");
    fails(kWeights + "--picture x.png --joint Kne", 2, "did you mean 'Knee'");
    fails(kWeights + "--joint Knee", 2, "--picture");
    fails(kWeights + "--picture x.png --height 9", 2, "--height");
    fails("$ULNA weights post.obj", 2, "is a mesh without a skeleton");
    fails("$ULNA weights post.bvh", 2, "has no mesh");
}

// ---- pictures

// How many figures stand side by side: what differs from the background in a row of pixels.
std::size_t figuresAcross(const draw::Raster& image, std::size_t row) {
    const Color background = image.pixels.front();
    std::size_t out = 0;
    bool inside = false;
    for (std::size_t x = 0; x < image.width; ++x) {
        const bool now = image.pixels[row * image.width + x] != background;
        out += now && !inside ? 1 : 0;
        inside = now;
    }
    return out;
}

TEST_F(SkinCli, APictureOfWeightsShowsEveryJointOrOne) {
    works(kWeights + "--picture all.png --height 120");
    works(kWeights + "--picture knee.png --joint Knee --height 120 --view front --transparent");
    const draw::Raster all = picture("all.png"), knee = picture("knee.png");
    EXPECT_GT(all.height, 120U) << "the legend is below";
    EXPECT_GT(knee.height, 120U);
    EXPECT_EQ(knee.pixels.front().a, 0);
    // Every joint, Foot and Knee: three figures of one size.
    EXPECT_EQ(figuresAcross(all, 40), 3U);
    EXPECT_EQ(figuresAcross(knee, 40), 1U);
    // The joint moves the upper end, which is bright, and not the lower, which is dark.
    const auto greenOf = [&](std::size_t row) {
        return static_cast<int>(knee.pixels[row * knee.width + knee.width / 2].g);
    };
    EXPECT_GT(greenOf(25), greenOf(80) + 60);
}

TEST_F(SkinCli, DrawShadesMeshesAsPngAndBonesAsSvg) {
    const std::string draw = "$ULNA draw post.bvh --mesh post.obj --quiet --height 120 ";
    EXPECT_TRUE(contains(works(draw + "--all --out strip.png --json").out, "\"figures\":3"));
    works(draw + "--frame 0 --out one.png");
    EXPECT_GT(picture("strip.png").width, 2 * picture("one.png").width);
    EXPECT_EQ(picture("one.png").height, 120U);
    EXPECT_TRUE(contains(works("$ULNA draw post.bvh --mesh post.obj --joint all --frame 2 --height "
                               "120 --out joints.png")
                             .err,
                         "has no weights; they are made by bone heat"));
    EXPECT_NE(readText(path("joints.png")), readText(path("one.png")));
    works("$ULNA draw post.obj --quiet --height 120 --out surface.png");
    EXPECT_EQ(picture("surface.png").height, 120U);
    EXPECT_TRUE(contains(works("$ULNA draw post.bvh --quiet").out, "<svg"));

    fails(draw + "--out p.svg", 2, "drawn as PNG");
    fails("$ULNA draw post.obj --out p.svg", 2, "is a mesh without a skeleton");
    fails("$ULNA draw post.bvh --out p.png --joint Knee", 2, "has no mesh");
    fails("$ULNA draw post.bvh --out p.png --blend dual-quaternion", 2, "has no mesh");
    fails(draw + "--out p.jpg", 2, "should end in .svg, .png or .webp");
    fails(draw + "--out p.png --names", 2, "--names");
    fails(draw + "--out p.png --joint Kne", 2, "did you mean 'Knee'");
    fails(draw + "--out nowhere/p.png", 1, "nowhere");
    fails("$ULNA draw post.obj --out p.png --height 9000", 2, "--height");
}

TEST_F(SkinCli, DrawShadesBonesWhereThereIsNoMesh) {
    const std::string draw = "$ULNA draw post.bvh --quiet --height 120 ";
    works(draw + "--frame 0 --out one.png");
    EXPECT_TRUE(contains(works(draw + "--strip 3 --out strip.png --json").out, "\"figures\":3"));
    const draw::Raster one = picture("one.png"), strip = picture("strip.png");
    EXPECT_GT(one.height, 120U) << "the scale bar is below";
    EXPECT_EQ(figuresAcross(one, 95), 1U);
    // The bones are in the colour of the body's centre, which is bluish grey; above the legend
    // every third of the strip has some.
    const auto isBone = [](const Color& c) { return c.r < 120 && c.b > c.r + 8; };
    EXPECT_GT(std::count_if(one.pixels.begin(), one.pixels.end(), isBone), 100);
    std::array<int, 3> bones = {};
    for (std::size_t i = 0; i < 120 * strip.width; ++i)
        bones[i % strip.width * 3 / strip.width] += isBone(strip.pixels[i]) ? 1 : 0;
    for (const int count : bones) EXPECT_GT(count, 20);
    works(draw + "--frame 0 --transparent --out glass.png");
    EXPECT_EQ(picture("glass.png").pixels.front().a, 0);
}

TEST_F(SkinCli, PicturesOfWeightsHaveAColourBarOrALegend) {
    works(kWeights + "--picture knee.png --joint Knee --height 120 --view front");
    const draw::Raster knee = picture("knee.png");
    const std::vector<Color> below(knee.pixels.begin() + 120 * static_cast<int>(knee.width),
                                   knee.pixels.end());
    for (int i = 0; i <= 4; ++i) {
        const Color wanted = draw::weightColor(static_cast<float>(i) / 4.0f);
        EXPECT_TRUE(std::any_of(below.begin(), below.end(),
                                [&](const Color& c) {
                                    return std::abs(c.r - wanted.r) + std::abs(c.g - wanted.g) +
                                               std::abs(c.b - wanted.b) <
                                           12;
                                }))
            << "weight " << i << "/4";
    }
}

// ---- other people's files

TEST_F(SkinCli, OtherPeoplesFilesArePosedAsTheLibrarySays) {
    for (const std::string name : {"CesiumMan", "Fox", "RiggedSimple"}) {
        const std::string file = test::sharedGltf(name);
        works("$ULNA skin '" + file + "' --time 0.3 --quiet --out posed.obj");
        const std::vector<Vec3> posed = verticesOf(readText(path("posed.obj")));
        const Result<io::GltfFile> read = io::loadGltf(file);
        ASSERT_TRUE(read);
        const ModelPose pose = computeModelPose(read->skeleton, samplePose(read->clips[0], 0.3));
        std::vector<Vec3> expected;
        for (const Mesh& mesh : read->meshes) {
            const ReferenceVertices out = deformReference(read->skeleton, mesh, pose);
            expected.insert(expected.end(), out.positions.begin(), out.positions.end());
        }
        ASSERT_EQ(posed.size(), expected.size()) << name;
        double size = 0.0;
        for (const Vec3& p : expected) size = std::max(size, length(p));
        for (std::size_t i = 0; i < posed.size(); ++i)
            EXPECT_LT(distance(posed[i], expected[i]), 1e-5 * size) << name << " vertex " << i;
    }
}

CommandResult tool(const std::string& arguments) {
    return shell("$ULNA " + arguments);
}

// The bundled character as a surface on its feet, and its bones as BVH, whose root rests at the
// origin.
TEST(SkinCliCharacter, ASurfaceIsTiedToABvhThatRestsElsewhere) {
    ASSERT_EQ(tool("skin $ASSETS/ulna-character.glb --rest --out body.obj").exit_code, 0);
    const CommandResult made =
        tool("weights $ASSETS/ulna-character.bvh --mesh body.obj --out body.glb");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_TRUE(contains(made.err, "the rest pose is raised by")) << made.err;
    EXPECT_FALSE(contains(made.err, "see no bone")) << made.err;
    // Posed by the same clip, both are the same person, but for eyes and lids.
    ASSERT_EQ(tool("skin $ASSETS/ulna-character.glb --frame 8 --out a.ply").exit_code, 0);
    ASSERT_EQ(tool("skin body.glb --frame 8 --out b.ply").exit_code, 0);
    const Result<io::MeshFile> a = io::loadMesh(scratchFolder() + "/a.ply");
    const Result<io::MeshFile> b = io::loadMesh(scratchFolder() + "/b.ply");
    ASSERT_TRUE(a.ok() && b.ok());
    ASSERT_EQ(a->mesh.positions.size(), b->mesh.positions.size());
    double sum = 0.0;
    for (std::size_t v = 0; v < a->mesh.positions.size(); ++v)
        sum += static_cast<double>(length(a->mesh.positions[v] - b->mesh.positions[v]));
    EXPECT_LT(sum / static_cast<double>(a->mesh.positions.size()), 0.005);
}

// What is written has the mesh where its file has it, and the joints at rest inside it.
TEST(SkinCliCharacter, WeightsOfABvhLeaveMeshAndRestPoseInOneFrame) {
    ASSERT_EQ(tool("skin $ASSETS/ulna-character.glb --rest --out body.obj").exit_code, 0);
    const CommandResult made =
        tool("weights $ASSETS/ulna-character.bvh --mesh body.obj --make distance --out body.glb");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const Result<io::MeshFile> body = io::loadMesh(scratchFolder() + "/body.obj");
    const Result<io::GltfFile> file = io::loadGltf(scratchFolder() + "/body.glb");
    const Result<io::GltfFile> truth = io::loadGltf(sourcePath("assets/ulna-character.glb"));
    ASSERT_TRUE(body.ok() && file.ok() && truth.ok());
    ASSERT_EQ(file->meshes.size(), 1U);
    const Mesh& mesh = file->meshes[0];
    const ModelPose rest = computeModelPose(file->skeleton, restPose(file->skeleton));
    const std::vector<Vec3> posed = deformReference(file->skeleton, mesh, rest).positions;
    ASSERT_EQ(posed.size(), body->mesh.positions.size());
    for (std::size_t v = 0; v < posed.size(); ++v) {
        const Vec3f& p = body->mesh.positions[v];
        EXPECT_LT(length(mesh.positions[v] - p), 1e-6f) << v;
        EXPECT_LT(distance(posed[v], Vec3{p.x, p.y, p.z}), 1e-5) << v;
    }
    const ModelPose there = computeModelPose(truth->skeleton, restPose(truth->skeleton));
    for (const char* joint : {"Hips", "Head", "LeftHand", "RightFoot"})
        EXPECT_LT(distance(rest.position(file->skeleton.find(joint)),
                           there.position(truth->skeleton.find(joint))),
                  0.05)
            << joint;
    // The clip is where it was, and so is what skin makes of the same files.
    EXPECT_EQ(
        tool("diff $ASSETS/ulna-character.bvh body.glb --tolerance 1e-5 --angle-tolerance 0.001")
            .exit_code,
        0);
    ASSERT_EQ(tool("skin $ASSETS/ulna-character.bvh --mesh body.obj --weights distance --rest "
                   "--out rest.ply")
                  .exit_code,
              0);
    const Result<io::MeshFile> still = io::loadMesh(scratchFolder() + "/rest.ply");
    ASSERT_TRUE(still.ok());
    EXPECT_LT(length(still->mesh.positions[0] - body->mesh.positions[0]), 1e-5f);
}

TEST(SkinCliCharacter, BoneHeatOfTheToolIsThatOfTheLibraryAndMirrorsOntoItself) {
    const CommandResult heat = tool(
        "weights $ASSETS/ulna-character.glb --make heat --mirror left-to-right --out both.glb");
    ASSERT_EQ(heat.exit_code, 0) << heat.err;
    ASSERT_EQ(tool("weights $ASSETS/ulna-character.glb --make heat --out heat.glb").exit_code, 0);
    const Result<io::GltfFile> both = io::loadGltf(scratchFolder() + "/both.glb");
    const Result<io::GltfFile> made = io::loadGltf(scratchFolder() + "/heat.glb");
    ASSERT_TRUE(both.ok() && made.ok());
    const Mesh& mesh = made->meshes[0];
    const Result<BoneHeat> library = makeBoneHeatWeights(made->skeleton, mesh);
    ASSERT_TRUE(library.ok());
    float from_library = 0.0f, from_mirror = 0.0f;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        for (const Influence& i : library->weights[v])
            from_library =
                std::max(from_library, std::abs(i.weight - weightOf(mesh.weights[v], i.joint)));
        for (const Influence& i : mesh.weights[v])
            from_mirror = std::max(
                from_mirror, std::abs(i.weight - weightOf(both->meshes[0].weights[v], i.joint)));
    }
    EXPECT_LT(from_library, 1e-5f);
    EXPECT_LT(from_mirror, 0.02f);  // pruned after the mirror, not before
}

TEST(SkinCliCharacter, TwistIsSpreadOverLimbsWhereItIsAskedFor) {
    for (const std::string twist : {"joint", "limb"}) {
        ASSERT_EQ(tool("skin $ASSETS/ulna-character.glb --clip wave --frame 45 --twist " + twist +
                       " --out " + twist + ".ply")
                      .exit_code,
                  0);
    }
    const Result<io::GltfFile> file = io::loadGltf(sourcePath("assets/ulna-character.glb"));
    const Result<io::MeshFile> plain = io::loadMesh(scratchFolder() + "/joint.ply");
    const Result<io::MeshFile> spread = io::loadMesh(scratchFolder() + "/limb.ply");
    ASSERT_TRUE(file.ok() && plain.ok() && spread.ok());
    const auto wave = std::find_if(file->clips.begin(), file->clips.end(),
                                   [](const KeyedMotion& clip) { return clip.name == "wave"; });
    ASSERT_NE(wave, file->clips.end());
    const ModelPose pose = computeModelPose(file->skeleton, samplePose(*wave, 45.0 / 30.0));
    const auto largest = [&](const Mesh& mesh, std::span<const TwistBone> twists) {
        const std::vector<Vec3> expected =
            deformReference(file->skeleton, file->meshes[0], pose, {}, twists).positions;
        double out = 0.0;
        for (std::size_t v = 0; v < expected.size(); ++v)
            out = std::max(out, distance(test::widened(mesh.positions[v]), expected[v]));
        return out;
    };
    const std::vector<TwistBone> limbs = limbTwists(file->skeleton);
    EXPECT_LT(largest(plain->mesh, {}), 1e-6);
    EXPECT_LT(largest(spread->mesh, limbs), 1e-6);
    EXPECT_GT(largest(plain->mesh, limbs), 0.002);
}

TEST(SkinCliCharacter, WhatWouldDoNothingOrHarmIsRefused) {
    const std::string character = "$ASSETS/ulna-character.glb ";
    EXPECT_EQ(
        tool("weights " + character + "--paint LeftArm:add:0.3,1.4,0:0.1 --lock LeftArm").exit_code,
        2);
    EXPECT_EQ(tool("weights " + character + "--stiffness 3").exit_code, 2);
    EXPECT_EQ(tool("draw " + character + "--blend dual-quaternion --out a.svg").exit_code, 2);
    EXPECT_EQ(tool("draw " + character + "--twist limb --out a.svg").exit_code, 2);
    ASSERT_EQ(tool("skin " + character + "--rest --out body.glb").exit_code, 0);
    EXPECT_EQ(tool("skin body.glb --rest --out body.glb").exit_code, 2);
    ASSERT_EQ(tool("convert body.glb body.obj").exit_code, 0);
    EXPECT_EQ(tool("draw body.obj --strip 3 --out a.png").exit_code, 2);
}

}  // namespace
}  // namespace ulna::test
