// SPDX-License-Identifier: Apache-2.0

// Fitting: skins set up once and fitted to many shapes, caches of shapes, and clips of the answers.
#include <utility>

#include "bindings/wasm/native/protocol.h"
#include "ulna/io/point_cache.h"
#include "ulna/skin/bind.h"

namespace ulna::engine {

namespace {

ShapeFitOptions optionsOf(const FitRequest& request) {
    return {.loss = request.loss,
            .loss_scale = request.loss_scale,
            .smoothness = request.smoothness,
            .tolerance = request.tolerance,
            .max_iterations = static_cast<int>(request.max_iterations),
            .missing_nan = request.missing_nan,
            .pin_at_start = true};
}

io::FitConstraints constraintsOf(const FitRequest& request) {
    io::FitConstraints out;
    out.locked = request.locked;
    out.masses = request.masses;
    for (const JointId joint : request.pinned) out.pinned.push_back({.joint = joint});
    return out;
}

}  // namespace

/// The input has the options, and pointers to `count` meshes of the stage's skeleton.
FitterObject* fitterMake(SkeletonObject& skeleton, StageObject& stage, std::size_t count) {
    Reader in;
    FitRequest request;
    read(in, request);
    const std::vector<const Mesh*> meshes = readMeshes(in, count);
    Result<Mesh> skin = joinedSkins(*skeleton.skeleton, meshes);
    if (!skin) {
        fail(skin.error());
        return nullptr;
    }
    const std::size_t vertex_count = skin->positions.size();
    Result<ShapeFitter> fitter =
        ShapeFitter::makeOfJoints(*skeleton.skeleton, *stage.stage, *std::move(skin),
                                  constraintsOf(request), optionsOf(request));
    if (!fitter) {
        fail(fitter.error());
        return nullptr;
    }
    clearReply();
    put(FitterReply{
        .vertex_count = vertex_count, .size = fitter->size(), .warnings = fitter->warnings()});
    return new FitterObject{.skeleton = skeleton.skeleton,
                            .stage = stage.stage,
                            .fitter = *std::move(fitter),
                            .vertex_count = vertex_count,
                            .pose = restPose(*skeleton.skeleton)};
}

/// The input has the pose, which becomes the answer, and behind it the positions of the vertices.
void fitterFit(FitterObject& object, bool cold) {
    readPose(0, object.pose);
    Reader in(numbersOf(object.pose));
    std::vector<Vec3> positions(object.vertex_count);
    for (Vec3& position : positions) position = in.vec3();
    if (cold) object.reports.clear();
    const ShapeFrame frame = object.fitter.frameOf(object.reports.size(), std::move(positions));
    object.reports.push_back(
        object.fitter.fit(frame, cold ? FitStart::Cold : FitStart::Warm, object.pose));
    writePose(object.pose, 0);
    clearReply();
    put(object.reports.back());
}

NotesReply fitterNotes(FitterObject& object) {
    return {.notes = fitNotes(object.reports, object.fitter.size())};
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
    for (std::size_t f = 0; f < count; ++f) readPose(f * numbers, poses[f]);
    auto* object =
        new ClipObject{skeleton.skeleton, framesOf(*skeleton.skeleton, poses, frame_time)};
    object->pose = poses.front();
    return object;
}

}  // namespace ulna::engine
