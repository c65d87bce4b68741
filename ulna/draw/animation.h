// SPDX-License-Identifier: Apache-2.0

// Animations of shaded figures: which frames, where the camera is, and the frames as pictures of
// one size. draw/webp.h makes a file of them.
//
//     const AnimationTimes film = animationTimes(motion);
//     const std::vector<Vec3> spots = followedPath(path, film.fps, size);
//     drawFrames(film.times.size(), figuresAt, options, [&](const Raster& frame) { … });
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ulna/draw/shaded.h"
#include "ulna/motion/motion.h"

namespace ulna::draw {

/// An animation has at most so many frames: 20 seconds at 30 frames per second.
inline constexpr std::size_t kMostAnimationFrames = 600;

/// The moments of a clip that an animation shows.
struct AnimationTimes {
    double fps = 25.0;
    std::vector<double> times = {};  ///< in seconds, from 0 on, 1 / fps apart
    bool cut = false;                ///< whether the end of the clip is missing
};

/// At `fps` frames per second; by default at the largest rate up to 30 that shows every frame of
/// the clip, or every second, every third and so on. At most kMostAnimationFrames, from the start.
/// @pre the motion has a frame, and fps is above 0.
[[nodiscard]] AnimationTimes animationTimes(const Motion& motion, std::optional<double> fps = {});

/// Where a camera looks that follows a path of one position per frame, smoothly. What stays within
/// `still` of the middle of its path is not followed.
[[nodiscard]] std::vector<Vec3> followedPath(std::span<const Vec3> path, double fps, double still);

/// One figure of a frame: meshes in model space.
struct AnimatedFigure {
    std::vector<Mesh> meshes = {};
    std::string caption = {};
    Vec3 spot = {};  ///< see ShadedFigure
    std::vector<FigureDot> dots = {};
};

/// Figures as drawShaded takes them. @pre the meshes outlive them.
[[nodiscard]] std::vector<ShadedFigure> shadedFigures(const std::vector<AnimatedFigure>& figures);

/// The figures of a frame, from left to right; as many in each.
using FrameFigures = std::function<std::vector<AnimatedFigure>(std::size_t frame)>;

/// Draws `count` frames, one after the other, and hands each to `take`. They have one size, scale
/// and ground; `options.room` is made from all frames, so that each is asked for twice. False where
/// `options.progress` cancelled.
/// @pre as for drawShaded.
bool drawFrames(std::size_t count, const FrameFigures& figuresAt, const ShadedOptions& options,
                const std::function<void(const Raster&)>& take);

}  // namespace ulna::draw
