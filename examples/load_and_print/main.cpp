// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>

#include "ulna/io/bvh.h"
#include "ulna/skeleton/forward_kinematics.h"

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: load_and_print FILE.bvh [FRAME]\n");
        return 2;
    }
    // 1. Bytes to what the file said; 2. what it said to what it means.
    const ulna::Result<ulna::io::BvhFile> file = ulna::io::loadBvh(argv[1]);
    if (!file) {
        std::fprintf(stderr, "%s\n", describe(file.error()).c_str());
        return 3;
    }
    const ulna::Result<ulna::io::BvhMotion> clip = ulna::io::toMotion(*file);
    if (!clip) {
        std::fprintf(stderr, "%s\n", describe(clip.error()).c_str());
        return 3;
    }
    for (const ulna::Diagnostic& warning : clip->warnings) {
        std::fprintf(stderr, "warning: %s\n", describe(warning).c_str());
    }
    // 3. A pose of the clip; 4. where its joints are.
    const ulna::Skeleton& skeleton = clip->skeleton;
    const std::size_t frame = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 0;
    if (frame >= clip->motion.frameCount()) {
        std::fprintf(stderr, "there are %zu frames\n", clip->motion.frameCount());
        return 2;
    }
    const ulna::ModelPose model = computeModelPose(skeleton, clip->motion.pose(frame));
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i) {
        const ulna::JointId joint = ulna::jointId(i);
        const ulna::Vec3 p = model.position(joint);
        std::printf("%-24s %8.4f %8.4f %8.4f\n", skeleton.name(joint).c_str(), p.x, p.y, p.z);
    }
    return 0;
}
