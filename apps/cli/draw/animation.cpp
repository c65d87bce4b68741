// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/draw/animation.h"

#include <fmt/format.h>

#include "apps/cli/arguments.h"
#include "apps/cli/output.h"
#include "ulna/core/number_text.h"
#include "ulna/draw/plot.h"
#include "ulna/draw/webp.h"
#include "ulna/math/box.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

void checkSize(const draw::Raster& image) {
    if (image.width <= draw::kMostWebpSide && image.height <= draw::kMostWebpSide) return;
    failUsage(fmt::format("the picture has {} times {} pixels, and WebP pictures at most {} on a "
                          "side",
                          image.width, image.height, draw::kMostWebpSide),
              "a smaller --height, fewer figures, or a name that ends in .png");
}

}  // namespace

void addAnimationOptions(CLI::App* verb, AnimationOptions& options) {
    verb->add_option("--fps", options.fps,
                     "Frames per second of an animation (default: those of the clip, or every "
                     "second, every third and so on, up to 30)")
        ->type_name("N");
    verb->add_option("--loops", options.loops, "How often an animation plays (default 0: for ever)")
        ->type_name("N");
}

draw::AnimationTimes animationTimes(const Motion& motion, const AnimationOptions& options) {
    if (options.fps && !(*options.fps >= 1.0 && *options.fps <= 100.0))
        failUsage("--fps of an animation must be 1 to 100");
    draw::AnimationTimes out = draw::animationTimes(motion, options.fps);
    if (out.times.size() < motion.frameCount()) {
        const std::string cut =
            out.cut ? fmt::format(", the first {} of {} s", shortNumber(out.times.back(), 3),
                                  shortNumber(motion.duration(), 3))
                    : "";
        printNote(fmt::format("{} of {} frames are shown, {} per second{}", out.times.size(),
                              motion.frameCount(), shortNumber(out.fps, 4), cut));
    }
    return out;
}

std::string drawAnimation(const draw::AnimationTimes& times, const draw::FrameFigures& figuresAt,
                          draw::ShadedOptions how, draw::Legend legend,
                          const AnimationOptions& options) {
    std::optional<draw::WebpAnimation> film;
    ProgressBar bar("drawing");
    how.progress = bar.callback();
    draw::drawFrames(times.times.size(), figuresAt, how, [&](const draw::Raster& frame) {
        if (legend.scale) legend.scale->pixels_per_unit = frame.pixels_per_unit;
        const draw::Raster picture = draw::withLegend(frame, legend, how.background);
        if (!film) {
            checkSize(picture);
            film.emplace(picture.width, picture.height,
                         draw::WebpAnimationOptions{.fps = times.fps, .loops = options.loops});
        }
        film->add(picture);
    });
    return film->finish();
}

std::vector<Vec3> spotsOf(const Skeleton& skeleton, const std::vector<Pose>& poses, double fps) {
    std::vector<Vec3> path;
    double size = 0.0;
    for (const Pose& pose : poses) {
        const ModelPose model = computeModelPose(skeleton, pose);
        Box box;
        Vec3 sum;
        for (const JointId j : skeleton.joints()) {
            sum += model.position(j);
            box.add(model.position(j));
        }
        path.push_back(sum / static_cast<double>(std::max<std::size_t>(1, skeleton.jointCount())));
        size = std::max(size, box.diagonal());
    }
    constexpr double kStill = 0.2;  // of the figure: what moves less stays in the picture
    return draw::followedPath(path, fps, kStill * size);
}

double gridFor(double size) {
    const std::vector<double> ticks = draw::roundTicks(0.0, size > 0.0 ? size : 1.0, 4);
    return ticks.size() > 1 ? ticks[1] : size;
}

std::string stillWebp(const draw::Raster& image) {
    checkSize(image);
    return draw::writeWebp(image);
}

}  // namespace ulna::cli
