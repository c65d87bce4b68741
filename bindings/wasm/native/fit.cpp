// SPDX-License-Identifier: Apache-2.0

// Fitting: skins set up once and fitted to many shapes, caches of shapes, and clips of the answers.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/fit/skeleton_fit.h"
#include "ulna/io/point_cache.h"
#include "ulna/skin/bind.h"

namespace ulna::engine {

/// The input has the options, and pointers to `count` meshes of the stage's skeleton.
FitterObject* fitterMake(SkeletonObject& skeleton, StageObject& stage, std::size_t count,
                         bool missing_nan) {
    Reader in;
    SkeletonFitOptions options;
    read(in, options);
    std::vector<const Mesh*> meshes;
    for (std::size_t i = 0; i < count; ++i) {
        const auto* object = reinterpret_cast<const MeshObject*>(in.size());
        if (object->mesh.weights.rowCount() != object->mesh.positions.size()) {
            fail({.what = "the mesh has no weights",
                  .text = object->mesh.name,
                  .advice = "tie it to the joints first"});
            return nullptr;
        }
        meshes.push_back(&object->mesh);
    }
    Result<Mesh> skin = joinedSkins(*skeleton.skeleton, meshes);
    if (!skin) {
        fail(skin.error());
        return nullptr;
    }
    if (stage.stage->anatomy)
        skin->joint_from_bind = bindMatrices(*stage.stage->anatomy, *skeleton.skeleton, *skin);
    Result<SkeletonFitter> fitter =
        SkeletonFitter::make(stage.stage->skeleton, *skin, std::move(options));
    if (!fitter) {
        fail(fitter.error());
        return nullptr;
    }
    clearReply();
    put(FitterReply{.vertex_count = skin->positions.size(), .size = fitter->size()});
    return new FitterObject{.stage = stage.stage,
                            .fitter = *std::move(fitter),
                            .pose = restPose(*skeleton.skeleton),
                            .targets = std::vector<Vec3>(skin->positions.size()),
                            .missing_nan = missing_nan};
}

/// The input has the pose, which becomes the answer, and behind it the positions of the vertices.
void fitterFit(FitterObject& object, bool cold) {
    readPose(0, object.pose);
    Reader in(kPoseStride * object.pose.parent_from_joint.size());
    object.mask.clear();
    for (std::size_t v = 0; v < object.targets.size(); ++v) {
        Vec3& target = object.targets[v] = in.vec3();
        if (!object.missing_nan || isFinite(target)) continue;
        object.mask.resize(object.targets.size(), 1.0);
        object.mask[v] = 0.0;
    }
    object.stage->enter(object.pose);
    const FitReport& report =
        object.fitter.fit({.positions = object.targets, .mask = object.mask},
                          cold ? FitStart::Cold : FitStart::Warm, object.pose);
    object.stage->leave(object.pose);
    writePose(object.pose, 0);
    clearReply();
    put(report);
}

/// The input has the bytes, then the name.
PointCacheObject* pointCacheRead(std::size_t size, std::size_t name_size) {
    const char* input = inputBytes(0);
    const std::string_view name(input + size, name_size);
    Result<io::PointCache> cache =
        io::readPointCache(io::FileBytes(std::string(input, size)), name);
    if (!cache) {
        fail(cache.error());
        return nullptr;
    }
    const io::PointCacheHeader& header = cache->header();
    clearReply();
    put(PointCacheReply{.point_count = header.point_count,
                        .sample_count = header.sample_count,
                        .start = header.start,
                        .step = header.step,
                        .warnings = cache->warnings()});
    return new PointCacheObject{*std::move(cache)};
}

const void* pointCacheSample(PointCacheObject& object, std::size_t sample) {
    object.cache.getSample(sample, object.points);
    return object.points.data();
}

/// The input has the poses, one behind the other.
ClipObject* clipOfPoses(SkeletonObject& skeleton, std::size_t count, double frame_time) {
    const std::size_t numbers = kPoseStride * skeleton.skeleton->jointCount();
    std::vector<Pose> poses(count, restPose(*skeleton.skeleton));
    double size = 0.0;
    for (std::size_t f = 0; f < count; ++f) {
        readPose(f * numbers, poses[f]);
        for (const Trs& at : poses[f].parent_from_joint)
            size = std::max(size, length(at.translation));
    }
    constexpr double kNoticed = 1e-6;
    auto* object = new ClipObject{
        skeleton.skeleton, makeMotion(*skeleton.skeleton, poses, frame_time, kNoticed * size)};
    object->pose = poses.front();
    return object;
}

}  // namespace ulna::engine
