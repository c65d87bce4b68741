// SPDX-License-Identifier: Apache-2.0

// Retargeting of characters: what retarget/retarget.h needs, taken from the files.
//
//     const Result<RetargetResult> out = retargetClip(walk, motion, robot);
//
// The soles come from the mesh, where there is one. The result is a clip of the target's file: with
// the limits of the human body, it is solved on a stage and brought back.
#pragma once

#include <array>
#include <vector>

#include "ulna/character/character.h"
#include "ulna/character/stage.h"
#include "ulna/core/progress.h"
#include "ulna/retarget/retarget.h"

namespace ulna {

struct RetargetClipOptions {
    RetargetOptions retarget = {};
    const Pose* source_rest = nullptr;  ///< flat feet, straight legs; null: the rest pose
    const Pose* target_rest = nullptr;  ///< likewise
    /// Used instead of those of the meshes; may be null. See solesOf.
    const std::array<std::vector<Vec3>, 2>* source_soles = nullptr;
    const std::array<std::vector<Vec3>, 2>* target_soles = nullptr;
    /// The limits that the target keeps: its own, none, or those of the human body.
    LimitSource limits = LimitSource::Own;
};

/// Errors: those of Retargeter and makeStage.
/// @pre the motion is of the source's skeleton.
[[nodiscard]] Result<RetargetResult> retargetClip(const Character& source, const Motion& motion,
                                                  const Character& target,
                                                  const RetargetClipOptions& options = {},
                                                  const Progress& progress = {});

/// The lowest points of the left and the right foot in a pose: of the vertices that the feet carry.
/// Empty where there is no mesh, or no body is recognised.
/// @pre rest has one transform per joint.
[[nodiscard]] std::array<std::vector<Vec3>, 2> solesOf(const Character& character,
                                                       const Pose& rest);

/// What is worth knowing of a retargeted clip: joints that are much faster than in the source, feet
/// that still slide.
[[nodiscard]] Warnings retargetWarnings(const Skeleton& target, const RetargetReport& report);

}  // namespace ulna
