// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ik_stage.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "apps/cli/output.h"

namespace ulna::cli {
namespace {

template <class Map>
Motion mapped(const Motion& motion, const Map& map) {
    Motion out(map(motion.base()), motion.frameCount(), motion.frameTime(), motion.tracks());
    out.name = motion.name;
    for (std::size_t f = 0; f < motion.frameCount(); ++f) out.setPose(f, map(motion.pose(f)));
    return out;
}

Skeleton rebuilt(const Skeleton& skeleton, std::vector<JointDef> joints) {
    Result<Skeleton> out = makeSkeleton(std::move(joints), {.planar = skeleton.planar()});
    if (!out) fail(kFailed, out.error());
    return *std::move(out);
}

std::vector<JointDef> definitionsOf(const Skeleton& skeleton) {
    return {skeleton.definitions().begin(), skeleton.definitions().end()};
}

void removeLimits(IkStage& stage) {
    std::vector<JointDef> joints = definitionsOf(stage.skeleton);
    for (JointDef& joint : joints) {
        joint.limits = {};
        joint.cone.reset();
    }
    stage.skeleton = rebuilt(stage.skeleton, std::move(joints));
    stage.json = "{\"source\":\"none\"}";
}

void useAnatomy(const Input& input, const Pose& t_pose, IkStage& stage) {
    Result<AnatomicalRig> rig = makeAnatomicalRig(input.skeleton, t_pose);
    if (!rig) fail(kFailed, rig.error());
    stage.anatomy = *std::move(rig);
    stage.skeleton = stage.anatomy->skeleton;
    stage.warnings = stage.anatomy->warnings;
    std::vector<bool> known(input.skeleton.jointCount(), false);
    for (const RecognisedJoint& each : stage.anatomy->recognised) known[index(each.joint)] = true;
    // Few are left out of a body, so naming those says which were recognised.
    std::string others;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i] || input.skeleton.isEndSite(jointId(i))) continue;
        others += (others.empty() ? ": all but " : ", ") + input.skeleton.name(jointId(i));
    }
    printNote(fmt::format("human limits: {} of {} joints recognised{}",
                          stage.anatomy->recognised.size(), input.skeleton.jointCount(), others));
    stage.json = "{\"source\":\"anatomical\",\"recognised\":[";
    for (const RecognisedJoint& each : stage.anatomy->recognised) {
        if (stage.json.back() != '[') stage.json += ',';
        stage.json +=
            fmt::format("{{\"joint\":{},\"part\":{}}}", jsonString(input.skeleton.name(each.joint)),
                        jsonString(each.part));
    }
    stage.json += "]}";
}

// Why the limits of one joint say nothing about another of the same name; empty when they do.
std::string_view disagreement(const Skeleton& skeleton, JointId j, const Skeleton& other,
                              JointId k) {
    constexpr double kSameAxes = 1e-3;              // what files round rotations to
    constexpr double kSameBone = 20.0 * kPi / 180;  // people differ, rest poses differ by more
    const JointDef &a = skeleton.joint(j), &b = other.joint(k);
    if (angleBetween(a.rest.rotation, b.rest.rotation) > kSameAxes) return "its rest axes differ";
    const double lengths = length(*a.tip) * length(*b.tip);
    if (lengths > 0.0 && dot(*a.tip, *b.tip) < lengths * std::cos(kSameBone))
        return "its bone points elsewhere at rest";
    if (a.kind != b.kind && (slides(a.kind) || slides(b.kind) || a.kind == JointKind::Fixed))
        return "it is a joint of another kind";
    return "";
}

void useFile(const Input& input, const std::string& path, IkStage& stage) {
    const Result<io::RigFile> rig = io::loadRig(path);
    if (!rig) fail(kBadInput, rig.error());
    if (rig->skeleton.planar() != input.skeleton.planar())
        failUsage("'" + path + "' is not of the same dimension as '" + input.path + "'");
    std::vector<JointDef> joints = definitionsOf(stage.skeleton);
    std::vector<std::string> taken, without;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        JointDef& joint = joints[i];
        const JointId from = rig->skeleton.find(joint.name);
        if (from == JointId::None) {
            if (!joint.end_site) without.push_back(joint.name);
            continue;
        }
        const std::string_view why = disagreement(input.skeleton, jointId(i), rig->skeleton, from);
        if (!why.empty()) {
            without.push_back(joint.name);
            stage.warnings.push_back(
                {"the limits of a joint are not taken: " + std::string(why), {}, joint.name, {}});
            continue;
        }
        const JointDef& source = rig->skeleton.joint(from);
        joint.kind = source.kind;
        joint.axes = source.axes;
        joint.order = source.order;
        joint.coordinates = source.coordinates;
        joint.limits = source.limits;
        joint.cone = source.cone;
        joint.locked = source.locked;
        joint.stiffness = source.stiffness;
        taken.push_back(joint.name);
    }
    if (taken.empty()) {
        fail(kFailed, {"no joint of '" + path + "' fits one of '" + input.path + "'",
                       {},
                       {},
                       "their names and rest axes must agree"});
    }
    printNote(fmt::format("limits of {} joints are taken from '{}'", taken.size(), path));
    if (!without.empty()) {
        printNote(
            fmt::format("{} joints have none there: {}", without.size(), fmt::join(without, ", ")));
    }
    stage.skeleton = rebuilt(stage.skeleton, std::move(joints));
    stage.from_file = true;
    stage.json = fmt::format("{{\"source\":{},\"joints\":{},\"without\":{}}}", jsonString(path),
                             jsonNames(taken), jsonNames(without));
}

}  // namespace

Pose IkStage::toStage(const Pose& pose) const {
    return anatomy ? toAnatomical(*anatomy, pose) : pose;
}

Pose IkStage::fromStage(const Pose& pose) const {
    return anatomy ? fromAnatomical(*anatomy, pose) : pose;
}

Motion IkStage::toStage(const Motion& motion) const {
    return anatomy ? mapped(motion, [&](const Pose& p) { return toStage(p); }) : motion;
}

Motion IkStage::fromStage(const Motion& motion) const {
    return anatomy ? mapped(motion, [&](const Pose& p) { return fromStage(p); }) : motion;
}

IkClipGoal IkStage::toStage(IkClipGoal goal) const {
    if (!anatomy) return goal;
    const auto axes = [&](JointId j) { return anatomy->joint_from_anatomical[index(j)]; };
    const auto turn = [&](JointId j, Vec3& v) { v = rotate(conjugate(axes(j)), v); };
    IkWish& wish = goal.goal.wish;
    if (auto* position = std::get_if<PositionGoal>(&wish)) turn(position->joint, position->point);
    if (auto* plane = std::get_if<PlaneGoal>(&wish)) turn(plane->joint, plane->point);
    if (auto* aim = std::get_if<AimGoal>(&wish)) {
        turn(aim->joint, aim->axis);
        turn(aim->joint, aim->eye);
    }
    if (auto* distance = std::get_if<DistanceGoal>(&wish)) {
        turn(distance->joint_a, distance->point_a);
        turn(distance->joint_b, distance->point_b);
    }
    if (auto* orientation = std::get_if<OrientationGoal>(&wish)) {
        const Quat a = axes(orientation->joint);
        orientation->target = orientation->target * a;
        for (Quat& q : goal.orientations) q = q * a;
    }
    return goal;
}

IkStage makeStage(const Input& input, const Motion& motion, const LimitOptions& options) {
    IkStage stage;
    stage.skeleton = input.skeleton;
    if (options.rest_frame && options.limits != "anatomical")
        failUsage("--rest-frame is for --limits anatomical");
    if (options.limits == "none") {
        removeLimits(stage);
    } else if (options.limits == "anatomical") {
        Pose t_pose = restPose(input.skeleton);
        if (options.rest_frame) {
            FrameOptions frame;
            frame.frame = options.rest_frame;
            t_pose = poseAt(input, motion, chooseMoments(input, motion, frame).front());
        }
        useAnatomy(input, t_pose, stage);
    } else if (!options.limits.empty()) {
        useFile(input, options.limits, stage);
    }
    return stage;
}

StageStart startOn(const Skeleton& skeleton, const Pose& pose, std::span<const double> near) {
    constexpr double kNoticeable = 1e-6;  // radians; well above the rounding of angles in files
    StageStart out;
    out.dofs = computeDofs(skeleton, pose, near).dofs;
    clampToLimits(skeleton, out.dofs);
    Pose allowed = pose;
    applyDofs(skeleton, out.dofs, allowed);
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i) {
        const JointId j = jointId(i);
        const double size = 1.0 + length(pose[j].translation);
        if (angleBetween(pose[j].rotation, allowed[j].rotation) > kNoticeable ||
            distance(pose[j].translation, allowed[j].translation) > kNoticeable * size)
            out.clamped.push_back(j);
    }
    return out;
}

}  // namespace ulna::cli
