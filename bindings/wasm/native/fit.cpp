// SPDX-License-Identifier: Apache-2.0

// Fitting: skins set up once and fitted to many shapes, caches of shapes, and clips of the answers.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"
#include "ulna/fit/skeleton_fit.h"
#include "ulna/io/point_cache.h"
#include "ulna/skin/bind.h"

namespace ulna::engine {
namespace {

struct FitterObject {
    std::shared_ptr<const StageObject> stage;
    SkeletonFitter fitter;
    Pose pose = {};
    std::vector<Vec3> targets = {};
    std::vector<double> mask = {};
    bool missing_nan = false;
};

struct PointCacheObject {
    io::PointCache cache;
    std::vector<Vec3f> points = {};
};

std::vector<JointId> readJoints(Reader& in) {
    std::vector<JointId> out(in.size());
    for (JointId& joint : out) joint = in.joint();
    return out;
}

SkeletonFitOptions readOptions(Reader& in) {
    SkeletonFitOptions out;
    out.loss = static_cast<FitLoss>(in.integer());
    out.loss_scale = in.number();
    out.tolerance = in.number();
    out.max_iterations = in.integer();
    out.smoothness = in.number();
    out.locked = readJoints(in);
    out.pinned = readJoints(in);
    const auto masses = in.numbers(in.size());
    out.masses.assign(masses.begin(), masses.end());
    return out;
}

void putReport(const FitReport& report) {
    clearReply();
    put(static_cast<double>(report.status));
    put(report.rms);
    put(static_cast<double>(report.worst_vertex));
    put(report.worst_distance);
    put(report.iterations);
    put(report.gradient);
    put(static_cast<double>(report.rank));
    put(static_cast<double>(report.freedoms));
    for (const std::uint32_t joint : report.undetermined) put(static_cast<double>(joint));
}

}  // namespace

/// The input has whether targets that are no numbers are missing, the options, and pointers to
/// `count` meshes of the stage's skeleton.
ULNA_EXPORT(FitterObject*, fitterMake)
(const SkeletonObject* skeleton, const std::shared_ptr<StageObject>* stage, std::size_t count) {
    Reader in;
    const bool missing_nan = in.flag();
    SkeletonFitOptions options = readOptions(in);
    std::vector<const Mesh*> meshes;
    for (std::size_t i = 0; i < count; ++i) {
        const auto* object = reinterpret_cast<const MeshObject*>(in.size());
        if (object->mesh.weights.rowCount() != object->mesh.positions.size()) {
            fail({"the mesh has no weights", {}, object->mesh.name, "tie it to the joints first"});
            return nullptr;
        }
        meshes.push_back(&object->mesh);
    }
    Result<Mesh> skin = joinedSkins(*skeleton->skeleton, meshes);
    if (!skin) {
        fail(skin.error());
        return nullptr;
    }
    if ((*stage)->anatomy)
        skin->joint_from_bind = bindMatrices(*(*stage)->anatomy, *skeleton->skeleton, *skin);
    Result<SkeletonFitter> fitter =
        SkeletonFitter::make(*(*stage)->skeleton, *skin, std::move(options));
    if (!fitter) {
        fail(fitter.error());
        return nullptr;
    }
    clearReply();
    put(static_cast<double>(skin->positions.size()));
    put(fitter->size());
    return new FitterObject{.stage = *stage,
                            .fitter = *std::move(fitter),
                            .pose = restPose(*skeleton->skeleton),
                            .targets = std::vector<Vec3>(skin->positions.size()),
                            .missing_nan = missing_nan};
}

ULNA_EXPORT(void, fitterFree)(FitterObject* object) {
    delete object;
}

/// The input has the pose, which becomes the answer, and behind it the places of the vertices.
ULNA_EXPORT(void, fitterFit)(FitterObject* object, bool cold) {
    readPose(0, object->pose);
    Reader in(kPoseStride * object->pose.parent_from_joint.size());
    object->mask.clear();
    for (std::size_t v = 0; v < object->targets.size(); ++v) {
        Vec3& place = object->targets[v] = in.vec3();
        if (!object->missing_nan || isFinite(place)) continue;
        object->mask.resize(object->targets.size(), 1.0);
        object->mask[v] = 0.0;
    }
    object->stage->enter(object->pose);
    const FitReport& report =
        object->fitter.fit({.positions = object->targets, .mask = object->mask},
                           cold ? FitStart::Cold : FitStart::Warm, object->pose);
    object->stage->leave(object->pose);
    writePose(object->pose, 0);
    putReport(report);
}

/// The input has the bytes, then the name.
ULNA_EXPORT(PointCacheObject*, pointCacheRead)(std::size_t size, std::size_t name_size) {
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
    put(static_cast<double>(header.point_count));
    put(static_cast<double>(header.sample_count));
    put(header.start);
    put(header.step);
    put(cache->warnings());
    return new PointCacheObject{*std::move(cache)};
}

ULNA_EXPORT(void, pointCacheFree)(PointCacheObject* object) {
    delete object;
}

ULNA_EXPORT(const float*, pointCacheSample)(PointCacheObject* object, std::size_t sample) {
    object->cache.getSample(sample, object->points);
    return &object->points.data()->x;
}

/// The input has the poses, one behind the other.
ULNA_EXPORT(ClipObject*, clipOfPoses)
(const SkeletonObject* skeleton, std::size_t count, double frame_time) {
    const std::size_t numbers = kPoseStride * skeleton->skeleton->jointCount();
    std::vector<Pose> poses(count, restPose(*skeleton->skeleton));
    double size = 0.0;
    for (std::size_t f = 0; f < count; ++f) {
        readPose(f * numbers, poses[f]);
        for (const Trs& at : poses[f].parent_from_joint)
            size = std::max(size, length(at.translation));
    }
    constexpr double kNoticed = 1e-6;
    auto* object = new ClipObject{
        skeleton->skeleton, makeMotion(*skeleton->skeleton, poses, frame_time, kNoticed * size)};
    object->pose = poses.front();
    return object;
}

}  // namespace ulna::engine
