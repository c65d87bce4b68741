// SPDX-License-Identifier: Apache-2.0

// Goals of inverse kinematics as JSON: what `ulna ik --goals` takes and `ulna ik --json` prints.
//
// Reading has two steps. readGoals turns text into entries that name their joints; bindGoals finds
// the joints in a skeleton. The format is described in docs/ik/goals-file.md and
// docs/goals.schema.json.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/ik/clip.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::io {

/// One goal whose joints are still names.
struct GoalEntry {
    IkClipGoal goal = {};                  ///< its joints are not set yet
    std::vector<std::string> joints = {};  ///< in the order the wish has them
    bool axis_stated = false;              ///< an aim that says which axis it turns to its target
    Location location = {};                ///< where it was said, for messages
};

/// Reads goals: an array of goal objects, or an object whose `goals` is one (such as the output of
/// `ulna ik --json`). Errors carry the JSON path; unknown keys are errors, so that a misspelt
/// weight is not a missing one. Keys that report a result (`position`, `met`, ...) are skipped.
[[nodiscard]] Result<std::vector<GoalEntry>> readGoals(std::string_view text,
                                                       std::string_view source);
[[nodiscard]] Result<std::vector<GoalEntry>> loadGoals(const std::string& path);

/// Finds the joints of the entries. The error names a joint that is not there, its place, and the
/// names that are near.
///
/// @param forward where the model faces at rest: the axis of an aim that states none.
[[nodiscard]] Result<std::vector<IkClipGoal>> bindGoals(std::span<const GoalEntry> entries,
                                                        const Skeleton& skeleton,
                                                        const Vec3& forward = {0, 0, 1});

/// A goal as one JSON object that readGoals takes, with further members after its own.
/// @param results members as text, such as `"distance":0.5`; may be empty.
[[nodiscard]] std::string writeGoal(const Skeleton& skeleton, const IkClipGoal& goal,
                                    std::string_view results = {});

/// A whole file of goals.
[[nodiscard]] std::string writeGoals(const Skeleton& skeleton, std::span<const IkClipGoal> goals);

}  // namespace ulna::io
