// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/fitting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "ulna/character/save.h"
#include "ulna/core/assert.h"
#include "ulna/core/number_text.h"
#include "ulna/fit/sequence.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/bind.h"

namespace ulna {
namespace {

bool isLocked(const Skeleton& skeleton, const io::FitConstraints& constraints, JointId joint) {
    const std::vector<JointId>& locked = constraints.locked;
    return skeleton.joint(joint).locked ||
           std::find(locked.begin(), locked.end(), joint) != locked.end();
}

// Whether joints are kept from moving in some way that control points move in.
bool restrictsJoints(const Skeleton& skeleton) {
    const std::span<const JointDef> joints = skeleton.definitions();
    return hasLimits(skeleton) || std::any_of(joints.begin(), joints.end(), [](const JointDef& j) {
               return j.kind == JointKind::Hinge || j.kind == JointKind::Universal ||
                      j.kind == JointKind::Prismatic;
           });
}

Warnings warningsAbout(const Stage& stage, const Mesh& skin, bool by_points) {
    Warnings out;
    if (by_points && restrictsJoints(stage.skeleton))
        out.push_back({.what = "joints are fitted as control points: kinds and limits do not hold",
                       .advice = "they do without --points, --method alternating, and joints that "
                                 "are free, driven, caged or rigid"});
    std::size_t unweighted = 0;
    for (std::size_t v = 0; v < skin.positions.size(); ++v)
        unweighted += skin.weights[v].empty() ? 1 : 0;
    if (unweighted > 0)
        out.push_back(
            {.what = fmt::format("{} vertices have no weights and do not count", unweighted),
             .advice = "--weights heat makes weights for all"});
    return out;
}

Result<SkeletonFitter> makeJointFitter(const Skeleton& skeleton, const Stage& stage,
                                       const Mesh& skin, const io::FitConstraints& constraints,
                                       const ShapeFitOptions& options) {
    SkeletonFitOptions how{.loss = options.loss,
                           .loss_scale = options.loss_scale,
                           .smoothness = options.smoothness,
                           .masses = constraints.masses,
                           .locked = constraints.locked};
    if (options.tolerance) how.tolerance = *options.tolerance;
    if (options.max_iterations) how.max_iterations = *options.max_iterations;
    for (const io::HeldJoint& pin : constraints.pinned) how.pinned.push_back(pin.joint);
    Mesh staged = skin;
    if (stage.anatomy) staged.joint_from_bind = bindMatrices(*stage.anatomy, skeleton, skin);
    return SkeletonFitter::make(stage.skeleton, staged, std::move(how));
}

// Points rotate and move; a joint that is larger at rest than in the bind pose would have to grow.
Status checkScales(const Skeleton& skeleton, const Mesh& skin) {
    constexpr double kRigid = 1e-4;  // files state bind matrices as floats, products of a few
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    const std::vector<Affine> bind = bindMatrices(skeleton, skin);
    for (const JointId j : skeleton.joints()) {
        const Affine moved = rest[j] * bind[index(j)];
        for (std::size_t c = 0; c < 3; ++c) {
            if (std::abs(length(moved.column(c)) - 1.0) <= kRigid) continue;
            return Diagnostic{
                .what = "a joint is scaled between bind and rest, which control points cannot",
                .text = skeleton.name(j),
                .advice = "without --points and constraints that need it, joints can"};
        }
    }
    return Done{};
}

// A point that stays as at rest, relative to its parent. Roots of a fixed kind move all the same:
// they are where the model is.
void lock(std::size_t j, bool asked, FitRig& rig) {
    ControlPoint& point = rig.points[j];
    if (point.freedom != PointFreedom::Free) return;
    if (point.parent < 0) {
        if (asked) point.freedom = PointFreedom::Driven;
        return;
    }
    const auto parent = static_cast<std::uint32_t>(point.parent);
    const PointFreedom above = rig.points[parent].freedom;
    point.freedom = above;
    if (above != PointFreedom::Free) point.parent = -1;
    if (above != PointFreedom::Driven)
        rig.rigid_pairs.push_back({parent, static_cast<std::uint32_t>(j)});
}

void applyConstraints(const Skeleton& skeleton, const io::FitConstraints& constraints,
                      FitRig& rig) {
    rig.masses = constraints.masses;
    const auto pointOf = [](JointId joint) { return static_cast<std::uint32_t>(index(joint)); };
    const auto release = [&](JointId joint, PointFreedom freedom) {
        ControlPoint& point = rig.points[index(joint)];
        point.parent = -1;
        point.freedom = freedom;
    };
    for (const JointId joint : constraints.freed) release(joint, PointFreedom::Free);
    for (const JointId joint : constraints.caged) release(joint, PointFreedom::Cage);
    for (const io::HeldJoint& held : constraints.driven) release(held.joint, PointFreedom::Driven);
    for (const io::HeldJoint& held : constraints.pinned)
        rig.points[index(held.joint)].pinned = true;
    for (const auto& [a, b] : constraints.rigid)
        rig.rigid_pairs.push_back({pointOf(a), pointOf(b)});
    for (const JointId j : skeleton.joints()) {
        const bool locked = isLocked(skeleton, constraints, j);
        if (locked || skeleton.kind(j) == JointKind::Fixed) lock(index(j), locked, rig);
    }
}

Result<Fitter> makePointFitter(const Skeleton& skeleton, const Mesh& skin,
                               const io::FitConstraints& constraints,
                               const ShapeFitOptions& options) {
    if (const Status scales = checkScales(skeleton, skin); !scales) return scales.error();
    Result<FitRig> rig = makeFitRig(skeleton, skin);
    if (!rig) return rig.error();
    applyConstraints(skeleton, constraints, *rig);
    FitOptions how{.method = options.method,
                   .loss = options.loss,
                   .loss_scale = options.loss_scale,
                   .max_iterations = options.max_iterations.value_or(0),
                   .smoothness = options.smoothness};
    if (options.tolerance) how.tolerance = *options.tolerance;
    return Fitter::make(*std::move(rig), how);
}

// Whether a target can be fitted to: beyond this squares overflow.
bool isWithinReach(const Vec3& x) {
    constexpr double kFarthest = 1e100;
    return std::abs(x.x) <= kFarthest && std::abs(x.y) <= kFarthest && std::abs(x.z) <= kFarthest;
}

}  // namespace

Result<Mesh> joinedSkin(const Skeleton& skeleton, std::span<const Mesh* const> meshes) {
    Result<Mesh> skin = joinedSkins(skeleton, meshes);
    if (!skin) return skin.error();
    if (meshes.size() == 1) return *meshes.front();
    std::vector<Mesh> copies;
    for (const Mesh* mesh : meshes) copies.push_back(*mesh);
    Mesh out = joinedMeshes(copies);
    out.joint_from_bind = std::move(skin->joint_from_bind);
    out.weights = std::move(skin->weights);
    return out;
}

Result<FitShape> makeFitShape(Mesh mesh, std::size_t count) {
    const std::size_t vertices = mesh.positions.size();
    const Diagnostic mismatch{
        .what = fmt::format("the target has {} vertices, the mesh has {}", count, vertices),
        .advice = "targets have the vertices of the mesh in its order"};
    if (count > vertices || count == 0) return mismatch;
    FitShape out;
    out.source.resize(vertices);
    std::map<std::array<float, 3>, std::uint32_t> first;
    for (std::uint32_t v = 0; v < vertices; ++v) {
        const Vec3f& p = mesh.positions[v];
        out.source[v] = v;
        if (v < count) {
            if (count < vertices) first.try_emplace({p.x, p.y, p.z}, v);
            continue;
        }
        const auto found = first.find({p.x, p.y, p.z});
        if (found == first.end()) return mismatch;
        out.source[v] = found->second;
    }
    out.fitted.positions.assign(mesh.positions.begin(),
                                mesh.positions.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t v = 0; v < count; ++v) out.fitted.weights.addRow(mesh.weights[v]);
    out.fitted.joint_from_bind = mesh.joint_from_bind;
    out.mesh = std::move(mesh);
    return out;
}

bool needsPoints(const io::FitConstraints& constraints, const ShapeFitOptions& options) {
    return options.points || options.method != FitMethod::JointNewton ||
           !constraints.driven.empty() || !constraints.freed.empty() ||
           !constraints.caged.empty() || !constraints.rigid.empty();
}

double inlierShare(const RobustFit& fit) {
    if (fit.counted == 0) return 1.0;
    return static_cast<double>(fit.inliers) / static_cast<double>(fit.counted);
}

FitSummary summarize(std::span<const FitReport> reports) {
    FitSummary out;
    double fewest = 2.0;  // above every share
    std::vector<JointId>& open = out.undetermined;
    const auto count = static_cast<double>(reports.size());
    for (std::size_t f = 0; f < reports.size(); ++f) {
        const FitReport& report = reports[f];
        out.mean_rms += report.rms / count;
        out.mean_iterations += report.iterations / count;
        if (report.rms > reports[out.worst_rms].rms) out.worst_rms = f;
        if (report.worst_distance > reports[out.worst_vertex].worst_distance) out.worst_vertex = f;
        out.most_iterations = std::max(out.most_iterations, report.iterations);
        out.unfinished += report.status == FitStatus::Converged ? 0 : 1;
        if (report.robust) {
            RobustFit& all = out.robust ? *out.robust : out.robust.emplace();
            all.scale += report.robust->scale / count;
            all.median += report.robust->median / count;
            all.weighted_rms += report.robust->weighted_rms / count;
            all.inliers += report.robust->inliers;
            all.counted += report.robust->counted;
            if (inlierShare(*report.robust) < fewest) out.fewest_inliers = f;
            fewest = std::min(fewest, inlierShare(*report.robust));
        }
        out.empty += report.rank == 0 ? 1 : 0;
        for (const std::uint32_t joint : report.undetermined) open.push_back(jointId(joint));
    }
    std::sort(open.begin(), open.end());
    open.erase(std::unique(open.begin(), open.end()), open.end());
    return out;
}

std::vector<std::string> fitNotes(std::span<const FitReport> reports, double size) {
    // Vertices of files are floats: nearer than this they are the same.
    constexpr double kExact = 1e-5;
    const FitSummary all = summarize(reports);
    if (all.empty == reports.size()) return {};
    const auto isBetter = [](const FitReport& a, const FitReport& b) {
        return std::pair(a.rank > 0, a.rms) < std::pair(b.rank > 0, b.rms);
    };
    const auto worst = std::max_element(reports.begin(), reports.end(), isBetter);
    const bool many = reports.size() > 1;
    const auto frames = [](std::size_t count) {
        return fmt::format("{} {}", count, count == 1 ? "frame" : "frames");
    };
    const double off = worst->rms / size;
    std::vector<std::string> out;
    out.push_back(off < kExact ? "the skin matches it exactly, to the precision of the file"
                               : fmt::format("the skin matches it to {} % of its size",
                                             shortNumber(100.0 * off, 2)));
    if (many) out.back() += fmt::format(" at worst, in frame {}", worst - reports.begin());
    if (all.empty > 0) out.push_back(frames(all.empty) + " had no points");
    if (all.unfinished > 0)
        out.push_back((many ? frames(all.unfinished) : "it") + " did not converge");
    if (!worst->undetermined.empty())
        out.push_back(
            fmt::format("{} joints move none of its vertices", worst->undetermined.size()));
    return out;
}

// One of the library's fitters, from frames to poses of the character's own skeleton.
class ShapeFitter::Method {
  public:
    Method() = default;
    Method(const Method&) = delete;
    Method& operator=(const Method&) = delete;
    virtual ~Method() = default;
    [[nodiscard]] virtual double size() const = 0;
    virtual const FitReport& fit(const FitTargets& targets, FitStart start, Pose& pose) = 0;
};

class ShapeFitter::ByJoints final : public Method {
  public:
    ByJoints(const Stage& stage, SkeletonFitter fitter)
        : stage_(stage), fitter_(std::move(fitter)) {}
    double size() const override { return fitter_.size(); }
    const FitReport& fit(const FitTargets& targets, FitStart start, Pose& pose) override {
        stage_.enter(pose);
        const FitReport& report = fitter_.fit(targets, start, pose);
        stage_.leave(pose);
        return report;
    }
    FittedFrames fitAll(std::span<const FitTargets> frames, unsigned threads,
                        const Progress& progress) const {
        MotionFit fit =
            fitMotion(fitter_, frames, {.threads = threads, .chunk = kFitChunk}, progress);
        FittedFrames out{.reports = std::move(fit.reports), .cancelled = fit.cancelled};
        for (std::size_t f = 0; f < fit.motion.frameCount(); ++f)
            out.poses.push_back(stage_.fromStage(fit.motion.pose(f)));
        return out;
    }

  private:
    const Stage& stage_;
    SkeletonFitter fitter_;
};

class ShapeFitter::ByPoints final : public Method {
  public:
    ByPoints(const Skeleton& skeleton, Mesh skin, Fitter fitter)
        : skeleton_(skeleton), skin_(std::move(skin)), fitter_(std::move(fitter)) {}
    double size() const override { return fitter_.size(); }
    const FitReport& fit(const FitTargets& targets, FitStart start, Pose& pose) override {
        ControlPose points = makeControlPose(skeleton_, skin_, pose);
        const FitReport& report = fitter_.fit(targets, start, points);
        pose = makePose(skeleton_, skin_, points);
        return report;
    }
    FittedFrames fitAll(std::span<const FitTargets> frames, unsigned threads,
                        const Progress& progress) const {
        FitSequence fit = fitSequence(fitter_, frames, restControlPose(fitter_.rig()),
                                      {.threads = threads, .chunk = kFitChunk}, progress);
        FittedFrames out{.reports = std::move(fit.reports), .cancelled = fit.cancelled};
        for (const ControlPose& pose : fit.poses)
            out.poses.push_back(makePose(skeleton_, skin_, pose));
        return out;
    }

  private:
    const Skeleton& skeleton_;
    Mesh skin_;
    Fitter fitter_;
};

ShapeFitter::ShapeFitter(const Skeleton& skeleton, const Stage& stage, Mesh skin,
                         io::FitConstraints constraints, const ShapeFitOptions& options,
                         bool by_points)
    : skeleton_(&skeleton),
      skin_(std::move(skin)),
      constraints_(std::move(constraints)),
      options_(options),
      by_points_(by_points),
      warnings_(warningsAbout(stage, skin_, by_points)),
      rest_(makeControlPose(skeleton, skin_, restPose(skeleton))) {
    for (const Affine& joint_from_bind : bindMatrices(skeleton, skin_))
        bind_rotations_.push_back(rotationOf(inverse(joint_from_bind)));
}

ShapeFitter::ShapeFitter(ShapeFitter&&) noexcept = default;
ShapeFitter::~ShapeFitter() = default;

Result<ShapeFitter> ShapeFitter::make(const Skeleton& skeleton, const Stage& stage, Mesh skin,
                                      io::FitConstraints constraints,
                                      const ShapeFitOptions& options) {
    if (!needsPoints(constraints, options))
        return makeOfJoints(skeleton, stage, std::move(skin), std::move(constraints), options);
    Result<Fitter> points = makePointFitter(skeleton, skin, constraints, options);
    if (!points) return points.error();
    ShapeFitter out(skeleton, stage, std::move(skin), std::move(constraints), options, true);
    out.method_ = std::make_unique<ByPoints>(skeleton, out.skin_, *std::move(points));
    return out;
}

Result<ShapeFitter> ShapeFitter::makeOfJoints(const Skeleton& skeleton, const Stage& stage,
                                              Mesh skin, io::FitConstraints constraints,
                                              const ShapeFitOptions& options) {
    ULNA_ASSERT(!needsPoints(constraints, options), "joints can meet the constraints and options");
    Result<SkeletonFitter> joints = makeJointFitter(skeleton, stage, skin, constraints, options);
    if (!joints) return joints.error();
    ShapeFitter out(skeleton, stage, std::move(skin), std::move(constraints), options, false);
    out.method_ = std::make_unique<ByJoints>(stage, *std::move(joints));
    return out;
}

double ShapeFitter::size() const {
    return method_->size();
}

std::vector<double> ShapeFitter::maskOf(std::size_t frame) const {
    const std::size_t count = skin_.positions.size();
    std::vector<double> out;
    const auto leave = [&](std::size_t v) {
        if (out.empty()) out.assign(count, 1.0);
        out[v] = 0.0;
    };
    for (std::size_t v = 0; v < count; ++v)
        if (skin_.weights[v].empty()) leave(v);
    for (const io::MissingVertices& missing : constraints_.missing) {
        const auto holds = [&](const io::IndexRange& range) {
            return frame >= range.first && frame <= range.last;
        };
        if (!missing.frames.empty() &&
            std::none_of(missing.frames.begin(), missing.frames.end(), holds))
            continue;
        for (const io::IndexRange& range : missing.vertices)
            for (std::size_t v = range.first; v <= range.last; ++v) leave(v);
    }
    return out;
}

// Where pinned and driven joints are in a frame, as control points.
ControlPose ShapeFitter::drivenAt(std::size_t frame) const {
    ControlPose pose = rest_;
    const auto at = [&](const auto& track) { return track[track.size() == 1 ? 0 : frame]; };
    const auto put = [&](const io::HeldJoint& held) {
        const std::size_t j = index(held.joint);
        if (!held.positions.empty()) pose.positions[j] = at(held.positions);
        if (!held.rotations.empty())
            pose.rotations[j] = at(held.rotations) * conjugate(bind_rotations_[j]);
    };
    for (const io::HeldJoint& held : constraints_.pinned) put(held);
    for (const io::HeldJoint& held : constraints_.driven) put(held);
    // What is locked to a driven joint goes with it.
    for (const JointId joint : skeleton_->joints()) {
        const JointId parent = skeleton_->parent(joint);
        const bool stays =
            skeleton_->kind(joint) == JointKind::Fixed || isLocked(*skeleton_, constraints_, joint);
        if (parent == JointId::None || !stays) continue;
        const std::size_t j = index(joint), p = index(parent);
        const Quat rotation = pose.rotations[p] * conjugate(rest_.rotations[p]);
        pose.rotations[j] = rotation * rest_.rotations[j];
        pose.positions[j] =
            pose.positions[p] + rotate(rotation, rest_.positions[j] - rest_.positions[p]);
    }
    return pose;
}

ShapeFrame ShapeFitter::frameOf(std::size_t frame, std::vector<Vec3> positions) const {
    ShapeFrame out{
        .positions = std::move(positions), .mask = maskOf(frame), .driven = drivenAt(frame)};
    if (!options_.missing_nan) return out;
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
        if (isWithinReach(out.positions[v])) continue;
        out.mask.resize(out.positions.size(), 1.0);
        out.mask[v] = 0.0;
    }
    return out;
}

Result<ShapeFrame> ShapeFitter::prepare(std::size_t frame, std::vector<Vec3> positions) const {
    const std::size_t count = skin_.positions.size();
    if (positions.size() != count)
        return Diagnostic{.what = fmt::format("frame {} has {} vertices; the first has {}", frame,
                                              positions.size(), count),
                          .advice = "every target has the same vertices in the same order"};
    ShapeFrame out = frameOf(frame, std::move(positions));
    for (std::size_t v = 0; v < count; ++v) {
        if (!out.mask.empty() && out.mask[v] == 0.0) continue;
        if (!isWithinReach(out.positions[v]))
            return Diagnostic{
                .what = fmt::format("vertex {} of frame {} is not at a finite position", v, frame),
                .advice = "--missing-nan leaves such vertices out"};
        if (skeleton_->planar() && out.positions[v].z != 0.0)
            return Diagnostic{
                .what = fmt::format("vertex {} of frame {} is not in the plane z = 0", v, frame),
                .advice = "the skeleton is planar"};
    }
    return out;
}

FitTargets ShapeFitter::targetsOf(const ShapeFrame& frame) const {
    return {.positions = frame.positions,
            .mask = frame.mask,
            .driven = options_.pin_at_start ? nullptr : &frame.driven};
}

const FitReport& ShapeFitter::fit(const ShapeFrame& frame, FitStart start, Pose& pose) {
    return method_->fit(targetsOf(frame), start, pose);
}

FittedFrames ShapeFitter::fit(std::span<const ShapeFrame> frames, unsigned threads,
                              const Progress& progress) const {
    std::vector<FitTargets> targets;
    for (const ShapeFrame& frame : frames) targets.push_back(targetsOf(frame));
    // Not virtual, so that a program that fits frames one by one has no code for sequences.
    return by_points_ ? static_cast<const ByPoints&>(*method_).fitAll(targets, threads, progress)
                      : static_cast<const ByJoints&>(*method_).fitAll(targets, threads, progress);
}

ShapeFitter::PinError ShapeFitter::worstPin(const ShapeFrame& frame, const Pose& pose) const {
    PinError out;
    if (constraints_.pinned.empty()) return out;
    const ModelPose model = computeModelPose(*skeleton_, pose);
    for (const io::HeldJoint& pin : constraints_.pinned) {
        const double off =
            distance(model.position(pin.joint), frame.driven.positions[index(pin.joint)]);
        if (out.joint != JointId::None && !(off > out.distance)) continue;
        out = {off, pin.joint};
    }
    return out;
}

}  // namespace ulna
