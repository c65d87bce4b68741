// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ik/stage.h"

#include <fmt/format.h>

#include <utility>

#include "apps/cli/output.h"

namespace ulna::cli {
namespace {

Stage mustMake(const Skeleton& skeleton, const StageOptions& options) {
    Result<Stage> stage = makeStage(skeleton, options);
    if (!stage) fail(kFailed, stage.error());
    return *std::move(stage);
}

// The input's skins, on which the bulk of a body is measured.
std::vector<const Mesh*> skinsOf(const Input& input) {
    std::vector<const Mesh*> out;
    for (const Mesh& mesh : input.meshes) out.push_back(&mesh);
    return out;
}

Stage anatomicalStage(const Input& input, const Pose& t_pose) {
    const Skeleton& skeleton = input.skeleton;
    const std::vector<const Mesh*> skins = skinsOf(input);
    Stage stage = mustMake(skeleton, {.limits = LimitSource::Anatomical,
                                      .t_pose = &t_pose,
                                      .map = input.bodyMap(),
                                      .skins = skins});
    std::vector<bool> known(skeleton.jointCount(), false);
    for (const RecognisedJoint& each : stage.recognised()) known[index(each.joint)] = true;
    // Few are left out of a body, so naming those says which were recognised. End Sites are no
    // joints of a body.
    std::size_t joints = stage.recognised().size();
    std::string others;
    for (const JointId j : skeleton.joints()) {
        if (known[index(j)] || skeleton.isEndSite(j)) continue;
        others += (others.empty() ? ": all but " : ", ") + skeleton.name(j);
        ++joints;
    }
    printNote(fmt::format("human limits: {} of {} joints recognised{}", stage.recognised().size(),
                          joints, others));
    return stage;
}

Stage borrowingStage(const Input& input, const std::string& path) {
    const Result<io::RigFile> rig = io::loadRig(path);
    if (!rig) fail(kBadInput, rig.error());
    if (rig->skeleton.planar() != input.skeleton.planar())
        failUsage("'" + path + "' is not of the same dimension as '" + input.path + "'");
    const std::vector<const Mesh*> skins = skinsOf(input);
    Result<Stage> stage = makeStage(input.skeleton, {.limits = LimitSource::Borrowed,
                                                     .other = &rig->skeleton,
                                                     .map = input.bodyMap(),
                                                     .skins = skins});
    if (!stage) {
        fail(kFailed, {.what = "no joint of '" + path + "' fits one of '" + input.path + "'",
                       .advice = "their names and rest axes must agree"});
    }
    printNote(fmt::format("limits of {} joints are taken from '{}'", stage->taken.size(), path));
    if (!stage->without.empty()) {
        printNote(fmt::format("{} joints have none there: {}", stage->without.size(),
                              fmt::join(namesOf(input.skeleton, stage->without), ", ")));
    }
    return *std::move(stage);
}

}  // namespace

std::vector<std::string> namesOf(const Skeleton& skeleton, const std::vector<JointId>& joints) {
    std::vector<std::string> out;
    for (const JointId j : joints) out.push_back(skeleton.name(j));
    return out;
}

IkStage stageOf(const Input& input, const Motion& motion, const LimitOptions& options) {
    if (options.rest_frame && options.limits != "anatomical")
        failUsage("--rest-frame is for --limits anatomical");
    if (options.limits.empty() || options.limits == "none") {
        const std::vector<const Mesh*> skins = skinsOf(input);
        const LimitSource limits = options.limits.empty() ? LimitSource::Own : LimitSource::None;
        return {
            mustMake(input.skeleton, {.limits = limits, .map = input.bodyMap(), .skins = skins}),
            options.limits};
    }
    if (options.limits != "anatomical")
        return {borrowingStage(input, options.limits), options.limits};
    Pose t_pose = restPose(input.skeleton);
    if (options.rest_frame) {
        FrameOptions frame;
        frame.frame = options.rest_frame;
        t_pose = poseAt(input, motion, chooseMoments(input, motion, frame).front());
    }
    return {anatomicalStage(input, t_pose), options.limits};
}

void writeLimits(const Skeleton& skeleton, const IkStage& stage, JsonWriter& json) {
    if (stage.source.empty()) return;
    json.beginObject("limits").member("source", stage.source);
    if (stage.limits == LimitSource::Anatomical) {
        json.beginArray("recognised");
        for (const RecognisedJoint& each : stage.recognised()) {
            json.beginObject()
                .member("joint", skeleton.name(each.joint))
                .member("part", each.part)
                .endObject();
        }
        json.endArray();
    }
    if (stage.limits == LimitSource::Borrowed) {
        json.member("joints", namesOf(skeleton, stage.taken))
            .member("without", namesOf(skeleton, stage.without));
    }
    json.endObject();
}

}  // namespace ulna::cli
