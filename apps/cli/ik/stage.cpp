// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ik/stage.h"

#include <fmt/format.h>

#include <utility>

#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "ulna/skeleton/limits.h"

namespace ulna::cli {
namespace {

template <class Map>
Motion mapped(const Motion& motion, const Map& map) {
    Motion out(map(motion.base()), motion.frameCount(), motion.frameTime(), motion.tracks());
    out.name = motion.name;
    for (std::size_t f = 0; f < motion.frameCount(); ++f) out.setPose(f, map(motion.pose(f)));
    return out;
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
    JsonWriter json;
    json.beginObject().member("source", "anatomical").beginArray("recognised");
    for (const RecognisedJoint& each : stage.anatomy->recognised) {
        json.beginObject()
            .member("joint", input.skeleton.name(each.joint))
            .member("part", each.part)
            .endObject();
    }
    stage.json = json.endArray().endObject().take();
}

std::vector<std::string> namesOf(const Skeleton& skeleton, const std::vector<JointId>& joints) {
    std::vector<std::string> out;
    for (const JointId j : joints) out.push_back(skeleton.name(j));
    return out;
}

void useFile(const Input& input, const std::string& path, IkStage& stage) {
    const Result<io::RigFile> rig = io::loadRig(path);
    if (!rig) fail(kBadInput, rig.error());
    if (rig->skeleton.planar() != input.skeleton.planar())
        failUsage("'" + path + "' is not of the same dimension as '" + input.path + "'");
    Result<BorrowedLimits> borrowed = withLimitsOf(input.skeleton, rig->skeleton);
    if (!borrowed) {
        fail(kFailed, {"no joint of '" + path + "' fits one of '" + input.path + "'",
                       {},
                       {},
                       "their names and rest axes must agree"});
    }
    const std::vector<std::string> taken = namesOf(input.skeleton, borrowed->taken);
    const std::vector<std::string> without = namesOf(input.skeleton, borrowed->without);
    printNote(fmt::format("limits of {} joints are taken from '{}'", taken.size(), path));
    if (!without.empty()) {
        printNote(
            fmt::format("{} joints have none there: {}", without.size(), fmt::join(without, ", ")));
    }
    stage.warnings = borrowed->warnings;
    stage.skeleton = std::move(borrowed->skeleton);
    stage.from_file = true;
    JsonWriter json;
    json.beginObject().member("source", path).member("joints", taken).member("without", without);
    stage.json = json.endObject().take();
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
    if (const auto* orientation = std::get_if<OrientationGoal>(&goal.goal.kind)) {
        const Quat axes = anatomy->joint_from_anatomical[index(orientation->joint)];
        for (Quat& q : goal.orientations) q = q * axes;
    }
    goal.goal.kind = toAnatomical(*anatomy, std::move(goal.goal.kind));
    return goal;
}

IkStage makeStage(const Input& input, const Motion& motion, const LimitOptions& options) {
    IkStage stage;
    stage.skeleton = input.skeleton;
    if (options.rest_frame && options.limits != "anatomical")
        failUsage("--rest-frame is for --limits anatomical");
    if (options.limits == "none") {
        stage.skeleton = withoutLimits(stage.skeleton);
        stage.json = JsonWriter().beginObject().member("source", "none").endObject().take();
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
    for (const JointId j : skeleton.joints()) {
        const double size = 1.0 + length(pose[j].translation);
        if (angleBetween(pose[j].rotation, allowed[j].rotation) > kNoticeable ||
            distance(pose[j].translation, allowed[j].translation) > kNoticeable * size)
            out.clamped.push_back(j);
    }
    return out;
}

}  // namespace ulna::cli
