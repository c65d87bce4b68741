// SPDX-License-Identifier: Apache-2.0

// The picture of `ulna retarget --picture`.
#pragma once

#include <string>

#include "apps/cli/draw/animation.h"
#include "apps/cli/draw/picture.h"
#include "ulna/retarget/retarget.h"

namespace ulna::cli {

struct RetargetPictureOptions {
    std::string file;  ///< empty for none
    std::size_t strip = 0;
    PictureOptions picture;
    AnimationOptions animation;
};
/// --picture and the options that go with it.
void addRetargetPictureOptions(Tool& tool, CLI::App* verb, RetargetPictureOptions& options);

/// Fails with exit code 2 where options do not go together.
void checkOptions(const RetargetPictureOptions& options);

/// A body and the pose in which it stands.
struct StandingBody {
    const Input& input;
    const Pose& rest;
};

/// Writes the picture: a strip and the plot of the feet, or an animation, as the name says.
/// @pre the motion is of the source's skeleton.
void writeRetargetPicture(const RetargetPictureOptions& options, const StandingBody& source,
                          const Motion& motion, const StandingBody& target,
                          const RetargetResult& result, const Common& common);

}  // namespace ulna::cli
