// SPDX-License-Identifier: Apache-2.0

// Arrays are on the device, and stay there. The clock is the host's, around ten calls and the wait
// for the last of them; the best of seven such rounds counts, after one that does not. Bytes are
// those that must be read and written once; a copy reads and writes each of its bytes. Answers are
// judged on the processor in double.
#include "benchmarks/gpu/moving.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "benchmarks/models.h"
#include "ulna/core/parallel.h"
#include "ulna/gpu/kinematics.h"
#include "ulna/gpu/skin.h"
#include "ulna/io/gltf.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna::bench {
namespace {

constexpr int kCalls = 10;
constexpr int kRounds = 7;

template <class T>
T must(Result<T> result) {
    if (result) return *std::move(result);
    std::fprintf(stderr, "%s\n", describe(result.error()).c_str());
    std::exit(1);
}

template <class F>
F* driverFunction(const char* name) {
    return reinterpret_cast<F*>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

// The card's context is the thread's own from here on, for what is asked of the driver itself.
void useCard() {
    void* context = nullptr;
    if (driverFunction<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context, 0) != 0 ||
        driverFunction<int(void*)>("cuCtxSetCurrent")(context) != 0)
        std::exit(1);
}

void waitForCard() {
    if (driverFunction<int(void*)>("cuStreamSynchronize")(nullptr) != 0) std::exit(1);
}

// Seconds of one call.
template <class F>
double secondsOf(F call) {
    double best = 1e30;
    for (int round = 0; round <= kRounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < kCalls; ++i) call();
        waitForCard();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        if (round > 0) best = std::min(best, took.count() / kCalls);
    }
    return best;
}

// Terabytes a second, read and written.
double copySpeed() {
    useCard();
    constexpr std::size_t kFloats = std::size_t{1} << 29;
    GpuFloats from = must(GpuFloats::make(0, kFloats)), to = must(GpuFloats::make(0, kFloats));
    auto* copy = driverFunction<int(unsigned long long, unsigned long long, std::size_t, void*)>(
        "cuMemcpyDtoDAsync_v2");
    const auto address = [](const float* p) { return reinterpret_cast<unsigned long long>(p); };
    const double seconds = secondsOf(
        [&] { copy(address(to.data()), address(from.data()), kFloats * sizeof(float), nullptr); });
    return 2.0 * kFloats * sizeof(float) / seconds * 1e-12;
}

class Table {
  public:
    Table() : copy_(copySpeed()) {
        std::printf("\nkinematics and skinning of many poses; the card copies %.2f TB/s\n", copy_);
        std::printf("  %-46s %9s %9s %12s %7s %8s %10s\n", "", "poses", "ms", "million/s", "TB/s",
                    "of copy", "off");
    }
    void row(const char* what, std::size_t poses, double seconds, double bytes, double off) const {
        const double speed = bytes / seconds * 1e-12;
        std::printf("  %-46s %9zu %9.4f %12.3f %7.2f %6.0f %% %10.1e\n", what, poses, seconds * 1e3,
                    static_cast<double>(poses) / seconds * 1e-6, speed, 100.0 * speed / copy_, off);
        std::fflush(stdout);
    }

  private:
    double copy_;
};

std::vector<float> randomCoordinates(const Skeleton& skeleton, std::size_t poses) {
    const std::size_t n = skeleton.dofCount();
    std::vector<float> out(poses * n);
    constexpr std::size_t kChunk = 4096;
    parallelFor(poses, kChunk, 0, [&](std::size_t begin, std::size_t end) {
        Random random(begin / kChunk + 1);
        for (std::size_t i = begin * n; i < end * n; ++i)
            out[i] = static_cast<float>(random.between(-1.0, 1.0));
    });
    return out;
}

std::vector<float> valuesOf(const GpuFloats& array) {
    std::vector<float> out(array.size());
    must(array.read(out));
    return out;
}

// Every so many-th pose is judged.
constexpr std::size_t kJudged = 997;

double transformsOff(const Skeleton& skeleton, std::span<const float> coordinates,
                     std::span<const float> rows) {
    const std::size_t n = skeleton.dofCount(), joints = skeleton.jointCount();
    double largest = 0.0;
    for (std::size_t i = 0; i < coordinates.size() / n; i += kJudged) {
        const DofVector dofs(coordinates.data() + i * n, coordinates.data() + (i + 1) * n);
        const auto model = computeModelTransforms<double>(skeleton, dofs);
        for (std::size_t v = 0; v < 12 * joints; ++v)
            largest = std::max(largest, std::abs(double{rows[12 * joints * i + v]} -
                                                 model[v / 12].columns[v % 4][v % 12 / 4]));
    }
    return largest;
}

void benchTransforms(const Table& table, const char* name, const Skeleton& skeleton,
                     std::size_t poses) {
    const std::vector<float> values = randomCoordinates(skeleton, poses);
    GpuKinematics gpu = must(GpuKinematics::make(skeleton));
    const GpuFloats coordinates = must(GpuFloats::make(0, values));
    GpuFloats rows = must(GpuFloats::make(0, poses * 12 * skeleton.jointCount()));
    const double seconds =
        secondsOf([&] { must(gpu.computeTransforms(poses, coordinates.data(), rows.data())); });
    const std::vector<float> out = valuesOf(rows);
    must(gpu.computeTransforms(poses, coordinates.data(), rows.data()));
    if (out != valuesOf(rows)) std::printf("  !! two runs differ\n");
    table.row(name, poses, seconds,
              static_cast<double>((values.size() + rows.size()) * sizeof(float)),
              transformsOff(skeleton, values, out));
}

void benchJacobians(const Table& table, const char* name, const Skeleton& skeleton,
                    const std::vector<JointPoint>& points, std::size_t poses) {
    const std::vector<float> values = randomCoordinates(skeleton, poses);
    GpuKinematics gpu = must(GpuKinematics::make(skeleton, points));
    const std::size_t n = skeleton.dofCount(), size = points.size() * 6 * n;
    const GpuFloats coordinates = must(GpuFloats::make(0, values));
    GpuFloats out = must(GpuFloats::make(0, poses * size));
    const double seconds =
        secondsOf([&] { must(gpu.computeJacobians(poses, coordinates.data(), out.data())); });
    const std::vector<float> jacobians = valuesOf(out);
    double off = 0.0;
    for (std::size_t i = 0; i < poses; i += kJudged) {
        const DofVector dofs(values.data() + i * n, values.data() + (i + 1) * n);
        for (std::size_t p = 0; p < points.size(); ++p) {
            const PointJacobian expected = computePointJacobian(skeleton, dofs, points[p]);
            for (std::size_t v = 0; v < 3 * n; ++v)
                off = std::max(off, std::abs(double{jacobians[i * size + 6 * n * p + v]} -
                                             expected[v % n][v / n]));
        }
    }
    table.row(name, poses, seconds,
              static_cast<double>((values.size() + jacobians.size()) * sizeof(float)), off);
}

// Vertices along the bones, each with the joints nearest in the tree: neighbours in memory are
// neighbours on the body, as in meshes from files.
Mesh meshOfFour(const Skeleton& skeleton, std::size_t vertices) {
    Random random(21);
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    const std::size_t joints = skeleton.jointCount();
    Mesh mesh;
    for (std::size_t v = 0; v < vertices; ++v) {
        const std::size_t joint = v * joints / vertices;
        mesh.positions.push_back(
            cast<float>(rest.position(jointId(joint)) + random.direction() * 0.1));
        mesh.normals.push_back(cast<float>(random.direction()));
        const auto near = [&](std::size_t by) { return jointId((joint + joints - by) % joints); };
        const Influence row[] = {
            {near(0), 0.4f}, {near(1), 0.3f}, {near(2), 0.2f}, {near(3), 0.1f}};
        mesh.weights.addRow(row);
    }
    return mesh;
}

void benchSkin(const Table& table, const std::string& name, const Skeleton& skeleton,
               const Mesh& mesh, SkinBlend blend, bool normals) {
    constexpr std::size_t kPoses = 1000;
    const std::vector<float> values = randomCoordinates(skeleton, kPoses);
    GpuKinematics kinematics = must(GpuKinematics::make(skeleton));
    GpuSkin gpu = must(GpuSkin::make(skeleton, mesh, {.blend = blend}));
    const std::size_t n = mesh.positions.size(), width = skeleton.dofCount();
    const GpuFloats coordinates = must(GpuFloats::make(0, values));
    GpuFloats rows = must(GpuFloats::make(0, kPoses * 12 * skeleton.jointCount()));
    GpuFloats positions = must(GpuFloats::make(0, kPoses * n * 3));
    GpuFloats directions = must(GpuFloats::make(0, normals ? kPoses * n * 3 : 0));
    must(kinematics.computeTransforms(kPoses, coordinates.data(), rows.data()));
    const double seconds = secondsOf([&] {
        must(gpu.deform(kPoses, rows.data(), positions.data(),
                        normals ? directions.data() : nullptr));
    });
    const std::vector<float> out = valuesOf(positions);
    double off = 0.0;
    for (const std::size_t pose : {std::size_t{0}, std::size_t{500}, kPoses - 1}) {
        const DofVector dofs(values.data() + pose * width, values.data() + (pose + 1) * width);
        const ReferenceVertices expected =
            deformReference(skeleton, mesh, computeModelPose(skeleton, computePose(skeleton, dofs)),
                            {.blend = blend});
        for (std::size_t v = 0; v < 3 * n; ++v)
            off = std::max(
                off, std::abs(double{out[3 * n * pose + v]} - expected.positions[v / 3][v % 3]));
    }
    std::string text = name + (blend == SkinBlend::Linear ? ", linear" : ", dual quat.");
    if (normals) text += ", normals";
    table.row(
        text.c_str(), kPoses, seconds,
        static_cast<double>((rows.size() + positions.size() + directions.size()) * sizeof(float)),
        off);
}

}  // namespace

void benchMoving(double millions, const std::string& character) {
    const Table table;
    const auto poses = static_cast<std::size_t>(millions * 1e6);
    const Skeleton body = humanoid65(), arm = arm7();
    benchTransforms(table, "transforms, 65 joints of 198 dofs", body, poses);
    benchTransforms(table, "transforms, arm of 7 joints", arm, 10 * poses);
    benchJacobians(table, "Jacobian of the hand, arm of 7 joints", arm,
                   {{jointId(6), {0, 0, kArmFlange}}}, 10 * poses);
    std::vector<JointPoint> ends;
    for (const char* name : {"LeftHand", "RightHand", "LeftFoot", "RightFoot", "Head"})
        ends.push_back({body.find(name), {}});
    benchJacobians(table, "Jacobians of 5 points, 65 joints", body, ends, poses / 5);
    const auto skin = [&](const std::string& name, const Skeleton& skeleton, const Mesh& mesh) {
        for (const SkinBlend blend : {SkinBlend::Linear, SkinBlend::DualQuaternion})
            for (const bool normals : {false, true})
                benchSkin(table, name, skeleton, mesh, blend, normals);
    };
    const io::GltfFile file = must(io::loadGltf(character));
    skin(std::to_string(file.meshes.at(0).positions.size()) + " vertices", file.skeleton,
         file.meshes.at(0));
    skin("14000 of 4 joints each", body, meshOfFour(body, 14'000));
}

}  // namespace ulna::bench
