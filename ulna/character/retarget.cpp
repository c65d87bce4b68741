// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/retarget.h"

#include <algorithm>
#include <cmath>

#include "ulna/core/number_text.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"

namespace ulna {
namespace {

// Vertices this much above the lowest one are still of the sole, in leg lengths.
constexpr double kSoleThickness = 0.02;

void addVertices(const Character& character, const Mesh& mesh, const ModelPose& model,
                 const std::array<JointId, 2>& ankles, std::array<std::vector<Vec3>, 2>& out) {
    const Skeleton& skeleton = character.skeleton;
    const std::vector<Affine> bind = bindMatrices(skeleton, mesh);
    for (std::size_t v = 0; v < mesh.weights.rowCount() && v < mesh.positions.size(); ++v) {
        const std::span<const Influence> row = mesh.weights[v];
        const auto most = std::max_element(
            row.begin(), row.end(),
            [](const Influence& a, const Influence& b) { return a.weight < b.weight; });
        if (most == row.end()) continue;
        for (std::size_t side = 0; side < 2; ++side) {
            if (most->joint != ankles[side] && !skeleton.isAncestor(ankles[side], most->joint))
                continue;
            const Vec3f& p = mesh.positions[v];
            out[side].push_back(model[most->joint] * (bind[index(most->joint)] *
                                                      Vec3{double(p.x), double(p.y), double(p.z)}));
        }
    }
}

}  // namespace

std::array<std::vector<Vec3>, 2> solesOf(const Character& character, const Pose& rest) {
    std::array<std::vector<Vec3>, 2> out;
    const Skeleton& skeleton = character.skeleton;
    if (character.meshes.empty()) return out;
    const Result<HumanBody> body = findHumanBody(skeleton, rest, character.bodyMap());
    if (!body || body->left.ankle == JointId::None || body->right.ankle == JointId::None)
        return out;
    const ModelPose model = computeModelPose(skeleton, rest);
    for (const Mesh& mesh : character.meshes)
        addVertices(character, mesh, model, {body->left.ankle, body->right.ankle}, out);
    const Vec3 up = body->model_from_body * Vec3{0, 1, 0};
    const double leg = distance(model.position(body->left.hip), model.position(body->left.ankle));
    for (std::vector<Vec3>& sole : out) {
        if (sole.empty()) continue;
        double low = dot(sole.front(), up);
        for (const Vec3& p : sole) low = std::min(low, dot(p, up));
        std::erase_if(sole, [&](const Vec3& p) { return dot(p, up) > low + kSoleThickness * leg; });
    }
    if (out[0].empty() || out[1].empty()) return {};
    return out;
}

Result<RetargetResult> retargetClip(const Character& source, const Motion& motion,
                                    const Character& target, const RetargetClipOptions& options,
                                    const Progress& progress) {
    const Pose source_rest = options.source_rest ? *options.source_rest : restPose(source.skeleton);
    const Pose target_rest = options.target_rest ? *options.target_rest : restPose(target.skeleton);
    const Result<Stage> stage =
        makeStage(target.skeleton,
                  {.limits = options.limits, .t_pose = &target_rest, .map = target.bodyMap()});
    if (!stage) return stage.error();
    const Pose stage_rest = stage->toStage(target_rest);
    const Result<Retargeter> both = Retargeter::make(
        {.skeleton = source.skeleton,
         .rest = source_rest,
         .soles = options.source_soles ? *options.source_soles : solesOf(source, source_rest),
         .map = source.bodyMap()},
        {.skeleton = stage->skeleton,
         .rest = stage_rest,
         .soles = options.target_soles ? *options.target_soles : solesOf(target, target_rest),
         .map = target.bodyMap()});
    if (!both) return both.error();
    Result<RetargetResult> out = both->retarget(motion, options.retarget, progress);
    if (out && stage->anatomy) out->motion = stage->fromStage(out->motion);
    return out;
}

Warnings retargetWarnings(const Skeleton& target, const RetargetReport& report) {
    Warnings out;
    constexpr double kFast = 1.5;
    if (report.fastest_joint != JointId::None && report.fastest_source > 0.0 &&
        report.fastest > kFast * report.fastest_source) {
        out.push_back(
            {.what = "joint '" + target.name(report.fastest_joint) + "' rotates " +
                     shortNumber(std::round(10.0 * report.fastest / report.fastest_source) / 10.0) +
                     " times as fast as the fastest joint of the source",
             .advice = "look at the clip there"});
    }
    return out;
}

}  // namespace ulna
