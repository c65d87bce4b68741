// SPDX-License-Identifier: Apache-2.0

// Reads a BVH or rig file and prints every joint of every frame: model positions by the double
// path, then by the float batch. Also writes the clip back as BVH and counts its bytes.
#include <cstdio>
#include <string>

#include "ulna/draw/figure.h"
#include "ulna/io/bvh.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/batch.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace {

using namespace ulna;

int dump(const Skeleton& skeleton, const Motion& motion) {
    PoseBatch batch(skeleton, motion.frameCount());
    for (std::size_t f = 0; f < motion.frameCount(); ++f) batch.set(f, motion.pose(f));
    ModelBatch fast;
    computeModelBatch(skeleton, batch, fast);
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        const ModelPose model = computeModelPose(skeleton, samplePose(motion, motion.timeOf(f)));
        for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
            const Vec3 p = model.position(jointId(j));
            const Vec3f q = fast.position(f, jointId(j));
            std::printf("%.17g %.17g %.17g %.9g %.9g %.9g\n", p.x, p.y, p.z,
                        static_cast<double>(q.x), static_cast<double>(q.y),
                        static_cast<double>(q.z));
        }
    }
    const draw::FigurePose figure{computeModelPose(skeleton, motion.pose(0)), "first"};
    const std::string svg = draw::drawFigures(skeleton, std::span(&figure, 1));
    std::fprintf(stderr, "%zu frames, %zu bytes of BVH, %zu of SVG\n", motion.frameCount(),
                 io::writeBvh(io::makeBvh(skeleton, motion)).size(), svg.size());
    return 0;
}

int fail(const Diagnostic& error) {
    std::fprintf(stderr, "%s\n", describe(error).c_str());
    return 3;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = argc == 2 ? argv[1] : "";
    if (path.ends_with(".json")) {
        const Result<io::RigFile> rig = io::loadRig(path);
        if (!rig) return fail(rig.error());
        return dump(rig->skeleton, computeMotion(rig->skeleton, rig->clips.at(0)));
    }
    const Result<io::BvhFile> file = io::loadBvh(path);
    if (!file) return fail(file.error());
    const Result<io::BvhMotion> clip = io::toMotion(*file);
    if (!clip) return fail(clip.error());
    return dump(clip->skeleton, clip->motion);
}
