// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/fit/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "apps/cli/output.h"
#include "apps/cli/save.h"
#include "apps/cli/surface.h"
#include "ulna/core/parallel.h"
#include "ulna/fit/sequence.h"
#include "ulna/fit/skeleton_fit.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/bind.h"

namespace ulna::cli {
namespace {

// Frames that are in memory at once: whole chunks of the library's, so that the answer is the same.
constexpr std::size_t kChunk = 64;
constexpr std::size_t kBlock = 4 * kChunk;

bool isLocked(const FitProblem& problem, JointId joint) {
    const std::vector<JointId>& locked = problem.constraints.locked;
    return problem.input.skeleton.joint(joint).locked ||
           std::find(locked.begin(), locked.end(), joint) != locked.end();
}

// One frame as the library wants it, with memory of its own.
struct FrameTargets {
    std::vector<Vec3> positions;
    std::vector<double> mask;
    ControlPose driven;
};

// What is common to both ways of fitting: the targets of each frame.
class Frames {
  public:
    explicit Frames(const FitProblem& problem) : p_(problem) {
        rest_ = makeControlPose(p_.input.skeleton, p_.shape.fitted, restPose(p_.input.skeleton));
        for (const Affine& joint_from_bind : bindMatrices(p_.input.skeleton, p_.shape.fitted))
            bind_turns_.push_back(rotationOf(inverse(joint_from_bind)));
    }

    // Reads frames begin to end. The first that is wrong, in their order, ends the verb.
    std::vector<FrameTargets> read(std::size_t begin, std::size_t end) const {
        std::vector<FrameTargets> out(end - begin);
        std::vector<std::optional<Diagnostic>> wrong(out.size());
        parallelFor(out.size(), 1, p_.common.threads, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                Result<std::vector<Vec3>> positions = p_.targets.read(begin + i);
                if (!positions) {
                    wrong[i] = positions.error();
                    continue;
                }
                out[i].positions = *std::move(positions);
                wrong[i] = check(begin + i, out[i]);
            }
        });
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (wrong[i]) fail(kBadInput, *std::move(wrong[i]));
            drive(begin + i, out[i].driven);
        }
        return out;
    }

    // Where pinned and driven joints are in a frame, as control points.
    void drive(std::size_t frame, ControlPose& pose) const {
        pose = rest_;
        const auto put = [&](const io::HeldJoint& held) {
            const std::size_t j = index(held.joint);
            const auto at = [&](const auto& track) { return track[track.size() == 1 ? 0 : frame]; };
            if (!held.positions.empty()) pose.positions[j] = at(held.positions);
            if (!held.rotations.empty())
                pose.rotations[j] = at(held.rotations) * conjugate(bind_turns_[j]);
        };
        for (const io::HeldJoint& held : p_.constraints.pinned) put(held);
        for (const io::HeldJoint& held : p_.constraints.driven) put(held);
        // What is locked to a driven joint goes with it.
        const Skeleton& skeleton = p_.input.skeleton;
        for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
            const JointId parent = skeleton.parent(jointId(j));
            const bool stays =
                skeleton.kind(jointId(j)) == JointKind::Fixed || isLocked(p_, jointId(j));
            if (parent == JointId::None || !stays) continue;
            const std::size_t p = index(parent);
            const Quat rotation = pose.rotations[p] * conjugate(rest_.rotations[p]);
            pose.rotations[j] = rotation * rest_.rotations[j];
            pose.positions[j] =
                pose.positions[p] + rotate(rotation, rest_.positions[j] - rest_.positions[p]);
        }
    }

  private:
    std::optional<Diagnostic> check(std::size_t frame, FrameTargets& targets) const {
        const std::size_t count = p_.shape.fitted.positions.size();
        const Location location = inFile(p_.targets.nameOf(frame));
        if (targets.positions.size() != count)
            return Diagnostic{
                .what = fmt::format("frame {} has {} vertices; the first frame has {}", frame,
                                    targets.positions.size(), count),
                .location = location,
                .advice = "every target must have the same vertices in the same order"};
        targets.mask = maskOf(p_, frame);
        constexpr double kFarthest = 1e100;  // beyond it squares overflow
        for (std::size_t v = 0; v < count; ++v) {
            const Vec3& x = targets.positions[v];
            const double largest = std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)});
            const bool number = largest <= kFarthest && !std::isnan(x.x + x.y + x.z);
            if (!targets.mask.empty() && targets.mask[v] == 0.0) continue;
            if (number && p_.input.skeleton.planar() && x.z != 0.0)
                return Diagnostic{.what = fmt::format(
                                      "vertex {} of frame {} is not in the plane z = 0", v, frame),
                                  .location = location,
                                  .advice = "the skeleton is planar"};
            if (number) continue;
            if (!p_.settings.missing_nan)
                return Diagnostic{
                    .what = fmt::format("the position of vertex {} of frame {} is not finite", v,
                                        frame),
                    .location = location,
                    .advice = "--missing-nan ignores such vertices"};
            if (targets.mask.empty()) targets.mask.assign(count, 1.0);
            targets.mask[v] = 0.0;
        }
        return std::nullopt;
    }

    const FitProblem& p_;
    ControlPose rest_;
    std::vector<Quat> bind_turns_;
};

// Fits blocks of frames with any of the library's fitters.
class Solver {
  public:
    virtual ~Solver() = default;
    virtual double size() const = 0;
    virtual void solve(std::span<const FitTargets> frames, const Progress& progress,
                       FitRun& run) = 0;
};

class JointSolver : public Solver {
  public:
    explicit JointSolver(const FitProblem& problem) : p_(problem) {
        Mesh mesh = p_.shape.fitted;
        if (p_.stage.anatomy)
            mesh.joint_from_bind = bindMatrices(*p_.stage.anatomy, p_.input.skeleton, mesh);
        SkeletonFitOptions how{.loss = p_.settings.loss,
                               .loss_scale = p_.settings.loss_scale,
                               .smoothness = p_.settings.smoothness,
                               .masses = p_.constraints.masses,
                               .locked = p_.constraints.locked};
        if (p_.settings.tolerance) how.tolerance = *p_.settings.tolerance;
        if (p_.settings.max_iterations) how.max_iterations = *p_.settings.max_iterations;
        for (const io::HeldJoint& pin : p_.constraints.pinned) how.pinned.push_back(pin.joint);
        Result<SkeletonFitter> fitter =
            SkeletonFitter::make(p_.stage.skeleton, mesh, std::move(how));
        if (!fitter) {
            Diagnostic wrong = fitter.error();
            wrong.location.file = p_.input.path;
            fail(kBadInput, std::move(wrong));
        }
        fitter_ = *std::move(fitter);
    }
    double size() const override { return fitter_->size(); }
    void solve(std::span<const FitTargets> frames, const Progress& progress, FitRun& run) override {
        const MotionFit fit = fitMotion(
            *fitter_, frames,
            {.frame_time = p_.targets.frameTime(), .threads = p_.common.threads, .chunk = kChunk},
            progress);
        for (std::size_t f = 0; f < fit.motion.frameCount(); ++f)
            run.poses.push_back(p_.stage.fromStage(fit.motion.pose(f)));
        run.reports.insert(run.reports.end(), fit.reports.begin(), fit.reports.end());
    }

  private:
    const FitProblem& p_;
    std::optional<SkeletonFitter> fitter_;
};

class PointSolver : public Solver {
  public:
    explicit PointSolver(const FitProblem& problem) : p_(problem) {
        checkScales();
        FitRig rig = must(makeFitRig(p_.input.skeleton, p_.shape.fitted));
        rig.masses = p_.constraints.masses;
        const auto let = [&](JointId joint, PointFreedom freedom) {
            ControlPoint& point = rig.points[index(joint)];
            point.parent = -1;
            point.freedom = freedom;
        };
        for (const JointId joint : p_.constraints.freed) let(joint, PointFreedom::Free);
        for (const JointId joint : p_.constraints.caged) let(joint, PointFreedom::Cage);
        for (const io::HeldJoint& held : p_.constraints.driven)
            let(held.joint, PointFreedom::Driven);
        for (const io::HeldJoint& held : p_.constraints.pinned)
            rig.points[index(held.joint)].pinned = true;
        for (const auto& [a, b] : p_.constraints.rigid)
            rig.rigid_pairs.push_back({pointOf(a), pointOf(b)});
        const Skeleton& skeleton = p_.input.skeleton;
        for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
            const bool locked = isLocked(p_, jointId(j));
            if (locked || skeleton.kind(jointId(j)) == JointKind::Fixed) lock(j, locked, rig);
        }
        FitOptions how{.method = p_.settings.method,
                       .loss = p_.settings.loss,
                       .loss_scale = p_.settings.loss_scale,
                       .max_iterations = p_.settings.max_iterations.value_or(0),
                       .smoothness = p_.settings.smoothness};
        if (p_.settings.tolerance) how.tolerance = *p_.settings.tolerance;
        Result<Fitter> fitter = Fitter::make(std::move(rig), how);
        if (!fitter) failInput(fitter.error());
        fitter_ = *std::move(fitter);
    }
    double size() const override { return fitter_->size(); }
    void solve(std::span<const FitTargets> frames, const Progress& progress, FitRun& run) override {
        const FitSequence fit =
            fitSequence(*fitter_, frames, restControlPose(fitter_->rig()),
                        {.threads = p_.common.threads, .chunk = kChunk}, progress);
        for (const ControlPose& pose : fit.poses)
            run.poses.push_back(makePose(p_.input.skeleton, p_.shape.fitted, pose));
        run.reports.insert(run.reports.end(), fit.reports.begin(), fit.reports.end());
    }

  private:
    // Points rotate and move; a joint that is larger at rest than at bind would have to grow.
    void checkScales() const {
        constexpr double kRigid = 1e-4;
        const ModelPose rest = computeModelPose(p_.input.skeleton, restPose(p_.input.skeleton));
        const std::vector<Affine> bind = bindMatrices(p_.input.skeleton, p_.shape.fitted);
        for (std::size_t j = 0; j < bind.size(); ++j) {
            const Affine moved = rest.model_from_joint[j] * bind[j];
            for (std::size_t c = 0; c < 3; ++c) {
                if (std::abs(length(moved.column(c)) - 1.0) <= kRigid) continue;
                failInput({.what =
                               "a joint is scaled between bind pose and rest pose, which control "
                               "points cannot follow",
                           .text = p_.input.skeleton.name(jointId(j)),
                           .advice = "without --points and constraints that need it, joints can"});
            }
        }
    }
    [[noreturn]] void failInput(Diagnostic wrong) const {
        if (wrong.location.file.empty()) wrong.location.file = p_.input.path;
        fail(kBadInput, std::move(wrong));
    }

    static std::uint32_t pointOf(JointId joint) { return static_cast<std::uint32_t>(index(joint)); }

    // A point that stays as at rest, relative to its parent. Roots of a fixed kind move all the
    // same: they are where the model is.
    static void lock(std::size_t j, bool asked, FitRig& rig) {
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

    const FitProblem& p_;
    std::optional<Fitter> fitter_;
};

bool needsPoints(const FitProblem& problem) {
    const io::FitConstraints& c = problem.constraints;
    return problem.settings.points || problem.settings.method != FitMethod::JointNewton ||
           !c.driven.empty() || !c.freed.empty() || !c.caged.empty() || !c.rigid.empty();
}

bool hasKindsOrLimits(const Skeleton& skeleton) {
    for (const JointDef& def : skeleton.definitions()) {
        if (def.cone || def.kind == JointKind::Hinge || def.kind == JointKind::Universal ||
            def.kind == JointKind::Prismatic)
            return true;
        for (const auto& limit : def.limits)
            if (std::isfinite(limit.min) || std::isfinite(limit.max)) return true;
    }
    return false;
}

void checkPins(const FitProblem& problem, const std::vector<FrameTargets>& frames,
               std::size_t begin, FitRun& run) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (problem.constraints.pinned.empty()) return;
        const ModelPose model = computeModelPose(problem.input.skeleton, run.poses[begin + i]);
        for (const io::HeldJoint& pin : problem.constraints.pinned) {
            const double off =
                distance(model.position(pin.joint), frames[i].driven.positions[index(pin.joint)]);
            if (!(off > run.worst_pin)) continue;
            run.worst_pin = off;
            run.worst_pin_frame = begin + i;
            run.worst_pin_joint = pin.joint;
        }
    }
}

}  // namespace

std::vector<double> maskOf(const FitProblem& problem, std::size_t frame) {
    const std::size_t count = problem.shape.fitted.positions.size();
    std::vector<double> out;
    const auto leave = [&](std::size_t v) {
        if (out.empty()) out.assign(count, 1.0);
        out[v] = 0.0;
    };
    for (std::size_t v = 0; v < count; ++v)
        if (problem.shape.fitted.weights[v].empty()) leave(v);
    for (const io::MissingVertices& missing : problem.constraints.missing) {
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

Mesh joinTiedMeshes(const Input& input, const std::vector<std::size_t>& chosen) {
    if (chosen.size() == 1) return input.meshes[chosen.front()];
    std::vector<Mesh> meshes;
    std::vector<const Mesh*> skins;
    for (const std::size_t i : chosen) {
        meshes.push_back(input.meshes[i]);
        skins.push_back(&input.meshes[i]);
    }
    Result<Mesh> skin = joinedSkins(input.skeleton, skins);
    if (!skin)
        failUsage("the meshes of '" + input.path + "' are bound in different poses",
                  "--mesh-name chooses one");
    Mesh out = joinedMeshes(meshes);
    out.joint_from_bind = std::move(skin->joint_from_bind);
    out.weights = std::move(skin->weights);
    return out;
}

FitShape makeShape(const Input& input, Mesh mesh, std::size_t count, const std::string& target) {
    FitShape out;
    const std::size_t vertices = mesh.positions.size();
    const auto mismatch = [&] {
        fail(kBadInput,
             {.what = fmt::format("the target has {} vertices, the mesh of '{}' has {}", count,
                                  input.path, vertices),
              .location = inFile(target),
              .advice = "targets must have the vertices of the mesh in its order; --mesh and "
                        "--mesh-name choose the mesh"});
    };
    if (count > vertices || count == 0) mismatch();
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
        if (found == first.end()) mismatch();
        out.source[v] = found->second;
    }
    out.fitted.positions.assign(mesh.positions.begin(),
                                mesh.positions.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t v = 0; v < count; ++v) out.fitted.weights.addRow(mesh.weights[v]);
    out.fitted.joint_from_bind = mesh.joint_from_bind;
    out.mesh = std::move(mesh);
    return out;
}

FitRun solveFit(const FitProblem& problem) {
    FitRun run;
    const Frames frames(problem);
    run.by_points = needsPoints(problem);
    if (run.by_points && hasKindsOrLimits(problem.stage.skeleton))
        run.warnings.push_back(
            {.what = "joints are fitted as control points: their kinds and limits do not hold",
             .advice = "they hold without --points, without --method alternating, and without "
                       "joints that are free, driven, caged or rigid"});
    std::size_t unweighted = 0;
    for (std::size_t v = 0; v < problem.shape.fitted.positions.size(); ++v)
        unweighted += problem.shape.fitted.weights[v].empty() ? 1 : 0;
    if (unweighted > 0)
        run.warnings.push_back(
            {.what = fmt::format("{} vertices have no weights and are ignored", unweighted),
             .location = inFile(problem.input.path),
             .advice = "--weights heat makes weights for all"});
    std::unique_ptr<Solver> solver;
    if (run.by_points)
        solver = std::make_unique<PointSolver>(problem);
    else
        solver = std::make_unique<JointSolver>(problem);
    run.size = solver->size();

    const std::size_t count = problem.targets.frameCount();
    // Smoothness ties every frame to the one before.
    const std::size_t block = problem.settings.smoothness > 0.0 ? count : kBlock;
    ProgressBar progress("fit");
    for (std::size_t begin = 0; begin < count; begin += block) {
        const std::size_t end = std::min(count, begin + block);
        const std::vector<FrameTargets> read = frames.read(begin, end);
        std::vector<FitTargets> targets;
        for (const FrameTargets& each : read)
            targets.push_back(
                {.positions = each.positions, .mask = each.mask, .driven = &each.driven});
        solver->solve(
            targets,
            [&](double fraction) {
                progress.update(
                    (static_cast<double>(begin) + fraction * static_cast<double>(end - begin)) /
                    static_cast<double>(count));
                return true;
            },
            run);
        checkPins(problem, read, begin, run);
    }
    constexpr double kNoticed = 1e-6;  // pins hold to the tolerance, a thousandth of this
    run.pins_hold = run.worst_pin <= kNoticed * run.size;
    if (!run.pins_hold)
        run.warnings.push_back(
            {.what = fmt::format("a pinned joint is {:.3g} away from its target in frame {}",
                                 run.worst_pin, run.worst_pin_frame),
             .text = problem.input.skeleton.name(run.worst_pin_joint),
             .advice = "other constraints or limits keep it away"});
    return run;
}

}  // namespace ulna::cli
