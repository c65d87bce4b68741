// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/animation.h"

#include <algorithm>
#include <cmath>

#include "ulna/core/assert.h"
#include "ulna/math/scalar.h"

namespace ulna::draw {
namespace {

constexpr double kUsualFps = 30.0;
constexpr double kFollowing = 0.35;  // seconds: how slowly the camera follows

}  // namespace

AnimationTimes animationTimes(const Motion& motion, std::optional<double> fps) {
    ULNA_ASSERT(motion.frameCount() > 0, "an animation needs a frame");
    ULNA_ASSERT(!fps || *fps > 0.0, "an animation has frames per second");
    // Frame times in files are rounded: 0.0333 seconds are 30 frames per second.
    constexpr double kRounding = 1e-3;
    const double own = 1.0 / motion.frameTime();
    const double step = std::max(1.0, std::ceil(own / kUsualFps * (1.0 - kRounding)));
    AnimationTimes out{.fps = fps.value_or(own / step)};
    const double count = std::floor(motion.duration() * out.fps + kRounding) + 1.0;
    out.cut = count > static_cast<double>(kMostAnimationFrames);
    const std::size_t shown = out.cut ? kMostAnimationFrames : static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < shown; ++i)
        out.times.push_back(std::min(static_cast<double>(i) / out.fps, motion.duration()));
    return out;
}

std::vector<Vec3> followedPath(std::span<const Vec3> path, double fps, double still) {
    std::vector<Vec3> out(path.size());
    Box box;
    for (const Vec3& p : path) box.add(p);
    const bool rests = std::all_of(path.begin(), path.end(), [&](const Vec3& p) {
        return distance(p, box.center()) <= still;
    });
    if (rests) {
        std::fill(out.begin(), out.end(), box.center());
        return out;
    }
    // A mean with the weights of a normal distribution. Before its start and after its end a path
    // goes on as it does on the other side of that point, so that the camera is not left behind.
    const auto last = static_cast<std::ptrdiff_t>(path.size()) - 1;
    const auto at = [&](std::ptrdiff_t k) {
        const std::ptrdiff_t end = k < 0 ? 0 : last;
        if (k >= 0 && k <= last) return path[static_cast<std::size_t>(k)];
        const std::ptrdiff_t mirrored = std::clamp<std::ptrdiff_t>(2 * end - k, 0, last);
        return path[static_cast<std::size_t>(end)] * 2.0 - path[static_cast<std::size_t>(mirrored)];
    };
    const double width = kFollowing * fps;
    const auto reach = static_cast<std::ptrdiff_t>(std::ceil(3.0 * width));
    for (std::ptrdiff_t i = 0; i <= last; ++i) {
        Vec3 sum;
        double weights = 0.0;
        for (std::ptrdiff_t away = -reach; away <= reach; ++away) {
            const double weight = std::exp(-0.5 * square(static_cast<double>(away) / width));
            sum += at(i + away) * weight;
            weights += weight;
        }
        out[static_cast<std::size_t>(i)] = sum / weights;
    }
    return out;
}

std::vector<ShadedFigure> shadedFigures(const std::vector<AnimatedFigure>& figures) {
    std::vector<ShadedFigure> out;
    for (const AnimatedFigure& figure : figures) {
        ShadedFigure& made = out.emplace_back();
        for (const Mesh& mesh : figure.meshes) made.meshes.push_back({mesh});
        made.caption = figure.caption;
        made.spot = figure.spot;
        made.dots = figure.dots;
    }
    return out;
}

bool drawFrames(std::size_t count, const FrameFigures& figuresAt, const ShadedOptions& options,
                const std::function<void(const Raster&)>& take) {
    ShadedOptions how = options;
    how.progress = {};
    ShadedRoom room;
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<AnimatedFigure> figures = figuresAt(i);
        room.add(roomOf(shadedFigures(figures), how));
    }
    how.room = room;
    for (std::size_t i = 0; i < count; ++i) {
        if (options.progress &&
            !options.progress(static_cast<double>(i) / static_cast<double>(count)))
            return false;
        const std::vector<AnimatedFigure> figures = figuresAt(i);
        take(drawShaded(shadedFigures(figures), how));
    }
    return true;
}

}  // namespace ulna::draw
