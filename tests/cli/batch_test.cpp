// SPDX-License-Identifier: Apache-2.0

// `ulna ik --batch`: rows of targets in, coordinates out, which are judged by forward kinematics.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "support/text.h"
#include "ulna/io/npy.h"
#include "ulna/io/rig_json.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::test {
namespace {

constexpr const char* kArm = R"({"ulna": 1, "joints": [
  {"name": "base", "kind": "hinge", "axis": [0, 1, 0], "limits": [[-170, 170]]},
  {"name": "upper", "parent": "base", "kind": "hinge", "axis": [1, 0, 0], "offset": [0, 0.2, 0], "limits": [[-120, 120]]},
  {"name": "lower", "parent": "upper", "kind": "hinge", "axis": [1, 0, 0], "offset": [0, 0.4, 0], "limits": [[-140, 140]]},
  {"name": "hand", "parent": "lower", "kind": "ball", "offset": [0, 0.4, 0]}]})";

void writeArray(const std::string& name, std::vector<std::size_t> shape,
                const std::vector<double>& values) {
    writeText(scratchFolder() + "/" + name, io::writeNpy(shape, values));
}

io::NpyArray readArray(const std::string& name) {
    const Result<io::NpyArray> array = io::readNpy(readText(scratchFolder() + "/" + name), name);
    EXPECT_TRUE(array) << describe(array.error());
    return array ? *array : io::NpyArray{};
}

// Positions that the hand can have.
std::vector<double> reachable(const Skeleton& skeleton, std::size_t count) {
    Random random(4);
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i) {
        DofVector dofs(skeleton.dofCount());
        for (double& x : dofs) x = random.between(-1.5, 1.5);
        const Vec3 p =
            computeModelPoint(skeleton, computePose(skeleton, dofs), skeleton.find("hand"), {});
        out.insert(out.end(), {p.x, p.y, p.z});
    }
    return out;
}

Skeleton armOfFile() {
    writeText(scratchFolder() + "/arm.rig.json", kArm);
    const auto rig = io::readRig(kArm, "arm.rig.json");
    EXPECT_TRUE(rig) << describe(rig.error());
    return rig ? rig->skeleton : Skeleton{};
}

nlohmann::json run(const std::string& options, int code = 0) {
    const CommandResult r = shell("$ULNA ik arm.rig.json --json " + options);
    EXPECT_EQ(r.exit_code, code) << r.err;
    nlohmann::json out = nlohmann::json::parse(r.out, nullptr, false);
    EXPECT_FALSE(out.is_discarded()) << r.out.substr(0, 200);
    return out;
}

TEST(IkBatchCli, SolvesEveryRowAndWritesCoordinates) {
    const Skeleton skeleton = armOfFile();
    const std::vector<double> targets = reachable(skeleton, 40);
    writeArray("targets.npy", {40, 3}, targets);
    const auto json =
        run("--goal hand --batch targets.npy --tolerance 1e-5 --out answers.npy --strict");
    EXPECT_EQ(json["problems"], 40);
    EXPECT_EQ(json["reached"], 40);
    EXPECT_EQ(json["device"], "processor");
    EXPECT_EQ(json["answers"].size(), 40U);
    EXPECT_EQ(json["dofs"].size(), skeleton.dofCount());
    const io::NpyArray answers = readArray("answers.npy");
    ASSERT_EQ(answers.shape, (std::vector<std::size_t>{40, skeleton.dofCount()}));
    for (std::size_t i = 0; i < 40; ++i) {
        const double* own = answers.values.data() + i * skeleton.dofCount();
        const DofVector dofs(own, own + skeleton.dofCount());
        EXPECT_LE(limitExcess(skeleton, dofs), 1e-9);
        const Vec3 p =
            computeModelPoint(skeleton, computePose(skeleton, dofs), skeleton.find("hand"), {});
        EXPECT_LE(distance(p, {targets[3 * i], targets[3 * i + 1], targets[3 * i + 2]}), 1.01e-5);
    }
}

TEST(IkBatchCli, TakesPositionsAndRotationsInTheirOrderAndKeepsStatedTargets) {
    const Skeleton skeleton = armOfFile();
    const std::vector<double> points = reachable(skeleton, 10);
    std::vector<double> rows;
    const Quat q = quatFromAxisAngle(normalizedOr(Vec3{1, 2, 3}, Vec3{}), 0.7);
    for (std::size_t i = 0; i < 10; ++i)
        rows.insert(rows.end(), {points[3 * i], points[3 * i + 1], points[3 * i + 2], 2.0 * q.x,
                                 2.0 * q.y, 2.0 * q.z, 2.0 * q.w});
    writeArray("rows.npy", {10, 7}, rows);
    const auto json = run("--goal hand --orient hand --batch rows.npy --out both.npy");
    EXPECT_EQ(json["reached"], 10);
    EXPECT_EQ(json["columns"].size(), 2U);
    const io::NpyArray both = readArray("both.npy");
    const DofVector first(both.values.begin(),
                          both.values.begin() + static_cast<std::ptrdiff_t>(skeleton.dofCount()));
    const ModelPose model = computeModelPose(skeleton, computePose(skeleton, first));
    EXPECT_LE(angleBetween(rotationOf(model[skeleton.find("hand")]), q), 2e-4);

    // The rotation is stated: rows have positions alone, here with an axis for the goals.
    writeArray("points.npy", {10, 1, 3}, points);
    const auto stated =
        run("--goal hand --orient hand=0,0,0,1 --batch points.npy --out stated.npy");
    EXPECT_EQ(stated["reached"], 10);
    EXPECT_EQ(stated["columns"].size(), 1U);
}

TEST(IkBatchCli, WritesTablesInDegrees) {
    const Skeleton skeleton = armOfFile();
    writeArray("one.npy", {1, 3}, reachable(skeleton, 1));
    run("--goal hand --batch one.npy --out one.csv");
    run("--goal hand --batch one.npy --out same.npy");
    const std::string csv = readText(scratchFolder() + "/one.csv");
    EXPECT_EQ(csv.substr(0, csv.find('\n')),
              "status,error,base,upper,lower,hand.rx,hand.ry,hand.rz");
    const std::string row = csv.substr(csv.find('\n') + 1);
    EXPECT_EQ(row.substr(0, 8), "reached,");
    const std::size_t at = row.find(',', 8) + 1;
    EXPECT_NEAR(std::stod(row.substr(at)), degrees(readArray("same.npy").values[0]), 1e-9);
}

TEST(IkBatchCli, CountsWhatIsOutOfReachAndWhatIsNoTarget) {
    armOfFile();
    writeArray("far.npy", {3, 3},
               {0.1, 0.5, 0.1, 9, 9, 9, std::numeric_limits<double>::quiet_NaN(), 0, 0});
    const auto json = run("--goal hand --batch far.npy --restarts 2 --strict", 4);
    EXPECT_EQ(json["reached"], 1);
    EXPECT_EQ(json["answers"][0]["status"], "reached");
    EXPECT_NE(json["answers"][1]["status"], "reached");
    const CommandResult text = shell("$ULNA ik arm.rig.json --goal hand --batch far.npy");
    EXPECT_EQ(text.exit_code, 0);
    EXPECT_TRUE(contains(text.out, "reached 1 (33.33 %), missed 1, 1 with targets that are none"))
        << text.out;
    writeArray("none.npy", {0, 3}, {});
    EXPECT_EQ(run("--goal hand --batch none.npy --out none_out.npy --strict")["problems"], 0);
}

TEST(IkBatchCli, RefusesWhatDoesNotFit) {
    armOfFile();
    writeArray("wide.npy", {2, 4}, std::vector<double>(8, 0.0));
    writeText(scratchFolder() + "/text.npy", "no array");
    const auto fails = [](const std::string& options, int code, const char* message) {
        const CommandResult r = shell("$ULNA ik arm.rig.json " + options);
        EXPECT_EQ(r.exit_code, code) << options << r.err;
        EXPECT_TRUE(contains(r.err, message)) << options << r.err;
    };
    fails("--goal hand --batch wide.npy", 3, "3 values a row were expected");
    fails("--goal hand --batch text.npy", 3, "text.npy");
    fails("--goal hand --batch missing.npy", 3, "missing.npy");
    fails("--goal hand --batch rows.csv", 2, "should end in .npy");
    fails("--goal hand=0,1,0 --batch wide.npy", 2, "every goal states its target");
    fails("--goal hand --batch wide.npy --all", 2, "--all has no effect with --batch");
    fails("--goal hand --batch wide.npy --out a.bvh", 2, "takes .npy (radians) or .csv");
    fails("--goal hand", 2, "there is no joint and '='");
    fails("--goal hand=0,1,0 --gpu", 2, "--gpu has no effect without --batch");
}

}  // namespace
}  // namespace ulna::test
