// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "stress/families.h"
#include "stress/problem.h"
#include "support/random_fits.h"
#include "ulna/fit/skeleton_fit.h"

namespace ulna::test::stress {
namespace {

double rmsBetween(std::span<const Vec3> a, std::span<const Vec3> b) {
    double sum = 0.0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += dot(a[v] - b[v], a[v] - b[v]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

// How far a joint's translation is from one that its kind and limits allow.
double slideExcess(const Skeleton& rig, JointId joint, const Trs& pose) {
    const JointDef& def = rig.joint(joint);
    const Vec3 model_slide = pose.translation - def.rest.translation;
    const Vec3 slide = plainInverse(plainRotation(def.rest.rotation)).direction(model_slide);
    const auto beyond = [&](std::size_t d, double x) {
        return std::max({0.0, def.limits[d].min - x, x - def.limits[d].max});
    };
    if (def.kind == JointKind::Free && rig.planar())
        return std::max({beyond(0, slide.x), beyond(1, slide.y), std::abs(slide.z)});
    if (def.kind == JointKind::Free)
        return std::max({beyond(0, slide.x), beyond(1, slide.y), beyond(2, slide.z)});
    if (def.kind != JointKind::Prismatic) return length(slide);
    const double along = dot(slide, def.axes[0]);
    return std::max(beyond(0, along), length(slide - def.axes[0] * along));
}

void lookAtPose(const Skeleton& rig, bool move_roots, Pose pose, const std::string& about,
                Ledger& ledger) {
    DofVector inside(rig.dofCount());
    clampToLimits(rig, inside);
    const Pose allowed = computePose(rig, inside);
    double slid = 0.0;
    for (const JointId j : rig.joints()) {
        const bool free_root = move_roots && rig.parent(j) == JointId::None;
        if (free_root) pose[j] = allowed[j];  // it rotates and slides whatever its kind
        slid = std::max(slid, slideExcess(rig, j, pose[j]));
    }
    ledger.look("rotations that joints allow", poseExcess(rig, pose), 1e-8, about);
    ledger.look("joints slide as their kind and limits allow", slid, 1e-8, about);
}

}  // namespace

void stressFits(std::uint64_t seed, Ledger& ledger) {
    const RandomFit problem = randomFit(seed);
    const Skeleton& rig = problem.rig;
    const Mesh& mesh = problem.mesh;
    Result<SkeletonFitter> fitter = SkeletonFitter::make(rig, mesh, problem.options);
    ledger.look("a skin with weights is accepted", fitter.ok());
    if (!fitter) return;

    const FitTargets targets{.positions = problem.targets};
    Pose pose = problem.start;
    const FitReport report =
        ledger.time(rig.dofCount(), [&] { return fitter->fit(targets, FitStart::Cold, pose); });
    const std::string kind = problem.exact ? "an exact shape" : "a noisy shape";
    const std::string about = "[" + std::string(fitStatusName(report.status)) + ", " +
                              std::to_string(rig.jointCount()) + " joints]";
    ledger.count(kind + " " + std::string(fitStatusName(report.status)));
    const double rms = rmsBetween(plainSkin(rig, mesh, pose), problem.targets);
    ledger.look("the rms is true", std::abs(rms - report.rms) / fitter->size(), 1e-7, about);
    lookAtPose(rig, problem.options.move_roots, pose, about, ledger);
    if (problem.exact)
        ledger.look("an exact shape is found, cold", rms / fitter->size(), 1e-9, about);
    Pose again = pose;
    fitter->fit(targets, FitStart::Warm, again);
    ledger.look(kind + " fitted again stays: " + std::string(fitStatusName(report.status)),
                movedBetween(rig, pose, again, fitter->size()), 1e-6, about);
}

}  // namespace ulna::test::stress
