// SPDX-License-Identifier: Apache-2.0

// Goals of `ulna ik` from its options and from a file.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/command.h"
#include "ulna/ik/clip.h"

namespace ulna::cli {

/// The options that state goals, as they were written.
struct GoalOptions {
    std::vector<std::vector<std::string>> stated;  ///< by option
    std::string posture;
    std::string file;
    bool batch = false;  ///< --goal and --orient may leave out their targets
};
void addGoalOptions(Tool& tool, CLI::App* verb, GoalOptions& options);

struct StatedGoals {
    std::vector<IkClipGoal> goals = {};
    std::vector<std::size_t> open = {};  ///< those without a target of their own
};

/// All goals: positions, orientations, aims, poles, floors, distances, pins, posture, then those of
/// the file. Fails with exit code 2 on a joint that is not there, text that is no goal, or no goal
/// at all; 3 on a bad file.
///
/// @param up the model's up axis, for --above.
/// @param forward where the model faces at rest, for --aim.
[[nodiscard]] StatedGoals makeGoals(const GoalOptions& options, const Skeleton& skeleton,
                                    const Vec3& up, const Vec3& forward);

}  // namespace ulna::cli
