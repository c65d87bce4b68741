// SPDX-License-Identifier: Apache-2.0

// Clips as animated WebP pictures.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/draw/picture.h"
#include "ulna/draw/animation.h"

namespace ulna::cli {

struct AnimationOptions {
    std::optional<double> fps;
    std::uint16_t loops = 0;

    [[nodiscard]] bool any() const { return fps || loops > 0; }
};
/// --fps and --loops.
void addAnimationOptions(CLI::App* verb, AnimationOptions& options);

/// The height of animations in pixels, where nothing is said.
inline constexpr double kAnimationHeight = 480.0;

/// The moments of a clip that are shown, and a note on stderr where frames are left out. Fails with
/// exit code 2 on a rate that no animation has.
[[nodiscard]] draw::AnimationTimes animationTimes(const Motion& motion,
                                                  const AnimationOptions& options);

/// The bytes of the animation, with a progress bar. Fails with exit code 2 where it is larger than
/// WebP pictures are.
[[nodiscard]] std::string drawAnimation(const draw::AnimationTimes& times,
                                        const draw::FrameFigures& figuresAt,
                                        draw::ShadedOptions how, draw::Legend legend,
                                        const AnimationOptions& options);

/// Where the camera looks in each pose of a clip: it follows the middle of the joints.
[[nodiscard]] std::vector<Vec3> spotsOf(const Skeleton& skeleton, const std::vector<Pose>& poses,
                                        double fps);

/// The distance of lines on the ground below figures of a size.
[[nodiscard]] double gridFor(double size);

/// The bytes of a still WebP picture. Fails as drawAnimation.
[[nodiscard]] std::string stillWebp(const draw::Raster& image);

}  // namespace ulna::cli
