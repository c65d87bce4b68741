// SPDX-License-Identifier: Apache-2.0

// fit, as users and their scripts meet it.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/png.h"
#include "support/post.h"
#include "support/text.h"
#include "ulna/io/bvh.h"
#include "ulna/io/mesh_files.h"
#include "ulna/io/point_cache.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

using Json = nlohmann::json;

// A post of 96 vertices with weights and its three frames as OBJ files, in a folder of its own.
class CliFit : public testing::Test {
  protected:
    CliFit() {
        std::filesystem::remove_all(scratchFolder() + "/fit");
        writeText(path("post.bvh"), kPost);
        writeText(path("post.obj"), postObj(23));
        expectDone(
            shell("cd fit && $ULNA weights post.bvh --mesh post.obj --out post.glb && "
                  "$ULNA skin post.glb --all --out f-####.obj --quiet"));
    }

    static std::string path(const std::string& name) {
        const std::string folder = scratchFolder() + "/fit";
        std::filesystem::create_directories(folder);
        return folder + "/" + name;
    }
    static CommandResult fit(const std::string& arguments) {
        return shell("cd fit && $ULNA fit " + arguments);
    }
    static void expectDone(const CommandResult& result) {
        EXPECT_EQ(result.exit_code, 0) << result.err;
    }
    // The largest distance of a joint between two motion files.
    static double farthest(const std::string& a, const std::string& b) {
        const CommandResult result =
            shell("cd fit && $ULNA diff --quiet --tolerance 1e9 --angle-tolerance 360 --json " + a +
                  " " + b);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return result.exit_code == 0 ? Json::parse(result.out)["position"]["max"].get<double>()
                                     : 1e9;
    }
    static Vec3 placeOf(const std::string& file, const std::string& joint, int frame) {
        const CommandResult result = shell("cd fit && $ULNA fk --quiet " + file + " --frame " +
                                           std::to_string(frame) + " --json");
        const Json fk = Json::parse(result.out);
        for (std::size_t i = 0; i < fk["joints"].size(); ++i) {
            if (fk["joints"][i] != joint) continue;
            const Json& p = fk["frames"][0]["positions"][i];
            return {p[0].get<double>(), p[1].get<double>(), p[2].get<double>()};
        }
        ADD_FAILURE() << "no joint " << joint;
        return {};
    }
};

TEST_F(CliFit, RecoversAMotionFromFilesOfShapes) {
    for (const char* out : {"m.bvh", "m.glb", "m.rig.json"}) {
        const CommandResult result = fit("post.glb 'f-*.obj' --fps 10 --out " + std::string(out));
        expectDone(result);
        EXPECT_TRUE(contains(result.out, "3 frames of 96 vertices"));
        EXPECT_LT(farthest("post.glb", out), 1e-5) << out;
    }
}

TEST_F(CliFit, FindsTargetsByPatternsInTheOrderOfTheirNumbers) {
    for (int i = 0; i < 12; ++i)
        std::filesystem::copy_file(path("f-000" + std::to_string(i % 3) + ".obj"),
                                   path("n" + std::to_string(i) + ".obj"),
                                   std::filesystem::copy_options::overwrite_existing);
    const CommandResult result = fit("post.glb 'n*.obj' --json");
    expectDone(result);
    const Json frames = Json::parse(result.out)["frames"];
    ASSERT_EQ(frames.size(), 12U);
    EXPECT_EQ(frames[2]["target"], "n2.obj");
    EXPECT_EQ(frames[11]["target"], "n11.obj");
    const CommandResult digits = fit("post.glb 'n##.obj' --json");
    EXPECT_EQ(Json::parse(digits.out)["frames"].size(), 2U);
    // A shell sorts by letters; that is told.
    const CommandResult sorted = fit("post.glb n*.obj");
    EXPECT_TRUE(contains(sorted.err, "not in the order of their numbers"));
    EXPECT_TRUE(contains(fit("post.glb 'none-*.obj'").err, "no file matches"));
}

TEST_F(CliFit, TakesPointCachesAndAnimatedMeshes) {
    expectDone(shell("cd fit && $ULNA skin post.glb --all --out all.pc2"));
    expectDone(fit("post.glb all.pc2 --fps 10 --out c.bvh"));
    EXPECT_LT(farthest("post.glb", "c.bvh"), 1e-5);
    const CommandResult animated = fit("post.glb post.glb --out g.bvh --json");
    expectDone(animated);
    EXPECT_LT(farthest("post.glb", "g.bvh"), 1e-5);
    // glTF says its own times.
    EXPECT_NEAR(Json::parse(animated.out)["frame_time"].get<double>(), 0.1, 1e-6);
    expectDone(fit("post.glb post.glb --fps 40 --out finer.bvh"));
    EXPECT_TRUE(contains(shell("cd fit && $ULNA info finer.bvh").out, "9 frames"));
}

TEST_F(CliFit, ARigWithSeamsTakesShapesWithoutThem) {
    // The same post with texture coordinates that differ at each face: vertices are doubled.
    std::string seamed;
    std::istringstream lines(postObj(23));
    int corner = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("f ")) {
            seamed += line + "\n";
            continue;
        }
        std::istringstream words(line.substr(2));
        std::string face = "f";
        for (std::string word; words >> word;) {
            seamed += "vt " + std::to_string(0.001 * ++corner) + " 0.5\n";
            face += " " + word + "/" + std::to_string(corner);
        }
        seamed += face + "\n";
    }
    writeText(path("seamed.obj"), seamed);
    expectDone(fit("post.bvh 'f-*.obj' --mesh seamed.obj --fps 10 --out s.bvh --report seams"));
    // Bone heat does not see the seams, so the weights are those of the shapes.
    EXPECT_LT(farthest("post.glb", "s.bvh"), 1e-4);
    EXPECT_GT(io::loadMesh(path("seams/worst.ply"))->mesh.positions.size(), 96U);
}

TEST_F(CliFit, WritesAReport) {
    const CommandResult result = fit("post.glb 'f-*.obj' --report out/report --json");
    expectDone(result);
    const Json answer = Json::parse(result.out);
    const Json report = Json::parse(readText(path("out/report/fit.json")));
    EXPECT_EQ(report["frames"].size(), 3U);
    EXPECT_EQ(report["rms"], answer["rms"]);
    EXPECT_FALSE(report["frames"][0].contains("pose"));
    EXPECT_TRUE(answer["frames"][0].contains("pose"));
    const std::string plot = readText(path("out/report/error.svg"));
    EXPECT_TRUE(contains(plot, "<svg"));
    EXPECT_TRUE(contains(plot, "farthest vertex"));
    const Result<io::MeshFile> worst = io::loadMesh(path("out/report/worst.ply"));
    ASSERT_TRUE(worst.ok());
    EXPECT_EQ(worst->mesh.colors.size(), 96U);
    EXPECT_EQ(readText(path("out/report/worst.png")).substr(1, 3), "PNG");
}

TEST_F(CliFit, TheErrorMeshIsBrightWhereTheShapeIsOff) {
    // One vertex far away in frame 1: no rig explains that.
    Result<io::MeshFile> file = io::loadMesh(path("f-0001.obj"));
    ASSERT_TRUE(file.ok());
    file->mesh.positions[50] += Vec3f{0, 0, 1};
    ASSERT_TRUE(io::saveMesh(file->mesh, path("f-0001.obj")).ok());
    const CommandResult result = fit("post.glb 'f-*.obj' --report off --json");
    const Json answer = Json::parse(result.out);
    EXPECT_EQ(answer["worst"]["vertex"], 50);
    EXPECT_EQ(answer["worst"]["frame"], 1);
    const Result<io::MeshFile> worst = io::loadMesh(path("off/worst.ply"));
    ASSERT_TRUE(worst.ok());
    const auto light = [](const Color& c) { return c.r + c.g + c.b; };
    for (std::size_t v = 0; v < worst->mesh.colors.size(); ++v)
        EXPECT_LE(light(worst->mesh.colors[v]), light(worst->mesh.colors[50])) << v;
    // A robust loss leaves it out, and so does saying that it is missing.
    expectDone(fit("post.glb 'f-*.obj' --fps 10 --loss geman-mcclure --out robust.bvh"));
    EXPECT_LT(farthest("post.glb", "robust.bvh"), 1e-4);
    // It is the one outlier, and what is said of the others is that they match.
    const CommandResult robust = fit("post.glb 'f-*.obj' --loss geman-mcclure --json");
    const Json all = Json::parse(robust.out);
    EXPECT_EQ(all["robust"]["counted"], 3 * 96);
    EXPECT_LT(all["robust"]["weighted_rms"], 1e-4);
    const Json one = all["frames"][1]["robust"];
    EXPECT_EQ(one["counted"], 96);
    EXPECT_LE(one["inliers"], 95);
    EXPECT_LT(one["median"], 1e-4);
    EXPECT_GT(all["frames"][1]["rms"], 0.05);
    EXPECT_FALSE(answer.contains("robust"));
    const std::string text = fit("post.glb 'f-*.obj' --loss huber").out;
    EXPECT_TRUE(contains(text, "\ninliers ") && contains(text, "\nmedian ")) << text;
    EXPECT_TRUE(contains(text, "as the loss weighs it")) << text;
    writeText(path("missing.json"), R"([{"kind":"missing","vertices":[50],"frames":[1]}])");
    expectDone(fit("post.glb 'f-*.obj' --fps 10 --constraints missing.json --out masked.bvh"));
    EXPECT_LT(farthest("post.glb", "masked.bvh"), 1e-5);
    expectDone(fit("post.glb 'f-*.obj' --fps 10 --out plain.bvh"));
    EXPECT_GT(farthest("post.glb", "plain.bvh"), 1e-3);
}

TEST_F(CliFit, PinsHoldInEveryFrame) {
    writeText(path("pins.json"), R"([{"kind":"pin","joint":"Knee","position":[0.1,2,0]},
        {"kind":"pin","joint":"Foot","positions":[[0.1,0,0],[0.1,0,0],[2.1,2,0]]}])");
    expectDone(fit("post.glb 'f-*.obj' --constraints pins.json --out p.bvh"));
    for (int frame = 0; frame < 3; ++frame) {
        EXPECT_LT(distance(placeOf("p.bvh", "Knee", frame), {0.1, 2, 0}), 1e-5) << frame;
        const Vec3 foot = frame < 2 ? Vec3{0.1, 0, 0} : Vec3{2.1, 2, 0};
        EXPECT_LT(distance(placeOf("p.bvh", "Foot", frame), foot), 1e-5) << frame;
    }
    writeText(path("far.json"), R"([{"kind":"pin","joint":"Knee","position":[0,2,0]},
        {"kind":"pin","joint":"Foot","position":[0,-3,0]}])");
    EXPECT_TRUE(
        contains(fit("post.glb 'f-*.obj' --constraints far.json").err, "a pinned joint is"));
}

TEST_F(CliFit, DrivenAndFreedJointsAreControlPoints) {
    writeText(path("drive.json"),
              R"([{"kind":"drive","joint":"Foot","positions":[[1,0,0],[2,0,0],[3,0,0]]},
                  {"kind":"free","joint":"Knee"}])");
    const CommandResult result =
        fit("post.glb 'f-*.obj' --constraints drive.json --out d.bvh --json");
    expectDone(result);
    EXPECT_EQ(Json::parse(result.out)["fitted"], "points");
    for (int frame = 0; frame < 3; ++frame)
        EXPECT_LT(distance(placeOf("d.bvh", "Foot", frame), {1.0 + frame, 0, 0}), 1e-5);
    EXPECT_GT(distance(placeOf("d.bvh", "Foot", 2), placeOf("d.bvh", "Knee", 2)), 2.1);
    // What fk prints drives a joint as it was.
    const Json fk = Json::parse(shell("cd fit && $ULNA fk post.glb --all --json --quiet").out);
    Json drive = {{"kind", "drive"}, {"joint", "Knee"}};
    for (const Json& frame : fk["frames"]) {
        drive["positions"].push_back(frame["positions"][1]);
        drive["rotations"].push_back(frame["rotations"][1]);
    }
    ASSERT_EQ(fk["joints"][1], "Knee");
    writeText(path("same.json"), Json::array({drive}).dump());
    expectDone(fit("post.glb 'f-*.obj' --fps 10 --constraints same.json --out same.bvh"));
    EXPECT_LT(farthest("post.glb", "same.bvh"), 1e-5);
}

TEST_F(CliFit, LocksAndLimitsHold) {
    writeText(path("lock.json"), R"([{"kind":"lock","joint":"Knee"}])");
    for (const char* how : {"", " --points"}) {
        expectDone(
            fit("post.glb 'f-*.obj' --constraints lock.json --out l.bvh" + std::string(how)));
        // Straight also in the frame that bends.
        EXPECT_NEAR(distance(placeOf("l.bvh", "Foot", 2), placeOf("l.bvh", "Knee_end", 2)), 4.0,
                    1e-5);
    }
    // The knee of frame 2 turns by 90 degrees about z; here it may turn by 30.
    expectDone(shell("cd fit && $ULNA convert post.bvh limits.rig.json"));
    Json rig = Json::parse(readText(path("limits.rig.json")));
    for (Json& joint : rig["joints"])
        if (joint["name"] == "Knee") joint["limits"] = {{-30, 30}, {-1, 1}, {-1, 1}};
    writeText(path("limits.rig.json"), rig.dump());
    expectDone(fit("post.glb 'f-*.obj' --limits limits.rig.json --out limited.bvh"));
    const Vec3 foot = placeOf("limited.bvh", "Foot", 2), knee = placeOf("limited.bvh", "Knee", 2),
               tip = placeOf("limited.bvh", "Knee_end", 2);
    const double angle = std::acos(dot(knee - foot, tip - knee) / 4.0) * 180.0 / kPi;
    EXPECT_GT(angle, 29.0);
    EXPECT_LT(angle, 32.0);
}

TEST_F(CliFit, NamesTheFileAndFrameOfABadTarget) {
    const auto refused = [&](const std::string& arguments, const std::string& words) {
        const CommandResult result = fit(arguments + " --out never.bvh");
        EXPECT_EQ(result.exit_code, 3) << arguments;
        EXPECT_TRUE(contains(result.err, words));
        EXPECT_FALSE(std::filesystem::exists(path("never.bvh")));
    };
    writeText(path("f-0003.obj"), postObj(22));
    refused("post.glb 'f-*.obj'", "f-0003.obj: frame 3 has 92 vertices; the first has 96");
    refused("post.glb f-0003.obj", "the target has 92 vertices, the mesh of 'post.glb' has 96");
    writeText(path("f-0003.obj"), "v 1 2 nan\n" + postObj(22));
    refused("post.glb 'f-*.obj'", "f-0003.obj:1:");
    refused("post.glb gone.obj", "gone.obj: there is no such file");
    refused("post.glb f-0000.obj post.obj f-0003.obj", "f-0003.obj:1:");
    writeText(path("bad.json"), R"([{"kind":"pin","joint":"Kne"}])");
    refused("post.glb f-0000.obj --constraints bad.json", "did you mean 'Knee'");
    EXPECT_EQ(fit("post.glb post.bvh").exit_code, 2);
    EXPECT_EQ(fit("post.obj f-0000.obj").exit_code, 2);
    EXPECT_EQ(fit("post.bvh f-0000.obj").exit_code, 2);  // no mesh
    EXPECT_EQ(fit("post.glb f-0000.obj --out x.obj").exit_code, 2);
    EXPECT_EQ(fit("post.glb f-0000.obj --out f-0000.obj").exit_code, 2);
    EXPECT_EQ(fit("post.glb f-0000.obj --tolerance 0").exit_code, 2);
}

TEST_F(CliFit, VerticesThatAreNoNumbersAreAnErrorOrMissing) {
    expectDone(shell("cd fit && $ULNA skin post.glb --all --out all.pc2"));
    std::string bytes = readText(path("all.pc2"));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    // Vertex 7 of sample 1.
    std::memcpy(bytes.data() + 32 + 12 * (96 + 7), &nan, 4);
    writeText(path("holes.pc2"), bytes);
    const CommandResult refused = fit("post.glb holes.pc2 --out never.bvh");
    EXPECT_EQ(refused.exit_code, 3);
    EXPECT_TRUE(contains(refused.err,
                         "holes.pc2, sample 1: vertex 7 of frame 1 is not at a finite position"));
    expectDone(fit("post.glb holes.pc2 --fps 10 --missing-nan --out holes.bvh --report holes"));
    EXPECT_LT(farthest("post.glb", "holes.bvh"), 1e-5);
}

TEST_F(CliFit, SaysThatAMeshHasNoWeights) {
    const CommandResult result = fit("post.bvh f-0000.obj --mesh post.obj --weights file");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(contains(result.err, "has no weights"));
}

TEST_F(CliFit, TakesPointsWithoutFaces) {
    std::string points;
    std::istringstream lines(readText(path("f-0002.obj")));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("v ")) points += line + "\n";
    writeText(path("points.obj"), points);
    expectDone(fit("post.glb f-0000.obj f-0001.obj points.obj --fps 10 --out points.bvh"));
    EXPECT_LT(farthest("post.glb", "points.bvh"), 1e-5);
}

TEST_F(CliFit, NeverWritesOverWhatItReads) {
    std::filesystem::copy_file(path("f-0000.obj"), path("worst.ply"));
    writeText(path("c.json"), "[]");
    std::filesystem::copy_file(path("post.glb"), path("target.glb"));
    for (const char* arguments :
         {"post.glb f-0000.obj --out ./post.glb", "post.glb target.glb --out ../fit/target.glb",
          "post.glb 'targe?.glb' --out target.glb",
          "post.glb f-0000.obj --constraints c.json --out c.json",
          "post.bvh f-0000.obj --mesh target.glb --out target.glb", "post.glb 'worst.*' --report .",
          "post.glb f-0000.obj --report r --out r/fit.json"}) {
        const CommandResult result = fit(arguments);
        EXPECT_EQ(result.exit_code, 2) << arguments << result.err;
    }
    EXPECT_EQ(fit("post.glb f-0000.obj --out nowhere/m.bvh").exit_code, 1);
}

TEST_F(CliFit, CachesSayHowManyFramesLieBetweenSamples) {
    expectDone(shell("cd fit && $ULNA skin post.glb --all --out all.pc2"));
    std::string bytes = readText(path("all.pc2"));
    const float step = 0.5f;
    std::memcpy(bytes.data() + 24, &step, 4);
    writeText(path("half.pc2"), bytes);
    const CommandResult result = fit("post.glb half.pc2 --fps 10 --json");
    EXPECT_NEAR(Json::parse(result.out)["frame_time"].get<double>(), 0.05, 1e-12);
}

TEST_F(CliFit, ARootOfAnyKindTurnsInTheFileToo) {
    expectDone(shell("cd fit && $ULNA convert post.bvh fixed.rig.json"));
    Json rig = Json::parse(readText(path("fixed.rig.json")));
    rig["joints"][0]["kind"] = "fixed";
    for (const char* key : {"order", "limits"}) rig["joints"][0].erase(key);
    rig.erase("clips");
    writeText(path("fixed.rig.json"), rig.dump());
    // The whole post lies down.
    std::string lying;
    std::istringstream lines(postObj(23));
    for (std::string line; std::getline(lines, line);) {
        double x = 0, y = 0, z = 0;
        if (std::sscanf(line.c_str(), "v %lf %lf %lf", &x, &y, &z) == 3)
            line = "v " + std::to_string(-y) + " " + std::to_string(x) + " " + std::to_string(z);
        lying += line + "\n";
    }
    writeText(path("lying.obj"), lying);
    expectDone(fit("fixed.rig.json lying.obj --mesh post.obj --out lying.glb"));
    EXPECT_LT(distance(placeOf("lying.glb", "Knee", 0), {-2, 0, 0}), 1e-5);
}

TEST_F(CliFit, ALockedRootAndWhatHangsFromADrivenJointStay) {
    writeText(path("root.json"), R"([{"kind":"lock","joint":"Foot"}])");
    writeText(
        path("held.json"),
        R"([{"kind":"drive","joint":"Foot","position":[0,1,0]},{"kind":"lock","joint":"Knee"}])");
    for (const char* how : {"", " --points"}) {
        expectDone(
            fit("post.glb 'f-*.obj' --constraints root.json --out k.bvh" + std::string(how)));
        EXPECT_LT(distance(placeOf("k.bvh", "Knee", 1), {0, 2, 0}), 1e-5) << how;
    }
    expectDone(fit("post.glb 'f-*.obj' --constraints held.json --out k.bvh"));
    for (int frame = 0; frame < 3; ++frame)
        EXPECT_LT(distance(placeOf("k.bvh", "Knee_end", frame), {0, 5, 0}), 1e-5) << frame;
}

TEST_F(CliFit, MissingVerticesAreNotShownAsErrors) {
    Result<io::MeshFile> file = io::loadMesh(path("f-0001.obj"));
    ASSERT_TRUE(file.ok());
    file->mesh.positions[50] += Vec3f{0, 0, 100};
    file->mesh.positions[60] += Vec3f{0, 0, 0.1f};
    ASSERT_TRUE(io::saveMesh(file->mesh, path("f-0001.obj")).ok());
    writeText(path("missing.json"), R"([{"kind":"missing","vertices":[50]}])");
    expectDone(fit("post.glb f-0001.obj --constraints missing.json --report seen"));
    const Mesh worst = io::loadMesh(path("seen/worst.ply"))->mesh;
    const auto light = [&](std::size_t v) {
        return worst.colors[v].r + worst.colors[v].g + worst.colors[v].b;
    };
    EXPECT_GT(light(60), light(50) + 200);
}

TEST_F(CliFit, StrictFailsWhereAPinDoesNotHold) {
    writeText(path("far.json"), R"([{"kind":"pin","joint":"Knee","position":[0,2,0]},
        {"kind":"pin","joint":"Foot","position":[0,-3,0]}])");
    EXPECT_EQ(fit("post.glb f-0000.obj --constraints far.json").exit_code, 0);
    EXPECT_EQ(fit("post.glb f-0000.obj --constraints far.json --strict").exit_code, 4);
}

TEST_F(CliFit, StrictFailsWhereAFrameDoesNotConverge) {
    EXPECT_EQ(fit("post.glb f-0002.obj --strict").exit_code, 0);
    const CommandResult stopped =
        fit("post.glb f-0002.obj --strict --method alternating --max-iterations 2");
    EXPECT_EQ(stopped.exit_code, 4);
    EXPECT_TRUE(contains(stopped.out, "did not converge"));
}

TEST_F(CliFit, TheSameBytesWithAnyThreadsAndInAnyForm) {
    expectDone(
        shell("cd fit && $ULNA skin $ASSETS/ulna-character.glb --clip idle --all --out "
              "idle.pc2 --quiet"));
    const std::string rig = "$ASSETS/ulna-character.glb idle.pc2 --quiet --json --threads ";
    const CommandResult one = fit(rig + "1"), two = fit(rig + "2 --out same.json");
    expectDone(one);
    EXPECT_EQ(Json::parse(one.out)["frames"], Json::parse(two.out)["frames"]);
    EXPECT_EQ(two.out, readText(path("same.json")));
}

}  // namespace
}  // namespace ulna::test
