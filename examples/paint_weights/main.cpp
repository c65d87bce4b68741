// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ulna/io/gltf.h"
#include "ulna/skin/paint.h"

using namespace ulna;

int main(int argc, char** argv) {
    // 1. A weighted character.
    Result<io::GltfFile> file = io::loadGltf(argc > 1 ? argv[1] : "");
    if (!file || file->meshes.empty() || file->meshes.front().weights.empty()) {
        std::fprintf(stderr, "usage: paint_weights FILE.glb\n");
        return 2;
    }
    Mesh& mesh = file->meshes.front();
    const JointId forearm = file->skeleton.find("LeftForeArm");
    const JointId arm = file->skeleton.find("LeftArm");
    const MeshTopology topology = computeTopology(mesh);

    // 2. A brush of 6 cm on the inside of the left elbow.
    std::vector<Dab> dabs = makeBrush(mesh, topology, {0.46, 1.435, 0.028}, 0.06);
    for (Dab& dab : dabs) dab.strength *= 0.3f;  // a light hand
    const auto show = [&](const char* what) {
        double joint = 0.0, off = 0.0;
        for (const Dab& dab : dabs) {
            joint += static_cast<double>(weightOf(mesh.weights[dab.vertex], forearm));
            double sum = 0.0;
            for (const Influence& influence : mesh.weights[dab.vertex])
                sum += static_cast<double>(influence.weight);
            off = std::max(off, std::abs(sum - 1.0));
        }
        std::printf("%-34s forearm %.2f on the average, sums off by %.0e\n", what,
                    joint / static_cast<double>(dabs.size()), off);
    };
    show("as it was:");

    // 3. Each stroke leaves rows that sum to one.
    paint(topology, forearm, dabs, {.mode = PaintMode::Add}, mesh.weights);
    show("added:");
    paint(topology, forearm, dabs, {.mode = PaintMode::Smooth}, mesh.weights);
    show("smoothed:");
    paint(topology, forearm, dabs, {.mode = PaintMode::Replace, .value = 0.5f}, mesh.weights);
    show("towards a half:");

    // 4. What is locked keeps its share: nobody can take from the upper arm.
    paint(topology, forearm, dabs, {.mode = PaintMode::Add, .locked = {arm}}, mesh.weights);
    show("added, the upper arm locked:");
    return 0;
}
