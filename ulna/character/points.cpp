// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/points.h"

#include <algorithm>
#include <utility>

#include "ulna/character/retarget.h"
#include "ulna/core/text.h"

namespace ulna {
namespace {

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i)
        out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return out;
}

std::vector<std::string> presets() {
    const auto names = pointPresetNames();
    return {names.begin(), names.end()};
}

// Human limits where a body states none and is recognised.
Result<Stage> stageFor(const Skeleton& skeleton, const Pose& rest,
                       std::optional<LimitSource> limits) {
    if (limits) return makeStage(skeleton, {.limits = *limits, .t_pose = &rest});
    if (!hasLimits(skeleton)) {
        Result<Stage> human =
            makeStage(skeleton, {.limits = LimitSource::Anatomical, .t_pose = &rest});
        if (human) return human;
    }
    return makeStage(skeleton, {.t_pose = &rest});
}

// The body's unit per unit of the points, where both say it.
std::optional<double> scaleOf(const Character& character, const io::PointFile& file,
                              const PointLayout& layout) {
    const std::optional<double> points = layout.metres ? layout.metres : file.metres;
    const std::string unit = unitSymbol(character);
    if (!points) return std::nullopt;
    for (const auto& [symbol, metres] : {std::pair{"m", 1.0}, std::pair{"cm", 0.01},
                                         std::pair{"mm", 0.001}, std::pair{"in", 0.0254}})
        if (unit == symbol) return *points / metres;
    return std::nullopt;
}

}  // namespace

Result<PointLayout> choosePointLayout(const PointClip& clip, const Skeleton& skeleton,
                                      std::string_view preset) {
    if (!preset.empty()) {
        if (std::optional<PointLayout> out = pointPreset(preset)) return *std::move(out);
        return Diagnostic{.what = "'" + excerpt(preset) + "' is no layout of points",
                          .advice = "the layouts are " + listed(presets())};
    }
    if (clip.names.size() == clip.point_count) {
        PointLayout joints = layoutOfJoints(clip.names, skeleton.names());
        const auto known =
            std::count_if(joints.roles.begin(), joints.roles.end(),
                          [](const PointRole& each) { return each.landmark == Landmark::Joint; });
        // Two may be called alike by chance; a body needs more anyway.
        if (known > 2) return joints;
    }
    const std::vector<std::string> fitting = pointPresetsOf(clip.point_count);
    if (fitting.size() == 1) return *pointPreset(fitting.front());
    const std::string count = std::to_string(clip.point_count);
    if (fitting.empty())
        return Diagnostic{.what = "no layout that is known has " + count + " points",
                          .advice = "write a map file: --map NAME.points.json"};
    return Diagnostic{.what = "several layouts have " + count + " points",
                      .advice = "choose one: --points " + listed(fitting)};
}

Result<PosedCharacter> posePoints(const Character& character, const io::PointFile& file,
                                  const PointLayout& layout, const PosePointsOptions& options,
                                  const Progress& progress) {
    const Skeleton& skeleton = character.skeleton;
    const Pose rest = options.rest != nullptr ? *options.rest : restPose(skeleton);
    const Result<Stage> stage = stageFor(skeleton, rest, options.limits);
    if (!stage) return stage.error();
    const Pose stage_rest = stage->toStage(rest);
    PointOptions how = options.points;
    // Bodies that keep their lengths have their size from these.
    if (!how.scale && how.lengths == PointLengths::Fit)
        how.scale = scaleOf(character, file, layout);
    Result<PointResult> result = solvePoints(
        {.skeleton = stage->skeleton, .rest = stage_rest, .soles = solesOf(character, rest)},
        file.clip, layout, how, progress);
    if (!result) return result.error();
    if (stage->anatomy) {
        result->motion = stage->fromStage(result->motion);
        result->rest = stage->fromStage(result->rest);
    }
    const bool fitted = options.points.lengths == PointLengths::Fit;
    return PosedCharacter{.skeleton = fitted ? stretched(skeleton, result->stretch) : skeleton,
                          .result = *std::move(result),
                          .anatomical = stage->anatomy.has_value()};
}

}  // namespace ulna
