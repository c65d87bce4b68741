// SPDX-License-Identifier: Apache-2.0

// Goals of inverse kinematics as JSON: the input of `ulna ik --goals` and part of the output of
// `ulna ik --json`.
//
// Reading has two steps. readGoals parses text to entries that name their joints; bindGoals finds
// the joints in a skeleton. The format is described in docs/ik/goals-file.md and
// docs/goals.schema.json.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/ik/clip_goal.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::io {

/// One goal with its joints as names.
struct GoalEntry {
    IkClipGoal goal = {};                  ///< without its joints
    std::vector<std::string> joints = {};  ///< in the order of the goal's kind
    bool axis_stated = false;  ///< whether an aim states the axis that points to its target
    Location location = {};    ///< in the file, for messages
    /// The first point or direction of two numbers: its third is 0, and only planar skeletons take
    /// it.
    std::optional<Location> planar = {};
};

/// Reads goals: an array of goal objects, or an object whose `goals` is one (such as the output of
/// `ulna ik --json`). Errors have the JSON path. Unknown keys are errors, so that a misspelt weight
/// is not taken as missing. Keys of results (`position`, `met`, ...) are ignored.
[[nodiscard]] Result<std::vector<GoalEntry>> readGoals(std::string_view text,
                                                       std::string_view source);
[[nodiscard]] Result<std::vector<GoalEntry>> loadGoals(const std::string& path);

/// Finds the joints of the entries. The error names a joint that does not exist, its location, and
/// similar names; or the location of a point of two numbers, if the skeleton is not planar.
///
/// @param forward the direction that the model faces in the rest pose: the axis of an aim that
/// states none.
[[nodiscard]] Result<std::vector<IkClipGoal>> bindGoals(std::span<const GoalEntry> entries,
                                                        const Skeleton& skeleton,
                                                        const Vec3& forward = {0, 0, 1});

/// A goal as one JSON object that readGoals takes, with further members after its own.
/// The error is a goal that files cannot hold (isInFiles): one of the caller's own.
/// @param results members as text, such as `"distance":0.5`; may be empty.
[[nodiscard]] Result<std::string> writeGoal(const Skeleton& skeleton, const IkClipGoal& goal,
                                            std::string_view results = {});

/// A whole file of goals; the error is that of writeGoal.
[[nodiscard]] Result<std::string> writeGoals(const Skeleton& skeleton,
                                             std::span<const IkClipGoal> goals);

}  // namespace ulna::io
