// SPDX-License-Identifier: Apache-2.0

// Reads a BVH, rig or glTF file and prints every joint of every frame: model positions by the
// double path, then by the float batch. Also writes the clip back as BVH and glTF and counts their
// bytes.
#include <cstdio>
#include <string>

#include "ulna/draw/figure.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/batch.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace {

using namespace ulna;

int fail(const Diagnostic& error) {
    std::fprintf(stderr, "%s\n", describe(error).c_str());
    return 3;
}

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
    const Result<io::GltfBytes> gltf =
        io::writeGltf({.skeleton = skeleton, .motions = std::span(&motion, 1)});
    if (!gltf) return fail(gltf.error());
    std::fprintf(stderr, "%zu frames, %zu bytes of BVH, %zu of SVG, %zu of glTF\n",
                 motion.frameCount(), io::writeBvh(io::makeBvh(skeleton, motion)).size(),
                 svg.size(), gltf->bytes.size());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = argc == 2 ? argv[1] : "";
    if (path.ends_with(".json")) {
        const Result<io::RigFile> rig = io::loadRig(path);
        if (!rig) return fail(rig.error());
        return dump(rig->skeleton, computeMotion(rig->skeleton, rig->clips.at(0)));
    }
    if (path.ends_with(".glb") || path.ends_with(".gltf")) {
        const Result<io::GltfFile> gltf = io::loadGltf(path);
        if (!gltf) return fail(gltf.error());
        const Result<Motion> motion = makeSampled(gltf->clips.at(0), 1.0 / 30.0);
        if (!motion) return fail(motion.error());
        return dump(gltf->skeleton, *motion);
    }
    const Result<io::BvhFile> file = io::loadBvh(path);
    if (!file) return fail(file.error());
    const Result<io::BvhMotion> clip = io::toMotion(*file);
    if (!clip) return fail(clip.error());
    return dump(clip->skeleton, clip->motion);
}
