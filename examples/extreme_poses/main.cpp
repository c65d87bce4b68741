// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "ulna/draw/shaded.h"
#include "ulna/io/gltf.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/deform.h"

namespace {

using namespace ulna;

struct Rotation {
    const char* joint;
    int axis;
    double degrees;
};
struct Case {
    const char* name;
    std::vector<Rotation> rotations;  // one after the other, each in the axes of its joint
};

const std::vector<Case> kCases = {
    {"arms overhead",
     {{"LeftShoulder", 2, 20},
      {"LeftArm", 2, 65},
      {"RightShoulder", 2, -20},
      {"RightArm", 2, -65}}},
    {"crossed arms",
     {{"LeftShoulder", 1, -20},
      {"LeftArm", 1, -70},
      {"LeftArm", 2, -45},
      {"LeftArm", 0, -30},
      {"LeftForeArm", 1, -100},
      {"RightShoulder", 1, 20},
      {"RightArm", 1, 70},
      {"RightArm", 2, 45},
      {"RightArm", 0, -30},
      {"RightForeArm", 1, 100}}},
    {"deep crouch",
     {{"LeftUpLeg", 2, 15},
      {"LeftUpLeg", 0, -115},
      {"LeftLeg", 0, 140},
      {"LeftFoot", 0, -30},
      {"RightUpLeg", 2, -15},
      {"RightUpLeg", 0, -115},
      {"RightLeg", 0, 140},
      {"RightFoot", 0, -30},
      {"Spine", 0, 20},
      {"Spine1", 0, 15},
      {"Spine2", 0, 15},
      {"LeftArm", 1, -70},
      {"RightArm", 1, 70}}},
    {"twisted arms",
     {{"LeftArm", 2, -60}, {"LeftArm", 0, 85}, {"RightArm", 2, 60}, {"RightHand", 0, -85}}},
};

Pose poseOf(const Skeleton& skeleton, const Case& which) {
    Pose pose = restPose(skeleton);
    for (const Rotation& r : which.rotations) {
        Quat& rotation = pose[skeleton.find(r.joint)].rotation;
        rotation = rotation * quatAboutAxis(r.axis, radians(r.degrees));
    }
    return pose;
}

// The longest that an edge has become, and the shortest, by its length in the bind pose.
std::pair<double, double> edgeStretch(const Mesh& bind, const Mesh& posed) {
    double longest = 0.0, shortest = 1e9;
    for (std::size_t i = 0; i < bind.indices.size(); ++i) {
        const std::uint32_t a = bind.indices[i], b = bind.indices[i / 3 * 3 + (i + 1) % 3];
        const auto ratio = static_cast<double>(length(posed.positions[a] - posed.positions[b]) /
                                               length(bind.positions[a] - bind.positions[b]));
        longest = std::max(longest, ratio);
        shortest = std::min(shortest, ratio);
    }
    return {longest, shortest};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const Result<io::GltfFile> file = io::loadGltf(argv[1]);
    if (!file || file->meshes.empty()) return 1;
    const Skeleton& skeleton = file->skeleton;
    const Mesh& skin = file->meshes[0];

    // 1. The same skin by bone heat alone, to compare with.
    const Result<BoneHeat> heat = makeBoneHeatWeights(skeleton, skin);
    if (!heat) return 1;
    Mesh plain = skin;
    plain.weights = heat->weights;

    // 2. The limbs over which twist is spread.
    const std::vector<TwistBone> limbs = limbTwists(skeleton);

    std::vector<draw::ShadedFigure> figures;
    std::vector<Mesh> posed;
    for (const Case& which : kCases) {
        const ModelPose model = computeModelPose(skeleton, poseOf(skeleton, which));
        posed.push_back(posedMesh(skeleton, plain, model));
        posed.push_back(posedMesh(skeleton, skin, model, {}, limbs));
        const auto [before_long, before_short] = edgeStretch(skin, posed[posed.size() - 2]);
        const auto [after_long, after_short] = edgeStretch(skin, posed.back());
        std::printf("%-14s edges of %.2f to %.2f of their length, with twist spread %.2f to %.2f\n",
                    which.name, before_short, before_long, after_short, after_long);
    }

    // 3. A picture, where one is asked for: each pose before and after.
    if (argc < 3) return 0;
    for (std::size_t i = 0; i < posed.size(); ++i) {
        figures.push_back({.meshes = {{.mesh = posed[i]}},
                           .caption = std::string(kCases[i / 2].name) +
                                      (i % 2 == 0 ? ", bone heat" : ", mended")});
    }
    const std::string png =
        draw::writePng(draw::drawShaded(figures, {.view = draw::View::Front, .height = 520}));
    std::ofstream(argv[2], std::ios::binary).write(png.data(), static_cast<long>(png.size()));
    return 0;
}
