// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/retarget/picture.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/cli/output.h"
#include "apps/cli/retarget/report.h"
#include "apps/cli/save.h"
#include "ulna/character/retarget.h"
#include "ulna/core/text.h"
#include "ulna/draw/bone_mesh.h"
#include "ulna/draw/retarget_picture.h"
#include "ulna/motion/units.h"
#include "ulna/retarget/sole_tracks.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

constexpr double kRowHeight = 320.0;
constexpr std::size_t kMostFigures = 50;
constexpr std::size_t kUsualFigures = 7;

// The source with legs as long as the target's: its skeleton, its clip and its meshes.
struct Scaled {
    Input input;
    Pose rest;
    Motion motion;
};

Scaled scaledSource(const StandingBody& source, const Motion& motion, double factor) {
    Scaled out{.input = {}, .rest = source.rest, .motion = scaledMotion(motion, factor)};
    out.input.path = source.input.path;
    out.input.format = source.input.format;
    out.input.up = source.input.up;
    out.input.robot = source.input.robot;
    out.input.skeleton = must(scaledSkeleton(source.input.skeleton, factor));
    for (const Mesh& mesh : source.input.meshes)
        out.input.meshes.push_back(scaledMesh(mesh, factor));
    for (Trs& each : out.rest.parent_from_joint) each.translation *= factor;
    return out;
}

// The meshes of a body in a pose; nothing where it has none: bones are drawn then.
std::function<std::vector<Mesh>(const Pose&)> meshesOf(const Input& input, const Common& common) {
    std::vector<std::size_t> tied;
    for (std::size_t i = 0; i < input.meshes.size(); ++i)
        if (input.meshes[i].weights.rowCount() > 0) tied.push_back(i);
    if (tied.empty()) return {};
    return [&input, tied, size = sizeOf(input), how = deformOptions({}, common)](const Pose& pose) {
        std::vector<Mesh> out = posedMeshes(input, tied, pose, how);
        // Links of robots whose shape is a file have no mesh: their bones are seen.
        if (input.robot)
            out.push_back(draw::makeBoneMeshInPlace(input.skeleton,
                                                    computeModelPose(input.skeleton, pose), size));
        return out;
    };
}

std::string fileName(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

// Where no feet are known, the ground is below the up axis of the file.
Quat uprightFrom(const Input& input) {
    return upAxisOf(input) == UpAxis::Z ? quatFromAxisAngle(Vec3{1, 0, 0}, 0.5 * kPi) : Quat{};
}

draw::FootCurves curvesOf(const SoleTracks& soles, double floor, double unit, double frame_time) {
    draw::FootCurves out;
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t part = 0; part < 2; ++part) {
            std::vector<Vec3> path = soles.points[side][part];
            for (Vec3& p : path) p *= unit;
            out[side][part] = draw::footCurve(path, floor * unit, frame_time);
        }
    }
    return out;
}

draw::RetargetActor actorOf(const Input& input, const Motion& motion,
                            const Result<SoleTracks>& soles, double floor, const Common& common) {
    return {.name = fileName(input.path),
            .skeleton = input.skeleton,
            .motion = motion,
            .model_from_ground = soles ? soles->model_from_ground : uprightFrom(input),
            .floor = floor,
            .meshesOf = meshesOf(input, common)};
}

Result<SoleTracks> solesIn(const Input& input, const Pose& rest, const Motion& motion) {
    return trackSoles({.skeleton = input.skeleton,
                       .rest = rest,
                       .soles = solesOf(input, rest),
                       .map = input.bodyMap()},
                      motion);
}

draw::RetargetPicture pictureOf(const Scaled& source, const StandingBody& target,
                                const RetargetResult& result, const Common& common) {
    const RetargetReport& report = result.report;
    const double floor = result.contacts.floor * report.scale;
    const Result<SoleTracks> from = solesIn(source.input, source.rest, source.motion);
    const Result<SoleTracks> to = solesIn(target.input, target.rest, result.motion);
    const std::string unit = unitSymbol(target.input);
    draw::RetargetPicture out{
        .source = actorOf(source.input, source.motion, from, floor, common),
        .result = actorOf(target.input, result.motion, to, report.floor, common),
        .contacts = result.contacts,
        .unit = unit};
    if (std::abs(report.scale - 1.0) > 1e-3)
        out.source.name += fmt::format(", lengths times {:.3g}", report.scale);
    if (!from || !to) return out;
    const SmallLengths small(unit);
    const double dt = result.motion.frameTime();
    out.feet = draw::FootPlot{.frame_time = dt,
                              .source = curvesOf(*from, floor, small.factor(), dt),
                              .result = curvesOf(*to, report.floor, small.factor(), dt),
                              .contacts = result.contacts,
                              .penetration = report.penetration * small.factor(),
                              .slide = report.slide_most * small.factor(),
                              .at_limit = report.at_limit,
                              .unit = small.unit(),
                              .notes = reportLines(target.input, report)};
    return out;
}

std::string animationOf(const draw::RetargetPicture& picture, const RetargetPictureOptions& options,
                        draw::ShadedOptions how) {
    const draw::AnimationTimes film = animationTimes(picture.result.motion, options.animation);
    how.grid = gridFor(draw::figureSize(picture));
    return drawAnimation(film, draw::retargetFrames(picture, film), how,
                         draw::retargetLegend(picture), options.animation);
}

}  // namespace

void addRetargetPictureOptions(Tool& tool, CLI::App* verb, RetargetPictureOptions& options) {
    CLI::Option* picture =
        verb->add_option("--picture", options.file,
                         "A picture of the source and the result: a strip of frames and the plot "
                         "of the feet (.svg or .png), or an animation (.webp)")
            ->type_name("FILE");
    isOutput(tool, picture);
    verb->add_option("--strip", options.strip, "Frames of the strip (default 7)")
        ->type_name("N")
        ->needs(picture);
    oneOf(tool,
          verb->add_option("--view", options.picture.view,
                           "The direction of view (default three-quarter)"),
          {"front", "side", "three-quarter"})
        ->needs(picture);
    verb->add_option("--height", options.picture.height,
                     "Height of a row of figures in pixels (default 320, of an animation 480)")
        ->type_name("PX")
        ->needs(picture);
    addAnimationOptions(verb, options.animation);
    for (const char* name : {"--fps", "--loops"}) verb->get_option(name)->needs(picture);
}

void checkOptions(const RetargetPictureOptions& options) {
    if (options.file.empty()) return;
    if (!isShaded(options.file) && !lowerCase(options.file).ends_with(".svg"))
        failUsage("pictures are SVG, PNG or WebP; '" + options.file +
                  "' should end in .svg, .png or .webp");
    if (options.animation.any() && !isWebp(options.file))
        failUsage("--fps and --loops are of animations", "--picture with a name in .webp");
    if (options.strip > 0 && isWebp(options.file))
        failUsage("--strip is of strips, and a .webp picture is an animation",
                  "--picture with a name in .svg or .png");
    if (options.strip > kMostFigures)
        failUsage(fmt::format("--strip takes at most {}", kMostFigures));
    const double height = options.picture.height.value_or(kRowHeight);
    if (!(height >= 100.0 && height <= 2000.0)) failUsage("--height must be 100 to 2000");
}

void writeRetargetPicture(const RetargetPictureOptions& options, const StandingBody& source,
                          const Motion& motion, const StandingBody& target,
                          const RetargetResult& result, const Common& common) {
    const Scaled scaled = scaledSource(source, motion, result.report.scale);
    const draw::RetargetPicture picture = pictureOf(scaled, target, result, common);
    if (isWebp(options.file)) {
        draw::ShadedOptions how =
            shadedOptions(options.picture, kAnimationHeight, target.input, common);
        how.up = UpAxis::Y;
        writeOutput(options.file, animationOf(picture, options, how));
        return;
    }
    draw::RetargetPictureOptions how{
        .view = viewOf(options.picture),
        .figures = options.strip > 0 ? options.strip : kUsualFigures,
        .height = static_cast<std::size_t>(options.picture.height.value_or(kRowHeight)),
        .threads = common.threads};
    if (!isPng(options.file)) {
        writeOutput(options.file, draw::drawRetarget(picture, how));
        return;
    }
    ProgressBar bar("drawing");
    how.progress = bar.callback();
    writeOutput(options.file, draw::writePng(draw::shadeRetarget(picture, how)));
}

}  // namespace ulna::cli
