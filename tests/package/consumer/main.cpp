// SPDX-License-Identifier: Apache-2.0

// A project that has nothing of Ulna but what was installed.
#include <ulna/core/version.h>
#include <ulna/io/bvh.h>
#include <ulna/skeleton/batch.h>
#include <ulna/skeleton/forward_kinematics.h>

#include <cmath>
#include <cstdio>

int main() {
    const char* text =
        "HIERARCHY ROOT Hips { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation"
        " End Site { OFFSET 0 2 0 } } MOTION Frames: 1 Frame Time: 0.1 90 0 0";
    const auto file = ulna::io::readBvh(text, "inline");
    if (!file) return 1;
    const auto clip = ulna::io::toMotion(*file);
    if (!clip) return 1;
    const auto model = ulna::computeModelPose(clip->skeleton, clip->motion.pose(0));
    const ulna::Vec3 tip = model.position(clip->skeleton.find("Hips_end"));
    ulna::ModelBatch batch;
    computeModelBatch(clip->skeleton, ulna::PoseBatch(clip->skeleton, 100), batch);
    std::printf("ulna %s: the tip is at %.3f %.3f %.3f\n", ulna::version(), tip.x, tip.y, tip.z);
    return std::abs(tip.x + 2.0) < 1e-12 && batch.count() == 100 ? 0 : 1;
}
