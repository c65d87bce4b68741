// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "ulna/io/gltf.h"
#include "ulna/motion/player.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

using namespace ulna;

int main(int argc, char** argv) {
    // 1. A character with a skin and clips.
    const Result<io::GltfFile> file = io::loadGltf(argc > 1 ? argv[1] : "");
    if (!file || file->meshes.empty() || file->clips.empty()) {
        std::fprintf(stderr, "usage: deform_a_mesh FILE.glb\n");
        return 2;
    }
    const Skeleton& skeleton = file->skeleton;
    const Mesh& mesh = file->meshes.front();

    // 2. Made ready once: the clip to be played, the mesh to be deformed.
    Player player(makePlayable(file->clips.front()));
    const Deformer deformer(skeleton, mesh);

    // 3. The game's loop: time in, vertices out. Nothing is allocated after the first frame.
    FloatPose pose(skeleton.jointCount());
    DeformedVertices vertices;
    double worst = 0.0;
    for (int frame = 0; frame <= 60; ++frame) {
        const double time = frame / 60.0;
        player.sample(time, pose);
        deformer.deform(pose, {}, vertices);

        // 4. How far that is from the formulas in double.
        const ReferenceVertices exact = deformReference(
            skeleton, mesh, computeModelPose(skeleton, samplePose(file->clips.front(), time)));
        double highest = -1e9, lowest = 1e9;
        for (std::size_t v = 0; v < vertices.positions.size(); ++v) {
            const Vec3f& p = vertices.positions[v];
            worst = std::max(worst, distance(Vec3{p.x, p.y, p.z}, exact.positions[v]));
            highest = std::max(highest, static_cast<double>(p.y));
            lowest = std::min(lowest, static_cast<double>(p.y));
        }
        if (frame % 20 == 0)
            std::printf("%.2f s: %zu vertices from %.3f to %.3f m\n", time,
                        vertices.positions.size(), lowest, highest);
    }
    std::printf("farthest from the formulas in double: %.0e m\n", worst);
    return worst < 2e-6 ? 0 : 1;
}
