// SPDX-License-Identifier: Apache-2.0

// Reads a BVH, rig or glTF file and prints every joint of every frame: model positions by the
// double path, then by the float batch; of glTF files also the skins' vertices, in double and in
// float. Also writes the clip back as BVH and glTF and counts their
// bytes.
#include <cstdio>
#include <string>

#include "ulna/draw/figure.h"
#include "ulna/io/bvh.h"
#include "ulna/io/gltf.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/batch.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace {

using namespace ulna;

int fail(const Diagnostic& error) {
    std::fprintf(stderr, "%s\n", describe(error).c_str());
    return 3;
}

void print(const Vec3& p, const Vec3f& q) {
    std::printf("%.17g %.17g %.17g %.9g %.9g %.9g\n", p.x, p.y, p.z, static_cast<double>(q.x),
                static_cast<double>(q.y), static_cast<double>(q.z));
}

void dumpSkin(const Skeleton& skeleton, const Mesh& mesh, const Pose& pose) {
    const ModelPose model = computeModelPose(skeleton, pose);
    const Deformer deformer(skeleton, mesh);
    for (const SkinBlend blend : {SkinBlend::Linear, SkinBlend::DualQuaternion}) {
        const ReferenceVertices exact = deformReference(skeleton, mesh, model, {.blend = blend});
        DeformedVertices fast;
        deformer.deform(FloatPose(pose), {.blend = blend}, fast);
        for (std::size_t v = 0; v < exact.positions.size(); ++v) {
            print(exact.positions[v], fast.positions[v]);
            if (!exact.normals.empty()) print(exact.normals[v], fast.normals[v]);
        }
    }
}

int dump(const Skeleton& skeleton, const Motion& motion) {
    PoseBatch batch(skeleton, motion.frameCount());
    for (std::size_t f = 0; f < motion.frameCount(); ++f) batch.set(f, motion.pose(f));
    ModelBatch fast;
    computeModelBatch(skeleton, batch, fast);
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        const ModelPose model = computeModelPose(skeleton, samplePose(motion, motion.timeOf(f)));
        for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
            print(model.position(jointId(j)), fast.position(f, jointId(j)));
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
        for (const Mesh& mesh : gltf->meshes)
            dumpSkin(gltf->skeleton, mesh, motion->pose(motion->frameCount() / 3));
        return dump(gltf->skeleton, *motion);
    }
    const Result<io::BvhFile> file = io::loadBvh(path);
    if (!file) return fail(file.error());
    const Result<io::BvhMotion> clip = io::toMotion(*file);
    if (!clip) return fail(clip.error());
    return dump(clip->skeleton, clip->motion);
}
