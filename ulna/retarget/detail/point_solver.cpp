// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/point_solver.h"

#include <algorithm>
#include <utility>

#include "ulna/core/parallel.h"
#include "ulna/retarget/detail/statistics.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::retarget::detail {
namespace {

// Where positions are unknown they count this much, so that no frame is without any.
constexpr double kLeastGoalWeight = 1e-6;
// The start is close: few iterations are left.
constexpr int kIterations = 12;
// Frames that one thread solves in a row, and those that calibration looks at.
constexpr std::size_t kChunk = 64, kSamples = 64;
constexpr int kCalibrations = 2;
// Bones shorter than this many standard deviations of the noise are none.
constexpr double kLever = 0.5;
// Angles of straight limbs are as good as this without any noise, in radians.
constexpr double kLeastDeviation = 0.01;

std::vector<JointId> lockedJoints(const Skeleton& skeleton, JointId hips) {
    std::vector<JointId> out;
    for (const JointId j : skeleton.ancestors(hips))
        if (skeleton.dofCount(j) > 0) out.push_back(j);
    return out;
}

// How far the way from one point to another is believed, instead of that of the start: the ends of
// short bones are noise rather than rotations.
struct Belief {
    std::size_t attachment = 0;
    int up = -1;  // the attachment that the way is from
    double trust = 1.0;
};

// Parents first.
std::vector<Belief> beliefsOf(const PointBody& body, std::span<const char> seen, double noise) {
    std::vector<Belief> out;
    for (std::size_t i = 0; i < body.attached.size(); ++i) {
        if (!seen[i]) continue;
        Belief own{.attachment = i};
        for (JointId j = body.skeleton.parent(body.attached[i].joint);
             j != JointId::None && own.up < 0; j = body.skeleton.parent(j)) {
            own.up = body.at(j);
            if (own.up >= 0 && !seen[static_cast<std::size_t>(own.up)]) own.up = -1;
        }
        if (own.up >= 0) {
            const double bone =
                distance(body.places[i], body.places[static_cast<std::size_t>(own.up)]);
            // What has no lever rotates nothing, and says where its parent is.
            if (bone > kLever * noise) own.trust = trustOfBone(bone, noise);
        }
        out.push_back(own);
    }
    std::stable_sort(out.begin(), out.end(), [&](const Belief& a, const Belief& b) {
        return index(body.attached[a.attachment].joint) < index(body.attached[b.attachment].joint);
    });
    return out;
}

// Where points should be in a frame, by attachment.
void believe(const PointBody& body, std::span<const Belief> beliefs, const ModelPose& start,
             std::span<const Vec3> at, std::vector<Vec3>& targets) {
    targets.assign(at.begin(), at.end());
    const auto startOf = [&](std::size_t i) {
        return start[body.attached[i].joint] * body.attached[i].offset;
    };
    for (const Belief& each : beliefs) {
        if (each.up < 0) continue;
        const std::size_t i = each.attachment, up = static_cast<std::size_t>(each.up);
        targets[i] = lerp(targets[up] + startOf(i) - startOf(up), at[i], each.trust);
    }
}

MotionTracks tracksOf(const Skeleton& skeleton, const PointBody& body) {
    MotionTracks out;
    for (const JointId j : skeleton.joints()) {
        const bool below = j == body.human.hips || skeleton.isAncestor(body.human.hips, j);
        if (below && skeleton.dofCount(j) > 0) out.rotated.push_back(j);
    }
    out.translated = {body.human.hips};
    return out;
}

}  // namespace

std::vector<char> everSeen(const PointFrames& frames) {
    std::vector<char> out(frames.width, 0);
    for (std::size_t k = 0; k < frames.weights.size(); ++k)
        if (frames.weights[k] > 0.0) out[k % frames.width] = 1;
    return out;
}

Skeleton withFreeHips(const Skeleton& skeleton, JointId hips) {
    std::vector<JointDef> joints(skeleton.definitions().begin(), skeleton.definitions().end());
    JointDef& def = joints[index(hips)];
    if (def.kind == JointKind::Free) return skeleton;
    if (def.kind == JointKind::Ball)
        for (std::size_t k = 3; k-- > 0;) def.limits[k + 3] = std::exchange(def.limits[k], {});
    else
        def.limits = {};
    def.kind = JointKind::Free;
    def.coupling = {};
    Result<Skeleton> out = makeSkeleton(std::move(joints));
    return out ? *std::move(out) : skeleton;
}

Result<Motion> solveFrames(const Skeleton& skeleton, const PointBody& body,
                           const PointFrames& frames, std::span<const char> seen,
                           const PointSolveOptions& options, const Progress& progress) {
    const PointStart start(body, {seen.begin(), seen.end()}, options.noise);
    const std::vector<Belief> beliefs = beliefsOf(body, seen, options.noise);
    const std::size_t count = frames.count();
    std::vector<LimbTwists> twists(count);
    parallelFor(count, kChunk, options.threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t f = begin; f < end; ++f) twists[f] = start.observe(frames.at(f));
    });
    const double limb = std::max(body.segments.leg, body.segments.arm) / 2.0;
    smoothTwists(frames.frame_time, kLeastDeviation + (limb > 0.0 ? options.noise / limb : 0.0),
                 twists);
    std::vector<IkGoal> goals;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < frames.width; ++i) {
        if (!seen[i]) continue;
        const Attachment& each = body.attached[i];
        goals.push_back({PositionGoal{.joint = each.joint, .point = each.offset}});
        which.push_back(i);
    }
    const double size = std::max(body.segments.leg, body.segments.arm);
    const IkOptions ik{.position_tolerance = 1e-5 * size,
                       .max_iterations = kIterations,
                       .fabrik_first = false,
                       .locked = lockedJoints(skeleton, body.human.hips)};
    const Result<IkSolver> solver = IkSolver::make(skeleton, goals, ik);
    if (!solver) return solver.error();
    Motion out(body.rest, count, frames.frame_time, tracksOf(skeleton, body));
    const auto solve = [&](std::size_t begin, std::size_t end) {
        IkSolver own = *solver;
        Pose pose;
        ModelPose model;
        std::vector<Vec3> targets;
        for (std::size_t f = begin; f < end; ++f) {
            pose = body.rest;
            start.pose(frames.at(f), twists[f], pose);
            computeModelPose(skeleton, pose, model);
            believe(body, beliefs, model, frames.at(f), targets);
            for (std::size_t k = 0; k < which.size(); ++k) {
                const std::size_t at = f * frames.width + which[k];
                IkGoal& goal = own.goals()[k];
                std::get<PositionGoal>(goal.kind).target = targets[which[k]];
                goal.weight = std::max(frames.weights[at], kLeastGoalWeight);
            }
            own.solve(pose);
            out.setPose(f, pose);
        }
    };
    // In blocks, between which the caller can stop it.
    constexpr std::size_t kBlock = 16 * kChunk;
    for (std::size_t block = 0; block < count; block += kBlock) {
        const std::size_t size_of_block = std::min(kBlock, count - block);
        parallelFor(size_of_block, kChunk, options.threads,
                    [&](std::size_t begin, std::size_t end) { solve(block + begin, block + end); });
        const auto done = static_cast<double>(block + size_of_block);
        if (progress && !progress(done / static_cast<double>(count)))
            return Diagnostic{.what = "stopped before the last frame"};
    }
    return out;
}

Status calibrate(const Skeleton& skeleton, const PointFrames& frames, std::span<const char> seen,
                 const PointSolveOptions& options, PointBody& body) {
    if (std::all_of(body.attached.begin(), body.attached.end(),
                    [](const Attachment& each) { return each.exact; }))
        return Done{};
    // Frames far apart show little of each other's twists.
    PointFrames some{.width = frames.width, .frame_time = 1.0};
    const std::size_t count = std::min(frames.count(), kSamples);
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t f = k * frames.count() / count;
        const auto begin = static_cast<std::ptrdiff_t>(f * frames.width);
        const auto end = begin + static_cast<std::ptrdiff_t>(frames.width);
        some.positions.insert(some.positions.end(), frames.positions.begin() + begin,
                              frames.positions.begin() + end);
        some.weights.insert(some.weights.end(), frames.weights.begin() + begin,
                            frames.weights.begin() + end);
    }
    for (int round = 0; round < kCalibrations; ++round) {
        const Result<Motion> motion = solveFrames(skeleton, body, some, seen, options, {});
        if (!motion) return motion.error();
        std::vector<ModelPose> models;
        for (std::size_t f = 0; f < count; ++f)
            models.push_back(computeModelPose(skeleton, motion->pose(f)));
        for (std::size_t i = 0; i < body.attached.size(); ++i) {
            Attachment& each = body.attached[i];
            if (each.exact) continue;
            std::array<std::vector<double>, 3> own;
            for (std::size_t f = 0; f < count; ++f) {
                const std::size_t at = f * some.width + i;
                if (!(some.weights[at] > 0.0)) continue;
                const Vec3 place = inverse(models[f][each.joint]) * some.positions[at];
                for (std::size_t axis = 0; axis < 3; ++axis) own[axis].push_back(place[axis]);
            }
            if (own[0].empty()) continue;
            each.offset = {median(own[0]), median(own[1]), median(own[2])};
        }
        refresh(body);
    }
    return Done{};
}

}  // namespace ulna::retarget::detail
