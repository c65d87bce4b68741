// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "ulna/fit/skeleton_fit.h"
#include "ulna/io/gltf.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

using namespace ulna;

int main(int argc, char** argv) {
    // 1. A character with a skin and a walk.
    const Result<io::GltfFile> file = io::loadGltf(argc > 1 ? argv[1] : "");
    if (!file || file->meshes.empty() || file->clips.empty()) {
        std::fprintf(stderr, "usage: fit_a_walk FILE.glb [OUT.glb]\n");
        return 2;
    }
    const Skeleton& skeleton = file->skeleton;
    const Mesh& mesh = file->meshes.front();
    const KeyedMotion& walk = file->clips.front();

    // 2. What a simulation or a scanner would hand over: shapes, and nothing of the bones.
    constexpr std::size_t kFrames = 33;
    constexpr double kFrameTime = 1.0 / 30.0;
    std::vector<ModelPose> truth;
    std::vector<std::vector<Vec3>> shapes;
    for (std::size_t frame = 0; frame < kFrames; ++frame) {
        const Pose pose = samplePose(walk, static_cast<double>(frame) * kFrameTime);
        truth.push_back(computeModelPose(skeleton, pose));
        shapes.push_back(deformReference(skeleton, mesh, truth.back()).positions);
    }

    // 3. Set up once, then fitted frame by frame; the first starts from nothing.
    const Result<SkeletonFitter> fitter = SkeletonFitter::make(skeleton, mesh);
    if (!fitter) {
        std::fprintf(stderr, "%s\n", describe(fitter.error()).c_str());
        return 1;
    }
    std::vector<FitTargets> frames;
    for (const std::vector<Vec3>& shape : shapes) frames.push_back({.positions = shape});
    const MotionFit found =
        fitMotion(*fitter, frames, {.frame_time = kFrameTime, .threads = 0, .chunk = 11});

    // 4. The joints against those that moved the shapes.
    double worst_rms = 0.0, worst_joint = 0.0;
    for (std::size_t frame = 0; frame < kFrames; ++frame) {
        const FitReport& report = found.reports[frame];
        const ModelPose model = computeModelPose(skeleton, found.motion.pose(frame));
        double farthest = 0.0;
        for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
            const double off =
                distance(model.position(jointId(j)), truth[frame].position(jointId(j)));
            farthest = std::max(farthest, off);
        }
        if (frame % 8 == 0)
            std::printf("frame %2zu: %s after %2d iterations, RMS %.0e m, joints off by %.0e m\n",
                        frame, std::string(fitStatusName(report.status)).c_str(), report.iterations,
                        report.rms, farthest);
        worst_rms = std::max(worst_rms, report.rms);
        worst_joint = std::max(worst_joint, farthest);
    }
    const FitReport& first = found.reports.front();
    std::printf("%zu of %zu freedoms are determined by the skin\n", first.rank, first.freedoms);
    const bool good = worst_rms < 1e-8 && worst_joint < 1e-6;
    std::printf("%s: %zu frames, RMS at most %.0e m, joints at most %.0e m off\n",
                good ? "the walk is back" : "the walk was not found", kFrames, worst_rms,
                worst_joint);

    // 5. An ordinary motion, for any file that holds one.
    if (argc < 3) return good ? 0 : 1;
    const io::GltfContent content{.skeleton = skeleton,
                                  .motions = {&found.motion, 1},
                                  .meshes = file->meshes,
                                  .material_set = &file->material_set};
    return good && io::saveGltf(content, argv[2]) ? 0 : 1;
}
