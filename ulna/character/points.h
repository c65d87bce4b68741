// SPDX-License-Identifier: Apache-2.0

// Motion from points for characters: what retarget/points.h needs, taken from the files.
//
//     Result<io::PointFile> file = io::loadPoints("dance.npy");
//     const Result<PointLayout> layout = choosePointLayout(file->clip, character.skeleton);
//     const Result<PosedCharacter> out = posePoints(character, *file, *layout);
//
// The body gets human limits where it states none. The result is a clip of the character's file.
#pragma once

#include <string>
#include <string_view>

#include "ulna/character/character.h"
#include "ulna/character/stage.h"
#include "ulna/core/progress.h"
#include "ulna/io/point_files.h"
#include "ulna/retarget/points.h"

namespace ulna {

/// The layout of a clip that does not say it: that of a preset's name; where names of points are
/// names of joints, these; else the only preset of so many points. The error lists the presets.
[[nodiscard]] Result<PointLayout> choosePointLayout(const PointClip& clip, const Skeleton& skeleton,
                                                    std::string_view preset = {});

struct PosePointsOptions {
    PointOptions points = {};
    const Pose* rest = nullptr;  ///< flat feet, straight legs; null: the rest pose
    /// The limits that the body keeps; by default its own, or those of the human body where it has
    /// none.
    std::optional<LimitSource> limits = {};
};

struct PosedCharacter {
    Skeleton skeleton;        ///< the character's own, or that with the lengths of the points
    PointResult result;       ///< the motion is of that skeleton
    bool anatomical = false;  ///< whether human limits were kept
};

/// Errors: those of solvePoints and makeStage.
[[nodiscard]] Result<PosedCharacter> posePoints(const Character& character,
                                                const io::PointFile& file,
                                                const PointLayout& layout,
                                                const PosePointsOptions& options = {},
                                                const Progress& progress = {});

}  // namespace ulna
