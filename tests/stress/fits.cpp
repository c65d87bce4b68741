// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "stress/families.h"
#include "stress/problem.h"
#include "ulna/fit/skeleton_fit.h"

namespace ulna::test::stress {
namespace {

// Vertices around every joint, of the joint alone or shared with its parent.
Mesh randomSkin(Random& random, const Skeleton& rig) {
    constexpr std::size_t kPerJoint = 20;
    const std::vector<PlainMatrix> rest = plainModel(rig, restPose(rig));
    Mesh mesh;
    for (const JointId joint : rig.joints()) {
        const JointId parent = rig.parent(joint);
        for (std::size_t i = 0; i < kPerJoint; ++i) {
            const Vec3 side = inBall(random, 0.3);
            mesh.positions.push_back(cast<float>(rest[index(joint)].origin() + side));
            std::vector<Influence> row = {{joint, 1.0F}};
            if (parent != JointId::None && chance(random, 0.5))
                row = {{joint, 0.75F}, {parent, 0.25F}};
            mesh.weights.addRow(row);
        }
    }
    return mesh;
}

// Linear blend skinning by plain matrices.
std::vector<Vec3> plainSkin(const Skeleton& rig, const Mesh& mesh, const Pose& pose) {
    const std::vector<PlainMatrix> rest = plainModel(rig, restPose(rig));
    std::vector<PlainMatrix> moved = plainModel(rig, pose);
    for (std::size_t j = 0; j < moved.size(); ++j) moved[j] = moved[j] * plainInverse(rest[j]);
    std::vector<Vec3> out;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& bind = mesh.positions[v];
        const Vec3 position = {double{bind.x}, double{bind.y}, double{bind.z}};
        Vec3 sum;
        for (const Influence& influence : mesh.weights[v]) {
            sum += moved[index(influence.joint)].point(position) * double{influence.weight};
        }
        out.push_back(sum);
    }
    return out;
}

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
    Random random(seed);
    RandomRigOptions rig_options = randomRigOptions(random);
    rig_options.planar = rig_options.scales = false;
    rig_options.most_joints = std::min<std::size_t>(rig_options.most_joints, 25);
    const Skeleton rig = randomRig(random, rig_options);
    const Mesh mesh = randomSkin(random, rig);
    SkeletonFitOptions options;
    options.move_roots = chance(random, 0.5);
    Result<SkeletonFitter> fitter = SkeletonFitter::make(rig, mesh, options);
    ledger.look("a skin with weights is accepted", fitter.ok());
    if (!fitter) return;

    // Locked joints stay as they are in the start, so that the shape can be met.
    DofVector start(rig.dofCount()), truth = randomAllowedDofs(random, rig);
    clampToLimits(rig, start);
    for (std::size_t d = 0; d < truth.size(); ++d)
        if (rig.joint(rig.jointOfDof(d)).locked) truth[d] = start[d];
    const bool exact = chance(random, 0.5);
    std::vector<Vec3> targets = plainSkin(rig, mesh, computePose(rig, truth));
    for (Vec3& target : targets)
        if (!exact) target += inBall(random, 0.3);

    Pose pose = computePose(rig, start);
    const FitReport report = ledger.time(
        rig.dofCount(), [&] { return fitter->fit({.positions = targets}, FitStart::Cold, pose); });
    const std::string kind = exact ? "an exact shape" : "a noisy shape";
    const std::string about = "[" + std::string(fitStatusName(report.status)) + ", " +
                              std::to_string(rig.jointCount()) + " joints]";
    ledger.count(kind + " " + std::string(fitStatusName(report.status)));
    const double rms = rmsBetween(plainSkin(rig, mesh, pose), targets);
    ledger.look("the rms is true", std::abs(rms - report.rms) / fitter->size(), 1e-7, about);
    lookAtPose(rig, options.move_roots, pose, about, ledger);
    if (exact) ledger.look("an exact shape is found, cold", rms / fitter->size(), 1e-5, about);
    Pose again = pose;
    fitter->fit({.positions = targets}, FitStart::Warm, again);
    ledger.look(kind + " fitted again stays: " + std::string(fitStatusName(report.status)),
                movedBetween(rig, pose, again, fitter->size()), 1e-5, about);
}

}  // namespace ulna::test::stress
