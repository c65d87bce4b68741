// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/skeleton/forward_kinematics.h"

int main(int argc, char** argv) {
    using namespace ulna;
    // 1. A BVH file: what it said, then what it means.
    const Result<io::BvhFile> file = io::loadBvh(argc > 1 ? argv[1] : "assets/ulna-character.bvh");
    if (!file) {
        std::fprintf(stderr, "%s\n", describe(file.error()).c_str());
        return 1;
    }
    const Result<io::BvhMotion> bvh = io::toMotion(*file);
    if (!bvh) return 1;

    // 2. To glTF, in memory here; io::saveGltf writes a file. Nodes, a skin so that viewers see
    //    bones, and the clip.
    const Result<io::GltfBytes> glb =
        io::writeGltf({.skeleton = bvh->skeleton, .motions = {&bvh->motion, 1}});
    if (!glb) {
        std::fprintf(stderr, "%s\n", describe(glb.error()).c_str());
        return 1;
    }
    for (const Diagnostic& warning : glb->warnings) std::printf("%s\n", describe(warning).c_str());

    // 3. And back: glTF holds keys, sampled here at the frames of the BVH.
    const Result<io::GltfFile> again = io::readGltf(glb->bytes, "walk.glb");
    if (!again || again->clips.empty()) return 1;
    double worst = 0.0;
    for (std::size_t frame = 0; frame < bvh->motion.frameCount(); ++frame) {
        const ModelPose before = computeModelPose(bvh->skeleton, bvh->motion.pose(frame));
        const Pose pose = samplePose(again->clips[0], bvh->motion.timeOf(frame));
        const ModelPose after = computeModelPose(again->skeleton, pose);
        for (std::size_t j = 0; j < bvh->skeleton.jointCount(); ++j)
            worst =
                std::max(worst, distance(before.position(jointId(j)), after.position(jointId(j))));
    }
    std::printf("%zu joints, %zu frames, %zu bytes; farthest joint off by %.1e\n",
                again->skeleton.jointCount(), bvh->motion.frameCount(), glb->bytes.size(), worst);
    return 0;
}
