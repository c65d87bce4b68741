// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>

#include "ulna/draw/shaded.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace {

using namespace ulna;

constexpr std::uint32_t kRings = 41, kAround = 32;
constexpr double kLength = 0.6, kRadius = 0.07;

// A tube along y, tied to two bones: the lower one below, the upper one above, half each in the
// middle.
Mesh makeTube(JointId lower, JointId upper) {
    Mesh tube{.name = "tube"};
    for (std::uint32_t ring = 0; ring < kRings; ++ring) {
        const double t = static_cast<double>(ring) / (kRings - 1);
        for (std::uint32_t i = 0; i < kAround; ++i) {
            const double angle = 2.0 * std::numbers::pi * i / kAround;
            tube.positions.push_back({static_cast<float>(kRadius * std::cos(angle)),
                                      static_cast<float>(kLength * t),
                                      static_cast<float>(kRadius * std::sin(angle))});
            tube.colors.push_back(i / 4 % 2 == 0 ? Color{199, 70, 76, 255}
                                                 : Color{240, 232, 222, 255});
            const auto share = static_cast<float>(std::clamp(2.0 * t - 0.5, 0.0, 1.0));
            std::vector<Influence> row;
            if (share < 1.0f) row.push_back({lower, 1.0f - share});
            if (share > 0.0f) row.push_back({upper, share});
            tube.weights.addRow(row);
            if (ring == 0) continue;
            const std::uint32_t here = ring * kAround + i,
                                next = ring * kAround + (i + 1) % kAround;
            tube.indices.insert(tube.indices.end(), {here - kAround, here, next});
            tube.indices.insert(tube.indices.end(), {here - kAround, next, next - kAround});
        }
    }
    tube.normals = computeNormals(tube);
    return tube;
}

// The radius half-way up, where the twist is shared.
double waist(const Mesh& mesh) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < kAround; ++i) {
        const Vec3f& p = mesh.positions[kRings / 2 * kAround + i];
        sum += std::hypot(static_cast<double>(p.x), static_cast<double>(p.z));
    }
    return sum / kAround / kRadius;
}

}  // namespace

int main(int argc, char** argv) {
    // 1. Two bones, one above the other, and a tube around them.
    const Result<Skeleton> bones = makeSkeleton(
        {{.name = "lower"},
         {.name = "upper", .parent = "lower", .rest = {.translation = {0, 0.5 * kLength, 0}}}});
    if (!bones) return 1;
    const JointId upper = bones->find("upper");
    const Mesh tube = makeTube(bones->find("lower"), upper);

    // 2. The upper one twisted further and further, blended in both ways.
    std::vector<Mesh> twisted;
    std::vector<std::string> captions;
    for (const double degrees : {0.0, 90.0, 135.0, 180.0}) {
        Pose pose = restPose(*bones);
        pose[upper].rotation = quatAboutAxis(1, radians(degrees));
        const ModelPose model = computeModelPose(*bones, pose);
        for (const SkinBlend blend : {SkinBlend::Linear, SkinBlend::DualQuaternion}) {
            twisted.push_back(posedMesh(*bones, tube, model, {.blend = blend}));
            const bool linear = blend == SkinBlend::Linear;
            captions.push_back((linear ? "linear " : "dual ") +
                               std::to_string(static_cast<int>(degrees)));
            std::printf("%3.0f degrees, %-15s the waist is %3.0f %% of the radius\n", degrees,
                        linear ? "linear blend:" : "dual quat.:", 100.0 * waist(twisted.back()));
        }
    }

    // 3. A picture, where one is asked for.
    if (argc < 2) return 0;
    std::vector<draw::ShadedFigure> figures;
    for (std::size_t i = 0; i < twisted.size(); ++i)
        figures.push_back({.meshes = {{.mesh = twisted[i]}}, .caption = captions[i]});
    const std::string png =
        draw::writePng(draw::drawShaded(figures, {.view = draw::View::Front, .height = 360}));
    std::ofstream(argv[1], std::ios::binary).write(png.data(), static_cast<long>(png.size()));
    return 0;
}
